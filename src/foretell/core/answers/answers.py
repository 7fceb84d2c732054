"""Results built from predictions: explanations, rankings, splits, validations. Plain frozen values for the reports."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from foretell import units
from foretell.core.answers.forms import Answer
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from foretell.core.answers.breakdown import LoopCode, SourceLine
    from foretell.core.answers.prediction import Prediction

CaseSet = Literal["tuning", "report"]


@record
class Sensitivity:
    """Sensitivity of the time to one machine parameter.

    `elasticity` is the mean of an upward and a downward run: percent of time per percent of the parameter (negative: a
    larger value makes the code faster). Both runs are kept, because integer steps can make them differ. A run that the
    machine does not allow is None, with the reason in `note`.
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
class Confirmation:
    """One point of a curve, in closed form and simulated; `parts` are the simulated time components of the slowest
    core."""

    x: float
    predicted_s: float
    simulated_s: float
    parts: tuple[tuple[str, float], ...] = ()


@record
class Advice:
    """One change to the code, with the time that the whole model predicts for it.

    `estimate_s` is the saving by a published first-order equation (named in `estimate_by`); the ranking never uses it.
    `feasible` is False where the change cannot be applied as it stands (the reason is in `note`).
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
    confirmed: tuple[Confirmation, ...] = ()


@record
class CodeLine:
    """One instruction of the code: the share of the time attributed to it, and its stall reasons.

    `waits` are resource and limit with their shares of the time, largest first; the rest of `share` is issue.
    """

    place: str
    line: int
    text: str
    executions: float
    share: float
    waits: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class Explanation(Answer):
    """Explanation of a prediction. `listing` is the code in program order, where a model works by instruction."""

    prediction: Prediction
    sensitivities: tuple[Sensitivity, ...]
    advice: tuple[Advice, ...] = ()
    listing: tuple[CodeLine, ...] = ()
    #: the source by line, and the code of innermost loops that was followed
    lines: tuple[SourceLine, ...] = ()
    code: tuple[LoopCode, ...] = ()

    report_name = "explanation"

    def __repr__(self) -> str:
        strongest = next((item for item in self.sensitivities if item.elasticity), None)
        depends = f"; most on {strongest.parameter} ({strongest.elasticity:+.2f})" if strongest else ""
        return f"<Explanation of {self.prediction.headline}{depends}>"


@record
class Refusal:
    """A candidate that could not be predicted, and the reason."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True, repr=False)
class Predictions(Answer):
    """Several predictions, and the candidates that could not be predicted."""

    predictions: tuple[Prediction, ...]
    refused: tuple[Refusal, ...] = ()
    #: measured seconds, by machine
    measured: Mapping[str, float] = field(default_factory=dict)

    report_name = "predictions"

    def __len__(self) -> int:
        return len(self.predictions)

    def __iter__(self) -> Iterator[Prediction]:
        return iter(self.predictions)

    def __getitem__(self, number: int) -> Prediction:
        return self.predictions[number]

    def __repr__(self) -> str:
        first = f", first: {self.predictions[0].headline}" if self.predictions else ""
        return f"<Predictions: {len(self.predictions)} answers, {len(self.refused)} refused{first}>"

    def reached(self, entry: Prediction) -> float | None:
        """Computes predicted over measured time: the fraction of the predicted speed that the code achieves."""
        seconds = self.measured.get(entry.machine)
        return entry.time_s / seconds if seconds else None


@record
class Share:
    """One device's share of the work. `predicted_s`, `transfer_s` and `measured_s` are for the whole work on this
    device alone, `time_s` for its share."""

    machine: str
    share: float
    items: int | None
    time_s: float
    predicted_s: float
    transfer_s: float
    measured_s: float | None


@dataclass(frozen=True, slots=True, repr=False)
class Split(Answer):
    """Shares by predicted cost and the resulting time, compared with an even split, the best device alone and, where
    times were measured, the split by measured times."""

    workload: str
    shares: tuple[Share, ...]
    even_s: float
    split_s: float
    oracle_s: float | None
    best_alone_s: float
    refused: tuple[Refusal, ...] = ()

    report_name = "split"

    def __repr__(self) -> str:
        shares = ", ".join(f"{entry.machine} {entry.share:.1%}" for entry in self.shares)
        return f"<Split of {self.workload}: {shares}; {units.show(self.split_s, 's')}>"


