"""Runs the whole probe: measures in rounds, fills a draft of the machine file, merges earlier probes."""

from __future__ import annotations

import datetime
import os
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from foretell.core.machine.machine import Machine, Source
from foretell.errors import InputError
from foretell.machines.probe import caches, kernels, plan, system
from foretell.machines.probe.fill import Results, fill, say_doubts
from foretell.machines.probe.merge import keep_better
from foretell.machines.probe.method import ESTIMATORS, CoRunners, Task, mean_clock, run_rounds
from foretell.machines.probe.write import Draft

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: called with the current step and the fraction of the time that is over
Progress = Callable[[str, float], None]

_WALK_SHARE = 0.04
_FULL_SECONDS, _QUICK_SECONDS = 160.0, 25.0
_MAX_THREADS = 1024


def probe(
    *,
    quick: bool = False,
    threads: int | None = None,
    name: str | None = None,
    progress: Progress = lambda what, share: None,
    earlier: Sequence[Machine] = (),
) -> str:
    """Writes the machine file of this machine, as text. Takes about half a minute (`quick`) or two to three. Numbers of
    `earlier` probes of the same machine are kept where this one was disturbed more."""
    available = kernels.cpus()
    if threads is not None and not 1 <= threads <= min(available, _MAX_THREADS):
        raise InputError(f"--threads {threads}: this process may use 1 to {available} CPUs")
    seconds = _QUICK_SECONDS if quick else _FULL_SECONDS
    try:
        results = measure(threads or min(available, _MAX_THREADS), seconds, progress)
    finally:
        kernels.release()
    draft = _draft(results, name, quick)
    fill(draft, results)
    for machine in earlier:
        keep_better(draft, machine)
    say_doubts(draft)
    return draft.toml()


def measure(threads: int, seconds: float, progress: Progress = lambda what, share: None) -> Results:
    """Takes all measurements, in about this many seconds."""
    begin = time.monotonic()

    def tick(task: Task) -> None:
        progress(task.name, min(1.0, (time.monotonic() - begin) / seconds))

    about = system.read_system()
    variants = tuple(kernels.variants())
    line = next((cache.line for cache in about.caches if cache.line), 64)
    corunners = CoRunners(kernels.interference, lambda cpu: kernels.start_at(cpu, threads), threads)
    bench = plan.Bench(plan.usual(variants), line, corunners)
    sizes = _sizes(bench, about, threads)
    run_rounds(sizes.tasks, seconds * _WALK_SHARE, tick=tick)
    tiers = plan.tiers(sizes.levels, threads, about.available)
    kernels.rotate_buffers(max((tier.sets for tier in tiers), default=1))
    tasks = plan.all_tasks(bench, variants, tiers, threads, about.page)
    run_rounds([*tasks, *sizes.tasks], seconds * (1 - _WALK_SHARE), tick=tick)
    frequency = 1 / mean_clock(bench.clock)
    all_cores = 1 / mean_clock(bench.all_cores_clock or bench.clock)
    return Results(
        about,
        sizes.levels,
        tiers,
        variants,
        threads,
        kernels.cpus(),
        frequency,
        {task.name: task.estimate for task in (*tasks, *sizes.reads) if task.estimate},
        highest_frequency=1 / ESTIMATORS["highest clock"](bench.clock),
        all_cores_frequency=min(frequency, all_cores),
        vector_frequency=_falling(frequency, bench.vector_clock),
        corunners=corunners.mean,
    )


def _falling(usual: float, periods: dict[int, list[NDArray[np.float64]]]) -> dict[int, float]:
    """Clocks by vector width in bytes: made non-increasing in the width."""
    found = {}
    for width in sorted(periods):
        usual = found[width] = min(usual, 1 / mean_clock(periods[width]))
    return found


def _largest(about: system.System) -> int:
    """Bytes of the largest set of a pointer chase: beyond every level, as far as memory allows."""
    reported = max((cache.size for cache in about.caches), default=64 << 20)
    return min(max(2 * reported, 64 << 20), plan.LARGEST, (about.available or 256 << 20) // 6)


@dataclass(frozen=True)
class _Sizes:
    """Detects the capacities of the levels, by pointer chases and by reads of one thread and of all: sampled first,
    because the other tasks may need them, and again in every round."""

    reported: Sequence[system.Cache]
    chases: dict[int, Task]
    one: Task | None
    all_: Task | None

    @property
    def reads(self) -> list[Task]:
        return [task for task in (self.one, self.all_) if task]

    @property
    def tasks(self) -> list[Task]:
        return [*self.chases.values(), *self.reads]

    @property
    def levels(self) -> tuple[caches.Level, ...]:
        walks = {size: task.estimate.value for size, task in self.chases.items() if task.estimate}
        ends = (task.estimate if task else None for task in (self.one, self.all_))
        return caches.levels(self.reported, walks, *(int(end.value) or None if end else None for end in ends))


def _sizes(bench: plan.Bench, about: system.System, threads: int) -> _Sizes:
    """The tasks that find the capacities of the levels."""
    available = about.available or 0
    return _Sizes(
        about.caches,
        plan.chase_tasks(bench, about.caches, _largest(about)),
        plan.read_task(bench, about.caches, 1, available),
        plan.read_task(bench, about.caches, threads, available) if threads > 1 else None,
    )


def _draft(results: Results, name: str | None, quick: bool) -> Draft:
    about = results.system
    today = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
    where = f"{about.cpu}, {results.cpus} CPUs, {today}"
    loops = f"{where}: foretell machines probe{' --quick' if quick else ''}"
    label = name or re.sub(r"[^a-z0-9]+", "-", f"{about.cpu} {results.cpus} cpus".lower()).strip("-")
    draft = Draft(label, f"{about.cpu}, {results.cpus} CPUs, measured {today}")
    draft.head = [
        f"Written by foretell machines probe on {today}; load average at the end {_load()}.",
        "Bandwidths count bytes as STREAM does: triad 24, copy 16, read and write 8 for each element.",
    ]
    references = {
        "system": f"{where}: reported by the operating system",
        "instructions": f"{loops}, loops of single instructions; cycles of chains of integer operations",
        "walks": f"{loops}, random walks along pointers within windows of 2 MiB, 4 KiB pages or what the system gives",
        "streams": f"{loops}, loops over arrays with vectors of {plan.usual(results.variants).bytes} bytes, "
        "means of half a millisecond of undisturbed chunks, samples with nobody else on the cores; "
        f"all = {results.threads} threads",
    }
    draft.sources = {key: Source("measured", text) for key, text in references.items()}
    return draft


def _load() -> str:
    try:
        return f"{os.getloadavg()[0]:.1f}"
    except OSError:
        return "unknown"
