"""Defines the interface of a model: facets and parameters in, a `Prediction` out, and the same as a sweep over
arrays."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar, get_args

from foretell.core.answers.prediction import Mode, Prediction
from foretell.core.machine.parameters import known, parameter
from foretell.errors import InputError, MachineError, RenamedWarning, UnsupportedError, nearest
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from foretell.core.answers.answers import Advice, CodeLine, Sensitivity
    from foretell.core.answers.breakdown import LoopCode, NestShare, Rate, SourceLine
    from foretell.core.answers.prediction import Bound, Detail, Part
    from foretell.core.columns.expression import Value
    from foretell.core.columns.space import Space
    from foretell.core.machine.machine import Machine
    from foretell.core.workload import Facet, Workload

    #: columns of a sweep: values by the path of a machine parameter or the name of a workload parameter
    Columns = Mapping[str, NDArray[np.float64]]


@record
class Option:
    """A switchable decision: its choices (none: any text), and the defaults of default and paper mode. `renamed` maps
    earlier names of choices to current ones."""

    name: str
    choices: tuple[str, ...]
    default: str
    paper: str
    meaning: str
    renamed: tuple[tuple[str, str], ...] = ()

    def current(self, choice: str) -> str:
        """The current name of a choice; an earlier one is translated with a RenamedWarning."""
        new = dict(self.renamed).get(choice)
        if new is None:
            return choice
        warnings.warn(f"{self.name}={choice} is now {self.name}={new}", RenamedWarning, stacklevel=2)
        return new


@record
class Settings:
    """Mode and options of one prediction, complete and checked."""

    mode: Mode
    options: Mapping[str, str]

    def __getitem__(self, name: str) -> str:
        return self.options[name]


@record
class Inputs:
    """A machine's parameters as inputs of a closed form: scalars, or arrays for columns of a sweep."""

    machine: Machine
    columns: Mapping[str, Value]

    def __contains__(self, path: str) -> bool:
        return path in self.columns or path in self.machine

    def value(self, path: str) -> Value:
        """The number, or column, at a path."""
        return self.columns[path] if path in self.columns else self.machine.value(path)

    def at_clock(self, frequency: Value) -> Inputs:
        """The same machine at another clock."""
        return Inputs(self.machine, {**self.columns, "clock.frequency": frequency})

    def cycles(self, path: str) -> Value:
        """A latency in cycles; given in seconds it follows the (possibly swept) clock."""
        in_seconds = path in self.machine and self.machine[path].unit == "s"
        return self.value(path) * self.value("clock.frequency") if in_seconds else self.value(path)

    def seconds(self, path: str) -> Value:
        """A latency in seconds."""
        in_cycles = path in self.machine and self.machine[path].unit == "cycle"
        return self.value(path) / self.value("clock.frequency") if in_cycles else self.value(path)

    def rate(self, path: str) -> Value:
        """A bandwidth in bytes per second; given per cycle it follows the clock."""
        in_cycles = path in self.machine and self.machine[path].unit == "B/cycle"
        return self.value(path) * self.value("clock.frequency") if in_cycles else self.value(path)


def swept(workload: Workload, machine: Machine, columns: Mapping[str, Value]) -> tuple[Inputs, dict[str, Value]]:
    """Splits the columns of a sweep into parameters of the machine and of the workload."""
    inputs = Inputs(machine, {path: column for path, column in columns.items() if known(path)})
    sizes = {name: column for name, column in columns.items() if not known(name)}
    return inputs, {**workload.parameters, **sizes}


def sweep_singly(columns: Columns, seconds: Callable[[dict[str, float]], float]) -> NDArray[np.float64]:
    """Runs every point of a sweep individually; a point that cannot run is infinite."""
    import numpy as np

    points = max((np.size(column) for column in columns.values()), default=1)
    every = {name: np.broadcast_to(column, points) for name, column in columns.items()}
    result = np.full(points, np.inf)
    for point in range(points):
        try:
            result[point] = seconds({name: float(column[point]) for name, column in every.items()})
        except InputError:
            continue
    return result


def barrier_share(cores: Value, count: Value) -> Value:
    """Cost of a barrier of some cores relative to one of all `count`: the depth of a tree, the logarithm. 0 for one
    core."""
    import numpy as np

    return np.log2(np.maximum(1.0, cores)) / np.log2(np.maximum(2.0, count))


#: the name that `models.cpu` still imports


