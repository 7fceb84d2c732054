"""Answers as text, JSON, CSV and plots. Computes nothing; sees only core types."""
