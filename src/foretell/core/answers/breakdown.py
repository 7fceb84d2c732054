"""Breakdown of a predicted time: by loop nest, by source line, by instruction; and the rates that the code reaches."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True, slots=True)
class NestShare:
    """The part of the time that one loop nest takes, over all its executions. `line` is that of the innermost loop,
    `depth` the number of loops. Cycles are those of the clock, whatever the number of threads."""

    function: str
    file: str
    line: int
    depth: int
    calls: float
    iterations: float
    time_s: float
    share: float
    bottleneck: str
    resource: str
    cycles_per_iteration: float | None
    core_cycles_per_iteration: float | None
    flops: float
    bytes_from_B: Mapping[str, float] = field(default_factory=dict)  # noqa: N815 - the unit

    @property
    def name(self) -> str:
        """FUNCTION:LINE, as `--kernel` takes it."""
        return f"{self.function}:{self.line}"


@record
class FunctionShare:
    """The time in the loops of one function, without those of the functions that it calls."""

    function: str
    file: str
    nests: int
    time_s: float
    share: float


@record
class Rate:
    """A rate, ratio or count per time that the code reaches; `of_peak` is the fraction of what the machine allows."""

    name: str
    value: float
    unit: str
    of_peak: float | None = None


@record
class SourceLine:
    """A line of the source with its part of the time: in the core, and waiting for transfers."""

    file: str
    line: int
    text: str
    time_s: float
    share: float
    core_s: float
    accessed_bytes: float


@record
class PortPressure:
    """One instruction of the code that was followed: executions in one pass of the loop, and the cycles that it takes
    of each port, in the order of `LoopCode.ports`."""

    text: str
    line: int
    executions: float
    cycles: tuple[float, ...]


@record
class LoopCode:
    """The code of one innermost loop that was followed: what made it, the source iterations of a pass, the bounds of a
    pass in cycles, and the port pressure of each instruction."""

    function: str
    line: int
    made_by: str
    iterations: float
    ports: tuple[str, ...]
    bounds: tuple[tuple[str, float], ...]
    instructions: tuple[PortPressure, ...]

    @property
    def totals(self) -> tuple[float, ...]:
        """Cycles of each port in one pass."""
        columns = zip(*(one.cycles for one in self.instructions), strict=True)
        return tuple(map(sum, columns)) or (0.0,) * len(self.ports)


def by_function(nests: Sequence[NestShare]) -> tuple[FunctionShare, ...]:
    """Adds up the nests of each function; the longest first."""
    groups: dict[tuple[str, str], list[NestShare]] = {}
    for nest in nests:
        groups.setdefault((nest.file, nest.function), []).append(nest)
    found = [
        FunctionShare(function, file, len(own), sum(n.time_s for n in own), sum(n.share for n in own))
        for (file, function), own in groups.items()
    ]
    return tuple(sorted(found, key=lambda entry: -entry.time_s))
