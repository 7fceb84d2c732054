"""Computes the cost of false sharing: lines at the border of two threads' iterations that both write.

A thread that writes a line modified by another core fetches it through the last level from the other's cache: the sum
of both latencies, with as few outstanding lines as strided stores have. Each thread has two borders: the first columns
of a row follow the last ones of the row before. The probed parallel region includes one such line; threads that share
columns have one in each row. Where a schedule deals out chunks shorter than a line, several threads write to every
line, and each waits for the others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from foretell.characterize.footprints.footprints import footprints
from foretell.characterize.layout.iteration_strides import by_iteration, bytes_apart
from foretell.characterize.simulate.addresses import label
from foretell.core.nest.loopnest import iterations
from foretell.models.cpu.transfers.strided_stores import AT_A_TIME

if TYPE_CHECKING:
    from collections.abc import Mapping

    from foretell.core.columns.expression import Value
    from foretell.core.nest.loopnest import ArrayUse, LoopNest
    from foretell.models.base import Inputs
    from foretell.models.cpu.parallel import Split

_BORDERS = 2.0
#: consecutive lines that a core asks for at a time, of those that others write: loops over neighbouring elements in
#: turn (validation/cpu/openmp, neighbours_cyclic) take the latency over 3.6 for each line and other writer on a Golden
#: Cove (2, 4 and 8 writers), over 4.5 on a Neoverse N1
_IN_A_ROW = 4.0


def handed_over(nest: LoopNest, inputs: Inputs, values: Mapping[str, Value], split: Split, line: float) -> Value:
    """Seconds that a thread waits for lines that another one has modified."""
    latency = other_core(inputs)
    if split.depth is None or not np.any(latency):
        return 0.0
    if np.any(split.chunk):
        return _in_every_line(nest, values, split, line) * latency / _IN_A_ROW
    shape = footprints(nest, values, line, split.depth, split.threads)
    touched = {array.name: array.bytes[split.depth + 1] / line for array in shape.arrays}
    variable = nest.loops[split.depth].variable
    lines: Value = 0.0
    for array in by_iteration(nest):
        beyond_one = np.maximum(0.0, touched.get(label(array), 0.0) - 1.0)
        lines = lines + beyond_one * _shared(array, variable, values, line)
    borders = np.where(np.asarray(split.threads) > 1, _BORDERS, 0.0)
    return lines * borders * latency / AT_A_TIME * shape.iterations[split.depth]


def other_core(inputs: Inputs) -> Value:
    """Seconds to fetch a line that another core has modified; 0 where the machine has no latencies."""
    outer = [f"level.{level}.latency" for level in inputs.machine.levels[1:]]
    if not outer or any(path not in inputs.machine for path in outer):
        return 0.0
    return inputs.seconds(outer[0]) + inputs.seconds(outer[-1])


def _in_every_line(nest: LoopNest, values: Mapping[str, Value], split: Split, line: float) -> Value:
    """Times that a thread waits for another writer of a line: chunks of several threads are in each."""
    assert split.depth is not None
    loop, around = nest.loops[split.depth], nest.loops[: split.depth]
    trips = iterations((*around, loop), split.depth + 1).evaluate(values)
    waits: Value = 0.0
    for array in by_iteration(nest):
        strides = (bytes_apart(array, one, loop.variable, values) for one in array.accesses if one.writes)
        apart = max((np.max(stride) for stride in strides if stride is not None), default=0.0)
        if apart > 0:
            writers = np.clip(line / (apart * np.maximum(1.0, split.chunk)), 1.0, split.threads)
            lines = trips * min(1.0, apart / line)
            waits = waits + lines * writers / split.threads * (writers - 1.0)
    return waits


def _shared(array: ArrayUse, variable: str, values: Mapping[str, Value], line: float) -> Value:
    """Probability that consecutive iterations of a loop write to the same line."""
    likely: Value = 0.0
    for access in array.accesses:
        apart = bytes_apart(array, access, variable, values) if access.writes else None
        if apart is not None:
            likely = np.maximum(likely, np.where(apart > 0, 1.0 - apart / line, 0.0))
    return likely
