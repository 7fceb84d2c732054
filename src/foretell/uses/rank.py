"""Which machine, or which of several codes: fastest first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.core.answers import Predictions, Refusal
from foretell.core.workload import Workload
from foretell.door import On, prepare
from foretell.errors import InputError, nearest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from foretell.core.prediction import Mode


def rank(
    workload: Workload | Sequence[Workload],
    machines: Sequence[On],
    *,
    mode: Mode = "default",
    model: str | None = None,
    options: Mapping[str, str] | None = None,
    measured: Mapping[str, float] | None = None,
) -> Predictions:
    """Predictions of every code on every machine that the model can answer for; the others with the reason. Times that
    are only lower bounds come last: they say nothing about who is faster.

    `measured` are seconds by machine, to see how much of the predicted speed was reached."""
    codes = [workload] if isinstance(workload, Workload) else workload
    predictions, refused = [], []
    for code in codes:
        for on in machines:
            try:
                predictions.append(prepare(code, on, mode=mode, model=model, options=options).predict())
            except InputError as error:
                name = getattr(on, "name", str(on))
                refused.append(Refusal(name if len(codes) == 1 else f"{code.name} on {name}", error.message))
    predictions.sort(key=lambda prediction: (prediction.at_least, prediction.time_s))
    names = {entry.machine for entry in predictions}
    for name in measured or {}:
        if predictions and name not in names:
            raise InputError(f"a measured time of {name!r}, which is not predicted{nearest(name, names)}")
    return Predictions(tuple(predictions), tuple(refused), measured or {})
