"""The cost of an algorithm on a machine, from how its operations depend on each other (AutoMatch)."""

from foretell.models.cost.model import CostModel

__all__ = ["CostModel"]
