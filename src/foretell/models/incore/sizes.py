"""One cost at very many sizes: followed at some, and put together from those in between.

A row of n iterations that makes passes of so many elements takes as long as its passes, its rest and its start. Between
two lengths with the same rest, and the same place of each row in its lines, the time of an iteration is therefore
a + b / n. So sizes are told apart by their remainder, and those of one remainder lie between two of a ladder of sizes
that does not depend on who asks. What a straight line in 1 / n does not have are steps: where a branch predictor no
longer foresees the end of a row, and sizes that put rows into the same places of pages.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np

from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    Whole = NDArray[np.int64]
    Floats = NDArray[np.float64]
    Places = NDArray[np.intp]

_LARGEST = 2**62
#: numbers between the least and the largest, for each that there is, beyond which sorting takes less
_SPARSE = 8


@record
class Steps:
    """Which sizes of a parameter are on its ladder: for each remainder of the period all up to `dense`, then each
    `ratio` times the one before."""

    period: int
    dense: int
    ratio: float


@record
class Many:
    """Columns of costs, and where they are put together from those of other sizes."""

    columns: list[Floats]
    between: NDArray[np.bool_]


@record
class Bracket:
    """The two sizes of a ladder around each given one, and the weight of the upper one."""

    low: Whole
    high: Whole
    weight: Floats


def ladder(steps: Steps) -> Whole:
    """Multiples of the period; of the large ones none is a power of two, whose sizes are unlike their neighbours."""
    found = list(range(max(1, steps.dense // steps.period) + 1))
    while found[-1] * steps.period < _LARGEST:
        found.append(int(found[-1] * steps.ratio) + 1 | 1)
    return np.array(found, dtype=np.int64)


def bracket(sizes: Whole, of: Steps) -> Bracket:
    """Around sizes that are positive; others, and those of the ladder, are their own."""
    steps, period = ladder(of), of.period
    count, rest = sizes // period, sizes % period
    place = np.clip(np.searchsorted(steps, count, side="right") - 1, 0, len(steps) - 2)
    on_it = (steps[place] == count) | (sizes <= 0)
    low = np.where(on_it, sizes, rest + period * steps[place])
    high = np.where(on_it, sizes, rest + period * steps[place + 1])
    with np.errstate(divide="ignore", invalid="ignore"):
        weight = (1 / sizes - 1 / low) / (1 / high - 1 / low)
    return Bracket(low, high, np.where(on_it, 0.0, weight))


def put_together(
    points: Mapping[str, Whole],
    steps: Mapping[str, Steps],
    cost: Callable[[dict[str, int]], Sequence[float]],
    some_of_many: bool = False,
) -> Many:
    """The costs at all points, whose columns broadcast. `steps` has the parameters that are put between two sizes; all
    others are taken as they are. All points are asked for themselves where the others would ask for more sizes than
    there are points, unless these are `some_of_many`, who will ask for the same sizes again."""
    corners, weights = _corners(points, steps)
    asked, places = _rows(corners)
    if not some_of_many and len(next(iter(asked.values()))) >= places[0].size:
        return asked_for(points, cost)
    known = [cost(sizes) for sizes in each(asked)]
    columns = [np.sum(np.array(column)[places] * weights, axis=0) for column in zip(*known, strict=True)]
    return Many(columns, np.broadcast_to(weights.max(axis=0) < 1, columns[0].shape))


def asked_for(points: Mapping[str, Whole], cost: Callable[[dict[str, int]], Sequence[float]]) -> Many:
    """The costs at all points, each different one asked for itself."""
    asked, places = different(points)
    known = [cost(sizes) for sizes in each(asked)]
    columns = [np.array(column)[places] for column in zip(*known, strict=True)]
    return Many(columns, np.zeros(columns[0].shape, dtype=np.bool_))


def different(columns: Mapping[str, Whole]) -> tuple[dict[str, Whole], Places]:
    """The different rows of some columns that broadcast, and the place of each row among them."""
    return _rows({name: _numbered(column) for name, column in columns.items()})


@record
class _Numbered:
    """The different values of a column in ascending order, and the place of each of its elements among them."""

    values: Whole
    places: Places


def _rows(columns: Mapping[str, _Numbered]) -> tuple[dict[str, Whole], Places]:
    keys: Whole = np.zeros(1, dtype=np.int64)
    kinds = 1
    for column in columns.values():  # each pair of places that occurs becomes one number
        if kinds * len(column.values) > _LARGEST:
            keys = _numbered(keys).places
            kinds = keys.size
        keys, kinds = keys * len(column.values) + column.places, kinds * len(column.values)
    some, places = _somewhere(keys)
    rows = {
        name: column.values[np.broadcast_to(column.places, keys.shape).flat[some]]
        for name, column in columns.items()
    }
    return rows, places


def _numbered(values: Whole) -> _Numbered:
    some, places = _somewhere(values)
    return _Numbered(values.flat[some], places)


def _somewhere(values: Whole) -> tuple[Places, Places]:
    """Where each different value stands, in ascending order, and the number of each value in that order. Values that
    lie close together are not sorted."""
    least, most = (int(values.min()), int(values.max())) if values.size else (0, 0)
    if most - least > _SPARSE * values.size:
        _, some, places = np.unique(values, return_index=True, return_inverse=True)
        return some, places.reshape(values.shape)
    offsets = values - least
    somewhere = np.full(most - least + 1, -1, dtype=np.intp)
    somewhere[offsets] = np.arange(values.size).reshape(values.shape)
    occurs = somewhere >= 0
    return somewhere[occurs], (np.cumsum(occurs) - 1)[offsets]


def each(points: Mapping[str, Whole]) -> Iterator[dict[str, int]]:
    """The rows of some columns."""
    for row in zip(*(column.tolist() for column in points.values()), strict=True):
        yield dict(zip(points, row, strict=True))


def _corners(points: Mapping[str, Whole], steps: Mapping[str, Steps]) -> tuple[dict[str, _Numbered], Floats]:
    """Along a new first side, every choice of the lower or the upper size of each parameter; and its weight."""
    choices = np.array(list(itertools.product((0, 1), repeat=len(steps))), dtype=np.intp)
    rank = max(column.ndim for column in points.values())
    weights: Floats = np.ones((len(choices),) + (1,) * rank)
    corners = {}
    for name, column in points.items():
        own = _numbered(column.reshape((1,) * (rank - column.ndim) + column.shape))
        if name not in steps:
            corners[name] = own
            continue
        around, chosen = bracket(own.values, steps[name]), choices[:, list(steps).index(name)]
        ends = _numbered(np.stack([around.low, around.high]))
        corners[name] = _Numbered(ends.values, ends.places[:, own.places][chosen])
        weights = weights * np.stack([1 - around.weight, around.weight])[:, own.places][chosen]
    return corners, weights
