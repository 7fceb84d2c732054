"""Results of a tuner: every evaluated variant of a code, and the chosen one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping  # noqa: TC003  # journals are checked against these types
from dataclasses import dataclass, field
from typing import Literal

from foretell import units
from foretell.core.answers.forms import Answer
from foretell.core.answers.prediction import Limit  # noqa: TC001

Strategy = Literal["static", "dynamic", "bottleneck", "hybrid"]
#: why a configuration gives no time, in the words of T4 result files; empty: it gives one
Invalidity = Literal["", "timeout", "compile", "runtime", "correctness", "constraints"]
#: how the times beside the predicted ones were obtained
Judge = Literal["simulated", "measured"]


@dataclass(frozen=True, slots=True)
class Variant:
    """A choice of code parameters with its predicted, and its simulated or measured time (`judged_s`).

    `reason` says why it cannot run, `invalidity` the kind of the reason. `resource` and `limit` are the bottleneck,
    `throughput_s` the least time by the throughput of each resource, `registers` those of a thread, `warps` those
    resident on a multiprocessor. `excluded`: not predicted, since `predicted_s`, a lower bound, exceeds the best.
    """

    parameters: Mapping[str, float | str]
    predicted_s: float | None = None
    judged_s: float | None = None
    reason: str = ""
    invalidity: Invalidity = ""
    resource: str = ""
    limit: Limit | Literal[""] = ""
    throughput_s: Mapping[str, float] = field(default_factory=dict)
    registers: int = 0
    warps: int = 0
    excluded: bool = False

    @property
    def time_s(self) -> float:
        """The best known time: judged, else predicted, else infinite."""
        if self.reason:
            return float("inf")
        known = self.judged_s if self.judged_s is not None else self.predicted_s
        return float("inf") if known is None else known


@dataclass(frozen=True, slots=True, repr=False)
class Tuning(Answer):
    """Results of a search. Times of the search itself are CPU seconds. `order` are the indices of the variants in the
    order in which the search learned their times; `default` is what the best is compared with; `near` the indices of
    the variants that a prediction cannot tell from the best, the fastest first."""

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
    judge: Judge = "simulated"
    order: tuple[int, ...] = ()
    near: tuple[int, ...] = ()

    report_name = "tuning"

    def __repr__(self) -> str:
        best = self.best.judged_s if self.best.judged_s is not None else self.best.predicted_s
        chosen = ", ".join(f"{name}={value}" for name, value in self.best.parameters.items())
        time = "" if best is None else f": {units.show(best, 's')}"
        return f"<Tuning of {self.workload} on {self.machine}: {chosen}{time}, best of {len(self.variants)}>"

    @property
    def speedup(self) -> float | None:
        """Speedup of the best variant over the default, simulated or measured where both were."""
        before, after = self.default.judged_s, self.best.judged_s
        if before is None or after is None:
            before, after = self.default.predicted_s, self.best.predicted_s
        return before / after if before is not None and after else None

    @property
    def loss(self) -> float | None:
        """Loss of the model's choice against the best judged variant: 1 - S_static / S_dynamic (SW-17)."""
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