@record
class CountPoint:
    """A counted quantity of one case, such as instructions or bytes from memory. `steered`: whether control flow
    depends on data, if that is known."""

    name: str
    predicted: float
    measured: float
    steered: bool | None = None

    @property
    def error(self) -> float:
        """Computes (predicted − measured) / measured; 1 if nothing was measured but something predicted."""
        if not self.measured:
            return 0.0 if not self.predicted else 1.0
        return (self.predicted - self.measured) / self.measured


@dataclass(frozen=True, slots=True)
class ValidationPoint:
    """One case: predicted and measured time. `beside_s` are the times predicted by other modes of the model, `bound_s`
    is a lower bound for every version of the code; cases with a `label` have separate statistics."""

    case: str
    set: CaseSet
    predicted_s: float
    measured_s: float
    assumptions: tuple[str, ...] = ()
    interval_s: tuple[float, float] | None = None
    bottleneck: str = ""
    beside_s: Mapping[str, float] = field(default_factory=dict)
    counts: tuple[CountPoint, ...] = ()
    bound_s: float | None = None
    label: str = ""
    #: measured under interference by other load on the machine
    disturbed: bool = False

    @property
    def error(self) -> float:
        """Computes (predicted − measured) / measured."""
        return (self.predicted_s - self.measured_s) / self.measured_s

    @property
    def over_bound(self) -> float | None:
        """Computes measured time over the bound; None where there is no bound."""
        return self.measured_s / self.bound_s if self.bound_s else None


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
    #: fraction of points whose time is in the predicted interval, and the median ratio of its ends
    coverage: float | None = None
    interval_ratio: float | None = None


@record
class CountSummary:
    """Error statistics of counts: |error| as fractions."""

    n: int
    median: float
    p90: float
    worst: float
    within_2pct: float


@record
class OrderTest:
    """Versions of one code: compares the predicted order with the measured one.

    Measured times that differ by less than `tolerance` are a tie.
    """

    name: str
    versions: tuple[str, ...]
    predicted_s: tuple[float, ...]
    measured_s: tuple[float, ...]
    tolerance: float

    @property
    def wrong(self) -> tuple[tuple[str, str], ...]:
        """Returns the pairs whose first version is measured faster, but predicted slower."""
        times = list(zip(self.versions, self.predicted_s, self.measured_s, strict=True))
        return tuple(
            (a, b)
            for a, predicted_a, measured_a in times
            for b, predicted_b, measured_b in times
            if measured_a * (1 + self.tolerance) < measured_b and predicted_a >= predicted_b
        )


@record
class VersionSummary:
    """Accuracy of comparisons between versions of a code: machines, or numbers of threads, that run the same codes.

    `in_order` is the fraction of pairs whose predicted order is the measured one (ties excluded), `commonest` the score
    of always predicting the commonest order of each pair, `other_orders` the codes whose versions have another order
    than the commonest. `relative_error` is the median error of the ratio of two times. A time beats its bound when it
    is more than 5 % below it; `over_bound` is the median of times over their bounds. `split` is the median fraction of
    the best split's speed that a split by predicted times achieves.
    """

    codes: int
    pairs: int
    in_order: float
    commonest: float
    other_orders: int
    relative_error: float
    beaten: int
    over_bound: float | None
    split: float | None
    split_least: float | None


@dataclass(frozen=True, slots=True, repr=False)
class Validation(Answer):
    """A validation run: the points and their statistics per set.

    `beside` has the statistics of other modes, `bottlenecks` those of the report set by predicted bottleneck,
    `undisturbed` those without times measured under interference, where there are such.
    """

    name: str
    title: str
    points: tuple[ValidationPoint, ...]
    summary: Mapping[str, ValidationSummary] = field(default_factory=dict)
    refused: tuple[Refusal, ...] = ()
    beside: Mapping[str, Mapping[str, ValidationSummary]] = field(default_factory=dict)
    bottlenecks: Mapping[str, ValidationSummary] = field(default_factory=dict)
    counts: Mapping[str, CountSummary] = field(default_factory=dict)
    orders: tuple[OrderTest, ...] = ()
    versions: Mapping[str, VersionSummary] = field(default_factory=dict)
    undisturbed: Mapping[str, ValidationSummary] = field(default_factory=dict)

    report_name = "validation"

    def __repr__(self) -> str:
        errors = ", ".join(f"{name} {entry.mape:.1%} mean error" for name, entry in self.summary.items())
        return f"<Validation {self.name}: {len(self.points)} cases, {errors}>"

    @property
    def disturbed(self) -> int:
        """Counts the times that were measured under interference."""
        return sum(point.disturbed for point in self.points)
