"""A study: a space file resolved against a machine and the codes, checked, and ready to be evaluated anywhere."""

from __future__ import annotations

import hashlib
import json
from dataclasses import astuple, replace
from typing import TYPE_CHECKING, Any, cast

from foretell.api import Case, On, loaded, prepare
from foretell.core.columns.expression import Expression
from foretell.core.columns.sampling import SOBOL_DIMENSIONS
from foretell.core.columns.space import CHUNK, Axis, Range, Sample, Space
from foretell.core.machine import parameters
from foretell.errors import InputError, OptionError, nearest
from foretell.frontends import Reader, read_options
from foretell.records import record
from foretell.uses.explore import objectives
from foretell.uses.explore.objectives import Figures
from foretell.uses.explore.space_file import read_space
from foretell.uses.explore.specification import Application, AxisSpec, SpaceFile

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from foretell.core.answers.prediction import Mode
    from foretell.core.machine.machine import Machine
    from foretell.core.workload import Workload

#: format of a summary; a journal of another version is not continued
FORMAT = 1
_MAX_POINTS = 2**50
_MAX_BLOCKS = 32
#: a twentieth of a second for the fastest model: many workers finish at about the same time
_LARGEST_BLOCK = 16 * CHUNK
#: the same where each point is emulated: a few seconds
_EMULATED_BLOCK = 16


