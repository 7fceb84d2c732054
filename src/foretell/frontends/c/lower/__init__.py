"""The tree of libclang lowered to the statement IR."""
