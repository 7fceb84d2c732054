"""C text parsed by libclang, with missing headers and declarations recovered."""
