"""What is measured, and with which sizes: one task for each number."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from foretell.core.machine.parameters import LINE_STRIDES
from foretell.errors import ToolError
from foretell.machines.probe import caches, kernels, overlap
from foretell.machines.probe.method import (
    AGREED,
    ESTIMATORS,
    Task,
    Visit,
    Visits,
    Watch,
    all_of,
    least_company,
    period,
    slowest_of,
    undisturbed,
    visit,
    visit_each,
    windows,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from foretell.machines.probe.caches import Level
    from foretell.machines.probe.method import Chunks
    from foretell.machines.probe.system import Cache

#: bytes that move for one byte of one array, counted as STREAM does
MOVED = {"read": 1, "write": 1, "stream": 1, "update": 1, "copy": 2, "pair": 2, "triad": 3}
LEVEL_KINDS = ("read", "write", "update", "copy", "triad")
#: of levels whose lines stores wait for
OUTER_KINDS = (*LEVEL_KINDS, "pair")
MEMORY_KINDS = ("read", "write", "stream", "update", "copy", "triad")
_NO_ARITHMETIC = frozenset({"read", "write", "copy", "pair"})
TERMS = (2, 4, 8, 16, 32, 64)
#: pages to look for the end of the TLB with: up to twice those of the largest that we know of (3072, Zen 4), and few
#: enough that a line of each fits a second-level cache
PAGES = (256, 512, 768, 1024, 1280, 1536, 2048, 3072, 4096, 6144)
_OPERATION_CHUNKS = 80
#: operations that are calls of the mathematical library
_CALLED = frozenset({"exp", "log", "sin", "cos", "tanh", "pow"})
#: seconds of one visit: short, because what disturbs a visit disturbs all of it
_STREAM_SECONDS, _TOGETHER_SECONDS, _WALK_SECONDS = 0.015, 0.04, 0.01
_CURVE_SECONDS, _TURNS_SECONDS = 0.005, 0.06
#: of each set of a sweep through many sizes: what others leave of a cache changes faster, so more sweeps tell more
_SWEEP_SECONDS = 0.002
#: of one visit to the barrier, and of each of the copies of a process that regions are timed in, so many in one visit
_BARRIER_SECONDS, _REGION_SECONDS, _REGION_COPIES = 0.01, 0.008, 3
#: visits in every round to what differs most from one visit to the next; looks whether there is a moment for regions,
#: one of which is taken in any case
_MANY, _LOOKS = 3, 10
_LINE = 64
#: in a cache that others use, too, a walk visits one line in so many: it is back at each before they have pushed it out
_FEW_LINES = 16
#: the largest set that the probe walks or streams through
LARGEST = 1 << 30
#: multiply-adds for each vector of the loop that shows how cores are shared: enough to keep their units busy, and few
#: enough that those of several vectors are under way
SHARING_TERMS = 16
#: places of large arrays and of random lines in memory: how long a page takes to be found differs by a
#: quarter from one to another, with how its pages lie in a virtual machine's memory, and a set stays where it is. More
#: of the lines, in about as much memory as the largest set takes: loops go through their arrays in order
_SETS, _LINE_SETS = 4, 12
#: instructions of all kinds, as many as a core takes
MIXTURE = "mixture.width"
_USUAL_BYTES = 32
#: operations on which a core is busy with arithmetic of floating-point vectors
_ARITHMETIC = re.compile(r"(?:add|multiply|fma)_f64x\d+\.gap")
#: how nearly visits agree on costs of which only a large step counts
_ROUGHLY = 0.1
#: windows in which the loop with the most arithmetic is nearly as fast as its fastest ones had the core for themselves
_FASTEST, _NEARLY = 0.02, 1.02


@dataclass(frozen=True, slots=True)
class Place:
    """A level, or memory, and the sets that stay in it: for one thread, and for each of all threads.

    `each` is 0 where no set of all threads stays in this level and not in the one inside it. Arrays lie in one of
    several `sets`; lines at random are those of `line_sets` in turn.
    """

    name: str
    alone: int
    each: int
    private: bool
    sets: int = 1
    line_sets: int = 1


@dataclass
class Bench:
    """The tasks share what they learn about the clock and about who else is on the cores."""

    variant: kernels.Variant
    line: int = _LINE
    watch: Watch = field(default_factory=Watch)
    clock: list[NDArray[np.float64]] = field(default_factory=list)
    #: the same beside arithmetic on vectors of so many bytes
    vector_clock: dict[int, list[NDArray[np.float64]]] = field(default_factory=dict)
    #: the same with all threads at work
    all_cores_clock: list[NDArray[np.float64]] = field(default_factory=list)
    #: how much longer than usual a loop runs whose threads did not meet last time
    patience: dict[tuple[str, int, int], int] = field(default_factory=dict)
    #: which of several equal sets is next
    next_set: Iterator[int] = field(default_factory=itertools.count)
    #: how many visits there were to regions of so many threads, and of LLVM's runtime or not
    next_region: dict[tuple[int, bool], Iterator[int]] = field(default_factory=dict)
    #: visits to library functions that came along with others'
    waiting: dict[str, Visit] = field(default_factory=dict)
    #: the tasks of loops with so many multiply-adds, without transfers
    work: dict[int, Task] = field(default_factory=dict)

    def operation(self, variant: str, name: str, wide: int = 0) -> Visit:
        """Cycles for one operation of narrow vectors, or of `wide` ones: arithmetic on them, one operation after the
        other, may lower the clock; other work does, or does not."""
        run = kernels.operation(variant, name, _OPERATION_CHUNKS)
        if not wide:
            self.clock.append(period(run.cycle))
        elif _ARITHMETIC.fullmatch(name):
            self.vector_clock.setdefault(wide, []).append(period(run.cycle))
        return _cycles(run)

    def library(self, variant: str, name: str, names: tuple[str, ...]) -> Visit:
        """Cycles for one call of a library's function. Where the library lies makes a tenth of that and more, the same
        all through a process: so every visit has a process of its own, for all of these functions together."""
        if name not in self.waiting:
            found = kernels.operations_elsewhere(variant, names, _OPERATION_CHUNKS)
            self.waiting.update(zip(names, map(_cycles, found), strict=bool(found)))
        return self.waiting.pop(name, visit(np.empty(0), ()))

    def operation_together(self, variant: str, name: str, threads: int) -> Visit:
        """Seconds for one operation of all threads together, each of which counts for itself."""
        return visit_each(kernels.operation_together(variant, name, threads, _STREAM_SECONDS))

    def stream(self, kind: str, size: int, threads: int, private: bool, through: bool = False) -> Visit:
        """Time for one byte of one array, of all threads together. In a private cache it is in cycles, and every thread
        counts for itself: nothing couples them but the clock. Arrays that stay in no cache are gone `through`, all of
        it timed."""
        key = (kind, size, threads)
        alone = threads == 1 or private
        seconds = (_STREAM_SECONDS if alone else _TOGETHER_SECONDS) * self.patience.get(key, 1)
        runs = kernels.stream(self.variant.name, kind, size, threads, seconds, paired=private, through=through)
        found = visit_each(runs) if private else visit(all_of(runs), runs)
        if threads > 1 and kind in _NO_ARITHMETIC:
            self.all_cores_clock += [period(run.cycle) for run in runs if len(run.cycle)]
        if not len(found.values):
            self.patience[key] = min(8, 2 * self.patience.get(key, 1))
        return found

    def sweep(self, sizes: Sequence[int], threads: int) -> Visit:
        """Seconds for one byte of reads of sets of these sizes (rows), the first of which stays in no cache, one
        directly after the other: what others leave of a cache is another part of it from one second to the next. Not a
        number where the threads did not run at the same time."""
        rows, company = [], []
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
            company += [run.company for run in runs]
        return Visit(np.array(rows), max(company))

    def slowest(self, kind: str, size: int, threads: int) -> Visit:
        """Cycles for one byte of one array in the slowest of all threads."""
        runs = kernels.stream(self.variant.name, kind, size, threads, _TOGETHER_SECONDS, paired=True)
        return visit(slowest_of(runs), runs)

    def walk(self, size: int, paired: bool, keep: bool = False, apart: int = 1) -> Visit:
        """Time for one load of a walk along all lines or each so many; cycles where paired."""
        return _one(kernels.chase(size, self.line * apart, _WALK_SECONDS, paired=paired, keep=keep))

    def curve(self, size: int, keep: bool) -> Visit:
        """Seconds for one load of a short walk."""
        return _one(kernels.chase(size, self.line, _CURVE_SECONDS, paired=False, keep=keep))

    def scattered(self, size: int, paired: bool, keep: bool = False, apart: int = 1, sets: int = 1) -> Visit:
        """Time for one byte of lines, all or each so many, that are loaded at random; cycles where paired. Of several
        sets it is the next one's turn, and each counts for itself."""
        number = next(self.next_set) % sets if sets > 1 else 0
        run = kernels.scattered(size, self.line * apart, _WALK_SECONDS, paired=paired, keep=keep, number=number)
        found = visit(all_of([run]) / self.line, [run])
        return replace(found, parts={number: found}) if sets > 1 else found

    def spaced(self, count: int, apart: int) -> Visit:
        """Cycles for one load of so many places, so many bytes apart."""
        return _one(kernels.spaced(count, apart, _CURVE_SECONDS))

    def turns(self, place: Place) -> Visit:
        """Cycles for one byte of a copy from a place (first row) and of copies with work, window by window."""
        names = ["copy", *(f"work_{terms}" for terms in TERMS)]
        if not any(task.estimate for task in self.work.values()):
            return visit(np.empty((len(names), 0)), ())
        runs = kernels.in_turn(self.variant.name, names, place.alone, _TURNS_SECONDS)
        return visit(windows(runs), runs)

    def overlap(self, visits: Visits) -> float:
        """The part of a copy that is hidden behind work that takes as long, with nobody else on the core: the time of
        the work alone is that of a quiet one. Memory need not be quiet, for it slows the copy with and without work;
        its fastest windows would be of two states of it for two loops, and their difference moves."""
        core = {row: task.estimate.value for row, task in enumerate(self.work.values(), 1) if task.estimate}
        turns = np.concatenate(visits, axis=-1)
        quiet = turns[:, turns[-1] <= _NEARLY * np.quantile(turns[-1], _FASTEST)]
        middle = np.median(quiet, axis=-1)
        return float(overlap.balanced(np.array(list(core.values())), middle[:1], middle[list(core)][:, None])[0])

    def region(self, threads: int, llvm: bool = False) -> Visit:
        """Seconds for one parallel region of GNU's OpenMP runtime, or of LLVM's: one value for each of the processes
        that had the least company. Where somebody is on the cores, one visit in ten is made in any case."""
        turn = self.next_region.setdefault((threads, llvm), itertools.count())
        if next(turn) % _LOOKS and kernels.company(threads) > self.watch.most(threads):
            return visit(np.empty(0), ())
        runs = kernels.regions(threads, _REGION_SECONDS, _REGION_COPIES, llvm)
        least = least_company([run for run in runs if len(all_of([run]))])
        return visit(np.array([np.median(all_of([run])) for run in least]), least)

    def barrier(self, threads: int) -> Visit:
        """Seconds for one meeting of all threads."""
        runs = kernels.barrier(threads, _BARRIER_SECONDS)
        return visit(windows(runs)[0], runs)

    def task(
        self,
        name: str,
        sample: Callable[[], Visit],
        summary: Callable[[Visits], float] = ESTIMATORS["cache"],
        *,
        threads: int = 1,
        whoever: bool = False,
        agreed: float = AGREED,
        times: int = 1,
    ) -> Task:
        """A task that watches the cores together with all others."""
        return Task(name, sample, summary, threads, self.watch, whoever, agreed, times)


