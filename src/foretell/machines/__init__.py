"""The machine library: one TOML file per machine, every number with its source."""

from foretell.machines.load import library, load, resolve
from foretell.machines.overrides import overridden

__all__ = ["library", "load", "overridden", "resolve"]
