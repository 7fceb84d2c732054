"""A space of designs: named axes, and constraints between them."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from foretell.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    from foretell.core.expression import Expression

#: a range written by hand never means more values than this
_MAX_VALUES = 10_000_000


@dataclass(frozen=True, slots=True)
class Axis:
    """A parameter and the values it takes."""

    name: str
    values: tuple[float, ...]

    @classmethod
    def parse(cls, name: str, text: str) -> Axis:
        """'512', '64:1024:32' (first:last:step, last included if it is reached) or '1,2,4,8'."""
        try:
            if ":" in text:
                return cls(name, _range([float(part) for part in text.split(":")], text))
            return cls(name, tuple(float(part) for part in text.split(",")))
        except ValueError:
            raise InputError(
                f"{name}={text}: not a number", hint="write N=512, N=64:1024:32 (first:last:step) or N=1,2,4"
            ) from None


@dataclass(frozen=True, slots=True)
class Space:
    """The product of the axes, without the points that break a constraint."""

    axes: tuple[Axis, ...]
    constraints: tuple[Expression, ...] = ()

    @property
    def size(self) -> int:
        """Points before constraints."""
        product = 1
        for axis in self.axes:
            product *= len(axis.values)
        return product

    def points(self) -> Iterator[dict[str, float]]:
        """The points one by one, the last axis changing fastest."""
        names = [axis.name for axis in self.axes]
        for values in itertools.product(*(axis.values for axis in self.axes)):
            point = dict(zip(names, values, strict=True))
            if all(constraint.evaluate(point) for constraint in self.constraints):
                yield point

    def columns(self) -> dict[str, NDArray[np.float64]]:
        """The points as one array for each axis, in the same order."""
        import numpy as np

        grids = np.meshgrid(*(np.asarray(axis.values, dtype=np.float64) for axis in self.axes), indexing="ij")
        columns = {axis.name: grid.ravel() for axis, grid in zip(self.axes, grids, strict=True)}
        keep = np.ones(self.size, dtype=bool)
        for constraint in self.constraints:
            keep &= np.broadcast_to(np.asarray(constraint.evaluate(columns)) != 0, keep.shape)
        return {name: column[keep] for name, column in columns.items()}


def _range(numbers: list[float], text: str) -> tuple[float, ...]:
    first, last, step = (*numbers, 1.0) if len(numbers) == 2 else numbers  # a ValueError for any other count
    if not abs(first) + abs(last) + abs(step) < float("inf") or step == 0 or (last - first) / step < 0:
        raise InputError(f"{text!r} is not a range", hint="write first:last:step")
    count = int((last - first) / step * (1 + 1e-12)) + 1
    if count > _MAX_VALUES:
        raise InputError(f"{text!r} means {count} values, more than {_MAX_VALUES}")
    return tuple(first + index * step for index in range(count))
