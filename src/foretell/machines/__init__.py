"""The machine library: one TOML file per machine, every number with its source."""

from foretell.machines.estimates import completed
from foretell.machines.load import library, load, resolve

__all__ = ["completed", "library", "load", "resolve"]
