"""Computes the time of a code's stages on a GPU, one kernel for each.

All parallel loops of a nest are collapsed, one thread for each iteration. A kernel takes the longest of: its arithmetic
at the peak rate, its instructions on all lanes, its lines from L2 and from memory, and the latency of its threads, in
as many waves as the chip needs: a thread executes its instructions in order, each waiting for the one before.

Optimised kernels have as many threads as there are independent operations, with reductions as trees; they keep in
registers and in shared memory what they or their neighbours reuse, so that of their instructions only arithmetic
counts, and of the lines from L2 those that exceed the capacity of all multiprocessors together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from foretell.core.facets.trace import StackDistances
from foretell.models.cost.cpu import NEWTON_SLOTS
from foretell.models.cost.equations import Terms, missed_warm

if TYPE_CHECKING:
    from foretell.core.columns.expression import Value
    from foretell.core.facets.trace import Operations, Trace
    from foretell.core.machine.machine import Machine
    from foretell.models.base import Inputs, Settings
    from foretell.models.cost.stages import Runs, Stage

_NEEDED = ("clock.frequency", "cores.count", "cores.lanes", "peak.double", "memory.bandwidth", "memory.latency")
_SYNC = ("sync.launch", "sync.global")
_LATENCIES = ("pipeline.fp64.latency", "pipeline.alu.latency")
#: multiply-adds of one operation without a unit: Newton's method, and exp as on the probed Emerald Rapids
_SLOTS = {**NEWTON_SLOTS, "function": 29.0}


#: threads of a block, as in most kernels
_BLOCK = 256


def lacks(machine: Machine) -> list[str]:
    """Required parameters that a machine lacks."""
    missing = [path for path in (*_NEEDED, *_LATENCIES) if path not in machine]
    missing += [path for level in machine.levels if (path := f"level.{level}.latency") not in machine]
    return missing + ([] if len(machine.levels) > 1 else ["two memory levels"])


def read_paths(machine: Machine) -> tuple[str, ...]:
    """Every parameter that `terms` reads from this machine."""
    wanted = [*_NEEDED, *_LATENCIES, *_SYNC, "occupancy.warps", "occupancy.warp", "level.L2.bandwidth"]
    wanted += [f"level.{level}.{name}" for level in machine.levels for name in ("size", "latency", "bandwidth")]
    return tuple(dict.fromkeys(path for path in wanted if path in machine))


def terms(trace: Trace, stages: tuple[Stage, ...], inputs: Inputs, settings: Settings) -> Terms:
    """Seconds of the kernels, by the limit of each, and of their launches."""
    optimised = settings["effort"] == "optimised"
    memory = _Memory(trace, inputs, tiled=optimised)
    parts: list[Value] = [0.0, 0.0, 0.0, 0.0]  # computation, fast memory, slow memory, latency
    alone: list[Value] = [0.0, 0.0, 0.0, 0.0]
    launches: Value = 0.0
    lines: Value = 0.0
    for stage in stages:
        launches += stage.fork_joins * stage.launches
        passes = 2.0 if stage.kind == "scan" else 1.0
        for run in stage.runs:
            lines = lines + memory.near(stage, run) * stage.references * run.share / max(trace.accesses, 1)
            found = _limits(stage, run, inputs, memory, _beside(trace) if optimised else None)
            limits = np.broadcast_arrays(*(passes * limit for limit in found))
            alone = [total + limit for total, limit in zip(alone, limits, strict=True)]
            longest = np.max(limits, axis=0)
            first = np.argmax(limits, axis=0)
            parts = [part + np.where(first == number, longest, 0.0) for number, part in enumerate(parts)]
    count = trace.sync_points if trace.sync_given else launches
    return Terms(
        depth=0.0,
        operations=parts[0],
        fast=parts[1],
        slow=parts[2],
        latency=parts[3],
        sync=_waits(inputs, count)[0],
        sync_range=_waits(inputs, count),
        fast_lines=lines,
        slow_lines=memory.far,
        sync_points=count,
        waits_for="thread",
        alone=tuple(alone),
    )


def _beside(trace: Trace) -> float:
    """Mean parallelism in operations, with reductions as trees where they were traced so."""
    schedule = trace.reassociated or trace.schedule
    return max(1.0, schedule.operations / max(schedule.depth, 1))


def _waits(inputs: Inputs, kernels: Value) -> tuple[Value, Value]:
    """Launch overheads: each kernel is waited for, and nothing hides the start of the first; at most, of any."""
    launch, wait = (inputs.seconds(path) if path in inputs.machine else 0.0 for path in _SYNC)
    return np.where(np.asarray(kernels) > 0, launch + kernels * wait, 0.0), kernels * (launch + wait)


class _Memory:
    """Lines that kernels move, and the mean latency of a load.

    Threads of a block run on one multiprocessor, so L1 serves the reuse within a block, and L2 that between blocks.
    Tiled kernels use the L1 of all multiprocessors as one.
    """

    def __init__(self, trace: Trace, inputs: Inputs, *, tiled: bool) -> None:
        machine = inputs.machine
        first, last = machine.levels[0], machine.levels[-1]
        self.line = machine.value(f"level.{last}.line")
        self.references = trace.accesses
        self.distances = trace.distances_at(int(self.line)) if trace.distances else StackDistances(1, 0, 0)
        self.all = max(self.distances.references, 1.0)
        self.bytes_each = self.distances.bytes / self.all
        self.size = inputs.value(f"level.{first}.size")
        self.tiled = (
            self.distances.misses(np.floor(self.size * inputs.value("cores.count") / self.line)) if tiled else None
        )
        held = np.floor(inputs.value(f"level.{last}.size") / self.line)
        self.far = missed_warm(self.distances, held, held)
        places = (f"level.{first}.latency", f"level.{last}.latency", "memory.latency")
        self.latencies = tuple(inputs.cycles(path) for path in places)

    def near(self, stage: Stage, run: Runs) -> Value:
        """L1 misses in lines if all of the code ran like this."""
        if self.tiled is not None:
            return self.tiled
        threads = max(run.entries * run.width, 1.0)
        used = _BLOCK * stage.references * run.share / threads * self.bytes_each
        return self.distances.misses(np.floor(np.minimum(self.size, used) / self.line))

    def latency(self, near: Value) -> Value:
        """Mean latency of a load in cycles."""
        first, middle, last = self.latencies
        missed, far = near / self.all, np.minimum(near, self.far) / self.all
        return first * (1 - missed) + middle * (missed - far) + last * far


def _limits(
    stage: Stage, run: Runs, inputs: Inputs, memory: _Memory, beside: float | None
) -> tuple[Value, Value, Value, Value]:
    """Seconds of the executions of one run for arithmetic, L2, memory and thread latency; in optimised kernels, whose
    operations have that parallelism, only arithmetic is issued and waits."""
    share = stage.references / memory.references * run.share if memory.references else 0.0
    machine, last = inputs.machine, inputs.machine.levels[-1]
    path = f"level.{last}.bandwidth"
    lines = memory.near(stage, run)
    near = lines * memory.line / inputs.rate(path) * share if path in machine else 0.0
    far = memory.far * memory.line / inputs.rate("memory.bandwidth") * share
    lanes = inputs.value("cores.count") * inputs.value("cores.lanes") * inputs.value("clock.frequency")
    arithmetic = 2 * _slots(stage.operations) / inputs.value("peak.double") * run.share
    if beside is not None and stage.kind == "region":
        waits = _slots(stage.operations) * run.share * inputs.seconds("pipeline.fp64.latency")
        return arithmetic, near, far, waits / np.minimum(beside, _held(inputs))
    arithmetic = np.maximum(arithmetic, stage.issued / lanes * run.share)
    return arithmetic, near, far, _in_order(stage, run, inputs, memory.latency(lines))


def _in_order(stage: Stage, run: Runs, inputs: Inputs, load: Value) -> Value:
    """Latency of threads: every instruction waits for the one before it; threads beyond the capacity of the chip run in
    further waves."""
    threads = max(run.entries * run.width, 1.0)
    others = stage.issued - stage.operations.total - stage.instructions.load
    cycles = (
        _slots(stage.operations) * inputs.cycles("pipeline.fp64.latency")
        + others * inputs.cycles("pipeline.alu.latency")
        + stage.instructions.load * load
    )
    turns = np.maximum(1.0, run.width / _held(inputs))
    return run.entries * run.share * cycles / threads * turns / inputs.value("clock.frequency")


def _held(inputs: Inputs) -> Value:
    """Resident threads of the chip."""
    if "occupancy.warps" not in inputs.machine:
        return np.inf
    return inputs.value("cores.count") * inputs.value("occupancy.warps") * inputs.value("occupancy.warp")


def _slots(done: Operations) -> float:
    """Multiply-adds that a thread issues for its operations."""
    slow: float = sum(getattr(done, kind) * many for kind, many in _SLOTS.items())
    return max(done.add, done.multiply) + done.compare + slow
