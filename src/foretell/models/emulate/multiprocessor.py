"""The numbers of one multiprocessor that the timing core needs, from a machine; what is not known is assumed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from foretell.models.emulate.occupancy import shared_of_block
from foretell.models.emulate.resources import SECTOR, UNITS, bytes_per_cycle, units

if TYPE_CHECKING:
    from foretell.core.machine import Machine

#: resources beside the units of a sub-core
L1, SHARED, L2, MEMORY, BARRIER, ISSUE, PORTS, START = (
    "L1", "shared", "L2", "memory", "barrier", "issue", "register ports", "block start",
)  # fmt: skip
NAMES = (*UNITS, L1, SHARED, L2, MEMORY, BARRIER, ISSUE, PORTS, START)

#: sizes that shared memory may take of the 256 KiB that it has together with L1 (CUDA C++ Programming Guide,
#: compute capability 9.0), KiB
_CARVEOUTS = (0, 8, 16, 32, 64, 100, 132, 164, 196, 228)
#: which of them the driver chooses: twice what the blocks need, of small ones four times up to 32 KiB, but only beyond
#: need more than 132 KiB; more than 16 blocks count as 16 (derived from
#: launch__shared_mem_config_size of Nsight Compute, launches of validation/h200)
_SPARE, _SPARE_OF_FEW, _FEW, _MOST_SPARE, _COUNTED = 2, 4, 32, 132, 16

#: path -> value and unit of it where a machine does not give it (measured on the H200, validation/h200)
_USUAL = {
    "sync.block": 15.0,
    "sync.block_warp": 2.0,
    "sync.block_start": 160.0,
    "sync.block_replace": 400.0,
    "atomic.latency": 526.0,
    "pipeline.address.gap": 4.0,
    "pipeline.shuffle.latency": 24.0,
}
#: cycles of waiting at half load. Memory: curve.read_by_warps of the probe, where a request takes 28, 77, 221, 354
#: cycles more than on an idle machine at loads of 0.3, 0.54, 0.77, 0.84. L2: path.L2_by_multiprocessors, half of what
#: bursts of 16 KiB show there.
_CROWDING_MEMORY = 66.0
#: more of it where as much is written as read (validation/h200/micro, stages: a plane ahead of a marching stencil takes
#: 743, 955 and 1013 cycles instead of 659 at loads of 0.20, 0.45 and 0.40, so 336, 360 and 530 cycles at half load;
#: gpu-opcodes, o_copy_blocks: 432)
_CROWDING_WRITES = 4.0
_CROWDING_L2 = 200.0  # of requests that do not read in order
#: share of requests that go to the farther partition of L2: where a few MiB are used, and more (validation/h200,
#: curve.latency and curve.latency_percentile: 261 to 297 cycles near, 412 to 491 far)
_FAR, _FAR_OF_MANY = 1 / 8, 3 / 8
#: lines that come from memory, by share of all of them, and how many cycles later than on the mean (validation/h200,
#: curve.latency_percentile.1024MiB of the probe)
_SPREAD = (
    (0.0, -155.0),
    (0.1, -140.0),
    (0.25, -114.0),
    (0.5, 6.0),
    (0.75, 76.0),
    (0.9, 122.0),
    (0.95, 317.0),
    (0.99, 502.0),
)
#: cycles of bandwidth that a multiprocessor left unused and can draw later: they do not go in step (assumed: about the
#: time of one access to memory)
_CREDIT = 1000.0
#: reading in order over reading 64 bytes here and there, where it is not known (H200: path.gather.4096MiB)
_SCATTERED = 1.8
#: cycles that an instruction takes to issue in code that is all independent (validation/h200: path.code.16KiB and
#: pipeline.ffma.gap of the probe, 1.02 to 1.04)
_ISSUE = 1.03
#: bytes that L2 gives one multiprocessor in a cycle, at most (validation/h200/wider, w_same_region/one-SM: 117)
_L2_PORT = 120.0
#: sectors that atomics update each second, all multiprocessors: in one line, for each of several lines, and at most
#: (validation/h200: atomic.global.1 and .1024 of the probe; atomics_spread/L2). Sums of floating-point numbers in one
#: line are slower by the factor that reduce_atomic/L2 shows.
_ATOMIC_LINE, _ATOMIC_LINES, _ATOMIC_MOST, _ATOMIC_FLOATING = 1.4e9, 0.31e9, 200e9, 2.4


@dataclass(frozen=True, slots=True)
class Multiprocessor:
    """Latencies and gaps in cycles by resource; of L2 and memory, this multiprocessor's share."""

    latency: dict[str, float]
    gap: dict[str, float]
    spread_l2: tuple[tuple[float, float], ...]
    spread_memory: tuple[tuple[float, float], ...]
    credit: float
    crowding_l2: float
    crowding_memory: float
    address_gap: float
    shuffle_latency: float
    atomic_latency: float
    l2_bytes: float
    scattered: float
    clock: float
    assumptions: tuple[str, ...]

    def atomic_cycles(self, lines: float, multiprocessors: float, *, floating: bool) -> float:
        """Cycles that the update of one sector takes of this multiprocessor's share, with so many lines in use."""
        one = _ATOMIC_LINE / (_ATOMIC_FLOATING if floating else 1.0)
        return multiprocessors * self.clock / min(_ATOMIC_MOST, max(one, _ATOMIC_LINES * lines))


