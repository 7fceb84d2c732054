"""The closed form for one resource (Sections 3.2 and 3.3 of the SAAKE paper).

C chains of P dependent requests each on one resource of latency L and gap G, in cycles.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from foretell.core.answers.prediction import Limit


@dataclass(frozen=True, slots=True)
class Elasticity:
    """Percent of time for one percent of latency, and of gap; they sum to 1."""

    latency: float
    gap: float


def limit(latency: float, gap: float, chains: float) -> Limit:
    """Which case applies: a chain's next request waits for its result (latency), or for the resource (gap)."""
    return "latency" if latency > chains * gap else "throughput"


def cycles(latency: float, gap: float, chains: float, phases: float) -> float:
    """The time of all requests; in either case the larger of the two formulas."""
    if limit(latency, gap, chains) == "latency":
        return latency * phases + (chains - 1) * gap
    return latency + (chains * phases - 1) * gap


def elasticity(latency: float, gap: float, chains: float, phases: float) -> Elasticity:
    """The elasticities in a form that, unlike the printed reciprocals, is defined at one chain."""
    total = cycles(latency, gap, chains, phases)
    if limit(latency, gap, chains) == "latency":
        return Elasticity(latency * phases / total, (chains - 1) * gap / total)
    return Elasticity(latency / total, (chains * phases - 1) * gap / total)
