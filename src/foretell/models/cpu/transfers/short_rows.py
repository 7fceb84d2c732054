"""Lines that prefetchers bring beyond the ends of rows: a tile takes rows in pieces, and what lies behind a piece is
not needed yet.

A prefetcher runs the further ahead the longer a row lasts. Measured with pieces of 1 to 188 lines of rows in L3, read,
copied, updated, written and as a stencil (validation/cpu/pieces.c): pieces of 4, 8, 16, 32 and 64 lines cost as much as
1 to 2, 2 to 5, 4 to 10, 5 to 12 and 6 to 13 further lines of each array on a Golden Cove core, and 0 to 1, 1 to 3, 1 to
3 and 2 to 4 on a Cascade Lake. Lines that lie alone start no prefetcher; streams end with every page anyway, and rows
of 128 lines took no longer. Lines of L2 come soon enough without.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from foretell.characterize.layout.iteration_strides import by_iteration, byte_offset, bytes_apart

if TYPE_CHECKING:
    from collections.abc import Mapping

    from foretell.characterize.footprints.footprints import Footprints
    from foretell.core.columns.expression import Value
    from foretell.core.nest.loopnest import Access, ArrayUse, LoopNest
    from foretell.models.base import Inputs

PARAMETER = "cores.lines_ahead"
#: lines: the shortest row that starts a prefetcher; rows end no more often than pages; rows without further lines
_SHORTEST, _PAGE, _LONG = 2.0, 64.0, 128.0
#: gaps of so many lines are passed by
_GAP = 2.0


def beyond_rows(
    nest: LoopNest, shape: Footprints, inputs: Inputs, values: Mapping[str, Value], line: float, room: Value
) -> dict[str, Value]:
    """By array, the lines that come in vain for each one that is needed, where rows end early. `room`: what the cache
    holds into which they come: where the next piece of a row follows before it is full, they are there already."""
    if PARAMETER not in inputs.machine:
        return {}
    most = inputs.value(PARAMETER)
    rows = ((array.label, _row(array, nest, shape, values, line)) for array in by_iteration(nest))
    return {name: _in_vain(row.lines, most) * np.greater(row.apart, room) for name, row in rows if row is not None}


def _in_vain(lines: Value, most: Value) -> Value:
    """Lines in vain for each line of rows that have so many: half a line each at first, and no more than `most` for a
    row."""
    fading = np.clip((_LONG - lines) / (_LONG - _PAGE), 0.0, 1.0)
    return np.where(np.greater_equal(lines, _SHORTEST), most / (lines + 2.0 * most) * fading, 0.0)


class _Row(NamedTuple):
    """Lines that a reference meets one behind the other, and the bytes that all arrays touch until it goes on behind
    them."""

    lines: Value
    apart: Value


def _row(array: ArrayUse, nest: LoopNest, shape: Footprints, values: Mapping[str, Value], line: float) -> _Row | None:
    """What an array's first reference meets; None where no reference is known."""
    rows = (_row_of(array, access, nest, shape, values, line) for access in array.accesses)
    return next((row for row in rows if row is not None), None)


def _row_of(
    array: ArrayUse, access: Access, nest: LoopNest, shape: Footprints, values: Mapping[str, Value], line: float
) -> _Row | None:
    reach: Value = float(array.type.size)
    going: Value = 1.0
    apart: Value = np.inf
    for depth, loop in reversed(list(enumerate(nest.loops))):
        stride = bytes_apart(array, access, loop.variable, values)
        if stride is None:
            return None
        behind = np.less_equal(stride, reach + _between(array, access, values, stride) + _GAP * line)
        follows = behind * np.greater(stride, 0.0) * (1.0 - going)
        apart = np.where(follows, np.minimum(apart, shape.together(depth + 1)), apart)
        going = going * behind
        reach = reach + going * stride * np.maximum(shape.trips[loop.variable] - 1.0, 0.0)
    return _Row(np.maximum(reach / line, 1.0), apart)


def _between(array: ArrayUse, access: Access, values: Mapping[str, Value], stride: Value) -> Value:
    """How far other references of an array go within a stride: copies of the body take the rows that it passes over."""
    places = [byte_offset(array, one, values) for one in array.accesses]
    own = places[array.accesses.index(access)]
    furthest: Value = 0.0
    for place in places:
        if place is not None and own is not None:
            far = np.abs(place - own)
            furthest = np.maximum(furthest, np.where(np.less(far, stride), far, 0.0))
    return furthest
