"""Which instructions are executed as often as was assumed, because branches around them depend on unknown data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from foretell.core.control_flow import natural_loops

if TYPE_CHECKING:
    from collections.abc import Sequence

    from foretell.characterize.gpu.functional import InstructionCounts
    from foretell.core.control_flow import LoopForest
    from foretell.core.gpu.sass import SassInstruction


@dataclass(frozen=True, slots=True)
class UnknownPaths:
    """Indices of instructions: those in `loops` whose number of rounds is not known, and the others that a branch on
    unknown data may leave out, `optional`; `avoided`: how many more would be executed if each such branch went on to
    code to which it seldom or never did; `locks`: one of these loops tries the same compare-and-swap again and
    again."""

    loops: frozenset[int]
    optional: frozenset[int]
    avoided: float
    locks: bool = False


def unknown_paths(text: Sequence[SassInstruction], counts: Sequence[InstructionCounts]) -> UnknownPaths:
    """Finds the loops that an undecided branch may leave or repeat, and what other undecided branches may skip."""
    undecided = [place for place, item in enumerate(counts) if item.unknown_branches]
    if not undecided:
        return UnknownPaths(frozenset(), frozenset(), 0.0)
    places = {item.offset: place for place, item in enumerate(text)}
    following = {place: next_places(text, place, places) for place in range(len(text))}
    forest = natural_loops(following, 0)
    loops: set[int] = set()
    optional: set[int] = set()
    avoided = 0.0
    for place in undecided:
        ended = _ended_by(place, following[place], forest)
        loops |= ended
        if not ended:
            target = max((*following[place], place), default=place)
            end = len(text) if text[place].opcode == "EXIT" else target
            optional |= set(range(place + 1, end))
            avoided += _undecided_times(counts[place]) * len(_seldom_reached(place, following, counts))
    return UnknownPaths(frozenset(loops), frozenset(optional - loops), avoided, _waits_for_lock(text, loops))


def _waits_for_lock(text: Sequence[SassInstruction], loops: set[int]) -> bool:
    """Whether a compare-and-swap in a loop has the same operands in each round."""
    written = {register for place in loops if _reads(text[place]) for register in text[place].defs}
    swaps = (text[place] for place in loops if "CAS" in text[place].modifiers)
    return any(
        not written & {register for operand in swap.operands[-2:] for register in operand.registers} for swap in swaps
    )


def _reads(item: SassInstruction) -> bool:
    """Whether it computes from registers, not a constant."""
    return any(register for operand in item.operands[item.destinations :] for register in operand.registers)


def _undecided_times(item: InstructionCounts) -> float:
    """How often a warp came to a branch that was undecided."""
    return item.unknown_branches * item.executions / max(1, item.active_lanes)


def _seldom_reached(place: int, following: dict[int, tuple[int, ...]], counts: Sequence[InstructionCounts]) -> set[int]:
    """The instructions that may follow a branch, but less than half of the times, up to those that mostly do: slow
    paths of divisions, what is behind `else`."""
    found: set[int] = set()
    ahead = list(following[place])
    while ahead:
        here = ahead.pop()
        if here not in found and 2 * counts[here].executions < counts[place].executions:
            found.add(here)
            ahead += following[here]
    return found


def _ended_by(place: int, following: Sequence[int], forest: LoopForest[int]) -> set[int]:
    """The instructions of the innermost loop that a branch may leave."""
    innermost = forest.innermost.get(place)
    for loop in innermost.chain if innermost else ():
        if not following or any(target not in loop.blocks for target in following):
            return loop.blocks
    return set()


def next_places(text: Sequence[SassInstruction], place: int, places: dict[int, int]) -> tuple[int, ...]:
    """Indices of the instructions that may be next, of those at these `places` by offset; of a call what follows it,
    too."""
    item, after = text[place], place + 1
    target = places.get(item.operands[-1].value) if item.operands else None
    unconditional = len(item.operands) <= (item.opcode != "EXIT")  # EXIT P1 and BRA P1,0x80 have a condition
    goes_on = item.guard is not None or item.opcode not in ("BRA", "EXIT", "RET", "BRX") or not unconditional
    jumps = [target] if target is not None and item.opcode in ("BRA", "CALL") else []
    return tuple(dict.fromkeys([*([after] if goes_on and after < len(text) else []), *jumps]))
