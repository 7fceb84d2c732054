"""What estimated numbers of a machine do to an answer: they are named, and widen its interval.

Parameters of one group are varied together by the factor within which their estimate is right; the groups are
independent, so their relative effects on the time add in quadrature. A group that does not change the time, even far
slower than estimated, is not named.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from foretell import units
from foretell.errors import InputError
from foretell.machines.estimates import estimated, facts, group_of
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from foretell.core.answers.prediction import Prediction
    from foretell.core.machine.machine import Machine
    from foretell.core.workload import Workload
    from foretell.models.base import Model, Settings

    Groups = dict[str, list[str]]

#: an estimate matters where one so many times slower changes the time: measured values are not that far from the rules
_FAR = 8.0
_SAME = 1e-9
_STRUCTURE = (".line", ".ways", ".shared_by", ".simd_width")
#: instruction tables, of which so many numbers are listed
_CODE, _COSTS, _LISTED = "pipeline.", (".latency", ".gap"), 8
#: of more points than this, the effects at a few stand for all
_MOST_POINTS, _SAMPLES = 64, 8


@record
class Spread:
    """How much shorter and longer the time may be, as ratios, and the notes that name the estimates."""

    low: float = 1.0
    high: float = 1.0
    notes: tuple[str, ...] = ()
    #: how much longer the time is with each group of estimates slower by its factor
    effects: tuple[tuple[str, float], ...] = ()

    def applied(self, prediction: Prediction) -> Prediction:
        """The prediction with the wider interval, and the notes."""
        if not self.notes:
            return prediction
        low, high = prediction.interval_s or (prediction.time_s, prediction.time_s)
        return replace(
            prediction,
            interval_s=(low * self.low, high * self.high),
            assumptions=(*prediction.assumptions, *self.notes),
            details={**prediction.details, "estimates": dict(self.effects)},
        )


def spreads(
    model: Model, workload: Workload, machine: Machine, settings: Settings, predictions: Sequence[Prediction]
) -> list[Spread]:
    """The effect of a machine's estimates on each prediction."""
    if settings.mode == "paper" or model.names_estimates or not predictions:
        return [Spread()] * len(predictions)
    groups = _groups(model, machine)
    code = _of_code(model, workload, machine, settings, predictions)
    if not groups:
        return [replace(code, notes=_structure(machine))] * len(predictions)
    chosen = _sampled(len(predictions))
    sizes = [predictions[number].parameters for number in chosen]
    vary = _closed_form if model.budget is None else _extremes
    found = [_spread(machine, groups, row) for row in vary(model, workload, machine, settings, sizes, groups)]
    found = [_with_code(spread, code, _structure(machine)) for spread in found]
    if len(found) == len(predictions):
        return found
    return [_widest(found)] * len(predictions)


def _code(machine: Machine) -> list[str]:
    """The estimated numbers of the instruction tables of a CPU."""
    return [] if machine.kind == "gpu" else [path for path in estimated(machine) if path.startswith(_CODE)]


def _of_code(
    model: Model, workload: Workload, machine: Machine, settings: Settings, predictions: Sequence[Prediction]
) -> Spread:
    """The effect of all estimated numbers of instruction tables at once, of which sweeps have no columns: the widest of
    the first point and the last."""
    groups: Groups = {_CODE: [path for path in _code(machine) if path.endswith(_COSTS)]}
    if not groups[_CODE]:
        return Spread()
    sizes = [predictions[number].parameters for number in sorted({0, len(predictions) - 1})]
    ratios = _extremes(model, workload, machine, settings, sizes, groups)[:, :2]
    ratios = np.where(ratios > 0, ratios, 1.0)
    low, high = min(1.0, float(ratios.min())), max(1.0, float(ratios.max()))
    return Spread(low, high, effects=((_CODE, high),) if high > 1 else ())


def _with_code(spread: Spread, code: Spread, notes: tuple[str, ...]) -> Spread:
    """Both effects, which are independent."""
    low = math.exp(-math.hypot(math.log(spread.low), math.log(code.low)))
    high = math.exp(math.hypot(math.log(spread.high), math.log(code.high)))
    return Spread(low, high, (*spread.notes, *notes), (*spread.effects, *code.effects))


def _groups(model: Model, machine: Machine) -> Groups:
    """The estimated parameters that a model reads of a machine, by group; without its structure: there is no line of 43
    bytes."""
    read = set(model.reads(machine))
    groups: Groups = {}
    for path in estimated(machine):
        if path in read and not path.endswith(_STRUCTURE):
            groups.setdefault(group_of(path), []).append(path)
    return groups


def _structure(machine: Machine) -> tuple[str, ...]:
    """Names what a sweep cannot vary: the structure of caches, vectors and instruction tables."""
    if machine.kind == "gpu":
        return ()
    paths = [path for path in estimated(machine) if path.endswith(_STRUCTURE)]
    code = _code(machine)
    told = [_note(machine, paths)] if paths else []
    if len(code) > _LISTED:
        rules = ", ".join(dict.fromkeys(machine[path].source.reference for path in code))
        factor = max(facts(path).factor for path in code)
        return (*told, f"estimated for {machine.name}, within a factor of {factor:g}: {_CODE}* ({rules})")
    return (*told, _note(machine, code)) if code else tuple(told)


