"""Parses assembly text: instructions with their operands, loops, and induction of addresses."""
