"""Facets of a workload besides loop nests and GPU kernels: counters, offloads, traces."""
