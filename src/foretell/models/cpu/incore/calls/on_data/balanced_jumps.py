"""Finds jumps that compare two values from memory with each other: those of sorts, merges and searches.

What a sort or a search finds out, it finds out by such comparisons: each is worth making as its outcome is open, so
that nothing foresees it better than every second time. Conditions on one value and a limit, as in filters and checks,
mostly hold, or mostly do not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.models.cpu.incore.calls.on_data.held_jumps import is_within

if TYPE_CHECKING:
    from collections.abc import Sequence

    from foretell.codegen.assembly.instruction import Instruction
    from foretell.models.cpu.condition_shares import LoopTree, Rows
    from foretell.models.cpu.incore.instruction_tables import Tables

#: conditions of one value before or behind another, with and without a sign (floats are compared without)
_ORDERS = frozenset({"less", "not_less", "less_equal", "greater", "below", "not_below", "below_equal", "above"})
#: registers of the stack: what is loaded from there was put aside, and may be a limit
_STACK = frozenset({"rsp", "sp"})
#: copies from register to register that are followed
_COPIES = 4


def balanced_share(made: Tables, rows: Rows, within: LoopTree, misses: Sequence[float]) -> float:
    """The share of these mispredictions of random data that is of such jumps."""
    total = sum(misses)
    if not total:
        return 0.0
    jumps = [place for place, (_, main, _) in enumerate(made.spans) if misses[main]]
    return sum(misses[made.spans[place][1]] for place in jumps if _is_balanced(made, rows, within, place)) / total


def balanced_rows(made: Tables, rows: Rows, within: LoopTree, jumps: Sequence[int]) -> set[int]:
    """Those of these jumps that compare two values from memory."""
    asked = {*jumps}
    places = (place for place, (_, main, _) in enumerate(made.spans) if main in asked)
    return {made.spans[place][1] for place in places if _is_balanced(made, rows, within, place)}


def _is_balanced(made: Tables, rows: Rows, within: LoopTree, jump: int) -> bool:
    main = made.spans[jump][1]
    if made.conditions[main] not in _ORDERS or made.rows[main]["chance"]:
        return False
    compared = next((place for place in reversed(range(jump)) if "flags" in rows[place][1].writes), None)
    if compared is None or rows[compared][1].writes != {"flags"}:
        return False
    one = rows[compared][1]
    registers = one.reads - _address(one)
    if one.loads and _address(one) & _STACK:
        return False
    around = within[0][main]
    loops = [within[0][row] for _, row, _ in made.spans]
    nested = {loop for loop in loops if is_within(loop, around, within[1])}
    if around < 0 or any(loop in nested and registers & _address(rows[place][1]) for place, loop in enumerate(loops)):
        return False  # options of the caller; bounds of rows, which loops count on from
    inside = [place for place, loop in enumerate(loops) if loop == around]
    loaded = [_is_loaded(rows, inside, compared, name, _COPIES) for name in registers]
    return all(loaded) and len(loaded) + one.loads == 2


def _is_loaded(rows: Rows, inside: Sequence[int], before: int, register: str, copies: int) -> bool:
    """Whether all that a loop puts into a register, or else what was put there last, comes from memory as it is: a
    maximum so far does not."""
    function = rows[before][0]
    writers = [place for place in inside if register in rows[place][1].writes]
    if not writers:
        earlier = (place for place in reversed(range(before)) if register in rows[place][1].writes)
        writers = [place for place in (next(earlier, -1),) if place >= 0 and rows[place][0] == function]
    return bool(writers) and all(_brings(rows, inside, place, copies) for place in writers)


def _brings(rows: Rows, inside: Sequence[int], place: int, copies: int) -> bool:
    """Whether an instruction loads a value, or copies one that was loaded."""
    one = rows[place][1]
    if one.loads:
        return one.reads <= _address(one) and not _address(one) & _STACK
    copied = one.kind == "move" and len(one.reads) == 1 and not one.stores
    return copied and copies > 0 and _is_loaded(rows, inside, place, next(iter(one.reads)), copies - 1)


def _address(one: Instruction) -> frozenset[str]:
    return frozenset() if one.memory is None else frozenset({one.memory.base, one.memory.index}) - {""}
