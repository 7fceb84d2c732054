"""Parts of an answer that several of its forms share: tables of nests, kernels, facets, parts of the time."""
