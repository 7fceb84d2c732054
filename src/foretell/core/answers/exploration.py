"""Results of an exploration: fronts, best designs, verdicts and tables. Plain frozen values for the reports."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from foretell.core.answers.forms import Answer
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping

Balance = Literal["over-designed", "balanced", "leans to under-design", "under-designed", "no effect known"]


@record
class ExploredAxis:
    """An axis: name in the space file, parameter path, SI unit, span, and number of values (None: continuous)."""

    label: str
    parameter: str
    unit: str
    lowest: float
    highest: float
    values: int | None


@record
class Objective:
    """A minimised quantity, its unit, and its span over all feasible designs (None where there is none)."""

    name: str
    unit: str
    lowest: float | None
    highest: float | None


@dataclass(frozen=True, slots=True)
class Design:
    """One point: its number (None for the baseline), parameters in SI units, objectives and times."""

    number: int | None
    parameters: Mapping[str, float]
    objectives: Mapping[str, float]
    times_s: Mapping[str, float] = field(default_factory=dict)


@record
class Best:
    """The fastest design for one application, and its time on the baseline."""

    application: str
    time_s: float
    baseline_s: float | None
    design: Design


@record
class ScalingRow:
    """One factor of one parameter; times are None where the design cannot run."""

    factor: float
    value: float
    times_s: Mapping[str, float | None]
    mean_s: float | None


@record
class Scaling:
    """One parameter scaled alone, all others as in the baseline."""

    label: str
    parameter: str
    unit: str
    rows: tuple[ScalingRow, ...]
    note: str = ""


@record
class Verdict:
    """Whether the baseline is over- or under-designed in a parameter, for one application or for the mean.

    `loss` and `gain` are how many times the time halves or doubles when the parameter gets worse or better by a factor
    of two: 0 is no effect, 1 is linear.
    """

    label: str
    application: str
    balance: Balance
    loss: float | None
    gain: float | None
    better: Literal["more", "less"]


@record
class TradeoffRow:
    """One option: the two values, the kept sum, and times; `kept` differs from the total only for the baseline."""

    values: tuple[float, float]
    kept: float
    times_s: Mapping[str, float | None]
    mean_s: float | None
    is_baseline: bool = False
    is_best: bool = False


@record
class TradeoffTable:
    """Trade-off between two axes under the constraint that `keep` equals `total`."""

    labels: tuple[str, str]
    parameters: tuple[str, str]
    units: tuple[str, str]
    scales: tuple[float, float]
    keep: str
    total: float
    rows: tuple[TradeoffRow, ...]


@record
class Exploration(Answer):
    """Results of exploring a design space.

    `points` were evaluated; `excluded` of them violate a constraint and `infeasible` ones cannot run. `histogram`
    counts designs by mean time: (from, to, count).
    """

    name: str
    key: str
    machine: str
    machine_hash: str
    models: Mapping[str, str]
    weights: Mapping[str, float]
    axes: tuple[ExploredAxis, ...]
    objectives: tuple[Objective, ...]
    points: int
    excluded: int
    infeasible: int
    baseline: Design | None
    front: tuple[Design, ...]
    top: tuple[Design, ...]
    best: tuple[Best, ...]
    histogram: tuple[tuple[float, float, int], ...] = ()
    scaling: tuple[Scaling, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    tradeoff: TradeoffTable | None = None
    assumptions: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    report_name = "exploration"

    def __repr__(self) -> str:
        able = self.points - self.excluded - self.infeasible
        front = f"{len(self.front)} in front"
        return f"<Exploration {self.name} from {self.machine}: {able} of {self.points} designs, {front}>"
