"""Explains a predicted time: bounds, sensitivity to every machine parameter, advice."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from foretell.core.answers.answers import Explanation, Sensitivity
from foretell.core.machine.parameters import parameter, pattern
from foretell.core.machine.siblings import leading, with_siblings
from foretell.errors import InputError
from foretell.uses.annotate import annotated

if TYPE_CHECKING:
    from foretell.api import Case
    from foretell.core.machine.machine import Machine

#: granularities and page sizes: other values make another machine, not a faster one
_LEFT_ALONE = (
    "level.*.line", "level.*.sector", "tlb.page_size", "memory.transaction", "memory.block", "occupancy.warp",
    "occupancy.register_unit", "occupancy.shared_unit", "occupancy.shared_reserved", "level.*.partition_run",
)  # fmt: skip


def why(case: Case) -> Explanation:
    """Computes the prediction, its sensitivities (strongest first) and the model's advice."""
    prediction = case.predict()
    varied = replace(case, settings=case.model.compared(case.settings))
    base = prediction.time_s if varied.settings == case.settings else varied.predict().time_s
    sensitivities = [_sensitivity(varied, path, base) for path in _varied_paths(case)]
    sensitivities += case.model.sensitivities(case.workload, case.machine, varied.settings)
    sensitivities.sort(key=lambda item: -abs(item.elasticity or 0.0))
    scale = prediction.time_s / base if base > 0 else 1.0
    listing = case.model.listing(case.workload, case.machine, case.settings)
    return Explanation(
        prediction=prediction,
        sensitivities=tuple(_scaled(item, scale) for item in sensitivities),
        advice=case.model.advise(case.workload, case.machine, case.settings),
        listing=listing,
        lines=annotated(case, listing, prediction.time_s),
        code=case.model.loop_code(case.workload, case.machine, case.settings),
    )


def _scaled(item: Sensitivity, scale: float) -> Sensitivity:
    """Scales times to the prediction, where a shorter run was used for the comparison."""
    up, down = (None if time is None else time * scale for time in (item.time_up_s, item.time_down_s))
    return item if scale == 1 else replace(item, time_up_s=up, time_down_s=down)


def _varied_paths(case: Case) -> list[str]:
    """The parameters to vary: those that the model reads, each group of siblings by its first; what cannot be more or
    less, such as the size of a line, is left alone."""
    read = [path for path in case.model.reads(case.machine) if pattern(path) not in _LEFT_ALONE]
    return list(dict.fromkeys(_leader(case.machine, path) for path in read))


def _leader(machine: Machine, path: str) -> str:
    return leading(machine, [other for other in machine.quantities if other != path], path) or path


def _sensitivity(case: Case, path: str, time_s: float) -> Sensitivity:
    """Computes the mean effect of 10 % more and 10 % less, or of twice and half of a count, on a parameter and its
    siblings."""
    quantity = case.machine[path]
    value = quantity.value
    more, less = (2 * value, float(value // 2)) if parameter(path).integer else (1.1 * value, 0.9 * value)
    up, up_reason = _run(case, path, more)
    down, down_reason = _run(case, path, less)
    elasticity = _slope if not parameter(path).integer else _exponent
    slopes = [
        elasticity(time / time_s, changed / value)
        for time, changed in ((up, more), (down, less))
        if time and time_s > 0
    ]
    return Sensitivity(
        parameter=path,
        meaning=parameter(path).meaning,
        value=value,
        unit=quantity.unit,
        elasticity=sum(slopes) / len(slopes) if slopes else None,
        time_up_s=up,
        time_down_s=down,
        note=up_reason or down_reason,
    )


def _slope(time: float, change: float) -> float:
    """Relative change of the time over a small relative change of the parameter."""
    return (time - 1) / (change - 1)


def _exponent(time: float, change: float) -> float:
    """The same for a large change: the exponent of a power law."""
    return math.log(time) / math.log(change)


def _run(case: Case, path: str, value: float) -> tuple[float | None, str]:
    if value <= 0:
        return None, "cannot be less"
    try:
        machine = case.machine.with_values(with_siblings(case.machine, {path: value}))
        return case.model.predict(case.workload, machine, case.settings).time_s, ""
    except InputError as error:
        return None, error.message
