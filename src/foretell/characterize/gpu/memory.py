"""Serves a launch's requests to global memory: L1 by simulation, L2 and DRAM by counting distinct sectors."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from foretell import _core
from foretell.characterize.gpu.launch_arguments import array_places
from foretell.core.gpu import opcodes
from foretell.core.gpu.by_syntax import BySyntax
from foretell.core.gpu.sass import INSTRUCTION_BYTES

if TYPE_CHECKING:
    from foretell.characterize.gpu.functional import Execution
    from foretell.core.gpu.launch import Launch
    from foretell.core.gpu.sass import SassInstruction, SassKernel

#: bytes of a cache line, and of a sector, which is requested and filled by itself (CUDA C++ Programming Guide)
LINE, SECTOR = 128, 32
#: bytes of shared memory that one request of cp.async is for (`Memory::count_copied` of the core)
COPIED = 64
#: sectors per DRAM access (validation/h200, path.strided: a sector of every 64 bytes costs as much as both), also for
#: writes of one (t_scatter/DRAM); the core counts such pieces
PIECE_SECTORS = 2.0
#: a launch that writes this fraction of the bytes of its sectors writes whole ones
_WHOLE = 0.9
#: a line that atomics of the executed blocks update in so many sectors is busy
_BUSY_SECTORS = 32
#: bytes of one lane by modifier; vectors of floating-point numbers are summed by atomics
_LANE_BYTES = {
    "128": 16, "F32x4": 16, "F16x8": 16, "BF16x8": 16, "64": 8, "F32x2": 8, "F16x4": 8, "BF16x4": 8,
    "U16": 2, "S16": 2, "16": 2, "U8": 1, "S8": 1, "8": 1,
}  # fmt: skip
#: barrier index of instructions that set no scoreboard
_NO_COUNTER = 7


@dataclass(frozen=True, slots=True)
class Requests:
    """Requests of one instruction to global memory, averaged over its executions that make any.

    `misses` is the fraction of executions that miss L1, `missed_sectors` the sectors that each of these requests from
    L2; of the others, the fraction `joins` waits for a line that another warp has just requested (hit on miss);
    `block_sectors` are the sectors requested by a whole block, `first_sectors` those of them that no other instruction
    reads before, in the block or in one beside it; 0 of all where that does not matter. `whole`: each is for all
    sectors of its lines, or of its 64 bytes of shared memory (cp.async), at places that do not follow from data.
    """

    sectors: float
    block_sectors: float
    misses: float
    missed_sectors: float
    joins: float
    group: int
    whole: bool = False
    first_sectors: float = 0.0

    @property
    def missed(self) -> float:
        """Fraction of its sectors that miss L1."""
        return self.misses * self.missed_sectors / self.sectors if self.sectors else 0.0


@dataclass(frozen=True, slots=True)
class Group:
    """Distinct sectors that instructions with the same access pattern in one array touch: in a block, a wave, the
    launch.

    `even` is False where addresses do not shift by a constant from block to block: they are irregular, in whole lines
    (`ordered`) or single words; those of a wave are spread over `reach` sectors. `common`: blocks that differ in one
    coordinate of the grid request the same sectors. `reread`: the share of a block's requests between two reads of a
    sector by it. `stored_bytes` are those of all stores of the launch.
    """

    array: int
    even: bool
    ordered: bool
    common: bool
    block_read: float
    wave_read: float
    launch_read: float
    wave_write: float
    launch_write: float
    wave: float
    launch: float
    reach: float
    reread: float = 0.0
    stored_bytes: float = 0.0

    @property
    def partial(self) -> bool:
        """Whether the launch writes parts of sectors only: the rest of a sector is read when it leaves L2."""
        return 0 < self.stored_bytes < _WHOLE * self.launch_write * SECTOR

    @property
    def writes(self) -> bool:
        return self.launch_write > 0

    @property
    def scattered(self) -> bool:
        """Whether accesses are irregular single words."""
        return not self.even and not self.ordered


#: counts of a group by the core
_COUNTED = tuple(name for name in Group.__slots__ if name != "stored_bytes")


@dataclass(frozen=True, slots=True)
class FirstLevel:
    """L1 of a multiprocessor: `size` in bytes, `ways`, the requests in flight at which it stalls (`outstanding`), and
    the fraction of waves in which blocks run in lockstep: of the first wave where L1 stalls (`throttled`), where it
    does not (`first_wave`), and of later ones."""

    size: float
    ways: int
    outstanding: float
    throttled: float
    first_wave: float
    later_waves: float


class BusyLine(NamedTuple):
    """A line that atomics update often: `sectors` of all passes over it, its `number`, lanes of its busiest word."""

    sectors: int
    number: int
    word: int


@dataclass(frozen=True, slots=True)
class Updates:
    """What the executed blocks update by one atomic: `sectors` of all passes over `lines` lines, and the busy ones of
    these, the busiest first."""

    sectors: int = 0
    lines: int = 0
    busy: tuple[BusyLine, ...] = ()


@dataclass(frozen=True, slots=True)
class Traffic:
    """Requests to global memory by index of the instruction, the groups that they belong to, and the updates of
    atomics."""

    requests: dict[int, Requests]
    groups: tuple[Group, ...]
    updates: dict[int, Updates]


def traffic(
    kernel: SassKernel,
    launch: Launch,
    execution: Execution,
    *,
    multiprocessors: int,
    resident: int,
    l1: FirstLevel,
    weights: tuple[float, ...] = (),
    by_data: frozenset[int] = frozenset(),
    alone: int | None = None,
) -> Traffic:
    """Requests by level of a launch with blocks distributed round-robin to `multiprocessors`, `resident` at a time on
    each. `weights` of the executed blocks are given if they are unequal; `by_data` are the instructions whose addresses
    follow from loaded data; `alone` is the index of a block that has a multiprocessor to itself."""
    question = _question(kernel, launch, execution, multiprocessors, resident)
    question.weights = list(weights)
    question.by_data = [position in by_data for position in range(len(kernel.instructions))]
    if alone is not None:
        question.middle, question.neighbour = alone, [-1, -1, -1]
        question.resident, question.warm, question.weights = 1, False, []
    question.l1_lines, question.l1_ways = int(l1.size) // LINE, l1.ways
    question.l1_outstanding, question.lockstep_throttled = l1.outstanding, l1.throttled
    question.lockstep_first_wave, question.lockstep_later_waves = l1.first_wave, l1.later_waves
    answer = _core.memory_analyse(execution.record, question)
    found, cached = answer.instructions, _properties(kernel)["cached"]
    stored = _stored_bytes(kernel, launch, execution, found, len(answer.groups))
    groups = tuple(
        Group(**{name: getattr(item, name) for name in _COUNTED}, stored_bytes=stored[number])
        for number, item in enumerate(answer.groups)
    )
    mine = launch.blocks / multiprocessors
    requests = {
        position: _hits_among_neighbours(_requests(item), groups[item.group], mine, l1.size)
        if cached[position]
        else _requests(item)
        for position, item in enumerate(found)
        if item.executions
    }
    requests |= {  # not among the simulated blocks
        position: Requests(
            sectors=1.0, block_sectors=item.block_sectors, misses=1.0, missed_sectors=1.0, joins=0.0, group=item.group
        )
        for position, item in enumerate(found)
        if item.group >= 0 and not item.executions
    }
    requests = {
        position: replace(item, whole=position not in by_data and _asks_for_whole(execution, kernel, position))
        for position, item in requests.items()
    }
    if launch.l1_hit is not None:
        requests = _as_measured(kernel, requests, launch.l1_hit)
    atomics = [position for position, item in enumerate(kernel.instructions) if item.opcode in opcodes.ATOMICS]
    return Traffic(requests, groups, {position: _updates(execution, position) for position in atomics})


def neighbours_alike(execution: Execution, grid: tuple[int, int, int]) -> bool:
    """Whether the blocks beside the middle one, along every axis of the grid, execute as much and make the same
    requests, each further on by whole sectors: the strides of their addresses are multiples of a sector."""
    beside = zip(execution.neighbours, grid, strict=True)
    if any(size > 1 and place < 0 for place, size in beside):
        return False
    return _core.memory_alike_beside(execution.record, execution.middle, execution.neighbours)


def _asks_for_whole(execution: Execution, kernel: SassKernel, position: int) -> bool:
    counts, copies = execution.instructions[position], kernel.instructions[position].opcode == "LDGSTS"
    return counts.unknown_addresses == 0 and counts.sectors * SECTOR >= counts.lines * (COPIED if copies else LINE)


def _updates(execution: Execution, position: int) -> Updates:
    sectors, lines, busy = execution.record.updates(position, _BUSY_SECTORS)
    return Updates(sectors, lines, tuple(BusyLine(*line) for line in busy))


def _question(
    kernel: SassKernel, launch: Launch, execution: Execution, multiprocessors: int, resident: int
) -> _core.MemoryQuestion:
    """Input of the core: the launch, and the static properties of every instruction."""
    question = _core.MemoryQuestion()
    question.grid = list(launch.grid)
    question.middle = execution.middle
    question.neighbour = list(execution.neighbours)
    question.wave = min(launch.blocks, multiprocessors * resident)
    question.stride = multiprocessors
    question.resident = resident
    question.warm = launch.blocks > multiprocessors * resident
    for name, values in _properties(kernel).items():
        setattr(question, name, values)
    question.arrays = array_places(launch)
    return question


@lru_cache(maxsize=8)
def _properties(kernel: SassKernel) -> dict[str, list[bool] | list[int]]:
    """The static properties of every instruction, by their names in the core."""
    items = kernel.instructions
    cached, leaves, writes, empties = map(list, zip(*_FLAGS.of_all(items), strict=True))
    return {
        "cached": cached,
        "leaves": leaves,
        "writes": writes,
        "empties": empties,
        "waits": [item.control.wait_mask for item in items],
        "counters": [
            _NO_COUNTER if item.control.write_barrier is None else item.control.write_barrier for item in items
        ],
        "back": [_back(place, item) for place, item in enumerate(items)],
    }


def _stored_bytes(
    kernel: SassKernel, launch: Launch, execution: Execution, requests: list[_core.MemoryRequests], groups: int
) -> list[float]:
    """Bytes that the stores to each group write in the launch, as many in each sector as in the executed blocks."""
    result = [0.0] * groups
    for position, (item, found) in enumerate(zip(kernel.instructions, requests, strict=True)):
        if item.opcode in opcodes.STORES and found.group >= 0 and (counts := execution.instructions[position]).sectors:
            stored = counts.active_lanes * lane_bytes(item) / counts.sectors
            result[found.group] += stored * found.block_sectors * launch.blocks
    return result


def lane_bytes(item: SassInstruction) -> int:
    """Bytes that one lane requests."""
    return next((_LANE_BYTES[modifier] for modifier in item.modifiers if modifier in _LANE_BYTES), 4)


def through_l1(item: SassInstruction) -> bool:
    """Whether loads go through L1: those that must see other blocks' writes do not."""
    past = {"SYS", "GPU", "EF"} & set(item.modifiers)
    return item.opcode in ("LD", "LDG", "LDGSTS") and not past and "BYPASS" not in item.modifiers


