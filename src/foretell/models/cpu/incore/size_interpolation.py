"""Computes a cost at very many sizes: simulated at some, interpolated between them.

The time of a row of n iterations is the sum of its passes, its remainder and its start-up. Between two lengths with
equal remainder and alignment of rows, the time per iteration is therefore a + b / n. So sizes are classified by their
remainder, and interpolated within a class between the points of a fixed grid that does not depend on the query.
Interpolation in 1 / n misses steps: row lengths from which branch prediction fails at the exit, and sizes whose rows
alias in pages.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from foretell import _core
from foretell.errors import UnsupportedError
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    Whole = NDArray[np.int64]
    Floats = NDArray[np.float64]
    Places = NDArray[np.intp]

#: up to so many distinct sizes of a sweep are simulated as single predictions are
FOLLOWED = 12
_LARGEST = 2**62
#: range of the values per element beyond which sorting is faster than counting
_SPARSE = 8


@record
class Steps:
    """The interpolation points of a parameter: for each remainder of the period all up to `dense`, then each `ratio`
    times the one before. From `alike` on, remainders with the same greatest common divisor with `lanes` are equivalent:
    rows at stride n start at the multiples of that divisor in their vectors."""

    period: int
    dense: int
    ratio: float
    alike: int = _LARGEST
    lanes: int = 1


@record
class Many:
    """Columns of costs, and the points at which they are interpolated."""

    columns: list[Floats]
    between: NDArray[np.bool_]


@record
class Around:
    """The grid positions below and above each size, and the weight of the upper one. Sizes on the grid, and those
    that are not positive, are exact; the latter are their own positions, too."""

    low: Whole
    high: Whole
    weight: Floats


@lru_cache(maxsize=64)
def grid(steps: Steps) -> tuple[int, ...]:
    """Multiples of the period; large ones avoid powers of two, which behave unlike their neighbours."""
    found = list(range(max(1, steps.dense // steps.period) + 1))
    while found[-1] * steps.period < _LARGEST:
        found.append(int(found[-1] * steps.ratio) + 1 | 1)
    return tuple(found)


def around(sizes: Whole, of: Steps) -> Around:
    """The grid positions of all sizes, flattened."""
    row = np.ascontiguousarray(sizes).reshape(-1)
    return Around(*_core.interpolation_around(row, grid(of), of.period, of.alike, of.lanes))


def sizes_at(places: Whole, of: Steps) -> Whole:
    """The sizes at grid positions."""
    steps = np.array(grid(of), dtype=np.int64)
    step, rest = np.divmod(np.maximum(places, 0), of.period)
    return np.where(places > 0, rest + of.period * steps[step], places)


def put_together(
    points: Mapping[str, Whole],
    steps: Mapping[str, Steps],
    cost: Callable[[dict[str, int]], Sequence[float]],
    some_of_many: bool = False,
) -> Many:
    """The costs at all points, whose columns broadcast. `steps` has the parameters to interpolate over; all others are
    exact. All points are evaluated directly if interpolation would need more sizes than there are points, unless these
    are `some_of_many`, whose sizes will be reused."""
    shape = np.broadcast_shapes(*(column.shape for column in points.values()))
    sides = {name: _side(column, steps.get(name)) for name, column in points.items()}
    moving = [name for name, side in sides.items() if side.moves] or list(sides)[:1]
    given = [sides[name].spread(points[name].shape, shape) for name in moving]
    try:
        rows, numbers = _core.interpolation_corners(given, math.prod(shape))
    except ValueError:
        raise UnsupportedError(f"too many different sizes at once: {', '.join(moving)}") from None
    places = dict(zip(moving, rows.reshape(-1, len(moving)).T, strict=True))
    count = len(rows) // len(moving)
    asked = {name: side.sizes(places.get(name, side.around.low[:1].repeat(count))) for name, side in sides.items()}
    if not some_of_many and len(next(iter(asked.values()))) >= math.prod(shape):
        return asked_for(points, cost)
    known = np.array([cost(sizes) for sizes in each(asked)], dtype=np.float64)
    columns = list(_core.interpolation_sums(given, numbers, known.T.copy()).reshape(-1, *shape))
    between = np.logical_or.reduce([weight > 0 for _, _, weight in given])
    return Many(columns, between.reshape(shape))


@record
class _Side:
    """A parameter: the positions of its values on a grid or, without `steps`, among the distinct `values`."""

    around: Around
    steps: Steps | None
    values: Whole

    @property
    def moves(self) -> bool:
        """Whether it has more than one position."""
        return bool(self.around.low.min(initial=_LARGEST) < self.around.high.max(initial=-_LARGEST))

    def sizes(self, places: Whole) -> Whole:
        return self.values[places] if self.steps is None else sizes_at(places, self.steps)

    def spread(self, narrow: tuple[int, ...], shape: tuple[int, ...]) -> tuple[Whole, Whole, Floats]:
        """Positions and weights of a column, one of each per point, flattened."""

        def row(own: Any) -> Any:
            return np.ascontiguousarray(np.broadcast_to(own.reshape(narrow), shape)).reshape(-1)

        return row(self.around.low), row(self.around.high), row(self.around.weight)


def _side(column: Whole, steps: Steps | None) -> _Side:
    if steps is not None:
        return _Side(around(column, steps), steps, column)
    own = _numbered(column.reshape(-1))
    return _Side(Around(own.places, own.places, np.zeros(column.size)), None, own.values)


def asked_for(points: Mapping[str, Whole], cost: Callable[[dict[str, int]], Sequence[float]]) -> Many:
    """The costs at all points, each distinct one evaluated directly."""
    asked, places = different(points)
    known = [cost(sizes) for sizes in each(asked)]
    columns = [np.array(column)[places] for column in zip(*known, strict=True)]
    return Many(columns, np.zeros(columns[0].shape, dtype=np.bool_))


def different(columns: Mapping[str, Whole]) -> tuple[dict[str, Whole], Places]:
    """The distinct rows of broadcast columns, and the index of each row among them."""
    return _rows({name: _numbered(column) for name, column in columns.items()})


@record
class _Numbered:
    """The distinct values of a column in ascending order, and the index of each element among them."""

    values: Whole
    places: Places


def _rows(columns: Mapping[str, _Numbered]) -> tuple[dict[str, Whole], Places]:
    keys: Whole = np.zeros(1, dtype=np.int64)
    kinds = 1
    for column in columns.values():  # encode each pair of indices that occurs as one number
        if kinds * len(column.values) > _LARGEST:
            keys = _numbered(keys).places
            kinds = keys.size
        keys, kinds = keys * len(column.values) + column.places, kinds * len(column.values)
    some, places = _somewhere(keys)
    rows = {
        name: column.values[np.broadcast_to(column.places, keys.shape).flat[some]] for name, column in columns.items()
    }
    return rows, places


def _numbered(values: Whole) -> _Numbered:
    some, places = _somewhere(values)
    return _Numbered(values.flat[some], places)


def _somewhere(values: Whole) -> tuple[Places, Places]:
    """The index of one element of each distinct value, in ascending order, and the rank of each value. A dense range of
    values is counted instead of sorted."""
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
    """Yields the rows of some columns."""
    for row in zip(*(column.tolist() for column in points.values()), strict=True):
        yield dict(zip(points, row, strict=True))


class Simulated(Protocol):
    """Code whose cost at given sizes can be simulated."""

    def cost(self, sizes: Mapping[str, int], of_many: bool = False) -> tuple[float, float]: ...

    def cost_in_short(self, sizes: Mapping[str, int]) -> tuple[float, float]: ...

    def are_short(self, points: Mapping[str, Whole]) -> NDArray[np.bool_]: ...

    def steps(self, names: Sequence[str]) -> dict[str, Steps]: ...


def costs_at(nest: Simulated, points: Mapping[str, Whole], swept: tuple[str, ...] | None) -> Many:
    """Cycles per iteration at each point, and the part in which the innermost cache is busy. A long list of points is
    interpolated between sizes that are simulated less far; so is any list that is part of one in which the parameters
    `swept` vary."""
    if not points:
        return Many([np.array([cost]) for cost in nest.cost({})], np.zeros(1, dtype=np.bool_))
    if swept is not None:
        return _many(nest, points, swept, some_of_many=True)
    found, places = different(points)
    if len(next(iter(found.values()))) <= FOLLOWED:
        return asked_for(points, nest.cost)
    names = tuple(name for name, column in found.items() if column.min() != column.max())
    many = _many(nest, found, names, some_of_many=False)
    return Many([column[places] for column in many.columns], many.between[places])


def _many(nest: Simulated, points: Mapping[str, Whole], names: tuple[str, ...], some_of_many: bool) -> Many:
    """Costs at points between which the parameters `names` vary; short calls are simulated at each."""
    steps, cost = nest.steps(names), nest.cost_in_short
    short = nest.are_short(points)
    if not short.any():
        return put_together(points, steps, cost, some_of_many)
    whole = {name: np.broadcast_to(column, short.shape) for name, column in points.items()}
    costs, between = np.empty((2, *short.shape)), np.zeros(short.shape, dtype=np.bool_)
    costs[:, short] = asked_for({name: column[short] for name, column in whole.items()}, cost).columns
    if not short.all():
        rest = put_together({n: column[~short] for n, column in whole.items()}, steps, cost, some_of_many)
        costs[:, ~short], between[~short] = rest.columns, rest.between
    return Many(list(costs), between)
