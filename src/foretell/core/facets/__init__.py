"""The facets of a workload beside loop nests and GPU kernels: counters, offloaded work, traces."""
