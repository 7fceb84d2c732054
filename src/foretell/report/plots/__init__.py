"""Plots of answers, with matplotlib from the extra `plot`."""