@record
class Study:
    """Everything a worker needs to evaluate any block of the space. Frozen, and small enough to be sent to workers."""

    name: str
    space: Space
    machine: Machine
    cases: tuple[Case, ...]
    applications: tuple[str, ...]
    weights: tuple[float, ...]
    figures: Figures
    #: machine parameters that follow from the axes, in the unit of the machine
    follow: Mapping[str, Expression]
    objectives: tuple[str, ...]
    #: constraints that can be evaluated before the times are known, and the others
    early: tuple[Expression, ...]
    late: tuple[Expression, ...]
    top: int
    key: str
    #: points that are evaluated, journalled and lost together
    block_size: int
    #: whether each application's model reads an axis, or a parameter that follows from one
    reads: tuple[Mapping[str, bool], ...]
    assumptions: tuple[str, ...] = ()

    @property
    def emulated(self) -> bool:
        """Whether each point needs a separate emulation, so that a block has only a few points."""
        return self.block_size < CHUNK

    @property
    def blocks(self) -> int:
        """The number of blocks of the space."""
        return -(-self.space.size // self.block_size)

    def block(self, number: int) -> tuple[int, int]:
        """The first point of a block, and the one after its last."""
        first = number * self.block_size
        return first, min(self.space.size, first + self.block_size)


def prepare_study(
    source: SpaceFile | Path | str,
    on: On | None = None,
    *,
    mode: Mode | None = None,
    model: str | None = None,
    options: Mapping[str, str] | None = None,
    threads: int | str | None = None,
) -> Study:
    """Loads and checks everything a space file names; `on` replaces its machine, `threads` (a number or "all") are for
    applications that name none."""
    file = source if isinstance(source, SpaceFile) else read_space(source)
    try:
        return _Builder(file, _machine(file, on), mode, model, options, threads).build()
    except InputError as error:
        if error.file is not None:
            raise
        raise InputError(error.message, file=file.path, hint=error.hint) from None


def _machine(file: SpaceFile, on: On | None) -> Machine:
    if on is None:
        if file.machine is None:
            raise InputError("there is no machine to start from", hint='give machine = "…" or --on MACHINE')
        beside = file.path.parent / file.machine
        on = beside if file.machine.endswith(".toml") and beside.exists() else file.machine
    return loaded(on)


def _at_points(cases: tuple[Case, ...], lacking: Sequence[Mapping[str, float]], size: int) -> tuple[Case, ...]:
    """The cases with first values for what axes move, in the form for this many points."""
    return tuple(
        replace(case, workload=case.workload.with_parameters(values)).at_points(size)
        for case, values in zip(cases, lacking, strict=True)
    )


def _baselines(names: Sequence[str], lacking: Sequence[Mapping[str, float]]) -> list[str]:
    return [
        f"the baseline of {name} has {parameter} = {value:g}, the first of its axis"
        for name, values in zip(names, lacking, strict=True)
        for parameter, value in values.items()
    ]


def _faster_forms(single: tuple[Case, ...], many: tuple[Case, ...]) -> list[str]:
    """Which models answer for many points by a faster form than for one, so that both answers can be told apart."""
    notes = {}
    for alone, together in zip(single, many, strict=True):
        before, after = alone.settings.options, together.settings.options
        changed = ", ".join(f"{name}={after[name]}" for name in after if before.get(name) != after[name])
        if changed:
            model = alone.model
            notes[model.name] = (
                f"model {model.name}: {changed}, as for more than {model.many} points; a single prediction differs"
            )
    return list(notes.values())


@record
class _Builder:
    file: SpaceFile
    machine: Machine
    mode: Mode | None
    model: str | None
    options: Mapping[str, str] | None
    threads: int | str | None

    def build(self) -> Study:
        file = self.file
        single = self.cases()
        figures = self.figures(single)
        space = self.space(single)
        self.afford(space, single)
        lacking = [_first_values(case.workload, space) for case in single]
        cases = _at_points(single, lacking, space.size)
        follow = self.follow(figures)
        for name in file.minimise:
            self.objective(name, figures)
        early, late = self.constraints(figures)
        self.reach(cases, figures, follow)
        names = tuple(entry.name for entry in file.applications)
        weights = tuple(entry.weight for entry in file.applications)
        moving = [*(axis.name for axis in space.axes), *follow]
        block = _block_size(space, cases)
        rest = (names, weights, file.minimise, file.top, block, file.search and astuple(file.search))
        return Study(
            name=file.name, space=space, machine=self.machine, cases=cases, applications=names, weights=weights,
            figures=figures, follow=follow, objectives=file.minimise, early=early, late=late, top=file.top,
            key=_key(space, self.machine, cases, figures, follow, (*early, *late), rest),
            block_size=block,
            reads=tuple({name: case.depends_on(name) for name in moving} for case in cases),
            assumptions=(*_baselines(names, lacking), *_faster_forms(single, cases), *self.assumed(figures)),
        )  # fmt: skip

    def assumed(self, figures: Figures) -> list[str]:
        """Assumptions of the figures that are asked for."""
        needed = self.needed(figures)
        return [note for note in figures.assumptions if note.split(" ", 1)[0] in needed]

    def cases(self) -> tuple[Case, ...]:
        file = self.file
        return tuple(
            prepare(
                self.code(entry),
                self.machine,
                parameters={**self.given_threads(), **entry.parameters},
                mode=self.mode or cast("Mode", file.mode),
                model=self.model or entry.model or file.model,
                options={**file.options, **(self.options or {})},
            )
            for entry in file.applications
        )

    def given_threads(self) -> dict[str, float]:
        if self.threads is None:
            return {}
        return {"threads": self.machine.value("cores.count") if self.threads == "all" else float(self.threads)}

    def code(self, entry: Application) -> Workload:
        """Reads the workload of an application; a GPU kernel has a launch."""
        try:
            options = read_options(launch=entry.launch, kernel=entry.function)
            return Reader(entry.code, options).workload(self.machine)
        except OptionError as error:
            if entry.launch is None:
                raise
            problem = f"{entry.name}: a launch is for GPU machine code"
            raise self.file.error("application", problem) from error

    def afford(self, space: Space, cases: tuple[Case, ...]) -> None:
        """Refuses too many emulations before they begin."""
        budgets = [case.model.budget for case in cases if case.model.budget is not None]
        wanted = min(space.size, self.file.search.evaluations) if self.file.search else space.size
        most = self.file.budget or min(budgets, default=wanted)
        if budgets and wanted > most:
            raise self.file.error(
                "axes",
                f"{wanted} points are asked for; each is emulated, and the budget is {most}",
                hint=f"[sample] points = {most}, [search] evaluations = {most}, or budget = {wanted}",
            )

    def figures(self, cases: tuple[Case, ...]) -> Figures:
        file = self.file
        chosen = objectives.seed(file.seed or objectives.DEFAULT_SEED.get(self.machine.kind))
        given = {key: value for key, (value, _) in chosen.coefficients.items()}
        return Figures(
            machine=self.machine,
            names=file.names,
            expressions={**chosen.figures, **file.figures},
            coefficients={**given, **file.coefficients},
            units={**chosen.units, **dict.fromkeys(set(file.figures) - {"power", "energy"}, "")},
            applications=tuple(entry.name for entry in file.applications),
            parameters=frozenset(axis.parameter for axis in file.axes if not parameters.known(axis.parameter)),
            assumptions=tuple(
                f"{key} = {value:g}: {source}"
                for key, (value, source) in chosen.coefficients.items()
                if key not in file.coefficients
            ),
        )

    # ---------------------------------------------------------------------------------- axes

    def space(self, cases: tuple[Case, ...]) -> Space:
        axes = tuple(self.axis(spec, cases) for spec in self.file.axes)
        space = Space(axes, (), self.sample(axes))
        if space.size > _MAX_POINTS:
            raise self.file.error("axes", f"the space has {space.size:.3g} points, more than {_MAX_POINTS:.1e}")
        return space

    def axis(self, spec: AxisSpec, cases: tuple[Case, ...]) -> Axis | Range:
        where = f"axes.{spec.key}"
        is_machine = parameters.known(spec.parameter)
        base = self.machine.value(spec.parameter) if is_machine and spec.parameter in self.machine else None
        if is_machine and base is None:
            raise self.file.error(where, f"machine {self.machine.name!r} has no {spec.parameter} to start from")
        self.check_unit(where, spec)
        whole = is_machine and parameters.parameter(spec.parameter).integer
        if spec.ends is not None:
            return Range(spec.parameter, *spec.ends, spec.log, whole or (not is_machine and _sizes(spec.ends)))
        values = spec.values
        if spec.times:
            middle = self.code_default(where, spec.parameter, cases) if base is None else base
            values = tuple(factor * middle for factor in spec.times)
        if whole and (fractions := [value for value in values if value != int(value)]):
            raise self.file.error(where, f"{fractions[0]:g} is not a whole number")
        return Axis(spec.parameter, values)

    def check_unit(self, where: str, spec: AxisSpec) -> None:
        if not parameters.known(spec.parameter) or spec.times:
            return
        unit = self.machine[spec.parameter].unit
        if spec.unit != unit:
            raise self.file.error(
                where, f"is in {spec.unit or 'no unit'}, machine {self.machine.name!r} gives it in {unit}"
            )

    def code_default(self, where: str, parameter: str, cases: tuple[Case, ...]) -> float:
        given = [case.workload.parameters[parameter] for case in cases if parameter in case.workload.parameters]
        if not given:
            raise self.file.error(where, f"no application has a value for {parameter!r} to take factors of")
        return given[0]

    def sample(self, axes: tuple[Axis | Range, ...]) -> Sample | None:
        spec = self.file.sample
        if spec is None:
            return None
        keys = {axis.key: axis.parameter for axis in self.file.axes}
        for key in spec.grid:
            if key not in keys:
                raise self.file.error("sample.grid", f"{key!r} is not an axis{nearest(key, keys)}")
        gridded = {keys[key] for key in spec.grid}
        sampled = tuple(axis.name for axis in axes if axis.name not in gridded)
        if not sampled:
            raise self.file.error("sample.grid", "names every axis: nothing is left to sample")
        if spec.method == "sobol" and len(sampled) > SOBOL_DIMENSIONS:
            raise self.file.error(
                "sample", f"Sobol samples have at most {SOBOL_DIMENSIONS} axes", hint='use method = "random"'
            )
        return Sample(cast("Any", spec.method), spec.points, sampled, spec.seed)

    # ---------------------------------------------------------------------------------- expressions

    def follow(self, figures: Figures) -> dict[str, Expression]:
        followers = {}
        on_axes = {axis.parameter for axis in self.file.axes}
        for key, expression in self.file.follow.items():
            path = self.file.names[key].path if key in self.file.names else key
            scale = self.file.names[key].scale if key in self.file.names else 1.0
            if path in on_axes:
                raise self.file.error(f"follow.{key}", "is an axis itself")
            if path not in self.machine:
                raise self.file.error(f"follow.{key}", f"machine {self.machine.name!r} has no {path}")
            if key not in self.file.names and (unit := self.machine[path].unit):
                raise self.file.error(
                    f"follow.{key}",
                    f"is in {unit}, and an expression has no unit",
                    hint=f'give it a name with one: [names] x = {{ path = "{path}", unit = "…" }}, and let x follow',
                )
            if figures.needs_time(expression):
                raise self.file.error(f"follow.{key}", "cannot follow the time")
            followers[path] = expression if scale == 1.0 else Expression(f"({expression.text})*{scale!r}")
        return followers

    def objective(self, name: str, figures: Figures) -> None:
        if not name.isidentifier():
            raise self.file.error("objectives.minimise", f"{name!r} is not a name")
        with self.file.at("objectives.minimise"):
            figures.check(Expression(name))

    def constraints(self, figures: Figures) -> tuple[tuple[Expression, ...], tuple[Expression, ...]]:
        early: list[Expression] = []
        late: list[Expression] = []
        for expression in self.file.constraints:
            with self.file.at("objectives.constraints"):
                (late if figures.needs_time(expression) else early).append(expression)
        return tuple(early), tuple(late)

    def reach(self, cases: tuple[Case, ...], figures: Figures, follow: Mapping[str, Expression]) -> None:
        """Checks that every axis changes something: a time, or at least a figure that is requested."""
        needed = self.needed(figures, *follow.values())
        read = {path for name in needed for path in figures.paths(name)} | (needed & figures.parameters)
        for axis in self.file.axes:
            if any(case.depends_on(axis.parameter) for case in cases) or axis.parameter in read:
                continue
            known = {path for case in cases for path in case.model.reads(self.machine)}
            known |= {name for case in cases for name in (*case.workload.symbols, *case.workload.parameters)}
            raise self.file.error(
                f"axes.{axis.key}",
                f"neither a model nor an objective depends on {axis.parameter!r}"
                + ("" if parameters.known(axis.parameter) else self.meant(axis.parameter, known)),
                hint="they depend on: " + ", ".join(sorted(known)),
            )

    def meant(self, parameter: str, known: set[str]) -> str:
        return nearest(parameter, known | set(self.file.names)) or parameters.nearest_path(parameter)

    def needed(self, figures: Figures, *more: Expression) -> set[str]:
        """All names that objectives, constraints and these expressions depend on."""
        requested = (*map(Expression, self.file.minimise), *self.file.constraints, *more)
        return {name for expression in requested for name in figures.check(expression)}


def _first_values(workload: Workload, space: Space) -> dict[str, float]:
    """Baseline values for sizes that the code needs and only an axis gives."""
    needed = workload.symbols - workload.optional - set(workload.parameters)
    return {
        axis.name: axis.values[0] if isinstance(axis, Axis) else axis.low for axis in space.axes if axis.name in needed
    }


def _sizes(ends: tuple[float, float]) -> bool:
    """Whether a range of a code's parameter is one of integer sizes: its ends are integers, more than one apart."""
    low, high = ends
    return low == int(low) and high == int(high) and high - low > 1


def _key(
    space: Space,
    machine: Machine,
    cases: tuple[Case, ...],
    figures: Figures,
    follow: Mapping[str, Expression],
    constraints: tuple[Expression, ...],
    rest: object,
) -> str:
    """Hashes everything that can change the answer."""
    from importlib import metadata  # slow to import, and workers do not need it

    content: list[Any] = [
        FORMAT,
        metadata.version("foretell"),
        CHUNK,
        [repr(axis) for axis in space.axes],
        repr(space.sample),
        machine.content_hash,
        [_case_content(case) for case in cases],
        sorted((name, repr(entry)) for name, entry in figures.names.items()),
        sorted((name, entry.text) for name, entry in figures.expressions.items()),
        sorted(figures.coefficients.items()),
        [(path, entry.text) for path, entry in follow.items()],
        [entry.text for entry in constraints],
        rest,
    ]
    return "sha256:" + hashlib.sha256(json.dumps(content).encode()).hexdigest()


def _block_size(space: Space, cases: tuple[Case, ...]) -> int:
    """The points of a block; from the space and the models alone, so that the answer and the journal do not depend on
    the engine."""
    if any(case.model.budget is not None for case in cases):
        return _EMULATED_BLOCK
    wanted = min(_LARGEST_BLOCK, max(CHUNK, -(-space.size // _MAX_BLOCKS)))
    box = CHUNK // space.grain * space.grain  # a block consists of whole boxes
    return -(-wanted // box) * box


def _case_content(case: Case) -> list[Any]:
    return [
        case.workload.name,
        case.workload.input_hash,
        sorted(case.workload.parameters.items()),
        case.model.name,
        case.model.version,
        case.settings.mode,
        sorted(case.settings.options.items()),
    ]
