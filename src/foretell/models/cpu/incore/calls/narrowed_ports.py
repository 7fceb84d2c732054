"""Costs of instructions in loops with the widest vectors: while such are in flight, some ports do no vector work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.codegen.assembly.loops import find_loops
from foretell.models.cpu.incore.instruction_costs import Costs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from foretell.codegen.assembly.listing import Function
    from foretell.codegen.assembly.loops import AsmLoop
    from foretell.core.machine.machine import Machine


def costs_beside_wide_vectors(
    order: Sequence[Function], machine: Machine, costs: Costs
) -> dict[tuple[str, int], Costs]:
    """Costs in loops with the widest vectors: while such are in flight, some units do no vector work."""
    words = frozenset(machine.traits.get("cores.ports_closed_by_wide_vectors", "").split())
    widest = machine.value("cores.simd_width") if "cores.simd_width" in machine else 0
    if not words or not widest:
        return {}
    narrowed = Costs(machine, words, costs.assumed)
    return {
        (function.name, block): narrowed
        for function in order
        for loop in _all_loops(function)
        if not loop.inner
        if any(one.bytes == widest for block in loop.blocks for one in function.blocks[block].instructions)
        for block in loop.blocks
    }


def _all_loops(function: Function) -> Iterator[AsmLoop]:
    waiting = list(find_loops(function))
    while waiting:
        loop = waiting.pop()
        yield loop
        waiting += loop.inner
