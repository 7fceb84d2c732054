"""The Fortran front end: lowers F77 fixed form to F2018 to the statement IR."""

from foretell.frontends.fortran.program import parse_fortran

__all__ = ["parse_fortran"]
