"""Reads assembly text: instructions with their operands, loops, and the induction of addresses."""