def stays_in_l1(item: SassInstruction) -> bool:
    """Whether what it stores can be read from L1 afterwards (validation/h200/suites, u_adi_columns and u_adi_rows:
    Nsight Compute counts hits where a thread reads what it stored in the round before)."""
    return item.opcode in ("ST", "STG") and not {"SYS", "GPU"} & set(item.modifiers)


def invalidates_l1(item: SassInstruction) -> bool:
    """Whether it empties L1: what other multiprocessors wrote before a fence or a barrier of the cluster must be seen
    (validation/h200/layers, l_cluster_norm: rows that are read again behind the barrier come from L2)."""
    return item.opcode == "CCTL" and "IVALL" in item.modifiers


#: whether it goes through L1, what it stores stays there, it writes to global memory, and it empties L1
_FLAGS = BySyntax(
    lambda item: (through_l1(item), stays_in_l1(item), opcodes.writes_memory(item.opcode), invalidates_l1(item))
)


def _back(place: int, item: SassInstruction) -> int:
    """Target of a backward branch, as an index into the text; -1 for other instructions."""
    if item.opcode != "BRA":
        return -1
    targets = [operand.value // INSTRUCTION_BYTES for operand in item.operands if operand.kind == "immediate"]
    return targets[-1] if targets and targets[-1] <= place else -1


def _requests(item: _core.MemoryRequests) -> Requests:
    return Requests(
        sectors=item.sectors / item.executions,
        block_sectors=item.block_sectors,
        misses=item.misses / item.executions,
        missed_sectors=item.missed_sectors / item.misses if item.misses else 0.0,
        joins=item.joins / max(1.0, item.executions - item.misses),
        group=item.group,
        first_sectors=item.first_sectors,
    )


def _as_measured(kernel: SassKernel, requests: dict[int, Requests], hit: float) -> dict[int, Requests]:
    """Scales the misses of loads, each in proportion to its possible range, to match a measured overall hit rate."""
    loads = {position: item for position, item in requests.items() if through_l1(kernel.instructions[position])}
    asked = sum(item.block_sectors for item in loads.values())
    missed = sum(item.block_sectors * item.missed for item in loads.values())
    wanted = (1 - hit) * asked
    changed = {}
    for position, item in loads.items():
        if wanted <= missed:
            share = item.missed * (wanted / missed if missed else 0.0)
        else:
            share = item.missed + (1 - item.missed) * (wanted - missed) / (asked - missed)
        changed[position] = replace(item, misses=share, missed_sectors=item.sectors)
    return {**requests, **changed}


def _hits_among_neighbours(requests: Requests, group: Group, blocks: float, l1_bytes: float) -> Requests:
    """Adds L1 hits of irregular requests on sectors left by earlier blocks of a multiprocessor, which the few executed
    blocks do not show: all that fit, once each sector was loaded."""
    asked = requests.misses * requests.missed_sectors
    if group.even or not asked or not requests.block_sectors:
        return requests
    touched = group.launch * SECTOR
    first = min(1.0, group.launch / (requests.block_sectors * blocks))
    share = max(first, 1 - l1_bytes / touched) * requests.sectors
    return replace(requests, missed_sectors=requests.missed_sectors * min(1.0, share / asked))
