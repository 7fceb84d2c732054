"""Decides whether the closed form of cache traffic is accurate enough, or the nest must be simulated.

The closed form leaves four things open. A cache has sets, and lines do not fill them evenly: what is about as large as
the cache may stay in it or not, and so may less where rows meet few of the sets. Where inner loops are of uneven
length, they may fit at some places of the outer ones and not at others. References of one array that move differently
may touch the same lines or others. And short rows have a line more or less, by where they begin in one. Each is
evaluated at its best and at its worst; where the two traffics differ by more than the target accuracy, there is a
doubt.
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

    #: everywhere or nowhere, or at the points where an array is true
    Where = bool | np.bool_ | NDArray[np.bool_]

#: target accuracy: share of the traffic, or of a twentieth of all data where less moves
_AIM = 0.03
_LEAST_SHARE = 0.05
#: how much more or less of a level than its size may be of use
_ABOUT = 0.2
#: of all iterations: places that count
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
    """What the closed form leaves open that matters for a cache of this capacity, at single sizes. `ways`: where the
    place of a page decides about sets, the closed form takes them by chance."""
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
    if moved(_at_one_place(shape, max)) - moved(_at_one_place(shape, min)) > allowed:
        yield "inner loops of varying length fit it at some iterations of the outer ones only"
    if closed - moved(_with(shape, [array.least for array in shape.arrays])) > allowed:
        yield "references with different strides may touch the same lines"
    if placed and closed - moved(_with(shape, _aligned(shape.arrays, placed))) > allowed:
        yield "short rows all start at the same offset in a line"


def near_the_size(shape: Footprints, capacity: Value, warm: bool) -> Where:
    """Where it matters whether what is about as large as a cache stays in it; at one size or at many."""

    def moved(size: Value) -> Value:
        return sum(shape.traffic(size, warm).values(), 0.0)

    allowed = _AIM * np.maximum(moved(capacity), _LEAST_SHARE * shape.together(0))
    return np.greater(moved(capacity * (1 - _ABOUT)) - moved(capacity * (1 + _ABOUT)), allowed)


def nearest_loop(shape: Footprints, capacity: Value) -> tuple[NDArray[np.intp], Value]:
    """The loop that touches closest to what a cache holds, and what it touches over that; at one size or at many."""
    touched = [size for places in shape.uneven for size, _ in places]
    touched += [shape.together(depth) for depth in range(len(shape.iterations))]
    shares = np.stack(np.broadcast_arrays(*(np.divide(one, capacity) for one in touched)))
    which = np.argmin(np.abs(shares - 1), axis=0)
    return which, np.take_along_axis(shares, which[None, ...], axis=0)[0]


def _at_one_place(shape: Footprints, pick: Callable[[Iterable[float]], float]) -> Footprints:
    """As if the inner loops went everywhere as far as where they go least, or most."""
    uneven = tuple(
        ((pick([float(size) for size, share in places if float(share) > _NOTED]), 1.0),) if places else ()
        for places in shape.uneven
    )
    return replace(shape, uneven=uneven)


def _aligned(arrays: Sequence[ArrayFootprint], placed: Sequence[Placement]) -> list[tuple[float, ...]]:
    """The fewest lines that rows may have, as bytes."""
    return [
        tuple(float(size) * (1 - one.in_doubt[number]) for size, one in zip(array.bytes, placed, strict=True))
        for number, array in enumerate(arrays)
    ]


def _with(shape: Footprints, sizes: Sequence[Sequence[Value]]) -> Footprints:
    """As if arrays had other footprints."""
    arrays = tuple(
        replace(array, bytes=tuple(own), swept=tuple(n * size for n, size in zip(shape.iterations, own, strict=True)))
        for array, own in zip(shape.arrays, sizes, strict=True)
    )
    return replace(shape, arrays=arrays)
