"""The traffic model as a `Model`: arithmetic at peak, and each memory level at its bandwidth.

What the compiler's code costs inside a core is not part of it: the time is what the machine cannot beat, and the
interval ends where nothing overlaps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from foretell import units
from foretell.core.loopnest import Loops
from foretell.core.parameters import known
from foretell.core.prediction import Bound, Detail, Part, Prediction
from foretell.errors import InputError, UnsupportedError
from foretell.models.base import Inputs, Model, Option, Settings
from foretell.models.traffic.volumes import Volumes, level_volumes, plane_volumes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from foretell.core.expression import Value
    from foretell.core.loopnest import LoopNest
    from foretell.core.machine import Machine
    from foretell.core.workload import Facet, Workload

#: operations that count as floating-point work; a fused pair is its addition and its multiplication
_NOT_FLOPS = frozenset({"fma", "int", "convert", "compare", "select", "move"})
THREADS = "threads"


class TrafficModel(Model):
    """Bytes through every level by reuse distance, or by ExaSAT's plane rule."""

    name = "traffic"
    version = 1
    title = "Traffic of loop nests: planes or reuse distance, against bandwidth and peak"
    facets: ClassVar[tuple[type[Facet], ...]] = (Loops,)
    parameters = ("memory.bandwidth", "cores.count")
    options = (
        Option(
            "rule",
            ("reuse_distance", "plane_rule"),
            "reuse_distance",
            "plane_rule",
            "what a cache keeps, EX-9",
        ),
        Option("caches", ("warm", "cold"), "warm", "warm", "whether what fits is there when the nest starts"),
        Option(
            "stores",
            ("machine", "allocate", "streaming"),
            "machine",
            "allocate",
            "lines fetched before a write, EX-13",
        ),
    )

    def reads(self, machine: Machine) -> tuple[str, ...]:
        """Beside bandwidth and cores: every level's capacity, line and bandwidth, and the peak."""
        wanted = [
            "memory.core_bandwidth",
            "peak.core",
            "clock.frequency",
            "cores.flops_per_cycle",
            "peak.double",
        ]
        for level in machine.levels:
            wanted += [f"level.{level}.{name}" for name in ("size", "line", "bandwidth", "core_bandwidth")]
        return (*self.parameters, *(path for path in wanted if path in machine))

    def predict(self, workload: Workload, machine: Machine, settings: Settings) -> Prediction:
        """The largest bound; the interval reaches to the sum of all."""
        self.require(machine)
        inputs = Inputs(machine, {})
        found = self._bounds(workload, inputs, settings, workload.parameters)
        bounds = tuple(
            Bound(name, float(time), resource, "throughput") for name, time, resource in found.times
        )
        total, largest = sum(bound.time_s for bound in bounds), max(bound.time_s for bound in bounds)
        return self.answer(
            workload,
            machine,
            settings,
            time_s=largest,
            bounds=bounds,
            parts=(*(Part(bound.name, bound.time_s) for bound in bounds), Part("overlap", largest - total)),
            assumptions=(*workload.assumptions, *found.notes),
            interval_s=(largest, total),
            details=found.details,
        )

    def sweep(
        self,
        workload: Workload,
        machine: Machine,
        settings: Settings,
        columns: Mapping[str, NDArray[np.float64]],
    ) -> NDArray[np.float64]:
        """The closed forms with arrays in them."""
        self.require(machine)
        inputs = Inputs(machine, {name: column for name, column in columns.items() if known(name)})
        values: dict[str, Value] = {
            **workload.parameters,
            **{name: column for name, column in columns.items() if not known(name)},
        }
        found = self._bounds(workload, inputs, settings, values)
        points = max((column.size for column in columns.values()), default=1)
        times: NDArray[np.float64] = np.maximum.reduce(
            [np.broadcast_to(time, points) for _, time, _ in found.times]
        )
        return times

    def _bounds(
        self, workload: Workload, inputs: Inputs, settings: Settings, values: Mapping[str, Value]
    ) -> _Found:
        threads = values.get(THREADS, 1.0)
        if np.any(threads < 1) or np.any(threads > inputs.value("cores.count")):
            raise InputError(
                f"threads must be from 1 to the {inputs.value('cores.count'):g} cores of the machine"
            )
        nests = _usable(workload.facet(Loops), values)
        rule = plane_volumes if settings["rule"] == "plane_rule" else level_volumes
        volumes = [rule(nest, inputs, settings, values, threads) for nest in nests]
        flops = _sum(_flops(nest, values) for nest in nests)
        times = [("arithmetic", flops / _peak(inputs, threads), "cores")]
        times += _transfer_times(volumes, inputs, threads)
        return _Found(times, _notes(nests, volumes, inputs), _details(flops, volumes, nests))


