"""Workload and trace files in TOML."""
