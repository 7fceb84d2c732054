"""The list of measurements and their sizes: one task for each number."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from foretell.core.machine.parameters import LINE_STRIDES
from foretell.errors import ToolError
from foretell.machines.probe import caches, kernels
from foretell.machines.probe.method import (
    ESTIMATORS,
    CoRunners,
    Sample,
    Samples,
    Task,
    all_of,
    least_disturbed,
    period,
    sample_each,
    sample_of,
    slowest_of,
    undisturbed,
    windows,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from foretell.machines.probe.caches import Level
    from foretell.machines.probe.method import Chunks
    from foretell.machines.probe.system import Cache

#: bytes moved per byte of one array, counted as STREAM does
MOVED = {"read": 1, "write": 1, "stream": 1, "update": 1, "copy": 2, "pair": 2, "triad": 3}
LEVEL_KINDS = ("read", "write", "update", "copy", "triad")
#: for levels whose fills stores wait for
OUTER_KINDS = (*LEVEL_KINDS, "pair")
MEMORY_KINDS = ("read", "write", "stream", "update", "copy", "triad")
_NO_ARITHMETIC = frozenset({"read", "write", "copy", "pair"})
TERMS = (2, 4, 8, 16, 32, 64)
#: page counts for finding the reach of the TLB: up to twice that of the largest known (3072, Zen 4), and few enough
#: that one line of each fits a second-level cache
PAGES = (256, 512, 768, 1024, 1280, 1536, 2048, 3072, 4096, 6144)
_OPERATION_CHUNKS = 80
#: operations that are calls of the math library
_CALLED = frozenset({"exp", "log", "sin", "cos", "tanh", "pow"})
#: seconds of one sample: short, because interference affects a whole sample
_STREAM_SECONDS, _TOGETHER_SECONDS, _WALK_SECONDS = 0.015, 0.04, 0.01
_CURVE_SECONDS, _TURNS_SECONDS = 0.005, 0.06
#: seconds for each set of a sweep through many sizes: the available part of a shared cache changes faster, so more
#: sweeps are more informative
_SWEEP_SECONDS = 0.002
#: seconds of one sample of the barrier, and of each of the forked processes that time regions, with their number in one
#: sample
_BARRIER_SECONDS, _REGION_SECONDS, _REGION_COPIES = 0.01, 0.008, 3
#: samples a round of what varies most between samples; of this many samples of regions, one is taken regardless of
#: co-runners
_MANY, _REGION_TIMES = 3, 10
_LINE = 64
#: in a shared cache a pointer chase uses one line of this many, so that it reuses each before co-runners have evicted
#: it
_FEW_LINES = 16
#: the largest set of a pointer chase or stream
LARGEST = 1 << 30
#: multiply-adds for each vector of the loop that detects shared cores: enough to keep the units busy, and few enough
#: that those of several vectors are in flight
SHARING_TERMS = 16
#: allocations of large arrays and of random lines in memory: the cost of a page walk differs by a quarter between them,
#: depending on how a virtual machine's memory is mapped, and an allocation keeps its pages. More of them for random
#: lines, in about as much memory as the largest set takes: loops traverse their arrays in order
_SETS, _LINE_SETS = 4, 12
#: instructions of all kinds, up to the core's issue width
MIXTURE = "mixture.width"
_USUAL_BYTES = 32
#: operations that keep a core busy with floating-point vector arithmetic
_ARITHMETIC = re.compile(r"(?:add|multiply|fma)_f64x\d+\.gap")
#: tolerance for costs of which only a large step matters
_ROUGHLY = 0.1
#: undisturbed windows: the loop with the most arithmetic takes at most this factor (second) of this quantile (first)
_FASTEST, _NEARLY = 0.02, 1.02


@dataclass(frozen=True, slots=True)
class Tier:
    """A level, or memory, and the set sizes that reside in it: for one thread, and for each of all threads.

    `each` is 0 where no set of all threads fits this level without fitting the one inside it. Arrays use one of several
    `sets`; random lines use those of `line_sets` in turn.
    """

    name: str
    alone: int
    each: int
    private: bool
    sets: int = 1
    line_sets: int = 1


@dataclass
class Bench:
    """The measurements; they share what is known about the clock and about co-runners."""

    variant: kernels.Variant
    line: int = _LINE
    watch: CoRunners = field(default_factory=CoRunners)
    clock: list[NDArray[np.float64]] = field(default_factory=list)
    #: clock periods beside arithmetic on vectors of this many bytes
    vector_clock: dict[int, list[NDArray[np.float64]]] = field(default_factory=dict)
    #: clock periods with all threads active
    all_cores_clock: list[NDArray[np.float64]] = field(default_factory=list)
    #: factor on the run time of a loop whose threads did not overlap in time in the last sample
    patience: dict[tuple[str, int, int], int] = field(default_factory=dict)
    #: which of several equal sets is next
    next_set: Iterator[int] = field(default_factory=itertools.count)
    #: samples of regions by number of threads and by runtime (LLVM's or GNU's)
    next_region: dict[tuple[int, bool], Iterator[int]] = field(default_factory=dict)
    #: samples of library functions that were measured along with others
    waiting: dict[str, Sample] = field(default_factory=dict)
    #: the tasks of loops by number of multiply-adds, without transfers
    work: dict[int, Task] = field(default_factory=dict)

    def operation(self, variant: str, name: str, wide: int = 0) -> Sample:
        """Measures cycles per operation of narrow vectors, or of `wide` ones: back-to-back arithmetic on these may
        lower the clock, so its clock is recorded separately."""
        run = kernels.operation(variant, name, _OPERATION_CHUNKS)
        if not wide:
            self.clock.append(period(run.cycle))
        elif _ARITHMETIC.fullmatch(name):
            self.vector_clock.setdefault(wide, []).append(period(run.cycle))
        return _cycles(run)

    def library(self, variant: str, name: str, names: tuple[str, ...]) -> Sample:
        """Measures cycles per call of a library function. The library's load address changes them by a tenth and more,
        equally throughout a process: so every sample runs in a separate process, for all these functions together."""
        if name not in self.waiting:
            found = kernels.operations_elsewhere(variant, names, _OPERATION_CHUNKS)
            self.waiting.update(zip(names, map(_cycles, found), strict=bool(found)))
        return self.waiting.pop(name, sample_of(np.empty(0), ()))

    def operation_together(self, variant: str, name: str, threads: int) -> Sample:
        """Measures seconds per operation of all threads together, each of which is evaluated separately."""
        return sample_each(kernels.operation_together(variant, name, threads, _STREAM_SECONDS))

    def stream(self, kind: str, size: int, threads: int, private: bool, through: bool = False) -> Sample:
        """Measures the time per byte of one array, over all threads. In a private cache it is in cycles, and every
        thread is evaluated separately: they share nothing but the clock. Arrays that fit no cache are traversed
        `through`, all of it timed."""
        key = (kind, size, threads)
        alone = threads == 1 or private
        seconds = (_STREAM_SECONDS if alone else _TOGETHER_SECONDS) * self.patience.get(key, 1)
        runs = kernels.stream(self.variant.name, kind, size, threads, seconds, paired=private, through=through)
        found = sample_each(runs) if private else sample_of(all_of(runs), runs)
        if threads > 1 and kind in _NO_ARITHMETIC:
            self.all_cores_clock += [period(run.cycle) for run in runs if len(run.cycle)]
        if not len(found.values):
            self.patience[key] = min(8, 2 * self.patience.get(key, 1))
        return found

    def sweep(self, sizes: Sequence[int], threads: int) -> Sample:
        """Measures seconds per byte of reads of sets of these sizes (rows), the first of which fits no cache, in direct
        succession: the available part of a shared cache changes from one second to the next. NaN where the threads did
        not run concurrently."""
        rows, interference = [], []
        for size in sizes:
            key = ("sweep", size, threads)
            runs = kernels.stream(
                self.variant.name,
                "read",
                size // threads,
                threads,
                _SWEEP_SECONDS * self.patience.get(key, 1),
                paired=False,
                through=size == sizes[0],
                from_kept=True,
            )
            costs = all_of(runs)
            if not len(costs):
                self.patience[key] = min(8, 2 * self.patience.get(key, 1))
            rows.append([float(np.median(costs)) if len(costs) else np.nan])
            interference += [run.interference for run in runs]
        return Sample(np.array(rows), max(interference))

    def slowest(self, kind: str, size: int, threads: int) -> Sample:
        """Measures cycles per byte of one array in the slowest of all threads."""
        runs = kernels.stream(self.variant.name, kind, size, threads, _TOGETHER_SECONDS, paired=True)
        return sample_of(slowest_of(runs), runs)

    def walk(self, size: int, paired: bool, keep: bool = False, apart: int = 1) -> Sample:
        """Measures the time per load of a pointer chase through all lines or every `apart`-th; in cycles where
        paired."""
        return _one(kernels.chase(size, self.line * apart, _WALK_SECONDS, paired=paired, keep=keep))

    def curve(self, size: int, keep: bool) -> Sample:
        """Measures seconds per load of a short pointer chase."""
        return _one(kernels.chase(size, self.line, _CURVE_SECONDS, paired=False, keep=keep))

    def scattered(self, size: int, paired: bool, keep: bool = False, apart: int = 1, sets: int = 1) -> Sample:
        """Measures the time per byte of random lines, all or every `apart`-th; in cycles where paired. Several sets are
        used in turn, and each is evaluated separately."""
        number = next(self.next_set) % sets if sets > 1 else 0
        run = kernels.scattered(size, self.line * apart, _WALK_SECONDS, paired=paired, keep=keep, number=number)
        found = sample_of(all_of([run]) / self.line, [run])
        return replace(found, parts={number: found}) if sets > 1 else found

    def spaced(self, count: int, apart: int) -> Sample:
        """Measures cycles per load of `count` addresses that are `apart` bytes apart."""
        return _one(kernels.spaced(count, apart, _CURVE_SECONDS))

    def turns(self, tier: Tier) -> Sample:
        """Measures cycles per byte of a copy from a tier (first row) and of copies with work, by window."""
        names = ["copy", *(f"work_{terms}" for terms in TERMS)]
        if not any(task.estimate for task in self.work.values()):
            return sample_of(np.empty((len(names), 0)), ())
        runs = kernels.alternating(self.variant.name, names, tier.alone, _TURNS_SECONDS)
        return sample_of(windows(runs), runs)

    def overlap(self, samples: Samples) -> float:
        """Computes the fraction of a copy that work of equal duration hides, without co-runners: the time of the work
        alone is that of an undisturbed sample. Memory need not be idle, since its load slows the copy with and without
        work; the fastest windows of the two loops would belong to two states of memory, and their difference is
        unstable."""
        core = {row: task.estimate.value for row, task in enumerate(self.work.values(), 1) if task.estimate}
        turns = np.concatenate(samples, axis=-1)
        quiet = turns[:, turns[-1] <= _NEARLY * np.quantile(turns[-1], _FASTEST)]
        middle = np.median(quiet, axis=-1)
        return hidden_share(np.array(list(core.values())), float(middle[0]), middle[list(core)])

    def region(self, threads: int, llvm: bool = False) -> Sample:
        """Measures seconds per parallel region of GNU's OpenMP runtime, or of LLVM's: one value for each of the
        processes with the least interference. With co-runners present, one sample in ten is taken regardless."""
        turn = self.next_region.setdefault((threads, llvm), itertools.count())
        if next(turn) % _REGION_TIMES and kernels.interference(threads) > self.watch.most(threads):
            return sample_of(np.empty(0), ())
        runs = kernels.regions(threads, _REGION_SECONDS, _REGION_COPIES, llvm)
        least = least_disturbed([run for run in runs if len(all_of([run]))])
        return sample_of(np.array([np.median(all_of([run])) for run in least]), least)

    def barrier(self, threads: int) -> Sample:
        """Measures seconds per barrier of all threads."""
        runs = kernels.barrier(threads, _BARRIER_SECONDS)
        return sample_of(windows(runs)[0], runs)

    def task(
        self,
        name: str,
        measure: Callable[[], Sample],
        summary: Callable[[Samples], float] = ESTIMATORS["cache"],
        **options: Any,
    ) -> Task:
        """Makes a task that shares the interference checks with all others."""
        return Task(name, measure, summary, watch=self.watch, **options)


def _one(run: Chunks) -> Sample:
    return sample_of(all_of([run]), [run])


def _cycles(run: Chunks) -> Sample:
    """Makes a sample of chunks of one operation each: costs by chunk."""
    return sample_of(run.costs[undisturbed(run.seconds)], [run])


def hidden_share(core: NDArray[np.float64], transfer: float, both: NDArray[np.float64]) -> float:
    """Computes the fraction of the shorter time that the longer one hides, for a transfer and work of equal duration:
    interpolated between loops whose work takes `core` alone, ascending, and `both` with the transfer."""
    shown = (both - np.maximum(core, transfer)) / np.minimum(core, transfer)
    return float(np.interp(np.log(transfer), np.log(core), np.clip(1 - shown, 0.0, 1.0)))


def usual(variants: Sequence[kernels.Variant]) -> kernels.Variant:
    """The vectors that compilers use by default: those of at most 32 bytes."""
    return [variant for variant in variants if variant.bytes <= _USUAL_BYTES or variant is variants[0]][-1]


def tiers(levels: Sequence[Level], threads: int, memory: int | None) -> tuple[Tier, ...]:
    """Chooses sets that fit a level and not the one inside it; for memory, twice the last level where there is room.
    They follow from the full capacities: the momentary available part of a shared level must not affect them."""
    result = []
    inner = 0
    for level in levels:
        whole = level.size
        # Just beyond the inner level: co-runners may occupy most of a shared one.
        size = whole // 2 if whole < 5 * inner or not inner else inner * 5 // 2
        size = max(size, min(2 * inner, whole * 7 // 8))
        shared = (level.shared_by or 1) > 1
        share = whole * 3 // 4 // min(threads, level.shared_by or threads) if shared else size
        result.append(Tier(level.name, size, min(size, share) if share >= 1.5 * inner else 0, not shared))
        inner = whole
    wanted = max(2 * inner, 64 << 20)
    # Four sets of this size are kept at a time: streams of one thread and of all, and two pointer chases.
    if memory is not None and wanted <= min(memory // 6, LARGEST):
        room = max(1, memory // (8 * wanted))
        sets, lines = min(_SETS, room), min(_LINE_SETS, room, LARGEST // wanted)
        each = max(wanted // threads, 4 << 20)
        result.append(Tier("memory", wanted, each, private=False, sets=sets, line_sets=max(sets, lines)))
    return tuple(result)


def all_tasks(
    bench: Bench, variants: Sequence[kernels.Variant], where: Sequence[Tier], threads: int, page: int
) -> list[Task]:
    """All tasks except those for the sizes of the levels, from which the tiers follow."""
    tasks = operation_tasks(bench, variants) + memory_tasks(bench, where, threads)
    tasks += page_tasks(bench, page) + machine_tasks(bench, widest_operation(variants[-1]), threads)
    if not where:
        return tasks
    return [*core_work_tasks(bench, where[0], threads), *tasks, *overlap_tasks(bench, where)]


def walk_tasks(bench: Bench, reported: Sequence[Cache], largest: int) -> dict[int, Task]:
    """Pointer chases through sets of all sizes, which show the capacities of the private levels."""
    return {
        size: bench.task(
            f"curve {size}", partial(bench.curve, size, size == largest), ESTIMATORS["cache size"], agreed=_ROUGHLY
        )
        for size in caches.walk_sizes(reported, largest)
    }


def read_task(bench: Bench, reported: Sequence[Cache], threads: int, memory: int) -> Task | None:
    """Reads of sets up to the size of the last level, and of one beyond it, in memory, where there is room: only a part
    of the level may be available, and one core may get less of it than all cores together."""
    sizes = caches.read_sizes(reported, threads)
    if not sizes or sizes[0] > min(memory // 6, LARGEST):
        return None
    return bench.task(
        f"reads {threads}",
        partial(bench.sweep, sizes, threads),
        partial(caches.end_of_reads, sizes),
        threads=threads,
        shared=True,
        times=2 * _MANY,
    )


def operation_tasks(bench: Bench, variants: Sequence[kernels.Variant]) -> list[Task]:
    """Latency and throughput of every instruction class."""
    tasks = []
    for variant in variants:
        called = tuple(name for name in variant.operations if name.split("_")[0] in _CALLED)
        for name in variant.operations:
            one = partial(bench.operation, wide=0 if variant is variants[0] else variant.bytes)
            sample = partial(bench.library, names=called) if name in called else one
            summary = ESTIMATORS["library" if name in called else "instruction"]
            tasks.append(bench.task(f"operation {name}", partial(sample, variant.name, name), summary))
    return tasks


def memory_tasks(bench: Bench, where: Sequence[Tier], threads: int) -> list[Task]:
    """Latency and bandwidths of every tier, one thread and all. Shared levels are affected by traffic, not by SMT
    co-runners: there every sample counts. But random lines of one thread from memory are slowed by SMT co-runners,
    which share its outstanding misses."""
    tasks = []
    for tier in where:
        memory = tier.name == "memory"
        walk = (tier.alone, tier.private, memory)
        task = partial(bench.task, shared=not tier.private)
        apart = 1 if tier.private or memory else _FEW_LINES
        tasks.append(task(f"walk {tier.name}", partial(bench.walk, *walk, apart=apart)))
        lines = partial(bench.scattered, *walk, sets=tier.line_sets)
        tasks.append(
            bench.task(
                f"scattered {tier.name}",
                lines,
                shared=not tier.private and not memory,
                times=_MANY if tier.line_sets > tier.sets else 1,
            )
        )
        if tier is not where[0] and not memory:
            tasks += [
                task(f"apart {lines} {tier.name}", partial(bench.scattered, *walk, apart=lines))
                for lines in LINE_STRIDES
            ]
        kinds = MEMORY_KINDS if memory else LEVEL_KINDS if tier is where[0] else OUTER_KINDS
        tasks += [one for kind in kinds for one in _stream_tasks(bench, tier, kind, threads)]
    return tasks


def _stream_tasks(bench: Bench, tier: Tier, kind: str, threads: int) -> list[Task]:
    """One loop over arrays of one tier, for one thread and for all."""
    memory = tier.name == "memory"
    tasks = []
    for count in _counts(threads, memory and kind == "triad"):
        each = tier.alone if count == 1 else tier.each
        if each == 0:
            continue
        from_memory = "memory" if count == 1 else "memory of all"
        tasks.append(
            bench.task(
                f"{kind} {tier.name} {count}",
                partial(bench.stream, kind, each, count, tier.private, through=memory),
                ESTIMATORS[from_memory if memory else "cache"],
                threads=count,
                shared=not tier.private and not (memory and count == 1),
            )
        )
    return tasks


def _counts(threads: int, saturation: bool) -> list[int]:
    """1 and all; powers of two between them where the approach to saturation is of interest."""
    between = [2**k for k in range(1, threads.bit_length()) if 2**k < threads] if saturation else []
    return sorted({1, *between, threads})


def page_tasks(bench: Bench, page: int) -> list[Task]:
    """Loads of one line on each of several pages, and of as many contiguous lines: they differ only in TLB misses,
    where page placement keeps the lines in the cache; the placement differs every time."""
    return [
        bench.task(f"{name} {count}", partial(bench.spaced, count, apart), ESTIMATORS["typical"])
        for count in PAGES
        for name, apart in (("pages", page + bench.line), ("lines", bench.line))
    ]


def widest_operation(widest: kernels.Variant) -> tuple[str, str]:
    """The operation with the most arithmetic: fused multiply-add where there is one."""
    lanes = widest.bytes // 8
    for name in (f"fma_f64x{lanes}.gap", f"add_f64x{lanes}.gap"):
        if name in widest.operations:
            return widest.name, name
    raise ToolError("the probe has no floating-point kernel for this processor")


def machine_tasks(bench: Bench, peak: tuple[str, str], threads: int) -> list[Task]:
    """Measurements of all cores: the peak operation on one and on all, at their usual clock; the barrier and regions.
    The barrier depends on where the hypervisor has placed the threads, and regions on co-runners: both vary over time,
    and are sampled more often."""
    tasks = [
        bench.task(
            f"peak {count}", partial(bench.operation_together, *peak, count), ESTIMATORS["typical"], threads=count
        )
        for count in {1, threads}
    ]
    if threads > 1:
        barrier = partial(bench.barrier, threads)
        tasks.append(bench.task("barrier", barrier, ESTIMATORS["meeting"], threads=threads, times=_MANY))
        tasks += [
            bench.task(
                f"{name}region {count}",
                partial(bench.region, count, llvm),
                ESTIMATORS["meeting"],
                threads=count,
                times=_REGION_TIMES,
            )
            for count in {2, threads}
            for name, llvm in (("", False), ("llvm ", True))
        ]
    return tasks


def core_work_tasks(bench: Bench, inner: Tier, threads: int) -> list[Task]:
    """Loops with increasing arithmetic on data of the innermost level: their time without transfers. It is estimated by
    the median of undisturbed windows, like that of the loops they are compared with; here some are disturbed. One of
    them also runs in all threads: CPUs of a virtual machine may be hidden SMT siblings."""
    bench.work = {
        terms: bench.task(
            f"work_{terms} core", partial(bench.stream, f"work_{terms}", inner.alone, 1, True), ESTIMATORS["meeting"]
        )
        for terms in TERMS
    }
    tasks = list(bench.work.values())
    if threads > 1:
        slowest = partial(bench.slowest, f"work_{SHARING_TERMS}", inner.each, threads)
        tasks.append(bench.task("slowest thread", slowest, ESTIMATORS["typical"], threads=threads, shared=True))
    return tasks


def overlap_tasks(bench: Bench, where: Sequence[Tier]) -> list[Task]:
    """Measures the fraction of a transfer from every level but the innermost that work hides."""
    return [
        bench.task(f"overlap {tier.name}", partial(bench.turns, tier), bench.overlap, times=_MANY) for tier in where[1:]
    ]
