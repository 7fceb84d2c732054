"""The answer of `check`: two versions of a code on several machines, and whether limits are kept."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from foretell import units
from foretell.core.answers.forms import Answer

if TYPE_CHECKING:
    from collections.abc import Mapping

#: numbers without a unit from which on they are counts
_COUNT = 10_000
Verdict = Literal["same code", "no difference", "faster", "slower"]


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing that moved between the versions: a part or bound of the time, or a fact of the code; `unit` is that of
    both values. Lines have their text."""

    what: str
    base: float | str | None
    head: float | str | None
    unit: str = ""

    @property
    def text(self) -> str:
        """WHAT BEFORE → AFTER."""
        before, after = (_shown(value, self.unit) for value in (self.base, self.head))
        return f"{self.what} {before} → {after}"


def _shown(value: float | str | None, unit: str) -> str:
    if value is None:
        return "none"
    if isinstance(value, str):
        return value
    if unit == "%":
        return f"{value:.1%}"
    if unit:
        return units.show(value, unit)
    return f"{value:,.0f}" if abs(value) >= _COUNT else f"{value:.4g}"


@dataclass(frozen=True, slots=True)
class Limit:
    """What a rule permits: growth as a fraction of the time before (`soft`), and a longest time (`hard_s`). `rule` is
    its pattern and text."""

    rule: str
    soft: float | None = None
    hard_s: float | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """One code on one machine, before and after. `resolution` is the relative difference below which the model cannot
    tell versions apart; `broken` says which limit is not kept, empty if none."""

    code: str
    machine: str
    verdict: Verdict
    base_s: float
    head_s: float
    resolution: float
    interval_s: tuple[float, float] | None = None
    reasons: tuple[Reason, ...] = ()
    limit: Limit | None = None
    broken: str = ""
    file: str = ""
    line: int = 0
    bound_by: str = ""
    #: kept with the answer so that a difference is one of like with like
    model: str = ""
    compiler: tuple[str, str] = ("", "")
    #: the file that had the code in the base, where the head has it in another one
    former_file: str = ""

    @property
    def name(self) -> str:
        """CODE@MACHINE, as limits name it."""
        return f"{self.code}@{self.machine}"

    @property
    def growth(self) -> float:
        """The relative difference of the times: 0.1 is 10 % slower."""
        return self.head_s / self.base_s - 1 if self.base_s > 0 else 0.0

    @property
    def headline(self) -> str:
        """The change in one line."""
        name = f"{self.name} (was in {self.former_file})" if self.former_file else self.name
        if self.verdict == "same code":
            return f"{name}: same code, {units.show(self.head_s, 's')}"
        times = f"{units.show(self.base_s, 's')} → {units.show(self.head_s, 's')}"
        return f"{name}: {self.verdict}, {100 * self.growth:+.1f} %, {times}"

    @property
    def shown(self) -> str:
        """The code as tables name it."""
        return f"{self.code} (was in {self.former_file})" if self.former_file else self.code


@dataclass(frozen=True, slots=True)
class NotCompared:
    """A code on a machine that could not be compared, on which side, and why."""

    code: str
    machine: str
    side: Literal["base", "head", "both"]
    reason: str


@dataclass(frozen=True, slots=True, repr=False)
class Check(Answer):
    """Two versions compared. Changes are ordered: broken limits first, then the largest growth."""

    base: str
    head: str
    changes: tuple[Change, ...]
    not_compared: tuple[NotCompared, ...] = ()
    #: content hash of each machine, version of each model
    machines: Mapping[str, str] = field(default_factory=dict)
    models: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    report_name = "check"

    def __repr__(self) -> str:
        return f"<Check {self.base} → {self.head}: {self.headline}>"

    @property
    def broken(self) -> tuple[Change, ...]:
        """The changes that break a limit."""
        return tuple(change for change in self.changes if change.broken)

    @property
    def counts(self) -> dict[str, int]:
        """How many changes have each verdict."""
        verdicts: tuple[Verdict, ...] = ("slower", "faster", "no difference", "same code")
        return {name: sum(change.verdict == name for change in self.changes) for name in verdicts}

    @property
    def headline(self) -> str:
        """The answer in one line."""
        counted = ", ".join(f"{count} {name}" for name, count in self.counts.items() if count) or "nothing to compare"
        count = len(self.broken)
        broken = f"{count} limit{'s' * (count > 1)} broken: " if count else ""
        missing = f"; {len(self.not_compared)} not compared" if self.not_compared else ""
        return f"{broken}{counted}{missing}"


