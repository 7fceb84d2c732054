"""Statistics on how well predictions order versions of a code: machines, or numbers of threads."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from statistics import median
from typing import TYPE_CHECKING

from foretell.core.answers.answers import VersionSummary
from foretell.uses.split import fastest_shares, together

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from foretell.core.answers.answers import CaseSet, OrderTest, ValidationPoint

#: a measured time this much below the bound counts as beating it: clocks and caches vary from day to day
_SLACK = 0.05


@dataclass(frozen=True, slots=True)
class Code:
    """One code: the times of its versions, and the cases they consist of."""

    order: OrderTest
    points: tuple[ValidationPoint, ...]

    @property
    def set(self) -> CaseSet:
        """The set of its cases."""
        return self.points[0].set

    @property
    def label(self) -> str:
        """The label of its cases."""
        return self.points[0].label

    @property
    def fastest_first(self) -> tuple[str, ...]:
        """The versions in measured order."""
        return tuple(name for _, name in sorted(zip(self.order.measured_s, self.order.versions, strict=True)))

    def pairs(self) -> Iterator[tuple[int, int]]:
        """Indices of two versions, the measured faster one first; ties are omitted."""
        times = self.order.measured_s
        for a, b in combinations(range(len(times)), 2):
            fast, slow = (a, b) if times[a] < times[b] else (b, a)
            if times[fast] * (1 + self.order.tolerance) < times[slow]:
                yield fast, slow


def told_apart(codes: Sequence[Code], sharing: Sequence[str]) -> VersionSummary:
    """Computes the statistics of some codes; the versions `sharing` share work."""
    pairs = [(code.order, fast, slow) for code in codes for fast, slow in code.pairs()]
    right = sum(order.predicted_s[fast] < order.predicted_s[slow] for order, fast, slow in pairs)
    seen = Counter((fast, slow) for _, fast, slow in pairs)
    commonest = sum(max(seen[a, b], seen[b, a]) for a, b in {(min(pair), max(pair)) for pair in seen})
    orders = Counter(code.fastest_first for code in codes)
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
    places = [order.versions.index(name) for name in sharing]
    measured = [order.measured_s[place] for place in places]
    ours = fastest_shares([order.predicted_s[place] for place in places])
    return together(fastest_shares(measured), measured) / together(ours, measured)
