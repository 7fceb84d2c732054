"""Loops that take a number in blocks: `while (n > 0) { k = min(n, B); …; n -= k; }`.

Every iteration but the last takes a whole block, so at the head of each the number is less by B times the iterations
before, and what moves by k has moved by as many B. Behind the loop nothing is left, and what moved by k has moved by n.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from foretell.core.symbolic.poly import ZERO, Atom, Poly, number, symbol
from foretell.frontends.analysis.loops.while_loops import comparisons
from foretell.frontends.analysis.walk.state import Address, State, Sub
from foretell.frontends.source import ir

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from foretell.frontends.analysis.walk.state import Value


@dataclass(frozen=True)
class Chunk:
    """A number that is taken in blocks of so many, the symbol of what is left, and the atom of what one iteration
    takes."""

    name: str
    block: int
    taken: Atom

    def whole(self, value: Value) -> Value:
        """A value at the end of an iteration that takes a whole block."""
        if isinstance(value, Poly):
            return value.substitute({self.taken: number(self.block)})
        if not isinstance(value, Address):
            return value
        path = tuple(
            Sub(self._whole(part.value), part.extent, part.lower, part.moved) if isinstance(part, Sub) else part
            for part in value.path
        )
        return Address(path, value.target)

    def _whole(self, value: Poly) -> Poly:
        return value.substitute({self.taken: number(self.block)})

    def less(self, change: Poly, start: Poly, trips: Poly) -> Poly:
        """By how much less than whole blocks say something has changed behind the loop. `change`: in an iteration."""
        parts = change.coefficients([self.taken])
        slope = parts[0].get(self.taken, ZERO) if parts is not None else ZERO
        return slope * (number(self.block) * trips - start)


def chunks(
    state: State, start: Mapping[str, Value], ends: Mapping[str, Value], heads: Sequence[ir.Expr]
) -> tuple[Chunk, ...]:
    """The numbers that a loop takes in blocks, and goes on while something of them is left."""
    lasting = {state.key(name) for head in heads for name in _left(head)}
    found = []
    for own in sorted(lasting & start.keys()):
        end, taken = ends.get(own), None
        if isinstance(end, Poly) and isinstance(start[own], Poly):
            taken = _taken(symbol(f"{own}'") - end, f"{own}'")
        if taken is not None:
            found.append(Chunk(own, *taken))
    return tuple(found)


def _left(condition: ir.Expr) -> list[str]:
    """The variables of which something must be left for a loop to go on: `n`, `n > 0`, `n != 0`, `n >= 1`."""
    least = {">": 0, "!=": 0, ">=": 1}
    return [
        one.left.id
        for one in comparisons(condition)
        if isinstance(one.left, ir.Name) and isinstance(one.right, ir.Const) and one.right.value == least.get(one.op)
    ]


def _taken(value: Poly, left: str) -> tuple[int, Atom] | None:
    """The block and the atom, where a value is the smaller one of a block and what is left."""
    if len(value.terms) != 1:
        return None
    ((mono, coefficient),) = value.terms.items()
    if coefficient != 1 or len(mono) != 1 or not isinstance(mono[0], Atom) or mono[0].op != "min":
        return None
    blocks = [one.integer for one in mono[0].args if one != symbol(left)]
    if len(blocks) != 1 or len(mono[0].args) != len(blocks) + 1 or blocks[0] is None or blocks[0] < 1:
        return None
    return blocks[0], mono[0]
