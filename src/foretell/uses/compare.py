"""Every model that can answer, side by side: where they disagree, the user sees it. Nothing is averaged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.core.answers import Predictions, Refusal
from foretell.door import On, answering, predict
from foretell.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from foretell.core.prediction import Mode
    from foretell.core.workload import Workload


def compare(
    workload: Workload,
    machines: Sequence[On],
    *,
    points: Sequence[Mapping[str, float]] = ({},),
    mode: Mode = "default",
) -> Predictions:
    """What each model says of each machine and point; those that cannot answer, with the reason."""
    predictions, refused = [], []
    for machine in machines:
        for point in points:
            for model in answering(workload):
                try:
                    predictions.append(predict(workload, machine, parameters=point, mode=mode, model=model))
                except InputError as error:
                    refused.append(Refusal(f"{model} on {getattr(machine, 'name', machine)}", error.message))
    if not predictions:
        reason = (
            f"{refused[0].name}: {refused[0].reason}" if refused else f"{workload.name} has no facet of one"
        )
        raise InputError(f"no model can answer; {reason}")
    return Predictions(tuple(predictions), tuple(refused))
