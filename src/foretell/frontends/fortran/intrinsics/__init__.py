"""Fortran's intrinsic procedures."""
