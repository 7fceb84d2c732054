"""Design points as a box: parameters that vary independently, each along its own dimension.

A column has one value per step along its dimension and broadcasts over the others, so quantities of few parameters are
computed for few points. Selecting points keeps the dimensions that the selection does not depend on.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    Array = NDArray[Any]


@record
class Box:
    """Columns that broadcast to a shape, and the point numbers as a sum of such columns."""

    shape: tuple[int, ...]
    columns: Mapping[str, NDArray[np.float64]]
    steps: tuple[NDArray[np.int64], ...]

    @property
    def size(self) -> int:
        """Number of points."""
        return math.prod(self.shape)

    def numbers(self) -> NDArray[np.int64]:
        """Returns the number of each point in its space, the last dimension of the box changing fastest."""
        return self.spread(sum(self.steps))

    def spread(self, column: Any) -> Array:
        """Broadcasts a column, or one number, to one value per point."""
        return np.ascontiguousarray(np.broadcast_to(column, self.shape)).reshape(-1)

    def keep(self, holds: Array) -> tuple[Box, Callable[[Any], Any]]:
        """Returns the points where a condition holds, and a function that selects them from any other column."""
        rank = len(self.shape)
        holds = holds.reshape((1,) * (rank - holds.ndim) + holds.shape)
        cut = [side for side in range(rank) if holds.shape[side] > 1]
        rest = [side for side in range(rank) if holds.shape[side] == 1]
        chosen = np.nonzero(holds.reshape([holds.shape[side] for side in cut] or [1]))
        shape = [self.shape[side] for side in rest]
        last = not shape or len(chosen[0]) > shape[-1]  # the longest dimension comes last: its loops are long
        shape.insert(len(shape) if last else 0, len(chosen[0]))

        def take(column: Any) -> Any:
            if np.ndim(column) == 0 or column.size == 1:
                return np.reshape(column, 1)
            full = column.reshape((1,) * (rank - column.ndim) + column.shape).transpose(*cut, *rest)
            if all(length == 1 for length in full.shape[: len(cut)]):
                kept = full.reshape(1, *full.shape[len(cut) :])
            else:
                kept = full[tuple(index if full.shape[side] > 1 else 0 for side, index in enumerate(chosen))]
            return np.moveaxis(kept, 0, -1) if last else kept

        columns = {name: take(column) for name, column in self.columns.items()}
        return Box(tuple(shape), columns, tuple(take(step) for step in self.steps)), take


def spread(column: NDArray[np.float64], shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Flattens a column: one value per point of a shape, or a single one for all."""
    return column.reshape(-1) if column.size == 1 else np.broadcast_to(column, shape).reshape(-1)
