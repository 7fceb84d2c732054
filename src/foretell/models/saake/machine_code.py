"""Converts machine code with its launch to a program for Algorithm 1.

The order of instructions and the transactions of each are from executing sampled warps; dependences are those of the
registers along that order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from foretell.characterize.gpu.functional import (
    BUDGET,
    Execution,
    InstructionCounts,
    counts_within,
    execute,
    middle_block,
)
from foretell.characterize.gpu.memory import SECTOR
from foretell.core.gpu import opcodes
from foretell.core.gpu.recent import remembered
from foretell.errors import InputError
from foretell.models.gpu.occupancy import occupancy
from foretell.models.saake.kernel import Entry, Kernel
from foretell.models.saake.resources import RESOURCES, resources

if TYPE_CHECKING:
    from foretell.core.gpu.sass import Register, SassInstruction
    from foretell.core.gpu.warps import Warps
    from foretell.core.machine.machine import Machine

_GLOBAL = opcodes.LOADS | opcodes.STORES
#: blocks whose instruction counts differ by more are noted
_UNEQUAL = 0.02
#: warp instructions of a block with unknown data that tell which of its addresses and branches follow from them: loops
#: without a known end nest, so that it may have far more than with the data (a search with a stack of its own)
_TELLING = 1_000_000
_NO_CACHE = "no caches: every sector comes from memory"


def to_kernel(facet: Warps, machine: Machine, caches: bool, launch_cycles: float) -> Kernel:
    """The kernel in numbers, with an L2 whose miss ratio follows from footprints, or without caches (as the paper)."""
    execution = executed(facet)
    rate, note = footprint_miss_rate(facet, execution, machine) if caches else (None, _NO_CACHE)
    timing = resources(machine)
    used = sorted(set(execution.trace))
    index = {text: position for position, text in enumerate(used)}
    after = _dependences(facet.kernel.instructions, execution.trace)
    entries = [
        _entry(facet.kernel.instructions[n], execution.instructions[n], rate, [index[p] for p in sorted(after[n])])
        for n in used
    ]
    launch, code = facet.launch, facet.kernel
    shared = code.own_shared_bytes + launch.shared_bytes
    return Kernel(
        resources=RESOURCES,
        regions=("",),
        latency=np.array([[timing.latency[name] for name in RESOURCES]]),
        gap=np.array([[timing.gap[name] for name in RESOURCES]]),
        text=tuple(entries),
        order=np.array([index[n] for n in execution.trace], np.int32),
        warps=launch.warps,
        occupancy=occupancy(machine, launch.warps, code.registers, shared, code.barriers),
        blocks=launch.blocks,
        multiprocessors=int(machine.value("cores.count")),
        schedulers=int(machine.value("occupancy.schedulers")),
        issue_width=1,
        launch_cycles=launch_cycles,
        assumptions=(*timing.assumptions, *execution.assumptions, *([note] if note else []), *_unequal(execution)),
    )


@remembered(8)
def executed(facet: Warps, enough: int = BUDGET) -> Execution:
    """Executes sampled blocks, as many as `enough` instructions allow. Depends on the code and its launch alone: cached
    for sweeps over machines."""
    return execute(facet.kernel, facet.launch, enough=enough)


@remembered(8)
def _with_unknown_data(facet: Warps, enough: int) -> tuple[InstructionCounts, ...] | None:
    """Counts with unknown array contents, of the middle block as far as it is executed if they are given; None if its
    lanes wait for each other."""
    launch = facet.launch.blind()
    if launch is facet.launch:
        return executed(facet, enough).instructions
    try:
        return counts_within(facet.kernel, launch, middle_block(launch), _TELLING)
    except InputError:
        return None


def steered_by_data(facet: Warps) -> bool:
    """Whether loaded data determine branches or addresses."""
    instructions = _with_unknown_data(facet, BUDGET)
    return instructions is None or any(
        counts.unknown_branches or counts.unknown_addresses or (counts.unknown_guards and counts.requests)
        for counts in instructions
    )


def addressed_by_data(facet: Warps, enough: int = BUDGET) -> frozenset[int]:
    """The instructions whose addresses follow from loaded data, as far as they can be told."""
    instructions = _with_unknown_data(facet, enough) or ()
    return frozenset(position for position, counts in enumerate(instructions) if counts.unknown_addresses)


def footprint_miss_rate(facet: Warps, execution: Execution, machine: Machine) -> tuple[float, str]:
    """The fraction of sectors that come from memory.

    Within a block a sector is fetched once. Between blocks it is fetched once if all arrays together fit into the L2,
    and once for each block if they do not.
    """
    total = sum(counts.sectors for counts in execution.instructions)
    if not total:
        return 1.0, "no global memory is used"
    blocks = len(execution.blocks)
    different = sum(execution.block_sectors) / blocks * facet.launch.blocks * SECTOR
    arrays = sum(item.bytes for item in facet.launch.pointers)
    fits = "level.L2.size" in machine and arrays <= machine.value("level.L2.size")
    from_memory = min(different, arrays) if fits else different
    requested = total / blocks * facet.launch.blocks * SECTOR
    rate = min(1.0, from_memory / requested)
    how = "arrays fit into the L2" if fits else "blocks share nothing in the L2"
    return rate, f"L2 miss rate {rate:.3g} from the footprints of sampled blocks ({how}); no L1"


def _entry(item: SassInstruction, counts: InstructionCounts, miss_rate: float | None, after: list[int]) -> Entry:
    requests = max(1, counts.requests)
    name: str = opcodes.unit(item.opcode)
    cached, transactions = "", 1.0
    label = f"{item.offset:04x}"
    if item.opcode == "BAR":
        return Entry(label, -1, 0, -1, 1.0, 1.0, tuple(after))
    if item.opcode in _GLOBAL:
        name, transactions = "memory", counts.sectors / requests
        cached = "" if miss_rate is None else "L2"
    elif item.opcode in opcodes.ATOMICS:
        name, transactions = "L2", max(counts.sectors, counts.serial) / requests
    elif item.opcode in opcodes.SHARED:
        name, transactions = "shared", max(counts.wavefronts, counts.serial) / requests
    return Entry(
        label,
        RESOURCES.index(name),
        0,
        RESOURCES.index(cached) if cached else -1,
        max(1.0, transactions),
        1.0 if miss_rate is None or not cached else miss_rate,
        tuple(after),
    )


def _dependences(text: tuple[SassInstruction, ...], trace: tuple[int, ...]) -> dict[int, set[int]]:
    """For each executed instruction, the last writers of its operands, over all of its executions."""
    last: dict[Register, int] = {}
    producers: dict[int, set[int]] = {n: set() for n in set(trace)}
    for n in trace:
        item = text[n]
        producers[n].update(last[register] for register in item.uses if register in last)
        for register in item.defs:
            last[register] = n
    return producers


def _unequal(execution: Execution) -> list[str]:
    least, most = min(execution.block_instructions), max(execution.block_instructions)
    if most <= least * (1 + _UNEQUAL):
        return []
    return [f"blocks do unequal work ({least} to {most} instructions); a median one represents all"]
