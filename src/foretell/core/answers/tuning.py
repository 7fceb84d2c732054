"""Results of a tuner: every evaluated variant of a code, and the chosen one."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from foretell import units
from foretell.core.answers.forms import Answer

if TYPE_CHECKING:
    from collections.abc import Mapping

Strategy = Literal["static", "dynamic", "hybrid"]


@dataclass(frozen=True, slots=True)
class Variant:
    """A choice of code parameters with predicted and simulated time; `reason` where it cannot run."""

    parameters: Mapping[str, float]
    predicted_s: float | None = None
    judged_s: float | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class Tuning(Answer):
    """Results of a search. Times of the search itself are CPU seconds of this process."""

    workload: str
    machine: str
    strategy: Strategy
    default: Variant
    best: Variant
    variants: tuple[Variant, ...]
    static_cpu_s: float
    judge_cpu_s: float
    resumed: int = 0
    assumptions: tuple[str, ...] = ()

    report_name = "tuning"

    def __repr__(self) -> str:
        best = self.best.judged_s if self.best.judged_s is not None else self.best.predicted_s
        chosen = ", ".join(f"{name}={value:g}" for name, value in self.best.parameters.items())
        time = "" if best is None else f": {units.show(best, 's')}"
        return f"<Tuning of {self.workload} on {self.machine}: {chosen}{time}, best of {len(self.variants)}>"

    @property
    def speedup(self) -> float | None:
        """Speedup of the best variant over the original code, simulated where both were."""
        before, after = self.default.judged_s, self.best.judged_s
        if before is None or after is None:
            before, after = self.default.predicted_s, self.best.predicted_s
        return before / after if before is not None and after else None

    @property
    def loss(self) -> float | None:
        """Loss of the model's choice against the best simulated variant: 1 - S_static / S_dynamic (SW-17)."""
        judged = [v for v in self.variants if v.judged_s is not None]
        known = [v for v in judged if v.predicted_s is not None]
        if self.strategy == "static" or not known:
            return None
        chosen = min(known, key=lambda v: v.predicted_s or 0.0)
        best = min(v.judged_s or 0.0 for v in judged)
        return 1 - best / (chosen.judged_s or best)

    @property
    def pruned(self) -> dict[str, int]:
        """Counts the variants that cannot run, by reason."""
        return dict(Counter(variant.reason for variant in self.variants if variant.reason))
