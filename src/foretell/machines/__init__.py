"""The machine library: one TOML file per machine, every number with its source."""

from foretell.machines.estimates import completed
from foretell.machines.load import library, load, resolve
from foretell.machines.overrides import overridden

__all__ = ["completed", "library", "load", "overridden", "resolve"]
