"""Which machine: the same code on several, fastest first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.core.answers import Predictions, Refusal
from foretell.door import On, prepare
from foretell.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from foretell.core.prediction import Mode
    from foretell.core.workload import Workload


def rank(
    workload: Workload,
    machines: Sequence[On],
    *,
    mode: Mode = "default",
    model: str | None = None,
    options: Mapping[str, str] | None = None,
) -> Predictions:
    """Predictions on every machine that the model can answer for; the others with the reason."""
    predictions, refused = [], []
    for on in machines:
        try:
            predictions.append(prepare(workload, on, mode=mode, model=model, options=options).predict())
        except InputError as error:
            refused.append(Refusal(getattr(on, "name", str(on)), error.message))
    predictions.sort(key=lambda prediction: prediction.time_s)
    return Predictions(tuple(predictions), tuple(refused))
