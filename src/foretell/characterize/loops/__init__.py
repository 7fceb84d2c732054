"""Iteration counts, dependences, and feasibility of linear constraints."""
