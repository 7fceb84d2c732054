"""While loops that another condition may end before their count is reached: whether they run, and what holds after
them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.core.nest.loopnest import TRIPS
from foretell.core.symbolic.poly import ZERO, minimum, symbol
from foretell.frontends.analysis.walk.expressions import evaluate
from foretell.frontends.analysis.walk.state import Address, Sub
from foretell.frontends.source import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from foretell.frontends.analysis.walk.state import LoopItem, State

#: bytes of the widest alignment that code tests for and that the beginning of an array is taken to have: a line
_LINE = 64


def passed(state: State, item: LoopItem) -> None:
    """Lets the code after a loop that data may end go on from where they end it, `trips_L7`, not from the loop's
    count: else a loop over what is left would have no rounds."""
    if any(mark.kind == "exit" for mark in item.ends):
        item.passed = minimum(item.trips, symbol(state.fresh(f"{TRIPS}{item.line}", f"trips@{item.line}")))


def aligned(state: State, condition: ir.Expr, line: int) -> str:
    """The array whose beginning is no multiple of some bytes, if that is asked by a part of a condition that must hold;
    empty where nothing is. Arrays begin at lines, so such a condition does not hold."""
    for one in _parts(condition):
        if isinstance(one, ir.Binary) and one.op == "!=" and _is_zero(state, one.right, line):
            one = one.left
        if isinstance(one, ir.Binary) and one.op in ("&", "%") and (name := _beginning(state, one, line)):
            return name
    return ""


def _parts(condition: ir.Expr) -> Iterator[ir.Expr]:
    condition = _plain(condition)
    if isinstance(condition, ir.Binary) and condition.op == "&&":
        yield from _parts(condition.left)
        yield from _parts(condition.right)
    else:
        yield condition


def _beginning(state: State, one: ir.Binary, line: int) -> str:
    """The array at whose beginning a pointer is, of which the last bits are asked."""
    pointer = _plain(one.left)
    if not isinstance(ir.type_of(pointer), ir.Pointer):
        return ""
    asked, at = (evaluate(state, side, line)[1] for side in (one.right, pointer))
    bits = getattr(asked, "integer", None)
    if bits is None or not 0 < bits + (one.op == "&") <= _LINE or not isinstance(at, Address):
        return ""
    root, *rest = at.path
    begins = all(isinstance(part, Sub) and part.value == ZERO for part in rest)
    return state.display.get(str(root), str(root)) if begins and isinstance(root, str) else ""


def _is_zero(state: State, expr: ir.Expr, line: int) -> bool:
    return evaluate(state, expr, line)[1] == ZERO


def _plain(expr: ir.Expr) -> ir.Expr:
    while isinstance(expr, ir.Cast):
        expr = expr.operand
    return expr
