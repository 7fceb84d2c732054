"""Converts the results of the probe into machine parameters."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

from foretell.core.machine.machine import Source
from foretell.core.machine.parameters import LINE_STRIDES, TRAITS
from foretell.machines.checks import PEAK_TOLERANCE
from foretell.machines.load import library, load
from foretell.machines.probe import kernels
from foretell.machines.probe.plan import MIXTURE, MOVED, PAGES, SHARING_TERMS, usual

if TYPE_CHECKING:
    from collections.abc import Mapping

    from foretell.core.machine.machine import Machine
    from foretell.machines.probe.caches import Level
    from foretell.machines.probe.kernels import Variant
    from foretell.machines.probe.method import Estimate
    from foretell.machines.probe.plan import Tier
    from foretell.machines.probe.system import System
    from foretell.machines.probe.write import Draft

#: with a larger fraction of numbers in doubt, the machine was never undisturbed
_DISTURBED = 0.15
#: time of a loop that only stores, over one that loads and stores the same: about 1 with write-allocate
_ALLOCATES, _ALLOCATES_NOT = 0.8, 0.65
#: LLVM's names of CPUs that have the core of another one, with other outer caches
SAME_CORE = {
    "emeraldrapids": "sapphirerapids",
    "graniterapids-d": "graniterapids",
    "skylake-avx512": "cascadelake",
    "cooperlake": "cascadelake",
}
#: microarchitectural parameters that a loop on a busy machine underestimates
_BUFFERS = ("reorder_buffer", "scheduler", "store_scheduler", "store_buffer", "load_buffer", "vector_register_file")
_FRONT_END = ("issue_width", "fetch_line", "fetch_window", "branch_history", "branch_memory", "lines_ahead")
_DESIGN = {f"cores.{name}" for name in (*_BUFFERS, *_FRONT_END)} | {"pipeline.indexed.uops", "tlb.first_entries"}
#: words about the core that no probe finds out
_TRAITS = ("cores.ports_closed_by_wide_vectors", "cores.immediate_adds", "cores.memory_words")
#: least overlap, or number of co-runners, that is written: 0 is not a positive number
_LEAST_SHARE = 0.001
#: least number of page counts that show a rise, and least cycles of a page walk
_FEWEST_PAGES, _LEAST_WALK = 4, 2.0
#: latencies below this are rounded to whole cycles
_WHOLE_BELOW = 8
_NO_ROOM = "a core's share of this level is hardly larger than the level inside it"
#: prefixes of bandwidth parameters whose kernel has another name
_PREFIX = {"triad": "", "pair": "two_stream_write_", "stream": "nontemporal_"}
_FEW = "the threads hardly ever ran at the same time"


@dataclass(frozen=True)
class Results:
    """All results of a probe: estimates by name of the task, and the configuration that they were measured with."""

    system: System
    levels: tuple[Level, ...]
    tiers: tuple[Tier, ...]
    variants: tuple[Variant, ...]
    threads: int
    cpus: int
    frequency: float
    numbers: dict[str, Estimate]
    #: the highest clock, and that with all threads active
    highest_frequency: float
    all_cores_frequency: float
    #: by width in bytes of the vectors that arithmetic uses
    vector_frequency: dict[int, float]
    #: mean number of co-runners beside one thread
    corunners: float


def fill(draft: Draft, results: Results) -> None:
    """Sets every number that was measured; expected numbers that are absent are listed under [missing]."""
    _machine(draft, results)
    _pipelines(draft, results)
    _same_core(draft)
    _peaks(draft, results)
    _sharing(draft, results)
    for level in results.levels:
        _cache(draft, results, level)
    for tier in results.tiers:
        _tier(draft, results, tier)
    _latency_order(draft, results)
    _pages(draft, results)
    _memory(draft, results)
    _barrier(draft, results)


def say_doubts(draft: Draft) -> None:
    """Notes how much of the file interference may have affected."""
    measured = sum(draft.sources[source].kind == "measured" for _, source in draft.values.values())
    if not draft.doubts:
        return
    draft.head.append(
        f"{len(draft.doubts)} of {measured} measured numbers are in doubt: their samples differ, or all had co-runners."
    )
    if len(draft.doubts) > _DISTURBED * measured:
        draft.head.append(
            "The machine was disturbed all the while; what it can do by itself may be better. Probe again "
            "when less is going on, with --merge this file."
        )


def _machine(draft: Draft, results: Results) -> None:
    about = results.system
    if about.isa in TRAITS["target.isa"]:
        draft.traits["target.isa"] = about.isa
        draft.traits["target.cpu"] = about.target
    highest = f"in the mean; the highest was {results.highest_frequency / 1e9:.4g} GHz"
    draft.put("clock.frequency", results.frequency, "instructions", note=highest)
    for width, frequency in results.vector_frequency.items():
        draft.put(f"clock.vector_{width}", frequency, "instructions")
    per_core = about.threads_per_core or 1
    cores = results.cpus // per_core if results.cpus % per_core == 0 else results.cpus
    draft.put("cores.count", max(1, cores), "system")
    draft.put("cores.processors", max(1, cores), "system")
    if about.threads_per_core:
        draft.put("cores.threads_per_core", about.threads_per_core, "system")
    if about.numa_domains:
        draft.put("cores.numa_domains", about.numa_domains, "system")
    draft.put("cores.simd_width", kernels.vector_bytes(), "system")
    if mixture := results.numbers.get(f"operation {MIXTURE}"):
        draft.put("cores.issue_width", max(1, round(1 / mixture.value)), "instructions")


def _pipelines(draft: Draft, results: Results) -> None:
    """Sets instruction classes: `add_f64x4` is an addition of vectors of four doubles."""
    for variant in results.variants:
        for name in variant.operations:
            kind, _, what = name.partition(".")
            number = results.numbers.get(f"operation {name}")
            if what not in ("latency", "gap") or number is None:
                continue
            value = number.value
            if kind.startswith("sqrt") and what == "latency":
                value -= _multiplication(results, kind)
            if what == "latency" and value < _WHOLE_BELOW:
                value = max(1.0, round(value))  # short pipelines have an integer number of stages
            draft.put(f"pipeline.{kind}.{what}", value, "instructions", doubt=number.doubt)
    _indexed(draft, results)
    hit, miss = (results.numbers.get(f"operation branch.{what}") for what in ("hit", "miss"))
    if hit and miss and miss.value > hit.value:
        # Every second branch of the loop is mispredicted.
        draft.put("pipeline.branch_miss.latency", 2 * (miss.value - hit.value), "instructions")
        _history(draft, results, 2 * (miss.value - hit.value))


def _indexed(draft: Draft, results: Results) -> None:
    """Sets the issue slots of a load with an indexed address, where one without takes one slot: on average three other
    instructions follow each load, and SMT co-runners slow both loops alike."""
    indexed, direct = (results.numbers.get(f"operation {name}.slots") for name in ("indexed", "direct"))
    if indexed and direct:
        slots = 4 * indexed.value / direct.value - 3
        draft.put("pipeline.indexed.uops", max(1, round(slots)), "instructions")


def _history(draft: Draft, results: Results, miss: float) -> None:
    """Sets the trip count of the longest loop whose exit is predicted: one iteration more costs a mispredicted branch
    per execution of the loop. The two longest loops give the time of one iteration."""
    runs = {}
    for name, number in results.numbers.items():
        if found := re.fullmatch(r"operation loop_(\d+)\.passes", name):
            runs[int(found[1])] = number.value * int(found[1])
    if len(runs) < 3:
        return
    *shorter, second, longest = sorted(runs)
    each = (runs[longest] - runs[second]) / (longest - second)
    foreseen = [passes for passes in (*shorter, second) if runs[passes] - each * passes < miss / 2]
    draft.put("cores.branch_history", max(foreseen, default=min(runs)), "instructions")


def _same_core(draft: Draft) -> None:
    """Copies what loops of single instructions do not show from the shipped machine with this core: the ports of each
    class, and the classes that are not measured."""
    shipped = _shipped(draft)
    if shipped is None:
        return
    draft.sources["core"] = Source("derived", f"the shipped machine {shipped.name}, which has this core")
    for path, quantity in shipped.quantities.items():
        if path in _DESIGN or (path.startswith("pipeline.") and path not in draft.values):
            draft.put(path, quantity.value, "core", quantity.unit)
    for path, word in shipped.traits.items():
        if path.startswith("pipeline.") or path in _TRAITS:
            draft.traits.setdefault(path, word)


def _shipped(draft: Draft) -> Machine | None:
    """The shipped machine with this core: first the one of its name, since others may only run code made for it."""
    cpu = draft.traits.get("target.cpu", "")
    core = SAME_CORE.get(cpu, cpu)
    alike = [each for each in map(load, library()) if core and each.traits.get("target.cpu") == core]
    return min(alike, key=lambda each: each.name != core, default=None)


def _multiplication(results: Results, kind: str) -> float:
    """The latency of the multiplication that the loop of square roots adds."""
    _, _, shape = kind.partition("_f32")
    lanes = int(shape[1:]) // 2 if shape else 0
    name = kind.replace("sqrt", "multiply") if "_f64" in kind else f"multiply_f64{f'x{lanes}' if lanes else ''}"
    found = results.numbers.get(f"operation {name}.latency")
    return found.value if found else 0.0


def _peaks(draft: Draft, results: Results) -> None:
    """Sets the operations of the widest vectors per cycle, and per second: their clock may be lower than other
    code's."""
    widest = results.variants[-1]
    lanes = widest.bytes // 8
    fma, add = (results.numbers.get(f"operation {op}_f64x{lanes}.gap") for op in ("fma", "add"))
    best, single = fma or add, results.numbers.get("peak 1")
    if best is None or single is None:
        return
    operations, cores = (2 if fma else 1) * lanes, draft.values["cores.count"][0]
    all_ = results.numbers.get(f"peak {results.threads}", single)
    together = operations / all_.value
    # One core alone reaches at least the rate of one among all.
    core = max(operations / single.value, together / min(cores, results.threads))
    draft.put("cores.flops_per_cycle", operations / best.value, "instructions")
    draft.put("peak.core", core, "instructions")
    draft.put("peak.processor", core, "instructions")
    clock = f"these vectors run at {core / operations * best.value / 1e9:.3g} GHz"
    _peak_conflict(draft, "peak.core", 1, clock)
    if results.threads < results.cpus or f"peak {results.threads}" not in results.numbers:
        draft.missing["peak.double"] = _FEW if results.threads == results.cpus else "not all CPUs were used"
        return
    draft.put("peak.double", together, "instructions")
    why = f", and {results.threads} threads together reach {together / core:.2f} times one"
    _peak_conflict(draft, "peak", cores, clock + (why if results.threads > 1 else ""))


