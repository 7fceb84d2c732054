"""GPU machine code: cubins, fatbins, executables and listings of disassembled kernels."""
