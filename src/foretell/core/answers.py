"""The answers built from predictions: why, which machine, how good. Plain frozen values for the reports."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from foretell.core.prediction import Prediction
    from foretell.core.workload import Workload

CaseSet = Literal["tuning", "report"]


@record
class Sensitivity:
    """How the time answers to one machine parameter.

    `elasticity` is the mean of an upward and a downward run: percent of time for one percent of the parameter
    (negative: more of it makes the code faster). Both runs are kept, because integer steps can make them differ.
    A run that the machine does not allow is None, with the reason in `note`.
    """

    parameter: str
    meaning: str
    value: float
    unit: str
    elasticity: float | None
    time_up_s: float | None
    time_down_s: float | None
    note: str = ""


@record
class Advice:
    """One change to the code, with the time the whole model predicts for it.

    `estimate_s` is the saving that a printed first-order equation gives (named in `estimate_by`); the ranking
    never uses it. `feasible` is False where the change cannot be made as it stands (the reason is in `note`).
    """

    title: str
    action: str
    time_s: float
    saving_s: float
    feasible: bool = True
    estimate_s: float | None = None
    estimate_by: str = ""
    note: str = ""
    curve: tuple[tuple[float, float], ...] = ()
    curve_label: str = ""


@record
class Explanation:
    """Why a prediction is what it is."""

    prediction: Prediction
    sensitivities: tuple[Sensitivity, ...]
    advice: tuple[Advice, ...] = ()


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


@record
class Refusal:
    """A candidate that could not be predicted, and why."""

    name: str
    reason: str


@record
class Predictions:
    """Several predictions, and the candidates that could not be predicted."""

    predictions: tuple[Prediction, ...]
    refused: tuple[Refusal, ...] = ()


@record
class ValidationPoint:
    """One case: predicted against measured."""

    case: str
    set: CaseSet
    predicted_s: float
    measured_s: float
    assumptions: tuple[str, ...] = ()

    @property
    def error(self) -> float:
        """(predicted − measured) / measured."""
        return (self.predicted_s - self.measured_s) / self.measured_s


@record
class ValidationSummary:
    """Error statistics of one set of cases; errors as fractions, `spearman` None below three cases."""

    n: int
    mape: float
    median: float
    p90: float
    geomean: float
    within_20pct: float
    spearman: float | None


@record
class Validation:
    """A validation run: the points and their statistics per set."""

    name: str
    title: str
    points: tuple[ValidationPoint, ...]
    summary: Mapping[str, ValidationSummary] = MappingProxyType({})
