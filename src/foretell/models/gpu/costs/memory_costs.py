"""Computes the costs of memory requests in each executed shape: turns of L1 and shared memory, and what goes beyond."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from foretell.characterize.gpu.memory import LINE, PIECE_SECTORS, SECTOR, Updates, lane_bytes, stays_in_l1, through_l1
from foretell.core.gpu import opcodes
from foretell.models.gpu.multiprocessor import L1, L2, NAMES, SHARED, HotLine
from foretell.models.gpu.timing import CONSTANT_LINE, INTS, KINDS, REALS
from foretell.models.saake.resources import bytes_per_cycle

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from foretell.characterize.gpu.functional import Shape
    from foretell.characterize.gpu.memory import Group, Requests, Traffic
    from foretell.core.gpu.sass import SassInstruction
    from foretell.models.gpu.cache_levels import Levels
    from foretell.models.gpu.multiprocessor import Multiprocessor

_KIND = {name: number for number, name in enumerate(KINDS)}
_INT = {name: column for column, name in enumerate(INTS)}
_REAL = {name: column for column, name in enumerate(REALS)}
#: a line is hot if it has this many times the mean updates of a line
_HOT = 3
#: data of which so many lines are read in the other partition of L2 are spread over both, whoever writes them
_BOTH = 0.25


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """A row of the tables of the timing core: one instruction in one shape."""

    item: SassInstruction
    position: int
    shape: Shape
    ints: NDArray[np.int32]
    reals: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class MemoryCosts:
    """Costs of a kernel whose requests are distributed as in `traffic` and `served`, on one of so many
    `multiprocessors`; `constant_bytes` are those that it reads by an index in a register of each lane."""

    traffic: Traffic
    served: Levels
    there: Multiprocessor
    multiprocessors: float
    constant_bytes: int

    def add(self, row: Row) -> None:
        """Adds the costs of one request: its wavefronts on the shared path, and its fractions that go on to L2 and to
        memory."""
        if row.item.opcode == "BAR":
            _named_barrier(row)
        elif row.item.opcode == "SYNCS":
            self._mbarrier(row)
        elif opcodes.unit(row.item.opcode) == "constant":
            self._constants(row)
        elif row.item.opcode in opcodes.SHARED or not row.shape.sectors:  # generic accesses to shared memory have none
            self._shared(row)
        else:
            self._global(row)

    @property
    def _before(self) -> float:
        """Cycles of an address on its way, which are no part of latencies."""
        return self.there.machine.cycles("pipeline.address.gap") + 1

    def _global(self, row: Row) -> None:
        ints, reals = row.ints, row.reals
        ints[_INT["kind"]] = _KIND["store" if opcodes.writes_memory(row.item.opcode) else "load"]
        ints[_INT["path_name"]] = NAMES.index(L1)
        ints[_INT["copies"]] = row.item.opcode == "LDGSTS"
        if row.item.opcode in opcodes.BULK_COPIES:
            ints[_INT["object"]], ints[_INT["amount"]] = row.shape.serial, _landed(row.shape)
        reals[_REAL["path"]] = self._path(row.item, row.shape)
        reals[_REAL["latency"]] = self.there.latency[L1] - self._before
        reals[_REAL["lines"]] = row.shape.lines
        if row.item.opcode in opcodes.LOCAL:
            self._local(row)
        asked = self.traffic.requests.get(row.position)
        if asked is not None and asked.sectors:
            self._missed(row, asked, self.traffic.groups[asked.group])

    def _path(self, item: SassInstruction, shape: Shape) -> float:
        """Cycles of L1. Its banks take a turn in each cycle, and the way back takes the bytes of all lanes: 64 in each
        cycle on GA10x and AD10x, where lanes with a line each (validation/published, product_by_rows) are as fast as on
        GPUs with 128."""
        turns, gap = self._turns(item, shape), self.there.gap[L1]
        if not shape.wavefronts or item.opcode in (*opcodes.BULK_COPIES, *opcodes.LOCAL):
            return turns * gap
        return max(turns * min(1.0, gap), lane_bytes(item) * shape.lanes / LINE * gap)

    def _turns(self, item: SassInstruction, shape: Shape) -> float:
        """Turns of L1."""
        machine = self.there.machine
        if item.opcode in opcodes.BULK_COPIES:
            return max(1.0, _landed(shape) / 4)
        turns = max(shape.wavefronts, machine.value("lsu.load_line" if shape.lines == 1 else "lsu.load_lines"))
        if not shape.wavefronts:  # except for global loads, only lines and bytes are known
            turns = max(float(shape.lines), shape.sectors / 4, lane_bytes(item) * shape.lanes / 128, 1)
        if item.opcode in opcodes.ATOMICS:
            return max(turns, float(shape.serial))  # lanes on one address go one after another
        if item.opcode == "STL" and shape.lines > 1:
            return turns * machine.value("lsu.local_store")
        narrow = opcodes.writes_memory(item.opcode) and shape.lines > machine.value("lsu.narrow_store")
        return turns * 2 if narrow else turns

    def _local(self, row: Row) -> None:
        """Local memory: L1 is write-through."""
        stores = opcodes.writes_memory(row.item.opcode)
        row.reals[_REAL["misses"]] = 1.0 if stores else self.served.local.misses
        self._beyond(row, 1.0, in_order=False)
        row.reals[_REAL["far_misses"]], row.reals[_REAL["far_sectors"]] = self.served.local.far, row.shape.sectors

    def _missed(self, row: Row, asked: Requests, group: Group) -> None:
        """What misses L1."""
        reals, there = row.reals, self.there
        missed = asked.missed_sectors / asked.sectors
        if through_l1(row.item):  # fills from L2 are written into L1
            filled = asked.misses * row.shape.sectors * missed
            reals[_REAL["path"]] += filled * there.machine.value("lsu.fill_sector") * there.gap[L1]
        reals[_REAL["misses"]] = asked.misses
        reals[_REAL["joins"]] = asked.joins
        self._beyond(row, missed, in_order=not group.scattered)
        reals[_REAL["sectors"]] *= self.served.alone[row.position]
        far = self.served.far[row.position]
        reals[_REAL["far_misses"]] = min(1.0, far)
        pieces = PIECE_SECTORS if opcodes.writes_memory(row.item.opcode) else 1.0
        alone = group.scattered or (group.partial and row.shape.lines == row.shape.sectors)  # sectors, each in its line
        scattered = (there.scattered if group.scattered else 1.0) * (pieces if alone else 1.0)
        reals[_REAL["far_sectors"]] = row.shape.sectors * missed * max(1.0, far) * scattered
        if there.far_share < _BOTH:
            reals[_REAL["more_latency"]] = self._in_other_partition(row, group)
        self._few_lines(row, group)

    def _in_other_partition(self, row: Row, group: Group) -> float:
        """Cycles that a request takes longer since written lines are in one partition only, half of them in the farther
        one; of lines that are only read, both have copies (validation/h200/micro, rates.jsonl, launch: in_place and
        copied). Of the many stores of a block, whose end it waits for, some are there."""
        if row.item.opcode in opcodes.STORES:
            return self.there.farther
        return self.there.farther * (1 - 0.5**row.shape.lines) if group.even and group.writes else 0.0

    def _few_lines(self, row: Row, group: Group) -> None:
        """Stores and atomics of many multiprocessors to the same lines are served one after another."""
        reals, there = row.reals, self.there
        lines = group.wave_write / 4
        if row.item.opcode in opcodes.STORES and lines:
            turn = row.shape.lines * there.store_cycles(lines, self.multiprocessors)
            reals[_REAL["serial"]] = max(0.0, turn - reals[_REAL["sectors"]] * there.gap[L2])
            if stays_in_l1(row.item) and (group.common or not group.even):
                row.ints[_INT["place"]] = 1 + self.traffic.requests[row.position].group
                counted = min(PIECE_SECTORS * row.shape.sectors, LINE / SECTOR * row.shape.lines)  # whole pieces
                reals[_REAL["merges"]] = min(1.0, counted / group.wave_write)
        if row.item.opcode in opcodes.ATOMICS:
            floating = any(modifier.startswith("F") for modifier in row.item.modifiers)
            hot = _hot_lines(self.traffic.updates.get(row.position, Updates()), lines)
            passes = row.shape.sectors * _summed_words(row.item)
            turn = there.atomic_cycles(
                passes, row.shape.serial, lines, self.multiprocessors, floating=floating, hot=hot
            )
            spread = there.spread_cycles(passes, self.multiprocessors)
            reals[_REAL["serial"]] = max(0.0, spread - reals[_REAL["sectors"]] * there.gap[L2])
            reals[_REAL["busiest"]] = turn
            if row.item.opcode in opcodes.RETURNING:
                reals[_REAL["more_latency"]] = self._at_home(row.shape.lines)

    def _at_home(self, lines: float) -> float:
        """Cycles that an atomic takes longer than a load from L2: it is done in the partition that a line belongs to,
        the farther one for half of the lines, and the warp waits for the slowest of its lines."""
        mean = self.there.machine.cycles("atomic.latency") - self.there.latency[L2]
        return max(mean, self.there.farther * (1 - math.pow(0.5, lines)))

    def _shared(self, row: Row) -> None:
        """A shared-memory request. Atomics of lanes on one address are serialised; increments by one are counted and
        done together."""
        serial = 0 if "POPC" in row.item.modifiers else row.shape.serial
        wavefronts = max(row.shape.wavefronts, serial, 1)
        row.ints[_INT["kind"]] = _KIND["shared"]
        self._shared_path(row, wavefronts)
        if row.shape.lines:
            self._other_blocks(row)

    def _other_blocks(self, row: Row) -> None:
        """Lanes that ask for shared memory of other blocks of the cluster (the core counts them as lines): by way of
        the network between multiprocessors."""
        machine, asked = self.there.machine, float(row.shape.lines)
        cycles = lane_bytes(row.item) * asked / bytes_per_cycle(machine, "cluster.bandwidth")
        if row.item.opcode in opcodes.ATOMICS:
            cycles = asked * machine.cycles("cluster.update")
        row.reals[_REAL["path"]] = max(row.reals[_REAL["path"]], cycles)
        row.reals[_REAL["latency"]] = machine.cycles("cluster.latency") - self._before

    def _mbarrier(self, row: Row) -> None:
        """An operation on an mbarrier, and what it does to it (`Memory::synchronise` of the core)."""
        modifiers, ints, shape = row.item.modifiers, row.ints, row.shape
        awaits = "PHASECHK" in modifiers
        ints[_INT["kind"]] = _KIND["await" if awaits else "arrive" if "ARRIVE" in modifiers else "begin"]
        ints[_INT["object"]], ints[_INT["lanes"]] = shape.serial, shape.lanes
        ints[_INT["amount"]] = shape.wavefronts if awaits else shape.sectors
        self._shared_path(row, 1)

    def _constants(self, row: Row) -> None:
        """A load from constant memory by an index in a register. The cache of such constants (Nsight Compute: IDC;
        those of immediate addresses and of uniform registers are in another, IMC) serves one address of a warp after
        another, wherever they are, beside the path of other requests; the core counts addresses as wavefronts, the
        bytes that it goes on as sectors, and leaps as serial."""
        cycles, shape = self.there.machine.cycles, row.shape
        uniform = row.item.opcode.startswith("U")
        row.ints[_INT["leaps"]] = 0 if uniform else shape.serial  # all warps of a block leap alike
        if uniform or self.constant_bytes > self.there.machine.value("lsu.constant_size"):
            row.reals[_REAL["walked"]] = shape.sectors / CONSTANT_LINE
            fetched = 1.0 if uniform else self._fetched(shape)
            row.reals[_REAL["line_gap"]] = cycles("lsu.uniform_line" if uniform else "lsu.constant_fetch") * fetched
            row.reals[_REAL["line_wait"]] = cycles("lsu.uniform_line" if uniform else "lsu.constant_wait")
        if not uniform:
            row.ints[_INT["path_name"]] = row.ints[_INT["unit"]]
            row.reals[_REAL["path"]] = shape.wavefronts * cycles("lsu.constant_address")
            row.reals[_REAL["path"]] += row.reals[_REAL["walked"]] * self._more_lines(shape)
            again = max(0, shape.wavefronts - 1) * cycles("lsu.constant_turn")
            row.reals[_REAL["latency"]] = self.there.latency["constant"] - self._before + again

    def _fetched(self, shape: Shape) -> float:
        """Lines that a request fetches which its cache may lack: of words at random one for each address, but for those
        that it holds."""
        if not shape.serial:
            return max(float(shape.lines), shape.wavefronts * 4 / CONSTANT_LINE)
        kept = self.there.machine.value("lsu.constant_kept") / max(1, self.constant_bytes)
        return shape.wavefronts * max(0.0, 1.0 - kept)

    def _more_lines(self, shape: Shape) -> float:
        """Cycles to fetch the lines of a warp beyond those that its words fill: it asks for all of them at once, and
        nothing else is served meanwhile (validation/h200/loops, l_constants/32)."""
        if shape.serial or self.constant_bytes <= self.there.machine.value("lsu.constant_size"):
            return 0.0
        beyond = max(0.0, shape.lines - max(1.0, shape.wavefronts * 4 / CONSTANT_LINE))
        return beyond * self.there.machine.cycles("lsu.constant_fetch")

    def _shared_path(self, row: Row, wavefronts: float) -> None:
        row.ints[_INT["path_name"]] = NAMES.index(SHARED)
        row.reals[_REAL["path"]] = wavefronts * self.there.gap[SHARED]
        row.reals[_REAL["latency"]] = self.there.latency[SHARED] - self._before

    def _beyond(self, row: Row, missed: float, *, in_order: bool) -> None:
        """Sets the L2 cost of a request, in units of sequentially read sectors. Where addresses are `in_order`, warps
        write parts of the same sectors at a time, one after another."""
        item, reals, value = row.item, row.reals, self.there.machine.value
        sectors, lines = row.shape.sectors * missed, row.shape.lines * missed
        reals[_REAL["sectors"]] = max(sectors, value("level.L2.lone_sector") * lines)
        reals[_REAL["crowds"]] = 1.0 if opcodes.writes_memory(item.opcode) else 0.0
        if item.opcode in opcodes.STORES:
            partial = in_order and lane_bytes(item) * row.shape.lanes < SECTOR * row.shape.sectors
            line = value("level.L2.store_partial" if partial else "level.L2.store_line")
            reals[_REAL["sectors"]] = max(value("level.L2.store_sector") * sectors, line * lines)
            reals[_REAL["written"]] = (
                value("level.L2.write_path_sector") * sectors + value("level.L2.write_path_line") * lines
            )


def _named_barrier(row: Row) -> None:
    """A barrier with a number of its own, for some threads of the block (`Runner::arrival` of the core); one whose
    number is not known is that of the whole block."""
    if row.shape.serial:
        row.ints[_INT["groups"]], row.ints[_INT["amount"]] = row.shape.serial - 1, row.shape.sectors
    elif "ARV" in row.item.modifiers:
        row.ints[_INT["kind"]] = _KIND["plain"]


def _landed(shape: Shape) -> int:
    """Sectors that a bulk copy brings: those of other blocks of a cluster, too, where it is for several."""
    return shape.wavefronts or shape.sectors


def _summed_words(item: SassInstruction) -> float:
    """Words of a lane that an atomic updates one after another: those of vectors of floating-point numbers, of eight
    halves four (validation/h200/layers, t_split)."""
    return lane_bytes(item) / 4 if any("x" in modifier for modifier in item.modifiers) else 1.0


def _hot_lines(updates: Updates, lines: float) -> tuple[HotLine, ...]:
    """Lines that have far more updates than the others: than all lines, and than those that the sampled blocks update,
    which may be few."""
    usual = updates.sectors / max(1.0, min(lines, updates.lines))
    return tuple(
        HotLine(line.number, line.sectors / updates.sectors, min(line.word, line.sectors) / updates.sectors)
        for line in updates.busy
        if line.sectors > _HOT * usual
    )
