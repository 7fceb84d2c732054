"""Heuristics of gcc and clang that the bundled LLVM lacks, their flags, and the local compiler."""
