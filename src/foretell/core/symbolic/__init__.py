"""Exact polynomials over parameters, loop variables and opaque atoms, and their sums over loops."""
