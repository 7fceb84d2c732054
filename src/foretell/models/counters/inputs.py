"""Derives the inputs of the equations from a profile and a machine."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from foretell.core.machine import capacity
from foretell.errors import InputError
from foretell.models.base import Inputs, barrier_share, growing_share
from foretell.models.counters.equations import SQUARE_ROOT, Curve

if TYPE_CHECKING:
    from collections.abc import Mapping

    from foretell.core.columns.expression import Value
    from foretell.core.facets.counts import CodeBlock, Counts
    from foretell.core.machine.machine import Machine
    from foretell.models.base import Settings
    from foretell.models.counters.equations import Column

NAN = math.nan
#: classes of the probe that represent a pipeline
_PROBED = {"integer": ("add_i64",), "floating": ("fma_f64", "multiply_f64", "add_f64")}
_SHARED_BY_ALL = 0.0  # as the core writes it
#: sensitivity of a block's time to the reorder window of a core
WINDOWS = ("cyclesWindow", "cyclesHalfWindow")


@dataclass(frozen=True, slots=True)
class Levels:
    """The on-chip levels of the model: the first, at most one between, the last."""

    first: str
    middle: str | None
    last: str


@dataclass(frozen=True, slots=True)
class Launch:
    """Resources of the target run; nan: follows the machine. Arrays in a sweep."""

    threads: Value
    cores: Value
    threads_per_core: Value
    alpha: Value
    beta: Value
    gamma: Value


def levels(machine: Machine) -> Levels:
    """L1 and last level by position; the model needs a machine with at least two levels."""
    names = machine.levels
    if len(names) < 2:
        raise InputError(
            f"model counters needs two levels of cache; machine {machine.name!r} has {', '.join(names) or 'none'}"
        )
    return Levels(names[0], names[1] if len(names) > 2 else None, names[-1])


def pipeline(machine: Machine, kind: str) -> str:
    """The parameter with the latency of the integer or floating-point pipeline: under the paper's name, or the probe's,
    by the most common operation of the kind."""
    names = (kind, *_PROBED[kind])
    paths = [f"pipeline.{name}.latency" for name in names]
    return next((path for path in paths if path in machine), paths[0])


def reads(machine: Machine) -> tuple[str, ...]:
    """The parameters that the model reads from a machine."""
    fixed = (
        "clock.frequency",
        "cores.count",
        *(path for path in ("cores.threads_per_core", "cores.streams_per_thread") if path in machine),
        pipeline(machine, "integer"),
        pipeline(machine, "floating"),
        "memory.bandwidth",
        "memory.latency",
    )
    hierarchy = levels(machine)
    names = [name for name in (hierarchy.first, hierarchy.middle, hierarchy.last) if name]
    each = [f"level.{name}.{quantity}" for name in names for quantity in ("size", "latency")]
    extra = [
        "sync.launch",
        "clock.all_cores",
        "cores.hidden_smt",
        "cores.corunners",
        "cores.issue_width",
        "cores.reorder_buffer",
        *(pipeline(machine, kind).replace(".latency", ".gap") for kind in ("integer", "floating")),
        "pipeline.divide_f64.gap",
        "pipeline.sqrt_f64.gap",
        "pipeline.load_f64.gap",
        "memory.core_bandwidth",
        f"level.{hierarchy.last}.line",
        *(f"level.{name}.available" for name in names),
        *(f"level.{hierarchy.last}.{quantity}" for quantity in ("available_all", "together_size")),
        *(f"level.{name}.shared_by" for name in names),
    ]
    return (*fixed, *each, *(path for path in extra if path in machine))


def needed(machine: Machine, middle: bool) -> tuple[str, ...]:
    """The required parameters; those of the middle level only if hits in it were counted."""
    between = levels(machine).middle
    return tuple(path for path in reads(machine) if middle or between is None or f".{between}." not in path)


def middle_event(baseline: Machine) -> str | None:
    """The event of the level between L1 and LLC, if the baseline has such a level."""
    name = levels(baseline).middle
    return f"hits{name}" if name else None


def middle_role(counts: Counts, baseline: Machine, target: Machine) -> str:
    """The role of the level between (R-12): used only if its hits were counted and the target has one, too."""
    event = middle_event(baseline)
    if event is None or levels(target).middle is None or not all(event in b.events for b in counts.blocks):
        return "none"
    buffers = [m.traits.get(f"level.{levels(m).middle}.role") == "prefetch_buffer" for m in (baseline, target)]
    if buffers[0] != buffers[1]:
        return "none"  # hits of a buffer do not predict hits of a cache
    return "buffer" if buffers[0] else "cache"


def out_of_order(baseline: Machine, target: Machine) -> bool:
    """Whether SMT threads of a core share a reorder window: only if both machines are known to have one."""
    return all("cores.reorder_buffer" in machine for machine in (baseline, target))


def events(block: CodeBlock, baseline: Machine, middle: str, frequency: float) -> dict[str, float]:
    """The counts of one block by the names of `Events` in the core; contradictory events are rejected."""
    between = middle_event(baseline)
    time = block.events.get("time")
    cycles = time.value if time else _cycles(block, frequency)
    extra = block.value(between) if between and middle != "none" else 0.0
    # without a level between, hits there are hits of the LLC
    beyond = block.events[between].value if middle == "none" and between and between in block.events else 0.0
    names = ("instInt", "instFP", "numAccess", "hitsL1", "hitsLLC", "LD", "ST")
    ints, fps, accesses, l1, llc, lines_in, lines_out = (block.value(name) for name in names)
    if cycles <= 0:
        raise InputError(f"block {block.name!r}: time is {cycles:g}, it must be positive")
    if l1 + extra + beyond + llc > accesses * (1 + 1e-9):
        raise InputError(
            f"block {block.name!r}: the caches serve {l1 + extra + beyond + llc:.6g} accesses, "
            f"but numAccess is {accesses:.6g}"
        )
    llc = min(llc + beyond, accesses - l1 - extra)
    # valgrind counts an access for each element of a vector that a multiply-add loads; an instruction makes one
    surplus = min(l1, max(0.0, accesses - ints - fps)) if block.events["numAccess"].source == "simulated" else 0.0
    accesses, l1 = accesses - surplus, l1 - surplus
    divided, roots = (block.events[name].value if name in block.events else 0.0 for name in ("instDivide", "instRoot"))
    if roots > divided:
        raise InputError(f"block {block.name!r}: instRoot is {roots:g}, more than instDivide, {divided:g}")
    return {
        "time": cycles,
        "int_instructions": ints,
        "fp_instructions": fps,
        "divides": divided - roots,
        "roots": roots,
        "accesses": accesses,
        "l1_hits": l1,
        "mid_hits": extra,
        "llc_hits": llc,
        "line_loads": lines_in,
        "line_stores": lines_out,
        "half_window": half_window(block),
    }


def half_window(block: CodeBlock) -> float:
    """Slowdown of a block with half the reorder window; 1 where the profile lacks it."""
    if not all(name in block.events for name in WINDOWS):
        return 1.0
    whole, half = (block.events[name].value for name in WINDOWS)
    if not 0 < whole <= half:
        raise InputError(
            f"block {block.name!r}: cyclesWindow is {whole:g} and cyclesHalfWindow {half:g}; half a window is no faster"
        )
    return half / whole


def starts(counts: Counts, baseline: Machine) -> float:
    """Parallel regions that a target with several cores starts; the time of a multicore baseline includes them."""
    if used(counts, baseline)[0] > 1:
        return 0.0
    known = [block.events["parallelRegions"].value for block in counts.blocks if "parallelRegions" in block.events]
    return sum(known)


def start_seconds(inputs: Inputs, chosen: Launch) -> Value:
    """Time to start and end one parallel region, on cores that its threads may share; 0 on one core, and where it is
    unknown."""
    if "sync.launch" not in inputs.machine:
        return 0.0
    share = barrier_share(cores_of(inputs, chosen), inputs.value("cores.count"))
    return inputs.seconds("sync.launch") * share


def clock(inputs: Inputs, chosen: Launch, settings: Settings) -> Value:
    """The clock with so many active cores: linear from that of one to that of all."""
    frequency, machine = inputs.value("clock.frequency"), inputs.machine
    if settings["clock"] == "constant" or "clock.all_cores" not in machine:
        return frequency
    slower = machine.original("clock.frequency") / inputs.value("clock.all_cores")
    return frequency / _grown(np.maximum(1.0, slower), inputs, chosen)


def neighbours(inputs: Inputs, chosen: Launch, settings: Settings) -> tuple[Value, Value, Value]:
    """Threads on the core of the slowest thread, which a statically scheduled loop waits for, per thread that the
    machine says it has there: those of the same run, those of them that share its path to memory, and co-runners.

    The probability that two threads of a run share a core is assumed to grow linearly with their number. Each of n
    threads is equally likely to have a co-runner, so nearly always one of them does. For all threads the machine file
    gives the number on the core, whoever they belong to (the memory traffic of co-runners is unknown), and with fewer
    threads there are no more. A single thread is as measured: alone.
    """
    machine = inputs.machine
    if settings["core_threads"] == "added" or "cores.hidden_smt" not in machine:
        return 1.0, 1.0, 0.0
    full, chance = inputs.value("cores.hidden_smt"), _optional(inputs, "cores.corunners", 0.0)
    n, together = cores_of(inputs, chosen), _grown(full, inputs, chosen)
    beside = 1 - (1 - np.clip(chance, 0.0, 1.0)) ** n
    corunners = np.maximum(0.0, np.minimum(beside * (2 - together), full - together))
    return together, _grown(np.maximum(1.0, full - chance), inputs, chosen), np.where(n > 1, corunners, 0.0)


def _grown(full: Value, inputs: Inputs, chosen: Launch) -> Value:
    """From 1 with one active core to `full` with all of them."""
    return growing_share(full, cores_of(inputs, chosen), inputs.machine.original("cores.count"))


def cores_of(inputs: Inputs, chosen: Launch) -> Value:
    """Cores in use, by the same rule as the compiled core: by threads, as in the baseline, or all."""
    asked = np.asarray(chosen.threads, dtype=float) / chosen.threads_per_core
    cores = np.where(np.isnan(asked), chosen.cores, asked)
    return np.where(np.isnan(cores), inputs.value("cores.count"), cores)


def curve(block: CodeBlock, baseline: Machine, settings: Settings) -> Curve:
    """The block's own miss curve over cache size; without one, or on request, the square-root law."""
    if settings["caches"] != "curve" or not block.curve:
        return SQUARE_ROOT
    loops = block.events.get("parallelRegions")
    if loops is None or loops.value <= 0:
        return Curve(points=block.curve)
    bytes_per_miss = baseline.value(f"level.{baseline.levels[-1]}.line") / loops.value
    # A cache that cannot keep a parallel loop's footprint until the next loop misses each of its lines at least once
    # per loop: the minimum misses of such a cache are these first touches.
    first = min((misses for size, misses in block.curve if misses * bytes_per_miss >= size), default=0.0)
    return Curve(points=block.curve, loop_bytes=first * bytes_per_miss, loop_misses=first)


