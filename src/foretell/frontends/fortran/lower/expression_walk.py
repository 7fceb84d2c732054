"""Traversal of expressions, and substitution of variables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from foretell.frontends.source import ir

if TYPE_CHECKING:
    from collections.abc import Iterator


def parts(expr: ir.Expr) -> Iterator[ir.Expr]:
    """An expression and all its sub-expressions."""
    stack = [expr]
    while stack:
        part = stack.pop()
        yield part
        stack.extend(children(part))


def children(expr: ir.Expr) -> tuple[ir.Expr, ...]:
    match expr:
        case ir.Index(base, subscripts):
            return (base, *subscripts)
        case ir.Member(inner) | ir.Deref(inner) | ir.AddressOf(inner) | ir.Unary(_, inner) | ir.Cast(_, inner):
            return (inner,)
        case ir.Binary(_, left, right):
            return (left, right)
        case ir.Select(condition, then, other):
            return (condition, then, other)
        case _:
            return expr.args if isinstance(expr, ir.Call) else ()


def names(expr: ir.Expr) -> set[str]:
    """The identifiers of all variables in an expression."""
    return {part.id for part in parts(expr) if isinstance(part, ir.Name)}


def replace_name(expr: ir.Expr, identifier: str, new: ir.Expr) -> ir.Expr:
    """`expr` with every use of a variable replaced."""

    def rebuilt(part: Any) -> Any:
        if isinstance(part, tuple):
            return tuple(map(rebuilt, part))
        if isinstance(part, ir.Name):
            return new if part.id == identifier else part
        if not isinstance(part, ir.Expr) or isinstance(part, ir.Const):
            return part
        return type(part)(*(rebuilt(getattr(part, field)) for field in part.__match_args__))

    result: ir.Expr = rebuilt(expr)
    return result
