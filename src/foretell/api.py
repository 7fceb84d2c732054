"""Public API: predicts the time of a code on a machine."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from foretell import frontends, limits, machines, models
from foretell.core.answers.answers import Predictions, Refusal
from foretell.core.answers.description import BlockOccupancy
from foretell.core.machine.machine import Machine
from foretell.core.machine.parameters import current, known
from foretell.core.machine.siblings import leading, siblings
from foretell.core.workload import Workload
from foretell.errors import InputError, MachineError
from foretell.frontends import Reader
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Unpack

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from foretell.codegen.assembly.instruction import Instruction
    from foretell.core.answers.prediction import Mode, Prediction
    from foretell.frontends import Reading
    from foretell.models.base import Model, Settings

#: points per batch of a sweep, so that its columns stay in the cache
_STRETCH = 1 << 16

Code = Workload | str | Path
On = Machine | str | Path


@record
class Case:
    """A workload, a machine, and the model that will answer, with its settings."""

    workload: Workload
    #: with estimates for what its file lacks, but in paper mode
    machine: Machine
    model: Model
    settings: Settings

    def __repr__(self) -> str:
        return f"<Case {self.workload.name} on {self.machine.name}, model {self.model.name}>"

    def predict(self) -> Prediction:
        """Runs the model and returns its prediction."""
        try:
            with limits.watched(f"the prediction of {self.workload.name}"):
                prediction = self.model.predict(self.workload, self.machine, self.settings)
                return next(iter(self._with_estimates([prediction])))
        except MachineError as error:  # perhaps the wrong model, because the front end skipped code
            hints = [hint for hint in (error.hint, *self.workload.assumptions) if hint]
            raise MachineError(error.message, hint="; ".join(hints)) from None

    def predict_many(self, points: Sequence[Mapping[str, float]]) -> list[Prediction | InputError]:
        """Predicts at many values of the workload's parameters, vectorised where the model can; a point that cannot be
        predicted yields the error that explains it."""
        try:
            for point in points[:1]:
                self.workload.with_parameters(point)
        except InputError as error:
            return [error] * len(points)
        expanded = [self.workload.expanded(point) for point in points]
        with limits.watched(f"the prediction of {self.workload.name}", len(points)):
            answers = self.model.predict_many(self.workload, self.machine, self.settings, expanded)
        told = iter(self._with_estimates([answer for answer in answers if not isinstance(answer, InputError)]))
        return [answer if isinstance(answer, InputError) else next(told) for answer in answers]

    def _with_estimates(self, predictions: Sequence[Prediction]) -> list[Prediction]:
        """Names the estimates that predictions depend on, and widens their intervals."""
        from foretell.models import estimated

        spreads = estimated.spreads(self.model, self.workload, self.machine, self.settings, predictions)
        told = [spread.applied(prediction) for prediction, spread in zip(predictions, spreads, strict=True)]
        idle = self._without_effect(predictions)
        return [replace(answer, assumptions=(*answer.assumptions, *idle)) for answer in told] if idle else told

    def _without_effect(self, predictions: Sequence[Prediction]) -> tuple[str, ...]:
        """Names the numbers that the user set and that do not change any of the times (of many, the first and last)."""
        override = self.machine.override
        if override is None or not predictions:
            return ()
        ends = predictions[:: max(1, len(predictions) - 1)]
        kept = {path: {p: v for p, v in override.values.items() if p != path} for path in override.values}
        return tuple(
            f"{path} was set; it has no effect on this time"
            for path, others in kept.items()
            if all(self._time(override.machine.overridden(others), end) == end.time_s for end in ends)
        )

    def _time(self, machine: Machine, like: Prediction) -> float | None:
        """The time on another machine, at the sizes of a prediction; None where there is none."""
        whole = machine if self.settings.mode == "paper" else machines.completed(machine)
        known_sizes = {
            n: v for n, v in like.parameters.items() if n in self.workload.symbols | {*self.workload.parameters}
        }
        try:
            workload = self.workload.with_parameters(known_sizes)
            return self.model.predict(workload, whole, self.settings).time_s
        except InputError:
            return None

    def for_many(self) -> Case:
        """Returns the case with the model's settings for very many points."""
        return replace(self, settings=self.model.for_many(self.settings))

    def at_points(self, points: int) -> Case:
        """Returns the case with the model's settings for this number of points."""
        return self if points <= self.model.many else self.for_many()

    def depends_on(self, name: str) -> bool:
        """Whether a machine parameter (a path) or a workload parameter can be a column of a sweep."""
        if known(name):
            return not {name, *siblings(self.machine, name)}.isdisjoint(self.model.reads(self.machine))
        return name in self.workload.symbols or name in self.workload.parameters