def _peak_conflict(draft: Draft, check: str, cores: float, why: str) -> None:
    """Declares the conflict of a measured peak that is not the product of its factors, as they are written (see
    checks.py)."""
    path = "peak.double" if check == "peak" else check
    peak, clock, per_cycle = (
        float(f"{draft.values[name][0]:.4g}") for name in (path, "clock.frequency", "cores.flops_per_cycle")
    )
    expected = cores * clock * per_cycle
    if abs(peak - expected) > PEAK_TOLERANCE * expected:
        draft.conflicts.append((check, why))


def _sharing(draft: Draft, results: Results) -> None:
    """Sets hidden SMT: the slowest of all threads compared with one alone, in cycles, without the sharing that the
    system reports; and the clock with all of them active."""
    if results.threads < results.cpus or results.threads == 1:
        return
    draft.put("clock.all_cores", results.all_cores_frequency, "instructions")
    # from a shipped machine with this core, since a virtual machine does not report them
    shipped, path = _shipped(draft), "cores.threads_per_core"
    most = shipped.value(path) if shipped is not None and path in shipped else math.inf
    reported = results.system.threads_per_core or 1
    one, slowest = results.numbers.get(f"work_{SHARING_TERMS} core"), results.numbers.get("slowest thread")
    if one and slowest:
        # two threads that each use a unit for this fraction of their time collide there for its square
        use = min(1.0, SHARING_TERMS * _multiply_add(results) / (one.value * usual(results.variants).bytes))
        threads = min(most, 1 + (slowest.value / one.value - 1) / use**2)
        draft.put("cores.hidden_smt", max(1.0, threads / reported), "instructions", doubt=slowest.doubt)
    if most > 1:  # a core without SMT has no co-runner
        draft.put("cores.corunners", min(most - 1, max(_LEAST_SHARE, results.corunners)), "instructions")