def _one(run: Chunks) -> Visit:
    return visit(all_of([run]), [run])


def _cycles(run: Chunks) -> Visit:
    """Of chunks of one operation each: by chunks."""
    return visit(run.costs[undisturbed(run.seconds)], [run])


def usual(variants: tuple[kernels.Variant, ...]) -> kernels.Variant:
    """The vectors that compilers use unless they are asked for wider ones: those of at most 32 bytes."""
    return [variant for variant in variants if variant.bytes <= _USUAL_BYTES or variant is variants[0]][-1]


def places(levels: Sequence[Level], threads: int, memory: int | None) -> tuple[Place, ...]:
    """Sets that fit a level and not the one inside it; memory, where there is enough, at twice the last level. They
    come from whole levels: what others leave of a shared one at some moment must not choose them."""
    result = []
    inner = 0
    for level in levels:
        whole = level.size
        # Just beyond the inner level: of a shared one, others may have taken the most.
        size = whole // 2 if whole < 5 * inner or not inner else inner * 5 // 2
        size = max(size, min(2 * inner, whole * 7 // 8))
        shared = (level.shared_by or 1) > 1
        share = whole * 3 // 4 // min(threads, level.shared_by or threads) if shared else size
        result.append(Place(level.name, size, min(size, share) if share >= 1.5 * inner else 0, not shared))
        inner = whole
    wanted = max(2 * inner, 64 << 20)
    # Four sets of this size are kept at a time: streams of one thread and of all, and two walks.
    if memory is not None and wanted <= min(memory // 6, LARGEST):
        room = max(1, memory // (8 * wanted))
        sets, lines = min(_SETS, room), min(_LINE_SETS, room, LARGEST // wanted)
        each = max(wanted // threads, 4 << 20)
        result.append(Place("memory", wanted, each, private=False, sets=sets, line_sets=max(sets, lines)))
    return tuple(result)


def all_tasks(
    bench: Bench, variants: Sequence[kernels.Variant], where: Sequence[Place], threads: int, page: int
) -> list[Task]:
    """Everything but the sizes of the levels, which the places come from."""
    tasks = operation_tasks(bench, variants) + memory_tasks(bench, where, threads)
    tasks += page_tasks(bench, page) + machine_tasks(bench, widest_operation(variants[-1]), threads)
    if not where:
        return tasks
    return [*core_work_tasks(bench, where[0], threads), *tasks, *overlap_tasks(bench, where)]


def walk_tasks(bench: Bench, reported: Sequence[Cache], largest: int) -> dict[int, Task]:
    """Walks through sets of every size, which show where the private levels end."""
    return {
        size: bench.task(
            f"curve {size}", partial(bench.curve, size, size == largest), ESTIMATORS["cache size"], agreed=_ROUGHLY
        )
        for size in caches.walk_sizes(reported, largest)
    }


def read_task(bench: Bench, reported: Sequence[Cache], threads: int, memory: int) -> Task | None:
    """Reads of sets up to the size of the last level, and of one beyond it, in memory, where there is room: others may
    leave a part of the level, and one core may get a part only of what all can use."""
    sizes = caches.read_sizes(reported, threads)
    if not sizes or sizes[0] > min(memory // 6, LARGEST):
        return None
    return bench.task(
        f"reads {threads}",
        partial(bench.sweep, sizes, threads),
        partial(caches.end_of_reads, sizes),
        threads=threads,
        whoever=True,
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


def memory_tasks(bench: Bench, where: Sequence[Place], threads: int) -> list[Task]:
    """Latency and bandwidths of every place, one thread and all. What is shared is moved by traffic, not by who is on a
    core: there every visit counts. But one thread's lines of memory are slowed by others on its core, which share what
    it has under way."""
    tasks = []
    for place in where:
        memory = place.name == "memory"
        walk = (place.alone, place.private, memory)
        task = partial(bench.task, whoever=not place.private)
        apart = 1 if place.private or memory else _FEW_LINES
        tasks.append(task(f"walk {place.name}", partial(bench.walk, *walk, apart=apart)))
        lines = partial(bench.scattered, *walk, sets=place.line_sets)
        tasks.append(
            bench.task(
                f"scattered {place.name}",
                lines,
                whoever=not place.private and not memory,
                times=_MANY if place.line_sets > place.sets else 1,
            )
        )
        if place is not where[0] and not memory:
            tasks += [
                task(f"apart {lines} {place.name}", partial(bench.scattered, *walk, apart=lines))
                for lines in LINE_STRIDES
            ]
        kinds = MEMORY_KINDS if memory else LEVEL_KINDS if place is where[0] else OUTER_KINDS
        tasks += [one for kind in kinds for one in _stream_tasks(bench, place, kind, threads)]
    return tasks


def _stream_tasks(bench: Bench, place: Place, kind: str, threads: int) -> list[Task]:
    """One loop over arrays of one place."""
    memory = place.name == "memory"
    tasks = []
    for count in _counts(threads, memory and kind == "triad"):
        each = place.alone if count == 1 else place.each
        if each == 0:
            continue
        from_memory = "memory" if count == 1 else "memory of all"
        tasks.append(
            bench.task(
                f"{kind} {place.name} {count}",
                partial(bench.stream, kind, each, count, place.private, through=memory),
                ESTIMATORS[from_memory if memory else "cache"],
                threads=count,
                whoever=not place.private and not (memory and count == 1),
            )
        )
    return tasks


def _counts(threads: int, saturation: bool) -> list[int]:
    """1 and all; powers of two between them where the way to saturation is of interest."""
    between = [2**k for k in range(1, threads.bit_length()) if 2**k < threads] if saturation else []
    return sorted({1, *between, threads})


def page_tasks(bench: Bench, page: int) -> list[Task]:
    """One line of each of so many pages, and as many lines one behind the other: equal but for the translations, where
    the system has put the pages so that their lines stay in the cache; it puts them elsewhere every time."""
    return [
        bench.task(f"{name} {count}", partial(bench.spaced, count, apart), ESTIMATORS["typical"])
        for count in PAGES
        for name, apart in (("pages", page + bench.line), ("lines", bench.line))
    ]


def widest_operation(widest: kernels.Variant) -> tuple[str, str]:
    """The operation with the most arithmetic: fused where there is one."""
    lanes = widest.bytes // 8
    for name in (f"fma_f64x{lanes}.gap", f"add_f64x{lanes}.gap"):
        if name in widest.operations:
            return widest.name, name
    raise ToolError("the probe has no floating-point kernel for this processor")


def machine_tasks(bench: Bench, peak: tuple[str, str], threads: int) -> list[Task]:
    """What concerns all cores: the peak operation alone and together, at the clock that these usually have; the barrier
    and regions. How long threads take to meet depends on where the host has put them, and regions on who else is there:
    both differ from one moment to the next, and are looked at more often."""
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
                times=_LOOKS,
            )
            for count in {2, threads}
            for name, llvm in (("", False), ("llvm ", True))
        ]
    return tasks


def core_work_tasks(bench: Bench, inner: Place, threads: int) -> list[Task]:
    """Loops with more and more arithmetic on data of the innermost level: their time without transfers. It is about
    the median of quiet windows, as that of the loops that they stand beside; here some are not quiet. One of them runs
    in all threads, too: CPUs of a virtual machine may share a core without saying so."""
    bench.work = {
        terms: bench.task(
            f"work_{terms} core", partial(bench.stream, f"work_{terms}", inner.alone, 1, True), ESTIMATORS["meeting"]
        )
        for terms in TERMS
    }
    tasks = list(bench.work.values())
    if threads > 1:
        slowest = partial(bench.slowest, f"work_{SHARING_TERMS}", inner.each, threads)
        tasks.append(bench.task("slowest thread", slowest, ESTIMATORS["typical"], threads=threads, whoever=True))
    return tasks


def overlap_tasks(bench: Bench, where: Sequence[Place]) -> list[Task]:
    """How much of a transfer from every level but the innermost is hidden behind work."""
    return [
        bench.task(f"overlap {place.name}", partial(bench.turns, place), bench.overlap, times=_MANY)
        for place in where[1:]
    ]
