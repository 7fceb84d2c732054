"""Detects the capacities of cache levels, in addition to what the operating system reports.

Private levels end where the latency of a random pointer chase rises. A shared last level holds lines that are reused
before co-runners evict them, which is more for a loop with a high access rate: its end is where repeated reads of one
set become slower.
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

#: without reports, a level ends where the latency is 1.5 times that at the start of its plateau; a plateau is an octave
#: that grows by less than 30 % (the TLB adds a little)
_RISE, _FLAT = 1.5, 1.3
#: levels whose costs differ by less than this factor are indistinguishable
_APART = 1.3
#: ratio of successive set sizes: of pointer chases; of reads; of pointer chases where nothing is reported
_WALKS, _READS, _UNREPORTED = 2.0, math.sqrt(2.0), 2**0.25
#: the quantile of sweeps that is used: the available part of a shared cache varies
_OF_SWEEPS = 0.1
#: fractions of the step from the cost of one level to that of the next
_PARTS = np.linspace(0.1, 0.9, 17)
#: the smallest set; sets this many times as large as a level reside in the next one
_SMALLEST, _BEYOND = 8 << 10, 1.5


@dataclass(frozen=True, slots=True)
class Level:
    """One level. `size` is its capacity: as reported, or else as detected. `detected` is the capacity seen by one
    thread, in reads or pointer chases, and `together` that seen by all of them, if it is larger; None where unknown."""

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
        """The fraction of its capacity that is available to one thread."""
        return min(1.0, self.detected / self.size) if self.by_reads and self.detected else None

    @property
    def available_all(self) -> float | None:
        """The fraction that is available to all threads, where that is more."""
        one, all_ = self.available, min(1.0, (self.together or 0) / self.size)
        return all_ if one is not None and all_ > one else None


def chase_sizes(reported: Sequence[Cache], largest: int) -> list[int]:
    """Chooses sizes of pointer chases from 8 KiB on: on both sides of the capacity of every private level and one in
    the last level; up to `largest` where nothing is reported."""
    if not reported:
        return _geometric_sizes(_SMALLEST, largest, _UNREPORTED)
    sizes = []
    inner = _SMALLEST / _BEYOND
    for cache in reported[:-1] or reported:
        sizes += _geometric_sizes(_BEYOND * inner, cache.size * math.sqrt(_WALKS), _WALKS)
        inner = cache.size
    outside = largest if len(reported) == 1 else round(_BEYOND * inner / 1024) * 1024
    return sorted({size for size in sizes if size < min(outside, largest)} | {min(outside, largest)})


def read_sizes(reported: Sequence[Cache], threads: int) -> list[int]:
    """Chooses set sizes to detect the capacity of the last of several levels: each thread has at least twice the
    capacity of the level inside it, all together at most its own capacity; and one set beyond. The largest comes
    first."""
    if len(reported) < 2:
        return []
    last = reported[-1].size
    sizes = _geometric_sizes(2 * threads * reported[-2].size, last, _READS)
    return [2 * last, *reversed(sizes)] if sizes else []


def _geometric_sizes(least: float, most: float, step: float) -> list[int]:
    """A geometric sequence from the largest size down, in whole KiB; ascending."""
    count = int(math.log(most / least, step) + 1e-9) + 1 if most >= least else 0
    return [round(most / math.pow(step, k) / 1024) * 1024 for k in range(count - 1, -1, -1)]


def knees(sizes: Sequence[int], latencies: Sequence[float]) -> list[int]:
    """Finds the largest size on each plateau that is followed by a rise. The last plateau, memory, has no end."""
    floor = _floor(latencies)
    ends = []
    k = 0
    while (start := _plateau(sizes, floor, k)) is not None:
        end = start
        while end + 1 < len(floor) and floor[end + 1] <= _RISE * floor[start]:
            end += 1
        if end + 1 == len(floor):
            break
        ends.append(sizes[end])
        k = end + 1
    return ends


def _plateau(sizes: Sequence[int], floor: Sequence[float], k: int) -> int | None:
    """The first index from k on where the latency hardly grows over an octave."""
    for start in range(k, len(floor)):
        octave = next((j for j in range(start, len(floor)) if sizes[j] >= 1.9 * sizes[start]), None)
        if octave is None:
            return None
        if floor[octave] <= _FLAT * floor[start]:
            return start
    return None


def _floor(latencies: Sequence[float]) -> list[float]:
    """Suffix minimum of the latencies, which removes spikes: a smaller set is no slower than a larger one."""
    floor = list(latencies)
    for k in range(len(floor) - 2, -1, -1):
        floor[k] = min(floor[k], floor[k + 1])
    return floor


def levels(
    reported: Sequence[Cache], walks: Mapping[int, float], part: int | None, together: int | None
) -> tuple[Level, ...]:
    """Combines reported caches with their detected capacities: from latencies by size, and for the last level from
    reads, by one thread and by all together. Without reports, the levels are the knees of the latencies.

    Co-runners may occupy a part of the last level only. Private caches count as fully available, whatever a pointer
    chase shows: that depends on which co-runners were active.
    """
    sizes = sorted(walks)
    floor = _floor([walks[size] for size in sizes])
    if not reported:
        return tuple(Level(f"L{k}", end, detected=end) for k, end in enumerate(knees(sizes, floor), 1))
    several = len(reported) > 1
    ends = _ends([cache.size for cache in (reported[:-1] if several else reported)], sizes, floor)
    caches = [
        Level(f"L{cache.level}", cache.size, True, end, cache.line, cache.ways, cache.shared_by)
        for cache, end in zip(reported, [*ends, part] if several else ends, strict=True)
    ]
    if several:
        caches[-1] = replace(caches[-1], by_reads=True, together=together)
    return tuple(caches)


def _ends(private: Sequence[int], sizes: Sequence[int], floor: Sequence[float]) -> list[int | None]:
    """For each cache, the size up to which the latency is nearer (by ratio) to its own than to that of the next one."""
    inside = [next((k for k, size in enumerate(sizes) if size >= _BEYOND * inner), None) for inner in (0, *private)]
    return [
        None if first is None or outer is None else _end(sizes[first : outer + 1], floor[first : outer + 1])
        for first, outer in pairwise(inside)
    ]


def end_of_reads(sizes: Sequence[int], samples: Sequence[NDArray[np.float64]]) -> float:
    """Detects the capacity of the last level from sweeps through sets of these sizes (rows), by the first decile of
    each; 0 where no end is detected."""
    rows = np.concatenate(samples, axis=-1)
    costs = {
        size: float(np.nanquantile(row, _OF_SWEEPS))
        for size, row in zip(sizes, rows, strict=True)
        if not np.isnan(row).all()
    }
    return float(read_end(costs) or 0)


def read_end(costs: Mapping[int, float]) -> int | None:
    """The size up to which sets are read at a cost nearer (by ratio) to that of the smallest than to that of the
    largest, which is in memory."""
    sizes = sorted(costs)
    return _end(sizes, _floor([costs[size] for size in sizes]))


def _end(sizes: Sequence[int], costs: Sequence[float]) -> int | None:
    """Finds the size at which costs that rise with the size have risen halfway, in whole KiB: the mean of the crossings
    of every fraction but the first and the last, so that no single set decides. Interpolated on logarithmic scales.
    None where the first and the last cost are indistinguishable."""
    if len(sizes) < 2 or costs[-1] < _APART * costs[0]:
        return None
    way = np.log(np.asarray(costs) / costs[0]) / math.log(costs[-1] / costs[0])
    passed = np.interp(_PARTS, way, np.log(sizes))
    return round(math.exp(float(np.mean(passed))) / 1024) * 1024
