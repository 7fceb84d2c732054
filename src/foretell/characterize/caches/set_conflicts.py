"""Detects set conflicts: rows that map to the same sets, and strided columns that use few of the sets.

The closed forms assume a fully associative cache. A set holds `ways` lines, and lines a multiple of size / ways apart
share a set: power-of-two row lengths are the usual case. Beyond a page the mapping is random: the operating system
places pages arbitrarily, and outer levels are indexed by physical address.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from math import gcd
from typing import TYPE_CHECKING, Any

import numpy as np

from foretell.core.nest.loopnest import iterations
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from foretell.core.columns.expression import Value
    from foretell.core.nest.loopnest import Access, ArrayUse, LoopNest
    from foretell.core.symbolic.poly import Poly

#: fraction of the lines of a level up to which columns spread over its sets as if it were fully associative
_CROWDED = 0.75


@record
class Sets:
    """Sets of one level: bytes between lines that share a set, ways, and the largest distance over which addresses
    determine the set."""

    level: str
    apart: int
    ways: int
    line: int
    page: int

    def met(self, jump: int) -> int:
        """Number of sets used by lines with a stride of `jump` bytes."""
        return max(1, self.apart // max(self.line, gcd(jump, self.apart, self.page)))


def conflicts(nest: LoopNest, values: Mapping[str, int], sets: Sets) -> Iterator[str]:
    """Messages about arrays of a nest that suffer set conflicts in a level although they would fit."""
    for array in nest.arrays:
        if array.dims and all(dim.stride is not None for dim in array.dims) and _regular(array, nest):
            yield from _rows(array, values, sets)
            yield from _columns(nest, array, values, sets)


def may_conflict(nest: LoopNest, values: Mapping[str, Value], sets: Sets) -> NDArray[np.bool_]:
    """Whether, at each of many sizes, `conflicts` may report a message: no false negatives, few false positives."""
    conflicting = np.zeros(np.broadcast_shapes(*(np.shape(value) for value in values.values())), dtype=np.bool_)
    for array in nest.arrays:
        if array.dims and all(dim.stride is not None for dim in array.dims) and _regular(array, nest):
            conflicting |= _rows_may(array, values, sets)
            conflicting |= _columns_may(nest, array, values, sets)
    return conflicting


def _regular(array: ArrayUse, nest: LoopNest) -> bool:
    """Whether all subscripts are sums of multiples of loop variables and something fixed: not `min(j + 1, n)`."""
    return not any(
        subscript.index or subscript.opaque or subscript.offset.depends_on(nest.variables)
        for access in array.accesses
        for subscript in access.subscripts
    )


def _rows(array: ArrayUse, values: Mapping[str, int], sets: Sets) -> Iterator[str]:
    """Reports rows of one array that an iteration needs at the same time and that share sets."""
    starts = {_place(array, access, values) for access in array.accesses}
    period = gcd(sets.apart, sets.page)
    most = max(Counter(start % period // sets.line for start in starts).values())
    if most > sets.ways * (sets.apart // period):
        yield f"{array.name}: {most} of its rows share the {sets.ways} ways of a set of {sets.level}"


def _rows_may(array: ArrayUse, values: Mapping[str, Value], sets: Sets) -> NDArray[np.bool_]:
    """Vectorised test of `_rows`; rows with different subscript expressions count as different."""
    rows = {tuple(subscript.offset for subscript in access.subscripts[:-1]): access for access in array.accesses}
    period = gcd(sets.apart, sets.page)
    most = sets.ways * (sets.apart // period)
    if len(rows) <= most:
        return np.zeros((), dtype=np.bool_)
    starts = [_whole(_place(array, access, values)) for access in rows.values()]
    order = np.sort(np.stack(np.broadcast_arrays(*starts)) % period // sets.line, axis=0)
    conflicting: NDArray[np.bool_] = np.any(order[most:] == order[:-most], axis=0)
    return conflicting


def _place(array: ArrayUse, access: Access, values: Mapping[str, Any]) -> Any:
    """Byte offset of a reference's row in the array, with all loop variables at zero."""
    pairs = list(zip(access.subscripts, array.dims, strict=True))[:-1]
    return sum(
        _whole(subscript.offset.evaluate(values)) * _whole(dim.stride.evaluate(values)) * array.type.size
        for subscript, dim in pairs
        if dim.stride is not None
    )


def _whole(value: Any) -> Any:
    """Rounds a number, or an array of them, to integers."""
    return value.astype(np.int64) if isinstance(value, np.ndarray) else int(value)


@lru_cache(maxsize=256)
def _runs(nest: LoopNest) -> tuple[Poly, Poly]:
    """Total iterations of all loops but the innermost one, and of all loops."""
    depth = len(nest.loops)
    return iterations(nest.loops, depth - 1), iterations(nest.loops, depth)


def _columns_may(nest: LoopNest, array: ArrayUse, values: Mapping[str, Value], sets: Sets) -> NDArray[np.bool_]:
    loop = nest.loops[-1]
    runs = _runs(nest)
    conflicting = np.zeros((), dtype=np.bool_)
    if not all(poly.symbols() <= set(values) for poly in (*runs, loop.step)):
        return conflicting
    around, inside = (np.asarray(run.evaluate(values), dtype=np.float64) for run in runs)
    trips = np.round(np.divide(inside, around, out=np.zeros(np.shape(inside)), where=around > 0))
    step, lines = _whole(loop.step.evaluate(values)), sets.apart // sets.line * sets.ways
    for access in array.accesses:
        jump = np.abs(_jump(array, access, loop.variable, values) * step)
        common = np.gcd(np.gcd(jump, sets.apart), sets.page)
        met = np.maximum(1, sets.apart // np.maximum(sets.line, common))
        conflicting = conflicting | ((jump >= sets.line) & (trips > _CROWDED * met * sets.ways) & (trips <= lines))
    return conflicting


def _columns(nest: LoopNest, array: ArrayUse, values: Mapping[str, int], sets: Sets) -> Iterator[str]:
    """Reports arrays that the innermost loop strides through by more than a line, if few of these lines can stay."""
    loop = nest.loops[-1]
    runs = _runs(nest)
    if not all(poly.symbols() <= set(values) for poly in (*runs, loop.step)):
        return
    around, inside = (float(run.evaluate(values)) for run in runs)
    trips, step = round(inside / around) if around > 0 else 0, int(loop.step.evaluate(values))
    jumps = {abs(_jump(array, access, loop.variable, values) * step) for access in array.accesses}
    everything = sets.apart // sets.line
    for jump in sorted(jumps):
        met = sets.met(jump)
        if jump >= sets.line and _CROWDED * met * sets.ways < trips <= everything * sets.ways:
            yield (
                f"{array.name}: its columns use {met} of {everything} sets of {sets.level}, "
                f"which hold {met * sets.ways} of {trips} lines"
            )


def _jump(array: ArrayUse, access: Access, variable: str, values: Mapping[str, Any]) -> Any:
    """Byte stride of one iteration of a loop."""
    total: Any = 0
    for subscript, dim in zip(access.subscripts, array.dims, strict=True):
        for name, coefficient in subscript.coefficients:
            if name == variable and dim.stride is not None:
                total = total + _whole(coefficient.evaluate(values)) * _whole(dim.stride.evaluate(values))
    return total * array.type.size
