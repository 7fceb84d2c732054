"""How often conditions on data hold, given to the jumps of compiled code.

What is known of a condition (by the user, a run, or a rule: a running maximum is rarely exceeded) is known of a source
line. A jump of that line goes to the statements under the condition, or around them.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from foretell.core.nest.loopnest import iterations
from foretell.core.nest.statements import Branch, Op
from foretell.models.cpu.incore.calls.on_data.held_jumps import leaves_loop, stays_by_jumping
from foretell.models.cpu.incore.instruction_tables import ALWAYS, BETWEEN, NEVER
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from foretell.codegen.assembly.instruction import Instruction
    from foretell.core.nest.loopnest import Loop, LoopNest
    from foretell.core.nest.statements import Statement
    from foretell.models.cpu.incore.instruction_tables import Tables

    Rows = Sequence[tuple[str, Instruction]]
    #: the innermost loop of each row, and the loop around each loop
    LoopTree = tuple[Sequence[int], Sequence[int]]

#: instructions that are looked at for a line of the statements behind a jump
_NEAR = 8
_CONDITIONAL = ("jump_if", "jump_on")
#: a share that is what is taken of conditions of which nothing is known
_EITHER = 0.5
#: Euler's constant: 1 + 1/2 + … + 1/n is about ln n + 0.577 + 1/2n
_EULER = 0.5772


@record
class Condition:
    """A condition on data in a source line, how often it holds, and the lines of the statements on its sides."""

    line: int
    probability: float
    then: frozenset[int]
    other: frozenset[int]
    #: the side that leaves the innermost loop around
    leaves: bool | None = None


def known_conditions(nests: Iterable[LoopNest], sizes: Mapping[str, int]) -> tuple[Condition, ...]:
    """The conditions of nests of which something is known. Those of several terms are several jumps: not told apart."""
    found = {
        Condition(one.line, probability, _lines(one.then) - {one.line}, _lines(one.other) - {one.line}, one.leaves)
        for nest in nests
        for depth, level in enumerate(nest.levels, 1)
        for one in _branches(level)
        if not (isinstance(one.condition, Op) and one.condition.op in ("&&", "||"))
        and (probability := _probability(one, nest.loops[:depth], sizes)) is not None
    }
    return tuple(sorted(found, key=lambda one: (one.line, one.probability, sorted(one.then), sorted(one.other))))


def _probability(branch: Branch, loops: tuple[Loop, ...], sizes: Mapping[str, int]) -> float | None:
    """How often a condition holds; of a running extreme, as of values in random order: the n-th of them exceeds all
    before it with probability 1/n, so that n of them have 1 + 1/2 + … + 1/n records (Rényi 1962)."""
    if not branch.extreme_over or branch.probability != 0:
        return None if branch.probability is None else float(branch.probability)
    resets, values = (iterations(loops, depth) for depth in (max(len(loops) - branch.extreme_over, 0), len(loops)))
    if not values.symbols() <= sizes.keys() or not resets.symbols() <= sizes.keys():
        return 0.0
    count = float(values.evaluate(sizes)) / max(float(resets.evaluate(sizes)), 1.0)
    return 0.0 if count < 1 else min(1.0, (math.log(count) + _EULER + 1 / (2 * count)) / count)


def _branches(statements: Iterable[Statement]) -> Iterator[Branch]:
    for one in statements:
        if isinstance(one, Branch):
            yield one
            yield from _branches((*one.then, *one.other))


def leaving_lines(nest: LoopNest) -> frozenset[int]:
    """The lines of conditions that end a loop of a nest."""
    return frozenset(one.line for level in nest.levels for one in _branches(level) if one.leaves is not None)


def _lines(statements: Sequence[Statement]) -> frozenset[int]:
    inside = [_lines((*one.then, *one.other)) for one in statements if isinstance(one, Branch)]
    return frozenset(one.line for one in statements).union(*inside)


def give_chances(made: Tables, rows: Rows, conditions: Sequence[Condition], within: LoopTree) -> dict[int, float]:
    """Gives the jumps of the conditions' lines their chance to be taken, where the code tells which side is which.
    Returns those that leave their loop, and after how many rounds they do in the mean."""
    ends: dict[int, float] = {}
    known = {one.line: one for one in conditions}
    if len(known) < len(conditions):  # two conditions in one line
        known = {line: one for line, one in known.items() if sum(other.line == line for other in conditions) == 1}
    places = {first: place for place, (first, _, _) in enumerate(made.spans)}
    goals = {
        place: places[made.rows[main]["target"]]
        for place, (_, main, _) in enumerate(made.spans)
        if made.operations[main] in ("jump", *_CONDITIONAL) and made.rows[main]["target"] in places
    }
    for place, ((_, main, _), (_, one)) in enumerate(zip(made.spans, rows, strict=True)):
        condition = known.get(one.source_line)
        if condition is None or made.operations[main] not in _CONDITIONAL:
            continue
        if condition.leaves is not None:
            if leaves_loop(made, main, *within):
                ends |= _end(made, main, condition, within)
            continue
        taken = _taken(rows, place, condition, goals)
        if taken is not None and taken != _EITHER:
            made.rows[main]["chance"] = NEVER + round((ALWAYS - NEVER) * taken)
    return ends


def _end(made: Tables, row: int, condition: Condition, within: LoopTree) -> dict[int, float]:
    """After how many rounds a jump leaves its loop; one that never does is held in it."""
    leaves = condition.probability if condition.leaves else 1 - condition.probability
    if leaves > 0:
        made.rows[row]["chance"] = BETWEEN
        return {row: 1 / leaves}
    made.rows[row]["chance"] = ALWAYS if stays_by_jumping(made, row, *within) else NEVER
    return {}


def _taken(rows: Rows, jump: int, condition: Condition, goals: Mapping[int, int]) -> float | None:
    """How often a jump is taken; None where the code does not tell which of its sides the condition guards."""
    target = goals.get(jump)
    under = None if condition.other or target is None else _detour(rows, jump + 1, target, goals)
    if under is None:
        next_side, target_side = (
            None if place is None else _side(rows, place, condition) for place in (jump + 1, target)
        )
        if next_side == target_side:
            return None
        under = jump + 1 if (next_side if next_side is not None else not target_side) else target
    return 1 - condition.probability if under == jump + 1 else condition.probability


def _detour(rows: Rows, ahead: int, target: int, goals: Mapping[int, int]) -> int | None:
    """The side of a jump that leads to the other one: without an else, its code is what the condition guards."""
    if ahead < target and not rows[target - 1][1].ends:
        return ahead
    for place in range(target, len(rows)):
        if rows[place][1].ends:
            return target if goals.get(place) == ahead else None
    return None


def _side(rows: Rows, place: int, condition: Condition) -> bool | None:
    """Whether the code at a place is of the statements under the condition (True), of the others (False) or neither."""
    for _, one in rows[place : place + _NEAR]:
        if one.source_line in condition.then:
            return True
        if one.source_line in condition.other:
            return False
        if one.kind == "jump" or (one.source_line and one.source_line != condition.line):
            return None
    return None
