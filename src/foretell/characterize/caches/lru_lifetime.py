"""After which part of a nest a line that was not met again leaves a cache (Che's approximation of LRU).

What streams past in that time, and what is met by chance, fills the cache together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from foretell import _core

if TYPE_CHECKING:
    from collections.abc import Sequence

    from foretell.core.columns.expression import Value

#: steps that a nest is looked at in: one part of a million
PARTS = 1 << 20


def age(streamed: Value, capacity: Value, arrays: Sequence[tuple[Value, Value]]) -> Value:
    """`arrays`: the bytes of each array that is met by chance, and those that all accesses together bring in."""
    given = [np.asarray(value, dtype=np.float64) for value in (streamed, capacity, *sum(arrays, ()))]
    shape = np.broadcast_shapes(*(value.shape for value in given))
    past, size, *pairs = (_row(value, shape) for value in given)
    points = int(np.prod(shape))
    found = _core.line_lifetimes(past, size, list(zip(pairs[::2], pairs[1::2], strict=True)), PARTS, points)
    return found.reshape(shape) if shape else float(found[0])


def _row(value: Any, shape: tuple[int, ...]) -> Any:
    """One number, or one for each point, in a row."""
    if value.size == 1:
        return value.reshape(1)
    return np.ascontiguousarray(np.broadcast_to(value, shape)).reshape(-1)
