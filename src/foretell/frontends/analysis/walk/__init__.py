"""Symbolic execution of statements and expressions."""
