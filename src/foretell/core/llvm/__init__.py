"""Parser of textual LLVM IR, shared by tracing, code generation and the SW26010 model."""
