"""Predicts a call of compiled code without its source."""
