"""Means of data that a time needs and nobody gave: iterations of loops that data end, lengths of rows. One rule gives
them a value, which is named and widens the interval."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from foretell.core.nest.averages import is_average
from foretell.models.cpu.incore.calls.open_ends import ROUNDS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from foretell.core.answers.prediction import Prediction
    from foretell.core.nest.loopnest import Loops
    from foretell.core.workload import Workload

_TRIPS = re.compile(r"trips_L\d+(?:~\d+)?")
#: the fewest and the most that such a mean may be
ENDS = 1.0, ROUNDS**2


def with_estimates(loops: Loops, workload: Workload, names: Sequence[str]) -> Workload | None:
    """The workload with values for names that it lacks, where all of them are means of data."""
    if not all(_TRIPS.fullmatch(name) or is_average(name) for name in names):
        return None
    facets = tuple(replace(loops, estimated=tuple(names)) if one is loops else one for one in workload.facets)
    return replace(workload, facets=facets, parameters={**workload.parameters, **dict.fromkeys(names, ROUNDS)})


def estimated(loops: Loops | None, values: Mapping[str, object]) -> tuple[str, ...]:
    """The names whose values are still those of the rule."""
    return tuple(name for name in loops.estimated if values.get(name) == ROUNDS) if loops is not None else ()


def estimate_notes(names: Sequence[str]) -> tuple[str, ...]:
    """What is said of them."""
    limits = f"{ENDS[0]:g} to {ENDS[1]:.2g}"
    return tuple(
        f"{name} is not given and depends on data: {ROUNDS:.2g} by a rule ({limits} are possible; known: -D {name}=…)"
        for name in names
    )


def widened(answer: Prediction, at: Callable[[float], Prediction]) -> Prediction:
    """The answer with an interval from that of the fewest to that of the most."""
    found = [one.interval_s for one in (answer, *map(at, ENDS)) if one.interval_s is not None]
    return replace(answer, interval_s=(min(low for low, _ in found), max(high for _, high in found)))
