"""The GPU model: simulates blocks of a kernel in machine code on a multiprocessor, cycle by cycle."""