@dataclass(frozen=True, slots=True)
class Bisected:
    """One commit of a range: the time of a code there, or why there is none."""

    commit: str
    title: str
    time_s: float | None
    reason: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class Bisection(Answer):
    """The first commit of a range at which a code is slower than its limit, predicted. `first` is empty where none
    is."""

    code: str
    machine: str
    limit: str
    base_s: float
    commits: tuple[Bisected, ...]
    first: str = ""

    report_name = "bisection"

    @property
    def headline(self) -> str:
        """The answer in one line."""
        if not self.first:
            return f"{self.code}@{self.machine}: no commit breaks {self.limit}"
        culprit = next(entry for entry in self.commits if entry.commit == self.first)
        return f"{self.code}@{self.machine}: {culprit.commit[:12]} {culprit.title} is the first above {self.limit}"


@dataclass(frozen=True, slots=True)
class Difference:
    """A measured pair of versions: its edit, and how much the time grew, predicted and measured. `told` is what a
    check says."""

    pair: str
    edit: str
    set: Literal["tuning", "report"]
    told: Verdict
    base_s: float
    head_s: float
    measured_base_s: float
    measured_head_s: float
    disturbed: bool = False

    @property
    def predicted(self) -> float:
        """Growth as a check predicts it."""
        return self.head_s / self.base_s - 1

    @property
    def measured(self) -> float:
        """Growth as it was measured."""
        return self.measured_head_s / self.measured_base_s - 1

    @property
    def right(self) -> bool:
        """Whether the check tells the faster version."""
        return self.told == ("slower" if self.measured > 0 else "faster")


@dataclass(frozen=True, slots=True, repr=False)
class Differences(Answer):
    """Measured pairs of versions, replayed."""

    points: tuple[Difference, ...]
    refused: tuple[tuple[str, str], ...] = ()

    report_name = "differences"

    def summary(self) -> dict[str, dict[str, float]]:
        """Counts, of each half, each kind and all, the pairs that differ by more than 5 % and 15 %, the share of them
        whose faster version is told, and the alarms on pairs that take equally long. Two versions with the same code
        have no faster one: their measured difference is the error of measurement."""
        usable = [point for point in self.points if not point.disturbed]
        halves = ("tuning", "report", "all")
        kinds = ("c", "emerald", "xeon", "granite", "granite13", "arm", "cuda", "")
        groups = {
            f"{half}{', ' + kind if kind else ''}": [
                p for p in usable if half in ("all", p.set) and p.pair.startswith(f"{kind}/" if kind else "")
            ]
            for half in halves
            for kind in kinds
        }
        return {name: _told(own) for name, own in groups.items() if own}


def _told(points: list[Difference]) -> dict[str, float]:
    """Statistics of some pairs; a difference of 5 % is a factor of 1.05, either way."""
    found: dict[str, float] = {"pairs": len(points)}
    changed = [p for p in points if p.told != "same code"]
    for percent in (5, 15):
        apart = [p for p in changed if abs(math.log1p(p.measured)) > math.log1p(percent / 100)]
        found[f"above_{percent}_percent"] = len(apart)
        if apart:
            found[f"right_{percent}_percent"] = sum(p.right for p in apart) / len(apart)
    close = [p for p in points if abs(math.log1p(p.measured)) <= math.log1p(0.02)]
    found["equal"] = len(close)
    found["alarms"] = sum(p.told in ("faster", "slower") for p in close)
    found["same_code"] = len(points) - len(changed)
    return found
