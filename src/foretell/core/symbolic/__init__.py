"""Exact polynomials over parameters, loop variables and opaque atoms, and their sums over loops."""

from foretell.core.symbolic import simplify as simplify  # registers its rules with `poly`
