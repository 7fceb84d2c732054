"""The SW26010 model: a static model of cores with scratchpads that share a memory controller."""

from foretell.models.sunway.model import SunwayModel

__all__ = ["SunwayModel"]
