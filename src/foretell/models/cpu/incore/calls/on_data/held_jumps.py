"""Jumps on unknown values of which something is known nevertheless: failed checks, unlikely code, exits of loops."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from foretell.codegen.assembly.instruction import TRAPS, returns
from foretell.models.cpu.incore.instruction_tables import ALWAYS, CONSTANT, NEVER, TABLE_BITS
from foretell.models.cpu.incore.loop_body import callee

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from foretell.codegen.assembly.instruction import Instruction
    from foretell.codegen.assembly.listing import Function
    from foretell.models.cpu.incore.instruction_tables import Tables

#: how often integers that are compared for equality are equal (Wu and Larus 1994, the opcode heuristic), and whether a
#: jump with a condition is taken then
_EQUAL, _EQUALITY = 0.16, {"equal": True, "not_equal": False}
#: as often integers are negative (the same heuristic), and whether a jump with a condition is taken then
_SIGNS = {"negative": True, "not_negative": False}
#: instructions that are looked at between a check and the call that ends the program: its message is put together
_STRAIGHT = 64


def leaves_loop(made: Tables, row: int, loop_at: Sequence[int], parents: Sequence[int]) -> bool:
    """Whether one side of a conditional jump is outside of the innermost loop around it."""
    inside = loop_at[row]

    def stays(at: int) -> bool:
        return is_within(_at(loop_at, at), inside, parents)

    return inside >= 0 and not (stays(row + 1) and stays(made.rows[row]["target"]))


def stays_by_jumping(made: Tables, row: int, loop_at: Sequence[int], parents: Sequence[int]) -> bool:
    """Whether a jump that is taken stays in the innermost loop around it."""
    return is_within(_at(loop_at, made.rows[row]["target"]), loop_at[row], parents)


def hold_failures(made: Tables, rows: Sequence[tuple[str, Instruction]]) -> set[int]:
    """Lets jumps on unknown values avoid the side that ends in a call that does not return: a failed check ends a
    program once. Returns the rows of such jumps."""
    places = {first: place for place, (first, _, _) in enumerate(made.spans)}
    held = set()
    for place, (_, main, _) in enumerate(made.spans):
        if made.operations[main] not in ("jump_if", "jump_on") or made.rows[main]["chance"]:
            continue
        target = places.get(made.rows[main]["target"])
        ahead, jumped = (side is not None and _fails(made, rows, places, side) for side in (place + 1, target))
        if ahead != jumped:
            made.rows[main]["chance"] = ALWAYS if ahead else NEVER
            held.add(main)
    return held


def hold_unlikely(made: Tables, order: Sequence[Function]) -> set[int]:
    """Lets jumps on unknown values avoid code that the compiler put apart: by its rules, or `__builtin_expect`, it is
    rarely executed. Returns the rows of such jumps."""
    blocks = [block for function in order for block in function.blocks]
    unlikely = {start for start, block in zip(made.starts, blocks, strict=True) if block.unlikely}
    jumps = [row for row, operation in enumerate(made.operations) if operation in ("jump_if", "jump_on")]
    held = {row for row in jumps if not made.rows[row]["chance"] and made.rows[row]["target"] in unlikely}
    for row in held:
        made.rows[row]["chance"] = NEVER
    return held


def _fails(made: Tables, rows: Sequence[tuple[str, Instruction]], places: Mapping[int, int], place: int) -> bool:
    """Whether the code from an instruction on goes straight to a call that does not return."""
    for _ in range(_STRAIGHT):
        if place >= len(rows) or rows[place][1].kind == "return":
            return False
        one, main = rows[place][1], made.spans[place][1]
        if one.text in TRAPS or (
            one.kind in ("call", "jump") and one.ends and not returns(callee(one).partition("@")[0])
        ):
            return True
        if one.kind == "jump":
            if not one.ends or made.rows[main]["target"] not in places:
                return False
            place = places[made.rows[main]["target"]]
        else:
            place += 1
    return False


def hold_exits(made: Tables, loop_at: Sequence[int], parents: Sequence[int]) -> set[int]:
    """Lets jumps on unknown values that would leave all loops stay in theirs, where it has another exit: a failed check
    ends a call once. Exits from an inner loop to an outer one remain open: searches end anywhere. Returns the rows of
    such jumps."""
    leaving: dict[int, list[int]] = defaultdict(list)
    for row, operation in enumerate(made.operations):
        if operation in ("jump_if", "jump_on") and leaves_loop(made, row, loop_at, parents):
            leaving[loop_at[row]].append(row)
    held = set()
    for row in (row for rows in leaving.values() if len(rows) > 1 for row in rows):
        sides = row + 1, made.rows[row]["target"]
        stays = [is_within(_at(loop_at, side), loop_at[row], parents) for side in sides]
        outside = sides[stays.index(False)]
        if not made.rows[row]["chance"] and any(stays) and _at(loop_at, outside) == -1:
            made.rows[row]["chance"] = NEVER if stays[0] else ALWAYS
            held.add(row)
    return held


def expect_outcomes(made: Tables, loop_at: Sequence[int], parents: Sequence[int]) -> None:
    """Gives jumps on unknown integers the share that what they ask has in programs: whether two are equal, or one is
    negative."""
    _expect_differences(made, loop_at, parents)
    _expect_signs(made, loop_at, parents)


def _expect_differences(made: Tables, loop_at: Sequence[int], parents: Sequence[int]) -> None:
    """Gives jumps on unknown integers that are compared for equality their share: with a constant, and where a loop
    goes on only while both are equal. A search, which ends where they are equal, ends anywhere."""
    for row in range(1, len(made.rows)):
        equal = _EQUALITY.get(made.conditions[row]) if made.operations[row] == "jump_if" else None
        compared = made.operations[row - 1]
        if equal is None or loop_at[row] < 0 or made.rows[row]["chance"] or compared not in ("compare", "test"):
            continue  # outside of loops, options of the caller are compared
        if leaves_loop(made, row, loop_at, parents):
            expected = stays_by_jumping(made, row, loop_at, parents) == equal
        else:
            a, b = made.rows[row - 1]["a"], made.rows[row - 1]["b"]
            expected = b == CONSTANT if compared == "compare" else a == b
        if expected:
            made.rows[row]["chance"] = NEVER + round((ALWAYS - NEVER) * (_EQUAL if equal else 1 - _EQUAL))


def _expect_signs(made: Tables, loop_at: Sequence[int], parents: Sequence[int]) -> None:
    """Gives jumps on the sign of unknown integers their share, where they end no loop."""
    for row in range(1, len(made.rows)):
        negative = _SIGNS.get(made.conditions[row]) if made.operations[row] == "jump_if" else None
        if negative is None or loop_at[row] < 0 or made.rows[row]["chance"] or made.operations[row - 1] != "test":
            continue
        if made.rows[row - 1]["a"] == made.rows[row - 1]["b"] and not leaves_loop(made, row, loop_at, parents):
            made.rows[row]["chance"] = NEVER + round((ALWAYS - NEVER) * (_EQUAL if negative else 1 - _EQUAL))


def _at(loop_at: Sequence[int], row: int) -> int:
    return loop_at[row] if row < len(loop_at) else -1


def is_within(loop: int, around: int, parents: Sequence[int]) -> bool:
    """Whether a loop is within another, or the same."""
    while loop not in (around, -1):
        loop = parents[loop]
    return loop == around


def exit_note(one: Instruction) -> str:
    where = f"line {one.source_line}" if one.source_line else one.text
    return f"{where}: an exit of a loop that depends on data is taken not to happen"


def table_note(one: Instruction, table: int) -> str:
    """What is taken of a jump through a table of so many entries."""
    where = f"line {one.source_line}" if one.source_line else one.text
    entries = table & (1 << TABLE_BITS) - 1
    return f"{where}: a jump on data through a table goes to each of its {entries} entries equally often"
