"""Where the lines of a nest lie: how they spread over the sets of a cache, and where rows begin in a line.

The closed forms take a cache as one set, and rows to begin anywhere in a line. Rows a power of two apart meet few sets;
rows a whole number of lines apart all begin at the same place of one, and where that is nobody knows.
"""

from __future__ import annotations

from math import ceil, gcd, sqrt
from typing import TYPE_CHECKING

import numpy as np

from foretell.characterize.footprints.box_sizes import BoxSizes
from foretell.characterize.footprints.boxes import box_plan
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from foretell.characterize.caches.set_conflicts import Sets
    from foretell.characterize.footprints.boxes import Box
    from foretell.core.nest.loopnest import LoopNest

#: standard deviations of the lines in a set that a level must have room for
_CHANCE = 3.0
#: of a level: boxes that are larger fit it in no way
_LARGEST = 2


@record
class Rows:
    """Lines of a box as bytes that follow each other, and how many such rows there are how far apart, closest first."""

    bytes: float
    times: tuple[tuple[float, int], ...]

    def in_sets(self, sets: Sets) -> NDArray[np.float64]:
        """How many lines each set of a level gets."""
        everything = sets.apart // sets.line
        lines = int(self.bytes / sets.line) + 1
        found = np.full(everything, float(lines // everything))
        found[: lines % everything] += 1
        for count, jump in self.times:
            places = np.arange(round(count)) * jump // sets.line % everything
            met = np.bincount(places, minlength=everything)
            found = np.fft.irfft(np.fft.rfft(found) * np.fft.rfft(met), everything)
        return found


@record
class Placement:
    """With some outer loops held fixed: the most lines that a set must hold, as far as chance goes, and the part of
    each array's lines that hangs on where rows begin."""

    pressure: float
    in_doubt: tuple[float, ...]


def placements(
    nest: LoopNest, values: Mapping[str, float], trips: Mapping[str, float], sets: Sets
) -> tuple[Placement, ...]:
    """For each number of outer loops held fixed, at single sizes."""
    plan = box_plan(nest)
    sizes = BoxSizes(nest, trips, values, float(sets.line))
    found = []
    rows: dict[int, Rows] = {}
    for depth in range(len(plan.runs)):
        pieces: list[NDArray[np.float64]] = []
        in_doubt = []
        for array in plan.arrays:
            most = 0.0
            for number, times in array.boxes[depth]:
                box = plan.boxes[number]
                if box.irregular:
                    continue
                if number not in rows:
                    rows[number] = _rows(sizes.layout(box), box.array.type.size, sets.line)
                if sizes.lines(box) <= _LARGEST * sets.apart // sets.line * sets.ways:
                    pieces += [rows[number].in_sets(sets)] * times
                most = max(most, _alignment(rows[number], _moves(sizes, box), box.array.type.size, sets.line))
            in_doubt.append(most)
        found.append(Placement(_most(pieces), tuple(in_doubt)))
    return tuple(found)


def _rows(layout: Sequence[tuple[float, int]], size: int, line: int) -> Rows:
    """Elements, rows and planes that leave less than a line between them are one row."""
    length = float(size)
    times = []
    for count, jump in layout:
        if count <= 1 or not jump:
            continue
        if jump - length < line:
            length += (count - 1) * jump
        else:
            times.append((count, jump))
    return Rows(length, tuple(sorted(times, key=lambda one: one[1])))


def _moves(sizes: BoxSizes, box: Box) -> tuple[int, ...]:
    """How far each loop moves a box, in bytes, those that stand still here, too."""
    found = []
    for access in box.array.accesses[:1]:
        for one, dim in zip(access.subscripts, box.array.dims, strict=True):
            for _, coefficient in one.coefficients:
                found.append(sizes.bytes_apart(dim, coefficient, box.array.type.size))
    return tuple(abs(move) for move in found if move)


def _most(pieces: Sequence[NDArray[np.float64]]) -> float:
    """Lines in the fullest sets, the boxes lying anywhere: the fullest of one, and what others have there by chance."""
    mean, spread = (sum(map(float, some)) for some in ([p.mean() for p in pieces], [p.var() for p in pieces]))
    by_chance = [
        float(one.max()) + mean - float(one.mean()) + _CHANCE * sqrt(max(0.0, spread - float(one.var())))
        for one in pieces
    ]
    return min(sum(float(one.max()) for one in pieces), max(by_chance, default=0.0))


def _alignment(rows: Rows, moves: Sequence[int], size: int, line: int) -> float:
    """How far the lines of a row may be from their average, as a part of it: by as much as rows that begin at the same
    place of a line have less, or by half a line; less so where they begin at several places."""
    if rows.bytes < line and not rows.times:
        return 0.0
    between = gcd(line, *(jump for _, jump in rows.times), *(move for move in moves if move >= rows.bytes))
    average = (rows.bytes - size) / line + 1
    return between / line * max(0.5, average - ceil(rows.bytes / line)) / average
