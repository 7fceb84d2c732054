"""Computes the columns of Figs. 11-13: components of instruction and memory time, for each block and the whole."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from foretell.models.counters import equations, inputs

if TYPE_CHECKING:
    from collections.abc import Mapping

    from foretell.core.answers.prediction import Detail
    from foretell.core.facets.counts import Counts
    from foretell.core.machine.machine import Machine

_COLUMNS = {
    "timeInst_s": "timeInst",
    "timeInstInt_s": "timeInstInt",
    "timeInstFP_s": "timeInstFP",
    "timeMem_s": "timeMem",
    "timeLat_s": "timeLat",
    "timeBW_s": "timeBW",
    "timeOverlap_s": "timeOverlap",
}
_PARALLELISM = ("instC", "aIL", "ILP", "IPC", "aML", "MLP", "MPC", "lambda")


@dataclass(frozen=True, slots=True)
class BlockResult:
    """One block: its baseline analysis and its prediction, both in cycles."""

    name: str
    events: dict[str, float]
    analysis: dict[str, float]
    terms: dict[str, float]

    @property
    def measured(self) -> float:
        """Cycles of the baseline run."""
        return self.events["time"]


@dataclass(frozen=True, slots=True)
class Application:
    """All blocks on the target; `seconds` is the duration of one of its cycles."""

    blocks: list[BlockResult]
    seconds: float
    cores: float
    threads_per_core: float
    base: dict[str, float]
    parameters: Mapping[str, float]
    levels: inputs.Levels
    #: the target machine's parameters as the core read them
    target: dict[str, equations.Column]

    def total(self, name: str) -> float:
        """A term summed over the blocks, in seconds."""
        return math.fsum(block.terms[name] for block in self.blocks) * self.seconds

    @property
    def time_s(self) -> float:
        """The sum over the blocks, which run in sequence."""
        return self.total("time")

    @property
    def interval_s(self) -> tuple[float, float]:
        """From full overlap to none in every block; unexplained stalls of the baseline are outside both."""
        full = math.fsum(max(b.terms["timeInst"], b.terms["timeMem"]) for b in self.blocks) * self.seconds
        none = self.total("timeInst") + self.total("timeMem")
        return min(full, self.time_s), max(none, self.time_s)

    @property
    def naive_s(self) -> float:
        """Section 4.4: the measured cycles times the ratio of instructions of one core, at the target's clock."""
        return math.fsum(self.naive_cycles(block) for block in self.blocks) * self.seconds

    def naive_cycles(self, block: BlockResult) -> float:
        """The naive model of one block. Cycles, not seconds, are scaled: the model knows instructions only."""
        ints, fps = block.analysis["int_per_core"], block.analysis["fp_per_core"]
        beta, gamma = self.parameters.get("beta", 1.0), self.parameters.get("gamma", 1.0)
        ratio = (beta * ints + gamma * fps) / (ints + fps) if ints + fps else 1.0
        ratio = self.parameters.get("alpha", ratio)
        return block.measured * ratio * self.base["cores"] / self.cores


def evaluate(
    name: str,
    events: dict[str, float],
    base: dict[str, float],
    target: dict[str, equations.Column],
    rules: equations.Rules,
    curve: equations.Curve = equations.SQUARE_ROOT,
) -> BlockResult:
    """Analyses and predicts one block."""
    analysed = equations.analysis(events, base, rules)
    return BlockResult(name, events, analysed, equations.terms(events, curve, base, target, rules))


def details(application: Application, counts: Counts, baseline: Machine) -> dict[str, Detail]:
    """The paper's own quantities under the paper's names."""
    blocks: list[Detail] = [_block(application, block) for block in application.blocks]
    return {
        "baseline_machine": baseline.name,
        "baseline_hash": baseline.given_hash,
        "baseline_cores": application.base["cores"],
        "baseline_threads_per_core": application.base["threads_per_core"],
        "baseline_time_s": math.fsum(block.measured for block in application.blocks) / application.base["frequency"],
        "tool": f"{counts.tool} {counts.tool_version}".strip(),
        "cores": application.cores,
        "threads_per_core": application.threads_per_core,
        "threads": float(application.cores * application.threads_per_core),
        "naive_time_s": application.naive_s,
        **{column: application.total(term) for column, term in _COLUMNS.items()},
        "timeInstOverlap_s": application.total("timeInstInt")
        + application.total("timeInstFP")
        - application.total("timeInst"),
        "blocks": blocks,
    }


def _block(application: Application, block: BlockResult) -> Detail:
    terms, scale = block.terms, application.seconds
    served = _served(terms, application)
    unit = terms["timeLat"] / terms["aML"] * scale if terms["aML"] else 0.0
    return {
        "name": block.name,
        "time_s": terms["time"] * scale,
        "measured_s": block.measured / application.base["frequency"],
        **{column: terms[term] * scale for column, term in _COLUMNS.items()},
        "timeInstOverlap_s": (terms["timeInstInt"] + terms["timeInstFP"] - terms["timeInst"]) * scale,
        "memory_bound_by": "bandwidth" if terms["timeBW"] > terms["timeLat"] else "latency",
        "hits": {level: share for level, (share, _) in served.items()},
        "latency_s": {level: share * latency * unit for level, (share, latency) in served.items()},
        **{name: terms[name] for name in _PARALLELISM},
        "naive_s": application.naive_cycles(block) * scale,
        "baseline": {f"{name}_cycles" if name.startswith("time") else name: value
                     for name, value in block.analysis.items()},
    }  # fmt: skip


def _served(terms: dict[str, float], application: Application) -> dict[str, tuple[float, float]]:
    """For each level by name: the fraction of accesses that it serves, and its latency in cycles."""
    named = {"l1": (application.levels.first, "L1"), "mid": (application.levels.middle, "middle"),
             "llc": (application.levels.last, "LLC"), "memory": ("memory", "memory")}  # fmt: skip
    return {
        level: (terms[share], float(application.target[f"{prefix}_latency"]))
        for prefix, (level, share) in named.items()
        if level
    }
