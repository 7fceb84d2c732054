"""The code of a call put together: functions that call one another, what they call outside, and their loops."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from foretell.codegen.assembly.loops import find_loops
from foretell.codegen.assembly.openmp import STARTS
from foretell.models.cpu.incore.calls.library_calls import MOVERS
from foretell.models.cpu.incore.instruction_tables import NOWHERE
from foretell.models.cpu.incore.loop_body import callee

if TYPE_CHECKING:
    from collections.abc import Sequence

    from foretell.codegen.assembly.instruction import Instruction
    from foretell.codegen.assembly.listing import Function
    from foretell.models.cpu.incore.calls.whole_call import Followed
    from foretell.models.cpu.incore.instruction_tables import Tables

#: constants of calls (`kAllocates`, `kReturns` in the core); a function of this code has -1
_OWN, _ALLOCATES, _RETURNS, _THROUGH_POINTER = -1, 1, 2, 4
#: a jump through a table, as the core calls it
TABLE = "jump_table"
_ALLOCATORS = frozenset({"malloc", "calloc", "aligned_alloc", "memalign", "valloc", "_Znwm", "_Znam"})
#: operands of calls that are no names of functions
_POINTERS = re.compile(r"[*%(\[]|^(?:x\d+|r(?:[a-d]x|[sd]i|bp|\d+))$")


def reached(functions: Sequence[Function], root: str) -> list[Function]:
    """The function and all that it calls in the same code."""
    named = {function.name: function for function in functions}
    order = [named[root]]
    for function in order:
        for block in function.blocks:
            for one in block.instructions:
                other = named.get(callee_name(one)) if one.kind in ("call", "jump") else None
                if other is not None and other not in order:
                    order.append(other)
    return order


def connect(made: Tables, row: int, instruction: Instruction) -> None:
    """Gives calls, and jumps that end a function with another one, the rows that they go to."""
    leaves = instruction.kind == "jump" and instruction.ends and not _is_label(instruction)
    if instruction.kind != "call" and not leaves:
        return
    if leaves and not instruction.target:  # through a register or a table
        if made.operations[row] != TABLE:
            made.operations[row] = "stop"
        return
    name = callee_name(instruction)
    entry = made.entries.get(name)
    if entry is not None:
        made.rows[row]["target"] = entry
        made.operations[row] = "jump" if leaves else "call"
        made.rows[row]["constant"] = _OWN
        return
    made.operations[row] = "call"
    constant = (_RETURNS if leaves or instruction.ends else 0) | (_ALLOCATES if name in _ALLOCATORS else 0)
    constant |= _THROUGH_POINTER if name == "posix_memalign" else 0
    isa = made.costs.instruction_set
    first = made.register(isa.arguments[0]) if name in MOVERS or constant & _THROUGH_POINTER else NOWHERE
    third = made.register(isa.arguments[2]) if name in MOVERS else NOWHERE
    made.rows[row] |= {"constant": constant, "to": made.register(isa.result), "a": first, "b": third, "target": 0}


def loops_of(order: Sequence[Function], made: Tables) -> tuple[list[int], list[int], list[int]]:
    """The loop of each row, the first row of each loop, and the loop around it."""
    loop_at = [-1] * len(made.rows)
    heads: list[int] = []
    parents: list[int] = []
    first = 0
    ends = [*made.starts[1:], len(made.rows)]
    for function in order:
        starts = made.starts[first : first + len(function.blocks)]
        lengths = [end - start for start, end in zip(starts, ends[first:], strict=False)]
        first += len(function.blocks)
        waiting = [(loop, -1) for loop in find_loops(function)]
        while waiting:
            loop, parent = waiting.pop()
            number = len(heads)
            heads.append(starts[loop.head])
            parents.append(parent)
            for block in loop.blocks:
                loop_at[starts[block] : starts[block] + lengths[block]] = [number] * lengths[block]
            waiting += [(inside, number) for inside in loop.inner]
    return loop_at, heads, parents


def leaves(made: Tables, row: int) -> bool:
    return made.operations[row] == "call" and made.rows[row]["constant"] != _OWN


def callee_name(one: Instruction) -> str:
    """The function that a call or a jump to another function goes to."""
    return callee(one).partition("@")[0]


def through_pointer(name: str) -> bool:
    """Whether a callee is a register or a place in memory: `x1`, `*%rax`, `*16(%rax)`, `[rax+16]`."""
    return _POINTERS.search(name) is not None


def _is_label(one: Instruction) -> bool:
    return one.target.startswith((".L", "L"))


def region_not_followed(followed: Followed) -> bool:
    """Whether the call starts a parallel region whose body is not known."""
    executed = (one for (_, one), count in zip(followed.rows, followed.counts, strict=True) if count)
    return any(one.kind in ("call", "jump") and callee_name(one) in STARTS for one in executed)