def growing_share(full: Value, cores: Value, count: float) -> Value:
    """Linear from 1 with one active core to `full` with all `count` of them."""
    import numpy as np

    others = max(1.0, count - 1)
    grown: Value = 1 + (full - 1) * np.minimum(1.0, (np.asarray(cores, dtype=float) - 1) / others)
    return grown


class Model(ABC):
    """Predicts the time of a workload on a machine. Models are stateless."""

    name: ClassVar[str]
    version: ClassVar[int]
    title: ClassVar[str]
    #: facets the workload must have
    facets: ClassVar[tuple[type[Facet], ...]]
    #: required machine parameters, as paths
    parameters: ClassVar[tuple[str, ...]]
    #: kinds of machines that it supports; none: any that has the parameters
    kinds: ClassVar[tuple[str, ...]] = ()
    options: ClassVar[tuple[Option, ...]] = ()
    #: maximum points of a sweep without the user's consent, if each is run individually; None: a closed form
    budget: ClassVar[int | None] = None
    #: points of a sweep beyond which `for_many` applies
    many: ClassVar[int] = 10_000
    #: whether it names estimated parameters of a machine, and widens its interval by them, itself
    names_estimates: ClassVar[bool] = False
    #: whether columns of a sweep may have several axes that broadcast, and the times then have their common shape
    broadcasts: ClassVar[bool] = False

    def reads(self, machine: Machine) -> tuple[str, ...]:
        """Every parameter that this model reads from this machine, required or optional."""
        return self.parameters

    def instead(self, workload: Workload, machine: Machine, settings: Settings) -> Workload | None:
        """Another view of the workload, for another model, where this one lacks what that view has."""
        return None

    @abstractmethod
    def predict(self, workload: Workload, machine: Machine, settings: Settings) -> Prediction:
        """Predicts the time of a workload on a machine, and explains it."""

    def predict_many(
        self, workload: Workload, machine: Machine, settings: Settings, points: Sequence[Mapping[str, float]]
    ) -> list[Prediction | InputError]:
        """Predicts at many values of the workload's parameters; a point that cannot be predicted yields the error with
        the reason. Sequential, unless a model has a faster way."""
        return [self._tried(workload, machine, settings, point) for point in points]

    def _tried(
        self, workload: Workload, machine: Machine, settings: Settings, point: Mapping[str, float]
    ) -> Prediction | InputError:
        try:
            return self.predict(workload.with_parameters(point), machine, settings)
        except InputError as error:
            return error

    @abstractmethod
    def sweep(self, workload: Workload, machine: Machine, settings: Settings, columns: Columns) -> NDArray[np.float64]:
        """Seconds at every design point. A column is named by a machine parameter's path or a workload parameter; they
        are finite, and all have one length, or one value for all points. A point that cannot run is infinite."""

    def admit(self, workload: Workload, machine: Machine) -> None:
        """Raises an InputError if the machine cannot run the workload, as far as this is known without work."""
        return

    def without_interval(self, workload: Workload, machine: Machine, settings: Settings) -> Prediction:
        """The same prediction for searches, which ask for no interval: a model may leave out what that takes."""
        return self.predict(workload, machine, settings)

    def within(self, workload: Workload, machine: Machine, settings: Settings, limit_s: float) -> Prediction | float:
        """The same, or a lower bound of the time where that exceeds a limit, and spares a part of the prediction."""
        return self.without_interval(workload, machine, settings)

    def least_time_s(self, workload: Workload, machine: Machine) -> float:
        """A lower bound that costs much less than a prediction; 0 if there is none."""
        return 0.0

    def compared(self, settings: Settings) -> Settings:
        """Settings for runs of which only the differences matter: a model may then use a faster method, the same for
        all."""
        return settings

    def for_many(self, settings: Settings) -> Settings:
        """Settings for very many points: faster methods for whatever takes too long at each of them."""
        return settings

    def advise(self, workload: Workload, machine: Machine, settings: Settings) -> tuple[Advice, ...]:
        """Suggests changes to the code, best first; none by default."""
        return ()

    def hints(self, workload: Workload, machine: Machine, settings: Settings) -> tuple[Advice, ...]:
        """Estimates of what facts of the execution cost, best first; none by default."""
        return ()

    def search_space(self, workload: Workload, machine: Machine) -> Space:
        """The variants of a code that are worth trying, as parameters of the workload."""
        raise UnsupportedError(f"model {self.name} knows no variants of a code", hint="give axes: --axis NAME=1,2,4")

    def simulate(self, workload: Workload, machine: Machine, settings: Settings) -> float:
        """Seconds by simulation, whatever method the settings choose for predictions."""
        raise UnsupportedError(f"model {self.name} has no simulator")

    def sensitivities(self, workload: Workload, machine: Machine, settings: Settings) -> tuple[Sensitivity, ...]:
        """Sensitivities to parameters of the workload itself, beside the machine's `parameters`."""
        return ()

    def listing(self, workload: Workload, machine: Machine, settings: Settings) -> tuple[CodeLine, ...]:
        """The code by instruction, with the time attributed to each; none by default."""
        return ()

    def source_lines(self, workload: Workload, machine: Machine, settings: Settings) -> tuple[SourceLine, ...]:
        """The source by line, with the time of each; none by default."""
        return ()

    def loop_code(self, workload: Workload, machine: Machine, settings: Settings) -> tuple[LoopCode, ...]:
        """The code of the innermost loops that was followed, with its port pressure; none by default."""
        return ()

    def executed_code(self, workload: Workload, machine: Machine, settings: Settings) -> str:
        """The code that runs, without what does not matter to the machine (lines, labels, names): equal text is equal
        code. Empty where the model has no such code."""
        return ""

    def answer(
        self,
        workload: Workload,
        machine: Machine,
        settings: Settings,
        *,
        time_s: float,
        bounds: tuple[Bound, ...],
        parts: tuple[Part, ...],
        assumptions: tuple[str, ...],
        details: Mapping[str, Detail],
        interval_s: tuple[float, float] | None = None,
        at_least: bool = False,
        parameters: Mapping[str, float] | None = None,
        nests: tuple[NestShare, ...] = (),
        rates: tuple[Rate, ...] = (),
    ) -> Prediction:
        """Builds a prediction labelled with model, machine, input and settings, and its `parameters` (by default those
        of the workload)."""
        return Prediction(
            time_s=time_s,
            bounds=bounds,
            parts=parts,
            model=self.name,
            model_version=self.version,
            mode=settings.mode,
            machine=machine.name,
            machine_hash=machine.given_hash,
            workload=workload.name,
            input_hash=workload.input_hash,
            options=dict(settings.options),
            parameters=dict(workload.parameters if parameters is None else parameters),
            assumptions=assumptions,
            interval_s=interval_s,
            at_least=at_least,
            details=details,
            nests=nests,
            rates=rates,
        )

    def settings(self, mode: Mode = "default", given: Mapping[str, str] | None = None) -> Settings:
        """The options of a mode, overridden by those given; unknown ones are an error."""
        if mode not in get_args(Mode):
            raise InputError(f"mode {mode!r} is not one of {', '.join(get_args(Mode))}")
        own = {option.name: option for option in self.options}
        chosen = {name: option.paper if mode == "paper" else option.default for name, option in own.items()}
        for name, asked in (given or {}).items():
            if name not in own:
                listed = ", ".join(own) or "none"
                raise InputError(
                    f"model {self.name} has no option {name!r}{nearest(name, own)}", hint=f"options: {listed}"
                )
            choice = own[name].current(asked)
            if own[name].choices and choice not in own[name].choices:
                listed = ", ".join(own[name].choices)
                raise InputError(
                    f"option {name}={choice}: expected one of {listed}{nearest(choice, own[name].choices)}"
                )
            chosen[name] = choice
        return Settings(mode, chosen)

    def check(self, machine: Machine) -> None:
        """Raises an InputError if this model cannot answer for a machine, whatever the code."""
        self.require(machine)

    def assumes(self, machine: Machine) -> tuple[str, ...]:
        """Parameters of a machine that this model reads and that are estimates."""
        known_here = machine.quantities
        return tuple(
            path for path in self.reads(machine) if path in known_here and known_here[path].source.kind == "estimated"
        )

    def require(self, machine: Machine) -> None:
        """Raises a MachineError if the machine is of another kind, or naming every parameter that it lacks."""
        if self.kinds and machine.kind not in self.kinds:
            wanted = " or ".join(self.kinds)
            hint = "GPU code is CUDA source or a cubin, with its launch" if machine.kind == "gpu" else None
            raise MachineError(f"model {self.name} needs a {wanted}; {machine.name!r} is a {machine.kind}", hint=hint)
        lacking = [path for path in self.parameters if path not in machine]
        if lacking:
            reasons = [
                f"{path}: {parameter(path).meaning}"
                + (f" ({machine.missing[path]})" if path in machine.missing else "")
                for path in lacking
            ]
            raise MachineError(
                f"machine {machine.name!r} lacks what model {self.name} needs: {', '.join(lacking)}",
                hint="\n  ".join(reasons),
            )
