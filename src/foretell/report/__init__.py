"""Formats answers as text, JSON, CSV and plots. Computes nothing; imports only core types."""
