"""What gcc and clang do to loops that the bundled LLVM does not, their flags, and the local compiler."""
