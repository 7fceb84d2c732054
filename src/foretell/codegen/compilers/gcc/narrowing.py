"""Narrows arithmetic on bytes to 16 bits, where all values fit: C computes in `int`, and gcc uses the narrowest vectors
that hold the result (vect_recog_over_widening_pattern of its tree-vect-patterns), while LLVM considers each operation
separately, and computes absolute differences without widening."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from operator import add, lshift, mul, rshift, sub
from typing import TYPE_CHECKING

from foretell.codegen.ir.scalars import live_out
from foretell.core.nest.statements import ElementType, Num, Op, Ref, Set, Store, Var, parts

if TYPE_CHECKING:
    from foretell.core.nest.loopnest import LoopNest
    from foretell.core.nest.statements import Expression, Statement

_SMALL = ElementType("int", 2)
_LEAST, _MOST = -(1 << 15), (1 << 15) - 1
_WHOLE = ("int", "uint")
#: argument of the function; no name of a source has a blank
_HIDING = Var("a zero", _SMALL)

Range = tuple[int, int]


def in_16_bits(nest: LoopNest) -> LoopNest:
    """Nest with its innermost loop in 16 bits, where it operates on bytes only and carries no scalar; else
    unchanged."""
    inside = nest.levels[-1]
    bytes_only = all(use.type.kind in _WHOLE and use.type.size == 1 for use in nest.arrays)
    if not bytes_only or live_out(nest) or not all(isinstance(one, Store | Set) for one in inside):
        return nest
    ranges = _Ranges()
    if not all(ranges.statement(one) for one in inside):
        return nest
    hide = has_sizes(nest)
    return replace(nest, levels=(*nest.levels[:-1], tuple(_statement(one, hide) for one in inside)))


@dataclass
class _Ranges:
    """Value ranges (minimum, maximum) of expressions; of scalars, by name."""

    scalars: dict[str, Range] = field(default_factory=dict)

    def statement(self, one: Statement) -> bool:
        """Whether all values that it computes fit; records the ranges of scalars."""
        if not isinstance(one, Store | Set):
            return False
        found = self.of(one.value)
        if isinstance(one, Set) and found:
            self.scalars[one.target] = found
        return found is not None

    def of(self, expression: Expression) -> Range | None:
        """Range of an expression; None where it, or a subexpression, is unknown or does not fit."""
        values = self._of(expression)
        return values if values and _LEAST <= values[0] <= values[1] <= _MOST else None

    def _of(self, expression: Expression) -> Range | None:
        match expression:
            case Num(value) if isinstance(value, int):
                return int(value), int(value)
            case Ref(type=kind):
                return (0, 255) if kind.kind == "uint" else (-128, 127)
            case Var(name):
                return self.scalars.get(name)
            case Op(op, args):
                inside = [self.of(argument) for argument in args]
                known = [one for one in inside if one is not None]
                return _result(op, known, expression) if len(known) == len(inside) else None
        return None


def _result(op: str, args: list[Range], node: Op) -> Range | None:
    if op in ("<", "<=", ">", ">=", "==", "!="):
        return 0, 1
    if op == "cast" and node.type.kind in _WHOLE:
        least, most = (0, 255) if node.type == ElementType("uint", 1) else args[0]
        return (least, most) if node.type.size > 1 or node.type.kind == "uint" else (-128, 127)
    if op == "select":
        if _is_size(node):
            return 0, max(map(abs, args[2]))
        return min(args[1][0], args[2][0]), max(args[1][1], args[2][1])
    if op == "abs":
        return 0, max(map(abs, args[0]))
    if op == "neg":
        return -args[0][1], -args[0][0]
    if op in _ENDS and len(args) == 2:
        ends = [_ENDS[op](a, b) for a in args[0] for b in args[1] if op not in ("<<", ">>") or 0 <= b < 16]
        return (min(ends), max(ends)) if ends else None
    return None


_ENDS = {"+": add, "-": sub, "*": mul, "<<": lshift, ">>": rshift}


def _is_size(node: Op) -> bool:
    """Whether it is an absolute value: x < 0 ? -x : x."""
    _, then, other = node.args
    return isinstance(then, Op) and then.op == "neg" and then.args[0] == other


def has_sizes(nest: LoopNest) -> bool:
    """Whether a statement computes the absolute value of a difference."""
    values = [one.value for one in nest.levels[-1] if isinstance(one, Store | Set)]
    every = [part for value in values for part in parts(value) if isinstance(part, Op)]
    return any(one.op == "abs" or (one.op == "select" and _is_size(one)) for one in every)


def _statement(one: Statement, hide: bool) -> Statement:
    match one:
        case Set():
            return replace(one, value=_value(one.value, hide), type=_type(one.type))
        case Store():
            return replace(one, value=_value(one.value, hide))
    return one


def _type(kind: ElementType) -> ElementType:
    return _SMALL if kind.kind in _WHOLE and kind.size > _SMALL.size else kind


def _value(one: Expression, hide: bool) -> Expression:
    """Expression in 16 bits. `hide`: hides from LLVM that differences are of bytes, by adding an opaque zero."""
    match one:
        case Op():
            operand = None if one.operand is None else _type(one.operand)
            args = tuple(_value(argument, hide) for argument in one.args)
            if hide and one.op == "-" and len(args) == 2:
                args = (Op("+", (args[0], _HIDING), _SMALL), args[1])
            return replace(one, args=args, type=_type(one.type), operand=operand)
        case Num() | Var():
            return replace(one, type=_type(one.type))
    return one
