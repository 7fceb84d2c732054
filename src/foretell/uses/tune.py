"""Finds the best variant of a code: every variant predicted, every variant simulated, or the most promising ones.

Simulated times (`Model.simulate`) survive a kill in a journal.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from foretell.api import sweep
from foretell.core.answers.tuning import Tuning, Variant
from foretell.core.columns.space import Space
from foretell.errors import InputError
from foretell.files import content_hash
from foretell.uses.journal import Journal, entries

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from numpy.typing import NDArray

    from foretell.api import Case
    from foretell.core.answers.tuning import Strategy
    from foretell.core.columns.space import Axis

Point = dict[str, float]
#: points done, their total, the best so far
Progress = Callable[[int, int, Variant], None]

_MAGIC = "foretell-tune"
_MOST_POINTS = 2_000_000
#: points that are re-evaluated at a time where the model has a faster form, and the most rounds of it
_LOOKED_AT_AGAIN, _LOOKS = 16, 4


@dataclass(frozen=True, slots=True)
class Job:
    """The settings of a search."""

    strategy: Strategy = "static"
    budget: int = 10
    journal: Path | None = None
    fresh: bool = False
    progress: Progress = lambda *_: None


def tune(case: Case, space: Space, job: Job | None = None) -> Tuning:
    """Finds the best variant of a code on a machine; the code's own parameters are the default to beat."""
    job = job or Job()
    points = _points(case, space)
    start = time.process_time()
    variants = predict_all(case, points)
    static_s = time.process_time() - start
    able = sorted((v for v in variants if not v.reason), key=lambda v: v.predicted_s or 0.0)
    if not able:
        reasons = sorted({variant.reason for variant in variants})
        raise InputError(f"none of {len(variants)} variants can run: {reasons[0]}")
    default = predict_all(case, [{axis.name: case.workload.parameters[axis.name] for axis in space.axes}])[0]
    if job.strategy == "static":
        job.progress(len(points), len(points), able[0])
        return _answer(case, job, default, able[0], variants, (static_s, 0.0, 0))
    return _with_simulations(case, space, job, default, able, variants, static_s)


def search_space(case: Case, given: Sequence[Axis]) -> Space:
    """Returns the axes proposed by the model, with the user's axes in place of those of the same name."""
    own = {axis.name: axis for axis in given}
    try:
        proposed = {axis.name: axis for axis in case.model.search_space(case.workload, case.machine).axes}
    except InputError:
        if not given:
            raise
        proposed = {}
    return Space(tuple({**proposed, **own}.values()))


def _with_simulations(
    case: Case, space: Space, job: Job, default: Variant, able: list[Variant], variants: list[Variant], static_s: float
) -> Tuning:
    chosen = able[: job.budget] if job.strategy == "hybrid" else able
    with _journal(case, space, job) as journal:
        known = (
            {_name(entry["point"]): float(entry["judged_s"]) for entry in islice(entries(journal.path), 1, None)}
            if journal
            else {}
        )
        resumed = len(known)

        def simulated(variant: Variant) -> Variant:
            """Adds the simulated time, from the journal if it is there."""
            name, point = _name(variant.parameters), dict(variant.parameters)
            if name not in known:
                other = _at(case, point)
                known[name] = other.model.simulate(other.workload, other.machine, other.settings)
                if journal:
                    journal.add({"point": point, "judged_s": known[name]})
            return replace(variant, judged_s=known[name])

        default = default if default.reason else simulated(default)
        start = time.process_time()
        found = run(chosen, simulated, job.progress)
        simulate_s = time.process_time() - start
    complete = [found.get(_name(variant.parameters), variant) for variant in variants]
    best = min((v for v in complete if v.judged_s is not None), key=lambda v: v.judged_s or 0.0)
    return _answer(case, job, default, best, complete, (static_s, simulate_s, resumed))


def run(variants: list[Variant], simulated: Callable[[Variant], Variant], progress: Progress) -> dict[str, Variant]:
    """Simulates variants in their order; by name."""
    done: dict[str, Variant] = {}
    best: Variant | None = None
    for variant in map(simulated, variants):
        done[_name(variant.parameters)] = variant
        best = min(best or variant, variant, key=lambda v: v.judged_s or 0.0)
        progress(len(done), len(variants), best)
    return done


def _journal(case: Case, space: Space, job: Job) -> AbstractContextManager[Journal | None]:
    if job.journal is None:
        return nullcontext()
    differs = "search: the code, a size, the machine, the model or an option"
    return Journal(job.journal, {_MAGIC: 1, "key": _key(case, space)}, differs, fresh=job.fresh)


def predict_all(case: Case, points: list[Point]) -> list[Variant]:
    """Predicts every point, with the reason where the model refuses."""
    if not points:
        return []
    columns = {name: np.array([point[name] for point in points]) for name in points[0]}
    times = _times(case, columns) if columns else np.array([case.predict().time_s])
    return [
        Variant(point, float(seconds))
        if np.isfinite(seconds)
        else Variant(point, reason=_reason(case.for_many(), point))
        for point, seconds in zip(points, times, strict=True)
    ]


def _times(case: Case, columns: dict[str, NDArray[np.float64]]) -> NDArray[np.float64]:
    """Computes the seconds of every point. A model with a faster form uses it for all of them, and re-evaluates the
    best exactly, until no point that was not re-evaluated is better, or at most four times."""
    quick = case.for_many()
    times = sweep(quick, columns)
    again = np.full(times.size, quick.settings == case.settings)
    for _ in range(_LOOKS):
        if again[np.argmin(times)]:
            break
        best = np.argsort(times)[:_LOOKED_AT_AGAIN]
        best = best[~again[best]]
        times[best] = sweep(case, {name: column[best] for name, column in columns.items()})
        again[best] = True
    return times


def _reason(case: Case, point: Point) -> str:
    try:
        _at(case, point).predict()
    except InputError as error:
        return error.message
    return "cannot run"


def _at(case: Case, point: Mapping[str, float]) -> Case:
    return replace(case, workload=case.workload.with_parameters(point))


def _points(case: Case, space: Space) -> list[Point]:
    if space.size > _MOST_POINTS:
        raise InputError(f"{space.size} variants are more than {_MOST_POINTS}", hint="fewer values an axis")
    for axis in space.axes:
        if axis.name not in case.workload.parameters:
            known = ", ".join(sorted(case.workload.parameters))
            raise InputError(f"{axis.name!r} is not a parameter of {case.workload.name}", hint=f"parameters: {known}")
    return list(space.points())


def _answer(
    case: Case, job: Job, default: Variant, best: Variant, variants: list[Variant], spent: tuple[float, float, int]
) -> Tuning:
    static_s, simulate_s, resumed = spent
    return Tuning(
        workload=case.workload.name,
        machine=case.machine.name,
        strategy=job.strategy,
        default=default,
        best=best,
        variants=tuple(variants),
        static_cpu_s=static_s,
        judge_cpu_s=simulate_s,
        resumed=resumed,
        assumptions=case.workload.assumptions,
    )


def _name(point: Mapping[str, float]) -> str:
    return json.dumps(dict(sorted(point.items())))


def _key(case: Case, space: Space) -> str:
    """Hashes everything that a simulated time depends on."""
    fixed = {
        name: value
        for name, value in case.workload.parameters.items()
        if name not in {axis.name for axis in space.axes}
    }
    parts = [
        case.workload.input_hash,
        case.machine.content_hash,
        case.model.name,
        str(case.model.version),
        json.dumps(dict(case.settings.options), sort_keys=True),
        json.dumps(fixed, sort_keys=True),
    ]
    return content_hash("\n".join(parts).encode())
