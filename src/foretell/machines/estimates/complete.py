"""Completes a machine: each number that models read and the file lacks gets a value by one stated rule.

An estimated number is within `facts(path).factor` of the truth; it widens the interval of an answer by what that factor
does to the time, and the answer names it. Counts of cores and whole instruction tables are never estimated: a model
that needs them refuses, or says what it does without.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from foretell.machines.estimates import bandwidths
from foretell.machines.estimates.draft import Draft
from foretell.machines.load import load
from foretell.records import record

if TYPE_CHECKING:
    from foretell.core.machine.machine import Machine

#: load-to-use latencies: 4 to 5 cycles, 13.5 to 16 cycles, 23 to 48 ns, 95 to 131 ns on the probed and shipped machines
_INNER_CYCLES, _PRIVATE_CYCLES, _SHARED_S, _MEMORY_S = 5.0, 15.0, 35e-9, 110e-9
#: fork and join of a parallel region, per doubling of the threads: 0.8 to 1.1 us with 2, 3.8 to 5 us with 16 (libgomp)
_REGION_S = 1e-6
#: with LLVM's runtime, over libgomp's: 1.5 to 2.4 with two threads
_LLVM = 1.7
#: barrier of spinning threads, per thread: 0.06 to 0.08 us with 2, 0.15 to 0.2 us with 16
_BARRIER_S = 0.1e-6
#: last-level TLB: 1536 and 2048 entries; 10 to 32 cycles per miss
_PAGE, _ENTRIES, _WALK_CYCLES = 4096.0, 1536.0, 18.0
#: first level: 64 entries (Skylake; Zen 2 to 4 have 64 and 72, Golden Cove 96, Neoverse N1 48); half a cycle per miss
#: (validation/cpu/distances/columns.txt: lines of 252 pages in L2 take 0.61 ns, lines that lie together 0.44, 2.99 GHz)
_FIRST_ENTRIES, _FIRST_MISS_CYCLES = 64.0, 0.5
#: most lines beyond a row: 12 on a Golden Cove core, 4 on a Cascade Lake (validation/cpu/pieces.c), their mean ratio
_LINES_AHEAD = 7.0
_LINE = 64.0
#: the smallest vectors of x86-64 and aarch64, and small caches of server cores; a shared one per core
_VECTOR, _SIZES = 16.0, {"inner": 32.0 * 1024, "private": 256.0 * 1024, "shared": 1024.0 * 1024}
#: associativity to choose from, the nearest to the usual first
_WAYS = {"inner": 8, "private": 8, "shared": 16}
_MOST_WAYS = 20
#: instruction classes that have both a latency and a gap, and those that are not pipelined
_SERIAL = ("divide_", "sqrt_")
_ARITHMETIC = (*_SERIAL, "add_", "multiply_", "fma_", "minmax_", "jump_i64")
_RESULT_CYCLES = 4.0
#: a GPU of which launches were measured
_REFERENCE_GPU = "h200"
_OF_GPUS = ("sync.launch", "sync.global")


@record
class Facts:
    """How far an estimate may be from the truth, and whether a larger value makes code slower."""

    factor: float
    slower: bool


#: by the end of a parameter's name: the range of the probes over the rule's value
_FACTORS = {
    "core_bandwidth": 1.5, "bandwidth": 1.4, "latency": 1.35, "walk": 1.8, "entries": 1.4, "global": 2.0,
    "size": 2.0, "launch": 1.5, "launch_llvm": 1.7, "all_cores": 1.15, "vector_32": 1.2, "vector_64": 1.3,
    "lines_ahead": 1.75,
}  # fmt: skip
_OTHERWISE = 1.5
#: ends of names of parameters that make code faster when larger; times and gaps make it slower
_FASTER = ("bandwidth", "entries", "size", "ways", "page_size", "frequency", "all_cores", "vector_32", "vector_64")
_FASTER_GROUPS = ("peak", "clock", "cores")
_SLOWER = ("lines_ahead",)


def facts(path: str) -> Facts:
    """How uncertain an estimate of this parameter is."""
    group, _, name = path.partition(".")
    name = name.rpartition(".")[2]
    ends = [end for end in _FACTORS if name.endswith(end)]
    factor = _FACTORS[max(ends, key=len)] if ends else _OTHERWISE
    faster = name.endswith(_FASTER) or (group in _FASTER_GROUPS and name not in _SLOWER)
    return Facts(factor, slower=not faster)


def group_of(path: str) -> str:
    """Parameters whose estimates follow from one another are uncertain together: bandwidths of one level."""
    head, _, name = path.rpartition(".")
    if not name.endswith("bandwidth"):
        return head if head in ("sync", "tlb") else path
    return f"{head}.core_bandwidth" if name.startswith("core_") else f"{head}.bandwidth"


def estimated(machine: Machine) -> tuple[str, ...]:
    """The parameters of a machine that are estimates: here, or by its own file."""
    return tuple(path for path, quantity in machine.quantities.items() if quantity.source.kind == "estimated")


def completed(machine: Machine) -> Machine:
    """The machine with estimates for what it lacks; the same object if it lacks nothing."""
    if machine.traits.get("target.isa") == "sw" or not machine.levels:
        return machine
    return _completed(_ByIdentity(machine))


class _ByIdentity:
    """A machine as a key of a cache: hashing all of its numbers takes longer than completing them."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine

    def __hash__(self) -> int:
        return id(self.machine)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ByIdentity) and other.machine is self.machine


