"""The emulation models: warps of one multiprocessor compete for resources that have a latency and a gap."""

from foretell.models.emulate.model import EmulateModel
from foretell.models.emulate.saake import SaakeModel
from foretell.models.emulate.warps import WarpsModel

__all__ = ["EmulateModel", "SaakeModel", "WarpsModel"]
