"""Arithmetic on symbolic values: integers as polynomials, pointers as paths, types by C's usual conversions."""

from __future__ import annotations

from foretell.core.nest.statements import ElementType
from foretell.core.symbolic.poly import ZERO, Poly, TooLargeError, apply, modulo, number, parity
from foretell.frontends.analysis.walk.state import Address, Sub, Value, size_of
from foretell.frontends.source import ir

_RANK = {"bool": 0, "int": 1, "uint": 1, "other": 1, "record": 1, "float": 2, "complex": 3}


def common_type(left: ElementType, right: ElementType) -> ElementType:
    """The result type of the usual arithmetic conversions."""
    if left is right or left == right:
        return left
    if _RANK[left.kind] != _RANK[right.kind]:
        low, high = (left, right) if _RANK[left.kind] < _RANK[right.kind] else (right, left)
        if high.kind == "complex" and low.kind == "float" and 2 * low.size > high.size:
            return ElementType("complex", 2 * low.size)
        return high
    if left.size != right.size:
        return left if left.size > right.size else right
    return left if left.kind != "int" else right


def pointers(op: str, a: Value, b: Value) -> Value:
    """Pointer plus integer, or the difference of two pointers into one array."""
    if isinstance(a, Address) and isinstance(b, Poly) and op in "+-":
        return a.moved(b if op == "+" else -b)
    if isinstance(b, Address) and isinstance(a, Poly) and op == "+":
        return b.moved(a)
    if isinstance(a, Address) and isinstance(b, Address) and op == "-" and a.path[:-1] == b.path[:-1]:
        high, low = a.path[-1], b.path[-1]
        if isinstance(high, Sub) and isinstance(low, Sub):
            return high.value - low.value
    return a if isinstance(a, Address) else b


def integers(op: str, a: Poly, b: Poly) -> Poly | None:
    """The polynomial of an integer operation; None where it is undefined or too large."""
    try:
        match op:
            case "+":
                return a + b
            case "-":
                return a - b
            case "*":
                return a * b
            case "/":
                return apply("div", (a, b)) if b.terms else None
            case "%":
                return apply("rem", (a, b)) if b.terms else None
            case "**":
                return apply("pow", (a, b))
            case "<<":
                return a * apply("pow", (number(2), b))
            case ">>":
                places = b.integer
                return (
                    apply("floor", (a, number(2**places)))
                    if places is not None and 0 <= places < 64
                    else apply("shr", (a, b))
                )
            case "&":
                return modulo(parity(a), 2) if b == 1 else modulo(parity(b), 2) if a == 1 else apply("and", (a, b))
            case "|":
                return apply("or", (a, b))
            case "^":
                return apply("xor", (a, b))
    except TooLargeError:
        return None
    return None


def reinterpreted(value: Address, target: ir.Type) -> Address:
    """Converts a pointer: (double *) of a pointer to arrays points at the first element; a different element size
    changes the unit of its offset.
    """
    if isinstance(value.target, ir.Array) and not isinstance(target, ir.Array | ir.Void | ir.Unknown):
        path = value.path
        for _ in value.target.dims:
            path = (*path, Sub(ZERO))
        return (
            Address(path, target) if size_of(target) == size_of(value.target.element) else Address(value.path, target)
        )
    if isinstance(target, ir.Void | ir.Unknown):
        return value
    return Address(value.path, target)
