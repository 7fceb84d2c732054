"""What was found in a program, for the reports. A module of its own: `describe` is to start fast."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from foretell.core.workload import Workload


@record
class LoopFacts:
    """What a loop allows: 'parallel', 'reduction', 'sequential' or 'unknown', and why."""

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
    """What follows from one nest: its loops' verdicts, its dependences and, at known sizes, what it touches.

    `elements` and `lines` are the distinct ones of each array; None where a size is not known or counting them
    exactly is too much (the reason is in `note`)."""

    loops: tuple[LoopFacts, ...] = ()
    dependences: tuple[DependenceFacts, ...] = ()
    elements: Mapping[str, int] | None = None
    lines: Mapping[str, int] | None = None
    note: str = ""


@record
class Description:
    """What was found in a program, what follows for each nest (in their order), and how long it took."""

    workload: Workload
    facts: tuple[NestFacts, ...]
    seconds: float
