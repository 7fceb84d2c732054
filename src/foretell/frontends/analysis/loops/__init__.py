"""Loops: induction variables, trip counts, exits, values at their ends."""
