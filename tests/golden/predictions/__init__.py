"""Recorded answers of the command line over all models, front ends, machines and modes: no change of names or places
may move a number."""
