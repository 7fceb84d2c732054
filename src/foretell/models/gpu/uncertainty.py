"""Estimates how sure a prediction is: independent relative uncertainties, each from one cause, add in quadrature."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from foretell.models.gpu.block_sampling import sampled
from foretell.models.gpu.multiprocessor import L2, MEMORY
from foretell.models.gpu.timing import REALS

if TYPE_CHECKING:
    from foretell.core.gpu.warps import Warps
    from foretell.models.gpu.launched import Run

#: relative uncertainties, each the error that nine in ten launches of the tuning sets with this cause alone stay below
#: (validation/h200, gpu and gpu-uneven), for a launch whose time is all due to it
_MODEL = 0.12  # launches of equal blocks
_UNEQUAL = 0.15  # blocks of different length: their times alone and together are interpolated
_L2 = 0.20  # waiting for L2: which partition has the data is not known
_MEMORY = 0.20  # waiting for memory
_IRREGULAR = 0.18  # requests whose cache hits are by chance
_ALONE = 0.20  # one block on a multiprocessor: nothing hides its latencies
_SERIAL = 0.40  # updates of a few lines: the rate depends on where these are
_UNKNOWN = 0.10  # branches, addresses and predicates that depend on unknown data
_UNCOUNTED = 0.35  # contents that steer blocks which were not counted: a longer one may be among them
#: standard errors of a sampled sum on either side: nine in ten lie within
_STANDARD_ERRORS = 1.64
#: an update of few lines takes so many times as long as one of many
_SLOWER = 4.0


def uncertainties(facet: Warps, run: Run) -> dict[str, float]:
    """Relative uncertainties of a predicted time, by cause."""
    execution, work = sampled(facet)
    timing, prepared = run.timing, run.prepared
    requests, groups = prepared.traffic.requests.values(), prepared.traffic.groups
    sectors = math.fsum(item.block_sectors for item in requests)
    irregular = math.fsum(item.block_sectors for item in requests if not groups[item.group].even)
    unknown = any(item.unknown_branches or item.unknown_addresses for item in execution.instructions)
    uncounted = work.error > 0 and any(pointer.contents for pointer in facet.launch.pointers)
    cycles = timing.issued / 4 + timing.tail + math.fsum(timing.idle.values())
    waits = {
        name: math.fsum(idle for (which, _), idle in timing.idle.items() if which == name) for name in (L2, MEMORY)
    }
    found = {
        "model": _MODEL,
        "sampled blocks": _STANDARD_ERRORS * work.error,
        "unequal blocks": 0.0 if work.alike else _UNEQUAL,
        "blocks not counted": _UNCOUNTED if uncounted else 0.0,
        "L2": _L2 * waits[L2] / cycles,
        "memory": _MEMORY * waits[MEMORY] / cycles,
        "irregular requests": _IRREGULAR * irregular / sectors if sectors else 0.0,
        "one block on a multiprocessor": _ALONE if prepared.mine == 1 else 0.0,
        "updates of few lines": _SERIAL * waits[L2] / cycles if _waits_for_lines(run) else 0.0,
        "unknown data": _UNKNOWN if unknown else 0.0,
    }
    return {name: value for name, value in found.items() if value > 0}


def _waits_for_lines(run: Run) -> bool:
    """Whether atomics or stores wait for others on the same lines."""
    reals = run.prepared.ops.reals
    service = reals[:, REALS.index("sectors")] * run.prepared.there.gap[L2]
    return bool((reals[:, REALS.index("serial")] > _SLOWER * service).any())


def factor(found: dict[str, float]) -> float:
    """The ratio of the upper end of the interval to the time, and of the time to the lower end."""
    return math.exp(math.hypot(*found.values()))
