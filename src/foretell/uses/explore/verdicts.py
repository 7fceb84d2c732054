"""Varies the baseline: one parameter at a time, with a verdict on the design, and two parameters traded against each
other.

Section 6 of the Raexplore paper calls a resource over-designed when changing it, up or down, does not affect the time
much, and under-designed when it affects the time nearly linearly. Here the effect is an exponent: 0 none, 1 linear.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from foretell.core.answers.exploration import Scaling, ScalingRow, TradeoffRow, TradeoffTable, Verdict
from foretell.core.columns.space import Axis
from foretell.core.machine import parameters
from foretell.errors import InputError, nearest
from foretell.uses.explore import evaluate
from foretell.uses.explore.objectives import Values

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from foretell.core.answers.exploration import Balance
    from foretell.uses.explore.specification import SpaceFile, Tradeoff
    from foretell.uses.explore.study import Study

    Times = tuple[dict[str, float | None], float | None]

MEAN = "mean"
#: 7 % of time for half as much is the most that the paper still calls oversized (its Figure 17): log2(1.07) = 0.098
LITTLE = 0.1
#: halving the cores «almost doubled» the times (Figure 14)
LINEAR = 0.8
#: a quarter less time by twice as much (27 %, Figure 14) «leans towards the underdesign side»: log2(1/0.75) = 0.4
LEANS = 0.4
_SAME = 1e-9


def labels(file: SpaceFile) -> dict[str, str]:
    """The user's name of each parameter."""
    named = {name.path: key for key, name in file.names.items()}
    return {**named, **{axis.parameter: axis.key for axis in file.axes}}


# -------------------------------------------------------------------------------------- one parameter


def scaling_tables(study: Study, file: SpaceFile) -> tuple[Scaling, ...]:
    """Computes a table for each machine parameter requested; by default for those that are axes."""
    chosen = [_path(file, name) for name in file.scaled]
    chosen = chosen or [axis.parameter for axis in file.axes if parameters.known(axis.parameter)]
    return tuple(_scaling(study, path, labels(file).get(path, path), file.factors) for path in chosen)


def _path(file: SpaceFile, name: str) -> str:
    path = file.names[name].path if name in file.names else parameters.current(name)
    if not parameters.known(path):
        known = [*file.names, *(axis.key for axis in file.axes)]
        raise file.error("scaling.parameters", f"unknown parameter {name!r}{nearest(name, known)}")
    return path


def _scaling(study: Study, path: str, label: str, factors: Sequence[float]) -> Scaling:
    quantity = study.machine[path]
    whole = parameters.parameter(path).integer
    rows, reasons = [], []
    for factor in factors:
        value = quantity.value * factor
        if whole and (value != round(value) or value < 1):
            continue
        (times, mean), reason = timed(study, {path: value})
        rows.append(ScalingRow(factor, value, times, mean))
        reasons += [reason] if reason else []
    return Scaling(label, path, quantity.unit, tuple(rows), reasons[0] if reasons else "")


def timed(study: Study, values: Mapping[str, float]) -> tuple[Times, str]:
    """Predicts every application with some numbers of the machine changed, and their weighted mean (None as soon as one
    cannot run), with the reason where one has no time."""
    axes = {path: np.array([value]) for path, value in values.items()}
    columns = evaluate.followed(study, axes) if axes else {}
    times: dict[str, float | None] = {}
    reason = ""
    for position, name in enumerate(study.applications):
        try:
            seconds = float(evaluate.application_times(study, position, columns)[0])
        except InputError as error:
            reason = reason or error.message
            seconds = math.inf
        times[name] = seconds if math.isfinite(seconds) else None
    weighted = [weight * time for weight, time in zip(study.weights, times.values(), strict=True) if time is not None]
    mean = sum(weighted) / sum(study.weights) if len(weighted) == len(times) else None
    return (times, mean), reason


def verdicts(study: Study, tables: Sequence[Scaling]) -> tuple[Verdict, ...]:
    """Verdicts of every table: each application, then (where there are several) their mean."""
    names = [*study.applications, *([MEAN] if len(study.applications) > 1 else [])]
    return tuple(_verdict(table, name) for table in tables for name in names)


def _verdict(table: Scaling, name: str) -> Verdict:
    by_factor = {row.factor: row.mean_s if name == MEAN else row.times_s[name] for row in table.rows}
    half, now, twice = (by_factor.get(factor) for factor in (0.5, 1.0, 2.0))
    if now is None or now <= 0 or (half is None and twice is None):
        return Verdict(table.label, name, "no effect known", None, None, "more")
    down = None if half is None or half <= 0 else math.log2(half / now)
    up = None if twice is None or twice <= 0 else math.log2(now / twice)
    if (down or 0.0) + (up or 0.0) >= 0:
        return Verdict(table.label, name, balance(down, up), down, up, "more")
    loss, gain = (None if up is None else -up), (None if down is None else -down)
    return Verdict(table.label, name, balance(loss, gain), loss, gain, "less")


