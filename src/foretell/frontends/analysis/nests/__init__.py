"""Loop nests, built from the recorded symbolic execution."""
