"""Derives the fields of AutoMatch's Table I from any machine.

The paper's machines list them by name. On others, the processors are cores (CPU) or lanes (GPU), and the fast memory is
as in the table's notes: the last-level cache of a CPU; shared memory, with its speed, and L2 together on a GPU.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from foretell.core.machine import capacity
from foretell.errors import InputError, MachineError
from foretell.models.base import barrier_share

if TYPE_CHECKING:
    from foretell.core.columns.expression import Value
    from foretell.core.machine.machine import Machine
    from foretell.models.base import Inputs

#: bytes of a number
DOUBLE = 8
#: kinds of transfers with known rates: those that read, and all of them with the data-sheet value
READING = ("bandwidth", "read_bandwidth", "copy_bandwidth")
_ALL_KINDS = (*READING, "write_bandwidth", "nontemporal_bandwidth", "hardware_bandwidth")
_ALWAYS = ("memory.bandwidth", "memory.latency")
_SYNC = "sync.global"


@dataclass(frozen=True, slots=True)
class Fields:
    """One row of Table I in SI units, for as many processors as the code uses; arrays where a sweep varies them."""

    processors: Value  #: np
    peak: Value  #: pi0, flop/s of one processor
    capacity: Value  #: Z, bytes
    most_capacity: Value  #: upper limit of Z: the full capacity even if co-runners take a part
    line: float  #: L, bytes
    fast_latency: Value  #: alpha_f
    fast_bandwidth: Value  #: beta_f
    slow_latency: Value  #: alpha_s
    slow_bandwidth: Value  #: beta_s
    most_bandwidth: Value  #: upper limit of beta_s: best of all measured kinds of transfers
    sync: Value  #: s0
    vector: Value  #: operations of one vector instruction; 1 where the processors are lanes already

    @property
    def throughput(self) -> Value:
        """Pi: flop/s of all processors."""
        return self.processors * self.peak


def fields(inputs: Inputs, threads: Value | None, *, synchronises: bool) -> Fields:
    """The fields of a machine, or of as many of its cores as there are threads.

    The cost of a synchronisation need not be known for a code that has none.
    """
    machine = inputs.machine
    require(machine, synchronises=synchronises)
    count, used = _processors(inputs), used_cores(inputs, threads)
    graphics = machine.kind == "gpu"
    level = machine.levels[-1] if machine.levels else ""
    fast = "scratchpad" if graphics and "scratchpad.bandwidth" in machine else f"level.{level}"
    return Fields(
        processors=used,
        peak=_peak(inputs, count),
        capacity=_all_instances(inputs, level, capacity.alone(inputs, level)),
        most_capacity=_all_instances(inputs, level, capacity.whole(inputs, level)),
        line=float(machine.value(f"level.{level}.line")),
        fast_latency=inputs.seconds(f"{fast}.latency"),
        fast_bandwidth=_fast_rate(inputs, fast, used),
        slow_latency=inputs.seconds("memory.latency"),
        slow_bandwidth=drawn(inputs, "memory", used),
        most_bandwidth=best_rate(inputs, "memory", used, _ALL_KINDS),
        sync=inputs.seconds(_SYNC) * barrier_share(used, count) if synchronises else 0.0,
        vector=1.0 if graphics else _vector(inputs),
    )


def require(machine: Machine, *, synchronises: bool) -> None:
    """Raises a MachineError that names the required parameters that a machine lacks."""
    lacking = [path for path in (*_ALWAYS, *([_SYNC] if synchronises else [])) if path not in machine]
    if not machine.levels:
        lacking.append("a memory level")
    for choices in _choices(machine):
        if not any(all(path in machine for path in choice) for choice in choices):
            lacking.append(" or ".join(" and ".join(choice) for choice in choices))
    if lacking:
        notes = [f"{path}: {machine.missing[path]}" for path in lacking if path in machine.missing]
        raise MachineError(
            f"machine {machine.name!r} lacks what model cost needs: {', '.join(lacking)}",
            hint="\n  ".join(notes) or "foretell machines probe measures them",
        )


def read_paths(machine: Machine) -> tuple[str, ...]:
    """Every parameter that `fields` reads from this machine."""
    level = machine.levels[-1] if machine.levels else ""
    wanted = [*_ALWAYS, _SYNC, "clock.frequency", "memory.core_bandwidth", "cores.simd_width"]
    wanted += ["cores.processors", "cores.count", "cores.lanes", "peak.processor", "peak.core", "peak.double"]
    wanted += [
        f"level.{level}.{name}" for name in ("size", "available", "shared_by", "latency", "bandwidth", "core_bandwidth")
    ]
    wanted += ["scratchpad.size", "scratchpad.latency", "scratchpad.bandwidth"] if machine.kind == "gpu" else []
    return tuple(path for path in wanted if path in machine)


def _choices(machine: Machine) -> list[tuple[tuple[str, ...], ...]]:
    """Alternative parameters: of each entry, one group must be present."""
    if not machine.levels:
        return []
    level = f"level.{machine.levels[-1]}"
    graphics = machine.kind == "gpu"
    shared = (("scratchpad.bandwidth", "scratchpad.latency", "cores.count"),) if graphics else ()
    cores = ("cores.count", "cores.lanes") if graphics else ("cores.count",)
    return [
        (("cores.processors",), cores),
        (("peak.processor",), ("peak.core",), ("peak.double",)),
        ((f"{level}.size",),),
        ((f"{level}.line",),),
        ((f"{level}.bandwidth", f"{level}.latency"), (f"{level}.core_bandwidth", f"{level}.latency"), *shared),
    ]


def used_cores(inputs: Inputs, threads: Value | None) -> Value:
    """As many processors as there are threads; by default all."""
    count = _processors(inputs)
    return count if threads is None else _checked(threads, count, inputs.machine)


def _processors(inputs: Inputs) -> Value:
    if "cores.processors" in inputs.machine:
        return inputs.value("cores.processors")
    lanes = inputs.value("cores.lanes") if inputs.machine.kind == "gpu" else 1.0
    return inputs.value("cores.count") * lanes


def _checked(threads: Value, count: Value, machine: Machine) -> Value:
    """Threads as cores; a point of a sweep with too many is nan, a single prediction is rejected."""
    if machine.kind == "gpu":
        raise InputError(f"threads: machine {machine.name!r} is a GPU and is used as a whole")
    possible = (np.asarray(threads) >= 1) & (np.asarray(threads) <= count)
    if not np.ndim(possible) and not possible:
        raise InputError(f"threads must be from 1 to the {count:g} cores of machine {machine.name!r}")
    return np.where(possible, threads, np.nan)


def _peak(inputs: Inputs, count: Value) -> Value:
    for path in ("peak.processor", "peak.core"):
        if path in inputs.machine:
            return inputs.value(path)
    return inputs.value("peak.double") / count


def _all_instances(inputs: Inputs, level: str, size: Value) -> Value:
    """Z: every instance of the last level, and the shared memory of a GPU's cores."""
    machine, path = inputs.machine, f"level.{level}"
    if f"{path}.shared_by" in machine and "cores.count" in machine:
        size = size * np.maximum(1.0, inputs.value("cores.count") / inputs.value(f"{path}.shared_by"))
    if machine.kind == "gpu" and "scratchpad.size" in machine and "cores.count" in machine:
        size = size + inputs.value("scratchpad.size") * inputs.value("cores.count")
    return size


