"""Power-of-two distances between the lines of an array, which determine how many cache banks serve them.

Caches select the bank by the lowest bits of the line number: a column with lines four apart uses a quarter of the
banks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from foretell.characterize.layout.iteration_strides import by_iteration, byte_offset, bytes_apart

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from foretell.core.columns.expression import Value
    from foretell.core.nest.loopnest import Access, ArrayUse, LoopNest

#: for each power of two in lines: 1 where it is the largest that divides all line distances of an array, else 0
Spacing = dict[int, "Value"]


def spacings(nest: LoopNest, values: Mapping[str, Value], line: float, distances: Sequence[int]) -> dict[str, Spacing]:
    """Spacings of the arrays that have any of these distances at any point. `distances` are powers of two, the largest
    last."""
    result: dict[str, Spacing] = {}
    for array in by_iteration(nest):
        common = _common(nest, array, values, int(line), distances[-1])
        if common is not None and np.any(common > line):
            result[array.label] = {
                lines: np.where(common == lines * int(line), 1.0, 0.0)
                for lines in distances
                if np.any(common == lines * int(line))
            }
    return result


def _common(nest: LoopNest, array: ArrayUse, values: Mapping[str, Value], line: int, most: int) -> Any:
    """Largest power of two in bytes, up to `most` lines, that divides the distances of all lines which the innermost
    moving loop touches: by one reference, and between references in different lines. None where unknown."""
    moving = [(access, name) for access in array.accesses if (name := _moving(nest, access)) is not None]
    steps = [bytes_apart(array, access, name, values) for access, name in moving]
    common = _lowest_bit(line * most, steps)
    if common is None or not np.any(common > line):
        return None
    offsets = [byte_offset(array, access, values) for access, _ in moving]
    if offsets[0] is None:
        return None
    apart = [None if offset is None else np.abs(offset - offsets[0]) // line * line for offset in offsets]
    return _lowest_bit(common, apart)


def _lowest_bit(whole: Any, distances: Sequence[Value | None]) -> Any:
    """Lowest set bit of all distances and of `whole`, a power of two; None where one is unknown, or there is none."""
    bits = np.asarray(whole, dtype=np.int64)
    for distance in distances:
        if distance is None:
            return None
        bits = bits | np.fmod(distance, np.max(whole)).astype(np.int64)
    return bits & -bits if distances else None


def _moving(nest: LoopNest, access: Access) -> str | None:
    """Innermost loop that moves an access."""
    moving = {name for subscript in access.subscripts for name, _ in subscript.coefficients}
    around = nest.variables[: nest.blocks[access.block].depth]
    return next((name for name in reversed(around) if name in moving), None)
