"""Set pressure of a nest's lines, and the uncertainty from the alignment of rows in lines.

The closed forms assume a fully associative cache, and random alignment of rows. Rows a power of two apart map to few
sets; rows a whole number of lines apart all have the same alignment, which is unknown.
"""

from __future__ import annotations

from functools import lru_cache
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

#: standard deviations of the lines per set that a level must have room for
_CHANCE = 3.0
#: boxes larger than this multiple of a level's size never fit
_LARGEST = 2


@record
class Rows:
    """Contiguous bytes of a box in whole lines, and (count, distance) of such rows, closest first."""

    bytes: float
    times: tuple[tuple[float, int], ...]

    def in_sets(self, sets: Sets) -> NDArray[np.float64]:
        """Lines that map to each set of a level."""
        everything = sets.apart // sets.line
        lines = int(self.bytes / sets.line) + 1
        lines_in_set = np.full(everything, float(lines // everything))
        lines_in_set[: lines % everything] += 1
        for count, jump in self.times:
            indices = np.arange(round(count)) * jump // sets.line % everything
            met = np.bincount(indices, minlength=everything)
            lines_in_set = np.fft.irfft(np.fft.rfft(lines_in_set) * np.fft.rfft(met), everything)
        return lines_in_set


@record
class Placement:
    """Placement with some outer loops held fixed: the most lines per set, up to random variation, and the fraction of
    each array's lines that depends on the alignment of rows."""

    pressure: float
    in_doubt: tuple[float, ...]


def placements(
    nest: LoopNest, values: Mapping[str, float], trips: Mapping[str, float], sets: Sets
) -> tuple[Placement, ...]:
    """Placement for each number of outer loops held fixed, at single sizes."""
    plan = box_plan(nest)
    sizes = BoxSizes(nest, trips, values, float(sets.line))
    result = []
    rows: dict[int, Rows] = {}
    in_sets: dict[int, _InSets] = {}
    for depth in range(len(plan.runs)):
        pieces: list[_InSets] = []
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
                    if number not in in_sets:
                        in_sets[number] = _summed(rows[number], sets)
                    pieces += [in_sets[number]] * times
                most = max(most, _alignment(rows[number], _moves(sizes, box), box.array.type.size, sets.line))
            in_doubt.append(most)
        result.append(Placement(_most(pieces), tuple(in_doubt)))
    return tuple(result)


def _rows(layout: Sequence[tuple[float, int]], size: int, line: int) -> Rows:
    """Merges elements, rows and planes with gaps of less than a line into contiguous rows."""
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
    """Byte stride of a box per iteration of each loop, including the loops held fixed."""
    strides = []
    for access in box.array.accesses[:1]:
        for subscript, dim in zip(access.subscripts, box.array.dims, strict=True):
            for _, coefficient in subscript.coefficients:
                strides.append(sizes.bytes_apart(dim, coefficient, box.array.type.size))
    return tuple(abs(move) for move in strides if move)


@record
class _InSets:
    """Lines of a box in the sets of a level: most, mean, variance."""

    most: float
    mean: float
    variance: float


@lru_cache(maxsize=4096)
def _summed(rows: Rows, sets: Sets) -> _InSets:
    """Kept: versions of a code that a search goes through have many boxes in common."""
    lines = rows.in_sets(sets)
    return _InSets(float(lines.max()), float(lines.mean()), float(lines.var()))


def _most(pieces: Sequence[_InSets]) -> float:
    """Lines in the fullest sets with boxes at random positions: the maximum of one, plus the mean of the others and
    `_CHANCE` standard deviations."""
    mean, spread = sum(piece.mean for piece in pieces), sum(piece.variance for piece in pieces)
    estimates = [piece.most + mean - piece.mean + _CHANCE * sqrt(max(0.0, spread - piece.variance)) for piece in pieces]
    return min(sum(piece.most for piece in pieces), max(estimates, default=0.0))


def _alignment(rows: Rows, moves: Sequence[int], size: int, line: int) -> float:
    """Maximum deviation of the lines of a row from their average, as a fraction of it: the saving of rows with equal
    alignment, or half a line; less where rows have several alignments."""
    if rows.bytes < line and not rows.times:
        return 0.0
    between = gcd(line, *(jump for _, jump in rows.times), *(move for move in moves if move >= rows.bytes))
    average = (rows.bytes - size) / line + 1
    return between / line * max(0.5, average - ceil(rows.bytes / line)) / average
