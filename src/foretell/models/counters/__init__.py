"""The counter model (Raexplore): a profile of one machine, projected to others."""

from foretell.models.counters.model import CountersModel

__all__ = ["CountersModel"]
