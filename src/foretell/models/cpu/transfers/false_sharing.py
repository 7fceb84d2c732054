"""Lines that two threads write: where neighbouring iterations of the shared loop write to one line, the line on the
border between two threads goes from one's cache to the other's.

A thread that writes a line which another core has changed finds it by way of the last level, in the other's cache: that
takes the latencies of both, for as few lines at a time as stores down a column wait for. Each thread has two borders:
the first columns of a row lie behind the last ones of the row before. A parallel region as it is probed has such a
line; columns that threads share have one in each row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from foretell.characterize.footprints.footprints import footprints
from foretell.characterize.layout.iteration_strides import by_iteration, bytes_apart
from foretell.characterize.simulate.addresses import label
from foretell.models.cpu.transfers.strided_stores import AT_A_TIME

if TYPE_CHECKING:
    from collections.abc import Mapping

    from foretell.core.columns.expression import Value
    from foretell.core.nest.loopnest import ArrayUse, LoopNest
    from foretell.models.base import Inputs
    from foretell.models.cpu.parallel import Split

_BORDERS = 2.0


def handed_over(nest: LoopNest, inputs: Inputs, values: Mapping[str, Value], split: Split, line: float) -> Value:
    """Seconds that a thread waits for lines which another one has written."""
    outer = [f"level.{level}.latency" for level in inputs.machine.levels[1:]]
    if split.depth is None or not outer or any(path not in inputs.machine for path in outer):
        return 0.0
    shape = footprints(nest, values, line, split.depth, split.threads)
    touched = {array.name: array.bytes[split.depth + 1] / line for array in shape.arrays}
    variable = nest.loops[split.depth].variable
    lines: Value = 0.0
    for array in by_iteration(nest):
        beyond_one = np.maximum(0.0, touched.get(label(array), 0.0) - 1.0)
        lines = lines + beyond_one * _shared(array, variable, values, line)
    borders = np.where(np.asarray(split.threads) > 1, _BORDERS, 0.0)
    latency = inputs.seconds(outer[0]) + inputs.seconds(outer[-1])
    return lines * borders * latency / AT_A_TIME * shape.iterations[split.depth]


def _shared(array: ArrayUse, variable: str, values: Mapping[str, Value], line: float) -> Value:
    """How likely an iteration and the next one of a loop write to the same line."""
    likely: Value = 0.0
    for access in array.accesses:
        apart = bytes_apart(array, access, variable, values) if access.writes else None
        if apart is not None:
            likely = np.maximum(likely, np.where(apart > 0, 1.0 - apart / line, 0.0))
    return likely
