"""Instruments the LLVM IR of a program."""
