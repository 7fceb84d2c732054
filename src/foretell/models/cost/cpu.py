"""Computes the time of a code's stages on CPU cores.

The time of a stage on a core is the longest of: issue of all instructions (those of vectorised loops cover several
elements each), its arithmetic units, and the loop-carried chains of sequential loops. Cores take whole iterations of a
region, so the busiest has ceil(trips / cores) of them, and only active cores draw from memory. A line takes the time of
the level that supplies it; the fraction hidden by computation is the probed overlap, or 0 without one.

That is code as compiled. Optimised code is vectorised wherever loops are parallel or reductions, keeps reused data in
registers, so that only arithmetic counts, has no division or root slower than Newton's method, and moves data at the
best rate of any transfer that reads. Scalar code has no vectors at all, and branches on every comparison, half of them
mispredicted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from foretell.core.machine import capacity
from foretell.models.base import barrier_share, growing_share
from foretell.models.cost.equations import Terms, missed_warm
from foretell.models.cost.fields import DOUBLE, READING, best_rate, drawn

if TYPE_CHECKING:
    from foretell.core.columns.expression import Value
    from foretell.core.facets.trace import Chain, Operations, Trace
    from foretell.core.machine.machine import Machine
    from foretell.models.base import Inputs, Settings
    from foretell.models.cost.stages import Runs, Stage

_NEEDED = ("clock.frequency", "cores.count", "cores.issue_width", "cores.simd_width", "memory.bandwidth")
#: pipeline of each kind of operation, and the vector form of the widest machine
_BRANCH_MISS = "branch_miss.latency"
_UNITS = {
    "add": "add_f64",
    "multiply": "multiply_f64",
    "compare": "compare_f64",
    "divide": "divide_f64",
    "sqrt": "sqrt_f64",
}
_FUSED, _FUNCTION = "fma_f64", "exp_f64"
#: default cycles: two units of four cycles (Agner Fog's tables, all x86 and ARM cores since 2013); a library function
#: is as many multiply-adds as exp on the probed Emerald Rapids (14.5 cycles of two)
_GAP, _LATENCY, _LOAD_LATENCY, _FUNCTION_SLOTS = 0.5, 4.0, 5.0, 29.0
#: default misprediction penalty in cycles (Agner Fog: 15 to 20 on recent cores)
_MISS = 16.0
#: multiply-adds of a division or root by Newton's method: an estimate of 14 bits (AVX-512's vrcp14 and vrsqrt14), two
#: steps to 53 bits of 2 each (division) or 3 (root, Goldschmidt's form), and 3 for the product and its correction
NEWTON_SLOTS = {"divide": 8.0, "sqrt": 10.0}


def lacks(machine: Machine) -> list[str]:
    """Required parameters that a machine lacks."""
    return [path for path in _NEEDED if path not in machine] + ([] if machine.levels else ["a memory level"])


def read_paths(machine: Machine) -> tuple[str, ...]:
    """Every parameter that `terms` reads of this machine."""
    lanes = int(machine.value("cores.simd_width") // DOUBLE) if "cores.simd_width" in machine else 1
    units = [*_UNITS.values(), _FUSED, _FUNCTION, *(f"{_UNITS[kind]}x{lanes}" for kind in ("divide", "sqrt"))]
    wanted = [
        *_NEEDED,
        "clock.all_cores",
        "cores.hidden_smt",
        "memory.core_bandwidth",
        "sync.launch",
        "sync.global",
        f"level.{machine.levels[0]}.latency",
    ]
    wanted += [f"pipeline.{unit}.{what}" for unit in units for what in ("gap", "latency")]
    wanted.append(f"pipeline.{_BRANCH_MISS}")
    names = ("size", *capacity.SHARES, "together_size", "shared_by", "bandwidth", "core_bandwidth", "overlap")
    wanted += [f"level.{level}.{name}" for level in machine.levels for name in names]
    prefixes = ["memory", *(f"level.{level}" for level in machine.levels)]
    wanted += [f"{prefix}.{of}{rate}" for prefix in prefixes for of in ("", "core_") for rate in READING]
    return tuple(dict.fromkeys(path for path in wanted if path in machine))


def terms(trace: Trace, stages: tuple[Stage, ...], inputs: Inputs, cores: Value, settings: Settings) -> Terms:
    """Seconds of computation, transfers and barriers of `cores` cores."""
    rate = best_rate if settings["effort"] == "optimised" else drawn
    moved = served(trace, inputs, cores)
    parts: dict[str, Value] = dict.fromkeys(("work", "waiting", "barriers", *moved), 0.0)
    for stage in stages:
        work = throughput(stage, inputs, settings["effort"])
        waiting = np.maximum(_chained(stage, inputs, cores, settings) - work, 0.0)
        parts["barriers"] = parts["barriers"] + stage.fork_joins
        referred = stage.references / trace.accesses if trace.accesses else 0.0
        for run in stage.runs:
            at_work = _at_work(stage, run, cores)
            slowed = _slowed(inputs, 1.0 if stage.kind == "alone" else np.minimum(cores, run.iterations))
            passes = np.where(np.asarray(cores) > 1, 2.0, 1.0) if stage.kind == "scan" else 1.0
            parts["work"] = parts["work"] + passes * work * run.share * slowed / at_work
            parts["waiting"] = parts["waiting"] + waiting * run.share * slowed / at_work
            for level, amount in moved.items():
                parts[level] = parts[level] + passes * referred * run.share * amount / rate(inputs, level, at_work)
    return _terms(trace, inputs, cores, parts, moved)


def _terms(trace: Trace, inputs: Inputs, cores: Value, parts: dict[str, Value], moved: dict[str, Value]) -> Terms:
    second = 1.0 / inputs.value("clock.frequency")
    barriers = trace.sync_points if trace.sync_given else parts["barriers"]
    computing = (parts["work"] + parts["waiting"]) * second
    chip = [level for level in moved if level != "memory"]
    moving = sum(parts[level] for level in moved)
    overlapping = sum(parts[level] * _overlap(inputs, level) for level in moved) / np.maximum(moving, 1e-30)
    line = inputs.machine.value(f"level.{inputs.machine.levels[-1]}.line")
    barrier_cost = barrier_share(cores, inputs.value("cores.count"))
    waits = _barrier_seconds(inputs)
    return Terms(
        depth=0.0,
        operations=parts["work"] * second,
        latency=parts["waiting"] * second,
        fast=sum(parts[level] for level in chip),
        slow=parts["memory"],
        sync=barriers * waits[0] * barrier_cost,
        sync_range=(
            barriers * np.minimum.reduce(np.broadcast_arrays(*waits)) * barrier_cost,
            barriers * sum(waits) * barrier_cost,
        ),
        fast_lines=sum(moved[level] for level in chip) / line,
        slow_lines=moved["memory"] / line,
        sync_points=np.where(np.asarray(cores) > 1, barriers, 0.0),
        hidden=overlapping * np.minimum(computing, moving),
        waits_for="recurrence",
    )


def throughput(stage: Stage, inputs: Inputs, effort: str = "compiled") -> Value:
    """Cycles of one core for a whole stage without stalls: by issue, or by arithmetic units."""
    lanes = inputs.value("cores.simd_width") / DOUBLE
    vectors = _vectors(stage, effort)
    vectorised = sum(share for share, _ in vectors)
    packed = 1 - vectorised + sum(share * _packed(trips, lanes) for share, trips in vectors)
    units = _units(stage.operations, vectorised, packed, int(np.max(lanes)), inputs, effort)
    if effort == "optimised" and stage.kind == "region":
        return units
    cycles = np.maximum(stage.issued * packed / inputs.value("cores.issue_width"), units)
    if effort == "scalar":
        cycles = cycles + 0.5 * stage.operations.compare * _cycles(inputs, _BRANCH_MISS, _MISS)
    return cycles


def _vectors(stage: Stage, effort: str) -> tuple[tuple[float, float], ...]:
    """Fractions of the operations that are vectorised, with the trip counts of their loops."""
    if effort == "scalar":
        return ()
    if effort == "optimised" and stage.kind == "region":
        return tuple((run.share, max(run.width, run.iterations)) for run in stage.runs)
    return stage.vectors


def _units(done: Operations, vectorised: float, packed: Value, lanes: int, inputs: Inputs, effort: str) -> Value:
    multiply_add = _cycles(inputs, f"{_FUSED}.gap", _GAP)
    fused = (max(done.add, done.multiply) + done.compare) * packed * multiply_add
    calls = done.function * _cycles(inputs, f"{_FUNCTION}.gap", _FUNCTION_SLOTS * _GAP)
    if effort == "optimised":  # exp consists of multiply-adds, too
        calls = calls * packed
    slow: Value = 0.0
    for kind, slots in NEWTON_SLOTS.items():
        one = _cycles(inputs, f"{_UNITS[kind]}.gap", _LATENCY)
        several = _cycles(inputs, f"{_UNITS[kind]}x{lanes}.gap", one * lanes) / lanes
        if effort == "optimised":
            several = np.minimum(several, slots * multiply_add / lanes)
        slow = slow + getattr(done, kind) * ((1 - vectorised) * one + vectorised * several)
    return fused + calls + slow


def _packed(trips: float, lanes: Value) -> Value:
    """Instructions per iteration: full vectors, and the remainder one by one."""
    whole = np.floor(trips / lanes)
    return (whole + trips - whole * lanes) / trips


def _chained(stage: Stage, inputs: Inputs, cores: Value, settings: Settings) -> Value:
    """Cycles of the serial iterations of sequential loops. Along diagonals they do not wait for their neighbours in the
    row; nor do the blocks of a scan for each other, which runs twice instead."""
    if settings["effort"] == "optimised" and stage.kind == "region":
        return 0.0  # several iterations of the region overlap
    chains = stage.chains + (stage.sums if settings["reductions"] == "as_written" else ())
    cycles = sum(iterations * _chain(chain, inputs) for chain, iterations in chains)
    return np.where(np.asarray(cores) > 1, 0.0, cycles) if stage.kind == "front" else cycles


def _chain(chain: Chain, inputs: Inputs) -> Value:
    level = inputs.machine.levels[0]
    load = inputs.cycles(f"level.{level}.latency") if f"level.{level}.latency" in inputs.machine else _LOAD_LATENCY
    calls = _cycles(inputs, f"{_FUNCTION}.gap", _FUNCTION_SLOTS * _GAP)
    total = chain.integer + chain.load * load + chain.operations.function * calls
    for kind, unit in _UNITS.items():
        total = total + getattr(chain.operations, kind) * _cycles(inputs, f"{unit}.latency", _LATENCY)
    return total


def _cycles(inputs: Inputs, name: str, otherwise: Value) -> Value:
    path = f"pipeline.{name}"
    return inputs.value(path) if path in inputs.machine else otherwise


def _at_work(stage: Stage, run: Runs, cores: Value) -> Value:
    """Active cores of a run: the busiest has ceil(iterations / cores) of the iterations."""
    if stage.kind == "alone":
        return 1.0
    whole = max(round(run.iterations), 1)  # a mean of several executions
    return whole / np.ceil(whole / cores)


def _slowed(inputs: Inputs, cores: Value) -> Value:
    """Slowdown of the slowest of `cores` cores compared with one alone: the all-core clock is lower, and threads may
    share a physical core that the machine counts as two."""
    machine, count = inputs.machine, inputs.machine.original("cores.count")
    slower: Value = 1.0
    if "clock.all_cores" in machine:
        ratio = machine.original("clock.frequency") / inputs.value("clock.all_cores")
        slower = growing_share(np.maximum(1.0, ratio), cores, count)
    if "cores.hidden_smt" in machine:
        slower = slower * growing_share(inputs.value("cores.hidden_smt"), cores, count)
    return slower


def served(trace: Trace, inputs: Inputs, cores: Value) -> dict[str, Value]:
    """Bytes that each level behind the first, and memory, supply. A measured bandwidth covers the whole path to the
    core, so a line counts only at the level that supplies it."""
    levels = inputs.machine.levels
    paths = [*(f"level.{one}" for one in levels[1:]), "memory"]
    known = [pair for pair in zip(levels, paths, strict=True) if _has_rate(inputs.machine, pair[1])]
    missed = [_missed(trace, inputs, level, cores) for level, _ in known]
    behind = [*missed[1:], 0.0]
    return {path: np.maximum(missed[at] - behind[at], 0.0) for at, (_, path) in enumerate(known)}


def _missed(trace: Trace, inputs: Inputs, level: str, cores: Value) -> Value:
    """Miss traffic of a level in bytes."""
    if not trace.distances:
        return 0.0
    line = inputs.machine.value(f"level.{level}.line")
    lines, of_one = (np.floor(_held(inputs, level, count) / line) for count in (cores, 1.0))
    return line * missed_warm(trace.distances_at(int(line)), lines, of_one)


def _has_rate(machine: Machine, level: str) -> bool:
    return any(f"{level}.{name}" in machine for name in ("bandwidth", "core_bandwidth"))


def _overlap(inputs: Inputs, level: str) -> Value:
    """The fraction of transfer time that computation overlaps; 0 where it was not probed."""
    path = f"{level}.overlap"
    return inputs.value(path) if path in inputs.machine else 0.0


def _held(inputs: Inputs, level: str, cores: Value) -> Value:
    """Capacity of a level for `cores` cores: that of one instance if they are private, since shared data is replicated
    in each. One core alone may get less of a shared level than all of them together."""
    alone, all_ = capacity.alone(inputs, level), capacity.together(inputs, level)
    if all_ is not None:
        return np.minimum(alone * cores, all_)
    path = f"level.{level}.shared_by"
    sharing = inputs.value(path) if path in inputs.machine else 1.0
    instances = np.where(np.asarray(sharing) > 1, np.maximum(1.0, cores / sharing), 1.0)
    return alone * instances


def _barrier_seconds(inputs: Inputs) -> tuple[Value, ...]:
    """Start and end of a parallel region of all cores; then, if known, a barrier of spinning threads."""
    known = [path for path in ("sync.launch", "sync.global") if path in inputs.machine]
    return tuple(inputs.seconds(path) for path in known) or (0.0,)
