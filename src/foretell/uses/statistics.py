"""Error statistics of a validation, and the set a case belongs to."""

from __future__ import annotations

import hashlib
import math
from statistics import fmean, median
from typing import TYPE_CHECKING

from foretell.core.answers import CaseSet, CountSummary, ValidationSummary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from foretell.core.answers import CountPoint, ValidationPoint

#: a geometric mean of errors is undefined at zero error: each is at least this (SK-12)
_SMALLEST_ERROR = 1e-4


def set_of(case: str) -> CaseSet:
    """`tuning` (may be looked at while choosing parameters) or `report` (never), fixed by the case's name.

    Cases of one code, code/first and code/second, are in one set.
    """
    code = case.partition("/")[0]
    return "tuning" if hashlib.sha256(code.encode()).digest()[0] % 2 == 0 else "report"


def summarise(points: Sequence[ValidationPoint], mode: str | None = None) -> ValidationSummary:
    """The statistics of one set of points, of the predictions themselves or of those of another mode."""
    predicted = [point.predicted_s if mode is None else point.beside_s[mode] for point in points]
    measured = [point.measured_s for point in points]
    errors = sorted(abs(p - m) / m for p, m in zip(predicted, measured, strict=True))
    return ValidationSummary(
        n=len(errors),
        mape=fmean(errors),
        median=median(errors),
        p90=_percentile(errors, 0.9),
        geomean=math.exp(fmean(math.log(max(error, _SMALLEST_ERROR)) for error in errors)),
        within_20pct=sum(error <= 0.2 for error in errors) / len(errors),
        spearman=spearman(predicted, measured),
    )


def summarise_counts(points: Sequence[CountPoint]) -> CountSummary:
    """How far the counts of one name are from measured ones."""
    errors = sorted(abs(point.error) for point in points)
    return CountSummary(
        n=len(errors),
        median=median(errors),
        p90=_percentile(errors, 0.9),
        worst=errors[-1],
        within_2pct=sum(error <= 0.02 for error in errors) / len(errors),
    )


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
