"""Costs of instructions on a multiprocessor."""
