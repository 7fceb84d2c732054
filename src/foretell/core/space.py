"""A space of designs: named axes, taken as a grid, as a sample, or as both, and constraints between them.

Points are numbered, and any run of numbers can be had as arrays without the points before it: a space of 10⁹
designs costs no memory, and several machines can share it.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from foretell.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    from foretell.core.expression import Expression

    Columns = dict[str, NDArray[np.float64]]

#: a range written by hand never means more values than this
_MAX_VALUES = 10_000_000
#: points that are handled at once: columns of half a megabyte stay in the cache
CHUNK = 1 << 16

Method = Literal["random", "sobol"]


@dataclass(frozen=True)
class Axis:
    """A parameter and the values it takes."""

    name: str
    values: tuple[float, ...]

    @classmethod
    def parse(cls, name: str, text: str) -> Axis:
        """'512', '64:1024:32' (first:last:step, last included if it is reached) or '1,2,4,8'."""
        try:
            if ":" in text:
                return cls(name, steps([float(part) for part in text.split(":")], text))
            return cls(name, tuple(float(part) for part in text.split(",")))
        except ValueError:
            raise InputError(
                f"{name}={text}: not a number", hint="write N=512, N=64:1024:32 (first:last:step) or N=1,2,4"
            ) from None

    @cached_property
    def array(self) -> NDArray[np.float64]:
        """The values as an array."""
        import numpy as np

        return np.asarray(self.values, dtype=np.float64)

    def __reduce__(self) -> tuple[type[Axis], tuple[str, tuple[float, ...]]]:
        return Axis, (self.name, self.values)  # what is cached stays at home

    def cycle(self, run: int, start: int, stop: int) -> NDArray[np.float64]:
        """Elements of the endless sequence that repeats each value `run` times, again and again.

        Fast axes are views of one stored pattern, slow ones a few long runs: dividing every index would cost as
        much as a small model.
        """
        import numpy as np

        period = run * len(self.values)
        if period <= CHUNK and stop - start <= CHUNK:
            return self._pattern(run)[start % period :][: stop - start]
        first, last = start // run, -(-stop // run)
        runs = self.array[np.arange(first, last) % len(self.values)]
        lengths = np.full(last - first, run)
        lengths[-1:] -= last * run - stop
        lengths[:1] -= start - first * run
        return np.repeat(runs, lengths)

    def _pattern(self, run: int) -> NDArray[np.float64]:
        """At least one chunk and one period of the sequence."""
        import numpy as np

        patterns: dict[int, NDArray[np.float64]] = self.__dict__.setdefault("_patterns", {})
        if run not in patterns:
            period = np.repeat(self.array, run)
            patterns[run] = np.tile(period, CHUNK // period.size + 2)
            patterns[run].flags.writeable = False
        return patterns[run]

    def at(self, share: NDArray[np.float64]) -> NDArray[np.float64]:
        """The values at shares in [0, 1) of the axis, each value equally often."""
        import numpy as np

        return self.array[(share * len(self.values)).astype(np.int64)]


@dataclass(frozen=True, slots=True)
class Range:
    """A parameter that takes every value between two, evenly or evenly in its logarithm; counts are rounded."""

    name: str
    low: float
    high: float
    log: bool = False
    whole: bool = False

    def at(self, share: NDArray[np.float64]) -> NDArray[np.float64]:
        """The values at shares in [0, 1) of the range."""
        import numpy as np

        if self.log:
            value = self.low * np.exp(share * math.log(self.high / self.low))
        else:
            value = self.low + share * (self.high - self.low)
        value = np.rint(value) if self.whole else value
        return np.clip(value, self.low, self.high)


@dataclass(frozen=True, slots=True)
class Sample:
    """`points` samples of the named axes, for each point of the grid that the other axes make."""

    method: Method
    points: int
    axes: tuple[str, ...]
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Space:
    """The product of the axes, or a sample of it, without the points that break a constraint."""

    axes: tuple[Axis | Range, ...]
    constraints: tuple[Expression, ...] = ()
    sample: Sample | None = None

    def __post_init__(self) -> None:
        sampled = self.sample.axes if self.sample else ()
        for axis in self.axes:
            if isinstance(axis, Range) and axis.name not in sampled:
                raise InputError(
                    f"{axis.name}: a range without steps can only be sampled",
                    hint="give it a step or a count, or ask for a sample",
                )

    @property
    def size(self) -> int:
        """Points before constraints."""
        return math.prod(len(axis.values) for axis in self._grid) * (self.sample.points if self.sample else 1)

    @property
    def _grid(self) -> tuple[Axis, ...]:
        sampled = self.sample.axes if self.sample else ()
        return tuple(axis for axis in self.axes if isinstance(axis, Axis) and axis.name not in sampled)

    def points(self) -> Iterator[dict[str, float]]:
        """The points one by one, the last axis changing fastest."""
        if self.sample is not None:
            raise InputError("the points of a sample are had by block")
        names = [axis.name for axis in self.axes]
        for values in itertools.product(*(axis.values for axis in self._grid)):
            point = dict(zip(names, values, strict=True))
            if all(constraint.evaluate(point) for constraint in self.constraints):
                yield point

    def point(self, index: int) -> dict[str, float]:
        """One point by its number."""
        return {name: float(column[0]) for name, column in self.block(index, index + 1).items()}

    def block(self, start: int, stop: int) -> Columns:
        """The points number `start` to `stop` - 1 as one array for each axis; constraints are not looked at."""
        if not 0 <= start <= stop <= self.size:
            raise ValueError(f"no points {start} to {stop} in a space of {self.size}")
        found = self._sampled(start, stop) if self.sample else {}
        stride = self.sample.points if self.sample else 1
        for axis in reversed(self._grid):
            found[axis.name] = axis.cycle(stride, start, stop)
            stride *= len(axis.values)
        return {axis.name: found[axis.name] for axis in self.axes}

    def columns(self) -> Columns:
        """All points that keep the constraints, as one array for each axis."""
        import numpy as np

        columns = self.block(0, self.size)
        keep = np.ones(self.size, dtype=bool)
        for constraint in self.constraints:
            keep &= np.broadcast_to(np.asarray(constraint.evaluate(columns)) != 0, keep.shape)
        return {name: column[keep] for name, column in columns.items()}

    def _sampled(self, start: int, stop: int) -> Columns:
        import numpy as np

        assert self.sample is not None
        by_name = {axis.name: axis for axis in self.axes}
        result = {}
        for dimension, name in enumerate(self.sample.axes):
            pieces = [
                _shares(self.sample, dimension, first, last)
                for first, last in _wrapped(start, stop, self.sample.points)
            ]
            share = pieces[0] if len(pieces) == 1 else np.concatenate([np.empty(0), *pieces])
            result[name] = by_name[name].at(share)
        return result


def _wrapped(start: int, stop: int, size: int) -> Iterator[tuple[int, int]]:
    """The runs that a range makes when it is counted modulo `size`."""
    while start < stop:
        first = start % size
        last = min(size, first + stop - start)
        yield first, last
        start += last - first


def _shares(sample: Sample, dimension: int, start: int, stop: int) -> NDArray[np.float64]:
    from foretell.core import sampling

    if sample.method == "sobol":
        return sampling.sobol(start, stop, dimension, _shift(sample.seed, dimension))
    return sampling.uniform(start, stop, dimension, sample.seed)


def _shift(seed: int, dimension: int) -> int:
    """The digital shift of a Sobol sequence; seed 0 is the sequence itself."""
    if seed == 0:
        return 0
    import numpy as np

    from foretell.core import sampling

    return int(sampling.hashed(np.zeros(1, dtype=np.uint64), dimension, seed)[0] >> np.uint64(32))


def steps(numbers: list[float], text: str) -> tuple[float, ...]:
    """The values of [first, last] or [first, last, step]; ValueError for any other count of numbers."""
    first, last, step = (*numbers, 1.0) if len(numbers) == 2 else numbers
    if not abs(first) + abs(last) + abs(step) < float("inf") or step == 0 or (last - first) / step < 0:
        raise InputError(f"{text!r} is not a range", hint="write first:last:step")
    count = int((last - first) / step * (1 + 1e-12)) + 1
    if count > _MAX_VALUES:
        raise InputError(f"{text!r} means {count} values, more than {_MAX_VALUES}")
    return tuple(first + index * step for index in range(count))
