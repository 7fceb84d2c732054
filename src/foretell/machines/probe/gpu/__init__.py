"""The GPU micro-benchmark."""
