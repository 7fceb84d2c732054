"""The result type of all models: time, bounds, parts and assumptions."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from foretell.core.answers.breakdown import NestShare, Rate

Limit = Literal["latency", "throughput"]
Mode = Literal["default", "paper"]

#: values that a model may put into `details`: plain data, SI units, the unit in the key
Detail = float | int | str | bool | None | list["Detail"] | dict[str, "Detail"]

_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class Bound:
    """Time if this resource were the only limit."""

    name: str
    time_s: float
    resource: str
    limit: Limit


@dataclass(frozen=True, slots=True)
class Part:
    """An additive component of the time; an overlap is negative."""

    name: str
    time_s: float


@dataclass(frozen=True, slots=True)
class Bottleneck:
    """The largest bound."""

    bound: str
    resource: str
    limit: Limit


@dataclass(frozen=True, slots=True)
class Prediction:
    """The time of one workload on one machine, with its explanation.

    The parts sum to the time. In default mode the time is never below a bound. Hashes identify the content that the
    answer depends on, so that equal hashes and options mean an equal answer.
    """

    time_s: float
    bounds: tuple[Bound, ...]
    parts: tuple[Part, ...]
    model: str
    model_version: int
    mode: Mode
    machine: str
    machine_hash: str
    workload: str
    input_hash: str
    options: Mapping[str, str] = field(default_factory=dict)
    parameters: Mapping[str, float] = field(default_factory=dict)
    assumptions: tuple[str, ...] = ()
    interval_s: tuple[float, float] | None = None
    #: the time is a lower bound: the machine file lacks a number needed for one of its components
    at_least: bool = False
    details: Mapping[str, Detail] = field(default_factory=dict)
    #: the loop nests of CPU code, the longest first; their times sum to the time
    nests: tuple[NestShare, ...] = ()
    #: what the code reaches: operations and bytes per second, instructions per cycle, occupancy, hit rates
    rates: tuple[Rate, ...] = ()

    def __post_init__(self) -> None:
        if not (math.isfinite(self.time_s) and self.time_s >= 0):
            raise ValueError(f"a time of {self.time_s} s")
        if not self.bounds:
            raise ValueError("a prediction without a bound")
        total = math.fsum(part.time_s for part in self.parts)
        scale = math.fsum(abs(part.time_s) for part in self.parts)
        if abs(total - self.time_s) > _TOLERANCE * max(scale, self.time_s):
            raise ValueError(f"the parts sum to {total} s, not to {self.time_s} s")
        if self.mode == "default" and self.largest_bound.time_s > self.time_s * (1 + _TOLERANCE):
            raise ValueError(f"the bound {self.largest_bound} exceeds the time {self.time_s} s")

    @property
    def largest_bound(self) -> Bound:
        """Returns the largest bound; the first of equals."""
        return max(self.bounds, key=lambda bound: bound.time_s)

    @property
    def bottleneck(self) -> Bottleneck:
        """Returns the bottleneck, always derived from the bounds."""
        largest = self.largest_bound
        return Bottleneck(largest.name, largest.resource, largest.limit)
