"""Which of several predictions can be compared by a ratio."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from foretell.core.answers.prediction import Prediction


@record
class Comparison:
    """Classes of rows: the method that most rows have, the groups of parameters that each machine of these rows always
    estimates, and the fastest time of the rows that can be compared."""

    method: tuple[str, str]
    estimated: Mapping[str, frozenset[str]]
    fastest: float

    def apart(self, entry: Prediction) -> str:
        """Why a row is not compared with the others by a ratio; empty if it is.

        A lower bound, the answer of another method than most rows have, or a time that depends on estimates of numbers
        which other machines have, is in another class.
        """
        if entry.at_least:
            return "a lower bound"
        if entry.method != self.method:
            return f"by another method: {' '.join(entry.method).strip()}"
        others = [groups for machine, groups in self.estimated.items() if machine != entry.machine]
        alone = [group for group in entry.estimates if any(group not in groups for groups in others)]
        return f"estimated: {', '.join(alone)}" if alone else ""

    def relative(self, entry: Prediction) -> float | None:
        """Computes the time over the fastest; None for a row that cannot be compared by a ratio."""
        return entry.time_s / self.fastest if self.fastest and not self.apart(entry) else None


def comparison(predictions: Sequence[Prediction]) -> Comparison:
    """Classifies the rows of a table."""
    rows = [entry for entry in predictions if not entry.at_least]
    kinds = Counter(entry.method for entry in rows)
    method = max(kinds, key=lambda kind: kinds[kind]) if kinds else ("", "")
    estimated: dict[str, frozenset[str]] = {}
    for entry in rows:
        if entry.method == method:
            groups = frozenset(entry.estimates)
            estimated[entry.machine] = groups & estimated.get(entry.machine, groups)
    classes = Comparison(method, estimated, 0.0)
    fastest = min((entry.time_s for entry in rows if not classes.apart(entry)), default=0.0)
    return Comparison(method, estimated, fastest)
