"""The results of a probe, from which a machine file is filled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from foretell.machines.probe.caches import Level
    from foretell.machines.probe.kernels import Variant
    from foretell.machines.probe.method import Estimate
    from foretell.machines.probe.plan import Place
    from foretell.machines.probe.system import System


@dataclass(frozen=True)
class Results:
    """All results of a probe: estimates by name of the task, and the configuration that they were measured with."""

    system: System
    levels: tuple[Level, ...]
    places: tuple[Place, ...]
    variants: tuple[Variant, ...]
    threads: int
    cpus: int
    frequency: float
    numbers: dict[str, Estimate]
    #: the highest clock, and that with all threads active
    highest_frequency: float
    all_cores_frequency: float
    #: by width in bytes of the vectors that arithmetic uses
    vector_frequency: dict[int, float]
    #: mean number of co-runners beside one thread
    corunners: float
