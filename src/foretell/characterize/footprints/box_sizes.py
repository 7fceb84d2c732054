"""Counts the lines of a nest's boxes at given sizes, which may be numpy arrays."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from foretell.core.columns.tape import real
from foretell.core.symbolic.poly import ONE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from foretell.characterize.footprints.boxes import Box, Side
    from foretell.core.columns.expression import Value
    from foretell.core.nest.loopnest import ArrayUse, Dim, LoopNest
    from foretell.core.symbolic.poly import Poly


class BoxSizes:
    """Counts the lines of boxes of a nest at given sizes. `own`: trip counts averaged over only the loops that move a
    box, those shared by threads divided by their number."""

    def __init__(
        self,
        nest: LoopNest,
        trips: Mapping[str, Value],
        values: Mapping[str, Value],
        line: float,
        own: Mapping[str, Value] | None = None,
    ) -> None:
        self._nest, self._trips, self._values, self._line, self._own = nest, trips, values, line, own
        self._known: dict[Poly, Value] = {}
        self.notes: list[str] = []

    def lines(self, box: Box) -> Value:
        """Lines of one box: the product of its extents, the fastest in lines. At most one per access, and at most the
        lines between the first and the last element: consecutive rows share the lines at their ends, planes those of
        their last and first rows."""
        if box.runs and self._own is not None:
            return self._on_its_own(box)
        everything: Value = float(box.references)
        for variable in box.inner:
            everything = everything * self._trips[variable]
        if box.irregular:
            return _irregular_lines(box.array, everything, self._values, self._line, self.notes)
        size = box.array.type.size
        extents, single = [], []
        packed: Value = 1.0
        for position, side in reversed(list(enumerate(box.sides))):
            pitch = self._pitch(side.dim)
            fastest = position == len(box.sides) - 1
            apart = (1.0 if pitch is None else pitch) * size / self._line
            offsets, moved = self._offsets(side), self._moved(side)
            reach, each_apart = moved + offsets, apart if fastest else 1.0
            extents.append(self._extent(side, self._covered(side, moved, each_apart), offsets, each_apart))
            if box.arms or box.coupled:
                single.append(self._extent(side, moved, 0.0, each_apart))
            each = packed * extents[-1]
            packed = each if pitch is None or fastest else np.minimum(each, reach * apart + packed)
        if single:
            packed = packed * self._part(box, extents, single, size / self._line)
        return real(np.minimum(packed, everything))

    def _on_its_own(self, box: Box) -> Value:
        """Lines of a box with trip counts averaged over only the loops that move it."""
        trips = dict(self._trips)
        before = self._value(box.around)
        for name, poly in box.runs:
            whole = self._value(poly)
            trips[name], before = ratio(whole, before) / (self._own or {}).get(name, 1.0), whole
        return BoxSizes(self._nest, trips, self._values, self._line).lines(box)

    def layout(self, box: Box) -> list[tuple[float, int]]:
        """Number of values and their distance in bytes for each side, the fastest first; single sizes."""
        sides = []
        for side in reversed(box.sides):
            offsets = self._offsets(side)
            extent = float(self._extent(side, self._covered(side, self._moved(side), 1.0), offsets, 1.0))
            apart = self.bytes_apart(side.dim, ONE, box.array.type.size)
            if len(side.free) == 1 and len(side.apart) == 1:  # further sides may move along
                moves = [(other.dim, c) for other in box.sides for name, c in other.moving if name == side.free[0]]
                apart = sum(self.bytes_apart(dim, c, box.array.type.size) for dim, c in moves)
            sides.append((extent, abs(apart)))
        return sides

    def bytes_apart(self, dim: Dim, step: Poly, size: int) -> int:
        """Distance in bytes between an index and the one a step further; 0 where unknown."""
        pitch = self._pitch(dim)
        return 0 if pitch is None else int(self._value(step) * pitch * size)

    def _part(self, box: Box, extents: Sequence[Value], single: Sequence[Value], dense: float) -> Value:
        """Fraction of a box's lines that a star, or coupled sides, touch; `extents` and `single` begin with the fastest
        side."""
        part: Value = 1.0
        if box.arms:
            part = part * ratio(_star(extents, single, box.arms), _product(extents))
        if box.coupled:
            points = _product([self._trips[name] for name in {n for side in box.sides for n in side.free}])
            part = part * np.minimum(1.0, ratio(points * dense, _product(single)) + ratio(1.0, single[0]))
        return part

    def _covered(self, side: Side, moved: Value, apart: Value) -> Value:
        """Range of a subscript without what lies between references that are further from each other than the loops
        move them, as the halves of an array; a range of its own begins in a line of its own."""
        covered = moved
        for near, far in pairwise(ascending([self._value(poly) for poly in side.apart])):
            covered = covered + np.minimum(far - near, moved + ratio(1.0, apart))
        return covered

    def _extent(self, side: Side, covered: Value, offsets: Value, apart: Value) -> Value:
        """Number of distinct values of a subscript with this range, or of lines where neighbours are less than a line
        `apart`: close references of one iteration share lines."""
        met = np.minimum(float(len(side.apart)), offsets * apart + 1)
        for name in side.free:
            met = met * self._trips[name]
        return np.minimum(covered * apart + 1, met)

    def _pitch(self, dim: Dim) -> Value | None:
        """Elements between consecutive indices of a dimension, where known."""
        if dim.stride is None:
            return None
        known = dim.stride in self._known or dim.stride.symbols() <= self._values.keys()
        return self._value(dim.stride) if known else None

    def _offsets(self, side: Side) -> Value:
        """Spread of the constant offsets of a side's references."""
        distances = [self._value(poly) for poly in side.apart]
        return extreme(np.maximum, distances) - extreme(np.minimum, distances)

    def _moved(self, side: Side) -> Value:
        """Range of a subscript, from its least to its greatest value, with the slower subscripts fixed."""
        reach: Value = 0.0
        for name, coefficient in side.moving:
            if name in side.free:
                reach = reach + abs(self._value(coefficient)) * np.maximum(self._trips[name] - 1, 0)
        return reach

    def _value(self, poly: Poly) -> Value:
        """Evaluates a polynomial at these sizes; steps and distances that vary between iterations (powers of a loop
        variable, say) are evaluated in the middle of the loop."""
        if poly not in self._known:
            inside = self._values
            if not poly.symbols() <= inside.keys():
                inside = in_the_middle(self._nest, inside)
                self.notes.append(_MIDDLE.format(f"{self._nest.function}, line {self._nest.line}"))
            self._known[poly] = real(poly.evaluate(inside))
        return self._known[poly]


