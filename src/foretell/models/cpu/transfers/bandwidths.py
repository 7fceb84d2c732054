"""Computes seconds per byte that a level supplies, as a function of the fraction of writes.

The probe measures four loops at every level. Counted in lines that really move (a store miss first reads its line, so a
copy moves two lines in and one out), their fractions of writes are 0 (read), 1/4 (triad), 1/3 (copy) and 1/2 (write);
between them the time of a byte is interpolated. Lines that the program reads before writing arrive sooner than lines
requested by stores only: for them, an update (1/2) is the last point. Stores commit in order: where stores to several
arrays alternate, each waits for another line than the one before. A loop that writes two arrays alternately yields this
cost; reads are added.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from foretell.core.machine import capacity
from foretell.core.machine.parameters import LINE_STRIDES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from foretell.core.columns.expression import Value
    from foretell.core.machine.machine import Machine
    from foretell.models.base import Inputs

_LINE = 64
#: outstanding misses of a core: the 10 fill buffers of an Intel core (Optimization Reference Manual, 2.6) are the
#: fewest of all cores that we know of
_WAITED_FOR = 10
#: parameter, bytes that STREAM counts per element, elements read and written by the program
_LOOPS = (("read_", 1, 1, 0), ("", 3, 2, 1), ("copy_", 2, 1, 1), ("write_", 1, 0, 1))


def known(machine: Machine, prefix: str) -> bool:
    """Whether any bandwidth of a level is known."""
    return _known(machine, prefix, "")


def _known(machine: Machine, prefix: str, kind: str) -> bool:
    return f"{prefix}.{kind}bandwidth" in machine or f"{prefix}.core_{kind}bandwidth" in machine


def seconds_per_byte(
    inputs: Inputs,
    prefix: str,
    threads: Value,
    write_share: Value,
    updated: Value,
    allocate: bool,
    alternating: Value = 0.0,
) -> Value:
    """Seconds per byte for all threads together. `prefix` is 'memory' or 'level.L2'; `updated` is the fraction of the
    writes whose lines the program itself reads; `alternating` is 1 where the other writes go to several arrays in turn.
    A machine with a single bandwidth uses it for every mix."""
    stored = _stored(inputs, prefix, threads, write_share, allocate)
    if (
        np.any(alternating)
        and _known(inputs.machine, prefix, "read_")
        and _known(inputs.machine, prefix, "two_stream_write_")
    ):
        read, pair = (1.0 / _bandwidth(inputs, prefix, kind, threads) for kind in ("read_", "two_stream_write_"))
        waiting = write_share * pair + (1.0 - write_share * (2 if allocate else 1)) * read
        stored = stored + alternating * np.maximum(0.0, waiting - stored)
    if not (_known(inputs.machine, prefix, "read_") and _known(inputs.machine, prefix, "update_")):
        return stored
    read = 1.0 / _bandwidth(inputs, prefix, "read_", threads)
    update = 1.0 / _bandwidth(inputs, prefix, "update_", threads) / 2  # traffic in both directions per byte of the loop
    in_place = _interpolate(write_share, [(0.0, read), (0.5, update)])
    return stored + updated * (np.minimum(stored, in_place) - stored)


def _stored(inputs: Inputs, prefix: str, threads: Value, write_share: Value, allocate: bool) -> Value:
    loops = [loop for loop in _LOOPS if _known(inputs.machine, prefix, loop[0])]
    if len(loops) < 2:
        return 1.0 / _bandwidth(inputs, prefix, "", threads)
    costs = {kind: counted / _bandwidth(inputs, prefix, kind, threads) for kind, counted, _, _ in loops}
    points = []
    for kind, _, reads, writes in loops:
        cost = costs[kind]
        if "read_" in costs and "write_" in costs:
            # Reads and writes together are no slower than in sequence; a measured loop that appears so was disturbed.
            cost = np.minimum(cost, reads * costs["read_"] + writes * costs["write_"])
        moved = reads + writes * (2 if allocate else 1)
        points.append((writes / moved, cost / moved))
    return _interpolate(write_share, points)


def scattered_seconds_per_byte(inputs: Inputs, prefix: str, threads: Value) -> Value:
    """Seconds per byte for irregularly accessed lines: as measured, or the latency over the outstanding misses of a
    core; never less than for sequential reads."""
    cost = 1.0 / _bandwidth(inputs, prefix, "", threads)
    random, latency = f"{prefix}.core_random_bandwidth", f"{prefix}.latency"
    if random in inputs.machine:
        cost = np.maximum(cost, 1.0 / (per_second(inputs, random) * threads))
    elif latency in inputs.machine and "clock.frequency" in inputs.machine:
        seconds = inputs.cycles(latency) / inputs.value("clock.frequency")
        cost = np.maximum(cost, seconds / (_LINE * _WAITED_FOR * threads))
    return cost


def latency_of(inputs: Inputs, prefix: str) -> Value:
    """Seconds from a load to its use, of a line in a level; where it is not known, what irregular lines take times the
    outstanding misses of a core."""
    path = f"{prefix}.latency"
    if path in inputs.machine:
        return inputs.cycles(path) / inputs.value("clock.frequency")
    return scattered_seconds_per_byte(inputs, prefix, 1.0) * _LINE * _WAITED_FOR


def knows_distances(inputs: Inputs) -> bool:
    """Whether any level has a strided bandwidth."""
    machine = inputs.machine
    return any(_known(machine, f"level.{level}", f"stride_{n}_") for level in machine.levels for n in LINE_STRIDES)


def seconds_apart(inputs: Inputs, prefix: str, threads: Value, cost: Value, spacing: Mapping[int, Value]) -> Value:
    """Seconds per byte where lines are 2, 4, 8 lines apart (`spacing` is 1), which conflict in few banks of a level or
    of its interconnect: as measured, and at least `cost`."""
    longest = cost
    for lines, so in spacing.items():
        if _known(inputs.machine, prefix, f"stride_{lines}_"):
            longest = np.maximum(longest, so / _bandwidth(inputs, prefix, f"stride_{lines}_", threads))
    return longest


def _interpolate(share: Value, points: list[tuple[float, Value]]) -> Value:
    """Piecewise linear interpolation, constant beyond the first and the last point; both may be arrays."""
    result = points[0][1]
    for (left, low), (right, high) in pairwise(points):
        part = np.clip((share - left) / (right - left), 0.0, 1.0)
        result = result + part * (high - low)
    return result


def _bandwidth(inputs: Inputs, prefix: str, kind: str, threads: Value) -> Value:
    """The bandwidth of a whole level, or of so many cores, in bytes per second; whichever is known."""
    total, core = f"{prefix}.{kind}bandwidth", f"{prefix}.core_{kind}bandwidth"
    if core not in inputs.machine:
        return per_second(inputs, total)
    drawn = per_second(inputs, core) * threads
    return np.minimum(per_second(inputs, total), drawn) if total in inputs.machine else drawn


def per_second(inputs: Inputs, path: str) -> Value:
    """A bandwidth in bytes per second, whichever unit the machine file uses."""
    in_cycles = inputs.machine[path].unit == "B/cycle"
    return inputs.value(path) * inputs.value("clock.frequency") if in_cycles else inputs.value(path)


def paths(prefix: str) -> tuple[str, ...]:
    """The parameters that may define a level's bandwidths."""
    kinds = (*(kind for kind, *_ in _LOOPS), "update_", "two_stream_write_")
    regular = (f"{prefix}.{core}{kind}bandwidth" for core in ("", "core_") for kind in kinds)
    apart = (f"{prefix}.core_stride_{lines}_bandwidth" for lines in LINE_STRIDES)
    return (*regular, f"{prefix}.core_random_bandwidth", *apart)


def innermost_line(inputs: Inputs) -> float:
    """Line size of the innermost level in bytes."""
    return line_of(inputs, inputs.machine.levels[0])


def line_of(inputs: Inputs, level: str) -> float:
    """Line size of a level in bytes."""
    path = f"level.{level}.line"
    return float(inputs.machine.value(path)) if path in inputs.machine else float(_LINE)


def share_of(inputs: Inputs, level: str, threads: Value) -> Value:
    """One thread's capacity of a level: all of a private one; of a shared one its fraction of the capacity that
    co-runners leave, which may be larger for all threads together than for one."""
    sharers = inputs.value(f"level.{level}.shared_by") if f"level.{level}.shared_by" in inputs.machine else 1.0
    users = np.maximum(1.0, np.minimum(threads, sharers))
    alone, all_ = capacity.alone(inputs, level), capacity.together(inputs, level)
    return alone / users if all_ is None else np.minimum(alone, all_ / users)
