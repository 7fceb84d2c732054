"""Explains a predicted time: bounds, sensitivity to every machine parameter, advice."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from foretell.core.answers.answers import Explanation, Sensitivity
from foretell.core.machine.parameters import parameter
from foretell.errors import InputError
from foretell.uses.annotate import annotated

if TYPE_CHECKING:
    from foretell.api import Case

_STEP = 0.1


def why(case: Case) -> Explanation:
    """Computes the prediction, its sensitivities (strongest first) and the model's advice."""
    prediction = case.predict()
    varied = replace(case, settings=case.model.compared(case.settings))
    base = prediction.time_s if varied.settings == case.settings else varied.predict().time_s
    found = [_sensitivity(varied, path, base) for path in case.model.reads(case.machine)]
    found += case.model.sensitivities(case.workload, case.machine, varied.settings)
    found.sort(key=lambda item: -abs(item.elasticity or 0.0))
    scale = prediction.time_s / base if base > 0 else 1.0
    listing = case.model.listing(case.workload, case.machine, case.settings)
    return Explanation(
        prediction=prediction,
        sensitivities=tuple(_scaled(item, scale) for item in found),
        advice=case.model.advise(case.workload, case.machine, case.settings),
        listing=listing,
        lines=annotated(case, listing, prediction.time_s),
        code=case.model.loop_code(case.workload, case.machine, case.settings),
    )


def _scaled(item: Sensitivity, scale: float) -> Sensitivity:
    """Scales times to the prediction, where a shorter run was used for the comparison."""
    up, down = (None if time is None else time * scale for time in (item.time_up_s, item.time_down_s))
    return item if scale == 1 else replace(item, time_up_s=up, time_down_s=down)


def _sensitivity(case: Case, path: str, time_s: float) -> Sensitivity:
    """Computes the mean effect of 10 % more and 10 % less, or of one more and one less of a count."""
    quantity = case.machine[path]
    value = quantity.value
    step = 1.0 if parameter(path).integer else _STEP * value
    up, up_reason = _run(case, path, value + step)
    down, down_reason = _run(case, path, value - step)
    relative = step / value
    slopes = []
    if time_s > 0:
        slopes += [(up / time_s - 1) / relative] if up is not None else []
        slopes += [(1 - down / time_s) / relative] if down is not None else []
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


def _run(case: Case, path: str, value: float) -> tuple[float | None, str]:
    if value <= 0:
        return None, "cannot be less"
    try:
        machine = case.machine.with_values({path: value})
        return case.model.predict(case.workload, machine, case.settings).time_s, ""
    except InputError as error:
        return None, error.message