def _sampled(count: int) -> list[int]:
    if count <= _MOST_POINTS:
        return list(range(count))
    return sorted({round(number) for number in np.linspace(0, count - 1, _SAMPLES)})


def _widest(found: Sequence[Spread]) -> Spread:
    notes = dict.fromkeys(note for spread in found for note in spread.notes)
    effects: dict[str, float] = {}
    for spread in found:
        effects |= {group: max(effect, effects.get(group, 1.0)) for group, effect in spread.effects}
    return Spread(
        min(spread.low for spread in found), max(spread.high for spread in found), tuple(notes), tuple(effects.items())
    )


def _closed_form(
    model: Model,
    workload: Workload,
    machine: Machine,
    settings: Settings,
    sizes: Sequence[Mapping[str, float]],
    groups: Groups,
) -> NDArray[np.float64]:
    """Times relative to that of the estimates: a row for each point; for each group, slower and faster by its factor,
    and far slower."""
    columns = _columns(machine, groups)
    varied = len(next(iter(columns.values())))
    points = {path: np.tile(column, len(sizes)) for path, column in columns.items()}
    for name in sizes[0]:
        column = np.array([point[name] for point in sizes], dtype=np.float64)
        points[name] = (
            column if len(sizes) == 1 else np.repeat(column, varied)
        )  # one size: what depends on it alone is a number
    with np.errstate(all="ignore"):  # closed forms are meaningless where a nest does not run
        times = model.sweep(workload, machine, settings, points).reshape(len(sizes), varied)
        base = times[:, :1]
        return np.where(np.isfinite(times) & (base > 0), times / base, 1.0)[:, 1:]


def _columns(machine: Machine, groups: Groups) -> dict[str, NDArray[np.float64]]:
    """Columns of the estimated parameters: as they are, then three variations of each group."""
    count = 1 + 3 * len(groups)
    columns = {}
    for number, paths in enumerate(groups.values()):
        for path in paths:
            known = facts(path)
            sign = 1 if known.slower else -1
            column = np.full(count, machine.value(path))
            column[3 * number + 1 : 3 * number + 4] *= [known.factor**sign, known.factor**-sign, _FAR**sign]
            columns[path] = column
    return columns


def _extremes(
    model: Model,
    workload: Workload,
    machine: Machine,
    settings: Settings,
    sizes: Sequence[Mapping[str, float]],
    groups: Groups,
) -> NDArray[np.float64]:
    """The same where each point is simulated: all groups at once, slower and faster. Each of them is named."""
    rows = []
    for point in sizes:
        code = workload.with_parameters(point) if point else workload
        times = [_time(model, code, _all_at(machine, groups, sign), settings) for sign in (0, 1, -1)]
        shares = [time / times[0] if times[0] else 1.0 for time in times[1:]]
        rows.append([*shares, np.nan] + [1.0, 1.0, np.nan] * (len(groups) - 1))
    return np.array(rows)


def _all_at(machine: Machine, groups: Groups, sign: int) -> Machine:
    values = {}
    for path in (path for paths in groups.values() for path in paths):
        known = facts(path)
        values[path] = machine.value(path) * known.factor ** (sign if known.slower else -sign)
    return machine.with_values(values)


def _time(model: Model, workload: Workload, machine: Machine, settings: Settings) -> float:
    try:
        return model.predict(workload, machine, settings).time_s
    except InputError:  # out of what the model can do: no effect that could be stated
        return 0.0


def _spread(machine: Machine, groups: Groups, ratios: NDArray[np.float64]) -> Spread:
    notes, low, high, named = [], [], [], {}
    for number, (group, paths) in enumerate(groups.items()):
        effects = ratios[3 * number : 3 * number + 3]
        if np.nanmax(np.abs(effects - 1)) <= _SAME and not np.isnan(effects[2]):
            continue
        notes.append(_note(machine, paths))
        near = [float(effect) for effect in effects[:2] if effect > 0]
        named[group] = max(1.0, *near)
        high.append(math.log(named[group]))
        low.append(math.log(min(1.0, *near)))
    return Spread(math.exp(-math.hypot(*low)), math.exp(math.hypot(*high)), tuple(notes), tuple(named.items()))


def _note(machine: Machine, paths: Sequence[str]) -> str:
    """Names the parameters with their values, the rule, and its uncertainty."""
    rules: dict[str, list[str]] = {}
    for path in paths:
        rules.setdefault(machine[path].source.reference, []).append(path)
    told = "; ".join(f"{_listed(machine, those)} ({rule})" for rule, those in rules.items())
    factor = max(facts(path).factor for path in paths)
    return f"estimated for {machine.name}, within a factor of {factor:g}: {told}"


def _listed(machine: Machine, paths: Sequence[str]) -> str:
    """Parameters with their values; of several kinds of one bandwidth, the names alone."""
    end, head = "_bandwidth", group_of(paths[0]).removesuffix("bandwidth")
    kinds = [path.removeprefix(head).removesuffix(end) for path in paths if path.endswith(end)]
    if len(kinds) == len(paths) > 1 and all(path.startswith(head) for path in paths):
        return f"{head}{{{','.join(kinds)}}}{end}"
    return ", ".join(f"{path} {units.show(machine.value(path), machine[path].unit)}" for path in paths)
