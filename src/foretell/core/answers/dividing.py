"""Results of replaying measured splits of work."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

from foretell.core.answers.forms import Answer


@dataclass(frozen=True, slots=True)
class MeasuredSplit:
    """A code whose shares were measured on two devices at once. `share` is what prediction gives the second device,
    `best_share` the best of the measured ones; `time_s` is measured at `share` (on a line between the measured shares
    beside it), `best_s` at the best one. `alone_s` are predicted and `measured_alone_s` measured times of each device
    alone."""

    code: str
    title: str
    share: float
    best_share: float
    predicted_s: float
    time_s: float
    best_s: float
    alone_s: tuple[float, float]
    measured_alone_s: tuple[float, float]

    @property
    def reached(self) -> float:
        """Share of the optimum: the best measured time over that of the predicted share."""
        return self.best_s / self.time_s


@dataclass(frozen=True, slots=True, repr=False)
class SplitReplay(Answer):
    """Measured splits of several codes, with what prediction would have chosen."""

    machines: tuple[str, str]
    codes: tuple[MeasuredSplit, ...]

    report_name = "split_replay"

    def __repr__(self) -> str:
        return f"<SplitReplay of {len(self.codes)} codes: {self.median:.1%} in the median, {self.least:.1%} at worst>"

    @property
    def median(self) -> float:
        """The median share of the optimum."""
        return median(item.reached for item in self.codes)

    @property
    def least(self) -> float:
        """The least share of the optimum."""
        return min(item.reached for item in self.codes)
