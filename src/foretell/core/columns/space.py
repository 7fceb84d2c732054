"""A design space: named axes, sampled as a grid, at random, or both, and constraints between them.

Points are numbered, and any range of numbers can be generated as arrays without the points before it: a space of 10⁹
designs needs no memory, and several machines can share it.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from foretell.errors import InputError
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from foretell.core.columns.box import Box
    from foretell.core.columns.expression import Expression

    Columns = dict[str, NDArray[np.float64]]

#: maximum number of values of a user-written range
_MAX_VALUES = 10_000_000
#: points per chunk: columns of half a megabyte stay in the cache
CHUNK = 1 << 16

Method = Literal["random", "sobol"]


@dataclass(frozen=True)
class Axis:
    """A parameter and the values it takes."""

    name: str
    values: tuple[float, ...]

    @classmethod
    def parse(cls, name: str, text: str) -> Axis:
        """Parses '512', '64:1024:32' (first:last:step, last included if it is reached) or '1,2,4,8'."""
        try:
            if ":" in text:
                return cls(name, steps([float(part) for part in text.split(":")], text))
            return cls(name, tuple(float(part) for part in text.split(",")))
        except ValueError:
            hint = "write N=512, N=64:1024:32 (first:last:step) or N=1,2,4"
            raise InputError(f"{name}={text}: not a number", hint=hint) from None

    @cached_property
    def array(self) -> NDArray[np.float64]:
        import numpy as np

        return np.asarray(self.values, dtype=np.float64)

    def __reduce__(self) -> tuple[type[Axis], tuple[str, tuple[float, ...]]]:
        return Axis, (self.name, self.values)  # cached values are not pickled

    def at(self, share: NDArray[np.float64]) -> NDArray[np.float64]:
        """Maps fractions in [0, 1) to values of the axis, each value equally often."""
        import numpy as np

        return self.array[(share * len(self.values)).astype(np.int64)]


@record
class Range:
    """A continuous parameter between two values, uniform or log-uniform; counts are rounded."""

    name: str
    low: float
    high: float
    log: bool = False
    whole: bool = False

    def at(self, share: NDArray[np.float64]) -> NDArray[np.float64]:
        """Maps fractions in [0, 1) to values of the range."""
        import numpy as np

        growth = np.exp(share * math.log(self.high / self.low)) if self.log else None
        value = self.low + share * (self.high - self.low) if growth is None else self.low * growth
        return np.clip(np.rint(value) if self.whole else value, self.low, self.high)


@record
class Sample:
    """`points` samples of the named axes, for each point of the grid of the other axes."""

    method: Method
    points: int
    axes: tuple[str, ...]
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Space:
    """The product of the axes, or a sample of it, without the points that violate a constraint."""

    axes: tuple[Axis | Range, ...]
    constraints: tuple[Expression, ...] = ()
    sample: Sample | None = None

    def __post_init__(self) -> None:
        sampled = self.sample.axes if self.sample else ()
        for axis in self.axes:
            if isinstance(axis, Range) and axis.name not in sampled:
                hint = "give it a step or a count, or ask for a sample"
                raise InputError(f"{axis.name}: a range without steps can only be sampled", hint=hint)

    @property
    def size(self) -> int:
        """Number of points before constraints."""
        return math.prod(self._lengths)

    @property
    def _grid(self) -> tuple[Axis, ...]:
        sampled = self.sample.axes if self.sample else ()
        return tuple(axis for axis in self.axes if isinstance(axis, Axis) and axis.name not in sampled)

    def points(self) -> Iterator[dict[str, float]]:
        """Iterates over the points, the last axis changing fastest."""
        if self.sample is not None:
            raise InputError("the points of a sample are had by block")
        names = [axis.name for axis in self.axes]
        for values in itertools.product(*(axis.values for axis in self._grid)):
            point = dict(zip(names, values, strict=True))
            if all(constraint.evaluate(point) for constraint in self.constraints):
                yield point

    def point(self, index: int) -> dict[str, float]:
        """Returns one point by its number."""
        return {name: float(column[0]) for name, column in self.at([index]).items()}

    def at(self, numbers: Sequence[int]) -> Columns:
        """Returns points by their numbers, as one array per axis."""
        import numpy as np

        index = np.asarray(numbers, dtype=np.int64)
        steps = [index // stride % length for stride, length in zip(self._strides, self._lengths, strict=True)]
        columns = {axis.name: axis.array[step] for axis, step in zip(self._grid, steps, strict=False)}
        if self.sample:
            drawn = [self._sampled(k, k + 1) for k in steps[-1].tolist()]
            columns |= {name: np.concatenate([np.empty(0), *(row[name] for row in drawn)]) for name in self.sample.axes}
        return {axis.name: columns[axis.name] for axis in self.axes}

    def block(self, start: int, stop: int) -> Columns:
        """Returns points `start` to `stop` - 1 as one array per axis; constraints are ignored."""
        import numpy as np

        boxes = [(box, np.argsort(box.numbers())) for box in self.boxes(start, stop)]
        return {
            name: np.concatenate([np.empty(0), *(box.spread(box.columns[name])[order] for box, order in boxes)])
            for name in (axis.name for axis in self.axes)
        }

    def boxes(self, start: int, stop: int) -> Iterator[Box]:
        """Splits the points into boxes of at most one chunk, each a range of numbers in which the slow axes are
        constant."""
        if not 0 <= start <= stop <= self.size:
            raise ValueError(f"no points {start} to {stop} in a space of {self.size}")
        lengths, strides = self._lengths, self._strides
        while start < stop:
            most = min(CHUNK, stop - start)
            side = next(n for n, stride in enumerate(strides) if stride <= most and start % stride == 0)
            stride, first = strides[side], start // strides[side] % lengths[side]
            count = min(lengths[side] - first, most // stride)
            outer = [(start // s % n, 1) for s, n in zip(strides[:side], lengths, strict=False)]
            inner = [(0, length) for length in lengths[side + 1 :]]
            yield self._box([*outer, (first, count), *inner], strides)
            start += count * stride

    @property
    def grain(self) -> int:
        """Granularity for cutting a space: the points of all fast axes that fit into a chunk."""
        return next(points for points in (self.size, *self._strides) if points <= CHUNK)

    @property
    def _lengths(self) -> list[int]:
        """Lengths of the independent dimensions: the axes of the grid, and the sample as the fastest one."""
        return [len(axis.values) for axis in self._grid] + ([self.sample.points] if self.sample else [])

    @property
    def _strides(self) -> list[int]:
        """Differences between the numbers of neighbouring points along each dimension."""
        lengths = self._lengths
        return [math.prod(lengths[side + 1 :]) for side in range(len(lengths))]

    def _box(self, spans: list[tuple[int, int]], strides: list[int]) -> Box:
        """Builds a box from first index and count along every dimension; short dimensions come first."""
        import numpy as np

        from foretell.core.columns.box import Box

        long = sorted((n for n, (_, count) in enumerate(spans) if count > 1), key=lambda n: spans[n][1])
        shape = tuple(spans[n][1] for n in long) or (1,)

        def along(side: int, values: NDArray[Any]) -> NDArray[Any]:
            return values.reshape([-1] + [1] * (len(long) - 1 - long.index(side))) if side in long else values

        columns = {
            axis.name: along(side, axis.array[first : first + count])
            for side, (axis, (first, count)) in enumerate(zip(self._grid, spans, strict=False))
        }
        if self.sample:
            first, count = spans[-1]
            drawn = self._sampled(first, first + count)
            columns |= {name: along(len(spans) - 1, values) for name, values in drawn.items()}
        origin = sum(first * stride for (first, _), stride in zip(spans, strides, strict=True))
        steps = [along(n, np.arange(spans[n][1], dtype=np.int64) * strides[n]) for n in long]
        columns = {axis.name: columns[axis.name] for axis in self.axes}
        return Box(shape, columns, (np.array([origin], dtype=np.int64), *steps))

    def columns(self) -> Columns:
        """Returns all points that satisfy the constraints, as one array per axis."""
        import numpy as np

        columns = self.block(0, self.size)
        keep = np.ones(self.size, dtype=bool)
        for constraint in self.constraints:
            keep &= np.broadcast_to(np.asarray(constraint.evaluate(columns)) != 0, keep.shape)
        return {name: column[keep] for name, column in columns.items()}

    def _sampled(self, first: int, last: int) -> Columns:
        assert self.sample is not None
        by_name = {axis.name: axis for axis in self.axes}
        return {
            name: by_name[name].at(_shares(self.sample, dimension, first, last))
            for dimension, name in enumerate(self.sample.axes)
        }


def _shares(sample: Sample, dimension: int, start: int, stop: int) -> NDArray[np.float64]:
    from foretell.core.columns import sampling

    if sample.method == "sobol":
        return sampling.sobol(start, stop, dimension, sampling.digital_shift(dimension, sample.seed))
    return sampling.uniform(start, stop, dimension, sample.seed)


def steps(numbers: list[float], text: str) -> tuple[float, ...]:
    """Returns the values of [first, last] or [first, last, step]; ValueError for any other length."""
    first, last, step = (*numbers, 1.0) if len(numbers) == 2 else numbers
    if not abs(first) + abs(last) + abs(step) < float("inf") or step == 0 or (last - first) / step < 0:
        raise InputError(f"{text!r} is not a range", hint="write first:last:step")
    length = (last - first) / step * (1 + 1e-12)  # may be infinite
    if length >= _MAX_VALUES:
        raise InputError(f"{text!r} means {length + 1:.7g} values, more than {_MAX_VALUES}")
    count = int(length) + 1
    return tuple(first + index * step for index in range(count))
