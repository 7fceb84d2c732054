"""Executes sampled blocks of a kernel lane by lane, in the compiled core."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from foretell import _core, limits
from foretell.characterize.gpu import kept_extremes
from foretell.characterize.gpu.kept_extremes import without_swap
from foretell.characterize.gpu.launch_arguments import BANK_BYTES, pass_arguments
from foretell.characterize.gpu.program import program_of
from foretell.core.gpu import branches, opcodes
from foretell.core.gpu.image import system_address
from foretell.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from foretell.core.gpu.launch import Launch
    from foretell.core.gpu.sass import SassInstruction, SassKernel

#: one execution shape of an instruction, as recorded by the core
Shape: TypeAlias = _core.FunctionalShape
#: the log of the core: every warp's sequence and every request
Result: TypeAlias = _core.FunctionalResult
#: work of one block: instructions, those of its longest warp, requested sectors
BlockCount: TypeAlias = _core.FunctionalCount

#: maximum warp-instructions of one block that are executed, and of all sampled blocks together, at the default limit of
#: time (like those below, in proportion to it)
BUDGET = 50_000_000
#: the same of one block with those that are left out of loops, whose iterations were found to be alike
EXTENT = 1_000_000_000
#: the same for a launch of a program that runs: a block that waits for others is found out soon
_BUDGET_PASSED = 10_000_000
#: bytes that are kept of an executed instruction (the number of its shape) and of a requested line (the line, its
#: request, its count of atomics), twice where vectors grow
_INSTRUCTION_BYTES, _LINE_BYTES = 8, 128
#: lines of memory that a block may ask for, for each instruction of a smaller budget
_LINES = 4

#: upper limit of shared memory in bytes, far above any GPU (228 KiB, compute capability 9.0)
_MOST_SHARED = 1 << 24
_STACK = 0xFFFDC0
#: offsets in constant bank 0 of the generic base addresses of shared and local memory; from sm_90 on a special register
#: holds that of shared memory
_WINDOWS, _LATER_LOCAL_WINDOW = 0x18, 0x2F8
#: offsets of the grid-barrier pointer of a cooperative launch in code of sm_90 and of earlier architectures (later code
#: reads an unknown value), and an address for it outside all arrays
_GRID_PLACE, _EARLIER_GRID_PLACE, _GRID = 0x44, 0x8C, 0x7C00_0000_0000
DRAWN = "blocks that draw positions from counters in global memory do so in the order of their numbers"
QUEUED = "warps that draw from a queue of work in global memory do so in turn, so that each has its share"
_ORDINARY = "numbers that are not known are ordinary ones where the code asks: finite, not zero, below 10^4"
_BEYOND_SHARED = "a block has {} bytes of shared memory and uses {}: what is dynamic is not given (--dynamic-shared)"
_BEYOND = "accesses outside of {}: {}, element {}"
_BEYOND_FILE = "beyond the end of the file of {}: {}, element {}"
_UNSAMPLED = "blocks are long: {} of {} that represent the grid were executed"


class InstructionCounts(NamedTuple):
    """Counts of one instruction of the text, summed over the warps of the sampled blocks.

    `sectors` (32 B) and `lines` (128 B) are of global and local memory, `wavefronts` of shared memory or L1; `serial`
    sums, over atomics, the maximum number of lanes on one address. Lanes with an unknown address or predicate are
    counted.
    """

    executions: int
    active_lanes: int
    requests: int
    sectors: int
    lines: int
    wavefronts: int
    serial: int
    taken: int
    unknown_addresses: int
    unknown_branches: int
    unknown_guards: int


@dataclass(frozen=True, slots=True)
class Execution:
    """Result of executing the sampled blocks; `instructions` in the order of the kernel's text.

    `block_sectors` are the distinct 32-byte sectors of global memory that each block touched, `block_requested` those
    that it requested. `middle` is the index of that block in `blocks`, `neighbours` those of the next blocks in x, y
    and z (-1: none). `record` is the log of the compiled core: every warp's sequence and every request.
    """

    blocks: tuple[int, ...]
    middle: int
    neighbours: tuple[int, int, int]
    instructions: tuple[InstructionCounts, ...]
    block_instructions: tuple[int, ...]
    block_sectors: tuple[int, ...]
    block_requested: tuple[int, ...]
    assumptions: tuple[str, ...]
    record: _core.FunctionalResult = field(repr=False, compare=False)

    @property
    def trace(self) -> tuple[int, ...]:
        """The sequence of instructions, as indices into the text, of the warp of median length of the middle block."""
        return tuple(self.record.trace(self.middle).tolist())


def middle_block(launch: Launch) -> int:
    """Block that represents the grid where all blocks do the same: one that has a successor in every direction."""
    x, y, z = (min(count // 2, max(0, count - 2)) for count in launch.grid)
    return x + launch.grid[0] * (y + launch.grid[1] * z)


def neighbour_blocks(launch: Launch) -> tuple[int | None, int | None, int | None]:
    """Blocks next to the middle one in x, y and z."""
    x, y, z = launch.grid
    middle = middle_block(launch)
    return (middle + 1 if x > 1 else None, middle + x if y > 1 else None, middle + x * y if z > 1 else None)


def sampled_blocks(launch: Launch) -> tuple[int, ...]:
    """First, middle and last block, the neighbours of the middle, the ends of the first row and of the first plane."""
    x, y, _ = launch.grid
    chosen = {0, launch.blocks - 1, x - 1, x * y - 1, middle_block(launch), *neighbour_blocks(launch)}
    return tuple(sorted(block for block in chosen if block is not None))


def execute(
    kernel: SassKernel,
    launch: Launch,
    blocks: tuple[int, ...] | None = None,
    budget: int = BUDGET,
    *,
    enough: int = BUDGET,
    in_full: bool = False,
) -> Execution:
    """Executes blocks of a launch, each within the budget; by default the most informative ones, as many as `enough`
    allows. `in_full`: every result is computed and every iteration executed, also those that do not matter; it gives
    the same, slowly."""
    runner = Runner(kernel, launch, budget, in_full=in_full)
    result = runner.run(blocks) if blocks is not None else runner.sample(launch, enough)
    chosen = tuple(int(number) for number in result.block_numbers())
    counts = _counts(result)
    place = {block: position for position, block in enumerate(chosen)}
    middle = place.get(middle_block(launch), len(chosen) // 2)
    x, y, z = (place.get(-1 if block is None else block, -1) for block in neighbour_blocks(launch))
    shared, wanted = kernel.shared_bytes + launch.shared_bytes, len(sampled_blocks(launch))
    unknown = {place for place, item in enumerate(counts) if item.unknown_branches}
    return Execution(
        blocks=chosen,
        middle=middle,
        neighbours=(x, y, z),
        instructions=counts,
        block_instructions=tuple(result.block_instructions()),
        block_sectors=tuple(result.block_sectors()),
        block_requested=tuple(result.block_requested()),
        assumptions=(
            *kernel.notes,
            *_assumptions(kernel, counts, result.not_executed),
            *([_ORDINARY] if result.took_for_ordinary else []),
            *_kept(kernel, launch, unknown),
            *([_drawn(result)] if any(_draws(item) for item in _executed(kernel, counts)) else []),
            *([_BEYOND_SHARED.format(shared, result.shared_end)] if result.shared_end > shared else []),
            *runner.beyond(result),
            *([_UNSAMPLED.format(len(chosen), wanted)] if blocks is None and len(chosen) != wanted else []),
            *(f"as given, {branches.effect(kernel, override, unknown)}" for override in launch.overrides),
        ),
        record=result,
    )


def counts_within(kernel: SassKernel, launch: Launch, block: int, most: int) -> tuple[InstructionCounts, ...]:
    """Counts of the instructions of a block, of which at most so many are executed."""
    return _counts(Runner(kernel, launch, most, long=True).run((block,), to_the_end=False))


def _counts(result: _core.FunctionalResult) -> tuple[InstructionCounts, ...]:
    table = result.counts().reshape(-1, len(InstructionCounts._fields))
    return tuple(map(InstructionCounts._make, table.tolist()))


class Runner:
    """A launch prepared for the core. `long`: what is left out of loops does not count towards the budget."""

    def __init__(
        self, kernel: SassKernel, launch: Launch, budget: int = BUDGET, *, in_full: bool = False, long: bool = False
    ) -> None:
        self._name, self._kernel, self._pointers = kernel.name, kernel, launch.pointers
        whole = limits.share(BUDGET)
        most = min(whole if budget == BUDGET else min(budget, whole), limits.memory_bytes() // _INSTRUCTION_BYTES)
        self._budget = budget = most if launch.passed is None else min(most, limits.share(_BUDGET_PASSED))
        self._program = program_of(kernel)
        self._launch = _launch(kernel, launch, budget)
        self._launch.in_full = in_full
        if budget < whole:
            self._launch.block_lines = min(self._launch.most_lines, _LINES * budget)
        self._launch.extent = limits.share(EXTENT) if long or budget == whole else budget

    def sample(self, launch: Launch, enough: int) -> _core.FunctionalResult:
        """Executes the sampled blocks; of long ones, the middle block and as many others as `enough` instructions
        allow, its neighbours first, which are executed in any case within the budget."""
        wanted, enough = sampled_blocks(launch), self._budget if enough == BUDGET else min(enough, self._budget)
        near = [block for block in (middle_block(launch), *neighbour_blocks(launch)) if block is not None]
        self._launch.enough = enough
        self._launch.anyway = near if enough < self._budget else []
        result = self.run(wanted)
        lengths = result.block_instructions()
        if len(lengths) == len(wanted) or (enough < self._budget and max(lengths) * len(lengths) <= self._budget):
            return result
        self._launch.enough, self._launch.anyway = self._budget, []
        order = [*near, *(block for block in wanted if block not in near)]
        return self.run(tuple(sorted(order[: max(1, self._budget // max(lengths))])))

    def run(self, blocks: tuple[int, ...], *, to_the_end: bool = True) -> _core.FunctionalResult:
        """Executes these blocks; refuses those beyond the budget, unless they need not get `to_the_end`."""
        try:
            result = self._program.run(self._launch, list(blocks))
        except ValueError as error:
            raise InputError(f"kernel {self._name}: {error}") from None
        self._refuse_failed(result)
        if result.awaits_others and to_the_end:
            raise InputError(
                f"a block of kernel {self._name} waits for what another block writes to memory",
                hint="one block is executed at a time, with the memory that is there at the start",
            )
        if result.budget_exceeded and to_the_end:
            raise InputError(
                f"a block of kernel {self._name} executes more than {self._budget} instructions, or asks for more than "
                f"{min(self._launch.most_lines, self._launch.block_lines)} lines of memory{self._longest_loop(result)}",
                hint="a loop may never end with these arguments, or give a smaller launch, or more --limit-time and "
                "--limit-memory",
            )
        if result.stuck:
            raise InputError(f"kernel {self._name} does not end: its lanes wait for each other")
        self._refuse_beyond(result)
        return result

    def beyond(self, result: _core.FunctionalResult) -> list[str]:
        """Accesses outside of arrays, one note for each array."""
        first = {item.array: item for item in reversed(result.beyond)}
        return [self._beyond(first[number], _BEYOND) for number in sorted(first)]

    def _longest_loop(self, result: _core.FunctionalResult) -> str:
        """Where most instructions are: in words, the place of the loop that goes round most often."""
        text, counts = self._kernel.instructions, _counts(result)
        taken = [place for place, item in enumerate(text) if counts[place].taken and branches.jumps_back(item)]
        if not taken:
            return ""
        item = text[max(taken, key=lambda place: counts[place].taken)]
        return f"; most rounds has the loop that ends at {f'line {item.line}' if item.line else f'{item.offset:#x}'}"

    def _refuse_failed(self, result: _core.FunctionalResult) -> None:
        """Refuses launches that an assertion ends."""
        if result.failed_assertion >= 0:
            line = self._kernel.instructions[result.failed_assertion].line
            where = f" in line {line}" if line else ""
            raise InputError(
                f"an assertion of kernel {self._name} fails{where}: this launch ends there",
                hint="give the grid, block and arguments that the kernel is written for, or compile without assertions "
                "(--nvcc -DNDEBUG)",
            )

    def _refuse_beyond(self, result: _core.FunctionalResult) -> None:
        """Refuses launches that read more than a file has, or whose warps are wholly outside of an array."""
        for item in result.beyond:
            if item.in_file:
                raise InputError(
                    f"kernel {self._name} reads {self._beyond(item, _BEYOND_FILE)}",
                    hint="the file is shorter than the array that the argument describes",
                )
            if item.whole_warp:
                raise InputError(
                    f"kernel {self._name}: {self._beyond(item, _BEYOND)}; all lanes of a warp are outside",
                    hint="the array is larger in the program, or another argument (a size, a grid) does not fit it",
                )

    def _beyond(self, item: _core.FunctionalBeyond, text: str) -> str:
        number, pointer = item.array, self._pointers[item.array]
        index = item.offset // pointer.element.bytes
        code = self._kernel.instructions[item.instruction]
        where = f"line {code.line}" if code.line else f"{code.offset:#x}"
        return text.format(f"array {number} ({pointer})", where, index)

    def count(self, blocks: Sequence[int], most: int, enough: int) -> list[BlockCount]:
        """Counts the work of blocks, each up to `most` instructions; later ones are left out after `enough` in all."""
        try:
            return self._program.count(self._launch, list(blocks), most, enough)
        except ValueError as error:
            raise InputError(f"kernel {self._name}: {error}") from None


def _executed(kernel: SassKernel, counts: tuple[InstructionCounts, ...]) -> Iterator[SassInstruction]:
    return (item for item, count in zip(kernel.instructions, counts, strict=True) if count.executions)


def _kept(kernel: SassKernel, launch: Launch, unknown: set[int]) -> list[str]:
    settled = sorted(unknown & set(without_swap(kernel.instructions, launch)))
    return [kept_extremes.NOTE.format(_places(kernel, settled))] if settled else []


def _drawn(result: _core.FunctionalResult) -> str:
    return QUEUED if result.queued else DRAWN


def _draws(item: SassInstruction) -> bool:
    """Whether it adds integers to global memory and returns what was there (`Memory::draw` of the core)."""
    floating = any(modifier.startswith(("F", "BF")) for modifier in item.modifiers)
    results = [operand.text for operand in item.operands[: item.destinations] if operand.text.startswith("R")]
    return item.opcode == "ATOMG" and "ADD" in item.modifiers and not floating and any(r != "RZ" for r in results)


def _assumptions(kernel: SassKernel, counts: tuple[InstructionCounts, ...], missing: list[int]) -> list[str]:
    """Unknown inputs of the execution, by source line (or offset) of the code."""
    assumptions = []
    branches = [n for n, count in enumerate(counts) if count.unknown_branches]
    addresses = [n for n, count in enumerate(counts) if count.unknown_addresses]
    constant = [n for n in addresses if opcodes.unit(kernel.instructions[n].opcode) == "constant"]
    for title, numbers in (
        ("branches that depend on data (fall through, loops a few times)", branches),
        ("addresses that depend on data (a sector for each lane)", sorted(set(addresses) - set(constant))),
        ("addresses of constant memory that depend on data (anywhere in it)", constant),
    ):
        if numbers:
            assumptions.append(f"{title}: {_places(kernel, numbers)}")
    executed = {kernel.instructions[n].opcode for n, count in enumerate(counts) if count.executions}
    for title, names in (
        ("results not followed", {kernel.instructions[n].opcode for n in missing} - {"CALL"}),
        ("traffic not counted", executed & opcodes.UNCOUNTED | _without_map(kernel, counts)),
    ):
        if names:
            assumptions.append(f"{title}: {', '.join(sorted(names))}")
    calls = [n for n in missing if kernel.instructions[n].opcode == "CALL"]
    if calls:
        assumptions.append(f"functions called by addresses that are not known are left out: {_places(kernel, calls)}")
    return assumptions


def _without_map(kernel: SassKernel, counts: tuple[InstructionCounts, ...]) -> set[str]:
    """Copies by tensor maps that are not among the arguments, or are not of two dimensions."""
    copies = [count for item, count in zip(kernel.instructions, counts, strict=True) if item.opcode == "UTMALDG"]
    return {"UTMALDG"} if any(count.executions and not count.sectors for count in copies) else set()


def _places(kernel: SassKernel, numbers: list[int]) -> str:
    lines = sorted({kernel.instructions[n].line for n in numbers if kernel.instructions[n].line})
    if lines:
        return "lines " + ", ".join(map(str, lines))
    return ", ".join(f"{kernel.instructions[n].offset:#x}" for n in numbers[:8]) + (" …" if len(numbers) > 8 else "")


# ------------------------------------------------------------------------------------------ launch values


def _launch(kernel: SassKernel, launch: Launch, budget: int) -> _core.FunctionalLaunch:
    wanted, given = len(kernel.parameters), len(launch.arguments)
    if given != wanted and launch.passed is None:
        raise InputError(
            f"kernel {kernel.name} has {wanted} parameters, {given} arguments are given",
            hint="sizes in bytes: " + ", ".join(str(item.size) for item in kernel.parameters),
        )
    if kernel.max_threads and launch.threads > np.prod(kernel.max_threads):
        most = int(np.prod(kernel.max_threads))
        raise InputError(
            f"kernel {kernel.name} is compiled for blocks of at most {most} threads, {launch.threads} are asked for",
            hint="give a smaller block, or change __launch_bounds__",
        )
    shared = kernel.shared_bytes + launch.shared_bytes
    if shared > _MOST_SHARED:
        raise InputError(f"no GPU has {shared} bytes of shared memory for a block")
    result = _core.FunctionalLaunch()
    result.grid, result.block, result.cluster = list(launch.grid), list(launch.block), list(kernel.cluster)
    result.shared_bytes = shared
    result.budget = budget
    result.recorded = launch.passed is not None and any(item.data is not None for item in launch.passed.arrays)
    result.assertion = system_address("__assertfail") & 0xFFFF_FFFF
    result.most_lines = min(result.most_lines, limits.memory_bytes() // _LINE_BYTES)
    for number, share in without_swap(kernel.instructions, launch).items():
        result.override(number, share, 0)
    for override in launch.overrides:
        for number in branches.of_override(kernel, override):
            result.override(number, -1.0 if override.share is None else override.share, override.rounds or 0)
    bank = bytearray(BANK_BYTES)
    layout = kernel.layout
    struct.pack_into("<3I", bank, layout.block_dim, *launch.block)
    struct.pack_into("<3I", bank, layout.grid_dim, *launch.grid)
    struct.pack_into("<I", bank, layout.dynamic_shared, launch.shared_bytes)
    struct.pack_into("<I", bank, 0x37C if kernel.arch >= 100 else 0x28, _STACK)
    shared_window, local_window = _core.functional_windows()
    if kernel.arch >= 100:
        struct.pack_into("<Q", bank, _LATER_LOCAL_WINDOW, local_window)
    else:
        struct.pack_into("<2Q", bank, _WINDOWS, shared_window, local_window)
        struct.pack_into("<Q", bank, _GRID_PLACE if kernel.arch >= 90 else _EARLIER_GRID_PLACE, _GRID)
    pass_arguments(kernel, launch, bank, result)
    result.set_constants(0, bytes(bank))
    for number, data in (*kernel.constants, *(launch.passed.banks if launch.passed else ())):
        result.set_constants(number, data)
    return result
