"""Files that hold GPU machine code: ELF, cubins, fatbins, and compilation with nvcc."""
