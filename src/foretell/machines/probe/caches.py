"""Cache levels: where the latency of a random walk begins to grow, beside what the operating system reports."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from foretell.machines.probe.system import Cache

#: without reports, a level ends where the latency is half as long again as at the start of its plateau; a plateau is an
#: octave that grows by less than 30 % (the TLB adds a little on the way)
_STEP, _FLAT = 1.5, 1.3
#: a report and a measurement that are further apart than this are not of one cache
_AGREE = 3.0
#: levels whose costs differ by less than this cannot be told apart
_APART = 1.3
#: where a level ends is written in steps of half an octave below its reported size: what others take of it moves it
_STEPS_PER_OCTAVE = 2
#: sets so many times as large as a level lie in the next one
_BEYOND = 1.5


@dataclass(frozen=True, slots=True)
class Level:
    """One level. `size` is what one core can use, `together` what all can where that is more; None in the others where
    nothing is known."""

    name: str
    size: int
    reported: int | None = None
    detected: int | None = None
    line: int | None = None
    ways: int | None = None
    shared_by: int | None = None
    together: int | None = None


def walk_sizes(largest: int, per_octave: int) -> list[int]:
    """Sizes to walk through, 8 KiB to `largest`; above 64 MiB one an octave, for those take long."""
    sizes: list[int] = []
    exponent = 13.0
    while 2**exponent <= largest:
        size = round(2**exponent / 1024) * 1024
        sizes += [size] if size not in sizes else []
        exponent += 1 / per_octave if exponent < 26 else 1
    return sizes


def knees(sizes: Sequence[int], latencies: Sequence[float]) -> list[int]:
    """The largest size on each plateau that is followed by a rise. The last plateau, memory, has no end."""
    floor = _floor(latencies)
    found = []
    k = 0
    while (start := _plateau(sizes, floor, k)) is not None:
        end = start
        while end + 1 < len(floor) and floor[end + 1] <= _STEP * floor[start]:
            end += 1
        if end + 1 == len(floor):
            break
        found.append(sizes[end])
        k = end + 1
    return found


def _plateau(sizes: Sequence[int], floor: Sequence[float], k: int) -> int | None:
    """The first place from k on where the latency hardly grows over an octave."""
    for start in range(k, len(floor)):
        octave = next((j for j in range(start, len(floor)) if sizes[j] >= 1.9 * sizes[start]), None)
        if octave is None:
            return None
        if floor[octave] <= _FLAT * floor[start]:
            return start
    return None


def _floor(latencies: Sequence[float]) -> list[float]:
    """What a larger set reaches, a smaller one could have reached: later minima take off the spikes."""
    floor = list(latencies)
    for k in range(len(floor) - 2, -1, -1):
        floor[k] = min(floor[k], floor[k + 1])
    return floor


def levels(reported: Sequence[Cache], walks: Mapping[int, float]) -> tuple[Level, ...]:
    """Reported caches, each with the end that a walk (latencies by size) shows of it; without reports, the knees.

    A last level that many share, or that a virtual machine has a part of only, may end far below its reported size:
    then that end is the size. Private caches keep the reported one, for what a walk shows depends on who else was busy.
    """
    sizes = sorted(walks)
    if not reported:
        found = knees(sizes, [walks[size] for size in sizes])
        return tuple(Level(f"L{k}", size, detected=size) for k, size in enumerate(found, 1))
    result: list[Level] = []
    for cache, end in zip(
        reported, _ends(reported, sizes, _floor([walks[size] for size in sizes])), strict=True
    ):
        partly = cache is reported[-1] and len(reported) > 1 and end is not None and end * _AGREE < cache.size
        size = end if partly and end is not None else cache.size
        result.append(
            Level(f"L{cache.level}", size, cache.size, end, cache.line, cache.ways, cache.shared_by)
        )
    return tuple(result)


def _ends(reported: Sequence[Cache], sizes: Sequence[int], floor: Sequence[float]) -> list[int | None]:
    """For each cache, the size at which the latency is halfway (by ratio) from its own to the next one's, in steps."""
    inside = [
        next((k for k, size in enumerate(sizes) if size >= _BEYOND * inner), None)
        for inner in (0, *(cache.size for cache in reported))
    ]
    ends: list[int | None] = []
    for cache, first, beyond in zip(reported, inside, inside[1:], strict=False):
        last = cache is reported[-1]
        outer = len(sizes) - 1 if last and sizes else beyond
        end = None if first is None or outer is None else _rise(sizes, floor, first, outer)
        ends.append(None if end is None else _in_steps(end, cache.size))
    return ends


def _rise(sizes: Sequence[int], floor: Sequence[float], first: int, last: int) -> float | None:
    """Where the latency between two sets of different levels passes the geometric mean of theirs."""
    if floor[last] < _APART * floor[first]:
        return None
    middle = math.sqrt(floor[first] * floor[last])
    k = next(k for k in range(first, last + 1) if floor[k] >= middle)
    part = math.log(middle / floor[k - 1]) / math.log(floor[k] / floor[k - 1])
    return math.exp(math.log(sizes[k - 1]) + part * math.log(sizes[k] / sizes[k - 1]))


def _in_steps(size: float, reported: int) -> int:
    steps = round(math.log2(size / reported) * _STEPS_PER_OCTAVE)
    return round(reported * math.pow(2.0, steps / _STEPS_PER_OCTAVE) / 1024) * 1024


def together_sizes(reported: int, threads: int, inner: int) -> list[int]:
    """Sets of all threads to look for the end of a shared level with: a quarter, half and all of its reported size,
    where each thread has twice what the level inside it holds."""
    return [size for size in (reported // 4, reported // 2, reported) if size >= 2 * threads * inner]


def together_size(costs: Mapping[int, float], memory: float) -> int | None:
    """The largest of these sets that is read at a cost nearer to the smallest one's than to memory's; None where
    there is nothing between."""
    least = min(costs.values(), default=memory)
    if memory < _APART * least:
        return None
    return max(size for size, cost in costs.items() if cost**2 <= least * memory)
