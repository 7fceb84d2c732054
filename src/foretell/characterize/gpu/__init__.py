"""Sampled blocks of a GPU kernel: executed, their memory requests, and what they say of the whole grid."""
