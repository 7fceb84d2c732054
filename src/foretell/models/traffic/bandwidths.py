"""Seconds for one byte that a level supplies, by the share of writes among what moves.

The probe measures four loops at every level. Counted in lines that really move (a store that misses first reads its
line, so a copy moves two lines in and one out), their shares of writes are 0 (read), 1/4 (triad), 1/3 (copy) and 1/2
(write); between them the time of a byte is interpolated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from foretell.core.expression import Value
    from foretell.models.base import Inputs

#: parameter, bytes that STREAM counts for each element, elements read and written by the program
_LOOPS = (("read_", 1, 1, 0), ("", 3, 2, 1), ("copy_", 2, 1, 1), ("write_", 1, 0, 1))


def seconds_per_byte(
    inputs: Inputs, prefix: str, threads: Value, write_share: Value, allocate: bool
) -> Value:
    """For all threads together. `prefix` is 'memory' or 'level.L2'."""
    if not all(f"{prefix}.{kind}bandwidth" in inputs.machine for kind, *_ in _LOOPS):
        return 1.0 / _bandwidth(inputs, prefix, "", threads)
    shares, costs = [], []
    for kind, counted, reads, writes in _LOOPS:
        moved = reads + writes * (2 if allocate else 1)
        shares.append(writes / moved)
        costs.append(counted / moved / _bandwidth(inputs, prefix, kind, threads))
    return _interpolate(write_share, shares, costs)


def scattered_seconds_per_byte(inputs: Inputs, prefix: str, threads: Value) -> Value:
    """For lines that are accessed in no regular order, where that was measured; never cheaper than reading in order."""
    in_order = 1.0 / _bandwidth(inputs, prefix, "", threads)
    path = f"{prefix}.core_random_bandwidth"
    if path not in inputs.machine:
        return in_order
    return np.maximum(in_order, 1.0 / (per_second(inputs, path) * threads))


def _interpolate(share: Value, at: list[float], costs: list[Value]) -> Value:
    """Straight lines between the points, level beyond the last; both may be arrays."""
    result = costs[0]
    for (left, low), (right, high) in zip(
        zip(at, costs, strict=True), zip(at[1:], costs[1:], strict=True), strict=False
    ):
        part = np.clip((share - left) / (right - left), 0.0, 1.0)
        result = result + part * (high - low)
    return result


def _bandwidth(inputs: Inputs, prefix: str, kind: str, threads: Value) -> Value:
    """What all of a level gives, or what so many cores can draw, in bytes per second."""
    total = per_second(inputs, f"{prefix}.{kind}bandwidth")
    if f"{prefix}.core_{kind}bandwidth" not in inputs.machine:
        return total
    return np.minimum(total, per_second(inputs, f"{prefix}.core_{kind}bandwidth") * threads)


def per_second(inputs: Inputs, path: str) -> Value:
    """A bandwidth in bytes per second, whichever unit the machine has it in."""
    in_cycles = inputs.machine[path].unit == "B/cycle"
    return inputs.value(path) * inputs.value("clock.frequency") if in_cycles else inputs.value(path)


def paths(prefix: str) -> tuple[str, ...]:
    """The parameters that a level's bandwidths may come from."""
    regular = (f"{prefix}.{core}{kind}bandwidth" for core in ("", "core_") for kind, *_ in _LOOPS)
    return (*regular, f"{prefix}.core_random_bandwidth")
