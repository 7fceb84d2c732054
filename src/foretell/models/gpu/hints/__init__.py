"""Advice that is read off the executed instructions and requests of a kernel: estimates of what a rewritten code saves.

Each estimate is a run of the timing in which some instructions cost what they would after the change; what else the
change would do (other indices, copies through shared memory) is not in it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.models.gpu.hints.instructions import of_instructions
from foretell.models.gpu.hints.launch import of_launch, of_occupancy
from foretell.models.gpu.hints.requests import of_requests

if TYPE_CHECKING:
    from foretell.core.answers.answers import Advice
    from foretell.core.gpu.warps import Warps
    from foretell.models.gpu.launched import Prepared

#: estimates that save less than a hundredth are left out
_WORTH = 0.99


def hints(facet: Warps, prepared: Prepared) -> tuple[Advice, ...]:
    """Estimates, the largest saving first, then what limits occupancy."""
    run = prepared.run()
    base = run.seconds
    estimates = [*of_requests(facet, prepared, base), *of_instructions(facet, prepared, base)]
    estimates += of_launch(facet, prepared, run)
    worth = [one for one in estimates if one.time_s < _WORTH * base]
    return (*sorted(worth, key=lambda one: one.time_s), *of_occupancy(facet, prepared.occupancy, base))
