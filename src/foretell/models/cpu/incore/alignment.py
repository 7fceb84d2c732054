"""Computes the fraction of a loop's vector accesses that cross a cache line, from affine subscripts and sizes.

A vector as wide as a line that is misaligned by one element always crosses: so do rows of a stencil. Arrays are assumed
to be aligned to `base` bytes; their rows and planes start where the strides put them.
"""

from __future__ import annotations

from functools import lru_cache
from math import gcd
from typing import TYPE_CHECKING, Any

import numpy as np

from foretell.core.symbolic.poly import ZERO, Poly
from foretell.errors import InputError
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from foretell.core.columns.expression import Value
    from foretell.core.nest.loopnest import Access, ArrayUse, LoopNest


@record
class _Reference:
    """An array reference with its element size: in elements, its stride in the innermost loop, its start, and its
    strides in the outer loops."""

    read: bool
    written: bool
    size: int
    inner: Poly
    start: Poly
    steps: tuple[Poly, ...]


def crossing_shares(
    nest: LoopNest, sizes: Mapping[str, Value], width: int, line: int, base: int
) -> tuple[Value, Value]:
    """The fractions of loads and of stores of `width` bytes that cross a line; arrays if sizes are."""
    crossing: list[Value] = [0.0, 0.0]
    counted: list[Value] = [0.0, 0.0]
    for one in _references(nest):
        inner = _number(one.inner, sizes)
        if inner is None:
            continue
        share = _share(one, sizes, width, line, base)
        for way, so in enumerate((one.read, one.written)):
            counts = np.where(np.abs(inner) == 1, float(so), 0.0)
            crossing[way], counted[way] = crossing[way] + counts * share, counted[way] + counts
    reads, writes = (total / np.maximum(number, 1.0) for total, number in zip(crossing, counted, strict=True))
    return reads, writes


def _share(reference: _Reference, sizes: Mapping[str, Value], width: int, line: int, base: int) -> Value:
    first = _number(reference.start, sizes)
    grain: Any = gcd(line, base)
    for poly in reference.steps:
        step = _number(poly, sizes)
        grain = np.gcd(grain, reference.size if step is None else step * reference.size % line)
    start = 0 if first is None else first * reference.size % line
    return _each(np.asarray(start), np.gcd(grain, width), width, line)


def _each(start: Any, grain: Any, width: int, line: int) -> Value:
    """The fraction for each pair of start and grain; few pairs are distinct."""
    pairs = start * (line + 1) + grain
    different, places = np.unique(pairs, return_inverse=True)
    shares = [share_crossing(*divmod(pair, line + 1), width, line) for pair in different.tolist()]
    return np.array(shares)[places].reshape(np.shape(pairs))


@lru_cache(maxsize=256)
def _references(nest: LoopNest) -> tuple[_Reference, ...]:
    """The references that may be vectorised: no gathers, and none with an unknown address."""
    found = (_reference(nest, use, access) for use in nest.arrays for access in use.accesses)
    return tuple(one for one in found if one is not None)


def _reference(nest: LoopNest, use: ArrayUse, access: Access) -> _Reference | None:
    if any(subscript.index or subscript.opaque for subscript in access.subscripts) or any(
        d.stride is None for d in use.dims
    ):
        return None
    start, steps = ZERO, dict.fromkeys(nest.variables, ZERO)
    for subscript, dim in zip(access.subscripts, use.dims, strict=True):
        stride = dim.stride or ZERO
        start = start + (subscript.offset - dim.lower) * stride
        for name, coefficient in subscript.coefficients:
            if name in steps:
                steps[name] = steps[name] + coefficient * stride
    for loop in nest.loops:
        start = start + loop.lower * steps[loop.variable] if loop.step.integer is not None else start
    around = tuple(steps[loop.variable] * loop.step for loop in nest.loops[:-1])
    inner = steps[nest.variables[-1]]
    return _Reference(access.reads > 0, access.writes > 0, use.type.size, inner, start, around)


def _number(poly: Poly, sizes: Mapping[str, Value]) -> Any:
    """An integer, or an array of them; None where a size is unknown."""
    try:
        value = poly.evaluate(sizes)
    except InputError:
        return None
    return value.astype(np.int64) if isinstance(value, np.ndarray) else int(value)


@lru_cache(maxsize=4096)
def share_crossing(start: int, grain: int, width: int, line: int) -> float:
    """The fraction of accesses at start, start + grain, … that cross the end of a line."""
    places = range(start, start + line, grain or line)
    return sum(place % line + width > line for place in places) / len(places)
