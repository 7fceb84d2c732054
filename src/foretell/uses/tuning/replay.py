"""Replays tuning spaces whose configurations were all measured: how good the tuner's choices would have been.

A hash of a space's name decides whether it is for choosing (`tuning`) or for reporting (`report`).
"""

from __future__ import annotations

import csv
import hashlib
import math
import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import resources
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np

from foretell import files, machines
from foretell.core.answers.replay import FIRST, WITHIN, Replay, SpaceReplay
from foretell.core.answers.tuning import Variant
from foretell.errors import InputError, nearest
from foretell.uses.error_statistics import set_of
from foretell.uses.journal import Journal
from foretell.uses.tuning.kernels import KernelBench, Target
from foretell.uses.tuning.search import Hybrid, Ledger, Static, carry_out, judged
from foretell.uses.tuning.space import Axis, KernelSpace, shown
from foretell.uses.tuning.tuner import ENTRIES, REFINED, JournaledBench

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from foretell.core.machine.machine import Machine
    from foretell.uses.tuning.search import Progress
    from foretell.uses.tuning.space import Configuration

FOLDER = Path(str(resources.files("foretell.uses"))) / "recorded" / "tuning"
_TIME = "time_us"
#: seeds of random search beside it
_SEEDS = 200
_MAGIC = "foretell-replay"

Say = Callable[[str], "Progress"]


@dataclass(frozen=True, slots=True)
class Recorded:
    """A space with the configurations that were measured, and their seconds."""

    space: KernelSpace
    configurations: tuple[Configuration, ...]
    seconds: tuple[float, ...]


def names() -> tuple[str, ...]:
    """The recorded spaces."""
    return tuple(_document())


def replayable() -> tuple[str, ...]:
    """Those whose compiler is here: all, or all but those of Triton kernels."""
    here = find_spec("triton") is not None
    return tuple(name for name, entry in _document().items() if here or not entry.get("triton"))


def read(name: str, machine: str, most: int | None = None) -> Recorded:
    """Reads a recorded space; `most` limits it to the first configurations in a scattered order."""
    document = _document()
    if name not in document:
        raise InputError(f"no recorded space {name!r}{nearest(name, document)}", hint="spaces: " + ", ".join(document))
    entry: dict[str, Any] = document[name]
    triton = entry.get("triton", False)
    space = KernelSpace(
        FOLDER / entry.get("source", "triton_kernels.py" if triton else "kernels.cu"),
        tuple(Axis(axis, tuple(map(float, values))) for axis, values in entry["axes"].items()),
        tuple(entry["grid"]),
        tuple(entry.get("block", ())),
        tuple(entry["args"]),
        tuple(entry.get("constraints", ())),
        name,
        flags="" if triton else f"-DSPACE_{name} -DNAME={name}",
        name=name,
    )
    file = FOLDER / machine / f"{name}.csv"
    if not file.is_file():
        measured = sorted(path.parent.name for path in FOLDER.glob(f"*/{name}.csv"))
        raise InputError(f"{name} was not measured on {machine}", hint="measured on: " + ", ".join(measured))
    rows = sorted(csv.DictReader(files.read_text(file).splitlines()), key=lambda row: _scattered(name, row))[:most]
    values: list[Configuration] = [{axis.name: float(row[axis.name]) for axis in space.axes} for row in rows]
    return Recorded(space, tuple(values), tuple(float(row[_TIME]) * 1e-6 if row[_TIME] else math.inf for row in rows))


def _document() -> dict[str, Any]:
    path = FOLDER / "spaces.toml"
    return files.parse_toml(files.read_text(path), path)


