"""Loop interchange: perfectly nested loops in another order (Codee PWR039)."""

from __future__ import annotations

from functools import partial
from itertools import combinations, permutations
from typing import TYPE_CHECKING

from foretell.transform.heads import check_bounds, check_variables, head_of, names
from foretell.transform.program import Change, Program
from foretell.transform.sums import check_order
from foretell.transform.text.source import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from foretell.transform.directions import Ordered, Vector
    from foretell.transform.text.source import SourceFunction, SourceLoop

#: perfectly nested loops of which every order is tried; of more, every exchange of two
_EVERY_ORDER = 3


def orders(band: int) -> Iterator[tuple[int, ...]]:
    """The orders to try."""
    if band <= _EVERY_ORDER:
        yield from (order for order in permutations(range(band)) if order != tuple(range(band)))
        return
    for left, right in combinations(range(band), 2):
        order = list(range(band))
        order[left], order[right] = right, left
        yield tuple(order)


def interchange(program: Program, function: SourceFunction, loop: SourceLoop, order: tuple[int, ...]) -> Change:
    """Puts the loops of a perfect nest into another order."""
    band = loop.band()[: len(order)]
    region = program.region(function, loop)
    after = [band[at] for at in order]
    check_bounds(after, region)
    check_variables(program, function, band, loop)
    conditions = check_order(region, len(band), partial(_reversed, order))
    texts = [program.text[one.head_start : one.head_end] for one in after]
    edits = tuple(
        Edit(one.head_start, one.head_end, text)
        for one, new, text in zip(band, after, texts, strict=True)
        if one is not new
    )
    moved = [one for one, new in zip(band, after, strict=True) if one is not new]
    title = f"interchange {names(moved)}" if len(moved) == 2 else f"reorder the loops to {_listed(after)}"
    return Change("interchange", title, loop.line, edits, provided=(*program.provided(function, region), *conditions))


def _listed(loops: list[SourceLoop]) -> str:
    return ", ".join(head_of(loop).variable for loop in loops)


def _reversed(order: tuple[int, ...], _: Ordered, vector: Vector) -> str:
    """Why the first reference may be after the second in this order of loops."""
    if len(vector) < len(order):
        return "crosses loops that are not shared"
    first = next((vector[at] for at in order if vector[at] != "="), "<")
    return "" if first == "<" else "would be reversed"
