"""Frozen types exchanged between the layers. No input or output here."""
