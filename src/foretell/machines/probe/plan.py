"""What is measured, and with which sizes: one task for each number."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from foretell.machines.probe import kernels
from foretell.machines.probe.method import (
    Chunks,
    Task,
    fastest_group,
    steady,
    together,
    typical,
    undisturbed,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from foretell.machines.probe.caches import Level

#: bytes that move for one byte of one array, counted as STREAM does
MOVED = {"read": 1, "write": 1, "stream": 1, "update": 1, "copy": 2, "triad": 3}
LEVEL_KINDS = ("read", "write", "update", "copy", "triad")
MEMORY_KINDS = ("read", "write", "stream", "update", "copy", "triad")
TERMS = (2, 4, 8, 16, 32, 64)
#: pages to look for the end of the TLB with; more than those of the TLBs that we know of (3072, Zen 4), and few enough
#: that a line of each fits a second-level cache
PAGES = (256, 512, 768, 1024, 1280, 1536, 2048, 3072, 4096, 6144, 8192, 12288)
_OPERATION_CHUNKS = 80
_STREAM_SECONDS, _TOGETHER_SECONDS, _WALK_SECONDS = 0.03, 0.1, 0.015
_LINE = 64
#: the largest set that the probe walks or streams through
LARGEST = 1 << 30
_MIN_TOGETHER = 8
#: chunks of a loop whose threads wait for the last of them: about half a millisecond
_LASTING = 24
#: multiply-adds for each vector of the loop that shows how cores are shared: enough to keep their units busy, and few
#: enough that those of several vectors are under way
SHARING_TERMS = 16
_USUAL_BYTES = 32


@dataclass(frozen=True, slots=True)
class Place:
    """A level, or memory, and the sets that stay in it: for one thread, and for each of all threads.

    `each` is 0 where no set of all threads stays in this level and not in the one inside it.
    """

    name: str
    alone: int
    each: int
    private: bool


@dataclass
class Bench:
    """The tasks share what they learn about the clock."""

    variant: kernels.Variant
    line: int = _LINE
    clock: list[NDArray[np.float64]] = field(default_factory=list)
    #: the same with all threads at work
    crowded_clock: list[NDArray[np.float64]] = field(default_factory=list)
    #: how much longer than usual a loop runs whose threads did not meet last time
    patience: dict[tuple[str, int, int], int] = field(default_factory=dict)
    #: cycles for one byte of a loop with so many multiply-adds, without transfers
    work: dict[int, float] = field(default_factory=dict)
    #: those of the loop that shows the overlap of a place
    terms: dict[str, int] = field(default_factory=dict)

    def operation(self, variant: str, name: str) -> NDArray[np.float64]:
        """Cycles for one operation."""
        seconds, period = kernels.operation(variant, name, _OPERATION_CHUNKS)
        keep = undisturbed(seconds) & undisturbed(period) & steady(period)
        self.clock.append(period[keep])
        return seconds[keep] / period[keep]

    def operation_together(self, variant: str, name: str, threads: int) -> NDArray[np.float64]:
        """Seconds for one operation of all threads together."""
        return _sum(
            kernels.operation_together(
                variant, name, threads, _STREAM_SECONDS if threads == 1 else _TOGETHER_SECONDS
            )
        )

    def stream(self, kind: str, size: int, threads: int, paired: bool) -> NDArray[np.float64]:
        """Time for one byte of one array, of all threads together; cycles where paired."""
        key = (kind, size, threads)
        seconds = (_STREAM_SECONDS if threads == 1 else _TOGETHER_SECONDS) * self.patience.get(key, 1)
        costs = _sum(kernels.stream(self.variant.name, kind, size, threads, seconds, paired=paired))
        if not len(costs):
            self.patience[key] = min(8, 2 * self.patience.get(key, 1))
        return costs

    def slowest(self, kind: str, size: int, threads: int) -> NDArray[np.float64]:
        """Cycles for one byte of one array in the slowest of all threads."""
        runs = kernels.stream(self.variant.name, kind, size, threads, _TOGETHER_SECONDS, paired=True)
        self.crowded_clock += [run.addition[undisturbed(run.addition)] for run in runs if len(run.addition)]
        return _slowest(_costs(runs))

    def walk(self, size: int, paired: bool) -> NDArray[np.float64]:
        """Time for one load of a walk; cycles where paired."""
        return _sum([kernels.chase(size, self.line, _WALK_SECONDS, paired=paired)])

    def scattered(self, size: int, paired: bool) -> NDArray[np.float64]:
        """Time for one byte of lines that are loaded at random; cycles where paired."""
        return _sum([kernels.scattered(size, self.line, _WALK_SECONDS, paired=paired)]) / self.line

    def spaced(self, count: int, apart: int) -> NDArray[np.float64]:
        """Cycles for one load of so many places, so many bytes apart."""
        return _sum([kernels.spaced(count, apart, _WALK_SECONDS)])

    def core_work(self, terms: int, size: int) -> NDArray[np.float64]:
        """Cycles for one byte of a loop with so many multiply-adds on data of the innermost level."""
        costs = self.stream(f"work_{terms}", size, 1, paired=True)
        if len(costs):
            self.work[terms] = min(self.work.get(terms, np.inf), fastest_group(costs))
        return costs

    def beside(self, place: Place) -> NDArray[np.float64]:
        """Time for one byte of a copy from a place with work whose core time is closest to the copy's; cycles where the
        place is private. The work is chosen once."""
        if place.name not in self.terms:
            copies = self.stream("copy", place.alone, 1, paired=True)
            if not len(copies) or not self.work:
                return np.empty(0)
            transfer = fastest_group(copies)
            self.terms[place.name] = min(self.work, key=lambda k: abs(np.log(self.work[k] / transfer)))
        return self.stream(f"work_{self.terms[place.name]}", place.alone, 1, place.private)

    def region(self, threads: int, llvm: bool = False) -> NDArray[np.float64]:
        """Seconds for one parallel region of GNU's OpenMP runtime, or of LLVM's."""
        runs = kernels.regions(threads, _TOGETHER_SECONDS, llvm)
        return runs[0].cost(undisturbed(runs[0].seconds)) if runs else np.empty(0)

    def barrier(self, threads: int) -> NDArray[np.float64]:
        """Seconds for one meeting of all threads."""
        runs = kernels.barrier(threads, _TOGETHER_SECONDS)
        if not len(runs[0].seconds):
            return np.empty(0)
        return runs[0].cost(together(runs)[0])


def _costs(runs: Sequence[Chunks]) -> list[NDArray[np.float64]]:
    """Of each thread, as many costs of chunks during which all of them ran; none where they hardly ever did."""
    if any(len(run.seconds) == 0 for run in runs):
        return []
    keeps = together(runs)
    for run, keep in zip(runs, keeps, strict=True):
        if len(run.addition):
            keep &= undisturbed(run.addition) & steady(run.addition)
    costs = [run.cost(keep) for run, keep in zip(runs, keeps, strict=True)]
    common = min(map(len, costs))
    if len(runs) > 1 and common < _MIN_TOGETHER:
        return []
    return [cost[:common] for cost in costs]


def _sum(runs: Sequence[Chunks]) -> NDArray[np.float64]:
    """Costs of the threads' work together: the rates add up. Empty where they hardly ever ran at the same time."""
    costs = _costs(runs)
    total: NDArray[np.float64] = 1 / np.sum([1 / cost for cost in costs], axis=0) if costs else np.empty(0)
    return total


