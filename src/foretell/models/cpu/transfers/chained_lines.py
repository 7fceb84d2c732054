"""Time in which loads that wait for one another wait for lines from beyond the innermost cache.

The core is followed with all data in L1. A load whose address was loaded by the one before it (`p = next[p]`) takes the
latency of the level that has its line, and nothing else hides it: the difference is added to the chain.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from foretell.models.cpu.notes import Note
from foretell.models.cpu.transfers.bandwidths import innermost_line, known, latency_of

if TYPE_CHECKING:
    from foretell.core.columns.expression import Value
    from foretell.core.nest.loopnest import LoopNest
    from foretell.models.base import Inputs
    from foretell.models.cpu.core_time import CoreTime
    from foretell.models.cpu.parallel import Split
    from foretell.models.cpu.transfers.volumes import Volumes


#: share of the lines that is waited for where neighbours in a chain are neighbours in memory, as nodes that were made
#: one after the other: as of all irregular accesses (`nest_time.UNCERTAIN`)
_FEWEST = 0.25


def with_waits(core: CoreTime, volumes: Volumes, inputs: Inputs, parts: Split) -> CoreTime:
    """The core's time with what its chains wait for lines; what bounds it otherwise goes on meanwhile. A walk along all
    nodes finds none in cache that it left there the time before, one that jumps at random some: up to every load of
    the chain may wait."""
    if not np.any(core.chained):
        return core
    waits, lines = _chain_waits(core, volumes, inputs, parts)
    bound = core.certainty == "latency"
    seconds = core.seconds + waits if bound else np.maximum(core.seconds, waits)
    grown = np.maximum(0.0, seconds - core.seconds)
    most = waits * core.chained / np.maximum(lines, 1.0) - waits
    more = core.more + np.where(np.greater(lines, 0.0), np.maximum(0.0, most), 0.0)
    return replace(core, seconds=seconds, less=core.less + (1.0 - _FEWEST) * grown, more=more)


def _chain_waits(core: CoreTime, volumes: Volumes, inputs: Inputs, parts: Split) -> tuple[Value, Value]:
    """Seconds by which the chains of a nest are longer than with all data in L1, and the lines that are waited for: at
    most as many as there are loads in chains, as other irregular accesses are not waited for."""
    line = innermost_line(inputs)
    nearest = latency_of(inputs, f"level.{inputs.machine.levels[0]}")
    total: Value = 0.0
    left = core.chained
    for supplier in reversed(list(volumes.reads)):
        prefix = supplier if supplier == "memory" else f"level.{supplier}"
        if known(inputs.machine, prefix):
            lines = np.minimum(left, volumes.supplied(supplier)[2] / (line * parts.threads))
            total = total + lines * np.maximum(0.0, latency_of(inputs, prefix) - nearest)
            left = left - lines
    return total, core.chained - left


def said(nest: LoopNest, waits: Value) -> Note:
    """That the chain waits for lines."""
    text = (
        f"{nest.function}, line {nest.line}: loads wait for addresses that the loads before them bring: "
        "each takes the latency of the level that has its line"
    )
    return Note(text, np.greater(waits, 0.0))
