"""Answers as pictures, with matplotlib from the extra `plot`."""