@lru_cache(maxsize=64)
def _completed(key: _ByIdentity) -> Machine:
    draft = Draft(_original(key.machine))
    if key.machine.kind == "gpu":
        _of_gpu(draft)
    else:
        for rule in (_structure, _pipelines, _latencies, bandwidths.fill, _regions, _clocks, _pages):
            rule(draft)
    return draft.finished(key.machine)


def _original(machine: Machine) -> Machine:
    """The machine before its user changed numbers: estimates are of the real one, and then move with what was changed,
    as columns of a sweep do."""
    old = {path: replace(machine[path], value=value) for path, value in machine.replaced.items()}
    return replace(machine, quantities={**machine.quantities, **old}, replaced={}) if old else machine


def _of_gpu(draft: Draft) -> None:
    """Launches take the host and the front end as long as on the reference."""
    reference = load(_REFERENCE_GPU)
    for path in _OF_GPUS:
        draft.add(path, reference.seconds(path), "s", f"as on {_REFERENCE_GPU}")
    if "memory.bandwidth" in draft:
        rate = draft["memory.bandwidth"]
        for level in draft.machine.levels[1:]:
            draft.add(f"level.{level}.bandwidth", 2 * rate.value, rate.unit, "twice that of memory")


def _structure(draft: Draft) -> None:
    """Vectors; sizes, lines, associativity and sharing of the caches."""
    draft.add("cores.simd_width", _VECTOR, "B", "the smallest of all")
    levels, cores = draft.machine.levels, draft.value("cores.count")
    group = cores / draft.value("cores.sockets")
    group = draft.value("cores.per_group", group)
    for level in levels:
        prefix, role = f"level.{level}", bandwidths.role(levels, level)
        draft.add(f"{prefix}.line", _LINE, "B", "usual")
        shared = group if role == "shared" else 1.0
        draft.add(f"{prefix}.shared_by", shared, "", "private" if shared == 1 else "by the cores of a socket or group")
        draft.add(f"{prefix}.size", _SIZES[role] * shared, "B", "small")
        ways = _ways(draft.value(f"{prefix}.size") / draft.value(f"{prefix}.line"), _WAYS[role])
        if ways:
            draft.add(f"{prefix}.ways", ways, "", "usual")


