"""Data layout in memory: struct members, row pointers, strides, banks."""
