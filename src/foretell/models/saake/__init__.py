"""SAAKE: abstract kernel emulation (Algorithm 1 of the paper), of abstract programs and of machine code."""

from foretell.models.saake.machine_code_model import SaakeModel
from foretell.models.saake.model import EmulateModel

__all__ = ["EmulateModel", "SaakeModel"]
