"""The CPU model: what a loop nest moves through each memory level, and how long that takes."""

from foretell.models.cpu.model import CpuModel

__all__ = ["CpuModel"]
