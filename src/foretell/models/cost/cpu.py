"""The stages of a code on cores of a CPU.

A core needs, for a stage, the longest of: issuing all instructions (those of vectorised loops for several elements
each), its arithmetic units, and the chains from one iteration of a sequential loop to the next. Cores take whole
iterations of a region, so the busiest has ceil(trips / cores) of them. Lines move between neighbouring levels of
memory, each at what so many cores draw there, and not while the core computes with them (as on Intel's cores in the ECM
model): the parts add up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from foretell.models.base import meeting_share
from foretell.models.cost.equations import Terms
from foretell.models.cost.fields import DOUBLE, drawn

if TYPE_CHECKING:
    from foretell.core.expression import Value
    from foretell.core.machine import Machine
    from foretell.core.trace import Chain, Operations, Trace
    from foretell.models.base import Inputs, Settings
    from foretell.models.cost.stages import Stage

_NEEDED = ("clock.frequency", "cores.count", "cores.issue_width", "cores.simd_width", "memory.bandwidth")
#: pipeline of each kind of operation, and the vector form of the widest machine
_UNITS = {
    "add": "add_f64",
    "multiply": "multiply_f64",
    "compare": "compare_f64",
    "divide": "divide_f64",
    "sqrt": "sqrt_f64",
}
_FUSED, _FUNCTION = "fma_f64", "exp_f64"
#: cycles where a machine does not say: two units of four cycles (Agner Fog's tables, all x86 and ARM cores since 2013);
#: a library function is as many multiply-adds as exp on the probed Emerald Rapids (14.5 cycles of two)
_GAP, _LATENCY, _LOAD_LATENCY, _FUNCTION_SLOTS = 0.5, 4.0, 5.0, 29.0


def lacks(machine: Machine) -> list[str]:
    """What this way of executing needs and a machine does not have."""
    return [path for path in _NEEDED if path not in machine] + ([] if machine.levels else ["a memory level"])


def read_paths(machine: Machine) -> tuple[str, ...]:
    """Every parameter that `terms` reads of this machine."""
    lanes = int(machine.value("cores.simd_width") // DOUBLE) if "cores.simd_width" in machine else 1
    units = [*_UNITS.values(), _FUSED, _FUNCTION, *(f"{_UNITS[kind]}x{lanes}" for kind in ("divide", "sqrt"))]
    wanted = [
        *_NEEDED,
        "memory.core_bandwidth",
        "sync.launch",
        "sync.global",
        f"level.{machine.levels[0]}.latency",
    ]
    wanted += [f"pipeline.{unit}.{what}" for unit in units for what in ("gap", "latency")]
    names = ("size", "shared_by", "bandwidth", "core_bandwidth")
    wanted += [f"level.{level}.{name}" for level in machine.levels for name in names]
    return tuple(path for path in wanted if path in machine)


def terms(trace: Trace, stages: tuple[Stage, ...], inputs: Inputs, cores: Value, settings: Settings) -> Terms:
    """Seconds of computation, transfers and meetings of so many cores."""
    zero = 0.0 * np.asarray(cores, dtype=float)
    computation, latency, meetings = zero, zero, zero
    for stage in stages:
        work = throughput(stage, inputs)
        waiting = np.maximum(_chained(stage, inputs, cores, settings) - work, 0.0)
        busy = _busiest(stage, cores)
        computation, latency = computation + work * busy, latency + waiting * busy
        meetings = meetings + stage.meetings
    fast, slow, fast_lines, slow_lines = _transfers(trace, inputs, cores)
    count = trace.sync_points if trace.sync_given else meetings
    second = 1.0 / inputs.value("clock.frequency")
    return Terms(
        depth=0.0,
        operations=computation * second,
        latency=latency * second,
        fast=fast,
        slow=slow,
        sync=count * _meeting(inputs) * meeting_share(cores, inputs.value("cores.count")),
        fast_lines=fast_lines,
        slow_lines=slow_lines,
        sync_points=np.where(np.asarray(cores) > 1, count, 0.0),
    )


def throughput(stage: Stage, inputs: Inputs) -> Value:
    """Cycles of one core for all of a stage if nothing waits: instructions issued, or arithmetic units."""
    lanes = inputs.value("cores.simd_width") / DOUBLE
    packed = 1 - stage.vectorised + stage.vectorised / lanes
    issue = stage.issued * packed / inputs.value("cores.issue_width")
    return np.maximum(issue, _units(stage.operations, stage.vectorised, packed, int(np.max(lanes)), inputs))


def _units(done: Operations, vectorised: float, packed: Value, lanes: int, inputs: Inputs) -> Value:
    fused = (max(done.add, done.multiply) + done.compare) * packed * _cycles(inputs, f"{_FUSED}.gap", _GAP)
    calls = done.function * _cycles(inputs, f"{_FUNCTION}.gap", _FUNCTION_SLOTS * _GAP)
    slow: Value = 0.0
    for kind in ("divide", "sqrt"):
        one = _cycles(inputs, f"{_UNITS[kind]}.gap", _LATENCY)
        several = _cycles(inputs, f"{_UNITS[kind]}x{lanes}.gap", one * lanes) / lanes
        slow = slow + getattr(done, kind) * ((1 - vectorised) * one + vectorised * several)
    return fused + calls + slow


def _chained(stage: Stage, inputs: Inputs, cores: Value, settings: Settings) -> Value:
    """Cycles that the iterations of sequential loops take one after the other. Along diagonals they do not wait for
    their neighbours in the row; and neither do the blocks of a scan for each other, which is run twice instead."""
    chains = stage.chains + (stage.sums if settings["reductions"] == "as_written" else ())
    cycles = sum(iterations * _chain(chain, inputs) for chain, iterations in chains)
    return np.where(np.asarray(cores) > 1, 0.0, cycles) if stage.kind == "front" else cycles


def _chain(chain: Chain, inputs: Inputs) -> Value:
    level = inputs.machine.levels[0]
    load = (
        inputs.cycles(f"level.{level}.latency")
        if f"level.{level}.latency" in inputs.machine
        else _LOAD_LATENCY
    )
    calls = _cycles(inputs, f"{_FUNCTION}.gap", _FUNCTION_SLOTS * _GAP)
    total = chain.integer + chain.load * load + chain.operations.function * calls
    for kind, unit in _UNITS.items():
        total = total + getattr(chain.operations, kind) * _cycles(inputs, f"{unit}.latency", _LATENCY)
    return total


def _cycles(inputs: Inputs, name: str, otherwise: Value) -> Value:
    path = f"pipeline.{name}"
    return inputs.value(path) if path in inputs.machine else otherwise


def _busiest(stage: Stage, cores: Value) -> Value:
    """The busiest core's share of a stage."""
    if stage.kind == "alone":
        return 1.0
    if stage.kind == "scan":
        return np.where(np.asarray(cores) > 1, 2.0, 1.0) / cores
    return sum(run.share * np.ceil(run.iterations / cores) / max(run.iterations, 1.0) for run in stage.runs)


