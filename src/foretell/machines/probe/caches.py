"""Cache levels: where they end, beside what the operating system reports.

Private levels end where the latency of a random walk grows. A last level that others use, too, holds what is used
again before they have pushed it out, and that is more for a loop that uses much in a short time: it ends where reading
one set again and again becomes slower.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from foretell.machines.probe.system import Cache

#: without reports, a level ends where the latency is half as long again as at the start of its plateau; a plateau is an
#: octave that grows by less than 30 % (the TLB adds a little on the way)
_RISE, _FLAT = 1.5, 1.3
#: levels whose costs differ by less than this cannot be told apart
_APART = 1.3
#: from one set to the next larger one: of walks; of reads; of walks where nothing is reported
_WALKS, _READS, _UNREPORTED = 2.0, math.sqrt(2.0), 2**0.25
#: the share of sweeps that reached a cost: others leave more of a cache at times, and less
_OF_SWEEPS = 0.1
#: parts of the way from the cost of one level to that of the next
_PARTS = np.linspace(0.1, 0.9, 17)
#: the smallest set; sets so many times as large as a level lie in the next one
_SMALLEST, _BEYOND = 8 << 10, 1.5


@dataclass(frozen=True, slots=True)
class Level:
    """One level. `size` is its capacity: as reported, or else as detected. `detected` is where one thread sees its end,
    by reads or in walks, and `together` where all of them see it, if that is further out; None where nothing is known.
    """

    name: str
    size: int
    reported: bool = False
    detected: int | None = None
    line: int | None = None
    ways: int | None = None
    shared_by: int | None = None
    by_reads: bool = False
    together: int | None = None

    @property
    def available(self) -> float | None:
        """The part of it that others leave to one thread."""
        return min(1.0, self.detected / self.size) if self.by_reads and self.detected else None

    @property
    def available_all(self) -> float | None:
        """The part that they leave to all, where that is more."""
        one, all_ = self.available, min(1.0, (self.together or 0) / self.size)
        return all_ if one is not None and all_ > one else None


def walk_sizes(reported: Sequence[Cache], largest: int) -> list[int]:
    """Sizes to walk through from 8 KiB on: on both sides of the end of every private level and one in the last level;
    as far as `largest` where there are no others."""
    if not reported:
        return _ladder(_SMALLEST, largest, _UNREPORTED)
    sizes = []
    inner = _SMALLEST / _BEYOND
    for cache in reported[:-1] or reported:
        sizes += _ladder(_BEYOND * inner, cache.size * math.sqrt(_WALKS), _WALKS)
        inner = cache.size
    outside = largest if len(reported) == 1 else round(_BEYOND * inner / 1024) * 1024
    return sorted({size for size in sizes if size < min(outside, largest)} | {min(outside, largest)})


def read_sizes(reported: Sequence[Cache], threads: int) -> list[int]:
    """Sets of so many threads to find the end of the last of several levels with: each thread has twice what the level
    inside it holds or more, in all no more than what it holds; and one set beyond. The largest comes first."""
    if len(reported) < 2:
        return []
    last = reported[-1].size
    sizes = _ladder(2 * threads * reported[-2].size, last, _READS)
    return [2 * last, *reversed(sizes)] if sizes else []


def _ladder(least: float, most: float, step: float) -> list[int]:
    """From the largest down in equal steps, in whole KiB; ascending."""
    count = int(math.log(most / least, step) + 1e-9) + 1 if most >= least else 0
    return [round(most / math.pow(step, k) / 1024) * 1024 for k in range(count - 1, -1, -1)]


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


def levels(
    reported: Sequence[Cache], walks: Mapping[int, float], part: int | None, together: int | None
) -> tuple[Level, ...]:
    """Reported caches, each with the end that is seen of it: in latencies by size, and of the last level in reads, by
    one thread and by all together. Without reports, the knees of the latencies.

    Others may leave a part only of the last level. Of private caches they leave all, whatever a walk shows: that
    depends on who else was busy.
    """
    sizes = sorted(walks)
    floor = _floor([walks[size] for size in sizes])
    if not reported:
        return tuple(Level(f"L{k}", end, detected=end) for k, end in enumerate(knees(sizes, floor), 1))
    several = len(reported) > 1
    ends = _ends([cache.size for cache in (reported[:-1] if several else reported)], sizes, floor)
    found = [
        Level(f"L{cache.level}", cache.size, True, end, cache.line, cache.ways, cache.shared_by)
        for cache, end in zip(reported, [*ends, part] if several else ends, strict=True)
    ]
    if several:
        found[-1] = replace(found[-1], by_reads=True, together=together)
    return tuple(found)


def _ends(private: Sequence[int], sizes: Sequence[int], floor: Sequence[float]) -> list[int | None]:
    """For each cache, the size up to which the latency is nearer (by ratio) to its own than to the next one's."""
    inside = [next((k for k, size in enumerate(sizes) if size >= _BEYOND * inner), None) for inner in (0, *private)]
    return [
        None if first is None or outer is None else _end(sizes[first : outer + 1], floor[first : outer + 1])
        for first, outer in pairwise(inside)
    ]


def end_of_reads(sizes: Sequence[int], visits: Sequence[NDArray[np.float64]]) -> float:
    """Where the last level ends by some sweeps through sets of these sizes (rows), each with what one sweep in ten
    reached; 0 where no end is seen."""
    rows = np.concatenate(visits, axis=-1)
    costs = {
        size: float(np.nanquantile(row, _OF_SWEEPS))
        for size, row in zip(sizes, rows, strict=True)
        if not np.isnan(row).all()
    }
    return float(read_end(costs) or 0)


def read_end(costs: Mapping[int, float]) -> int | None:
    """Up to which size sets are read at a cost nearer (by ratio) to that of the smallest than to that of the largest,
    which lies in memory."""
    sizes = sorted(costs)
    return _end(sizes, _floor([costs[size] for size in sizes]))


def _end(sizes: Sequence[int], costs: Sequence[float]) -> int | None:
    """Where costs that rise with the size have come half of their way, in whole KiB: the mean of where they pass every
    part of it but the first and the last, so that no single set decides. All on logarithmic scales, between the sizes.
    None where the first and the last cannot be told apart."""
    if len(sizes) < 2 or costs[-1] < _APART * costs[0]:
        return None
    way = np.log(np.asarray(costs) / costs[0]) / math.log(costs[-1] / costs[0])
    passed = np.interp(_PARTS, way, np.log(sizes))
    return round(math.exp(float(np.mean(passed))) / 1024) * 1024