def multiprocessor(machine: Machine, *, share: float, writes: float, spread: bool) -> Multiprocessor:
    """`share`: multiprocessors that draw on L2 and memory as this one does. `writes`: the part of
    memory traffic that is written. `spread`: the data lie in both partitions of L2."""
    latency, gap, assumed = units(machine)
    farther = _farther(machine)
    usual = {path: _or_usual(machine, path, assumed) for path in _USUAL}
    latency |= {
        L1: machine.cycles("level.L1.latency") if "level.L1.latency" in machine else 35.0,
        SHARED: machine.cycles("scratchpad.latency"),
        L2: machine.cycles("level.L2.latency") - _FAR * farther,
        MEMORY: machine.cycles("memory.latency"),
        BARRIER: usual["sync.block"] - usual["sync.block_warp"],
        START: usual["sync.block_replace"],
    }
    l2_gap = SECTOR * share / _l2_rate(machine, assumed)
    gap |= {
        L1: 128 / bytes_per_cycle(machine, "level.L1.core_bandwidth")
        if "level.L1.core_bandwidth" in machine
        else 1.0,
        SHARED: 128 / bytes_per_cycle(machine, "scratchpad.bandwidth")
        if "scratchpad.bandwidth" in machine
        else 1.0,
        L2: max(SECTOR / _L2_PORT, l2_gap),
        MEMORY: max(SECTOR / _L2_PORT, SECTOR * share / memory_rate(machine, writes)),
        BARRIER: usual["sync.block_warp"],
        ISSUE: _ISSUE,
        START: usual["sync.block_start"],
    }
    near = 1 - (_FAR if not spread else _FAR_OF_MANY)
    notes = (
        (f"not given for {machine.name}, typical values are used: {', '.join(assumed)}",) if assumed else ()
    )
    return Multiprocessor(
        latency=latency,
        gap=gap,
        spread_l2=((0.0, 0.0), (near, 0.0), (near, farther), (1.0, farther)),
        spread_memory=_SPREAD,
        credit=_CREDIT,
        crowding_l2=_CROWDING_L2 * min(1.0, l2_gap / gap[L2]),  # of the others
        crowding_memory=_CROWDING_MEMORY * (1 + _CROWDING_WRITES * min(1.0, 2 * writes)),
        address_gap=usual["pipeline.address.gap"],
        shuffle_latency=usual["pipeline.shuffle.latency"],
        atomic_latency=usual["atomic.latency"],
        l2_bytes=machine.value("level.L2.size") if "level.L2.size" in machine else 0.0,
        scattered=_scattered(machine, assumed),
        clock=machine.value("clock.frequency"),
        assumptions=notes,
    )


def l1_bytes(machine: Machine, shared_bytes: float, blocks: int) -> float:
    """What shared memory leaves of the memory that both have together, where `blocks` blocks of so many bytes fit."""
    if "level.L1.size" not in machine:
        return 0.0
    needed = shared_of_block(machine, shared_bytes) * blocks / 1024
    counted = needed * min(blocks, _COUNTED) / blocks
    wanted = min(max(_SPARE * counted, min(_SPARE_OF_FEW * counted, _FEW)), _MOST_SPARE)
    part = next((kib for kib in _CARVEOUTS if kib >= max(wanted, needed)), needed)
    return max(0.0, machine.value("level.L1.size") - part * 1024)


def l2_rate(machine: Machine) -> float:
    """Sectors that L2 gives all multiprocessors in a cycle."""
    return _l2_rate(machine, []) / SECTOR


def memory_rate(machine: Machine, writes: float) -> float:
    """Bytes of memory per cycle. Turning between reading and writing costs time: linear from reading only to a copy,
    where half is written (which gives the measured triad of the H200 within 0.1 %), and back to writing only."""
    read = _rate(machine, "memory.read_bandwidth") or bytes_per_cycle(machine, "memory.bandwidth")
    copy = _rate(machine, "memory.copy_bandwidth") or bytes_per_cycle(machine, "memory.bandwidth")
    write = _rate(machine, "memory.write_bandwidth") or copy
    if writes <= 0.5:
        return read + (copy - read) * writes * 2
    return copy + (write - copy) * (writes * 2 - 1)


def _scattered(machine: Machine, assumed: list[str]) -> float:
    """How much longer memory takes for pieces that lie anywhere."""
    scattered = _rate(machine, "memory.random_bandwidth")
    if scattered is None:
        assumed.append("memory.random_bandwidth")
        return _SCATTERED
    return memory_rate(machine, 0.0) / scattered


def _rate(machine: Machine, path: str) -> float | None:
    return bytes_per_cycle(machine, path) if path in machine else None


def _l2_rate(machine: Machine, assumed: list[str]) -> float:
    found = _rate(machine, "level.L2.bandwidth")
    if found is None:
        assumed.append("L2 bandwidth (twice that of memory)")
        return 2 * bytes_per_cycle(machine, "memory.bandwidth")
    return found


def _farther(machine: Machine) -> float:
    """How much later than the nearer partition of L2 the farther one answers."""
    if "level.L2.far_latency" not in machine:
        return 0.0
    return machine.cycles("level.L2.far_latency") - machine.cycles("level.L2.latency")


def _or_usual(machine: Machine, path: str, assumed: list[str]) -> float:
    if path in machine:
        return machine.cycles(path)
    assumed.append(path)
    return _USUAL[path]
