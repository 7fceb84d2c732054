"""Footprints of a nest with its outer loops held fixed, and the resulting traffic of an LRU cache.

With d outer loops held fixed, the inner ones touch `bytes[d]` of an array. If the data touched in one iteration of loop
d fits a cache, the next iteration reuses it: the cache then fetches each line once for all iterations of that loop, and
again for every iteration of the loops outside (layer conditions, generalised to any loop order). References several
iterations of a loop apart, as in u[i + 1] - u[i - 1], reuse data only after that many: the footprint of these
iterations must fit. Where inner trip counts depend on outer loops, as in a triangle, the condition is evaluated at
several iterations. Sizes and capacities may be numpy arrays.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from foretell.characterize.caches.lru_lifetime import age
from foretell.characterize.caches.page_set_hits import staying
from foretell.characterize.footprints.box_sizes import BoxSizes, declared, extreme, ratio
from foretell.characterize.footprints.boxes import box_plan, irregular
from foretell.core.columns.tape import blended, real
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from foretell.characterize.footprints.boxes import Plan, Touched
    from foretell.core.columns.expression import Value
    from foretell.core.nest.loopnest import LoopNest


#: bytes of an array of unknown length
_ENDLESS = 1e30
#: sample iterations of the outer loops at which uneven inner loops are evaluated, all loops together
_SAMPLES = 16


@record
class ArrayFootprint:
    """Bytes of whole lines of one array that the nest touches, with 0, 1, … outer loops held fixed."""

    name: str
    bytes: tuple[Value, ...]
    #: the same, summed over all iterations of those loops without reuse between them
    swept: tuple[Value, ...]
    read: bool
    written: bool
    #: bytes of an irregularly accessed array (infinite where its size is unknown); None for others
    scattered: Value | None = None
    #: as `bytes`, if boxes that may overlap do
    least: tuple[Value, ...] = ()
    #: whether each loop moves none of its references
    still: tuple[bool, ...] = ()
    #: with 0, 1, … outer loops held fixed, for references that reuse lines of others several iterations of the last of
    #: these loops later: their fraction, and the footprint of all arrays in these iterations
    behind: tuple[tuple[tuple[float, Value], ...], ...] = ()

    def kept(self, depth: int, warm: bool) -> Value:
        """Traffic where the data of one iteration of the last of `depth` loops is kept for the next one. A loop that
        does not move the array ends with all of it in the cache, and the loop around reuses it."""
        for outer in reversed(range(depth)):
            if not (self.still and self.still[outer]):
                return self.swept[outer]
        return 0.0 if warm else self.bytes[0]

    def coming(self, depth: int, capacity: Value, kept: Value, anew: Value) -> Value:
        """Traffic: `kept`, or `anew` for the fraction of references whose predecessors' lines are already evicted."""
        links = self.behind[depth] if self.behind else ()
        if not links:
            return kept
        lost = sum((part * np.greater(touched, capacity) for part, touched in links), 0.0)
        return kept + lost * (anew - kept)


@dataclass(frozen=True, slots=True)
class Footprints:
    """Footprints of all arrays of a nest. `iterations[d]`: total executions of the body of the outer d loops."""

    arrays: tuple[ArrayFootprint, ...]
    iterations: tuple[Value, ...]
    assumptions: tuple[str, ...] = ()
    #: with 0, 1, … outer loops held fixed: bytes of all arrays at several iterations of these loops, with the fraction
    #: of all iterations each represents, where the footprint varies
    uneven: tuple[tuple[tuple[Value, Value], ...], ...] = ()
    #: average trip count of each loop
    trips: Mapping[str, Value] = field(default_factory=dict)
    #: with 0, 1, … outer loops held fixed: bytes that others touch between two visits to an array; beyond, none
    others: Mapping[str, tuple[Value, ...]] = field(default_factory=dict)

    def together(self, depth: int) -> Value:
        """Bytes of all arrays with `depth` outer loops held fixed."""
        total: Value = 0.0
        for array in self.arrays:
            total = total + array.bytes[depth]
        return total

    def stays(self, depth: int, capacity: Value, ways: int | None = None, more: Value = 0.0) -> Value:
        """Hit ratio of re-references in a cache with `depth` outer loops held fixed, where `more` bytes of others come
        in between."""
        samples = self.uneven[depth] if self.uneven else ()
        if not samples:
            return staying((self.together(depth) + more) / capacity, ways)
        return sum((share * staying((size + more) / capacity, ways) for size, share in samples), 0.0)

    def beside(self, array: str, depth: int) -> Value:
        """Bytes that others touch between two visits to an array."""
        others = self.others.get(array, ())
        return others[depth] if depth < len(others) else 0.0

    def traffic(
        self, capacity: Value, warm: bool = True, ways: int | None = None, fits: Sequence[bool] | None = None
    ) -> dict[str, Value]:
        """Fill traffic of each array into a cache of this capacity, in bytes. `warm`: data that fits is cached at the
        start. `ways`: set for a cache whose sets depend on page placement. `fits`: where something else than capacity
        prevents it."""
        stays = [self.stays(depth, capacity, ways) for depth in range(len(self.iterations))]
        if fits is not None:
            stays = [share * fit for share, fit in zip(stays, fits, strict=True)]
        volumes = {}
        for array in self.arrays:
            volume = array.swept[-1]
            for depth in reversed(range(len(stays))):
                coming = array.coming(depth, capacity, array.kept(depth, warm), volume)
                stay, more = stays[depth], self.beside(array.name, depth)
                if np.any(more):
                    stay = self.stays(depth, capacity, ways, more) * (1.0 if fits is None else fits[depth])
                volume = _mixed(stay, coming, volume)
            volumes[array.name] = real(volume)
        scattered = [array for array in self.arrays if array.scattered is not None]
        if scattered:
            streamed = sum((volumes[array.name] for array in self.arrays if array.scattered is None), 0.0)
            part = age(streamed, capacity, [(_bytes(array), array.swept[-1]) for array in scattered])
            for array in scattered:
                missed = array.swept[-1] * np.exp(-(part * array.swept[-1] / _bytes(array)))
                volumes[array.name] = real(_mixed(stays[0], np.multiply(array.bytes[0], 1.0 - warm), missed))
        return volumes


