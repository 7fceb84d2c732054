"""Frozen types that the layers exchange. No input or output here."""
