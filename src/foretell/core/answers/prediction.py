"""The result type of all models: time, bounds, parts and assumptions."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from foretell import units
from foretell.core.answers.forms import Answer
from foretell.errors import UnsupportedError
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from foretell.core.answers.breakdown import NestShare, Rate

Limit = Literal["latency", "throughput"]
Mode = Literal["default", "paper"]

#: values that a model may put into `details`: plain data, SI units, the unit in the key
Detail = float | int | str | bool | None | list["Detail"] | dict[str, "Detail"]

_TOLERANCE = 1e-9
#: twice the age of the universe
_LONGEST_S = 1e18
#: a bound below this part of the time does not limit it: even without that resource, most of the time would remain
DECISIVE = 0.6
#: relative effect on the time from which an estimate is worth a mark
MATTERS = 0.05
#: parts of the time in which the code has not started, or has to meet, and the share from which they limit it
_STARTING = ("launch", "block start", "starting threads", "synchronisation", "threads meeting")
_MOSTLY_STARTING = 0.4
_MOSTLY_WAITING = 0.5


class PredictionError(UnsupportedError, ValueError):
    """A time that no run can have: infinite, negative, longer than the universe is old, or below its own bound."""

    def __init__(self, message: str, **more: Any) -> None:
        super().__init__(message, **{"hint": "a number of the code or of the machine is out of all proportion", **more})


@record
class Bound:
    """Time if this resource were the only limit."""

    name: str
    time_s: float
    resource: str
    limit: Limit


@record
class Part:
    """An additive component of the time; an overlap is negative."""

    name: str
    time_s: float


@record
class Bottleneck:
    """What limits the time: the largest bound where that is most of the time, else what most parts have in common, or
    `no single limit`."""

    bound: str
    resource: str
    limit: Limit


@dataclass(frozen=True, slots=True, repr=False)
class Prediction(Answer):
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

    report_name = "prediction"

    def __post_init__(self) -> None:
        if not 0 <= self.time_s < _LONGEST_S:
            raise PredictionError(f"the {self.model} model computes a time of {self.time_s:g} s for {self.workload}")
        if not self.bounds:
            raise PredictionError("a prediction without a bound")
        total = math.fsum(part.time_s for part in self.parts)
        scale = math.fsum(abs(part.time_s) for part in self.parts)
        if abs(total - self.time_s) > _TOLERANCE * max(scale, self.time_s):
            raise PredictionError(f"the parts sum to {total} s, not to {self.time_s} s")
        if self.mode == "default" and self.largest_bound.time_s > self.time_s * (1 + _TOLERANCE):
            raise PredictionError(f"the bound {self.largest_bound} exceeds the time {self.time_s} s")

    def __repr__(self) -> str:
        return f"<Prediction {self.headline}>"

    @property
    def headline(self) -> str:
        """The answer in one line."""
        time = f"{'at least ' * self.at_least}{units.show(self.time_s, 's')}"
        return f"{self.workload} on {self.machine}: {time}, bound by {self.bottleneck.resource}"

    @property
    def method(self) -> tuple[str, str]:
        """Returns the model and, where it has several, its method: rows of different methods are not comparable."""
        return self.model, str(self.details.get("method", ""))

    @property
    def estimates(self) -> dict[str, float]:
        """Returns the groups of estimated machine parameters that matter, and how much longer the time may be."""
        found = self.details.get("estimates")
        groups = found if isinstance(found, dict) else {}
        return {group: e for group, e in groups.items() if isinstance(e, float) and e > 1 + MATTERS}

    @property
    def largest_bound(self) -> Bound:
        """Returns the largest bound; the first of equals."""
        return max(self.bounds, key=lambda bound: bound.time_s)

    @property
    def bottleneck(self) -> Bottleneck:
        """Returns the bottleneck, always derived from bounds and parts."""
        largest = self.largest_bound
        if self.mode == "paper" or largest.time_s >= DECISIVE * self.time_s:
            return Bottleneck(largest.name, largest.resource, largest.limit)
        starting = math.fsum(part.time_s for part in self.parts if part.name.startswith(_STARTING))
        waits = [part for part in self.parts if part.name.endswith("latency") or part.name.startswith("last ")]
        waiting = math.fsum(part.time_s for part in waits)
        if starting >= max(_MOSTLY_STARTING * self.time_s, waiting):
            return Bottleneck("launch and block start", "launch", "latency")
        if waiting >= _MOSTLY_WAITING * self.time_s:
            longest = max(waits, key=lambda part: part.time_s)
            return Bottleneck(f"waiting, most of it {longest.name}", "latency", "latency")
        return Bottleneck(f"no single limit; the largest is {largest.name}", "several", largest.limit)