def base(counts: Counts, baseline: Machine, settings: Settings) -> dict[str, float]:
    """The measured machine and launch, by the names of `Base` in the core."""
    cores, threads = used(counts, baseline)
    chosen = Launch(NAN, cores, threads, NAN, 1.0, 1.0)
    inputs = Inputs(baseline, {}).at_clock(clock(Inputs(baseline, {}), chosen, settings))
    hierarchy = levels(baseline)
    mid = hierarchy.middle if hierarchy.middle and f"level.{hierarchy.middle}.size" in baseline else None
    common = _machine(inputs, chosen, settings)
    share = partial(_share, inputs, cores=cores, threads=threads, sharing=_float(common["sharing"]))
    shares = {
        "l1_share": share(hierarchy.first),
        "mid_share": share(mid) if mid else 1.0,
        "llc_share": share(hierarchy.last),
    }
    return {name: _float(value) for name, value in (common | shares).items()}


def target(inputs: Inputs, launch: Launch, settings: Settings) -> dict[str, Column]:
    """The target machine, by the names of the target's parameters in the core."""
    inputs = inputs.at_clock(clock(inputs, launch, settings))
    hierarchy = levels(inputs.machine)
    line = f"level.{hierarchy.last}.line"
    if settings["traffic_line"] == "target" and line not in inputs.machine:
        raise InputError(f"traffic_line=target needs {line}, which {inputs.machine.name!r} does not have")
    columns = _machine(inputs, launch, settings) | {
        "core_count": inputs.value("cores.count"),
        "max_threads_per_core": _max_threads(inputs),
        "threads": launch.threads,
        "l1_size": capacity.alone(inputs, hierarchy.first),
        "l1_shared_by": _shared_by(inputs, hierarchy.first),
        "mid_size": _middle_size(inputs, hierarchy),
        "mid_shared_by": _shared_by(inputs, hierarchy.middle) if hierarchy.middle else 1.0,
        "llc_size": capacity.alone(inputs, hierarchy.last),
        "llc_shared_by": _shared_by(inputs, hierarchy.last),
        "llc_together": _together(inputs, hierarchy.last),
        "alpha": launch.alpha,
        "beta": launch.beta,
        "gamma": launch.gamma,
    }
    return {name: np.asarray(value, dtype=np.float64) for name, value in columns.items()}


