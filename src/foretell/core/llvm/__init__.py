"""LLVM IR as text: the one reader that tracing, code generation and the SW26010 model share."""
