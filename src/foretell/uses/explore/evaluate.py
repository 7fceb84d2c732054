"""Evaluates designs: a chunk of points with every model, and a block of chunks into a summary."""

from __future__ import annotations

import math
import pickle
from collections import deque
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from foretell.api import sweep
from foretell.core.columns.box import Box
from foretell.core.columns.space import Axis
from foretell.errors import InputError
from foretell.records import record
from foretell.uses.explore.objectives import Values
from foretell.uses.explore.summary import Accumulator, Points, Summary

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from foretell.core.columns.expression import Expression
    from foretell.uses.explore.store import PointFiles
    from foretell.uses.explore.study import Study

    Floats = NDArray[np.float64]
    Columns = Mapping[str, Floats]


#: designs whose constraints are checked before anything else
_FEW = 1 << 22


@record
class Chunk:
    """Feasible points: a box of them, their times and objectives; and the counts of those left out."""

    box: Box
    numbers: NDArray[np.int64]
    times: list[Floats]
    mean_time: Floats
    objectives: tuple[Floats, ...]
    seen: int
    excluded: int
    infeasible: int

    @property
    def points(self) -> Points:
        """The points in the order of the box."""
        return Points(self.numbers, self.objectives)

    def table(self) -> tuple[Points, Columns, list[Floats]]:
        """Points, parameters and times by ascending number."""
        order = np.argsort(self.numbers)
        columns = {name: self.box.spread(column).take(order) for name, column in self.box.columns.items()}
        return self.points.take(order), columns, [column.take(order) for column in self.times]


def evaluate_block(study: Study, number: int, points: PointFiles | None = None) -> Summary:
    """Computes the summary of one block of the space, and writes all its points into a file where requested."""
    accumulator = empty(study)

    def chunks() -> Iterator[Chunk]:
        for box in study.space.boxes(*study.block(number)):
            chunk = evaluate(study, box)
            _take(accumulator, chunk)
            yield chunk

    if points is None:
        deque(chunks(), maxlen=0)
    else:
        points.write(study, number, chunks())
    return accumulator.summary()


def summarized(study: Study, chunk: Chunk) -> Summary:
    """Summarises one chunk."""
    accumulator = empty(study)
    _take(accumulator, chunk)
    return accumulator.summary()


def empty(study: Study) -> Accumulator:
    """An empty summary."""
    return Accumulator(len(study.objectives), len(study.cases), study.top)


def _take(accumulator: Accumulator, chunk: Chunk) -> None:
    accumulator.count(chunk.seen, chunk.excluded, chunk.infeasible)
    accumulator.add(chunk.points, chunk.times, chunk.mean_time)


def evaluate(study: Study, box: Box) -> Chunk:
    """Evaluates given points: constraints that need no time first, then the models, then the other constraints."""
    seen = box.size
    box = replace(box, columns=followed(study, box.columns))
    state = _State(box, Values(study.figures, box.columns, {}))
    state = _keep(state, study.early)
    excluded = seen - state.box.size
    times, mean = run(study, state.box)
    named = {f"time_{name}": column for name, column in zip(study.applications, times, strict=True)}
    state.values.know({"time": mean, **named})
    able = state.at(np.isfinite(mean)) if not np.max(mean, initial=0.0) < np.inf else state
    infeasible = state.box.size - able.box.size
    late = _keep(able, study.late)
    excluded += able.box.size - late.box.size
    column = late.box.spread
    return Chunk(
        late.box,
        late.box.numbers(),
        [column(late.values[f"time_{name}"]) for name in study.applications],
        column(late.values["time"]),
        tuple(column(late.values[name]) for name in study.objectives),
        seen,
        excluded,
        infeasible,
    )


def evaluate_numbers(study: Study, numbers: list[int]) -> Chunk:
    """Evaluates points by their numbers, ascending."""
    box = Box((len(numbers),), study.space.at(numbers), (np.array(numbers, dtype=np.int64),))
    return evaluate(study, box)


@record
class _State:
    """The remaining points, and their known values."""

    box: Box
    values: Values

    def at(self, holds: NDArray[np.bool_]) -> _State:
        box, take = self.box.keep(holds)
        return _State(box, self.values.at(take, box.columns))


def _keep(state: _State, constraints: tuple[Expression, ...]) -> _State:
    """Keeps the points that satisfy all constraints."""
    for constraint in constraints:
        holds = np.asarray(state.values.evaluate(constraint)) != 0
        if not holds.all():
            state = state.at(np.atleast_1d(holds))
    return state


