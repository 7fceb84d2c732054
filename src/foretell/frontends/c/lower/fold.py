"""Constant folding and simple algebra for loop bounds."""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING

from foretell.frontends.c.lower.types import rounded, wrapped
from foretell.frontends.source import ir

if TYPE_CHECKING:
    from collections.abc import Callable

_EXACT: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
}
_COMPARE: dict[str, Callable[[float, float], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def binary(op: ir.BinaryOp, left: ir.Expr, right: ir.Expr) -> ir.Expr:
    """left op right, folded where both are constants, as every compiler does."""
    if isinstance(left, ir.Const) and isinstance(right, ir.Const):
        value = _evaluate(op, left, right)
        if value is not None:
            return value
    return ir.Binary(op, left, right)


def unary(op: str, operand: ir.Expr) -> ir.Expr:
    """op operand, folded where it is a constant."""
    if isinstance(operand, ir.Const) and isinstance(operand.type, ir.Scalar):
        value, kind = operand.value, operand.type
        if isinstance(value, int | float) and not isinstance(value, bool):
            if op == "-":
                return ir.Const(wrapped(-value, kind) if isinstance(value, int) else -value, kind)
            if op == "+":
                return operand
            if op == "~" and isinstance(value, int):
                return ir.Const(wrapped(~value, kind), kind)
            if op == "!":
                return ir.Const(int(not value), ir.INT)
    return operand if op == "+" else ir.Unary(op, operand)  # type: ignore[arg-type]


def _evaluate(op: str, left: ir.Const, right: ir.Const) -> ir.Const | None:
    a, b = left.value, right.value
    if isinstance(a, complex | str) or isinstance(b, complex | str):
        return None
    if op in _COMPARE:
        return ir.Const(int(_COMPARE[op](a, b)), ir.INT)
    if op in ("&&", "||"):
        return ir.Const(int(bool(a and b) if op == "&&" else bool(a or b)), ir.INT)
    kind = ir.type_of(ir.Binary(op, left, right))  # type: ignore[arg-type]
    if not isinstance(kind, ir.Scalar):
        return None
    if kind.kind == "float":
        return _real(op, float(a), float(b), kind)
    if isinstance(a, float) or isinstance(b, float):
        return None
    value = _integer(op, a, b, kind)
    return None if value is None else ir.Const(wrapped(value, kind), kind)


def _integer(op: str, a: int, b: int, kind: ir.Scalar) -> int | None:
    if op in _EXACT:
        return _EXACT[op](a, b)
    if op in ("/", "%") and b:
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        return quotient if op == "/" else a - b * quotient
    if op in ("<<", ">>") and 0 <= b < 8 * kind.size:
        return a << b if op == "<<" else a >> b
    return None


def _real(op: str, a: float, b: float, kind: ir.Scalar) -> ir.Const | None:
    try:
        value = {"+": a + b, "-": a - b, "*": a * b, "/": a / b if b else math.nan}[op]
    except (KeyError, OverflowError):
        return None
    return ir.Const(rounded(value, kind.size), kind) if math.isfinite(value) else None


def plus(expr: ir.Expr, amount: int) -> ir.Expr:
    """expr + amount as an integer, with constants combined: n + 1 less 1 is n."""
    if amount == 0:
        return expr
    kind = ir.type_of(expr)
    if isinstance(expr, ir.Const) and isinstance(expr.value, int):
        return ir.Const(expr.value + amount, kind)
    if isinstance(expr, ir.Binary) and expr.op in ("+", "-") and isinstance(expr.right, ir.Const):
        value = expr.right.value
        if isinstance(value, int):
            return _sum(expr.left, (value if expr.op == "+" else -value) + amount, expr.right.type)
    return _sum(expr, amount, kind if isinstance(kind, ir.Scalar) else ir.INT)


def _sum(left: ir.Expr, amount: int, kind: ir.Type) -> ir.Expr:
    if amount == 0:
        return left
    return ir.Binary("+" if amount > 0 else "-", left, ir.Const(abs(amount), kind))
