"""Computes the fraction of L2 traffic that goes to memory: reuse within a block, a wave of blocks, and between
launches."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from foretell.characterize.gpu.memory import LINE, PIECE_SECTORS, SECTOR, through_l1
from foretell.core.gpu import opcodes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from foretell.characterize.gpu.functional import Execution
    from foretell.characterize.gpu.memory import Group, Requests, Traffic
    from foretell.core.gpu.sass import SassInstruction, SassKernel
    from foretell.core.machine.machine import Machine


#: into which what is written between two reads is divided
_PARTS = 16


@dataclass(frozen=True, slots=True)
class Local:
    """Local memory: L1 miss ratio of loads, fraction of those misses and of the stores that goes on to memory, and the
    bytes that reach L2."""

    misses: float = 0.0
    far: float = 0.0
    to_l2: float = 0.0


@dataclass(frozen=True, slots=True)
class L2:
    """The second level of a machine: its size in bytes, its sectors per cycle for all multiprocessors, the relative
    excess over its size at which no reuse is left, the range about it over which reuse between launches falls, the
    copies of data that later launches read again, the fraction of it that modified lines can occupy, and the merging of
    requests of several multiprocessors for one
    sector (`coalescer` of the machine files)."""

    size: float
    rate: float
    overflow: float
    unevenness: float
    replication: float
    dirty_share: float
    merged: float
    window: float
    alignment: float
    first_wave: float

    @classmethod
    def of(cls, machine: Machine, rate: float) -> L2:
        """Reads the parameters from a machine that has all of `reference.PATHS`."""
        return cls(
            size=machine.value("level.L2.size") if "level.L2.size" in machine else 0.0,
            rate=rate,
            overflow=machine.value("level.L2.overflow"),
            unevenness=machine.value("level.L2.unevenness"),
            replication=machine.value("level.L2.replication"),
            dirty_share=machine.value("level.L2.dirty_share"),
            merged=machine.value("coalescer.share"),
            window=machine.cycles("coalescer.window"),
            alignment=machine.value("coalescer.alignment"),
            first_wave=machine.value("coalescer.first_wave"),
        )

    def kept(self, bytes_between: float) -> float:
        """Hit ratio at a reuse distance of `bytes_between`: 1 up to the capacity; beyond, cyclic accesses are evicted
        just before their reuse."""
        if not self.size:
            return 0.0
        return min(1.0, max(0.0, 1 - (bytes_between / self.size - 1) / self.overflow))

    def distance(self, groups: Sequence[Group]) -> float:
        """Bytes that a wave brings into L2; lines that multiprocessors at both partitions read are in both
        (validation/h200/tensor, x_bulk_wgmma/4096: a matrix of 33.5 MB is read again in every wave, beside 9.4 MB of
        another and 17.3 MB of results)."""
        return sum(group.wave * (self.replication if group.common else 1.0) for group in groups) * SECTOR

    def left(self, bytes_between: float) -> float:
        """Hit ratio of data that an earlier launch left. Its blocks were on other multiprocessors, so that lines come
        to be in both partitions. How full sets are differs: some lose their lines before L2 is full."""
        return self.left_of(bytes_between * self.replication)

    def left_of(self, occupied: float) -> float:
        """The same of data that occupy so many bytes of L2, in one partition or in both."""
        if not self.size:
            return 0.0
        return min(1.0, max(0.0, (1 + self.unevenness - occupied / self.size) / (2 * self.unevenness)))

    def kept_meanwhile(self, read: float, written: float) -> float:
        """Hit ratio of what a block reads again after its wave has read `read` bytes. An SM reads through its own
        partition, so that half of the lines are in both (NVIDIA, A100 whitepaper, "A100 L2 cache"). Of `written` bytes
        any part precedes: all of them where the end of a row is read again, none at its start (tuning spaces, softmax:
        rows that take up 17, 22, 26, 35, 43, 52 MB beside as many results are read again from L2 in 1, 0.9, 0.7, 0.4,
        0.2 and 0 of the cases)."""
        parts = [(place + 0.5) / _PARTS for place in range(_PARTS)]
        return sum(self.left_of(read * self.replication + part * written) for part in parts) / _PARTS

    def requested_alone(
        self, group: Group, asked: float, waves: float, resident: int, rate: float, *, in_step: bool
    ) -> float:
        """The fraction of a wave's L1 misses that reach L2, at `rate` sectors a cycle: requests of several
        multiprocessors for a sector in flight are merged, where blocks read the same data `in_step`. The fewer
        sectors a wave reads, the likelier a given one is in flight. The more blocks a multiprocessor has, the farther
        their warps drift apart: with the square root of their number. The blocks of the first wave start together."""
        if not in_step or asked <= group.wave_read:
            return 1.0
        apart = math.sqrt(resident)
        later = min(self.merged, 1 - math.exp(-self.alignment / apart * (self.window * rate) / group.wave_read))
        first = max(later, min(self.merged, self.first_wave / apart))
        met = later + (first - later) / max(1.0, waves)
        return 1 - met * (1 - group.wave_read / asked)

    def lost_by_chance(self, group: Group) -> float:
        """Miss ratio of random accesses of a wave; data are duplicated in both partitions of L2 (gather_f32/random)."""
        among = min(group.launch, group.reach) * SECTOR
        return 1 - min(1.0, self.size / 2 / among) if among else 0.0


@dataclass(frozen=True, slots=True)
class Levels:
    """Bytes of the whole launch at every level, and by instruction index the memory bytes per byte that L1 requests,
    and the bytes requested of L2: simultaneous requests of multiprocessors for the same data are merged."""

    requested: float
    to_l2: float
    from_memory: float
    to_memory: float
    far: dict[int, float]
    alone: dict[int, float]
    touched: float
    local: Local
    l2_hit: float | None = None  # hit ratio of reads in L2

    @property
    def writes(self) -> float:
        """The fraction of memory traffic that is written."""
        total = self.from_memory + self.to_memory
        return self.to_memory / total if total else 0.0


def local_memory(
    kernel: SassKernel, execution: Execution, blocks: float, resident_bytes: float, l1: float, at_once: float, l2: L2
) -> Local:
    """Computes local-memory traffic of a launch of `blocks` blocks, whose threads have `resident_bytes` on one
    multiprocessor and `at_once` on all. L1 is write-through (validation/h200/sweeps: s_own_8)."""
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
    present: Sequence[float],
    l2_hit: float | None = None,
) -> Levels:
    """Computes the traffic of a launch of the equivalent of `blocks` middle blocks, in `waves` waves, with `resident`
    blocks at a time on a multiprocessor. A wave takes at least `wave_cycles` cycles to issue.

    `present` is the fraction of each group that L2 holds at the start; `l2_hit` is the measured hit ratio of reads in
    L2, if any.
    """
    requested, reads, writes = _missed(kernel, traffic, blocks)
    reaching = _reaching(kernel, traffic, blocks, waves, l2, resident, wave_cycles, reads)
    reuse = _Reuse(l2.distance(traffic.groups), traffic.groups, [asked / waves for asked in reads])
    from_memory = [
        asked * (1 - l2_hit) if l2_hit is not None else _from_memory(group, asked, blocks, waves, l2, share, reuse)
        for group, asked, share in zip(traffic.groups, reads, present, strict=True)
    ]
    to_memory, filled = _stored(traffic, writes, l2)
    for_writes = [sum(pair) for pair in zip(to_memory, filled, strict=True)]
    to_l2 = sum(
        item.block_sectors * blocks * item.missed * reaching[position] for position, item in traffic.requests.items()
    )
    return Levels(
        requested=requested * SECTOR,
        to_l2=to_l2 * SECTOR,
        from_memory=(sum(from_memory) + sum(filled)) * SECTOR,
        to_memory=sum(to_memory) * SECTOR,
        far=_beyond_l2(kernel, traffic, blocks, (reads, from_memory), (writes, for_writes)),
        alone=reaching,
        touched=sum(group.launch for group in traffic.groups) * SECTOR,
        local=local,
        l2_hit=max(0.0, 1 - sum(from_memory) / sum(reads)) if sum(reads) else None,
    )


def _reaching(
    kernel: SassKernel,
    traffic: Traffic,
    blocks: float,
    waves: float,
    l2: L2,
    resident: int,
    wave_cycles: float,
    reads: Sequence[float],
) -> dict[int, float]:
    """By instruction index, the share of the requests of L1 that reach L2 unmerged."""
    rate = min(l2.rate, sum(reads) / (waves * wave_cycles))
    items = kernel.instructions

    @cache
    def alone(number: int, *, in_step: bool) -> float:
        group = traffic.groups[number]
        asked = min(reads[number], blocks * group.block_read) / waves
        return l2.requested_alone(group, asked, waves, resident, rate, in_step=in_step)

    return {
        position: alone(item.group, in_step=_in_step(items[position], item, traffic.groups[item.group]))
        for position, item in traffic.requests.items()
    }


def _stored(traffic: Traffic, writes: Sequence[float], l2: L2) -> tuple[list[float], list[float]]:
    """Sectors of each group that L2 writes to memory, and those of them that it reads before, since only parts of
    them were stored."""
    copies = [l2.replication if group.launch_read else 1.0 for group in traffic.groups]
    held = sum(held_sectors(group) * of for group, of in zip(traffic.groups, copies, strict=True)) * SECTOR
    written = sum(group.launch_write for group in traffic.groups)
    to_memory = [
        _to_memory(group, asked, held, written, l2) for group, asked in zip(traffic.groups, writes, strict=True)
    ]
    filled = [
        sectors if group.scattered or group.partial else 0.0
        for group, sectors in zip(traffic.groups, to_memory, strict=True)
    ]
    return to_memory, filled


def _beyond_l2(
    kernel: SassKernel,
    traffic: Traffic,
    blocks: float,
    reads: tuple[Sequence[float], Sequence[float]],
    writes: tuple[Sequence[float], Sequence[float]],
) -> dict[int, float]:
    """The fraction of each request that memory serves; `reads` and `writes`: sectors asked of L2, and of memory."""
    far: dict[int, float] = {}
    readers: defaultdict[int, dict[int, Requests]] = defaultdict(dict)
    for position, item in traffic.requests.items():
        stores = opcodes.writes_memory(kernel.instructions[position].opcode)
        asked, served = writes if stores else reads
        far[position] = served[item.group] / asked[item.group] if asked[item.group] else 0.0
        if not stores:
            readers[item.group][position] = item
    for group, requests in readers.items():
        far |= _of_first_reads(requests, blocks, reads[1][group])
    return far


def _of_first_reads(requests: Mapping[int, Requests], blocks: float, served: float) -> dict[int, float]:
    """The fraction of each that memory serves where the instructions of a group read the same data one after another:
    those that read them first wait for memory, the others only for what is left (validation/tuning, star3d: planes are
    read into registers from memory, and into shared memory two steps later from L2)."""
    first = {position: item.first_sectors * blocks for position, item in requests.items()}
    if not sum(first.values()):
        return {}
    asked = {position: item.block_sectors * item.missed * blocks for position, item in requests.items()}
    scale = min(1.0, served / sum(first.values()))
    own = {position: min(asked[position], scale * first[position]) for position in requests}
    room = sum(asked.values()) - sum(own.values())
    rest = min(1.0, max(0.0, served - sum(own.values())) / room) if room > 0 else 0.0
    return {
        position: (own[position] + rest * (asked[position] - own[position])) / asked[position]
        for position in requests
        if asked[position]
    }


def _in_step(item: SassInstruction, asked: Requests, group: Group) -> bool:
    """Whether blocks on several multiprocessors ask for the same data at the same time, in requests that are merged:
    not stores, and of cp.async past L1 only what asks for whole lines (validation/h200/tensor, x_mma_64_4/1024: halves
    of lines, none are merged; validation/tuning, triton_dense: tiles of 64 and more columns arrive at up to 13 TB/s,
    those of 32 at 9). Blocks that copy tiles walk through them in step, in whatever order they are numbered."""
    if opcodes.writes_memory(item.opcode):
        return False
    if item.opcode != "LDGSTS" or through_l1(item):
        return group.common
    return asked.whole and group.ordered and (group.common or not group.even)


def _missed(kernel: SassKernel, traffic: Traffic, blocks: float) -> tuple[float, list[float], list[float]]:
    """Sectors requested, and L1 misses of each group: read, and written."""
    reads = [0.0] * len(traffic.groups)
    writes = [0.0] * len(traffic.groups)
    requested = 0.0
    for position, item in traffic.requests.items():
        here = item.block_sectors * blocks
        requested += here
        sectors = here * item.missed
        (writes if opcodes.writes_memory(kernel.instructions[position].opcode) else reads)[item.group] += sectors
    return requested, reads, writes


def held_sectors(group: Group) -> float:
    """Sectors of L2 that the launch occupies: whole lines are allocated, also for isolated words."""
    if not group.scattered:
        return group.launch
    return min(group.launch * (LINE / SECTOR) / PIECE_SECTORS, max(group.launch, group.reach))


@dataclass(frozen=True, slots=True)
class _Reuse:
    """What lies between two reads of a sector: `wave` bytes that a wave brings into L2, of `groups` of which L1 asks
    for `asked` sectors in a wave."""

    wave: float
    groups: Sequence[Group]
    asked: Sequence[float]

    def within_block(self, share: float, l2: L2) -> float:
        """Hit ratio of what blocks read again after a share of their requests."""
        read = sum(min(group.wave_read, share * asked) for group, asked in zip(self.groups, self.asked, strict=True))
        written = min(1.0, 2 * share) * sum(group.wave_write for group in self.groups)
        return l2.kept_meanwhile(read * SECTOR, written * SECTOR)


def _from_memory(
    group: Group, asked: float, blocks: float, waves: float, l2: L2, present: float, reuse: _Reuse
) -> float:
    """Sectors read from memory. First accesses of the launch miss unless an earlier launch left the data (of which the
    fraction `present`); reuse between waves hits if what all groups touch in a wave fits, reuse within a block if what
    its wave touches meanwhile does. Blocks of one wave run concurrently and share. Isolated words hit at random
    (w_follow/16M)."""
    first = group.launch_read * (1 - present)
    if group.scattered:
        return max(first, PIECE_SECTORS * asked * l2.lost_by_chance(group))
    between = max(0.0, waves * group.wave_read - group.launch_read)
    again = max(0.0, asked - max(blocks * group.block_read, group.launch_read))
    own = group.wave * SECTOR
    if not group.even and group.ordered:  # a block reads whole lines again soon
        return first + between * l2.lost_by_chance(group) + again * (1 - l2.kept(own))
    if not group.even:
        return first + (between + again) * l2.lost_by_chance(group)
    # what other blocks read as well is in L2 anew, whenever this one reads it again
    lost = 1 - (l2.kept(own) if group.common else reuse.within_block(group.reread or 1.0, l2))
    return first + between * (1 - l2.kept(max(own, reuse.wave))) + again * lost


def _to_memory(group: Group, asked: float, held: float, written: float, l2: L2) -> float:
    """Sectors written to memory, of a launch that writes `written` of them and occupies `held` bytes of L2: each that
    L2 does not keep once, and again where isolated words find theirs evicted. The rest of such a sector is read first
    (t_scatter/DRAM)."""
    most = l2.dirty_share * l2.size / SECTOR * (group.launch_write / written if written else 0.0)
    first = max(group.launch_write * (1 - l2.left_of(held)), group.launch_write - most)
    if not group.scattered or first == 0:
        return first
    return first + max(0.0, asked - group.launch_write) * l2.lost_by_chance(group)
