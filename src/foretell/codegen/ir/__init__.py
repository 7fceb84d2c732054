"""A loop nest as LLVM IR."""
