"""Summarises many design points: the front, the best, and counts. The points themselves are not kept.

Summaries of parts of a space can be merged in any order and grouping; the result is bitwise the same. Ties are resolved
in favour of the point with the lowest number.
"""

from __future__ import annotations

import base64
import zlib
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from foretell import _core, limits
from foretell.errors import InputError
from foretell.records import record
from foretell.uses import pareto

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Indices = NDArray[np.int64]

#: points as plain data: the number of objectives, that of points, and their bytes in zlib and base64
StoredPoints = tuple[int, int, str]

#: a bin of the histogram is an eighth of an octave: the sign, exponent and first three bits of a double
_BIN_SHIFT = 49
#: points of the front so far with which every new point is compared first; while there is no front yet, of a sample of
#: this many points
_RIVALS = 64
_FIRST = 1024
_BUFFER = 1 << 13


@record
class Points:
    """Designs by their numbers, with a column for each objective."""

    index: Indices
    objectives: tuple[Floats, ...]

    @classmethod
    def none(cls, objectives: int) -> Points:
        """No point."""
        return cls(np.empty(0, dtype=np.int64), tuple(np.empty(0) for _ in range(objectives)))

    def __len__(self) -> int:
        return int(self.index.size)

    def take(self, rows: Indices) -> Points:
        """Selects some of the points."""
        return Points(self.index.take(rows), tuple(column.take(rows) for column in self.objectives))


def join(parts: list[Points]) -> Points:
    """Merges several sets of points, by ascending number, each number once."""
    index = np.concatenate([part.index for part in parts])
    columns = zip(*(part.objectives for part in parts), strict=True)
    _, rows = np.unique(index, return_index=True)
    return Points(index, tuple(np.concatenate(column) for column in columns)).take(rows)


@dataclass(frozen=True)
class Summary:
    """The summary of a part of a space.

    `excluded` points violate a constraint, `infeasible` ones cannot run. `best` holds the fastest time of each
    application with the number of the point, or None. `lowest` and `highest` span each objective.
    """

    points: int
    excluded: int
    infeasible: int
    front: Points
    top: Points
    best: tuple[tuple[float, int] | None, ...]
    histogram: Mapping[int, int] = field(default_factory=dict)
    lowest: tuple[float, ...] = ()
    highest: tuple[float, ...] = ()


class Accumulator:
    """Accumulates points or summaries, in any order, into one summary."""

    def __init__(self, objectives: int, applications: int, top: int) -> None:
        self._objectives, self._limit = objectives, top
        self._counts = [0, 0, 0]
        self._front = Points.none(objectives)
        self._waiting: list[Points] = []
        self._top = Points.none(objectives)
        self._edge: tuple[int, tuple[float, ...]] = (0, ())  # the last of the top, once it is full
        self._best: list[tuple[float, int] | None] = [None] * applications
        self._histogram: Counter[int] = Counter()
        self._lowest: Floats = np.full(objectives, np.inf)
        self._highest: Floats = np.full(objectives, -np.inf)

    def count(self, points: int, excluded: int, infeasible: int) -> None:
        """Counts points that were evaluated."""
        for position, number in enumerate((points, excluded, infeasible)):
            self._counts[position] += number

    def add(self, points: Points, times: list[Floats], mean_time: Floats) -> None:
        """Adds feasible designs: objectives, times of each application, and the mean time."""
        if not len(points):
            return
        for position, column in enumerate(times):
            row = _least(column, points.index)
            self._better(position, (float(column[row[0]]), int(points.index[row[0]])))
        self._bins(mean_time)
        low = np.array([column.min() for column in points.objectives])
        self._span(low, np.array([column.max() for column in points.objectives]))
        self._add_top(points)
        self._wait(self._unbeaten(points))

    def merge(self, other: Summary) -> None:
        """Merges another summary."""
        self.count(other.points, other.excluded, other.infeasible)
        for position, entry in enumerate(other.best):
            if entry is not None:
                self._better(position, entry)
        self._histogram.update(other.histogram)
        if other.lowest:
            self._span(np.array(other.lowest), np.array(other.highest))
        self._add_top(other.top)
        self._wait(other.front)

    def summary(self) -> Summary:
        """The summary of everything added so far."""
        self._settle()
        seen = bool(np.isfinite(self._lowest).all())
        return Summary(
            points=self._counts[0],
            excluded=self._counts[1],
            infeasible=self._counts[2],
            front=self._front,
            top=self._top,
            best=tuple(self._best),
            histogram=dict(sorted(self._histogram.items())),
            lowest=tuple(self._lowest.tolist()) if seen else (),
            highest=tuple(self._highest.tolist()) if seen else (),
        )

    def _better(self, position: int, entry: tuple[float, int]) -> None:
        self._best[position] = min(self._best[position] or entry, entry)

    def _bins(self, times: Floats) -> None:
        first, counts = _core.summary_bins(np.ascontiguousarray(times).view(np.int64), _BIN_SHIFT)
        self._histogram.update({key: number for key, number in enumerate(counts, first) if number})

    def _span(self, lowest: Floats, highest: Floats) -> None:
        self._lowest = np.minimum(self._lowest, lowest)
        self._highest = np.maximum(self._highest, highest)

    def _add_top(self, points: Points) -> None:
        least = points.objectives[0]
        if len(self._top) == self._limit:
            near = points.take(np.flatnonzero(least <= self._edge[1][0]))
            points = near.take(np.flatnonzero(_before(near, *self._edge)))
        elif len(points) > 4 * self._limit:  # sort only those that can be among the first
            edge = np.partition(least, self._limit - 1)[self._limit - 1]
            points = points.take(np.flatnonzero(least <= edge))
        if not len(points):
            return
        both = join([self._top, points])
        rows = _order(both)[: self._limit]
        self._edge = (int(both.index[rows[-1]]), tuple(float(column[rows[-1]]) for column in both.objectives))
        self._top = both.take(np.sort(rows))

    def _unbeaten(self, points: Points) -> Points:
        if self._objectives == 1:
            return points.take(_least(points.objectives[0], points.index))
        if not len(self._front):
            self._settle()
        front = self._front if len(self._front) else points.take(_sample_front(points))
        order = np.argsort(front.objectives[0], kind="stable")
        chosen = order[np.linspace(0, len(order) - 1, min(_RIVALS, len(order))).astype(np.int64)]
        rivals = [column[chosen] for column in front.objectives]
        return points.take(pareto.survivors(points.objectives, rivals))

    def _wait(self, points: Points) -> None:
        if len(points):
            self._waiting.append(points)
        if sum(len(part) for part in self._waiting) > max(_BUFFER, 2 * len(self._front)):
            self._settle()

    def _settle(self) -> None:
        if self._waiting:
            both = join([self._front, *self._waiting] if len(self._front) else self._waiting)
            self._front = both.take(pareto.front(both.objectives))
            self._waiting = []