def _scattered(name: str, row: dict[str, str]) -> str:
    """A hash of the configuration: the first so many of the rows are a random sample of the space."""
    text = " ".join(f"{axis}={value}" for axis, value in row.items() if axis != _TIME)
    return hashlib.sha256(f"{name} {text}".encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class ReplayJob:
    """Which spaces, how many configurations of each, and where predictions are kept."""

    spaces: tuple[str, ...] = ()
    most: int | None = None
    journal: Path | None = None
    fresh: bool = False
    workers: int = 1
    budget: int = 16


def replay(machine: Machine | str = "h200", job: ReplayJob | None = None, say: Say | None = None) -> Replay:
    """Predicts the configurations of recorded spaces, and compares the tuner's choices with the measured best."""
    job = job or ReplayJob()
    target = Target(machines.load(machine) if isinstance(machine, str) else machine, kept=False)  # its rate is reported
    results = []
    for name in job.spaces or replayable():
        recorded = read(name, target.machine.name, job.most)
        bench = KernelBench(recorded.space, recorded.configurations, target, job.workers)
        progress = say(name) if say else lambda *_: None
        variants = _predicted(name, recorded, bench, target, job, progress)
        results.append(_compared(name, recorded, variants, job.budget, bench.spent.rate))
    return Replay(target.machine.name, tuple(results))


def _predicted(
    name: str, recorded: Recorded, bench: KernelBench, target: Target, job: ReplayJob, progress: Progress
) -> list[Variant]:
    ledger = Ledger([Variant(values) for values in recorded.configurations])
    if job.journal is None:
        carry_out(Static(len(ledger.variants), REFINED), _Recording(bench, recorded), ledger, progress)
        return ledger.variants
    key = f"{ENTRIES} {name} {target.machine.content_hash}"
    path = job.journal.with_name(f"{job.journal.name}.{name}")
    with Journal(path, {_MAGIC: 1, "key": key}, "replay: the machine", fresh=job.fresh) as journal:
        kept = JournaledBench(bench, recorded.space, recorded.configurations, journal, None)
        carry_out(Static(len(ledger.variants), REFINED), kept, ledger, progress)
    return ledger.variants


class _Recording:
    """Judges a configuration by its recorded time."""

    def __init__(self, inner: KernelBench | list[Variant], recorded: Recorded) -> None:
        self._inner, self._recorded = inner, recorded

    def predict(
        self, numbers: Sequence[int], warps: int | None = None, *, precise: bool = False
    ) -> Iterable[tuple[int, Variant]]:
        """Predicts, or returns what was predicted before."""
        if isinstance(self._inner, list):
            return [(number, self._inner[number]) for number in numbers]
        return self._inner.predict(numbers, warps, precise=precise)

    def judge(self, number: int, variant: Variant) -> Variant:
        """Looks the time up."""
        seconds = self._recorded.seconds[number]
        if math.isinf(seconds):
            return replace(variant, reason="it did not run when it was measured", invalidity="runtime")
        return judged(variant, seconds)


def _compared(name: str, recorded: Recorded, variants: list[Variant], budget: int, rate: float) -> SpaceReplay:
    measured = np.array(recorded.seconds)
    predicted = np.array([variant.time_s for variant in variants])
    if not np.isfinite(predicted).any():
        raise InputError(f"{name}: no configuration could be predicted: {variants[0].reason}")
    best = float(measured.min())
    order = measured[np.argsort(predicted, kind="stable")]
    both = np.isfinite(measured) & np.isfinite(predicted)
    steps = hybrid_steps(recorded, variants, budget)
    chosen = int(np.argmin(predicted))
    return SpaceReplay(
        name=name,
        set=set_of(name),
        configurations=len(variants),
        predicted=int(np.isfinite(predicted).sum()),
        spearman=spearman(predicted[both], measured[both]),
        top={count: best / float(order[:count].min()) for count in FIRST},
        random={count: _by_chance(measured, count) for count in FIRST},
        hybrid=best / min(steps, default=math.inf),
        hybrid_runs=next((run for run, time in enumerate(steps, 1) if time <= WITHIN * best), None),
        random_runs=_runs_by_chance(measured, best),
        error=float(np.median(np.abs(predicted[both] / measured[both] - 1))),
        rate=rate,
        chosen=shown(variants[chosen].parameters),
        best=shown(recorded.configurations[int(np.argmin(measured))]),
    )


def hybrid_steps(recorded: Recorded, variants: list[Variant], budget: int) -> list[float]:
    """Measured times of the configurations that the hybrid search asks for, in their order."""
    ledger = Ledger(list(variants))
    search = Hybrid(len(variants), budget)
    carry_out(search, _Recording(variants, recorded), ledger, lambda *_: None)
    return [recorded.seconds[number] for number in ledger.order[len(variants) :]]


def spearman(left: NDArray[np.float64], right: NDArray[np.float64]) -> float:
    """Rank correlation; ties have their mean rank."""
    if len(left) < 2:
        return math.nan
    first, second = _ranks(left), _ranks(right)
    if not first.std() or not second.std():
        return 0.0
    return float(np.corrcoef(first, second)[0, 1])


def _ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return np.asarray((ends - (counts - 1) / 2)[place], dtype=np.float64)


def _by_chance(measured: NDArray[np.float64], count: int) -> float:
    """Share of the optimum that the best of `count` random configurations reaches, in the median of many draws."""
    best, times = float(measured.min()), measured.tolist()
    draws = [min(random.Random(seed).sample(times, min(count, len(times)))) for seed in range(_SEEDS)]
    return float(best / median(draws))


def _runs_by_chance(measured: NDArray[np.float64], best: float) -> float:
    """Expected number of random runs until one is within 5 % of the optimum: (n + 1) / (good + 1)."""
    good = int((measured <= WITHIN * best).sum())
    return (len(measured) + 1) / (good + 1)
