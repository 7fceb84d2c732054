"""Transformations of loops in source text: each a pure function that returns the changed source, or refuses by name."""
