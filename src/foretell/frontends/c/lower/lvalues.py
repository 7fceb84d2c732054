"""Predicates on IR expressions, and constructors of lvalues."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from foretell.frontends.c.lower import calls, fold
from foretell.frontends.c.lower.types import INDEX, conversion
from foretell.frontends.source import ir

if TYPE_CHECKING:
    from collections.abc import Iterator


def indexed(base: ir.Expr, index: ir.Expr) -> ir.Expr:
    """base[index]; the subscripts of one array (or of a pointer to arrays) are combined in one node."""
    if isinstance(base, ir.Index):
        inner = ir.type_of(base)
        if isinstance(inner, ir.Array):
            return ir.Index(base.base, (*base.subscripts, index))
    return ir.Index(base, (index,))


def dereferenced(pointer: ir.Expr) -> ir.Expr:
    """*pointer, as a subscript where the pointer is a sum or an array."""
    if isinstance(pointer, ir.AddressOf):
        return pointer.target
    if isinstance(pointer, ir.Binary) and pointer.op == "+":
        left, right = pointer.left, pointer.right
        if isinstance(ir.type_of(left), ir.Scalar):
            left, right = right, left
        return indexed(left, right)
    if isinstance(pointer, ir.Index | ir.Name | ir.Member) and isinstance(ir.type_of(pointer), ir.Array):
        return indexed(pointer, ir.Const(0, ir.INT))
    return ir.Deref(pointer)


def parts(expr: ir.Expr) -> tuple[ir.Expr, ...]:
    """The direct sub-expressions of an expression."""
    match expr:
        case ir.Const() | ir.Name():
            return ()
        case ir.Index(base, subscripts):
            return (base, *subscripts)
        case ir.Member(inner) | ir.Deref(inner) | ir.AddressOf(inner) | ir.Unary(_, inner) | ir.Cast(_, inner):
            return (inner,)
        case ir.Binary(_, left, right):
            return left, right
        case ir.Select(condition, then, other):
            return condition, then, other
        case ir.Call(_, args, _, target):
            return args if target is None else (target, *args)


def walk(expr: ir.Expr) -> Iterator[ir.Expr]:
    """An expression and all its sub-expressions."""
    waiting = [expr]
    while waiting:
        current = waiting.pop()
        yield current
        waiting += parts(current)


def has_call(expr: ir.Expr) -> bool:
    """Whether an expression contains a call."""
    return any(isinstance(part, ir.Call) for part in walk(expr))


def is_cheap(expr: ir.Expr) -> bool:
    """Whether an expression reads no memory and calls nothing, and so can be evaluated twice."""
    return not any(isinstance(part, ir.Index | ir.Deref | ir.Member | ir.Call) for part in walk(expr))


def replaced(expr: ir.Expr, old: ir.Expr, new: ir.Expr) -> ir.Expr:
    """`expr` (a compound assignment's value) with its leftmost lvalue replaced."""
    if expr is old:
        return new
    match expr:
        case ir.Binary(op, left, right):
            return ir.Binary(op, replaced(left, old, new), right)
        case ir.Cast(kind, operand):
            return ir.Cast(kind, replaced(operand, old, new))
        case _:
            return expr


def only_math(expr: ir.Expr) -> bool:
    """Whether all calls in an expression are pure."""
    found = [part for part in walk(expr) if isinstance(part, ir.Call)]
    return all(call.target is None and calls.is_math(call.function) for call in found)


def mentions(expr: ir.Expr, variable: str) -> bool:
    """Whether an expression uses a variable."""
    return any(isinstance(part, ir.Name) and part.id == variable for part in walk(expr))


def is_integer(expr: ir.Expr) -> bool:
    kind = ir.type_of(expr)
    return isinstance(kind, ir.Scalar) and kind.kind in ("int", "uint", "bool")


def truth(expr: ir.Expr) -> ir.Expr:
    """expr != 0, unless it is already a truth value."""
    if ir.type_of(expr) == ir.BOOL:
        return expr
    return fold.binary("!=", expr, ir.Const(0, ir.type_of(expr)))


def one(kind: ir.Type) -> ir.Const:
    """The 1 that ++ adds to a variable of that type."""
    if isinstance(kind, ir.Scalar) and kind.kind == "float":
        return ir.Const(1.0, kind)
    return ir.Const(1, kind if isinstance(kind, ir.Scalar) else ir.INT)


def promoted(kind: ir.Scalar) -> ir.Scalar:
    """The type of a small integer after promotion."""
    return ir.INT if kind.kind in ("int", "uint", "bool") and kind.size < 4 else kind


def common(left: ir.Scalar, right: ir.Scalar) -> ir.Scalar:
    """The type of an operation on two numbers (usual arithmetic conversions)."""
    return cast("ir.Scalar", ir.type_of(ir.Binary("+", ir.Name("", left), ir.Name("", right))))


def array_size(kind: ir.Type) -> ir.Expr | None:
    """The size of a type in bytes, as an expression."""
    if isinstance(kind, ir.Scalar):
        return ir.Const(kind.size, INDEX)
    if isinstance(kind, ir.Pointer):
        return ir.Const(8, INDEX)
    if isinstance(kind, ir.Array):
        size = array_size(kind.element)
        for extent in kind.dims:
            if size is None or extent.size is None:
                return None
            size = fold.binary("*", size, conversion(extent.size, ir.type_of(extent.size), INDEX))
        return size
    return None
