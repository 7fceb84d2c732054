"""Where the lines of a nest lie: how they spread over the sets of a cache, and where rows begin in a line.

The closed forms take a cache as one set, and rows to begin anywhere in a line. Rows a power of two apart meet few sets;
rows a whole number of lines apart all begin at the same place of one, and where that is nobody knows.
"""

from __future__ import annotations

from math import gcd, sqrt
from typing import TYPE_CHECKING

from foretell.characterize.boxes import box_plan
from foretell.characterize.footprints import BoxSizes
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from foretell.characterize.boxes import Box
    from foretell.characterize.conflicts import Sets
    from foretell.core.loopnest import LoopNest

#: standard deviations of the lines in a set that a level must have room for
_CHANCE = 3.0


@record
class Rows:
    """Lines of a box as bytes that follow each other, and how many such rows there are how far apart, closest first."""

    bytes: float
    times: tuple[tuple[float, int], ...]

    def covered(self, sets: Sets) -> float:
        """Bytes between lines that share a set, of those that the rows lie over."""
        span = min(float(sets.apart), self.bytes + sets.line)
        for count, jump in self.times:
            between = gcd(jump, sets.apart)
            places = min(count, sets.apart // between)
            together = (places - 1) * between + span if between <= span else places * span
            span = min(float(sets.apart), together)
        return span


@record
class Placement:
    """With some outer loops held fixed: the most lines that a set must hold, as far as chance goes, and the part of each
    array's lines that hangs on where rows begin."""

    pressure: float
    in_doubt: tuple[float, ...]


def placements(
    nest: LoopNest, values: Mapping[str, float], trips: Mapping[str, float], sets: Sets
) -> tuple[Placement, ...]:
    """For each number of outer loops held fixed, at single sizes."""
    plan = box_plan(nest)
    sizes = BoxSizes(trips, values, float(sets.line))
    rows = [None if box.irregular else _rows(sizes.layout(box), box.array.type.size, sets.line) for box in plan.boxes]
    moves = [_moves(sizes, box) for box in plan.boxes]
    found = []
    for depth in range(len(plan.runs)):
        pieces: list[tuple[float, float]] = []
        in_doubt = []
        for array in plan.arrays:
            most = 0.0
            for number, times in array.boxes[depth]:
                one = rows[number]
                if one is not None:
                    pieces += [_piece(sizes.lines(plan.boxes[number]), one, sets)] * times
                    most = max(most, _alignment(one, moves[number], sets.line))
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
    return tuple(move for move in found if move)


def _piece(lines: float, rows: Rows, sets: Sets) -> tuple[float, float]:
    """The share of all sets that a box has lines in, and how many in each of these."""
    share = rows.covered(sets) / sets.apart
    return share, max(1.0, float(lines) * sets.line / sets.apart / share)


def _most(pieces: Sequence[tuple[float, float]]) -> float:
    """Lines in the fullest sets, the boxes lying anywhere."""
    mean = sum(share * each for share, each in pieces)
    spread = sqrt(sum(each**2 * share * (1 - share) for share, each in pieces))
    return min(sum(each for _, each in pieces), mean + _CHANCE * spread)


def _alignment(rows: Rows, moves: Sequence[int], line: int) -> float:
    """Half of the distance between the places of a line that rows begin at, over their lines."""
    if rows.bytes < line and not rows.times:
        return 0.0
    between = gcd(line, *(jump for _, jump in rows.times), *(move for move in moves if move >= rows.bytes))
    return 0.5 * (between / line) / (rows.bytes / line + 1)
