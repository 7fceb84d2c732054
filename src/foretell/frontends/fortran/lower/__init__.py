"""Lowers Fortran statements and expressions to the statement IR."""