def prepare(
    code: Code,
    on: On,
    *,
    parameters: Mapping[str, float] | None = None,
    mode: Mode = "default",
    model: str | None = None,
    options: Mapping[str, str] | None = None,
    **reading: Unpack[Reading],
) -> Case:
    """Loads inputs given by name and chooses a model by the facets present, or reports the missing facet. `reading`
    selects the part of a file and how GPU code is launched (`frontends.ReadOptions`)."""
    reader = Reader(code, frontends.read_options(**reading))
    machine = loaded(on)
    workload = reader.workload(machine)
    if parameters:
        workload = workload.with_parameters(parameters)
    workload = workload.resolved(machines.load)
    whole = machine
    if mode != "paper":  # literal equations take literal numbers
        whole, workload = machines.completed(machine), workload.with_baseline(machines.completed)
    chosen = _choose(workload, whole, model)
    settings = chosen.settings(mode, options)
    if model is None and (other := chosen.instead(workload, whole, settings)) is not None:
        workload, chosen = other, _choose(other, whole, None)
        settings = chosen.settings(mode, options)
    return Case(workload, whole, chosen, settings)


def loaded(on: On) -> Machine:
    """Loads a machine by name or file; returns a `Machine` unchanged."""
    return on if isinstance(on, Machine) else machines.load(on)


def predict(
    code: Code,
    on: On,
    *,
    parameters: Mapping[str, float] | None = None,
    mode: Mode = "default",
    model: str | None = None,
    options: Mapping[str, str] | None = None,
    **reading: Unpack[Reading],
) -> Prediction:
    """Predicts the time of `code` on a machine, with bounds, parts and assumptions.

    `code` is a workload or a file; `on` a machine, its name, or a machine file. `parameters` sets sizes, `mode` is
    "default" or "paper" (the literal equations), `model` forces a model, `options` are its settings. The other keywords
    are the options of the command line: `kernel`, and for GPU code `grid`, `block`, `args`, `launch`, ….
    """
    case = prepare(code, on, parameters=parameters, mode=mode, model=model, options=options, **reading)
    return case.predict()


def predict_many(
    code: Code | Reader,
    on: On,
    points: Sequence[Mapping[str, float]] = ({},),
    *,
    mode: Mode = "default",
    model: str | None = None,
    options: Mapping[str, str] | None = None,
    **reading: Unpack[Reading],
) -> Predictions:
    """Predicts the time of `code` at many points: values of its parameters, the same names in each. For a file of
    launches, predicts every launch at every point.

    Points that cannot run are refused, each with its reason; the others are still predicted.
    """
    reader = code if isinstance(code, Reader) else Reader(code, frontends.read_options(**reading))
    machine = loaded(on)
    workloads = reader.workloads(machine)
    predictions, refused = [], []
    for workload in workloads:
        label = f"{workload.name} {machine.name}" if len(workloads) > 1 else machine.name
        try:
            found = prepare(workload, machine, mode=mode, model=model, options=options).predict_many(points)
        except InputError as error:
            if len(workloads) == 1:
                raise
            found = [error] * len(points)
        for point, answer in zip(points, found, strict=True):
            if isinstance(answer, InputError):
                sizes = ", ".join(f"{name}={value:g}" for name, value in point.items())
                refused.append(Refusal(f"{label} {sizes}".strip(), answer.message))
            else:
                predictions.append(answer)
    return Predictions(tuple(predictions), tuple(refused))


def sweep(case: Case, columns: Mapping[str, ArrayLike]) -> NDArray[np.float64]:
    """Computes the time in seconds at many design points at once.

    A column is named by a machine parameter (`memory.bandwidth`) or a workload parameter (`N`) and holds one value per
    point, or has dimensions that broadcast as numpy's do; the time of points that cannot run is infinite. A bandwidth
    moves its siblings (read, copy, of one core, …) in proportion, unless they have columns of their own. For very many
    points (over 10,000) some models use a faster form, as their documentation states.
    """
    import numpy as np

    from foretell.core.columns.box import spread

    arrays = {current(name): np.atleast_1d(np.asarray(column, dtype=np.float64)) for name, column in columns.items()}
    shape = _check_columns(case, arrays)
    arrays = _with_siblings(case, case.workload.expanded(arrays))
    points = math.prod(shape)
    case = case.at_points(points)
    if case.model.broadcasts and points <= _STRETCH:
        return case.model.sweep(case.workload, case.machine, case.settings, arrays)
    flat = {name: spread(column, shape) for name, column in arrays.items()}
    times = np.empty(points)
    for first in range(0, points, _STRETCH):
        stretch = slice(first, first + _STRETCH)
        part = {name: column if column.size == 1 else _shortest(column[stretch]) for name, column in flat.items()}
        times[stretch] = case.model.sweep(case.workload, case.machine, case.settings, part)
    return times.reshape(shape)


