"""Changes of how threads share loops."""
