"""The CPU model: predicts the traffic of loop nests through each memory level, and their time."""

from foretell.models.cpu.model import CpuModel

__all__ = ["CpuModel"]
