"""Tuning by prediction: parameters of annotated code, and macros, launches and compiler options of GPU kernels."""