def _mixed(share: Value, first: Value, second: Value) -> Value:
    """Weighted mean, element by element; either value may be infinite where its weight is 0."""
    if not np.ndim(share) and share in (0.0, 1.0):
        return first if share else second
    written = blended(share, first, second)
    if written is not None:
        return written
    if np.all(np.isfinite(np.max(first))) and np.all(np.isfinite(np.max(second))):
        mixed: Value = second + share * np.subtract(first, second)
        return mixed
    apart: Value = np.where(share, first, 0.0) * share + np.where(np.less(share, 1.0), second, 0.0) * (1.0 - share)
    return apart


def _bytes(array: ArrayFootprint) -> Value:
    """Bytes of an irregular array; a very large number where its size is unknown."""
    return np.clip(1.0 if array.scattered is None else array.scattered, 1.0, _ENDLESS)


def footprints(
    nest: LoopNest,
    values: Mapping[str, Value],
    line: float,
    shared: int | None = None,
    threads: Value = 1.0,
    places: bool = True,
) -> Footprints:
    """Footprints of a nest at given sizes, in lines of `line` bytes: those of one of `threads` threads that split the
    loop at depth `shared` evenly. Without `places`, loops of uneven length have their average trip count everywhere."""
    point = tuple((name, _number(value)) for name, value in (*values.items(), ("", threads)))
    if any(number is None for _, number in point):
        return _computed(nest, values, line, shared, threads, places)
    return _at_one_point(nest, point, line, shared, places)


def _number(value: Value) -> float | None:
    """The number of a column that has one; None of others."""
    if isinstance(value, np.ndarray):
        return float(value.item()) if value.size == 1 else None
    return float(value) if isinstance(value, int | float) else None


@lru_cache(maxsize=512)
def _at_one_point(
    nest: LoopNest, point: tuple[tuple[str, float], ...], line: float, shared: int | None, places: bool
) -> Footprints:
    """Kept: one prediction asks for the same footprints at each level, for each estimated number, and with and without
    `places`, which only loops of uneven length tell apart."""
    if places and not any(box_plan(nest).uneven):
        return _at_one_point(nest, point, line, shared, False)
    values = dict(point)
    return _computed(nest, values, line, shared, values.pop(""), places)


def _computed(
    nest: LoopNest, values: Mapping[str, Value], line: float, shared: int | None, threads: Value, places: bool
) -> Footprints:
    plan = box_plan(nest)
    runs = tuple(
        real(poly.evaluate(values)) / (threads if shared is not None and depth > shared else 1.0)
        for depth, poly in enumerate(plan.runs)
    )
    trips = {
        loop.variable: ratio(runs[depth + 1], runs[depth]) for depth, loop in enumerate(nest.loops)
    }  # averages, where the bounds of a loop depend on outer ones
    sizes = BoxSizes(nest, trips, values, line, own={} if shared is None else {nest.loops[shared].variable: threads})
    lines = [sizes.lines(box) * line for box in plan.boxes]
    stretches = {
        (depth, gap): _stretch(plan, depth, BoxSizes(nest, _shortened(trips, nest, depth, gap), values, line)) * line
        for depth, gap in plan.gaps
    }
    arrays = tuple(_array(array, runs, lines, stretches, values) for array in plan.arrays)
    uneven = tuple(
        tuple(_uneven_footprints(nest, plan, depth, values, line, shared, threads))
        if places and plan.uneven[depth]
        else ()
        for depth in range(len(runs))
    )
    return Footprints(arrays, runs, tuple(dict.fromkeys(sizes.notes)), uneven, trips)


