"""The traffic model: what a loop nest moves through each memory level, and how long that takes."""

from foretell.models.cpu.model import TrafficModel

__all__ = ["TrafficModel"]
