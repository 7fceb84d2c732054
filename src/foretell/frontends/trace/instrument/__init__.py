"""A traced version of a program's LLVM IR."""
