"""The answer to «what should I change?»: changes of a code, each with the time that the model predicts for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from foretell import units
from foretell.core.answers.forms import Answer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from foretell.core.answers.answers import CaseSet, Refusal
    from foretell.core.answers.prediction import Prediction

#: predicted: by the whole model, from the changed code; screened: by the model, from generated instead of compiled
#: code; estimate: read off facts of the code before the change
Basis = Literal["predicted", "screened", "estimate"]
#: a gain below this is none
_FASTER = 1.01
#: an uncertain gain that is so many times the best certain one is named, too
_MORE = 1.1
#: relative difference from which visits may not disagree: that of rounds in validation/differences/record.py
_TOLERANCE = 0.02


@dataclass(frozen=True, slots=True)
class TextEdit:
    """Text that replaces a part of a file: from line and column (from 1) up to, not including, another."""

    line: int
    column: int
    end_line: int
    end_column: int
    text: str


@dataclass(frozen=True, slots=True)
class AdvisedChange:
    """One change, or several in sequence (`steps`, each with its id).

    `gain` is the time before over the time after, `interval` where the measured gain should lie. `provided` are
    conditions of correctness that the code does not show; empty: the results are the same.
    """

    ids: tuple[str, ...]
    steps: tuple[str, ...]
    line: int
    time_s: float
    gain: float
    interval: tuple[float, float]
    why: str
    basis: Basis = "predicted"
    provided: tuple[str, ...] = ()
    #: ids of the same checks in the open catalogue of Codee
    codee: tuple[str, ...] = ()
    flags: str = ""
    threads: int = 0
    #: the changed source, empty where the change is none of the text
    text: str = ""
    edits: tuple[TextEdit, ...] = ()
    #: the results are others: for the user to decide, listed last
    is_option: bool = False

    @property
    def title(self) -> str:
        return "; then ".join(self.steps)

    @property
    def gains(self) -> bool:
        """Whether the change makes the code faster, with the results that it has."""
        return self.gain > _FASTER and not self.is_option

    @property
    def in_doubt(self) -> bool:
        """Whether the change may as well make the code slower: the model cannot tell both versions apart."""
        return self.interval[0] <= 1 <= self.interval[1]

    @property
    def legality(self) -> str:
        text = f"if {', and '.join(self.provided)}" if self.provided else "same results"
        return f"another result: {text}" if self.is_option else text


@dataclass(frozen=True, slots=True)
class RefusedChange:
    """A change that was tried and is not possible, and the reason."""

    id: str
    line: int
    title: str
    reason: str


@dataclass(frozen=True, slots=True)
class PairPoint:
    """A measured pair: how many times as fast a code is after a change, predicted and measured; `visits` are the gains
    of single visits to the machine, where there were several."""

    name: str
    kind: Literal["loops", "emitted", "picked", "kernels"]
    set: CaseSet
    predicted: float
    measured: float
    interval: tuple[float, float]
    visits: tuple[float, ...] = ()

    @property
    def error(self) -> float:
        """Computes (predicted − measured) / measured."""
        return self.predicted / self.measured - 1

    @property
    def differs(self) -> bool:
        """Whether the times of both versions differ by more than 10 %, and do so in every visit: a difference that
        another measurement does not find is noise."""
        gains = (self.measured, *self.visits)
        return min(gains) > 1.1 or max(gains) < 1 / 1.1

    @property
    def disturbed(self) -> bool:
        """Whether visits disagree on which version is faster, by more than the tolerance each."""
        return any(gain < 1 - _TOLERANCE for gain in self.visits) and any(gain > 1 + _TOLERANCE for gain in self.visits)

    @property
    def sign_right(self) -> bool:
        return (self.predicted > 1) == (self.measured > 1)


@dataclass(frozen=True, slots=True)
class PairSummary:
    """Errors of predicted gains of the pairs that are not disturbed: of those that differ by more than 10 %, the share
    with the right sign; `coverage` is the share inside its interval."""

    n: int
    mean: float
    median: float
    differing: int
    signs_right: int
    coverage: float
    disturbed: int = 0


@dataclass(frozen=True, slots=True, repr=False)
class PairReplay(Answer):
    """Measured pairs of versions, predicted."""

    pairs: tuple[PairPoint, ...]
    summary: Mapping[str, PairSummary]
    refused: tuple[Refusal, ...] = ()

    report_name = "pair_replay"

    def __repr__(self) -> str:
        return f"<PairReplay: {len(self.pairs)} pairs>"


@dataclass(frozen=True, slots=True, repr=False)
class Advising(Answer):
    """Changes of a code, the largest gain first, and those that were refused."""

    prediction: Prediction
    file: str
    changes: tuple[AdvisedChange, ...]
    refused: tuple[RefusedChange, ...] = ()
    #: changes and sequences of changes that were predicted
    tried: int = 0

    report_name = "advising"

    def __repr__(self) -> str:
        return f"<Advising {self.headline}>"

    @property
    def best(self) -> AdvisedChange | None:
        """The change with the largest gain, if any makes the code faster with the results that it has."""
        return next((change for change in self.changes[:1] if change.gains), None)

    @property
    def best_without_threads(self) -> AdvisedChange | None:
        """The same of changes that leave the number of threads as it is, for code that is called from threads."""
        return next((change for change in self.changes if change.gains and not change.threads), None)

    @property
    def headline(self) -> str:
        """The best advice in one line."""
        name = f"{self.prediction.workload} on {self.prediction.machine}"
        if self.best is None:
            return f"{name}: {units.show(self.prediction.time_s, 's')}; none of {self.tried} changes makes it faster"
        text = f"{name}: {self.best.title}: {_range(self.best)} × faster"
        if self.best.in_doubt and self.best.basis != "estimate":
            text += " (the model cannot tell this from no gain)"
        text += f"; {self.best.why}"
        few = self.best_without_threads if self.best.threads else None
        text += f". Without more threads: {few.title}: {_range(few)} × faster" if few is not None else ""
        more = max((one for one in self.changes if not one.is_option), key=lambda one: one.gain)
        worth = more.gain > _MORE * self.best.gain
        return f"{text}. Perhaps more: {more.title}: {_range(more)} × faster" if worth else text


def _range(change: AdvisedChange) -> str:
    """Where the gain should lie; `perhaps` where that may be none. An estimate is the most that is possible."""
    low, high = change.interval
    if change.basis == "estimate":
        return f"up to {_times(high)}"
    return f"{'perhaps ' if change.in_doubt else ''}{_times(low)}–{_times(high)}"


def _times(factor: float) -> str:
    """Two digits, or whole numbers: 1.5, 35, 210."""
    return f"{factor:.2g}" if factor < 99.5 else f"{factor:.0f}"
