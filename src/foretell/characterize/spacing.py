"""At which distances the lines of an array follow each other: caches serve lines from banks, by the lowest bits of a
line's number, so that a column whose lines lie four apart meets a quarter of them only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from foretell.characterize.moves import by_iteration, bytes_apart, place_of
from foretell.characterize.streams import label

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from foretell.core.expression import Value
    from foretell.core.loopnest import Access, ArrayUse, LoopNest

#: for each of some numbers of lines, 1 where an array has lines at multiples of it and of no larger one, else 0
Spacing = dict[int, "Value"]


def spacings(
    nest: LoopNest, values: Mapping[str, Value], line: float, distances: Sequence[int]
) -> dict[str, Spacing]:
    """For arrays that have any such distance at any point. `distances` are powers of two, the largest last."""
    found: dict[str, Spacing] = {}
    for array in by_iteration(nest):
        common = _common(nest, array, values, int(line), distances[-1])
        if common is None or not np.any(common > line):
            continue
        found[label(array)] = {
            lines: np.where(common == lines * int(line), 1.0, 0.0)
            for lines in distances
            if np.any(common == lines * int(line))
        }
    return found


def _common(nest: LoopNest, array: ArrayUse, values: Mapping[str, Value], line: int, most: int) -> Any:
    """The largest power of two of bytes, up to `most` lines, that divides the distances of all lines which the
    innermost moving loop meets: of one reference, and of references in other lines. None where nobody knows."""
    whole = line * most
    bits: Any = None
    first: Value = 0.0
    for access in array.accesses:
        variable = _moving(nest, access)
        if variable is None:
            continue
        apart, place = bytes_apart(array, access, variable, values), place_of(array, access, values)
        if apart is None or place is None:
            return None
        if bits is None:
            bits, first = np.int64(whole), place
        beside = np.abs(place - first) // line * line
        for distance in (apart, beside):
            bits = bits | np.fmod(distance, whole).astype(np.int64)
    return None if bits is None else bits & -bits  # the lowest bit that any distance has


def _moving(nest: LoopNest, access: Access) -> str | None:
    """The innermost loop that moves an access."""
    moving = {name for one in access.subscripts for name, _ in one.coefficients}
    around = nest.variables[: nest.blocks[access.block].depth]
    return next((name for name in reversed(around) if name in moving), None)
