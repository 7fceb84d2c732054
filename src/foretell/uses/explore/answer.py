"""Builds the answer from the summary of a space: designs with their parameters, verdicts, tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from foretell.core.answers.exploration import Best, Design, Exploration, ExploredAxis, Objective
from foretell.core.columns.space import Axis
from foretell.core.machine.parameters import known as is_machine_parameter
from foretell.errors import InputError
from foretell.records import record
from foretell.uses.explore import evaluate, verdicts
from foretell.uses.explore.objectives import Values
from foretell.uses.explore.summary import histogram_edges

if TYPE_CHECKING:
    from foretell.core.answers.exploration import Scaling, TradeoffTable
    from foretell.core.columns.expression import Expression
    from foretell.uses.explore.specification import SpaceFile
    from foretell.uses.explore.study import Study
    from foretell.uses.explore.summary import Summary


@record
class Around:
    """Results that do not need the space: the baseline and its variations. Computed first, so that errors are reported
    early."""

    baseline: Design | None
    note: str
    scaling: tuple[Scaling, ...]
    tradeoff: TradeoffTable | None


def around(study: Study, file: SpaceFile) -> Around:
    """Computes the baseline, scaling tables and trade-offs."""
    baseline, note = _baseline(study)
    return Around(baseline, note, verdicts.scaling_tables(study, file), verdicts.tradeoff_table(study, file))


def build(study: Study, file: SpaceFile, summary: Summary, known: Around, notes: tuple[str, ...] = ()) -> Exploration:
    """Builds the answer for the points of a summary."""
    numbers = [None if entry is None else entry[1] for entry in summary.best]
    fastest = _designs(study, [number for number in numbers if number is not None])
    return Exploration(
        name=study.name,
        key=study.key,
        machine=study.machine.name,
        machine_hash=study.machine.content_hash,
        models={n: f"{c.model.name} {c.model.version}" for n, c in zip(study.applications, study.cases, strict=True)},
        weights=dict(zip(study.applications, study.weights, strict=True)),
        axes=tuple(_axis(study, file, position) for position in range(len(study.space.axes))),
        objectives=_objectives(study, summary),
        points=summary.points,
        excluded=summary.excluded,
        infeasible=summary.infeasible,
        baseline=known.baseline,
        front=_by_objectives(study, _designs(study, summary.front.index.tolist())),
        top=_by_objectives(study, _designs(study, summary.top.index.tolist())),
        best=tuple(_best(study, summary, known.baseline, fastest)),
        histogram=tuple((*histogram_edges(key), number) for key, number in summary.histogram.items()),
        scaling=known.scaling,
        verdicts=verdicts.verdicts(study, known.scaling),
        tradeoff=known.tradeoff,
        assumptions=_assumptions(study),
        notes=(*notes, *([known.note] if known.note else [])),
    )


def refuse_empty(study: Study, summary: Summary, known: Around) -> None:
    """Raises InputError, with the reason, if there is no feasible design."""
    if len(summary.front):
        return
    if summary.excluded == summary.points:
        raise _all_excluded(summary.points, study.space.size, (*study.early, *study.late))
    raise InputError(
        f"no design can run: {summary.infeasible} of {summary.points} cannot, {summary.excluded} break a constraint",
        hint=known.note or "`foretell predict` says why, for one machine",
    )


def refuse_impossible(study: Study) -> None:
    """Raises InputError if the axes that constraints depend on already show that no design satisfies them, without
    evaluating a large space."""
    if not evaluate.possible(study, study.early):
        raise _all_excluded(study.space.size, study.space.size, study.early)
    for constraint in study.early:
        if not evaluate.possible(study, (constraint,)):
            raise _all_excluded(study.space.size, study.space.size, (constraint,))


def _all_excluded(seen: int, size: int, constraints: tuple[Expression, ...]) -> InputError:
    which = f"all {size} designs of the space" if seen == size else f"all {seen} designs that were looked at"
    return InputError(
        f"the constraints exclude {which}", hint="constraints: " + "; ".join(entry.text for entry in constraints)
    )


def _axis(study: Study, file: SpaceFile, position: int) -> ExploredAxis:
    axis, spec = study.space.axes[position], file.axes[position]
    unit = study.machine[axis.name].unit if is_machine_parameter(axis.name) else ""
    if isinstance(axis, Axis):
        return ExploredAxis(spec.key, axis.name, unit, min(axis.values), max(axis.values), len(axis.values))
    return ExploredAxis(spec.key, axis.name, unit, axis.low, axis.high, None)


def _objectives(study: Study, summary: Summary) -> tuple[Objective, ...]:
    spans: list[tuple[float | None, float | None]] = [(None, None)] * len(study.objectives)
    if summary.lowest:
        spans = list(zip(summary.lowest, summary.highest, strict=True))
    return tuple(
        Objective(name, study.figures.unit(name), *span) for name, span in zip(study.objectives, spans, strict=True)
    )


def _designs(study: Study, numbers: list[int]) -> tuple[Design, ...]:
    """Re-evaluates points from their numbers: only those were kept."""
    if not numbers:
        return ()
    points, columns, times = evaluate.evaluate_numbers(study, numbers).table()
    return tuple(
        Design(
            number=int(points.index[row]),
            parameters={axis.name: float(columns[axis.name][row]) for axis in study.space.axes},
            objectives={n: float(c[row]) for n, c in zip(study.objectives, points.objectives, strict=True)},
            times_s={n: float(t[row]) for n, t in zip(study.applications, times, strict=True)},
        )
        for row in range(len(points))
    )


def _by_objectives(study: Study, designs: tuple[Design, ...]) -> tuple[Design, ...]:
    return tuple(sorted(designs, key=lambda d: (*(d.objectives[n] for n in study.objectives), d.number)))


def _best(study: Study, summary: Summary, baseline: Design | None, designs: tuple[Design, ...]) -> list[Best]:
    by_number = {design.number: design for design in designs}
    best = []
    for name, entry in zip(study.applications, summary.best, strict=True):
        if entry is not None:
            own = baseline.times_s[name] if baseline else None
            best.append(Best(name, entry[0], own, by_number[entry[1]]))
    return best


def _baseline(study: Study) -> tuple[Design | None, str]:
    """Evaluates the unchanged machine and codes, or says why they have no time."""
    (times, mean), reason = verdicts.timed(study, {})
    if mean is None:
        return None, f"the baseline cannot run: {reason or _why(study)}"
    seconds = {name: time for name, time in times.items() if time is not None}
    defaults = {
        name: np.array([case.workload.parameters[name]])
        for case in study.cases
        for name in study.figures.parameters
        if name in case.workload.parameters
    }
    named = {"time": mean, **{f"time_{name}": time for name, time in seconds.items()}}
    values = Values(study.figures, defaults, named)
    try:
        objectives = {name: float(np.ravel(values[name])[0]) for name in study.objectives}
    except InputError as error:
        return None, f"the baseline has no objectives: {error}"
    own = {
        axis.name: study.machine.value(axis.name) if is_machine_parameter(axis.name) else float(defaults[axis.name][0])
        for axis in study.space.axes
        if is_machine_parameter(axis.name) or axis.name in defaults
    }
    return Design(None, own, objectives, seconds), ""


def _why(study: Study) -> str:
    """The reason, from a prediction, why a sweep has no time."""
    for case in study.cases:
        try:
            case.predict()
        except InputError as error:
            return error.message
    return "a code does not fit"


def _assumptions(study: Study) -> tuple[str, ...]:
    assumptions = dict.fromkeys(study.assumptions)
    for case in study.cases:
        assumptions.update(dict.fromkeys(case.workload.assumptions))
    unread = [axis.name for axis in study.space.axes if not any(reads[axis.name] for reads in study.reads)]
    if unread:
        assumptions[f"no model depends on {', '.join(unread)}: only area, power or a figure changes with it"] = None
    return tuple(assumptions)