def _with_siblings(case: Case, columns: Mapping[str, NDArray[np.float64]]) -> dict[str, NDArray[np.float64]]:
    """The columns that the model reads, and those of the parameters that they move."""
    read, machine = case.model.reads(case.machine), case.machine
    moved = {name: column for name, column in columns.items() if not known(name) or name in read}
    for path in read:
        leader = leading(machine, columns, path)
        if leader is not None:
            moved[path] = columns[leader] * (machine.value(path) / machine.value(leader))
    return moved


def _shortest(column: NDArray[np.float64]) -> NDArray[np.float64]:
    """Reduces a constant column (a slow axis of a grid) to one value, so that models compute its dependents once."""
    same = column[0] == column[-1] and bool((column == column[0]).all())
    return column[:1] if same else column


def _check_columns(case: Case, columns: Mapping[str, NDArray[np.float64]]) -> tuple[int, ...]:
    """Returns the shape to which all columns broadcast; raises InputError for incompatible or unsupported columns."""
    import numpy as np

    try:
        shape = np.broadcast_shapes(*(column.shape for column in columns.values())) or (1,)
    except ValueError:
        sizes = sorted({column.size for column in columns.values()})
        raise InputError(f"the columns of a sweep have different lengths: {', '.join(map(str, sizes))}") from None
    used = case.model.reads(case.machine)
    for name, column in columns.items():
        machines_own = known(name)
        if machines_own and {name, *siblings(case.machine, name)}.isdisjoint(used):
            raise InputError(
                f"model {case.model.name} does not depend on {name!r}", hint="it depends on: " + ", ".join(used)
            )
        if not machines_own:
            case.workload.with_parameters({name: 1.0})  # raises for an unknown parameter
        low, high = column.min(initial=1.0), column.max(initial=1.0)  # nan if any value is nan
        if not (low > (0.0 if machines_own else -np.inf) and high < np.inf):
            raise InputError(f"the column {name!r} holds values that are not finite and positive")
    return shape


def _choose(workload: Workload, machine: Machine, name: str | None) -> Model:
    if name is not None:
        model = models.get(name)
        lacking = [facet.__name__ for facet in model.facets if workload.find(facet) is None]
        if lacking:
            raise InputError(f"{_needs(model)}; {_given(workload)}")
        return model
    able = answering(workload)
    if not able:
        every = [models.get(name) for name in models.names()]
        raise InputError(f"no model can answer: {_given(workload)}", hint="; ".join(_needs(model) for model in every))
    fitting = [name for name in able if all(path in machine for path in models.get(name).parameters)]
    return models.get((fitting or able)[0])


def answering(workload: Workload) -> tuple[str, ...]:
    """Returns the models whose required facets are all present, the preferred one first."""
    present = {cls.__name__ for facet in workload.facets for cls in type(facet).__mro__}
    likely = [name for name in models.names() if models.needed_facet(name) in present]  # the others are not loaded
    return tuple(name for name in likely if all(workload.find(facet) is not None for facet in models.get(name).facets))


def knows_reorder_window(machine: Machine) -> bool:
    """Whether the machine file gives the size of the reorder buffer."""
    from foretell.models.cpu.incore import ooo_window

    return ooo_window.known(machine)


def block_occupancy(machine: Machine, threads: int, registers: int, shared_bytes: int) -> BlockOccupancy:
    """Computes how many blocks of this size are resident on a multiprocessor of a GPU."""
    from foretell.models.gpu.occupancy import occupancy

    warps = math.ceil(threads / machine.value("occupancy.warp"))
    try:
        resident = occupancy(machine, warps, registers or None, shared_bytes or None)
    except InputError as error:
        return BlockOccupancy(threads, 0, 0.0, error.message)
    return BlockOccupancy(threads, resident.blocks, resident.warps / machine.value("occupancy.warps"), resident.limiter)


def reorder_window_cycles(
    instructions: Sequence[Instruction],
    order: Sequence[int],
    jumped: Sequence[bool],
    machine: Machine,
    parts: Sequence[float] = (1.0, 0.5),
) -> tuple[float, ...]:
    """Computes cycles per instruction on a core with each of these fractions of its reorder window, for `instructions`
    executed in this `order`; `jumped` marks the executed instructions that were taken branches."""
    from foretell.models.cpu.incore import ooo_window

    path = ooo_window.Path(tuple(instructions), tuple(order), tuple(jumped), machine)
    return ooo_window.sensitivity(path, parts)


def _needs(model: Model) -> str:
    return f"model {model.name} needs {', '.join(facet.__name__ for facet in model.facets)}"


def _given(workload: Workload) -> str:
    have = ", ".join(type(facet).__name__ for facet in workload.facets) or "nothing"
    return f"{workload.name} gave {have}"
