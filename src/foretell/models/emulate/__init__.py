"""The emulation model: warps of one multiprocessor compete for resources that have a latency and a gap."""

from foretell.models.emulate.model import EmulateModel

__all__ = ["EmulateModel"]
