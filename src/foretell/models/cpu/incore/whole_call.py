"""Follows a whole call of compiled code: executions and cycles of each instruction, by source line."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from foretell.codegen.assembly.integer_semantics import Meaning, meaning
from foretell.codegen.assembly.loops import AsmLoop, find_loops
from foretell.models.cpu.incore.instruction_tables import Tables, tables_of
from foretell.models.cpu.incore.ooo_core import core_numbers, walker

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from foretell import _core
    from foretell.codegen.assembly.listing import Function
    from foretell.core.machine.machine import Machine
    from foretell.models.cpu.incore.instruction_costs import Costs

_GIVEN = ("rdi", "rsi", "rdx", "rcx", "r8", "r9")
_STACK = 1 << 46


@dataclass(frozen=True)
class Followed:
    """Executions and cycles of each instruction of a call, in the order of `rows`."""

    result: _core.CallResult
    rows: tuple[tuple[str, int], ...]

    def by_line(self) -> dict[int, tuple[float, float]]:
        """Executed instructions and cycles of each source line."""
        found: dict[int, list[float]] = defaultdict(lambda: [0.0, 0.0])
        for (_, line), count, cycles in zip(self.rows, self.result.counts, self.result.cycles, strict=True):
            found[line][0] += count
            found[line][1] += cycles
        return {line: (count, cycles) for line, (count, cycles) in found.items()}


def follow_call(functions: Sequence[Function], root: str, machine: Machine, costs: Costs, arguments: Sequence[int]) -> Followed:
    """Follows a call of `root` with these integer and pointer arguments."""
    named = {function.name: function for function in functions}
    order = [named[root]]
    for function in order:
        for block in function.blocks:
            for one in block.instructions:
                if one.kind in ("call", "jump") and (name := one.text.split()[-1].partition("@")[0]) in named:
                    if named[name] not in order:
                        order.append(named[name])
    made = tables_of(order, costs, fuses=True)
    core = walker(made, made.operations, made.conditions, made.columns(), made.slots, core_numbers(machine))
    loop_at, heads, parents = _loops(order, made)
    values = [(made.register("rsp"), _STACK)]
    values += [(made.register(name), value) for name, value in zip(_GIVEN, arguments, strict=False)]
    words = [(_STACK + 8 * place + 8, value) for place, value in enumerate(arguments[len(_GIVEN) :])]
    result = core.follow_call(values=values, words=words, loop_at=loop_at, heads=heads, parents=parents)
    rows = tuple((f.name, one.source_line) for f in order for block in f.blocks for one in block.instructions)
    return Followed(result, rows)


def _loops(order: Sequence[Function], made: Tables) -> tuple[list[int], list[int], list[int]]:
    loop_at = [-1] * len(made.rows)
    heads: list[int] = []
    parents: list[int] = []
    first = 0
    for function in order:
        starts = made.starts[first : first + len(function.blocks)]
        lengths = [len(block.instructions) for block in function.blocks]
        first += len(function.blocks)

        def add(loop: AsmLoop, parent: int) -> None:
            number = len(heads)
            heads.append(starts[loop.head])
            parents.append(parent)
            for block in loop.blocks:
                loop_at[starts[block] : starts[block] + lengths[block]] = [number] * lengths[block]
            for inside in loop.inner:
                add(inside, number)

        for loop in find_loops(function):
            add(loop, -1)
    return loop_at, heads, parents
