"""Narrows arithmetic on bytes to 16 bits, where all values fit: C computes in `int`, and gcc uses the narrowest vectors
that hold the result (vect_recog_over_widening_pattern of its tree-vect-patterns), while LLVM considers each operation
separately, and computes absolute differences without widening."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from operator import add, lshift, mul, rshift, sub
from typing import TYPE_CHECKING

from foretell.codegen.ir.scalars import live_out
from foretell.core.nest.statements import ElementType, Num, Op, Ref, Set, Store, Var, assigned_parts, rewritten

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
    if not bytes_only or live_out(nest) or not all(map(_Ranges().fits, inside)):
        return nest
    hide = _has_absolute(nest)
    return replace(nest, levels=(*nest.levels[:-1], tuple(_statement(one, hide) for one in inside)))


@dataclass
class _Ranges:
    """Value ranges (minimum, maximum) of expressions; of scalars, by name."""

    scalars: dict[str, Range] = field(default_factory=dict)

    def fits(self, statement: Statement) -> bool:
        """Whether all values that it computes fit; records the ranges of scalars."""
        values = self.of(statement.value) if isinstance(statement, Store | Set) else None
        if isinstance(statement, Set) and values:
            self.scalars[statement.target] = values
        return values is not None

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
                known = [values for argument in args if (values := self.of(argument)) is not None]
                return _result(op, known, expression) if len(known) == len(args) else None
        return None


def _result(op: str, args: list[Range], node: Op) -> Range | None:
    if op in ("<", "<=", ">", ">=", "==", "!="):
        return 0, 1
    if op == "cast" and node.type.kind in _WHOLE:
        least, most = (0, 255) if node.type == ElementType("uint", 1) else args[0]
        return (least, most) if node.type.size > 1 or node.type.kind == "uint" else (-128, 127)
    if op == "select":
        if _is_absolute(node):
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


def _is_absolute(node: Op) -> bool:
    """Whether it is an absolute value: x < 0 ? -x : x."""
    _, then, other = node.args
    return isinstance(then, Op) and then.op == "neg" and then.args[0] == other


def _has_absolute(nest: LoopNest) -> bool:
    """Whether a statement computes the absolute value of a difference."""
    operations = [part for part in assigned_parts(nest.levels[-1]) if isinstance(part, Op)]
    return any(node.op == "abs" or (node.op == "select" and _is_absolute(node)) for node in operations)


def _statement(statement: Statement, hide: bool) -> Statement:
    assert isinstance(statement, Store | Set)
    statement = replace(statement, value=rewritten(statement.value, partial(_narrowed, hide=hide)))
    return replace(statement, type=_type(statement.type)) if isinstance(statement, Set) else statement


def _type(kind: ElementType) -> ElementType:
    return _SMALL if kind.kind in _WHOLE and kind.size > _SMALL.size else kind


def _narrowed(part: Expression, hide: bool) -> Expression:
    """Subexpression in 16 bits. `hide`: hides from LLVM that differences are of bytes, by adding an opaque zero."""
    if isinstance(part, Ref):
        return part
    if isinstance(part, Op):
        if hide and part.op == "-" and len(part.args) == 2:
            part = replace(part, args=(Op("+", (part.args[0], _HIDING), _SMALL), part.args[1]))
        part = replace(part, operand=None if part.operand is None else _type(part.operand))
    return replace(part, type=_type(part.type))