def _machine(inputs: Inputs, launch: Launch, settings: Settings) -> dict[str, Value]:
    """The parameters that the core reads of both machines, by its names (`FORETELL_COUNTERS_MACHINE`)."""
    machine, hierarchy = inputs.machine, levels(inputs.machine)
    middle = f"level.{hierarchy.middle}.latency"
    streaming, served = _streams_at_once(machine)
    sharing, own_sharing, corunners = neighbours(inputs, launch, settings)
    return {
        "frequency": inputs.value("clock.frequency"),
        "streams_per_thread": _optional(inputs, "cores.streams_per_thread", 1.0),
        "cores": launch.cores,
        "threads_per_core": launch.threads_per_core,
        "int_latency": inputs.cycles(pipeline(machine, "integer")),
        "fp_latency": inputs.cycles(pipeline(machine, "floating")),
        "l1_latency": inputs.cycles(f"level.{hierarchy.first}.latency"),
        "mid_latency": inputs.cycles(middle) if middle in machine else 1.0,
        "llc_latency": inputs.cycles(f"level.{hierarchy.last}.latency"),
        "memory_latency": _memory_latency(inputs, keep_seconds=settings["memory_latency"] == "seconds"),
        "bandwidth": _bandwidth(inputs, "memory.bandwidth"),
        "core_bandwidth": _core_bandwidth(inputs),
        "line": _optional(inputs, f"level.{hierarchy.last}.line", 1.0),
        "streaming_cores": streaming,
        "served_cores": served,
        **_gaps(inputs),
        "sharing": sharing,
        "own_sharing": own_sharing,
        "corunners": corunners,
    }


