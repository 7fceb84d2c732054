"""Where the sets of a cache matter: rows that fall on each other, and columns that use few of the sets.

The closed forms take a cache as fully associative. A set holds `ways` lines, and lines a multiple of size / ways apart
share a set: powers of two as row lengths are the usual case. Beyond the end of a page it is chance which sets lines
meet: the system puts pages anywhere, and outer levels go by where they lie.
"""

from __future__ import annotations

from collections import Counter
from math import gcd
from typing import TYPE_CHECKING

from foretell.core.loopnest import iterations
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from foretell.core.loopnest import Access, ArrayUse, LoopNest

#: of the lines of a level, the share up to which columns spread over its sets as if it had only one
_CROWDED = 0.75


@record
class Sets:
    """Of one level: how many bytes are between lines that share a set, how many lines a set holds, and up to which
    distance addresses decide about that."""

    level: str
    apart: int
    ways: int
    line: int
    page: int

    def met(self, jump: int) -> int:
        """Sets that lines meet which are so many bytes apart."""
        return max(1, self.apart // max(self.line, gcd(jump, self.apart, self.page)))


def conflicts(nest: LoopNest, values: Mapping[str, int], sets: Sets) -> Iterator[str]:
    """Sentences about the arrays of a nest that a level cannot keep although they would fit."""
    for array in nest.arrays:
        if array.dims and all(dim.stride is not None for dim in array.dims) and _regular(array):
            yield from _rows(array, values, sets)
            yield from _columns(nest, array, values, sets)


def _regular(array: ArrayUse) -> bool:
    return not any(one.index or one.opaque for access in array.accesses for one in access.subscripts)


def _rows(array: ArrayUse, values: Mapping[str, int], sets: Sets) -> Iterator[str]:
    """Rows of one array that an iteration needs at the same time."""
    starts = {_place(array, access, values) for access in array.accesses}
    period = gcd(sets.apart, sets.page)
    most = max(Counter(start % period // sets.line for start in starts).values())
    if most > sets.ways * (sets.apart // period):
        yield f"{array.name}: {most} of its rows share the {sets.ways} ways of a set of {sets.level}"


def _place(array: ArrayUse, access: Access, values: Mapping[str, int]) -> int:
    """Bytes of a reference's row from the start of the array, the loop variables at zero."""
    pairs = list(zip(access.subscripts, array.dims, strict=True))[:-1]
    return sum(
        int(one.offset.evaluate(values)) * int(dim.stride.evaluate(values)) * array.type.size
        for one, dim in pairs
        if dim.stride is not None
    )


def _columns(nest: LoopNest, array: ArrayUse, values: Mapping[str, int], sets: Sets) -> Iterator[str]:
    """The innermost loop jumps from line to line: how many of them can stay."""
    loop = nest.loops[-1]
    runs = [iterations(nest.loops, depth) for depth in (len(nest.loops) - 1, len(nest.loops))]
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


def _jump(array: ArrayUse, access: Access, variable: str, values: Mapping[str, int]) -> int:
    """Bytes from one iteration of a loop to the next."""
    total = 0
    for one, dim in zip(access.subscripts, array.dims, strict=True):
        for name, coefficient in one.coefficients:
            if name == variable and dim.stride is not None:
                total += int(coefficient.evaluate(values)) * int(dim.stride.evaluate(values))
    return total * array.type.size
