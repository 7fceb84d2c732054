"""Which models can answer for which machine: with the numbers of its file, with estimates, or not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell import models
from foretell.api import loaded
from foretell.core.answers.coverage import Coverage, Row
from foretell.errors import InputError
from foretell.machines import completed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from foretell.api import On
    from foretell.core.answers.coverage import Answer
    from foretell.core.machine.machine import Machine
    from foretell.models.base import Model


def coverage(machines: Sequence[On]) -> Coverage:
    """Asks every model about every machine."""
    every = [models.get(name) for name in models.names()]
    devices = [loaded(on) for on in machines]
    rows = tuple(
        Row(machine.name, machine.kind, {model.name: _answer(model, machine) for model in every}) for machine in devices
    )
    return Coverage(tuple(model.name for model in every), rows)


def _answer(model: Model, machine: Machine) -> Answer:
    whole = completed(machine)
    try:
        model.check(whole)
        return "estimates" if model.assumes(whole) else "yes"
    except InputError:
        return "no"
