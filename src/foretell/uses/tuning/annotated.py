"""Tunes the parameters of a workload, such as the tiles of annotated code for the SW26010.

Variants are predicted all at once by a sweep, and judged by the model's simulator (`Model.simulate`); simulated times
survive a kill in a journal.
"""

from __future__ import annotations

import json
from collections.abc import Mapping  # noqa: TC003  # the journal is checked against it
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from foretell.api import sweep
from foretell.core.answers.tuning import Tuning, Variant
from foretell.core.columns.space import Axis, Space
from foretell.errors import InputError
from foretell.files import content_hash
from foretell.uses.journal import Journal, entries
from foretell.uses.tuning.search import Dynamic, Hybrid, Ledger, Static, carry_out, judged

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from numpy.typing import NDArray

    from foretell.api import Case
    from foretell.core.answers.tuning import Strategy
    from foretell.uses.tuning.search import Progress, Search

Point = dict[str, float]

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
    case = _with_values(case, space)
    points = _points(case, space)
    default = predict_all(case, [{axis.name: case.workload.parameters[axis.name] for axis in space.axes}])[0]
    with _journal(case, space, job) as journal:
        bench = _Bench(case, points, journal)
        resumed = len(bench.known)
        if job.strategy != "static" and not default.reason:
            default = bench.judge(-1, default)
        ledger = Ledger([Variant(point) for point in points])
        carry_out(_search(job, len(points)), bench, ledger, job.progress)
    able = [variant for variant in ledger.variants if not variant.reason]
    if not able:
        reasons = sorted({variant.reason for variant in ledger.variants})
        raise InputError(f"none of {len(points)} variants can run: {reasons[0]}")
    return Tuning(
        workload=case.workload.name,
        machine=case.machine.name,
        strategy=job.strategy,
        default=default,
        best=ledger.variants[ledger.best],
        variants=tuple(ledger.variants),
        static_cpu_s=ledger.predict_s,
        judge_cpu_s=ledger.judge_s,
        resumed=resumed,
        assumptions=case.workload.assumptions,
        order=tuple(ledger.order),
    )


def _with_values(case: Case, space: Space) -> Case:
    """Gives parameters without a value the first one of their axis, which is then the default to beat."""
    without_value = case.workload.symbols - set(case.workload.parameters)
    first = {axis.name: axis.values[0] for axis in space.axes if isinstance(axis, Axis)}
    return _at(case, {name: value for name, value in first.items() if name in without_value})


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


def _search(job: Job, count: int) -> Search:
    match job.strategy:
        case "static":
            return Static(count)
        case "dynamic":
            return Dynamic(count)
        case "hybrid":
            return Hybrid(count, job.budget, gain=0.0)
    raise InputError(f"strategy {job.strategy} is for GPU kernels", hint="static, dynamic or hybrid")


@dataclass(frozen=True)
class _Entry:
    """A line of the journal: a simulated variant."""

    point: Mapping[str, float]
    judged_s: float


class _Bench:
    """Predicts all variants at once; simulates single ones, unless the journal has their times."""

    def __init__(self, case: Case, points: list[Point], journal: Journal | None) -> None:
        self._case, self._points, self._journal = case, points, journal
        self.known: dict[str, float] = {}
        if journal:
            kept = entries(journal.path, _Entry, frozenset({"point"}))
            self.known = {_name(entry.point): entry.judged_s for entry in kept}

    def predict(
        self, numbers: Sequence[int], warps: int | None = None, *, precise: bool = False
    ) -> Iterable[tuple[int, Variant]]:
        """Predicts with one sweep."""
        return zip(numbers, predict_all(self._case, [self._points[number] for number in numbers]), strict=True)

    def judge(self, number: int, variant: Variant) -> Variant:
        """Adds the simulated time."""
        name, point = _name(variant.parameters), self._points[number] if number >= 0 else _numbers(variant)
        if name not in self.known:
            other = _at(self._case, point)
            self.known[name] = other.model.simulate(other.workload, other.machine, other.settings)
            if self._journal:
                self._journal.add({"point": point, "judged_s": self.known[name]})
        return judged(variant, self.known[name])


def _numbers(variant: Variant) -> Point:
    return {name: float(value) for name, value in variant.parameters.items()}


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


def _name(point: Mapping[str, float | str]) -> str:
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
