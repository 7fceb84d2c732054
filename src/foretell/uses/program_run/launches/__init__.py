"""Launches of a program: which of them are alike, and their times on a machine."""
