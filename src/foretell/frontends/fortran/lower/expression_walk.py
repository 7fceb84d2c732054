"""Traversal of expressions, and substitution of variables."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
        case ir.Member(base):
            return (base,)
        case ir.Deref(inner) | ir.AddressOf(inner) | ir.Unary(_, inner) | ir.Cast(_, inner):
            return (inner,)
        case ir.Binary(_, left, right):
            return (left, right)
        case ir.Select(condition, then, other):
            return (condition, then, other)
        case ir.Call(_, args):
            return args
        case _:
            return ()


def replace_name(expr: ir.Expr, identifier: str, new: ir.Expr) -> ir.Expr:
    """`expr` with every use of a variable replaced."""

    def walk(part: ir.Expr) -> ir.Expr:
        match part:
            case ir.Name(name):
                return new if name == identifier else part
            case ir.Index(base, subscripts):
                return ir.Index(walk(base), tuple(walk(s) for s in subscripts))
            case ir.Member(base, name, kind):
                return ir.Member(walk(base), name, kind)
            case ir.Deref(pointer):
                return ir.Deref(walk(pointer))
            case ir.AddressOf(target):
                return ir.AddressOf(walk(target))
            case ir.Binary(op, left, right):
                return ir.Binary(op, walk(left), walk(right))
            case ir.Unary(op, operand):
                return ir.Unary(op, walk(operand))
            case ir.Select(condition, then, other, lazy):
                return ir.Select(walk(condition), walk(then), walk(other), lazy)
            case ir.Cast(kind, operand):
                return ir.Cast(kind, walk(operand))
            case ir.Call(function, args, kind, target):
                return ir.Call(function, tuple(walk(a) for a in args), kind, target)
            case _:
                return part

    return walk(expr)
