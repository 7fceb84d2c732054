"""Analysis results of a program, for the reports. A separate module, so that `describe` starts fast."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from foretell.core.gpu.branches import BranchPoint
    from foretell.core.gpu.sass import SassKernel
    from foretell.core.workload import Workload


@record
class LoopFacts:
    """Parallelism of a loop: 'parallel', 'reduction', 'sequential' or 'unknown', and the reason."""

    variable: str
    verdict: str
    reason: str


@record
class DependenceFacts:
    """A dependence with its distance in iterations of every loop, outer to inner."""

    array: str
    kind: str
    distance: tuple[str, ...]
    source_line: int
    sink_line: int


@record
class NestFacts:
    """Facts derived from one nest: parallelism of its loops, dependences and, at known sizes, the footprint.

    `elements` and `lines` are the distinct ones of each array; None where a size is unknown or exact counting is too
    expensive (the reason is in `note`).
    """

    loops: tuple[LoopFacts, ...] = ()
    dependences: tuple[DependenceFacts, ...] = ()
    elements: Mapping[str, int] | None = None
    lines: Mapping[str, int] | None = None
    note: str = ""


@record
class Description:
    """Analysis results of a program, facts of each nest (in their order), and the analysis time."""

    workload: Workload
    facts: tuple[NestFacts, ...]
    seconds: float


@record
class KernelDescription:
    """A GPU kernel without a launch: its resources, and its conditional branches by source line."""

    kernel: SassKernel
    branches: tuple[BranchPoint, ...]
