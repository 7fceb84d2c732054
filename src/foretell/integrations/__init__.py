"""Adapters to other tuners; each is an extra and imports its package when it is called."""
