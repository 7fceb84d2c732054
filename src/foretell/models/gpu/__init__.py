"""The GPU model: blocks of a kernel in machine code on a multiprocessor, cycle by cycle."""

from foretell.models.gpu.model import GpuModel

__all__ = ["GpuModel"]