def _uneven_footprints(
    nest: LoopNest, plan: Plan, depth: int, values: Mapping[str, Value], line: float, shared: int | None, threads: Value
) -> Iterator[tuple[Value, Value]]:
    """Bytes of all arrays at sample iterations of the loops outside `depth`, each with its fraction of all
    iterations."""
    samples = []
    for inside, weight in _sample_iterations(nest, plan.uneven[depth], values):
        runs = [real(poly.evaluate(inside)) for poly in plan.inside[depth]]
        trips = {
            loop.variable: np.maximum(0.0, ratio(runs[k + 1], runs[k])) / (threads if depth + k == shared else 1.0)
            for k, loop in enumerate(nest.loops[depth:])
        }
        sizes = BoxSizes(nest, trips, inside, line)
        boxes = [(plan.boxes[box], times) for array in plan.arrays for box, times in array.boxes[depth]]
        lines = sum((sizes.lines(box) * float(times) for box, times in boxes), 0.0)
        samples.append((lines * line, weight * np.maximum(0.0, runs[-1])))
    total = np.maximum(sum((weight for _, weight in samples), 0.0), 1e-300)
    return ((size, weight / total) for size, weight in samples)


def _sample_iterations(
    nest: LoopNest, names: Sequence[str], values: Mapping[str, Value]
) -> Iterator[tuple[dict[str, Value], Value]]:
    """Evenly spaced sample values of some loop variables, each with the iterations it represents."""
    loops = [loop for loop in nest.loops if loop.variable in names]
    each = max(2, round(_SAMPLES ** (1 / len(loops))))
    for parts in product(range(each), repeat=len(loops)):
        inside = dict(values)
        weight: Value = 1.0
        for loop, part in zip(loops, parts, strict=True):
            first, step, trips = (real(one.evaluate(inside)) for one in (loop.lower, loop.step, loop.trips))
            inside[loop.variable] = first + step * np.floor(trips * ((part + 0.5) / each))
            weight = weight * np.maximum(0.0, trips)
        yield inside, weight


def _shortened(trips: Mapping[str, Value], nest: LoopNest, depth: int, gap: int) -> dict[str, Value]:
    variable = nest.loops[depth - 1].variable
    return {**trips, variable: np.minimum(trips[variable], float(gap))}


def _stretch(plan: Plan, depth: int, sizes: BoxSizes) -> Value:
    """Lines of all arrays touched by several iterations of the loop around `depth`."""
    boxes = [(plan.boxes[box], times) for array in plan.arrays for box, times in array.boxes[depth - 1]]
    return sum((sizes.lines(box) * float(times) for box, times in boxes), 0.0)


def _array(
    touched: Touched,
    runs: Sequence[Value],
    lines: Sequence[Value],
    stretches: Mapping[tuple[int, int], Value],
    values: Mapping[str, Value],
) -> ArrayFootprint:
    array = touched.array
    all_of_it = declared(array, values)
    sizes = tuple(
        _size(boxes, lines, all_of_it if several else np.inf)
        for boxes, several in zip(touched.boxes, touched.overlapping, strict=True)
    )
    repeated = [*runs[: touched.around], *[runs[touched.around]] * (len(runs) - touched.around)]
    swept = tuple(run * size for run, size in zip(repeated, sizes, strict=True))
    scattered = all_of_it if irregular(array.accesses) else None
    behind = tuple(
        tuple((1 / len(gaps), stretches[depth, gap]) for gap in gaps if gap > 1)
        for depth, gaps in enumerate(touched.gaps)
    )
    least = tuple(
        extreme(np.maximum, [lines[box] for box, _ in boxes]) if several else size
        for boxes, several, size in zip(touched.boxes, touched.overlapping, sizes, strict=True)
    )
    return ArrayFootprint(
        array.label, sizes, swept, array.reads > 0, array.writes > 0, scattered, least, touched.still, behind
    )


def _size(boxes: Sequence[tuple[int, int]], lines: Sequence[Value], whole: Value) -> Value:
    """Bytes of boxes, capped at the whole array where boxes may overlap."""
    total: Value = sum((lines[box] * float(times) for box, times in boxes), 0.0)
    return total if np.all(np.isinf(whole)) else np.minimum(total, whole)
