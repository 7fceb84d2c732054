"""How many of a loop's vector accesses cross a cache line, from the affine subscripts and the sizes.

A vector as wide as a line that starts one element off crosses every time: rows of a stencil do. Arrays are taken to
start at multiples of `base` bytes; the rows and planes of them at what their strides say.
"""

from __future__ import annotations

from functools import lru_cache
from math import gcd
from typing import TYPE_CHECKING

from foretell.core.symbolic import ZERO, Poly
from foretell.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from foretell.core.loopnest import Access, ArrayUse, LoopNest


def crossing_shares(
    nest: LoopNest, sizes: Mapping[str, int], width: int, line: int, base: int
) -> tuple[float, float]:
    """The shares of loads and of stores of `width` bytes that cross a line."""
    reads: list[float] = []
    writes: list[float] = []
    for use in nest.arrays:
        for access in use.accesses:
            share = _share(nest, use, access, sizes, width, line, base)
            if share is None:
                continue
            reads += [share] if access.reads else []
            writes += [share] if access.writes else []
    return _mean(reads), _mean(writes)


def _mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _share(
    nest: LoopNest, use: ArrayUse, access: Access, sizes: Mapping[str, int], width: int, line: int, base: int
) -> float | None:
    """None for what is not accessed as vectors: gathers, columns, and what does not move."""
    if any(one.index or one.opaque for one in access.subscripts):
        return None
    start, steps = ZERO, dict.fromkeys(nest.variables, ZERO)
    for one, dim in zip(access.subscripts, use.dims, strict=True):
        if dim.stride is None:
            return None
        start = start + (one.offset - dim.lower) * dim.stride
        for name, coefficient in one.coefficients:
            if name in steps:
                steps[name] = steps[name] + coefficient * dim.stride
    inner = _number(steps[nest.variables[-1]], sizes)
    if inner is None or abs(inner) != 1:
        return None
    for loop in nest.loops:
        start = start + loop.lower * steps[loop.variable] if loop.step.integer is not None else start
    first = _number(start, sizes)
    grain = gcd(line, base)
    for loop in nest.loops[:-1]:
        step = _number(steps[loop.variable] * loop.step, sizes)
        grain = gcd(grain, use.type.size if step is None else step * use.type.size)
    at = 0 if first is None else first * use.type.size
    return share_crossing(at % line if first is not None else 0, gcd(grain, width), width, line)


def _number(poly: Poly, sizes: Mapping[str, int]) -> int | None:
    try:
        return int(poly.evaluate(sizes))
    except InputError:
        return None


@lru_cache(maxsize=4096)
def share_crossing(start: int, grain: int, width: int, line: int) -> float:
    """The share of accesses at start, start + grain, … that reach over the end of a line."""
    places = range(start, start + line, grain or line)
    return sum(place % line + width > line for place in places) / len(places)
