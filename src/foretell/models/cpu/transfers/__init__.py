"""Bytes and time of each memory level."""
