"""Combines core and transfer times: between perfect overlap and none, by the probed overlap of each level.

A level with overlap 1 hides all of the shorter behind the longer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from foretell.core.columns.tape import real

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from foretell.core.columns.expression import Value


def exposed(work: Value, transfers: Mapping[str, Value], overlaps: Mapping[str, Value]) -> Value:
    """Seconds that transfers and core work add to the longer of the two.

    `work` is distributed over the transfers, those with the least overlap first: so a longer transfer never shortens
    the total.
    """
    names = list(transfers)
    times, shares = ([way[name] for name in names] for way in (transfers, overlaps))
    left = real(work)
    total: Value = 0.0
    for time, overlap in _in_order(times, shares):
        beside = np.minimum(left, time)
        total = total + (1.0 - overlap) * beside
        left = left - beside
    return total


def _in_order(times: Sequence[Value], overlaps: Sequence[Value]) -> Iterator[tuple[Value, Value]]:
    """Pairs of a time and its overlap, sorted by ascending overlap at each point."""
    pairs = list(zip(times, overlaps, strict=True))
    for end in reversed(range(1, len(pairs))):
        for place in range(end):  # bubble sort, elementwise: the order may differ from point to point
            pairs[place : place + 2] = _exchanged(*pairs[place : place + 2])
    return iter(pairs)


def _exchanged(left: tuple[Value, Value], right: tuple[Value, Value]) -> Sequence[tuple[Value, Value]]:
    """Two pairs, the one with less overlap first; stable."""
    behind = np.greater(left[1], right[1])
    if not np.ndim(behind):
        return (right, left) if behind else (left, right)
    choices = ((np.where(behind, b, a), np.where(behind, a, b)) for a, b in zip(left, right, strict=True))
    return tuple(zip(*choices, strict=True))
