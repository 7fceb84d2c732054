"""Why a code takes as long as it does: bounds, sensitivity to every machine parameter, advice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.core.answers import Explanation, Sensitivity
from foretell.core.parameters import parameter
from foretell.errors import InputError

if TYPE_CHECKING:
    from foretell.door import Case

_STEP = 0.1


def why(case: Case) -> Explanation:
    """The prediction, its sensitivities (strongest first) and what the model advises."""
    prediction = case.predict()
    found = [_sensitivity(case, path, prediction.time_s) for path in case.model.reads(case.machine)]
    found += case.model.sensitivities(case.workload, case.machine, case.settings)
    found.sort(key=lambda item: -abs(item.elasticity or 0.0))
    return Explanation(
        prediction=prediction,
        sensitivities=tuple(found),
        advice=case.model.advise(case.workload, case.machine, case.settings),
        listing=case.model.listing(case.workload, case.machine, case.settings),
    )


def _sensitivity(case: Case, path: str, time_s: float) -> Sensitivity:
    """The mean of the runs with 10 % more and 10 % less, or one more and one less of a count."""
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
