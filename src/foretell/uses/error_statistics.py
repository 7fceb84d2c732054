"""Error statistics of a validation, the set a case belongs to, and how well predictions order versions of a code."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean, median
from typing import TYPE_CHECKING

from foretell.core.answers.answers import CaseSet, CountSummary, ValidationSummary, VersionSummary
from foretell.uses.split import fastest_shares, together

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from foretell.core.answers.answers import CountPoint, OrderTest, ValidationPoint

#: the geometric mean of errors is undefined at zero error: each is at least this (SK-12)
_SMALLEST_ERROR = 1e-4
#: a measured time this much below the bound counts as beating it: clocks and caches vary from day to day
_SLACK = 0.05


def set_of(case: str) -> CaseSet:
    """Assigns a case to `tuning` (may be used while choosing parameters) or `report` (never), by a hash of its name."""
    return "tuning" if hashlib.sha256(case.encode()).digest()[0] % 2 == 0 else "report"


def summarise(points: Sequence[ValidationPoint]) -> ValidationSummary:
    """Computes the statistics of one set of points."""
    errors = sorted(abs(point.error) for point in points)
    intervals = [(*point.interval_s, point.measured_s) for point in points if point.interval_s is not None]
    return ValidationSummary(
        n=len(errors),
        mape=fmean(errors),
        median=median(errors),
        p90=_percentile(errors, 0.9),
        geomean=math.exp(fmean(math.log(max(error, _SMALLEST_ERROR)) for error in errors)),
        within_20pct=sum(error <= 0.2 for error in errors) / len(errors),
        spearman=spearman([p.predicted_s for p in points], [p.measured_s for p in points]),
        coverage=fmean(low <= time <= high for low, high, time in intervals) if intervals else None,
        interval_ratio=median(high / low for low, high, _ in intervals) if intervals else None,
    )


def count_summaries(points: Sequence[CountPoint]) -> dict[str, CountSummary]:
    """Computes the statistics of each count; also separately for codes with and without data-dependent control flow,
    where that is known."""
    grouped = {}
    for name in dict.fromkeys(point.name for point in points):
        own = [point for point in points if point.name == name]
        grouped[name] = summarise_counts(own)
        for kind, steered in (("whatever the data", False), ("steered by data", True)):
            if some := [point for point in own if point.steered is steered]:
                grouped[f"{name}, {kind}"] = summarise_counts(some)
    return grouped


def summarise_counts(points: Sequence[CountPoint]) -> CountSummary:
    """Computes the errors of the predicted counts of one name."""
    errors = sorted(abs(point.error) for point in points)
    return CountSummary(
        n=len(errors),
        median=median(errors),
        p90=_percentile(errors, 0.9),
        worst=errors[-1],
        within_2pct=sum(error <= 0.02 for error in errors) / len(errors),
    )


def summaries(points: Sequence[tuple[str, ValidationPoint]]) -> dict[str, ValidationSummary]:
    """Computes the statistics of each set of points; where they are in (named) groups, of every group and of its
    sets."""
    grouped = {}
    for group in dict.fromkeys(name for name, _ in points):
        own = [point for name, point in points if name == group]
        if group:
            grouped[group] = summarise(own)
        for which in sorted({point.set for point in own}):
            grouped[f"{group} {which}".strip()] = summarise([point for point in own if point.set == which])
    return grouped


def _percentile(ordered: Sequence[float], fraction: float) -> float:
    """Linear interpolation between the two nearest ranks."""
    position = fraction * (len(ordered) - 1)
    low = math.floor(position)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (position - low)


def spearman(left: Sequence[float], right: Sequence[float]) -> float | None:
    """Rank correlation, ties by mean rank; None below three points or where all of one side are equal."""
    if len(left) < 3:
        return None
    a, b = _ranks(left), _ranks(right)
    mean = (len(a) + 1) / 2
    covariance = math.fsum((x - mean) * (y - mean) for x, y in zip(a, b, strict=True))
    spread = math.sqrt(math.fsum((x - mean) ** 2 for x in a) * math.fsum((y - mean) ** 2 for y in b))
    return covariance / spread if spread else None


def _ranks(values: Sequence[float]) -> list[float]:
    ordered = sorted(values)
    first = {value: ordered.index(value) for value in set(values)}
    return [first[value] + (ordered.count(value) + 1) / 2 for value in values]


# -------------------------------------------------------------------------------------- order of versions


@dataclass(frozen=True, slots=True)
class Code:
    """One code: the times of its versions, and the cases they consist of."""

    order: OrderTest
    points: tuple[ValidationPoint, ...]

    def pairs(self) -> Iterator[tuple[int, int]]:
        """Indices of two versions, the measured faster one first; ties are omitted."""
        times = self.order.measured_s
        for a, b in combinations(range(len(times)), 2):
            fast, slow = (a, b) if times[a] < times[b] else (b, a)
            if times[fast] * (1 + self.order.tolerance) < times[slow]:
                yield fast, slow


def summarise_versions(codes: Sequence[Code], sharing: Sequence[str]) -> VersionSummary:
    """Computes the statistics of some codes; the versions `sharing` share work."""
    pairs = [(code.order, fast, slow) for code in codes for fast, slow in code.pairs()]
    right = sum(order.predicted_s[fast] < order.predicted_s[slow] for order, fast, slow in pairs)
    seen = Counter((fast, slow) for _, fast, slow in pairs)
    commonest = sum(max(seen[a, b], seen[b, a]) for a, b in {(min(pair), max(pair)) for pair in seen})
    fastest_first = (sorted(zip(code.order.measured_s, code.order.versions, strict=True)) for code in codes)
    orders = Counter(tuple(name for _, name in order) for order in fastest_first)
    bounds = [point.over_bound for code in codes for point in code.points if point.over_bound is not None]
    splits = [_split(code.order, sharing) for code in codes] if len(sharing) > 1 else []
    return VersionSummary(
        codes=len(codes),
        pairs=len(pairs),
        in_order=right / len(pairs) if pairs else 1.0,
        commonest=commonest / len(pairs) if pairs else 1.0,
        other_orders=len(codes) - orders.most_common(1)[0][1],
        relative_error=median(_relative(*pair) for pair in pairs) if pairs else 0.0,
        beaten=sum(ratio < 1 - _SLACK for ratio in bounds),
        over_bound=median(bounds) if bounds else None,
        split=median(splits) if splits else None,
        split_least=min(splits) if splits else None,
    )


def _relative(order: OrderTest, fast: int, slow: int) -> float:
    """Relative error of the predicted ratio of two times."""
    predicted = order.predicted_s[slow] / order.predicted_s[fast]
    return abs(predicted / (order.measured_s[slow] / order.measured_s[fast]) - 1)


def _split(order: OrderTest, sharing: Sequence[str]) -> float:
    """Speed of a split by predicted times, relative to one by measured times."""
    sharers = [order.versions.index(name) for name in sharing]
    measured = [order.measured_s[version] for version in sharers]
    ours = fastest_shares([order.predicted_s[version] for version in sharers])
    return together(fastest_shares(measured), measured) / together(ours, measured)
