"""Cache levels: where the latency of a random walk begins to grow, beside what the operating system reports."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from foretell.machines.probe.system import Cache

#: a level ends where the latency is half as long again as at the start of its plateau; a plateau is an octave that
#: grows by less than 30 % (the TLB adds a little on the way)
_STEP, _FLAT = 1.5, 1.3
#: a report and a measurement that are further apart than this are not of one cache
_AGREE = 3.0
#: a level that all cores read from at less than this times the rate of memory cannot be told from it
_APART = 1.3


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
        exponent += 1 / per_octave if exponent < 26 else 1 / min(per_octave, 2)
    return sizes


def knees(sizes: Sequence[int], latencies: Sequence[float]) -> list[int]:
    """The largest size on each plateau that is followed by a rise. The last plateau, memory, has no end."""
    # What a larger set reaches, a smaller one could have reached: later minima take off the spikes.
    floor = list(latencies)
    for k in range(len(floor) - 2, -1, -1):
        floor[k] = min(floor[k], floor[k + 1])
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


def levels(reported: Sequence[Cache], found: Sequence[int]) -> tuple[Level, ...]:
    """Reported caches, each with the knee nearest to it; without reports, the knees themselves.

    A last level that many share, or that a virtual machine has a part of only, may end far below its reported size:
    then the knee is the size. Private caches keep the reported one, for a knee depends on who else was busy.
    """
    if not reported:
        return tuple(Level(f"L{k}", size, detected=size) for k, size in enumerate(found, 1))
    free = list(found)
    result: list[Level] = []
    for cache in reported:
        near = min(free, key=lambda size: abs(math.log(size / cache.size)), default=None)
        if near is not None and max(near, cache.size) / min(near, cache.size) > _AGREE:
            near = None
        size = cache.size
        inner = result[-1].size if result else 0
        beyond = [knee for knee in free if 1.5 * inner < knee < cache.size]
        if near is None and inner and cache is reported[-1] and beyond:
            near = size = max(beyond)
        if near is not None:
            free.remove(near)
        result.append(
            Level(f"L{cache.level}", size, cache.size, near, cache.line, cache.ways, cache.shared_by)
        )
    return tuple(result)


def together_sizes(level: Level, threads: int, inner: int) -> list[int]:
    """Sets of all threads to look for the end of a shared level with, of which one core gets a part only: from that
    part to the reported size, by octaves."""
    if level.reported is None or level.size == level.reported or (level.shared_by or 1) < 2:
        return []
    sizes = [level.reported]
    while sizes[-1] // 2 >= max(level.size, 2 * threads * inner):
        sizes.append(sizes[-1] // 2)
    return sizes[::-1]


def together_size(costs: dict[int, float], memory: float) -> int | None:
    """The largest of these sets that is read at a cost nearer to the smallest one's than to memory's; None where
    there is nothing between."""
    least = min(costs.values(), default=memory)
    if memory < _APART * least:
        return None
    return max(size for size, cost in costs.items() if cost**2 <= least * memory)
