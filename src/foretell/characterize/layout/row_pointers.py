"""Assumes a layout for rows reached by pointers and arrays inside records, whose distance is not in the source.

They are assumed contiguous, each as long as the nest uses it: like records that a loop uses completely, and like rows
allocated one after the other, which in C have a malloc header between them. So such a nest is treated like one over a
matrix.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from foretell.core.nest.loopnest import ArrayUse, Dim, LoopNest, Subscript
    from foretell.core.symbolic.poly import Poly

#: bytes that glibc's malloc adds to an allocation, and the multiple that it rounds up to
_HEADER = 16


@lru_cache(maxsize=256)
def in_rows(nest: LoopNest) -> LoopNest:
    """Nest with a known stride for all rows, except those of data-dependent length."""
    if all(dim.stride is not None for array in nest.arrays for dim in array.dims):
        return nest
    last = _last_values(nest)
    header = _HEADER if nest.language == "c" else 0
    arrays = tuple(_laid_out(array, last, header) for array in nest.arrays)
    changed = [new.name for old, new in zip(nest.arrays, arrays, strict=True) if new is not old]
    if not changed:
        return nest
    names = ", ".join(dict.fromkeys(changed))
    return replace(nest, arrays=arrays).assuming([f"rows of {names} are assumed to be contiguous"])


def _last_values(nest: LoopNest) -> dict[str, Poly]:
    """Largest value of each loop variable; where its end depends on an outer loop, at the end of that."""
    last: dict[str, Poly] = {}
    for loop in nest.loops:
        last[loop.variable] = loop.upper.substitute(last)
    return last


def _laid_out(array: ArrayUse, last: Mapping[str, Poly], header: int) -> ArrayUse:
    """Array with a stride for every dimension; unchanged where the length of a row is unknown."""
    if all(dim.stride is not None for dim in array.dims):
        return array
    dims: list[Dim] = list(array.dims)
    for dimension in reversed(range(len(dims) - 1)):
        inner = dims[dimension + 1]
        length = inner.extent or _length([one.subscripts[dimension + 1] for one in array.accesses], last)
        if dims[dimension].stride is not None:
            continue
        if inner.stride is None or length is None:
            return array
        dims[dimension] = replace(dims[dimension], stride=inner.stride * length + header // array.type.size)
        dims[dimension + 1] = replace(inner, extent=length)
    return replace(array, dims=tuple(dims))


def _length(subscripts: list[Subscript], last: Mapping[str, Poly]) -> Poly | None:
    """One more than the largest subscript; None where it depends on data."""
    ends: list[Poly] = []
    for one in subscripts:
        if one.index or one.opaque:
            return None
        ends.append(sum((factor * last[name] for name, factor in one.coefficients if name in last), one.offset))
    largest = ends[0]
    for end in ends[1:]:
        further = (end - largest).integer
        largest = end if further is not None and further > 0 else largest
    return largest + 1
