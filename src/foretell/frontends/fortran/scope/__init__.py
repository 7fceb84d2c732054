"""Fortran names: scopes, declarations, kinds, types and initial values."""
