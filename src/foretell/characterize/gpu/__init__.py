"""Executes sampled blocks of a GPU kernel, counts their memory requests, and extrapolates to the grid."""
