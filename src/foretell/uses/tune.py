"""Finds the best variant of a code: every variant predicted, every variant simulated, or the most promising ones.

A search proposes the next point and is told its time; it is independent of models and simulators. Simulated times
(`Model.simulate`) survive a kill in a journal.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

import numpy as np

from foretell.api import sweep
from foretell.core.answers.tuning import Tuning, Variant
from foretell.errors import InputError
from foretell.files import content_hash
from foretell.uses.journal import append, good_lines, open_locked

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from foretell.api import Case
    from foretell.core.answers.tuning import Strategy
    from foretell.core.columns.space import Space

Point = dict[str, float]
#: points done, their total, the best so far
Progress = Callable[[int, int, Variant], None]

_MAGIC = "foretell-tune"
_MOST_POINTS = 2_000_000
#: points that are re-evaluated at a time where the model has a faster form, and the most rounds of it
_LOOKED_AT_AGAIN, _LOOKS = 16, 4


class Search(Protocol):
    """Proposes the next point. `tell` is called with the time of every point that `ask` gave; None ends the search."""

    def ask(self) -> Point | None: ...

    def tell(self, point: Point, seconds: float) -> None: ...


class InOrder:
    """Points in a given order, the first `budget` of them: all for an exhaustive search, the best predicted ones for a
    search that is seeded by a model."""

    def __init__(self, points: Sequence[Point], budget: int | None = None) -> None:
        self._left = list(points[:budget])[::-1]

    def ask(self) -> Point | None:
        return self._left.pop() if self._left else None

    def tell(self, point: Point, seconds: float) -> None:
        """Does nothing: a given order does not change."""


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


def _with_simulations(
    case: Case, space: Space, job: Job, default: Variant, able: list[Variant], variants: list[Variant], static_s: float
) -> Tuning:
    order = [dict(variant.parameters) for variant in able]
    search = InOrder(order, job.budget if job.strategy == "hybrid" else None)
    total = min(job.budget, len(order)) if job.strategy == "hybrid" else len(order)
    with Journal(job.journal, _key(case, space), fresh=job.fresh) as journal:
        resumed = len(journal.known)
        if not default.reason:
            default = replace(default, judged_s=simulated(case, dict(default.parameters), journal))
        start = time.process_time()
        found = run(search, lambda point: simulated(case, point, journal), total, job.progress)
        simulate_s = time.process_time() - start
    complete = [
        replace(v, judged_s=found.get(_name(v.parameters))) if _name(v.parameters) in found else v for v in variants
    ]
    best = min((v for v in complete if v.judged_s is not None), key=lambda v: v.judged_s or 0.0)
    return _answer(case, job, default, best, complete, (static_s, simulate_s, resumed))


def run(search: Search, measure: Callable[[Point], float], total: int, progress: Progress) -> dict[str, float]:
    """Asks, measures and tells until the search ends; times by the names of the points."""
    found: dict[str, float] = {}
    best = Variant({})
    while (point := search.ask()) is not None:
        seconds = found[_name(point)] = measure(point)
        search.tell(point, seconds)
        if best.judged_s is None or seconds < best.judged_s:
            best = Variant(point, judged_s=seconds)
        progress(len(found), total, best)
    return found


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
        at(case, point).predict()
    except InputError as error:
        return error.message
    return "cannot run"


def at(case: Case, point: Mapping[str, float]) -> Case:
    """The case with other code parameters."""
    return replace(case, workload=case.workload.with_parameters(point))


def simulated(case: Case, point: Point, journal: Journal) -> float:
    """Returns the simulated time of a variant, from the journal if it is there."""
    known = journal.known.get(_name(point))
    if known is None:
        there = at(case, point)
        known = there.model.simulate(there.workload, there.machine, there.settings)
        journal.add(point, known)
    return known


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


class Journal:
    """Simulated times that survive a kill; without a file they are kept in memory only."""

    def __init__(self, path: Path | None, key: str, *, fresh: bool = False) -> None:
        self.path = path
        self.known: dict[str, float] = {}
        self._file = None if path is None else open_locked(path)
        try:
            if self._file is not None and path is not None:
                self._start(path, key, fresh)
        except BaseException:
            self.close()
            raise

    def _start(self, path: Path, key: str, fresh: bool) -> None:
        assert self._file is not None
        lines = [(end, json.loads(line)) for end, line in good_lines(path)]
        if self._file.seek(0, os.SEEK_END) and (not lines or _MAGIC not in lines[0][1]):
            if lines or not _torn(path):
                raise InputError("is not a journal of foretell tune", file=path)
            self._file.truncate(0)
        if lines and not fresh and lines[0][1]["key"] != key:
            raise InputError(
                "is the journal of another search: the code, a size, the machine, the model or an option differs",
                file=path,
                hint="--fresh starts it anew, --journal FILE takes another file",
            )
        if fresh or not lines:
            self._file.truncate(0)
            append(self._file, path, json.dumps({_MAGIC: 1, "key": key}))
            return
        self._file.truncate(lines[-1][0])
        self.known = {_name(entry["point"]): float(entry["judged_s"]) for _, entry in lines[1:]}

    def add(self, point: Point, seconds: float) -> None:
        """Adds a time; it is on the disk when this returns."""
        self.known[_name(point)] = seconds
        if self._file is not None and self.path is not None:
            append(self._file, self.path, json.dumps({"point": point, "judged_s": seconds}))

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _torn(path: Path) -> bool:
    """Whether a file is the beginning of a journal whose first line is incomplete."""
    text = path.read_bytes()[:64]
    return b"\n" not in text and f'{{"{_MAGIC}"'.encode().startswith(text[9:][: len(_MAGIC) + 3])