def _multiply_add(results: Results) -> float:
    """Cycles per multiply-add of the usual vectors: fused, or both operations."""
    lanes = usual(results.variants).bytes // 8
    gaps = {op: results.numbers.get(f"operation {op}_f64x{lanes}.gap") for op in ("fma", "multiply", "add")}
    if fused := gaps["fma"]:
        return fused.value
    return sum(gap.value for gap in gaps.values() if gap)


def _cache(draft: Draft, results: Results, level: Level) -> None:
    """Sets a level as reported, and its detected capacity: of the last one, the part available to one thread and to
    all."""
    path = f"level.{level.name}"
    draft.put(f"{path}.size", level.size, "system" if level.reported else "walks")
    if not level.detected:
        what = "available" if level.by_reads else "detected_size"
        draft.missing[f"{path}.{what}"] = "sets up to this size are not found to be faster than larger ones"
    elif not level.by_reads:
        draft.put(f"{path}.detected_size", level.detected, "walks")
    for name, part, threads in (
        ("available", level.available, 1),
        ("available_all", level.available_all, results.threads),
    ):
        if part is not None:
            reads = results.numbers.get(f"reads {threads}")
            draft.put(f"{path}.{name}", part, "streams", doubt=reads.doubt if reads else "")
    for name, value in (("line", level.line), ("ways", level.ways), ("shared_by", level.shared_by)):
        if value:
            draft.put(f"{path}.{name}", value, "system")
        else:
            draft.missing[f"{path}.{name}"] = "the operating system does not say"


