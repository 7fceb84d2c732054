"""Fraction of a nest after which an unreferenced line is evicted (Che's approximation of LRU).

Streamed and irregularly accessed lines of that time fill the cache together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from foretell import _core

if TYPE_CHECKING:
    from collections.abc import Sequence

    from foretell.core.columns.expression import Value

#: resolution of the fraction: about one millionth of the nest
PARTS = 1 << 20


def age(streamed: Value, capacity: Value, arrays: Sequence[tuple[Value, Value]]) -> Value:
    """Fraction of the nest until eviction; `arrays`: (size, bytes loaded by all accesses) of each irregular array."""
    given = [np.asarray(value, dtype=np.float64) for value in (streamed, capacity, *sum(arrays, ()))]
    shape = np.broadcast_shapes(*(value.shape for value in given))
    past, size, *pairs = (_row(value, shape) for value in given)
    points = int(np.prod(shape))
    ages = _core.line_lifetimes(past, size, list(zip(pairs[::2], pairs[1::2], strict=True)), PARTS, points)
    return ages.reshape(shape) if shape else float(ages[0])


def _row(value: Any, shape: tuple[int, ...]) -> Any:
    """Broadcasts a number or one number per point to a flat array."""
    if value.size == 1:
        return value.reshape(1)
    return np.ascontiguousarray(np.broadcast_to(value, shape)).reshape(-1)