def _least(column: Floats, index: Indices) -> Indices:
    """The row of the least value; of equal ones that with the lowest number."""
    rows: Indices = np.flatnonzero(column == column.min())
    return rows[index[rows].argmin() :][:1]


def _sample_front(points: Points) -> Indices:
    """Rows of the front of a sample of the points."""
    rows: Indices = np.arange(0, len(points), max(1, len(points) // _FIRST))
    return rows[pareto.front(points.take(rows).objectives)]


def _order(points: Points) -> Indices:
    """Rows by first objective, then the others, then number."""
    result: Indices = np.lexsort((points.index, *reversed(points.objectives)))
    return result


def _before(points: Points, number: int, edge: tuple[float, ...]) -> NDArray[np.bool_]:
    """Selects the points that precede, in that order, the one with this number and these objectives."""
    result: NDArray[np.bool_] = points.index < number
    for column, value in zip(reversed(points.objectives), reversed(edge), strict=True):
        result = (column < value) | ((column == value) & result)
    return result


# -------------------------------------------------------------------------------------- as plain data


def histogram_edges(key: int) -> tuple[float, float]:
    """The bounds in time of a bin of the histogram."""
    bits = np.array([key << _BIN_SHIFT, (key + 1) << _BIN_SHIFT], dtype=np.int64)
    low, high = bits.view(np.float64).tolist()
    return low, high


@dataclass(frozen=True)
class StoredSummary:
    """A summary as plain data; points are packed, bounds that are not finite are null."""

    points: int
    excluded: int
    infeasible: int
    best: tuple[tuple[float, int] | None, ...]
    lowest: tuple[float | None, ...]
    highest: tuple[float | None, ...]
    front: StoredPoints
    top: StoredPoints
    histogram: tuple[tuple[int, int], ...]


#: fields of it that may be negative: objectives have any sign
SIGNED = frozenset({"lowest", "highest", "histogram", "best"})


def encode(summary: Summary) -> dict[str, Any]:
    """Converts a summary to JSON data, exactly."""
    return {
        **{name: getattr(summary, name) for name in ("points", "excluded", "infeasible", "best")},
        "lowest": [value if np.isfinite(value) else None for value in summary.lowest],
        "highest": [value if np.isfinite(value) else None for value in summary.highest],
        "front": pack(summary.front),
        "top": pack(summary.top),
        "histogram": list(summary.histogram.items()),
    }


def decode(stored: StoredSummary, objectives: int, applications: int) -> Summary:
    """The summary that `encode` wrote, of a study with so many objectives and applications."""
    spans = {len(stored.lowest), len(stored.highest)} - {0}
    if spans - {objectives} or len(stored.best) != applications:
        raise InputError("entry.summary: is that of another exploration, or damaged")
    return Summary(
        points=stored.points,
        excluded=stored.excluded,
        infeasible=stored.infeasible,
        front=unpack(stored.front, objectives),
        top=unpack(stored.top, objectives),
        best=stored.best,
        histogram=dict(stored.histogram),
        lowest=tuple(-np.inf if value is None else value for value in stored.lowest),
        highest=tuple(np.inf if value is None else value for value in stored.highest),
    )


def pack(points: Points) -> list[Any]:
    """Converts points to JSON data, exactly."""
    raw = b"".join([points.index.astype("<i8").tobytes(), *(c.astype("<f8").tobytes() for c in points.objectives)])
    packed = base64.b64encode(zlib.compress(raw, 1)).decode()
    return [len(points.objectives), len(points), packed]


def unpack(stored: StoredPoints, objectives: int) -> Points:
    """The points that `pack` wrote, of so many objectives."""
    columns, count, packed = stored
    size = 8 * count * (1 + objectives)
    limits.require_bytes(size, f"{count} designs of a journal")
    try:
        unpacking = zlib.decompressobj()
        raw = unpacking.decompress(base64.b64decode(packed, validate=True), size + 1)
    except (ValueError, zlib.error):
        raw = b""
    if columns != objectives or len(raw) != size:
        raise InputError("entry: its packed designs are damaged")
    index = np.frombuffer(raw, dtype="<i8", count=count).astype(np.int64)
    values = np.frombuffer(raw, dtype="<f8", offset=8 * count, count=objectives * count).astype(np.float64)
    return Points(index, tuple(values.reshape(objectives, count)))