def _tier(draft: Draft, results: Results, tier: Tier) -> None:
    """Sets latency, bandwidths and overlap of one level, or of memory; those of private levels scale with the clock."""
    path = tier.name if tier.name == "memory" else f"level.{tier.name}"
    unit = "B/cycle" if tier.private else "B/s"
    if walk := results.numbers.get(f"walk {tier.name}"):
        draft.put(f"{path}.latency", walk.value, "walks", "cycle" if tier.private else "s", doubt=walk.doubt)
    at_random = {"scattered": "random", **{f"apart {lines}": f"stride_{lines}" for lines in LINE_STRIDES}}
    for task, word in at_random.items():
        if scattered := results.numbers.get(f"{task} {tier.name}"):
            name = f"{path}.core_{word}_bandwidth"
            draft.put(name, 1 / scattered.value, "walks", unit, doubt=scattered.doubt)
    for kind, moved in MOVED.items():
        word = _PREFIX.get(kind, f"{kind}_")
        alone = results.numbers.get(f"{kind} {tier.name} 1")
        together = results.numbers.get(f"{kind} {tier.name} {results.threads}")
        if alone is None:
            continue
        core = moved / alone.value
        draft.put(f"{path}.core_{word}bandwidth", core, "streams", unit, doubt=alone.doubt)
        if together is None:
            draft.missing[f"{path}.{word}bandwidth"] = _FEW if tier.each else _NO_ROOM
            continue
        # All cores reach at least the bandwidth of one.
        bandwidth = max(core, moved / together.value)
        draft.put(f"{path}.{word}bandwidth", bandwidth, "streams", unit, doubt=together.doubt)
    if overlap := results.numbers.get(f"overlap {tier.name}"):
        note = "a copy and as much arithmetic as takes as long, one core"
        draft.put(f"{path}.overlap", max(_LEAST_SHARE, overlap.value), "streams", note=note, doubt=overlap.doubt)


def _latency_order(draft: Draft, results: Results) -> None:
    """Removes the latency of a level that appears no faster than the next outer one: the data did not fit its available
    part, and no number is better than a wrong one."""
    last = float("inf")
    for path in ["memory.latency", *(f"level.{level.name}.latency" for level in reversed(results.levels))]:
        if path not in draft.values:
            continue
        value = draft.values[path][0]
        seconds = value / results.frequency if draft.units[path] == "cycle" else value
        if seconds >= last:
            del draft.values[path]
            draft.notes.pop(path, None)
            draft.doubts.discard(path)
            draft.missing[path] = "measured no shorter than that of the level outside it"
        last = min(last, seconds)


