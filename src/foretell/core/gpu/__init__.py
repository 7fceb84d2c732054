"""GPU kernels: decoded machine code, launches, and their facets."""
