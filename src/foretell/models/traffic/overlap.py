"""Core and transfers together: between perfect overlap and none, by what the probe measured of each level.

A level with overlap 1 hides all of the shorter behind the longer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from foretell.core.expression import Value


def exposed(work: Value, transfers: Mapping[str, Value], overlaps: Mapping[str, Value]) -> Value:
    """Seconds that transfers and core work add to the longer of the two.

    `work` is spread over the transfers, first over those that hide the least: so a transfer that becomes longer never
    makes the whole shorter.
    """
    names = list(transfers)
    times, shares = ([way[name] for name in names] for way in (transfers, overlaps))
    left = np.asarray(work, dtype=np.float64)
    total: Value = 0.0
    for time, overlap in _in_order(times, shares):
        beside = np.minimum(left, time)
        total = total + (1.0 - overlap) * beside
        left = left - beside
    return total


def _in_order(times: Sequence[Value], overlaps: Sequence[Value]) -> Iterator[tuple[Value, Value]]:
    """Pairs of a time and its overlap, the least overlap first: at each point by its own."""
    if not any(np.ndim(overlap) for overlap in overlaps):
        yield from sorted(zip(times, overlaps, strict=True), key=lambda pair: float(pair[1]))
        return
    whole = np.broadcast_arrays(*times, *overlaps)
    columns, shares = np.stack(whole[: len(times)]), np.stack(whole[len(times) :])
    order = np.argsort(shares, axis=0, kind="stable")
    yield from zip(*(np.take_along_axis(one, order, axis=0) for one in (columns, shares)), strict=True)
