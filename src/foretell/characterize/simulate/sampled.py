"""Fills of one cache by a nest, simulated on the exact accesses of a part of its iterations.

The part is an interval of the outermost loop with few enough iterations; the loops around it are fixed at their middle.
The interval before it warms the cache. Where inner loops are of uneven length, several such parts along the outermost
loop are simulated. Reuse over a longer distance than the part is not seen: the cache must be full before counting
starts, or the part must have no misses.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from foretell.characterize.simulate.addresses import addresses, bounds, stream
from foretell.characterize.simulate.cachesim import Loop, Simulation, as_bound
from foretell.core.nest.loopnest import iterations
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from foretell.characterize.simulate.cachesim import Bound, CacheCounts, CacheLevel
    from foretell.core.nest.loopnest import LoopNest

#: maximum accesses to simulate, in all: some hundredths of a second
MOST = 4_000_000
#: sampled parts of a nest whose inner loops are of uneven length
_STRETCHES = 8
#: fraction of all fills that may be in parts that have not converged
_UNSETTLED = 0.03


@record
class Sampled:
    """Fill traffic of the whole nest in bytes, by array, and the fraction of iterations that was simulated; `settled`:
    whether the sample has converged, so that it represents the whole nest."""

    bytes: tuple[tuple[str, float], ...]
    share: float
    settled: bool = True


@lru_cache(maxsize=256)
def sampled(
    nest: LoopNest,
    sizes: tuple[tuple[str, int], ...],
    levels: tuple[CacheLevel, ...],
    warm: bool,
    most: int = MOST,
    shared: tuple[int, int] | None = None,
) -> Sampled:
    """Simulates a sample of the nest at these sizes. Subscripts may be any function of the loop variables;
    data-dependent ones are refused by name. A nest without iterations has no traffic. Of several `levels`, fills of the
    last are counted. `shared` (depth, threads): simulates one of the threads, which split the loop at that depth
    evenly."""
    values = dict(sizes)
    loops = bounds(nest, values)
    runs = [float(iterations(nest.loops, depth).evaluate(values)) for depth in range(len(nest.loops) + 1)]
    if runs[-1] <= 0:
        return Sampled((), 1.0)
    if shared is not None:
        depth, threads = shared
        loops[depth] = _middle_part(loops[depth], threads)
        runs = [run / (threads if at > depth else 1) for at, run in enumerate(runs)]
    simulated = _Affine(nest, values, levels) if _affine(nest) else _Listed(nest, values, levels)
    stretches = _STRETCHES if _uneven(loops) else 1
    parts = _parts(loops, runs, simulated.references, warm, most if _affine(nest) else most // 4, stretches)
    totals = _run_parts(simulated, parts)
    scale = levels[-1].line * runs[-1] * simulated.references / totals.weighted if totals.weighted else 0.0
    moved = {name: misses * scale for name, misses in totals.misses.items()}
    settled = totals.unsettled <= _UNSETTLED * totals.misses.total()
    return Sampled(tuple(moved.items()), totals.accesses / simulated.references / runs[-1], settled)


@record
class _Totals:
    """Accesses of all simulated parts, the same weighted by what a part represents, weighted misses by array, and
    those of parts that have not converged."""

    accesses: float
    weighted: float
    misses: Counter[str]
    unsettled: float


def _run_parts(simulated: _Affine | _Listed, parts: Sequence[_Part]) -> _Totals:
    """Simulates the parts, one after the other, and adds them up."""
    accesses = weighted = unsettled = 0.0
    misses = Counter[str]()
    for part in parts:
        counted, missed, converged = _part(simulated, part)
        accesses += counted
        weighted += part.weight * counted
        misses.update({name: part.weight * number for name, number in missed.items()})
        unsettled += 0.0 if part.whole or converged else part.weight * missed.total()
    return _Totals(accesses, weighted, misses, unsettled)


def _part(simulated: _Affine | _Listed, part: _Part) -> tuple[int, Counter[str], bool]:
    """Accesses of one part, its misses by array, and whether these are representative: in a cache that was not full
    before, a miss may be an artefact of the short warm-up."""
    simulated.forget()
    if part.before is not None:
        simulated.run(part.before)
    first = simulated.counts()
    simulated.run(part.counted)
    last = simulated.counts()
    misses: Counter[str] = Counter()
    for earlier, later in zip(first.references, last.references, strict=True):
        misses[later.name.split(":")[0]] += later.levels[-1].misses - earlier.levels[-1].misses
    full = first.levels[-1].misses >= simulated.lines
    return last.accesses - first.accesses, misses, full or not misses.total()


def _affine(nest: LoopNest) -> bool:
    """Whether all addresses are sums of loop variables: `x[rows[j]]` with rows of a mean length is none."""
    inside = {loop.variable for loop in nest.loops}
    subscripts = (one for array in nest.arrays for access in array.accesses for one in access.subscripts)
    return not any(one.opaque or not inside.isdisjoint(one.offset.symbols()) for one in subscripts)


class _Simulated:
    """A cache hierarchy and the references of one iteration."""

    def __init__(self, levels: tuple[CacheLevel, ...], names: tuple[str, ...], references: int) -> None:
        self._levels, self._names = levels, names
        self.references, self.lines = references, levels[-1].lines
        self.forget()

    def forget(self) -> None:
        """Empties the cache."""
        self._simulation = Simulation(self._levels, self._names)

    def counts(self) -> CacheCounts:
        return self._simulation.counts()


class _Affine(_Simulated):
    """Simulates affine accesses, which the simulator generates itself."""

    def __init__(self, nest: LoopNest, values: dict[str, int], levels: tuple[CacheLevel, ...]) -> None:
        self._whole = stream(nest, values)
        references = self._whole.references
        super().__init__(levels, tuple(one.name for one in references), len(references))

    def run(self, part: Sequence[Loop]) -> None:
        self._simulation.run(replace(self._whole, loops=tuple(part)))


class _Listed(_Simulated):
    """Simulates accesses that are computed one by one."""

    def __init__(self, nest: LoopNest, values: dict[str, int], levels: tuple[CacheLevel, ...]) -> None:
        self._nest, self._values = nest, values
        accesses = [access for array in nest.arrays for access in array.accesses]
        references = sum(bool(access.reads) + bool(access.writes) for access in accesses)
        super().__init__(levels, tuple(array.label for array in nest.arrays), references)

    def run(self, part: Sequence[Loop]) -> None:
        found = addresses(self._nest, self._values, part)
        self._simulation.run_addresses(found.where, found.stores, found.arrays)


@record
class _Part:
    """Warm-up interval, counted interval, and the weight of this part among all."""

    before: list[Loop] | None
    counted: list[Loop]
    weight: float = 1.0
    whole: bool = False


def _parts(
    loops: list[Loop], runs: Sequence[float], references: int, warm: bool, most: int, stretches: int
) -> list[_Part]:
    """Parts to simulate: the whole nest where it is small; else intervals of a loop at samples of the loops around
    it."""
    accesses = runs[-1] * references
    if 2 * accesses <= most:
        return [_Part(loops if warm else None, loops, whole=True)]
    each = [accesses / max(1.0, run) for run in runs[1:]]  # per iteration of every loop
    allowed = most / stretches
    depth = next((k for k, cost in enumerate(each) if 2 * cost <= allowed), len(each) - 1)
    parts = [_stretch(loops, depth, (k + 0.5) / stretches, allowed / each[depth]) for k in range(stretches)]
    return [part for part in parts if part is not None]


def _stretch(loops: list[Loop], depth: int, fraction: float, most: float) -> _Part | None:
    """Interval of at most `most` iterations of the loop at `depth`, half of them warm-up, with the outermost loop at
    the fraction `fraction`; the loops between are at their middle. None where a loop has no iteration there."""
    outer: list[int] = []
    weight = 1.0
    for loop in loops[:depth]:
        every = _range(loop, outer)
        if not every:
            return None
        weight *= len(every) if outer else 1
        outer.append(every[int(len(every) * (0.5 if outer else fraction))])
    around = [Loop(at, at + loop.step, loop.step) for at, loop in zip(outer, loops, strict=False)]
    loop, inner = loops[depth], loops[depth + 1 :]
    steps = _range(loop, outer)
    count = max(1, int(min(len(steps) / 2, most / 2)))
    first = max(0, min(int(len(steps) * (0.5 if outer else fraction)), len(steps) - count) - count)

    def stretch(begin: int) -> list[Loop]:
        start, end = (loop.step * k + steps.start for k in (begin, min(begin + count, len(steps))))
        return [*around, Loop(start, end, loop.step), *inner]

    if not steps:
        return None
    weight *= len(steps) / count if outer else 1 / count
    if len(steps) < 2 * count:
        return _Part(None, stretch(first), weight)
    return _Part(stretch(first), stretch(first + count), weight)


def _uneven(loops: Sequence[Loop]) -> bool:
    """Whether a trip count depends on the iteration of an outer loop; the last tile of a row may be shorter."""
    return any(_coefficients(loop.first).isdisjoint(_coefficients(loop.end)) for loop in loops)


def _coefficients(bound: int | Bound) -> set[tuple[int, ...]]:
    return {one.coefficients if any(one.coefficients) else () for one in as_bound(bound).each}


def _middle_part(loop: Loop, threads: int) -> Loop:
    """One thread's share of a loop, in the middle; the whole loop where its bounds depend on others."""
    if _coefficients(loop.first) | _coefficients(loop.end) != {()}:
        return loop
    every = _range(loop, ())
    first = len(every) * (threads // 2) // threads
    part = every[first : first + max(1, len(every) // threads)]
    return Loop(part.start, part.stop, loop.step)


def _range(loop: Loop, outer: Sequence[int]) -> range:
    """Values of a loop variable with the outer loops at `outer`."""
    latest, soonest = (max, min) if loop.step > 0 else (min, max)
    return range(latest(_at(loop.first, outer)), soonest(_at(loop.end, outer)), loop.step)


def _at(bound: int | Bound, outer: Sequence[int]) -> list[int]:
    return [
        one.constant + sum(c * v for c, v in zip(one.coefficients, outer, strict=False)) for one in as_bound(bound).each
    ]
