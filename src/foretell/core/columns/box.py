"""Design points as a box: parameters that vary independently of each other, each along a side of its own.

A column has one value for each step along its side and broadcasts over the others, so what depends on few parameters is
computed for few points. Taking some of the points keeps the sides that the choice does not depend on.
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
    """Columns that broadcast to a shape, and the numbers of the points as a sum of such columns."""

    shape: tuple[int, ...]
    columns: Mapping[str, NDArray[np.float64]]
    steps: tuple[NDArray[np.int64], ...]

    @property
    def size(self) -> int:
        """How many points there are."""
        return math.prod(self.shape)

    def numbers(self) -> NDArray[np.int64]:
        """The number of each point in its space, the last side of the box changing fastest."""
        total = np.zeros(1, dtype=np.int64)
        for step in self.steps:
            total = total + step
        return self.spread(total)

    def spread(self, column: Any) -> Array:
        """A column, or one number, as one value for each point."""
        return np.ascontiguousarray(np.broadcast_to(column, self.shape)).reshape(-1)

    def with_columns(self, columns: Mapping[str, NDArray[np.float64]]) -> Box:
        """The same points with other columns."""
        return Box(self.shape, columns, self.steps)

    def keep(self, holds: Array) -> tuple[Box, Callable[[Any], Any]]:
        """The points where a condition holds, and the way to take any other column there."""
        rank = len(self.shape)
        holds = holds.reshape((1,) * (rank - holds.ndim) + holds.shape)
        cut = [side for side in range(rank) if holds.shape[side] > 1]
        rest = [side for side in range(rank) if holds.shape[side] == 1]
        chosen = np.nonzero(holds.reshape([holds.shape[side] for side in cut] or [1]))
        shape = [self.shape[side] for side in rest]
        last = not shape or len(chosen[0]) > shape[-1]  # the longest side comes last: loops along it are long
        shape.insert(len(shape) if last else 0, len(chosen[0]))

        def take(column: Any) -> Any:
            if np.ndim(column) == 0 or column.size == 1:
                return np.reshape(column, 1)
            full = column.reshape((1,) * (rank - column.ndim) + column.shape).transpose(*cut, *rest)
            if all(length == 1 for length in full.shape[: len(cut)]):
                found = full.reshape(1, *full.shape[len(cut) :])
            else:
                found = full[tuple(place if full.shape[side] > 1 else 0 for side, place in enumerate(chosen))]
            return np.moveaxis(found, 0, -1) if last else found

        columns = {name: take(column) for name, column in self.columns.items()}
        return Box(tuple(shape), columns, tuple(take(step) for step in self.steps)), take


def spread(column: NDArray[np.float64], shape: tuple[int, ...]) -> NDArray[np.float64]:
    """A column in one row: a value for each point of a shape, or a single one for all."""
    return column.reshape(-1) if column.size == 1 else np.broadcast_to(column, shape).reshape(-1)
