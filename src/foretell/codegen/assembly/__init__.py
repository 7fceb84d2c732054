"""Assembly text: instructions with what they read and write, loops, and how far a pass of a loop moves."""