def _slowest(costs: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Costs in the thread that the others wait for. Single chunks vary by chance, and the worst of many threads' more
    than one thread's: as many are averaged as a short parallel loop has."""
    if not costs:
        return np.empty(0)
    lasting = max(1, min(_LASTING, len(costs[0]) // _MIN_TOGETHER))
    whole = len(costs[0]) // lasting * lasting
    means = [cost[:whole].reshape(-1, lasting).mean(axis=1) for cost in costs]
    result: NDArray[np.float64] = np.max(means, axis=0)
    return result


def usual(variants: tuple[kernels.Variant, ...]) -> kernels.Variant:
    """The vectors that compilers use unless they are asked for wider ones: those of at most 32 bytes."""
    return [variant for variant in variants if variant.bytes <= _USUAL_BYTES or variant is variants[0]][-1]


def places(levels: Sequence[Level], threads: int, memory: int | None) -> tuple[Place, ...]:
    """Sets that fit a level and not the one inside it; memory, where there is enough, at twice the last level."""
    result = []
    inner = 0
    for level in levels:
        # Just beyond the inner level: of a shared one, others may have taken the most.
        size = level.size // 2 if level.size < 6 * inner or not inner else 3 * inner
        size = max(size, min(2 * inner, level.size * 7 // 8))
        shared = (level.shared_by or 1) > 1
        room = (level.together or level.size) * 3 // 4
        share = room // min(threads, level.shared_by or threads) if shared else size
        result.append(Place(level.name, size, min(size, share) if share >= 1.5 * inner else 0, not shared))
        inner = level.size
    outermost = max((max(level.size, level.reported or 0) for level in levels), default=0)
    wanted = max(2 * outermost, 64 << 20)
    # Three sets of this size are kept at a time.
    if memory is not None and wanted <= min(memory // 6, LARGEST):
        result.append(Place("memory", wanted, max(wanted // threads, 4 << 20), private=False))
    return tuple(result)


def operation_tasks(bench: Bench, variants: Sequence[kernels.Variant]) -> list[Task]:
    """Latency and throughput of every instruction class."""
    return [
        Task(f"operation {name}", partial(bench.operation, variant.name, name))
        for variant in variants
        for name in variant.operations
    ]


def memory_tasks(bench: Bench, where: Sequence[Place], threads: int) -> list[Task]:
    """Latency and bandwidths of every place, one thread and all."""
    tasks = []
    for place in where:
        tasks.append(Task(f"walk {place.name}", partial(bench.walk, place.alone, place.private)))
        tasks.append(Task(f"scattered {place.name}", partial(bench.scattered, place.alone, place.private)))
        for kind in MEMORY_KINDS if place.name == "memory" else LEVEL_KINDS:
            for count in _counts(threads, place.name == "memory" and kind == "triad"):
                each = place.alone if count == 1 else place.each
                if each == 0:
                    continue
                tasks.append(
                    Task(
                        f"{kind} {place.name} {count}",
                        partial(bench.stream, kind, each, count, place.private),
                    )
                )
    return tasks


def _counts(threads: int, saturation: bool) -> list[int]:
    """1 and all; powers of two between them where the way to saturation is of interest."""
    between = [2**k for k in range(1, threads.bit_length()) if 2**k < threads] if saturation else []
    return sorted({1, *between, threads})


def page_tasks(bench: Bench, page: int) -> list[Task]:
    """One line of each of so many pages, and as many lines one behind the other: equal but for the translations."""
    return [
        Task(f"{name} {count}", partial(bench.spaced, count, apart))
        for count in PAGES
        for name, apart in (("pages", page + bench.line), ("lines", bench.line))
    ]


def machine_tasks(bench: Bench, peak: tuple[str, str], threads: int) -> list[Task]:
    """What concerns all cores: the barrier, and the peak operation alone and together."""
    tasks = [Task(f"peak {count}", partial(bench.operation_together, *peak, count)) for count in {1, threads}]
    if threads > 1:
        tasks.append(Task("barrier", partial(bench.barrier, threads)))
        tasks += [Task(f"region {count}", partial(bench.region, count)) for count in {2, threads}]
        tasks += [Task(f"llvm region {count}", partial(bench.region, count, True)) for count in {2, threads}]
    return tasks


def core_work_tasks(bench: Bench, inner: Place, threads: int) -> list[Task]:
    """Loops with more and more arithmetic on data of the innermost level: their time without transfers. The one with
    most of it runs in all threads, too: CPUs of a virtual machine may share a core without saying so."""
    tasks = [Task(f"work_{terms} core", partial(bench.core_work, terms, inner.alone)) for terms in TERMS]
    if threads > 1:
        tasks.append(
            Task(
                "slowest thread",
                partial(bench.slowest, f"work_{SHARING_TERMS}", inner.each, threads),
                typical,
            )
        )
    return tasks


def overlap_tasks(bench: Bench, where: Sequence[Place]) -> list[Task]:
    """How much of a transfer from every level but the innermost is hidden behind work."""
    return [Task(f"beside {place.name}", partial(bench.beside, place)) for place in where[1:]]


def hidden(core: float, transfer: float, both: float) -> float:
    """The share of the shorter time that the longer one hides; within 0 and 1 whatever the noise."""
    return min(1.0, max(0.0, 1 - (both - max(core, transfer)) / min(core, transfer)))
