"""Integer arithmetic on expressions: sums are normalised to linear forms, so that `(i + 1) - 1` is `i`."""

from __future__ import annotations

from functools import lru_cache

from foretell.frontends.source import ir

ZERO = ir.Const(0, ir.INT)
ONE = ir.Const(1, ir.INT)


@lru_cache(maxsize=4096)
def integer(value: int) -> ir.Const:
    return ir.Const(value, ir.INT)


def constant(expr: ir.Expr) -> int | None:
    """The value of an expression of integer constants, if the expression alone determines it."""
    if isinstance(expr, ir.Const):
        return expr.value if type(expr.value) is int else None
    if isinstance(expr, ir.Name | ir.Call | ir.Index):
        return None
    terms = _linear(expr)
    return terms.get(None, 0) if terms.keys() <= {None} else None


def add(left: ir.Expr, right: ir.Expr, sign: int = 1) -> ir.Expr:
    """left + sign · right."""
    if isinstance(right, ir.Const) and type(right.value) is int:
        if right.value == 0:
            return left
        if isinstance(left, ir.Const) and type(left.value) is int:
            return integer(left.value + sign * right.value)
    return _build(_sum(_linear(left), _linear(right), sign))


def sub(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    return ZERO if left is right else add(left, right, -1)


def mul(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    return _build(_linear(ir.Binary("*", left, right)))


def div(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    """Exact or truncating division; by 1 it is the left operand."""
    top, bottom = constant(left), constant(right)
    if bottom == 1:
        return left
    if top is not None and bottom:
        quotient = abs(top) // abs(bottom)
        return integer(quotient if (top < 0) == (bottom < 0) else -quotient)
    return ir.Binary("/", left, right)


_Terms = dict["ir.Expr | None", int]


def _linear(expr: ir.Expr) -> _Terms:
    """An integer expression as Σ coefficient · term; the key None is the constant."""
    match expr:
        case ir.Const(value) if isinstance(value, int) and not isinstance(value, bool):
            return {None: value} if value else {}
        case ir.Binary("+", left, right):
            return _sum(_linear(left), _linear(right), 1)
        case ir.Binary("-", left, right):
            return _sum(_linear(left), _linear(right), -1)
        case ir.Unary("-", operand):
            return _sum({}, _linear(operand), -1)
        case ir.Unary("+", operand):
            return _linear(operand)
        case ir.Binary("*", left, right):
            for number, other in ((left, right), (right, left)):
                if (factor := constant(number)) is not None:
                    return {key: value * factor for key, value in _linear(other).items() if factor}
    return {expr: 1}


def _sum(left: _Terms, right: _Terms, sign: int) -> _Terms:
    out = dict(left)
    for key, value in right.items():
        total = out.get(key, 0) + sign * value
        if total:
            out[key] = total
        else:
            out.pop(key, None)
    return out


def _build(terms: _Terms) -> ir.Expr:
    result: ir.Expr | None = None
    for key, value in terms.items():
        if key is None:
            continue
        size = abs(value)
        term: ir.Expr = key if size == 1 else ir.Binary("*", integer(size), key)
        if result is None:
            result = term if value > 0 else ir.Unary("-", term)
        else:
            result = ir.Binary("+" if value > 0 else "-", result, term)
    number = terms.get(None, 0)
    if result is None:
        return integer(number)
    if number == 0:
        return result
    return ir.Binary("+" if number > 0 else "-", result, integer(abs(number)))
