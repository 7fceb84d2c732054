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
_RISE, _FLAT = 1.5, 1.3
#: a report and a measurement that are further apart than this are not of one cache
_AGREE = 3.0
#: levels whose costs differ by less than this cannot be told apart
_APART = 1.3
#: where a level ends is written in octaves from its reported size: what others take of it moves it
_STEP = 2.0
#: the smallest set; sets so many times as large as a level lie in the next one
_SMALLEST, _BEYOND = 8 << 10, 1.5


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


def walk_sizes(reported: Sequence[Cache], largest: int) -> list[int]:
    """Sizes to walk through, 8 KiB to `largest`: between the steps in which the end of a reported level is written;
    four times as many where nothing is reported."""
    step = _STEP if reported else math.sqrt(math.sqrt(_STEP))
    sizes = []
    inner = _SMALLEST / _BEYOND
    for outer in [cache.size for cache in reported] or [largest]:
        size = outer * math.sqrt(step)
        while size >= _BEYOND * inner:
            sizes.append(round(size / 1024) * 1024)
            size /= step
        inner = outer
    return sorted({size for size in sizes if step * size <= largest} | {largest})


def knees(sizes: Sequence[int], latencies: Sequence[float]) -> list[int]:
    """The largest size on each plateau that is followed by a rise. The last plateau, memory, has no end."""
    floor = _floor(latencies)
    found = []
    k = 0
    while (start := _plateau(sizes, floor, k)) is not None:
        end = start
        while end + 1 < len(floor) and floor[end + 1] <= _RISE * floor[start]:
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
    """For each cache, the size up to which the latency is nearer (by ratio) to its own than to the next one's."""
    inside = [
        next((k for k, size in enumerate(sizes) if size >= _BEYOND * inner), None)
        for inner in (0, *(cache.size for cache in reported[:-1]))
    ]
    ends: list[int | None] = []
    for cache, first, outer in zip(reported, inside, [*inside[1:], len(sizes) - 1], strict=True):
        if first is None or outer is None or floor[outer] < _APART * floor[first]:
            ends.append(None)
            continue
        last = max(k for k in range(first, outer) if floor[k] ** 2 <= floor[first] * floor[outer])
        steps = round(math.log(sizes[last] / cache.size, _STEP) + 0.5)
        ends.append(round(cache.size * math.pow(_STEP, steps) / 1024) * 1024)
    return ends


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
