"""Estimates for numbers that a machine file lacks: nothing unknown is free."""

from foretell.machines.estimates.complete import completed, estimated, facts, group_of

__all__ = ["completed", "estimated", "facts", "group_of"]