_MIDDLE = "{}: reuse distances that vary with the iteration are evaluated at mid-loop"


def in_the_middle(nest: LoopNest, values: Mapping[str, Value]) -> dict[str, Value]:
    """The sizes, with the variables of all loops at the middle of their ranges."""
    inside = dict(values)
    for loop in nest.loops:
        if loop.variable not in inside:
            first, step, trips = (real(bound.evaluate(inside)) for bound in (loop.lower, loop.step, loop.trips))
            inside[loop.variable] = first + step * np.floor(np.maximum(0.0, trips) / 2)
    return inside


def _product(extents: Sequence[Value]) -> Value:
    total: Value = 1.0
    for extent in extents:
        total = total * extent
    return total


def _star(extents: Sequence[Value], single: Sequence[Value], arms: Sequence[frozenset[int]]) -> Value:
    """Size of a star: the extent of one reference plus that of each arm (group of sides with offsets); arms count sides
    from the slowest, which is the last here."""
    total = _product(single)
    for arm in arms:
        pairs = zip(reversed(range(len(extents))), extents, single, strict=True)
        total = total + _product([wide - narrow if side in arm else narrow for side, wide, narrow in pairs])
    return total


def _irregular_lines(
    array: ArrayUse, accesses: Value, values: Mapping[str, Value], line: float, notes: list[str]
) -> Value:
    """Expected number of distinct lines touched by uniformly random accesses."""
    whole = declared(array, values)
    if np.all(np.isinf(whole)):
        unknown = ", ".join(sorted(_sizes(array) - set(values)))
        hint = f" (-D {unknown}=… tells better)" if unknown else ""
        notes.append(f"{array.name}: every irregular access is assumed to touch a different line{hint}")
        return accesses
    notes.append(f"{array.name}: irregular accesses are assumed to be uniformly distributed over its lines")
    lines = np.maximum(1.0, whole / line)
    return lines * -np.expm1(-accesses / lines)


def extreme(pick: Callable[[Value, Value], Value], values: Sequence[Value]) -> Value:
    """Elementwise maximum or minimum; numbers stay numbers."""
    result = values[0]
    for value in values[1:]:
        result = pick(result, value)
    return result


def ascending(values: Sequence[Value]) -> list[Value]:
    """The values in order; element by element where they are arrays, whose order may differ from point to point."""
    if not any(np.ndim(value) for value in values):
        return sorted(values, key=float)
    order = list(values)
    for end in reversed(range(1, len(order))):
        for at in range(end):
            low, high = order[at : at + 2]
            order[at : at + 2] = [np.minimum(low, high), np.maximum(low, high)]
    return order


def ratio(above: Value, below: Value) -> Value:
    return real(np.divide(above, np.maximum(below, 1e-300)))


def _sizes(array: ArrayUse) -> set[str]:
    """Parameters that occur in the length of an array."""
    return {name for dim in array.dims if dim.extent is not None for name in dim.extent.symbols()}


def declared(array: ArrayUse, values: Mapping[str, Value]) -> Value:
    """Declared size of an array in bytes; infinite where it is not declared. A member of records goes as far as they
    do."""
    total: Value = float(array.type.size)
    if array.member is not None:
        total = _beside(array, values)
    for dim in array.dims:
        if dim.extent is None or not dim.extent.symbols() <= set(values):
            return np.inf
        total = total * real(dim.extent.evaluate(values))
    return total


def _beside(array: ArrayUse, values: Mapping[str, Value]) -> Value:
    """Bytes of a record for each element of a member that it has."""
    assert array.member is not None
    inside: Value = 1.0
    for dim in array.dims:
        step = dim.stride.integer if dim.stride is not None else None
        if step is not None and step * array.type.size < array.member.size and dim.extent is not None:
            inside = inside * real(dim.extent.evaluate(values)) if dim.extent.symbols() <= set(values) else np.inf
    return array.member.size / inside