class _Found:
    """What the closed forms gave: (name, seconds, resource) of every bound, notes, details."""

    def __init__(
        self, times: list[tuple[str, Value, str]], notes: tuple[str, ...], details: dict[str, Detail]
    ) -> None:
        self.times, self.notes, self.details = times, notes, details


def _usable(loops: Loops, values: Mapping[str, Value]) -> list[LoopNest]:
    """The nests that have numbers at these parameters."""
    nests = [nest for nest in loops.nests if nest.status != "refused" and nest.loops]
    if not nests:
        reasons = "; ".join(f"line {nest.line}: {nest.reason}" for nest in loops.nests[:3])
        raise UnsupportedError(f"no loop nest can be predicted{': ' if reasons else ''}{reasons}")
    needed = {name for nest in nests for name in (*nest.parameters, *nest.address_parameters)}
    lacking = sorted(needed - set(values))
    if lacking:
        raise InputError(
            f"parameters without a value: {', '.join(lacking)}",
            hint=f"give each with -D, e.g. -D {lacking[0]}=512",
        )
    return nests


def _flops(nest: LoopNest, values: Mapping[str, Value]) -> Value:
    counted = [total for kind, total in nest.total_operations().items() if kind not in _NOT_FLOPS]
    return _sum(np.asarray(total.evaluate(values), dtype=np.float64) for total in counted)


def _sum(items: Any) -> Value:
    total: Value = 0.0
    for item in items:
        total = total + item
    return total


def _peak(inputs: Inputs, threads: Value) -> Value:
    """Peak of the cores in use, from whichever number the machine has."""
    machine = inputs.machine
    if "cores.flops_per_cycle" in machine and "clock.frequency" in machine:
        return inputs.value("cores.flops_per_cycle") * inputs.value("clock.frequency") * threads
    if "peak.core" in machine:
        return inputs.value("peak.core") * threads
    return inputs.value("peak.double") / inputs.value("cores.count") * threads


def _transfer_times(
    volumes: Sequence[Volumes], inputs: Inputs, threads: Value
) -> list[tuple[str, Value, str]]:
    times = []
    for supplier in dict.fromkeys(name for volume in volumes for name in volume.bytes):
        moved = _sum(volume.bytes[supplier] for volume in volumes)
        prefix = supplier if supplier == "memory" else f"level.{supplier}"
        if f"{prefix}.bandwidth" not in inputs.machine:
            continue
        times.append((f"{supplier} bandwidth", moved / _bandwidth(inputs, prefix, threads), supplier))
    return times


def _bandwidth(inputs: Inputs, prefix: str, threads: Value) -> Value:
    """What all of a level gives, or what so many cores can draw, in bytes per second."""
    total = _per_second(inputs, f"{prefix}.bandwidth")
    if f"{prefix}.core_bandwidth" not in inputs.machine:
        return total
    return np.minimum(total, _per_second(inputs, f"{prefix}.core_bandwidth") * threads)


def _per_second(inputs: Inputs, path: str) -> Value:
    in_cycles = inputs.machine[path].unit == "B/cycle"
    return inputs.value(path) * inputs.value("clock.frequency") if in_cycles else inputs.value(path)


def _notes(nests: Sequence[LoopNest], volumes: Sequence[Volumes], inputs: Inputs) -> tuple[str, ...]:
    notes = ["arithmetic runs at peak: what the compiler's code costs in a core is not modelled"]
    if len({nest.function for nest in nests}) > 1:
        notes.append("every function runs once")
    unknown = [
        level for level in inputs.machine.levels[1:] if f"level.{level}.bandwidth" not in inputs.machine
    ]
    if unknown:
        notes.append(f"no bandwidth known of {', '.join(unknown)}: transfers from there are taken as free")
    for volume in volumes:
        notes += volume.notes
    for nest in nests:
        notes += [f"{nest.function}, line {note.line}: {note.text}" for note in nest.assumptions]
    return tuple(dict.fromkeys(notes))


def _details(flops: Value, volumes: Sequence[Volumes], nests: Sequence[LoopNest]) -> dict[str, Detail]:
    if np.ndim(flops):
        return {}
    totals = {
        name: float(_sum(volume.bytes[name] for volume in volumes))
        for name in dict.fromkeys(name for volume in volumes for name in volume.bytes)
        if not any(np.ndim(volume.bytes[name]) for volume in volumes)
    }
    memory = totals.get("memory", 0.0)
    return {
        "flops": float(flops),
        "bytes_from_B": dict(totals),
        "flop_per_byte": float(flops) / memory if memory else None,
        "nests": [f"{nest.function}:{nest.line} {units.show(len(nest.loops), '')} loops" for nest in nests],
    }