def possible(study: Study, constraints: tuple[Expression, ...]) -> bool:
    """Whether some design can satisfy constraints that need no time, as far as that is cheap to decide: with all values
    of the axes that they depend on, where those form few designs."""
    axes = [axis for axis in study.space.axes if isinstance(axis, Axis)]
    if not constraints or study.space.sample is not None or 2 ** len(axes) > _FEW:
        return True
    ends = _hold(study, constraints, [axis.array[[0, -1]] for axis in axes])
    ends = ends.reshape((1,) * (len(axes) - ends.ndim) + ends.shape)
    sides = [axis.array if ends.shape[side] > 1 else axis.array[:1] for side, axis in enumerate(axes)]
    return math.prod(len(side) for side in sides) > _FEW or bool(_hold(study, constraints, sides).any())


def _hold(study: Study, constraints: tuple[Expression, ...], sides: list[Floats]) -> NDArray[np.bool_]:
    """Where all constraints hold, along the axes that they depend on."""
    columns = {
        axis.name: values.reshape([-1] + [1] * (len(sides) - 1 - place))
        for place, (axis, values) in enumerate(zip(study.space.axes, sides, strict=True))
    }
    return _satisfied(study, constraints, columns)


def allowed(study: Study, numbers: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Selects the designs that satisfy the constraints which need no time."""
    holds = _satisfied(study, study.early, study.space.at(numbers.tolist()))
    return np.broadcast_to(holds, len(numbers))


def _satisfied(study: Study, constraints: tuple[Expression, ...], axes: Columns) -> NDArray[np.bool_]:
    values = Values(study.figures, followed(study, axes), {})
    result: NDArray[np.bool_] = np.ones(1, dtype=np.bool_)
    for constraint in constraints:
        result = result & (np.asarray(values.evaluate(constraint)) != 0)
    return result


def followed(study: Study, axes: Columns) -> Columns:
    """Adds the columns of parameters that follow from the axes."""
    if not study.follow:
        return axes
    columns = dict(axes)
    for path, expression in study.follow.items():
        value = np.atleast_1d(Values(study.figures, columns, {}).evaluate(expression))
        if not np.min(value, initial=np.inf) > 0:
            raise InputError(f"{path} follows {expression.text!r}, which is not positive at some points")
        columns[path] = value
    return columns


def run(study: Study, box: Box) -> tuple[list[Floats], Floats]:
    """Computes the seconds of every application, and their weighted mean; infinite where one cannot run."""
    if box.size == 0:
        return [np.empty(box.shape)] * len(study.cases), np.empty(box.shape)
    times = [application_times(study, position, box.columns) for position in range(len(study.cases))]
    if len(times) == 1:
        return times, times[0]
    total: Floats = np.zeros(1)
    for weight, column in zip(study.weights, times, strict=True):
        total = total + weight * column
    return times, total / sum(study.weights)


def application_times(study: Study, position: int, columns: Columns) -> Floats:
    """Computes the seconds of one application along the sides of a box that its model reads."""
    case = study.cases[position]
    known = study.reads[position]
    depends = {name: known[name] if name in known else case.depends_on(name) for name in columns}
    try:
        times = sweep(case, {name: column for name, column in columns.items() if depends[name]})
    except InputError as error:
        raise InputError(
            f"{study.applications[position]}: {error.message}",
            hint="set parameters of the [[application]], make them axes, or exclude such points by a constraint",
        ) from None
    if np.isnan(times.min()):
        raise InputError(f"{study.applications[position]}: model {case.model.name} gives no number at some points")
    return times


# -------------------------------------------------------------------------------------- on a worker


def pack(study: Study) -> bytes:
    """Serialises a study for a worker on any machine."""
    return pickle.dumps(study, protocol=5)


def work(packed: bytes, number: int, points: PointFiles | None = None) -> Summary:
    """Evaluates one block on a worker; the study is unpacked once."""
    return evaluate_block(_unpacked(packed), number, points)


@lru_cache(maxsize=4)
def _unpacked(packed: bytes) -> Study:
    # The C library returns memory that arrays of a chunk free at once, and the kernel maps it anew, page by page: three
    # times the cost of the arithmetic. Freeing one block of this size raises glibc's threshold.
    np.empty(31 << 17)
    study: Study = pickle.loads(packed)
    return study