def used(counts: Counts, baseline: Machine) -> tuple[float, float]:
    """Cores and threads per core of the measured run."""
    if counts.cores is None or counts.threads_per_core is None:
        raise InputError(
            "the profile does not say how many cores and threads per core the run used",
            hint="import it with --cores and --threads-per-core",
        )
    total = baseline.value("cores.count")
    if counts.cores > total:
        raise InputError(f"the run used {counts.cores} cores, machine {baseline.name!r} has {total:g}")
    return float(counts.cores), float(counts.threads_per_core)


def launch(counts: Counts, baseline: Machine, parameters: Mapping[str, Value], inputs: Inputs) -> Launch:
    """The target launch. A run that used the whole machine uses the whole target; one that used fewer cores keeps its
    number of cores, unless `threads` says otherwise. As few threads share a core as in the measured run, or as the
    cores allow."""
    cores, threads_per_core = used(counts, baseline)
    whole = cores == baseline.value("cores.count")
    fewest: Value = threads_per_core
    if "threads" in parameters:
        fewest = np.maximum(fewest, np.ceil(parameters["threads"] / inputs.value("cores.count")))
    return Launch(
        threads=parameters.get("threads", NAN),
        cores=NAN if whole else cores,
        threads_per_core=parameters.get("threads_per_core", fewest),
        alpha=parameters.get("alpha", NAN),
        beta=parameters.get("beta", 1.0),
        gamma=parameters.get("gamma", 1.0),
    )


def check_launch(chosen: Launch, machine: Machine) -> tuple[float, float]:
    """Cores and threads per core of one prediction; a launch that the machine cannot run is rejected with the
    reason."""
    count, most = machine.value("cores.count"), _float(_max_threads(Inputs(machine, {})))
    per_core = _float(chosen.threads_per_core)
    for name in ("threads", "threads_per_core", "alpha", "beta", "gamma"):
        value = _float(getattr(chosen, name))
        if value <= 0 or math.isinf(value):
            raise InputError(f"{name}={value:g}: must be positive")
    if per_core != int(per_core) or per_core > most:
        raise InputError(f"threads_per_core={per_core:g}: machine {machine.name!r} runs 1 to {most:g} threads per core")
    asked = _float(chosen.threads) / per_core
    cores = asked if not math.isnan(asked) else _float(chosen.cores)
    cores = count if math.isnan(cores) else cores
    if cores != int(cores):
        raise InputError(f"threads={chosen.threads:g} is not a multiple of threads_per_core={per_core:g}")
    if cores > count:
        raise InputError(f"{cores:g} cores asked for, machine {machine.name!r} has {count:g}")
    return cores, per_core


def _cycles(block: CodeBlock, frequency: float) -> float:
    if "time_s" not in block.events:
        return block.value("time")
    return block.value("time_s") * frequency


