"""Decides whether the closed form of cache traffic is accurate enough, or the nest must be simulated.

The closed form neglects four effects. Lines do not fill the sets of a cache evenly: a working set about as large as the
cache may hit or miss, and so may a smaller one whose rows map to few sets, or whose lines are at few places of their
pages. Inner loops of uneven length may fit at some
iterations of the outer loops and not at others. References to one array with different strides may or may not touch the
same lines. Short rows have one line more or less, depending on their alignment. Each effect is evaluated at its best
and at its worst case; where the two traffics differ by more than the target accuracy, the closed form is in doubt.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from foretell.characterize.caches.set_pressure import placements

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from foretell.characterize.caches.set_conflicts import Sets
    from foretell.characterize.caches.set_pressure import Placement
    from foretell.characterize.footprints.footprints import ArrayFootprint, Footprints
    from foretell.core.columns.expression import Value
    from foretell.core.nest.loopnest import LoopNest

    #: a scalar truth value, or one per point of a sweep
    Where = bool | np.bool_ | NDArray[np.bool_]

#: target accuracy: fraction of the traffic, or of a twentieth of all data where less moves
_AIM = 0.03
_LEAST_SHARE = 0.05
#: relative margin around the capacity within which a working set may hit or miss
_ABOUT = 0.2
#: fraction of all iterations below which places are ignored
_NOTED = 0.02


def doubts(
    nest: LoopNest,
    values: Mapping[str, float],
    shape: Footprints,
    capacity: float,
    sets: Sets | None,
    ways: int | None,
    warm: bool,
) -> Iterator[str]:
    """Lists the uncertainties of the closed form that matter for a cache of this capacity, at single sizes. `ways`: set
    where page placement selects the sets; the closed form then assumes random placement."""
    trips = {name: float(value) for name, value in shape.trips.items()}
    sets = sets if sets is not None and sets.apart >= sets.line else None
    placed = placements(nest, values, trips, sets) if sets is not None else ()

    def moved(other: Footprints, size: float = capacity, fits: Sequence[bool] | None = None) -> float:
        return float(sum(other.traffic(size, warm, ways, fits).values()))

    closed = moved(shape)
    allowed = _AIM * max(closed, _LEAST_SHARE * float(shape.together(0)))
    if ways is None:
        if near_the_size(shape, capacity, warm):
            _, touched = nearest_loop(shape, capacity)
            yield f"the footprint of a loop is {touched:.2g} of its size"
        elif sets is not None and moved(shape, fits=[one.pressure <= sets.ways for one in placed]) - closed > allowed:
            yield "rows of arrays map to few of its sets"
    elif sets is not None and ways is not None:
        fits = _fit_in_pages(shape, capacity, placements(nest, values, trips, _of_pages(sets, ways)), sets, ways)
        if moved(shape, fits=fits) - closed > allowed:
            yield "rows of arrays begin at few places of their pages"
    if moved(_at_one_place(shape, max)) - moved(_at_one_place(shape, min)) > allowed:
        yield "inner loops of varying length fit it at some iterations of the outer ones only"
    if closed - moved(_with(shape, [array.least for array in shape.arrays])) > allowed:
        yield "references with different strides may touch the same lines"
    if placed and closed - moved(_with(shape, _aligned(shape.arrays, placed))) > allowed:
        yield "short rows all start at the same offset in a line"


def _of_pages(sets: Sets, ways: int) -> Sets:
    """Places of a page as sets: whatever pages are placed at random, a line keeps its place in its page, and each place
    has the ways of as many sets as there are colours of pages."""
    return replace(sets, apart=sets.page, ways=ways * max(1, sets.apart // sets.page))


def _fit_in_pages(shape: Footprints, capacity: float, placed: Sequence[Placement], sets: Sets, ways: int) -> list[bool]:
    """Whether the lines have room at their places in pages, with so many outer loops held fixed; of more lines than
    the cache has, the closed form knows it."""
    room = _of_pages(sets, ways).ways
    return [one.pressure <= room or float(shape.together(depth)) > capacity for depth, one in enumerate(placed)]


def near_the_size(shape: Footprints, capacity: Value, warm: bool) -> Where:
    """Whether traffic depends on working sets about as large as the cache being kept; at one size or at many."""

    def moved(size: Value) -> Value:
        return sum(shape.traffic(size, warm).values(), 0.0)

    allowed = _AIM * np.maximum(moved(capacity), _LEAST_SHARE * shape.together(0))
    return np.greater(moved(capacity * (1 - _ABOUT)) - moved(capacity * (1 + _ABOUT)), allowed)


def nearest_loop(shape: Footprints, capacity: Value) -> tuple[NDArray[np.intp], Value]:
    """Finds the loop whose working set is closest to the capacity, and its ratio to the capacity; at one size or at
    many."""
    touched = [size for samples in shape.uneven for size, _ in samples]
    touched += [shape.together(depth) for depth in range(len(shape.iterations))]
    shares = np.stack(np.broadcast_arrays(*(np.divide(one, capacity) for one in touched)))
    which = np.argmin(np.abs(shares - 1), axis=0)
    return which, np.take_along_axis(shares, which[None, ...], axis=0)[0]


def _at_one_place(shape: Footprints, pick: Callable[[Iterable[float]], float]) -> Footprints:
    """Footprints as if the inner loops had their shortest, or longest, trip count everywhere."""
    noted = ([float(size) for size, share in samples if float(share) > _NOTED] for samples in shape.uneven)
    uneven = tuple(((pick(some), 1.0),) if some else samples for some, samples in zip(noted, shape.uneven, strict=True))
    return replace(shape, uneven=uneven)


def _aligned(arrays: Sequence[ArrayFootprint], placed: Sequence[Placement]) -> list[tuple[float, ...]]:
    """Minimum lines that rows can span, in bytes (best alignment)."""
    return [
        tuple(float(size) * (1 - one.in_doubt[number]) for size, one in zip(array.bytes, placed, strict=True))
        for number, array in enumerate(arrays)
    ]


def _with(shape: Footprints, sizes: Sequence[Sequence[Value]]) -> Footprints:
    """Copy of the footprints with other sizes for the arrays."""
    arrays = tuple(
        replace(array, bytes=tuple(own), swept=tuple(n * size for n, size in zip(shape.iterations, own, strict=True)))
        for array, own in zip(shape.arrays, sizes, strict=True)
    )
    return replace(shape, arrays=arrays)
