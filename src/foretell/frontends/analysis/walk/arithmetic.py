"""Arithmetic on symbolic values: integers as polynomials, pointers as paths, types by C's usual conversions."""

from __future__ import annotations

from foretell.core.symbolic.poly import ZERO, Poly, TooLargeError, apply, modulo, number, parity
from foretell.frontends.analysis.walk.state import Address, Sub, Value, size_of
from foretell.frontends.source import ir


def pointers(op: str, a: Value, b: Value) -> Value:
    """Pointer plus integer, or the difference of two pointers into one array."""
    if isinstance(a, Address) and isinstance(b, Poly) and op in "+-":
        return a.moved(b if op == "+" else -b)
    if isinstance(b, Address) and isinstance(a, Poly) and op == "+":
        return b.moved(a)
    distance = distance_between(b, a) if op == "-" else None
    return distance if distance is not None else a if isinstance(a, Address) else b


def distance_between(low: Value, high: Value) -> Poly | None:
    """high - low in elements, for two pointers into one array."""
    if isinstance(low, Address) and isinstance(high, Address) and low.path[:-1] == high.path[:-1]:
        first, last = low.path[-1], high.path[-1]
        return last.value - first.value if isinstance(first, Sub) and isinstance(last, Sub) else None
    return None


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
            case "/" | "%":
                return apply("div" if op == "/" else "rem", (a, b)) if b.terms else None
            case "**":
                return apply("pow", (a, b))
            case "<<":
                return a * apply("pow", (number(2), b))
            case ">>":
                known = b.integer is not None and 0 <= b.integer < 64
                return apply("floor", (a, number(2 ** (b.integer or 0)))) if known else apply("shr", (a, b))
            case "&":
                return modulo(parity(a), 2) if b == 1 else modulo(parity(b), 2) if a == 1 else apply("and", (a, b))
            case "|" | "^":
                return apply("or" if op == "|" else "xor", (a, b))
    except TooLargeError:
        return None
    return None


def reinterpreted(value: Address, target: ir.Type) -> Address:
    """Converts a pointer: (double *) of a pointer to arrays points at the first element."""
    if isinstance(target, ir.Void | ir.Unknown):
        return value
    array = value.target
    if isinstance(array, ir.Array) and not isinstance(target, ir.Array) and size_of(target) == size_of(array.element):
        return Address((*value.path, *(Sub(ZERO) for _ in array.dims)), target)
    return Address(value.path, target)