def _pipelines(draft: Draft) -> None:
    """The other number of instruction classes of which only one is known: dividers are not pipelined, other units are;
    results take four cycles."""
    for path, quantity in draft.machine.quantities.items():
        group, _, rest = path.partition(".")
        name, _, what = rest.rpartition(".")
        if group != "pipeline" or not name.startswith(_ARITHMETIC):
            continue
        if what == "latency":
            serial = name.startswith(_SERIAL)
            rule = "not pipelined" if serial else "one per cycle"
            draft.add(f"pipeline.{name}.gap", quantity.value if serial else 1.0, "cycle", rule)
        elif what == "gap":
            draft.add(f"pipeline.{name}.latency", max(_RESULT_CYCLES, quantity.value), "cycle", "usual")


def _ways(lines: float, usual: int) -> int:
    """The associativity nearest to the usual one that divides the lines into whole sets; 0 where none does."""
    choices = sorted(range(2, _MOST_WAYS + 1), key=lambda ways: abs(ways - usual))
    return next((ways for ways in choices if lines >= ways and lines % ways == 0), 0)


def _latencies(draft: Draft) -> None:
    levels = draft.machine.levels
    for level in levels:
        path, role = f"level.{level}.latency", bandwidths.role(levels, level)
        if role == "shared":
            draft.add(path, _SHARED_S, "s", "usual for a cache that cores share")
        elif "clock.frequency" in draft:
            cycles = _INNER_CYCLES if role == "inner" else _PRIVATE_CYCLES
            draft.add(path, cycles, "cycle", "usual for a cache of one core")
    draft.add("memory.latency", _MEMORY_S, "s", "usual for DDR4 and DDR5")


def _regions(draft: Draft) -> None:
    """Parallel regions and barriers: as measured barriers, else by the depth of a tree of threads."""
    depth = math.log2(max(2.0, draft.value("cores.count")))
    barrier = draft.seconds("sync.global")
    if barrier is not None:
        draft.add("sync.launch", 2 * barrier, "s", "a barrier at the start and one at the end")
    draft.add("sync.launch", _REGION_S * depth, "s", f"{_REGION_S * 1e6:g} us per doubling of the threads")
    launch = draft.seconds("sync.launch") or _REGION_S * depth
    draft.add("sync.pair_launch", launch / depth, "s", "one level of the tree of sync.launch")
    draft.add("sync.global", min(_BARRIER_S * draft.value("cores.count"), launch), "s", "0.1 us per thread")
    for path in ("sync.launch", "sync.pair_launch"):
        draft.add(f"{path}_llvm", _LLVM * (draft.seconds(path) or launch), "s", f"{_LLVM:g} times {path}")


def _clocks(draft: Draft) -> None:
    """Clocks under load, and the peak: without other knowledge nothing lowers the clock."""
    if "clock.frequency" not in draft:
        return
    clock = draft.value("clock.frequency")
    if "peak.processor" in draft and "peak.double" not in draft:
        peak = draft.value("peak.processor")
        draft.add("peak.core", peak, "flop/s", "as peak.processor")
        draft.add("peak.double", peak * draft.value("cores.count"), "flop/s", "peak.processor of all cores")
    draft.add("clock.all_cores", clock, "1/s", "as clock.frequency")
    if draft.machine.traits.get("target.isa") == "x86-64":
        for width in (32, 64):
            if draft.value("cores.simd_width", 0.0) >= width:
                draft.add(f"clock.vector_{width}", clock, "1/s", "as clock.frequency")


def _pages(draft: Draft) -> None:
    draft.add("tlb.page_size", _PAGE, "B", "usual")
    draft.add("tlb.entries", _ENTRIES, "", "usual")
    if "clock.frequency" in draft:
        draft.add("tlb.walk", _WALK_CYCLES, "cycle", "usual")
    draft.add("tlb.first_entries", _FIRST_ENTRIES, "", "usual")
    if "clock.frequency" in draft:
        draft.add("tlb.first_miss", _FIRST_MISS_CYCLES, "cycle", "usual")
    draft.add("cores.lines_ahead", _LINES_AHEAD, "", "usual")