def balance(loss: float | None, gain: float | None) -> Balance:
    """The verdict for the exponents of worsening and of improving a parameter; one of them may be unknown."""
    if loss is None and gain is None:
        return "no effect known"
    known = [value for value in (loss, gain) if value is not None]
    if all(abs(value) < LITTLE for value in known):
        return "over-designed"
    if all(value >= LINEAR for value in known):
        return "under-designed"
    return "leans to under-design" if gain is not None and gain >= LEANS else "balanced"


# -------------------------------------------------------------------------------------- two parameters


def tradeoff_table(study: Study, file: SpaceFile) -> TradeoffTable | None:
    """Tabulates the options of two axes that keep a sum, beside the baseline."""
    wish = file.tradeoff
    if wish is None:
        return None
    first, second = (_axis(study, file, name) for name in wish.between)
    with file.at("tradeoff.keep"):
        if study.figures.needs_time(wish.keep):
            raise InputError("cannot be a time")
    names = labels(file)
    scales = tuple(next((n.scale for n in file.names.values() if n.path == a.name), 1.0) for a in (first, second))
    rows = [_option(study, file, wish, None)]
    rows += [_option(study, file, wish, pair) for pair in _pairs(study, wish, first, second)]
    if len(rows) == 1:
        raise file.error("tradeoff.total", f"no pair of values keeps {wish.keep.text!r} at {wish.total:g}")
    return TradeoffTable(
        labels=(names.get(first.name, first.name), names.get(second.name, second.name)),
        parameters=(first.name, second.name),
        units=(study.machine[first.name].unit, study.machine[second.name].unit),
        scales=(scales[0], scales[1]),
        keep=wish.keep.text,
        total=wish.total,
        rows=tuple(_marked(rows)),
    )


def _axis(study: Study, file: SpaceFile, name: str) -> Axis:
    keys = {axis.key: axis.parameter for axis in file.axes}
    if name not in keys:
        raise file.error("tradeoff.between", f"{name!r} is not an axis{nearest(name, keys)}")
    axis = next(axis for axis in study.space.axes if axis.name == keys[name])
    if not isinstance(axis, Axis):
        raise file.error("tradeoff.between", f"{name!r} has no list of values")
    if not parameters.known(axis.name):
        raise file.error("tradeoff.between", f"{name!r} is not a parameter of the machine")
    return axis


def _pairs(study: Study, wish: Tradeoff, first: Axis, second: Axis) -> list[tuple[float, float]]:
    a, b = (grid.ravel() for grid in np.meshgrid(first.array, second.array, indexing="ij"))
    kept = _kept(study, wish, {first.name: a, second.name: b})
    rows = np.abs(kept - wish.total) <= _SAME * abs(wish.total)
    return sorted(zip(a[rows].tolist(), b[rows].tolist(), strict=True))


def _kept(study: Study, wish: Tradeoff, columns: Mapping[str, NDArray[np.float64]]) -> NDArray[np.float64]:
    values = Values(study.figures, evaluate.followed(study, columns) if columns else {}, {})
    size = max((column.size for column in columns.values()), default=1)
    return np.broadcast_to(np.asarray(values.evaluate(wish.keep), dtype=np.float64), size)


def _option(study: Study, file: SpaceFile, wish: Tradeoff, pair: tuple[float, float] | None) -> TradeoffRow:
    first, second = (next(a.parameter for a in file.axes if a.key == name) for name in wish.between)
    changed: dict[str, float] = {}
    if pair is not None:
        changed = {first: pair[0], second: pair[1], **_fixed(study, file, wish)}
    own = (study.machine.value(first), study.machine.value(second)) if pair is None else pair
    kept = _kept(study, wish, {path: np.array([value]) for path, value in changed.items()})
    (times, mean), _ = timed(study, changed)
    return TradeoffRow(own, float(kept[0]), times, mean, is_baseline=pair is None)


def _fixed(study: Study, file: SpaceFile, wish: Tradeoff) -> dict[str, float]:
    for path, (_, unit) in wish.fixed.items():
        if path not in study.machine:
            raise file.error("tradeoff.set", f"machine {study.machine.name!r} has no {path}")
        if (own := study.machine[path].unit) != unit:
            raise file.error("tradeoff.set", f"{path} is in {unit}, the machine gives it in {own}")
    return {path: value for path, (value, _) in wish.fixed.items()}


def _marked(rows: list[TradeoffRow]) -> list[TradeoffRow]:
    times = [
        (row.mean_s, position) for position, row in enumerate(rows) if row.mean_s is not None and not row.is_baseline
    ]
    if not times:
        return rows
    _, best = min(times)
    return [replace(row, is_best=position == best) for position, row in enumerate(rows)]
