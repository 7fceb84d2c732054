"""Lowers memcpy, memmove and memset to loops, where the size is a whole number of elements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.core.nest.statements import Expression, Num, Store
from foretell.core.symbolic.poly import ONE, ZERO, Poly, exact_quotient, number, symbol
from foretell.frontends.analysis.walk.expressions import evaluate
from foretell.frontends.analysis.walk.state import Address, LoopItem, State, element_type, size_of
from foretell.frontends.source import ir

if TYPE_CHECKING:
    from collections.abc import Sequence

NAMES = frozenset({"memcpy", "memmove", "memset"})


def run(state: State, call: ir.Call, line: int) -> bool:
    """Records a call as an implied loop; returns whether its size and its arrays are known."""
    if len(call.args) != 3:
        return False
    copies = not call.function.endswith("memset")
    ends = [_start(state, _plain(argument), line) for argument in (call.args if copies else call.args[:1])[:2]]
    count = _elements(state, call.args[2], ends, line)
    if count is None:
        return False
    name = state.fresh("i", f"{call.function}@{line}@{len(state.items)}")
    function = state.frame.function
    loop = LoopItem(name, ZERO, count - 1, ONE, line, function.file, (), implied=True, trips=count)
    loop.language = function.language
    refs = [
        state.reference(end.moved(symbol(name)).path, element_type(end.target), ()) for end in ends if end is not None
    ]
    value: Expression = refs[1] if copies else Num(0, refs[0].type)
    loop.items.append(Store(refs[0], value, line))
    state.items.append(loop)
    return True


def _plain(argument: ir.Expr) -> ir.Expr:
    """An argument without its conversion to void *."""
    while isinstance(argument, ir.Cast) and isinstance(argument.type, ir.Pointer):
        argument = argument.operand
    return argument


def _start(state: State, argument: ir.Expr, line: int) -> Address | None:
    """The address of the first scalar that a pointer argument refers to."""
    _, value = evaluate(state, argument, line)
    if isinstance(value, Address) and isinstance(value.target, ir.Array):  # nested arrays, flattened to one dimension
        _, value = evaluate(state, ir.Cast(ir.Pointer(value.target.element), argument), line)
    return value if isinstance(value, Address) and isinstance(value.target, ir.Scalar) else None


def _elements(state: State, size: ir.Expr, ends: Sequence[Address | None], line: int) -> Poly | None:
    """The number of elements in a number of bytes; None where it is not known to be whole."""
    _, total = evaluate(state, size, line)
    sizes = {size_of(end.target) if end is not None else 0 for end in ends}
    if not isinstance(total, Poly) or len(sizes) != 1 or 0 in sizes:
        return None
    return exact_quotient(total, number(sizes.pop()))