def _share(inputs: Inputs, level: str, cores: float, threads: float, sharing: float) -> float:
    """Capacity of one thread on the baseline (R-5), of the slowest one where cores are shared; the compiled core has
    the same rule for the target."""
    alone, all_ = _float(capacity.alone(inputs, level)), capacity.together(inputs, level)
    if all_ is not None:
        return min(alone, _float(all_) / (cores * threads))
    shared_by = _float(_shared_by(inputs, level))
    instances = max(1.0, inputs.machine.value("cores.count") / shared_by) if shared_by else 1.0
    return alone / (max(sharing, cores / instances) * threads)


def _shared_by(inputs: Inputs, level: str) -> Value:
    """Cores that share one instance; a cache that all cores of the file share stays shared by all."""
    path = f"level.{level}.shared_by"
    if path in inputs.columns:
        return inputs.columns[path]
    machine = inputs.machine
    if path not in machine:
        return 1.0 if level == machine.levels[0] else _SHARED_BY_ALL
    shared_by = machine.value(path)
    return _SHARED_BY_ALL if shared_by >= machine.original("cores.count") else shared_by


def _optional(inputs: Inputs, path: str, otherwise: float) -> Value:
    return inputs.value(path) if path in inputs.machine else otherwise


def _max_threads(inputs: Inputs) -> Value:
    return _optional(inputs, "cores.threads_per_core", 1.0)


def _gaps(inputs: Inputs) -> dict[str, Value]:
    """Reciprocal throughputs in cycles of an integer and a floating-point instruction, a division, a root, an access
    and any instruction: one per pipeline, as in the paper, unless the machine says more."""
    machine = inputs.machine
    integer, floating = (pipeline(machine, kind).replace(".latency", ".gap") for kind in ("integer", "floating"))
    issue, root = "cores.issue_width", "pipeline.sqrt_f64.gap"
    divide = _optional(inputs, "pipeline.divide_f64.gap", 0.0)
    return {
        "int_gap": _optional(inputs, integer, 1.0),
        "fp_gap": _optional(inputs, floating, 1.0),
        "divide_gap": divide,
        "root_gap": inputs.value(root) if root in machine else divide,
        "load_gap": _optional(inputs, "pipeline.load_f64.gap", 0.0),
        "issue_gap": 1 / inputs.value(issue) if issue in machine else 0.0,
    }


def _together(inputs: Inputs, level: str) -> Value:
    """The capacity of a level for all cores, where one alone has less; 0 in the core's encoding where that is
    unknown."""
    shared = capacity.together(inputs, level)
    return 0.0 if shared is None else shared


def _middle_size(inputs: Inputs, hierarchy: Levels) -> Value:
    if hierarchy.middle is None or f"level.{hierarchy.middle}.size" not in inputs.machine:
        return 1.0
    return capacity.alone(inputs, hierarchy.middle)


def _streams_at_once(machine: Machine) -> tuple[float, float]:
    """Cores that `memory.bandwidth` was measured with, and the number whose individual streams saturate it (0:
    unknown). Both belong to the machine as it is: faster memory or paths of a sweep serve them in less time."""
    cores, paths = machine.original("cores.count"), ("memory.bandwidth", "memory.core_bandwidth")
    if not all(path in machine for path in paths):
        return cores, 0.0
    inputs = Inputs(machine, {})
    all_, one = (inputs.rate(path) * machine.original(path) / machine.value(path) for path in paths)
    return cores, _float(all_ / one)


def _memory_latency(inputs: Inputs, keep_seconds: bool) -> Value:
    """Memory latency in cycles of the clock in use. Memory does not follow the core's clock (R-11): cycles of the
    machine file become more cycles when the clock goes up."""
    path, clock = "memory.latency", "clock.frequency"
    value = inputs.cycles(path)
    if not keep_seconds or inputs.machine[path].unit == "s":
        return value
    return value * inputs.value(clock) / inputs.machine.original(clock)


def _bandwidth(inputs: Inputs, path: str) -> Value:
    """The rate at which lines move. A probe counts as STREAM does, three arrays of a triad; with write-allocate, a
    fourth one moves."""
    moved = 4 / 3 if inputs.machine.traits.get("memory.write_allocate") == "yes" else 1.0
    return inputs.rate(path) * moved


def _core_bandwidth(inputs: Inputs) -> Value:
    path = "memory.core_bandwidth"
    return _bandwidth(inputs, path) if path in inputs.machine else 0.0


def _float(value: Value) -> float:
    return float(np.asarray(value).reshape(-1)[0])
