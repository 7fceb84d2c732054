"""Derives the resources of a GPU multiprocessor for Algorithm 1: one latency and one gap each, in cycles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from foretell.characterize.gpu.memory import SECTOR

if TYPE_CHECKING:
    from foretell.core.machine.machine import Machine

#: bytes that shared memory moves in one wavefront
_SHARED_TURN = 128

#: unit -> default latency and gap of one scheduler (sm_75 to sm_120 differ little)
_USUAL = {
    "fma": (4.0, 1.0),
    "imad": (4.0, 2.0),
    "alu": (4.0, 2.0),
    "fp64": (8.0, 2.0),
    "half": (5.0, 1.0),
    "tensor": (24.0, 6.6),
    "xu": (17.0, 8.0),
    "uniform": (4.0, 1.0),
    "constant": (30.0, 1.0),
    "branch": (1.0, 1.0),
    "none": (1.0, 1.0),
    "lsu": (24.0, 4.0),
}
UNITS = tuple(_USUAL)
RESOURCES = (*UNITS, "shared", "L2", "memory")


@dataclass(frozen=True, slots=True)
class Resources:
    """Latency and gap of each of `RESOURCES`, of one multiprocessor; missing parameters are assumed."""

    latency: dict[str, float]
    gap: dict[str, float]
    assumptions: tuple[str, ...]


def resources(machine: Machine) -> Resources:
    """Pipelines of the schedulers together, shared memory, and this multiprocessor's share of L2 and memory."""
    latency, gap, assumed = units(machine)
    gap = {unit: value / machine.value("occupancy.schedulers") for unit, value in gap.items()}
    if "pipeline.lsu.gap" in machine:  # of the whole multiprocessor
        gap["lsu"] = machine.cycles("pipeline.lsu.gap")
    latency["shared"], gap["shared"] = machine.cycles("scratchpad.latency"), _shared_gap(machine)
    latency["memory"], gap["memory"] = machine.cycles("memory.latency"), _share(machine, "memory.bandwidth")
    latency["L2"] = machine.cycles("level.L2.latency")
    if "level.L2.bandwidth" in machine:
        gap["L2"] = _share(machine, "level.L2.bandwidth")
    else:
        gap["L2"] = gap["memory"] / 2
        assumed.append("level.L2.bandwidth (twice that of memory)")
    notes = (f"not given for {machine.name}, typical values are used: {', '.join(assumed)}",) if assumed else ()
    return Resources(latency, gap, notes)


def units(machine: Machine) -> tuple[dict[str, float], dict[str, float], list[str]]:
    """Latency and gap of the units of one scheduler, and which of them had to be assumed."""
    assumed: list[str] = []
    latency = {unit: _pipeline(machine, unit, "latency", usual[0], assumed) for unit, usual in _USUAL.items()}
    gap = {unit: _pipeline(machine, unit, "gap", usual[1], assumed) for unit, usual in _USUAL.items()}
    return latency, gap, assumed


def _pipeline(machine: Machine, unit: str, what: str, usual: float, assumed: list[str]) -> float:
    path = f"pipeline.{unit}.{what}"
    if path in machine:
        return machine.cycles(path)
    if unit not in ("branch", "none"):
        assumed.append(path)
    return usual


def _shared_gap(machine: Machine) -> float:
    if "scratchpad.bandwidth" not in machine:
        return 1.0
    return _SHARED_TURN / bytes_per_cycle(machine, "scratchpad.bandwidth")


def _share(machine: Machine, path: str) -> float:
    """Cycles between two sectors of one multiprocessor if all use equal shares."""
    return SECTOR * machine.value("cores.count") / bytes_per_cycle(machine, path)


def bytes_per_cycle(machine: Machine, path: str) -> float:
    """A bandwidth in bytes per cycle, whichever unit the machine file uses."""
    quantity = machine[path]
    return quantity.value if quantity.unit == "B/cycle" else quantity.value / machine.value("clock.frequency")