def _transfers(trace: Trace, inputs: Inputs, cores: Value) -> tuple[Value, Value, Value, Value]:
    """Seconds of transfers on the chip and of memory, and their lines. Each core has its own share of the data in its
    own caches, so together they hold as much as there are of them."""
    fast: Value = 0.0
    lines: Value = 0.0
    missed: Value = 0.0
    levels = inputs.machine.levels
    for level, behind in zip(levels, [*(f"level.{one}" for one in levels[1:]), "memory"], strict=True):
        if not trace.distances or f"level.{level}.line" not in inputs.machine:
            continue
        line = inputs.machine.value(f"level.{level}.line")
        missed = trace.distances_at(int(line)).misses(np.floor(_held(inputs, level, cores) / line))
        if behind == "memory":
            return fast, missed * line / drawn(inputs, behind, cores), lines, missed
        if any(f"{behind}.{name}" in inputs.machine for name in ("bandwidth", "core_bandwidth")):
            fast, lines = fast + missed * line / drawn(inputs, behind, cores), lines + missed
    return fast, 0.0, lines, missed


def _held(inputs: Inputs, level: str, cores: Value) -> Value:
    path = f"level.{level}.shared_by"
    sharing = inputs.value(path) if path in inputs.machine else 1.0
    return inputs.value(f"level.{level}.size") * np.maximum(1.0, cores / sharing)


def _meeting(inputs: Inputs) -> Value:
    """Start and end of a parallel region of all cores."""
    known = [path for path in ("sync.launch", "sync.global") if path in inputs.machine]
    return inputs.seconds(known[0]) if known else 0.0
