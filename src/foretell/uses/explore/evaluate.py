"""Designs evaluated: a chunk of points through every model, and a block of chunks into a summary."""

from __future__ import annotations

import pickle
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from foretell.core.space import CHUNK
from foretell.door import sweep
from foretell.errors import InputError
from foretell.uses.explore.objectives import Values
from foretell.uses.explore.summary import Accumulator, Points, Summary

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from foretell.core.expression import Expression, Value
    from foretell.uses.explore.store import PointFiles
    from foretell.uses.explore.study import Study

    Floats = NDArray[np.float64]
    Columns = Mapping[str, Floats]


@dataclass(frozen=True)
class Chunk:
    """Points that can be built and run: their numbers, parameters, times and objectives; and who was left out."""

    points: Points
    columns: Columns
    times: list[Floats]
    mean_time: Floats
    seen: int
    excluded: int
    infeasible: int


def evaluate_block(study: Study, number: int) -> Summary:
    """The summary of one block of the space."""
    accumulator = empty(study)
    for chunk in chunks(study, number):
        _take(accumulator, chunk)
    return accumulator.summary()


def summarized(study: Study, chunk: Chunk) -> Summary:
    """What is kept of one chunk."""
    accumulator = empty(study)
    _take(accumulator, chunk)
    return accumulator.summary()


def empty(study: Study) -> Accumulator:
    """The summary of nothing yet."""
    return Accumulator(len(study.objectives), len(study.cases), study.top)


def _take(accumulator: Accumulator, chunk: Chunk) -> None:
    accumulator.count(chunk.seen, chunk.excluded, chunk.infeasible)
    accumulator.add(chunk.points, chunk.times, chunk.mean_time)


def chunks(study: Study, number: int) -> Iterator[Chunk]:
    """A block, a chunk at a time."""
    first, last = study.block(number)
    for start in range(first, last, CHUNK):
        stop = min(last, start + CHUNK)
        index = np.arange(start, stop, dtype=np.int64)
        yield evaluate(study, index, study.space.block(start, stop))


def evaluate(study: Study, index: NDArray[np.int64], axes: Columns) -> Chunk:
    """Given points: constraints that need no time first, then the models, then the rest."""
    seen = int(index.size)
    columns = followed(study, axes)
    state = _State(index, columns, Values(study.figures, columns, {}), [], np.empty(0))
    state = _keep(state, study.early)
    excluded = seen - state.size
    times, mean = run(study, state.columns, state.size)
    state = replace(state, times=times, mean=mean)
    named = {f"time_{name}": column for name, column in zip(study.applications, times, strict=True)}
    state.values.know({"time": mean, **named})
    runs = np.isfinite(mean)
    infeasible = state.size - int(np.count_nonzero(runs))
    if infeasible:
        state = state.at(np.flatnonzero(runs))
    late = _keep(state, study.late)
    excluded += state.size - late.size
    objectives = tuple(_column(late.values[name], late.size) for name in study.objectives)
    return Chunk(
        Points(late.index, objectives), late.columns, late.times, late.mean, seen, excluded, infeasible
    )


def evaluate_numbers(study: Study, numbers: list[int]) -> Chunk:
    """Points by their numbers."""
    points = [study.space.block(number, number + 1) for number in numbers]
    columns = {axis.name: np.concatenate([point[axis.name] for point in points]) for axis in study.space.axes}
    return evaluate(study, np.array(numbers, dtype=np.int64), columns)


@dataclass(frozen=True, slots=True)
class _State:
    """Points that are still in."""

    index: NDArray[np.int64]
    columns: Columns
    values: Values
    times: list[Floats]
    mean: Floats

    @property
    def size(self) -> int:
        return int(self.index.size)

    def at(self, rows: NDArray[np.int64]) -> _State:
        columns = {name: column.take(rows) for name, column in self.columns.items()}
        times = [column.take(rows) for column in self.times]
        mean = self.mean.take(rows) if self.times else self.mean
        return _State(self.index.take(rows), columns, self.values.at(rows, columns), times, mean)


def _keep(state: _State, constraints: tuple[Expression, ...]) -> _State:
    """The points that keep all constraints."""
    holds: Any = None
    for constraint in constraints:
        each = np.broadcast_to(np.asarray(state.values.evaluate(constraint)) != 0, state.size)
        holds = each if holds is None else holds & each
    return state if holds is None or holds.all() else state.at(np.flatnonzero(holds))


def followed(study: Study, axes: Columns) -> Columns:
    """The columns together with those of parameters that follow from them."""
    if not study.follow:
        return axes
    columns = dict(axes)
    size = next(iter(axes.values())).size
    for path, expression in study.follow.items():
        value = Values(study.figures, columns, {}).evaluate(expression)
        if not np.min(value) > 0:
            raise InputError(f"{path} follows {expression.text!r}, which is not positive at some points")
        columns[path] = _column(value, size)
    return columns


def run(study: Study, columns: Columns, size: int) -> tuple[list[Floats], Floats]:
    """Seconds of every application, and their weighted mean; infinite where one cannot run."""
    times = [application_times(study, position, columns, size) for position in range(len(study.cases))]
    if len(times) == 1:
        return times, times[0]
    total = np.zeros(size)
    for weight, column in zip(study.weights, times, strict=True):
        total += weight * column
    return times, total / sum(study.weights)


def application_times(study: Study, position: int, columns: Columns, size: int) -> Floats:
    """Seconds of one application at every point."""
    case = study.cases[position]
    if size == 0:
        return np.empty(0)
    known = study.reads[position]
    read = {
        name: column
        for name, column in columns.items()
        if (known[name] if name in known else case.depends_on(name))
    }
    try:
        times = sweep(case, read)
    except InputError as error:
        raise InputError(
            f"{study.applications[position]}: {error.message}",
            hint="set parameters of the [[application]], make them axes, or exclude such points by a constraint",
        ) from None
    if np.isnan(times.min()):
        raise InputError(
            f"{study.applications[position]}: model {case.model.name} gives no number at some points"
        )
    return times if times.size == size else np.full(size, float(times[0]))


def _column(value: Value, size: int) -> Floats:
    return np.ascontiguousarray(np.broadcast_to(np.asarray(value, dtype=np.float64), size))


# -------------------------------------------------------------------------------------- on a worker


def pack(study: Study) -> bytes:
    """A study as a worker on any machine takes it."""
    return pickle.dumps(study, protocol=5)


def work(packed: bytes, number: int) -> Summary:
    """One block, on a worker; the study is unpacked once."""
    return evaluate_block(_unpacked(packed), number)


def work_and_write(packed: bytes, number: int, points: PointFiles) -> Summary:
    """The same, and all points of the block go into a file."""
    study = _unpacked(packed)
    accumulator = empty(study)

    def watched() -> Iterator[Chunk]:
        for chunk in chunks(study, number):
            _take(accumulator, chunk)
            yield chunk

    points.write(study, number, watched())
    return accumulator.summary()


@lru_cache(maxsize=4)
def _unpacked(packed: bytes) -> Study:
    _keep_freed_memory()
    study: Study = pickle.loads(packed)
    return study


def _keep_freed_memory() -> None:
    """Lets the C library keep what arrays of a chunk leave behind.

    By default it gives such memory back at once and the kernel hands it out anew, page by page: three times the cost
    of the arithmetic. Freeing one block of this size raises the limit of glibc; elsewhere nothing happens.
    """
    np.empty(31 << 17)
