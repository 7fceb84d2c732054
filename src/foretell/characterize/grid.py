"""From sampled blocks to the whole grid: which blocks are executed, and how many blocks each stands for.

Blocks at the ends of an axis often do other work than those inside (boundaries, remainders), so every combination of
first, inner and last along the three axes is a stratum of its own.
"""

from __future__ import annotations

import math
from itertools import product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from foretell.core.launch import Launch

#: irrational steps that spread points evenly over one, two or three axes (roots of x^(d+1) = x + 1)
_STEPS = (
    (0.6180339887498949,),
    (0.7548776662466927, 0.5698402909980532),
    (0.8191725133961645, 0.6710436067037893, 0.5497004779019703),
)


def weighted_blocks(launch: Launch, inner: int) -> dict[int, float]:
    """Blocks to execute, and how many blocks of the grid each stands for; up to `inner` of those inside."""
    x, y, _ = launch.grid
    result: dict[int, float] = {}
    for ranges in product(*(_ranges(size) for size in launch.grid)):
        inside = all(len(part) > 1 or size == 1 for part, size in zip(ranges, launch.grid, strict=True))
        points = {px + x * (py + y * pz) for px, py, pz in _points(ranges, inner if inside else 1)}
        for block in points:
            result[block] = math.prod(map(len, ranges)) / len(points)
    return dict(sorted(result.items()))


def _ranges(size: int) -> tuple[range, ...]:
    """First, inner and last along an axis."""
    if size <= 2:
        return tuple(range(k, k + 1) for k in range(size))
    return range(1), range(1, size - 1), range(size - 1, size)


def _points(ranges: tuple[range, ...], most: int) -> Iterator[tuple[int, ...]]:
    """Points of a stratum, the first in its middle: an additive recurrence over the axes that have room."""
    open_axes = [axis for axis, part in enumerate(ranges) if len(part) > 1]
    if not open_axes:
        yield tuple(part[0] for part in ranges)
        return
    steps = dict(zip(open_axes, _STEPS[len(open_axes) - 1], strict=True))
    for k in range(min(most, math.prod(map(len, ranges)))):
        yield tuple(
            part[int((0.5 + k * steps.get(axis, 0.0)) % 1.0 * len(part))] for axis, part in enumerate(ranges)
        )
