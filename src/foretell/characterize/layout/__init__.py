"""Where data lie in memory: struct members, row pointers, strides, banks."""
