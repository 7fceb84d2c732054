"""In-core time: bounds of the emitted loop by ports, issue width, latency, loads and stores."""

from foretell.models.cpu.incore.cycles import CODE_PARAMETERS, in_core
from foretell.models.cpu.incore.result import InCore
from foretell.models.cpu.incore.size_interpolation import FOLLOWED

__all__ = ["CODE_PARAMETERS", "FOLLOWED", "InCore", "in_core"]
