"""The time that a lower bound must not exceed, if its launch is to be predicted."""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass, field

#: launches whose bounds are looked at to see whether they exclude any; if fewer than this share of them are excluded,
#: this many others are predicted without a bound
LOOKED_AT, _WORTHWHILE, UNBOUNDED = 24, 0.15, 96


@dataclass(slots=True)
class Limit:
    """The time that a lower bound must not exceed: that of the `keep`-th best so far, or `factor` times the best.

    A bound takes a part of a prediction: where bounds exclude few launches, most are predicted without one.
    """

    keep: int | None = None
    factor: float = math.inf
    #: negated times of the best, a heap
    best: list[float] = field(default_factory=list)
    looked_at: int = 0
    excluded: int = 0
    unbounded: int = 0

    @property
    def seconds(self) -> float:
        if not self.best:
            return math.inf
        last = -self.best[0] if self.keep is not None and len(self.best) >= self.keep else math.inf
        return min(last, self.factor * -max(self.best))

    def learn(self, seconds: float) -> None:
        """A predicted time."""
        if math.isfinite(seconds):
            heapq.heappush(self.best, -seconds)
            if len(self.best) > (self.keep or 1):
                heapq.heappop(self.best)

    def worth_a_bound(self, launches: int = 1) -> bool:
        """Whether the bounds of so many further launches are computed."""
        left, self.unbounded = self.unbounded, max(0, self.unbounded - launches)
        return not left

    def follow(self, other: Limit) -> None:
        """Takes over what a copy has counted."""
        self.looked_at, self.excluded, self.unbounded = other.looked_at, other.excluded, other.unbounded

    def look(self, *, excluded: bool) -> None:
        """Counts a bound that was looked at."""
        self.looked_at += 1
        self.excluded += excluded
        if self.looked_at == LOOKED_AT:
            self.unbounded = 0 if self.excluded >= _WORTHWHILE * LOOKED_AT else UNBOUNDED
            self.looked_at = self.excluded = 0
