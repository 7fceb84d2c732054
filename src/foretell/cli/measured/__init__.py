"""Commands that run programs or read what was measured."""
