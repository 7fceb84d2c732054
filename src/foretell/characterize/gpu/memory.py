"""Where a launch's requests to global memory are served: L1 by simulation, L2 and memory by counting sectors."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from foretell import _core
from foretell.characterize.gpu.functional import array_places
from foretell.core.gpu import opcodes
from foretell.core.gpu.sass import INSTRUCTION_BYTES

if TYPE_CHECKING:
    from foretell.characterize.gpu.functional import Execution
    from foretell.core.gpu.launch import Launch
    from foretell.core.gpu.sass import SassInstruction, SassKernel

#: bytes of a cache line, and of the part of it that is requested and filled by itself (CUDA C++ Programming Guide)
LINE, SECTOR = 128, 32
#: sectors that memory moves at a time (validation/h200, path.strided: a sector of every 64 bytes costs as much as
#: both), also where one is written (t_scatter/DRAM); the core counts such pieces
PIECE_SECTORS = 2.0
#: of instructions that count none down
_NO_COUNTER = 7


@dataclass(frozen=True, slots=True)
class Requests:
    """What one instruction asks of global memory, on the mean of its executions that ask anything.

    `misses` is the share of executions that go on to L2, `missed_sectors` what each of these asks there; of the others,
    the share `joins` waits for what another warp has just asked for;
    `block_sectors` is what a whole block asks for.
    """

    sectors: float
    block_sectors: float
    misses: float
    missed_sectors: float
    joins: float
    group: int

    @property
    def missed(self) -> float:
        """The share of its sectors that go on to L2."""
        return self.misses * self.missed_sectors / self.sectors if self.sectors else 0.0


@dataclass(frozen=True, slots=True)
class Group:
    """Different sectors that instructions walking alike through one array touch: in a block, a wave, the launch.

    `even` is False for those whose addresses do not shift evenly from block to block: they may be anywhere, in whole
    lines (`ordered`) or here and there; those of a wave lie among `reach` sectors. `common`: blocks that differ in one
    place of the grid ask for the same.
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

    @property
    def writes(self) -> bool:
        return self.launch_write > 0

    @property
    def scattered(self) -> bool:
        """Words here and there."""
        return not self.even and not self.ordered


@dataclass(frozen=True, slots=True)
class FirstLevel:
    """L1 of a multiprocessor: `size` in bytes, `ways`, the requests in flight at which it takes no more
    (`outstanding`), and the share of waves that blocks are at the same point: of the first where L1 takes no more
    requests (`throttled`), where it takes all (`first_wave`), and of later ones."""

    size: float
    ways: int
    outstanding: float
    throttled: float
    first_wave: float
    later_waves: float


@dataclass(frozen=True, slots=True)
class Traffic:
    """By place in the text the requests of global memory, and the groups that they belong to."""

    requests: dict[int, Requests]
    groups: tuple[Group, ...]


def traffic(
    kernel: SassKernel, launch: Launch, execution: Execution, *, multiprocessors: int, resident: int, l1: FirstLevel
) -> Traffic:
    """Requests by level of a launch whose blocks go to `multiprocessors` in turn, `resident` at a time on each."""
    question = _question(kernel, launch, execution, multiprocessors, resident)
    question.l1_lines, question.l1_ways = int(l1.size) // LINE, l1.ways
    question.l1_outstanding, question.lockstep_throttled = l1.outstanding, l1.throttled
    question.lockstep_first_wave, question.lockstep_later_waves = l1.first_wave, l1.later_waves
    answer = _core.memory_analyse(execution.record, question)
    groups = tuple(Group(**{name: getattr(item, name) for name in Group.__slots__}) for item in answer.groups)
    mine = launch.blocks / multiprocessors
    found = {
        place: _by_chance(_requests(item), groups[item.group], mine, l1.size)
        if question.cached[place]
        else _requests(item)
        for place, item in enumerate(answer.instructions)
        if item.executions
    }
    if launch.l1_hit is not None:
        found = _as_measured(kernel, found, launch.l1_hit)
    return Traffic(found, groups)


def _question(
    kernel: SassKernel, launch: Launch, execution: Execution, multiprocessors: int, resident: int
) -> _core.MemoryQuestion:
    """The launch, and what the text says of every instruction."""
    question = _core.MemoryQuestion()
    question.grid = list(launch.grid)
    question.middle = execution.middle
    question.neighbour = list(execution.neighbours)
    question.wave = min(launch.blocks, multiprocessors * resident)
    question.stride = multiprocessors
    question.resident = resident
    question.warm = launch.blocks > multiprocessors * resident
    question.cached = [through_l1(item) for item in kernel.instructions]
    question.writes = [opcodes.writes_memory(item.opcode) for item in kernel.instructions]
    question.waits = [item.control.wait_mask for item in kernel.instructions]
    question.counters = [
        _NO_COUNTER if item.control.write_barrier is None else item.control.write_barrier
        for item in kernel.instructions
    ]
    question.back = [_back(place, item) for place, item in enumerate(kernel.instructions)]
    question.arrays = array_places(launch)
    return question


def through_l1(item: SassInstruction) -> bool:
    """Loads of the block's own view go through L1; those that must see other blocks' writes do not."""
    past = {"SYS", "GPU", "EF"} & set(item.modifiers)
    return item.opcode in ("LD", "LDG", "LDGSTS") and not past and "BYPASS" not in item.modifiers


def _back(place: int, item: SassInstruction) -> int:
    """Where a branch leads back to, a place in the text; -1 for other instructions."""
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
    )


def _as_measured(kernel: SassKernel, found: dict[int, Requests], hit: float) -> dict[int, Requests]:
    """Loads miss more or less, each in proportion to what it could, until all together hit as often as was measured."""
    loads = {place: item for place, item in found.items() if through_l1(kernel.instructions[place])}
    asked = sum(item.block_sectors for item in loads.values())
    missed = sum(item.block_sectors * item.missed for item in loads.values())
    wanted = (1 - hit) * asked
    changed = {}
    for place, item in loads.items():
        if wanted <= missed:
            share = item.missed * (wanted / missed if missed else 0.0)
        else:
            share = item.missed + (1 - item.missed) * (wanted - missed) / (asked - missed)
        changed[place] = replace(item, misses=share, missed_sectors=item.sectors)
    return {**found, **changed}


def _by_chance(found: Requests, group: Group, blocks: float, l1_bytes: float) -> Requests:
    """Requests that fall anywhere find in L1 what earlier blocks of a multiprocessor left, more than the few executed
    ones show: all of what fits, once each sector has come."""
    asked = found.misses * found.missed_sectors
    if group.even or not asked or not found.block_sectors:
        return found
    touched = group.launch * SECTOR
    first = min(1.0, group.launch / (found.block_sectors * blocks))
    share = max(first, 1 - l1_bytes / touched) * found.sectors
    return replace(found, missed_sectors=found.missed_sectors * min(1.0, share / asked))
