"""Jumps on unknown values before a nest, or before any loop: where only one side leads there, that side is taken.

Conditions that no loop changes decide which nests of a function run (`alternatives.py`). Compiled code tests them in
jumps whose values are often not known when a call is followed, such as floating-point arguments (`beta == 0.0`).
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from foretell.models.cpu.incore.instruction_tables import ALWAYS, NEVER
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from foretell.codegen.assembly.instruction import Instruction
    from foretell.models.cpu.incore.instruction_tables import Tables

    Rows = Sequence[tuple[str, Instruction]]
    Edges = Mapping[int, Iterable[int]]

_CONDITIONAL = ("jump_if", "jump_on")


@record
class NestLines:
    """Source lines that are of one nest alone, and whether it runs."""

    lines: frozenset[int]
    runs: bool


def lead_to_nests(made: Tables, rows: Rows, nests: Sequence[NestLines]) -> None:
    """Gives jumps on unknown values the side that leads to nests that run, and around those that do not."""
    if not nests:
        return
    ahead, back, goals = _edges(made, rows)
    found = [(nest.runs, places) for nest in nests if (places := _places(rows, nest.lines))]
    #: nests that run decide before those that do not
    around = [
        (runs, _reached(places, back), _reached(places, ahead))
        for runs, places in sorted(found, key=lambda one: -one[0])
    ]
    for place, target in goals.items():
        main = made.spans[place][1]
        if made.operations[main] not in _CONDITIONAL:
            continue
        for runs, before, behind in around:
            falls, jumps = place + 1 in before, target in before
            if falls != jumps and place not in behind:
                made.rows[main]["chance"] = ALWAYS if jumps == runs else NEVER
                break


def lead_to_loops(made: Tables, rows: Rows, loop_at: Sequence[int]) -> None:
    """Gives jumps on unknown values outside of loops, of which one side alone leads to any loop, that side: a call that
    returns at once, as that of an empty container, takes a time that says nothing of the others."""
    _, back, goals = _edges(made, rows)
    inside = [place for place, (_, main, _) in enumerate(made.spans) if loop_at[main] >= 0]
    before = _reached(inside, back)
    for place, target in goals.items():
        main = made.spans[place][1]
        if made.operations[main] in _CONDITIONAL and loop_at[main] < 0 and not made.rows[main]["chance"]:
            falls, jumps = place + 1 in before, target in before
            if falls != jumps:
                made.rows[main]["chance"] = ALWAYS if jumps else NEVER


def _edges(made: Tables, rows: Rows) -> tuple[Edges, Edges, dict[int, int]]:
    """The instructions behind and before each, and the targets of jumps."""
    starts = {first: place for place, (first, _, _) in enumerate(made.spans)}
    goals = {
        place: starts[made.rows[main]["target"]]
        for place, (_, main, _) in enumerate(made.spans)
        if made.operations[main] in ("jump", *_CONDITIONAL) and made.rows[main]["target"] in starts
    }
    ahead: dict[int, list[int]] = defaultdict(list)
    back: dict[int, list[int]] = defaultdict(list)
    for place, (_, one) in enumerate(rows):
        following = [] if one.ends or place + 1 == len(rows) else [place + 1]
        for other in (*following, *([goals[place]] if place in goals else [])):
            ahead[place].append(other)
            back[other].append(place)
    return ahead, back, goals


def _places(rows: Rows, lines: frozenset[int]) -> list[int]:
    """The accesses to memory of these lines."""
    return [
        place
        for place, (_, one) in enumerate(rows)
        if one.source_line in lines and one.memory is not None and (one.loads or one.stores)
    ]


def _reached(places: Iterable[int], edges: Edges) -> set[int]:
    """What can be reached from these places, and they themselves."""
    found, waiting = set[int](), [*places]
    while waiting:
        place = waiting.pop()
        if place not in found:
            found.add(place)
            waiting += edges.get(place, ())
    return found
