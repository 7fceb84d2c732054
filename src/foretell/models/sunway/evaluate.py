"""Evaluates the terms of a kernel at one point, with a simulated total if the options say so."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from foretell.errors import InputError
from foretell.models.sunway import equations
from foretell.models.sunway.simulator import TooLongError, simulate

if TYPE_CHECKING:
    from foretell.core.workload import Workload
    from foretell.models.base import Inputs, Settings
    from foretell.models.sunway.work import Work

_AVERAGED = "simulated in part: the other rounds take the average time of those that were simulated"


class Evaluated(NamedTuple):
    """Every term in cycles (`time_s` in seconds), and the assumptions."""

    terms: dict[str, float]
    notes: tuple[str, ...] = ()


def evaluate(workload: Workload, work: Work, inputs: Inputs, settings: Settings) -> Evaluated:
    """Computes the terms by the equations; with `overlap=simulated` the total is that of the simulator."""
    closed = equations.terms(work, inputs, settings)
    if not math.isfinite(closed["time_s"]):
        raise InputError(f"the counts of {workload.name!r} are too large: no finite time comes of them")
    if not is_simulated(settings):
        return Evaluated(closed)
    try:
        run = simulate(workload, inputs.machine, settings.options)
    except TooLongError as error:
        return Evaluated(closed, (f"closed form of the queue: {error.message}",))
    cycles = run.time_s * inputs.machine.value("clock.frequency")
    return Evaluated(equations.with_total(closed, cycles, run.time_s), () if run.exact else (_AVERAGED,))


def in_closed_form(settings: Settings) -> Settings:
    """Settings with the closed form of the queue instead of a simulation."""
    if not is_simulated(settings):
        return settings
    return replace(settings, options={**settings.options, "overlap": "queue"})


def is_simulated(settings: Settings) -> bool:
    """Whether single points are simulated."""
    return settings["overlap"] == "simulated"