def _fast_rate(inputs: Inputs, level: str, cores: Value) -> Value:
    if level == "scratchpad":
        return inputs.rate("scratchpad.bandwidth") * inputs.value("cores.count")
    return drawn(inputs, level, cores)


def drawn(inputs: Inputs, level: str, cores: Value) -> Value:
    """Joint bandwidth of so many cores: limited by the total, and by that of each core."""
    machine = inputs.machine
    if machine.kind == "gpu" or f"{level}.core_bandwidth" not in machine:
        return inputs.rate(f"{level}.bandwidth")
    each = inputs.rate(f"{level}.core_bandwidth") * cores
    return np.minimum(inputs.rate(f"{level}.bandwidth"), each) if f"{level}.bandwidth" in machine else each


def best_rate(inputs: Inputs, level: str, cores: Value, kinds: tuple[str, ...] = READING) -> Value:
    """The best measured bandwidth of so many cores over some kinds of transfers."""
    whole = _most(inputs, [f"{level}.{kind}" for kind in kinds])
    if inputs.machine.kind == "gpu":
        return whole
    return np.minimum(whole, _most(inputs, [f"{level}.core_{kind}" for kind in kinds]) * cores)


def _most(inputs: Inputs, paths: list[str]) -> Value:
    """The largest of the known rates, estimates only where there is no other; infinite if none is."""
    given = [path for path in paths if path in inputs.machine]
    sure = [path for path in given if inputs.machine[path].source.kind != "estimated"]
    known = [inputs.rate(path) for path in sure or given]
    return np.max(np.stack(np.broadcast_arrays(*known)), axis=0) if known else np.inf


def _vector(inputs: Inputs) -> Value:
    """V of decision AM-4; a machine without it is assumed to have no vectors."""
    return inputs.value("cores.simd_width") / DOUBLE if "cores.simd_width" in inputs.machine else 1.0
