"""`foretell.toml`: read, written first from what a folder has; its limits, and the source lines that it names."""
