"""Computes the occupancy of one multiprocessor, and the waves of a grid."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from foretell.errors import InputError
from foretell.models.gpu.reference import value

if TYPE_CHECKING:
    from foretell.core.machine.machine import Machine


@dataclass(frozen=True, slots=True)
class Occupancy:
    """Resident blocks of one multiprocessor, and the limiting resource."""

    blocks: int
    warps: int
    limiter: str


@dataclass(frozen=True, slots=True)
class Waves:
    """A grid as full waves, and the remaining blocks of the busiest multiprocessor in the last one."""

    full: int
    rest: int


def occupancy(
    machine: Machine,
    warps: int,
    registers: int | None = None,
    shared_bytes: float | None = None,
    barriers: int | None = None,
) -> Occupancy:
    """Blocks of `warps` warps that are resident at once; an InputError if not even one fits."""
    limits = {"warps": math.floor(machine.value("occupancy.warps") / warps)}
    if "occupancy.blocks" in machine:
        limits["blocks"] = math.floor(machine.value("occupancy.blocks"))
    if registers:
        most = value(machine, "occupancy.registers_per_thread")
        if registers > most:
            raise InputError(f"{registers} registers a thread, more than {most:g}")
        limits["registers"] = _by_registers(machine, warps, registers)
    if shared_bytes:
        limits["shared memory"] = math.floor(machine.value("scratchpad.size") / shared_of_block(machine, shared_bytes))
    if barriers and "occupancy.barriers" in machine:
        limits["barriers"] = math.floor(machine.value("occupancy.barriers") / barriers)
    limiter = min(limits, key=lambda name: limits[name])
    if limits[limiter] < 1:
        raise InputError(
            f"a block does not fit on a multiprocessor of {machine.name}: too many {limiter}"
            if limiter != "shared memory"
            else f"a block does not fit on a multiprocessor of {machine.name}: too much shared memory"
        )
    return Occupancy(limits[limiter], limits[limiter] * warps, limiter)


def shared_of_block(machine: Machine, shared_bytes: float) -> float:
    """Shared memory of a block, including what the system reserves in each."""
    reserved = machine.value("occupancy.shared_reserved") if "occupancy.shared_reserved" in machine else 0.0
    unit = value(machine, "occupancy.shared_unit")
    return math.ceil((shared_bytes + reserved) / unit) * unit


def _by_registers(machine: Machine, warps: int, registers: int) -> int:
    """Blocks by registers: warps are distributed to the schedulers, each with its own part of the register file."""
    size = machine.value("occupancy.warp")
    unit = value(machine, "occupancy.register_unit")
    of_warp = math.ceil(registers * size / unit) * unit
    schedulers = machine.value("occupancy.schedulers")
    warps_there = math.floor(machine.value("occupancy.registers") / schedulers / of_warp) * schedulers
    return math.floor(warps_there / warps)


def phases(blocks: float, resident: int, multiprocessors: int) -> float:
    """The number of waves as printed: a plain division, which makes a small grid cheaper than one emulated wave
    (SK-9)."""
    return blocks / (resident * multiprocessors)


def waves(blocks: int, resident: int, multiprocessors: int) -> Waves:
    """Full waves, and the blocks of the busiest multiprocessor in the partial one (SK-9)."""
    full, rest = divmod(blocks, resident * multiprocessors)
    return Waves(full, math.ceil(rest / multiprocessors))
