"""Floating-point parameters that the user gives: `-D beta=0.5` decides `beta == 0.0`."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

from foretell.core.nest.statements import Expression, Num, Op, Var
from foretell.frontends.source import ir
from foretell.frontends.source.traversal import statements

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

_COMPARED: dict[str, Callable[[float, float], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


def real_parameters(functions: Iterable[ir.Function], asked: str = "") -> frozenset[str]:
    """The names of floating-point parameters, without those that the function that is asked for (without one, any
    function) has for something else: there the value is a size."""
    named = [(one.display, _is_real(one.type), function.name) for function in functions for one in function.parameters]
    others = {name for name, real, function in named if not real and function == (asked or function)}
    return frozenset(name for name, real, _ in named if real) - others


def unchanged_reals(function: ir.Function, reals: Mapping[str, float]) -> dict[str, float]:
    """The values of a function's parameters that it does not assign, nor take the address of by an assignment."""
    if not reals:
        return {}
    assigned = {_name(one.target) for one in statements(function.body) if isinstance(one, ir.Assign)}
    free = (one for one in function.parameters if _is_real(one.type) and one.id not in assigned)
    return {one.display: reals[one.display] for one in free if one.display in reals}


def decided(tree: Expression, reals: Mapping[str, float]) -> bool | None:
    """Whether a condition holds, where it compares known numbers alone."""
    match tree:
        case Op("!", (operand,)):
            known = decided(operand, reals)
            return None if known is None else not known
        case Op("&&" | "||" as op, args):
            sides = [decided(one, reals) for one in args]
            deciding = op == "||"
            return deciding if deciding in sides else None if None in sides else not deciding
        case Op(op, (left, right)) if op in _COMPARED:
            first, second = _value(left, reals), _value(right, reals)
            return None if first is None or second is None else _COMPARED[op](first, second)
    return None


def _value(tree: Expression, reals: Mapping[str, float]) -> float | None:
    match tree:
        case Num(int() | float() as value):
            return float(value)
        case Var(name):
            return reals.get(name)
        case Op("cast", (operand,)):
            return _value(operand, reals)
        case Op("-", (operand,)):
            known = _value(operand, reals)
            return None if known is None else -known
    return None


def _is_real(kind: ir.Type) -> bool:
    return isinstance(kind, ir.Scalar) and kind.kind == "float"


def _name(target: ir.Expr) -> str:
    return target.id if isinstance(target, ir.Name) else ""
