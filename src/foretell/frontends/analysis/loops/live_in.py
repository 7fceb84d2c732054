"""Scalars that a loop takes over from what stands before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.core.nest.statements import Invoke, Set, Store, Var, parts
from foretell.frontends.analysis.walk.state import BranchItem, LoopItem

if TYPE_CHECKING:
    from foretell.core.nest.statements import Expression
    from foretell.frontends.analysis.walk.state import Item


def taken_over(loop: LoopItem) -> set[str]:
    """Those that it reads before it has surely assigned them."""
    found: set[str] = set()
    _items(loop.items, frozenset(), found)
    return found


def _items(items: list[Item], known: frozenset[str], found: set[str]) -> frozenset[str]:
    """Adds what is read of the unknown to `found`; gives what is known behind these items."""
    for item in items:
        match item:
            case Store():
                found |= scalars_read(item.target, item.value) - known
            case Set():
                found |= scalars_read(item.value) - known
                known |= {item.target}
            case Invoke():
                found |= scalars_read(*item.args) - known
            case LoopItem():  # it may not run
                _items(item.items, known, found)
            case BranchItem():
                found |= scalars_read(item.condition) - known
                known = _items(item.then, known, found) & _items(item.other, known, found)
    return known


def scalars_read(*expressions: Expression) -> set[str]:
    """Those whose values no polynomial gives."""
    inner = (part for expression in expressions for part in parts(expression))
    return {part.name for part in inner if isinstance(part, Var) and part.value is None}
