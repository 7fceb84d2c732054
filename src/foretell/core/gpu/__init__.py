"""GPU kernels: decoded machine code, launches, and the facets made of them."""
