"""The probe from beginning to end."""

from __future__ import annotations

import datetime
import os
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from foretell.core.machine import Machine, Source
from foretell.errors import InputError, ToolError
from foretell.machines.probe import caches, kernels, plan, system
from foretell.machines.probe.fill import fill
from foretell.machines.probe.keep import keep_better
from foretell.machines.probe.method import Estimate, Task, fastest_group, settle
from foretell.machines.probe.write import Draft

#: told what is going on, and the share of the time that is over
Progress = Callable[[str, float], None]

_WALK_SHARE, _MAIN_SHARE = 0.15, 0.85
_FULL_SECONDS, _QUICK_SECONDS = 145.0, 25.0
_MAX_THREADS = 1024
_CHEAP_WALK = 32 << 20
_READ_ROUNDS = 3
#: the share of chunks at the highest clock; it is the same whatever is timed, so few are enough
_CLOCK_GROUP = 0.01


@dataclass(frozen=True)
class Results:
    """Everything that was found: numbers by the name of their task, and the surroundings."""

    system: system.System
    levels: tuple[caches.Level, ...]
    places: tuple[plan.Place, ...]
    variants: tuple[kernels.Variant, ...]
    threads: int
    cpus: int
    frequency: float
    numbers: dict[str, Estimate]
    #: multiply-adds of the loop that showed the overlap of a place
    terms: dict[str, int]
    #: the clock with all threads at work
    crowded_frequency: float


def probe(
    *,
    quick: bool = False,
    threads: int | None = None,
    name: str | None = None,
    progress: Progress = lambda what, share: None,
    earlier: Sequence[Machine] = (),
) -> str:
    """The machine file of this machine, as text. Takes about half a minute (`quick`) or two to three. Numbers of
    `earlier` probes of the same machine stay where this one was disturbed more."""
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
    return draft.toml()


def measure(threads: int, seconds: float, progress: Progress = lambda what, share: None) -> Results:
    """All measurements, in about so many seconds."""
    begin = time.monotonic()

    def tick(task: Task) -> None:
        progress(task.name, min(1.0, (time.monotonic() - begin) / seconds))

    about = system.look()
    variants = kernels.variants()
    bench = plan.Bench(plan.usual(variants), _line(about))
    levels = _levels(bench, about, seconds * _WALK_SHARE, progress)
    levels = _together(bench, levels, threads, about.available)
    places = plan.places(levels, threads, about.available)
    tasks = plan.operation_tasks(bench, variants) + plan.memory_tasks(bench, places, threads)
    tasks += plan.page_tasks(bench, about.page)
    tasks += plan.machine_tasks(bench, _peak(variants), threads)
    if places:
        tasks += plan.core_work_tasks(bench, places[0], threads)
        tasks += plan.overlap_tasks(bench, places)
    settle(tasks, seconds * _MAIN_SHARE, tick=tick)
    numbers = {task.name: task.estimate for task in tasks if task.estimate}
    clock = np.concatenate(bench.clock)
    if not len(clock):
        raise ToolError("the clock of this processor could not be measured: every chunk was disturbed")
    frequency = 1 / fastest_group(clock, _CLOCK_GROUP)
    crowded = np.concatenate(bench.crowded_clock or [clock])
    return Results(
        about,
        levels,
        places,
        variants,
        threads,
        kernels.cpus(),
        frequency,
        numbers,
        bench.terms,
        crowded_frequency=min(frequency, 1 / float(np.median(crowded))),
    )


def _line(about: system.System) -> int:
    return next((cache.line for cache in about.caches if cache.line), 64)


def _levels(
    bench: plan.Bench, about: system.System, seconds: float, progress: Progress
) -> tuple[caches.Level, ...]:
    """One walk through every size, as far as time and memory go."""
    reported = max((cache.size for cache in about.caches), default=64 << 20)
    largest = min(4 * reported, plan.LARGEST, (about.available or 256 << 20) // 4)
    sizes = caches.walk_sizes(largest, 4 if seconds > 10 else 2)
    best = dict.fromkeys(sizes, float("inf"))
    end = time.monotonic() + seconds
    # Small sets are cheap, and other work on the machine takes their caches away for a while: look again.
    for size in [*sizes, *(size for size in sizes if size <= _CHEAP_WALK for _ in range(2))]:
        progress("cache sizes", max(0.0, _WALK_SHARE * (1 - (end - time.monotonic()) / seconds)))
        values = bench.walk(size, paired=False)
        if len(values):
            best[size] = min(best[size], fastest_group(values))
        if time.monotonic() > end:
            break
    walked = [size for size in sizes if best[size] < float("inf")]
    return caches.levels(about.caches, caches.knees(walked, [best[size] for size in walked]))


def _together(
    bench: plan.Bench, levels: tuple[caches.Level, ...], threads: int, available: int | None
) -> tuple[caches.Level, ...]:
    """The last level with what all threads together can use of it, where one alone gets a part."""
    if threads < 2 or len(levels) < 2:
        return levels
    last, inner = levels[-1], levels[-2].size
    sizes = caches.together_sizes(last, threads, inner)
    outside = 2 * max(last.reported or 0, last.size)
    if not sizes or outside > (available or 0) // 6:
        return levels
    costs = {size: _read(bench, size // threads, threads) for size in (*sizes, outside)}
    found = caches.together_size(
        {size: cost for size, cost in costs.items() if size != outside}, costs[outside]
    )
    return (*levels[:-1], replace(last, together=found))


def _read(bench: plan.Bench, size: int, threads: int) -> float:
    """The least cost of some rounds of reading."""
    rounds = [bench.stream("read", size, threads, paired=False) for _ in range(_READ_ROUNDS)]
    return min((fastest_group(values) for values in rounds if len(values)), default=float("inf"))


def _peak(variants: tuple[kernels.Variant, ...]) -> tuple[str, str]:
    """The operation with the most arithmetic: widest, fused where there is one."""
    widest = variants[-1]
    lanes = widest.bytes // 8
    for name in (f"fma_f64x{lanes}.gap", f"add_f64x{lanes}.gap"):
        if name in widest.operations:
            return widest.name, name
    raise ToolError("the probe has no floating-point kernel for this processor")


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
        "instructions": f"{loops}, loops of single instructions; cycles of dependent integer additions",
        "walks": f"{loops}, random walks along pointers within windows of 2 MiB, 4 KiB pages or what the system gives",
        "streams": f"{loops}, loops over arrays with vectors of {plan.usual(results.variants).bytes} bytes, "
        f"chunks of 20 us, interrupted ones dropped, fastest group; all = {results.threads} threads",
    }
    draft.sources = {key: Source("measured", text) for key, text in references.items()}
    return draft


def _load() -> str:
    try:
        return f"{os.getloadavg()[0]:.1f}"
    except OSError:
        return "unknown"
