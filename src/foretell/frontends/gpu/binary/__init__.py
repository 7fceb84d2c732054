"""Files that hold GPU machine code: ELF, cubins, fatbins, and nvcc that makes them."""
