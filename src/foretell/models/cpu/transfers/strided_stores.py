"""Computes the stall time of stores that touch a new line each, as down a column of a matrix.

No prefetcher covers them, and they commit in order. Where a column stays cached until its lines are full, a burst of
missing stores follows columns of hits: each waits for its line together with the few later ones that are requested
early, and the core has nothing to overlap with but the same stores. Where all of them miss, enough are outstanding that
lines arrive at the bandwidth of the level.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from foretell.characterize.footprints.box_sizes import extreme
from foretell.characterize.layout.iteration_strides import by_iteration, bytes_apart
from foretell.characterize.simulate.addresses import label
from foretell.core.columns.tape import real
from foretell.models.cpu.transfers.bandwidths import innermost_line, known, seconds_apart, seconds_per_byte

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from foretell.core.columns.expression import Value
    from foretell.core.nest.loopnest import LoopNest
    from foretell.models.base import Inputs
    from foretell.models.cpu.parallel import Split
    from foretell.models.cpu.transfers.volumes import Spaced, Volumes

#: outstanding store misses of a core: columns of a matrix in L2, whose latency is 16 cycles, take 6 to 10 cycles for
#: each line on a Golden Cove core (measured with stores alone, 110 to 700 rows)
AT_A_TIME = 2.0


def down_columns(nest: LoopNest, values: Mapping[str, Value], line: float) -> dict[str, Value]:
    """For write-only arrays: 1 where each innermost iteration stores to another line, else 0."""
    return {name: np.where(jump >= line, 1.0, 0.0) for name, jump in _jumps(nest, values).items()}


def alternating(nest: LoopNest, values: Mapping[str, Value], line: float) -> Value:
    """1 where the innermost loop writes sequentially to several write-only arrays; else 0."""
    along = [
        np.where(np.logical_and(np.greater(jump, 0), np.less(jump, line)), 1.0, 0.0)
        for jump in _jumps(nest, values).values()
    ]
    return np.where(sum(along, 0.0) > 1, 1.0, 0.0) if len(along) > 1 else 0.0


def _jumps(nest: LoopNest, values: Mapping[str, Value]) -> dict[str, Value]:
    """Minimum stride of the stores to write-only arrays per iteration of the innermost loop."""
    variable = nest.loops[-1].variable
    strides: dict[str, Value] = {}
    for array in by_iteration(nest):
        writes = [access for access in array.accesses if access.writes]
        jumps = [bytes_apart(array, access, variable, values) for access in writes]
        known = [jump for jump in jumps if jump is not None]
        if not array.reads and known and len(known) == len(jumps):
            strides[label(array)] = extreme(np.minimum, known)
    return strides


@dataclass(frozen=True, slots=True)
class Waits:
    """Seconds that a thread stalls for lines of such stores, and their miss ratio."""

    seconds: Value
    missing: Value


def column_waits(
    nest: LoopNest, volumes: Volumes, inputs: Inputs, values: Mapping[str, Value], parts: Split, allocate: bool
) -> Waits:
    """The stall time: by bandwidth, or by the latency of the next level for each line of a burst."""
    if not volumes.columns or not np.any(next(iter(volumes.columns.values()))):
        return Waits(0.0, 1.0)
    nearest = next(iter(volumes.columns))
    line = innermost_line(inputs)
    lines = volumes.columns[nearest] / (line * (2.0 if allocate else 1.0)) / parts.threads
    path = f"level.{nearest}.latency"
    each = inputs.seconds(path) / AT_A_TIME if path in inputs.machine else 0.0
    moving: Value = 0.0
    for supplier in volumes.columns:
        prefix = supplier if supplier == "memory" else f"level.{supplier}"
        if known(inputs.machine, prefix):
            cost = seconds_per_byte(inputs, prefix, parts.threads, 0.5 if allocate else 1.0, 0.0, allocate)
            spaced = volumes.spaced_columns
            longest = longest_array(volumes, spaced, supplier, prefix, inputs, parts.threads, cost)
            moving = moving + np.maximum(volumes.own(volumes.columns, supplier) * cost, longest)
    stores = _stores(nest, values, line) / parts.threads
    missing = np.minimum(1.0, lines / np.maximum(stores, 1.0))
    in_bursts = lines * each * (1.0 - missing)
    return Waits(np.maximum(moving, in_bursts) * parts.imbalance, missing)


def longest_array(
    volumes: Volumes, spaced: Iterable[Spaced], supplier: str, prefix: str, inputs: Inputs, threads: Value, cost: Value
) -> Value:
    """Seconds of the array that occupies its banks longest, among those with regular line distances: other arrays use
    other banks meanwhile."""
    longest: Value = 0.0
    for array in spaced:
        each = seconds_apart(inputs, prefix, threads, cost, array.spacing)
        own = volumes.own(array.reads, supplier) * each + volumes.own(array.writes, supplier) * cost
        longest = np.maximum(longest, own * array.anywhere)
    return longest


def _stores(nest: LoopNest, values: Mapping[str, Value], line: float) -> Value:
    """Number of stores that touch a new line each."""
    counts = nest.total_accesses()
    down = down_columns(nest, values, line)
    total: Value = 0.0
    for array in nest.arrays:
        if label(array) in down:
            writes = real(counts[array.name][1].evaluate(values))
            total = total + writes * down[label(array)]
    return total
