"""Fortran statements and expressions lowered to the statement IR."""
