"""Where the sets of a cache matter: rows that fall on each other, and columns that use few of the sets.

The closed forms take a cache as fully associative. A set holds `ways` lines, and lines a multiple of size / ways apart
share a set: powers of two as row lengths are the usual case.
"""

from __future__ import annotations

from collections import Counter
from math import gcd
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from foretell.core.loopnest import Access, ArrayUse, LoopNest

#: of the lines of a level, the share up to which columns spread over its sets as if it had only one
_CROWDED = 0.75


def conflicts(
    nest: LoopNest, values: Mapping[str, int], level: str, size: int, ways: int, line: int
) -> Iterator[str]:
    """Sentences about the arrays of a nest that a level cannot keep although they would fit."""
    apart = size // ways
    for array in nest.arrays:
        if array.dims and all(dim.stride is not None for dim in array.dims) and _regular(array):
            yield from _rows(array, values, level, apart, ways, line)
            yield from _columns(nest, array, values, level, apart, ways, line)


def _regular(array: ArrayUse) -> bool:
    return not any(one.index or one.opaque for access in array.accesses for one in access.subscripts)


def _rows(
    array: ArrayUse, values: Mapping[str, int], level: str, apart: int, ways: int, line: int
) -> Iterator[str]:
    """Rows of one array that an iteration needs at the same time."""
    starts = {_place(array, access, values) for access in array.accesses}
    most = max(Counter(start % apart // line for start in starts).values())
    if most > ways:
        yield f"{array.name}: {most} of its rows share the {ways} ways of a set of {level}"


def _place(array: ArrayUse, access: Access, values: Mapping[str, int]) -> int:
    """Bytes of a reference's row from the start of the array, the loop variables at zero."""
    pairs = list(zip(access.subscripts, array.dims, strict=True))[:-1]
    return sum(
        int(one.offset.evaluate(values)) * int(dim.stride.evaluate(values)) * array.type.size
        for one, dim in pairs
        if dim.stride is not None
    )


def _columns(
    nest: LoopNest, array: ArrayUse, values: Mapping[str, int], level: str, apart: int, ways: int, line: int
) -> Iterator[str]:
    """The innermost loop jumps from line to line: how many of them can stay."""
    loop = nest.loops[-1]
    known = set(values)
    if not loop.trips.symbols() <= known or not loop.step.symbols() <= known:
        return
    trips, step = int(loop.trips.evaluate(values)), int(loop.step.evaluate(values))
    jumps = {abs(_jump(array, access, loop.variable, values) * step) for access in array.accesses}
    for jump in sorted(jumps):
        held = max(1, apart // max(line, gcd(jump, apart))) * ways
        if jump >= line and _CROWDED * held < trips <= apart // line * ways:
            yield (
                f"{array.name}: its columns use {held // ways} of {apart // line} sets of {level}, "
                f"which hold {held} of {trips} lines"
            )


def _jump(array: ArrayUse, access: Access, variable: str, values: Mapping[str, int]) -> int:
    """Bytes from one iteration of a loop to the next."""
    total = 0
    for one, dim in zip(access.subscripts, array.dims, strict=True):
        for name, coefficient in one.coefficients:
            if name == variable and dim.stride is not None:
                total += int(coefficient.evaluate(values)) * int(dim.stride.evaluate(values))
    return total * array.type.size
