"""Loop nests built from what the walk recorded."""
