"""Which share of what reaches L2 comes from memory: reuse within a block, a wave of blocks, and between launches."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from foretell.characterize.gpu.memory import LINE, PIECE_SECTORS, SECTOR
from foretell.core.gpu import opcodes

if TYPE_CHECKING:
    from foretell.characterize.gpu.functional import Execution
    from foretell.characterize.gpu.memory import Group, Traffic
    from foretell.core.gpu.sass import SassKernel
    from foretell.core.machine.machine import Machine


@dataclass(frozen=True, slots=True)
class Local:
    """Local memory: the share of loads that L1 does not hold, the share of that and of what is written that goes on to
    memory, and the bytes that reach L2."""

    misses: float = 0.0
    far: float = 0.0
    to_l2: float = 0.0


@dataclass(frozen=True, slots=True)
class L2:
    """The second level of a machine: its size in bytes, the sectors that it gives all multiprocessors in a cycle, the
    part of its size by which data that leave no reuse exceed it, and what becomes of requests of several
    multiprocessors for one sector (`coalescer` of the machine files)."""

    size: float
    rate: float
    overflow: float
    merged: float
    window: float
    alignment: float
    first_wave: float

    @classmethod
    def of(cls, machine: Machine, rate: float) -> L2:
        """Of a machine that lacks none of `reference.PATHS`."""
        return cls(
            size=machine.value("level.L2.size") if "level.L2.size" in machine else 0.0,
            rate=rate,
            overflow=machine.value("level.L2.overflow"),
            merged=machine.value("coalescer.share"),
            window=machine.cycles("coalescer.window"),
            alignment=machine.value("coalescer.alignment"),
            first_wave=machine.value("coalescer.first_wave"),
        )

    def kept(self, bytes_between: float) -> float:
        """The share of data still there after so many other bytes. All up to its size; what is read again in the same
        order is gone just before it is needed where there is more."""
        if not self.size:
            return 0.0
        return min(1.0, max(0.0, 1 - (bytes_between / self.size - 1) / self.overflow))

    def requested_alone(self, group: Group, asked: float, waves: float, resident: int, rate: float) -> float:
        """The share of what a wave misses in L1 that reaches L2, of `rate` sectors a cycle: requests of several
        multiprocessors for a sector that is on its way go on as one. The fewer sectors a wave reads, the likelier it is
        that a certain one is. The more blocks a multiprocessor has, the farther their warps are apart: with the root of
        their number. Those of the first wave begin together."""
        if not group.common or asked <= group.wave_read:
            return 1.0
        apart = math.sqrt(resident)
        later = min(self.merged, 1 - math.exp(-self.alignment / apart * (self.window * rate) / group.wave_read))
        first = max(later, min(self.merged, self.first_wave / apart))
        met = later + (first - later) / max(1.0, waves)
        return 1 - met * (1 - group.wave_read / asked)

    def lost_by_chance(self, group: Group) -> float:
        """What a wave asks for at random is there by chance; both partitions come to hold it (gather_f32/random)."""
        among = min(group.launch, group.reach) * SECTOR
        return 1 - min(1.0, self.size / 2 / among) if among else 0.0


@dataclass(frozen=True, slots=True)
class Levels:
    """Bytes of the whole launch at every level, and by place in the text the bytes that memory moves for each byte that
    L1 asks for, and the bytes that L2 is asked for: multiprocessors that want the same at the same time ask once."""

    requested: float
    to_l2: float
    from_memory: float
    to_memory: float
    far: dict[int, float]
    alone: dict[int, float]
    touched: float
    local: Local

    @property
    def writes(self) -> float:
        """The part of memory traffic that is written."""
        total = self.from_memory + self.to_memory
        return self.to_memory / total if total else 0.0


def local_memory(
    kernel: SassKernel, execution: Execution, blocks: float, resident_bytes: float, l1: float, at_once: float, l2: L2
) -> Local:
    """Of a launch of so many blocks, whose threads have `resident_bytes` on one multiprocessor and `at_once` on all. L1
    passes on what is written (validation/h200/sweeps: s_own_8)."""
    misses = max(0.0, 1 - l1 / resident_bytes) if resident_bytes else 0.0
    sectors = 0.0
    for place in _local_places(kernel):
        share = 1.0 if opcodes.writes_memory(kernel.instructions[place].opcode) else misses
        sectors += execution.instructions[place].sectors * share
    return Local(misses, 1 - l2.kept(at_once), sectors / len(execution.blocks) * blocks * SECTOR)


@lru_cache(maxsize=8)
def _local_places(kernel: SassKernel) -> tuple[int, ...]:
    return tuple(place for place, item in enumerate(kernel.instructions) if item.opcode in opcodes.LOCAL)


def levels(
    kernel: SassKernel,
    traffic: Traffic,
    blocks: float,
    waves: float,
    l2: L2,
    *,
    resident: int,
    wave_cycles: float,
    local: Local,
    warm: bool,
    l2_hit: float | None = None,
) -> Levels:
    """Of a launch of as much as `blocks` blocks like the middle one, in `waves` waves, `resident` blocks at a time on a
    multiprocessor. A wave takes `wave_cycles` cycles at least to issue.

    `warm`: it follows one like it; `l2_hit` is the share of reads that L2 holds, where it was measured."""
    touched = sum(group.launch for group in traffic.groups) * SECTOR
    requested, reads, writes = _missed(kernel, traffic, blocks)
    rate = min(l2.rate, sum(reads) / (waves * wave_cycles))
    alone = [
        l2.requested_alone(group, min(asked, blocks * group.block_read) / waves, waves, resident, rate)
        for group, asked in zip(traffic.groups, reads, strict=True)
    ]
    held = sum(_held(group) for group in traffic.groups) * SECTOR
    from_memory = [
        asked * (1 - l2_hit) if l2_hit is not None else _from_memory(group, asked, blocks, waves, held, l2, warm)
        for group, asked in zip(traffic.groups, reads, strict=True)
    ]
    to_memory = [_to_memory(group, asked, held, l2) for group, asked in zip(traffic.groups, writes, strict=True)]
    filled = [sectors if group.scattered else 0.0 for group, sectors in zip(traffic.groups, to_memory, strict=True)]
    for_writes = [sum(pair) for pair in zip(to_memory, filled, strict=True)]
    far = {}
    for place, item in traffic.requests.items():
        written = opcodes.writes_memory(kernel.instructions[place].opcode)
        asked, served = (writes, for_writes) if written else (reads, from_memory)
        far[place] = served[item.group] / asked[item.group] if asked[item.group] else 0.0
    to_l2 = sum(asked * share for asked, share in zip(reads, alone, strict=True)) + sum(writes)
    return Levels(
        requested=requested * SECTOR,
        to_l2=to_l2 * SECTOR,
        from_memory=(sum(from_memory) + sum(filled)) * SECTOR,
        to_memory=sum(to_memory) * SECTOR,
        far=far,
        alone={
            place: 1.0 if opcodes.writes_memory(kernel.instructions[place].opcode) else alone[item.group]
            for place, item in traffic.requests.items()
        },
        touched=touched,
        local=local,
    )


def _missed(kernel: SassKernel, traffic: Traffic, blocks: float) -> tuple[float, list[float], list[float]]:
    """Sectors that are asked for, and those of each group that L1 does not hold: read, and written."""
    reads = [0.0] * len(traffic.groups)
    writes = [0.0] * len(traffic.groups)
    requested = 0.0
    for place, item in traffic.requests.items():
        here = item.block_sectors * blocks
        requested += here
        sectors = here * item.missed
        (writes if opcodes.writes_memory(kernel.instructions[place].opcode) else reads)[item.group] += sectors
    return requested, reads, writes


def _held(group: Group) -> float:
    """Sectors of L2 that the launch fills: it keeps whole lines, also for words here and there."""
    if not group.scattered:
        return group.launch
    return min(group.launch * (LINE / SECTOR) / PIECE_SECTORS, max(group.launch, group.reach))


def _from_memory(group: Group, asked: float, blocks: float, waves: float, held: float, l2: L2, warm: bool) -> float:
    """Sectors read from memory. What the launch reads first comes from memory unless an earlier launch left it; what
    another wave read, or the same block, if so much was touched since. Blocks of one wave go along together and
    share. Words here and there find their pieces by chance (w_follow/16M)."""
    first = group.launch_read * (1 - (l2.kept(held) if warm else 0.0))
    if group.scattered:
        return max(first, PIECE_SECTORS * asked * l2.lost_by_chance(group))
    between = max(0.0, waves * group.wave_read - group.launch_read)
    again = max(0.0, asked - max(blocks * group.block_read, group.launch_read))
    lost = 1 - l2.kept(group.wave * SECTOR) if group.even else l2.lost_by_chance(group)
    return first + (between + again) * lost


def _to_memory(group: Group, asked: float, held: float, l2: L2) -> float:
    """Sectors written to memory: each once, and again where words here and there find theirs gone. Of such a sector the
    rest is read first (t_scatter/DRAM)."""
    first = group.launch_write * (1 - l2.kept(held))
    if not group.scattered or first == 0:
        return first
    return first + max(0.0, asked - group.launch_write) * l2.lost_by_chance(group)
