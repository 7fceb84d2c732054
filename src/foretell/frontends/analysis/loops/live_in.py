"""Live-in scalars of loops."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.core.nest.statements import Invoke, Set, Store, Var, parts
from foretell.frontends.analysis.walk.state import BranchItem, LoopItem

if TYPE_CHECKING:
    from foretell.core.nest.statements import Expression
    from foretell.frontends.analysis.walk.state import Item


def live_in_scalars(loop: LoopItem) -> set[str]:
    """Scalars that a loop may read before it assigns them: its live-ins."""
    found: set[str] = set()
    _items(loop.items, frozenset(), found)
    return found


def _items(items: list[Item], known: frozenset[str], found: set[str]) -> frozenset[str]:
    """Adds scalars read before assignment to `found`; returns those definitely assigned after these items."""
    for item in items:
        match item:
            case Store():
                found |= scalars_read(item.target, item.value) - known
            case Set():
                found |= scalars_read(item.value) - known
                known |= {item.target}
            case Invoke():
                found |= scalars_read(*item.args) - known
            case LoopItem():  # may have zero iterations
                _items(item.items, known, found)
            case BranchItem():
                found |= scalars_read(item.condition) - known
                known = _items(item.then, known, found) & _items(item.other, known, found)
    return known


def scalars_read(*expressions: Expression) -> set[str]:
    """Scalars in an expression whose values are not polynomials."""
    inner = (part for expression in expressions for part in parts(expression))
    return {part.name for part in inner if isinstance(part, Var) and part.value is None}
