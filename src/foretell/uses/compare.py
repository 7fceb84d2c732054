"""Compares all models that can answer, side by side, so that disagreements are visible. Nothing is averaged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.api import Code, On, answering, loaded, prepare
from foretell.core.answers.answers import Predictions, Refusal
from foretell.errors import InputError
from foretell.frontends import Reader, read_options

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Unpack

    from foretell.core.answers.prediction import Mode, Prediction
    from foretell.core.machine.machine import Machine
    from foretell.core.workload import Workload
    from foretell.frontends import Reading


def compare(
    code: Code | Reader,
    machines: Sequence[On],
    *,
    points: Sequence[Mapping[str, float]] = ({},),
    mode: Mode = "default",
    **reading: Unpack[Reading],
) -> Predictions:
    """Predicts each machine and point with each model; those that cannot answer, with the reason."""
    reader = code if isinstance(code, Reader) else Reader(code, read_options(**reading))
    predictions, refused = [], []
    for machine, workload in ((loaded(on), reader.workload(loaded(on))) for on in machines):
        models = answering(workload)
        columns = [_at_points(workload, machine, points, mode, model) for model in models]
        for row in zip(*columns, strict=True):
            for model, differences in zip(models, row, strict=True):
                if isinstance(differences, InputError):
                    refused.append(Refusal(f"{model} on {machine.name}", differences.message))
                else:
                    predictions.append(differences)
    if not predictions:
        reason = f"{refused[0].name}: {refused[0].reason}" if refused else f"{workload.name} has no facet of one"
        raise InputError(f"no model can answer; {reason}")
    return Predictions(tuple(predictions), tuple(refused))


def _at_points(
    workload: Workload, machine: Machine, points: Sequence[Mapping[str, float]], mode: Mode, model: str
) -> list[Prediction | InputError]:
    try:
        return prepare(workload, machine, mode=mode, model=model).predict_many(points)
    except InputError as error:
        return [error] * len(points)
