"""Parses C text with libclang, and recovers from missing headers and declarations."""