def _pages(draft: Draft, results: Results) -> None:
    """Sets the entries of the TLB and the cost of a miss: from the page count at which a load of one line on each page
    becomes slower than a load of as many contiguous lines."""
    draft.put("tlb.page_size", results.system.page, "system")
    costs = {}
    for count in PAGES:
        apart, dense = (results.numbers.get(f"{what} {count}") for what in ("pages", "lines"))
        if apart and dense:
            costs[count] = max(0.0, apart.value - dense.value)
    if reach := kept_pages(costs):
        draft.put("tlb.entries", reach[0], "walks")
        draft.put("tlb.walk", reach[1], "walks", "cycle")
        if first := first_miss(costs, reach[0]):
            draft.put("tlb.first_miss", first, "walks", "cycle")
        return
    for name in ("entries", "walk", "first_miss"):
        draft.missing[f"tlb.{name}"] = "loads of many pages take no longer than loads of few"


def first_miss(costs: Mapping[int, float], entries: int) -> float | None:
    """The cost of a miss of the first level of the TLB: the median of page counts that the last level holds with room
    to spare. Every count has more pages than any first level has entries."""
    held = [cost for count, cost in costs.items() if count <= entries / 2]
    return median(held) if held and median(held) > 0 else None


def kept_pages(costs: Mapping[int, float]) -> tuple[int, float] | None:
    """Finds the most pages of which more than half of the translations hit the TLB, and the cost of a miss: the least
    from twice as many pages on, since with more pages other caches miss, too. None where nothing rises (large pages) or
    the rise does not end."""
    counts = sorted(costs)
    if len(counts) < _FEWEST_PAGES or costs[counts[-1]] < _LEAST_WALK:
        return None
    kept = [count for count in counts if costs[count] < costs[counts[-1]] / 2]
    beyond = [costs[count] for count in counts if kept and count >= 2 * kept[-1]]
    return (kept[-1], min(beyond)) if beyond else None


def _memory(draft: Draft, results: Results) -> None:
    about = results.system
    if about.memory:
        draft.put("memory.size", about.memory // (1 << 20) * (1 << 20), "system")
    else:
        draft.missing["memory.size"] = "the operating system does not say"
    draft.missing["memory.hardware_bandwidth"] = "a property of the memory modules that no program can measure"
    if "memory.bandwidth" not in draft.values:
        why = "less memory is free than a set beyond the last cache needs"
        for name in ("bandwidth", "core_bandwidth", "latency"):
            draft.missing.setdefault(f"memory.{name}", why)
        return
    _write_allocate(draft, results)
    _saturation(draft, results)


def _write_allocate(draft: Draft, results: Results) -> None:
    """Sets write-allocate: storing a line takes as long as updating it where the line is read first anyway."""
    write, update = (results.numbers.get(f"{kind} memory 1") for kind in ("write", "update"))
    if write is None or update is None:
        return
    ratio = write.value / update.value
    if ratio >= _ALLOCATES:
        draft.traits["memory.write_allocate"] = "yes"
    elif ratio <= _ALLOCATES_NOT:
        draft.traits["memory.write_allocate"] = "no"
    said = draft.traits.get("memory.write_allocate", "not clear")
    draft.head.append(f"Write-allocate: {said}; storing takes {ratio:.2f} of the time of updating.")


def _saturation(draft: Draft, results: Results) -> None:
    most = results.numbers.get(f"triad memory {results.threads}")
    if most is None or results.threads == 1:
        return
    for count in range(1, results.threads + 1):
        found = results.numbers.get(f"triad memory {count}")
        if found and found.value <= most.value / 0.9:
            draft.put("memory.saturating_cores", count, "streams")
            return


def _barrier(draft: Draft, results: Results) -> None:
    if barrier := results.numbers.get("barrier"):
        draft.put("sync.global", barrier.value, "streams", "s", doubt=barrier.doubt)
    else:
        draft.missing["sync.global"] = "only one CPU was used" if results.threads == 1 else _FEW
    for path, threads in (("sync.launch", results.threads), ("sync.pair_launch", 2)):
        for runtime, ending in (("", ""), ("llvm ", "_llvm")):
            if region := results.numbers.get(f"{runtime}region {threads}"):
                note = f"an OpenMP loop over 64 numbers for each of {threads} threads that wait busily"
                draft.put(path + ending, region.value, "streams", "s", note=note, doubt=region.doubt)
