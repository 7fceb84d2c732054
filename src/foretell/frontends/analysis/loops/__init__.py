"""Loops: induction variables, trip counts, exits, values after the loop."""
