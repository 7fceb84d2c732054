"""Programs that measure a machine, and what turns their answers into machine files."""
