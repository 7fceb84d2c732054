"""Moves exit conditions into the heads of endless loops: `for (;;) { if (i >= n) break; … }` is a while loop.

while (1) { if (c) break; S }          →  while (!c) { S }
while (1) { P; if (c) break; S }       →  P; while (!c) { S; P }     (P integers only)
while (1) { S; if (c) break; }         →  do { S } while (!c)
"""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from foretell.frontends.source import ir
from foretell.frontends.source.traversal import blocks, children, statements, with_blocks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from foretell.frontends.source.ir import Body


def normalised(program: ir.Program) -> ir.Program:
    """The program with exit conditions moved into loop heads where possible."""
    units = tuple(
        replace(unit, functions=tuple(replace(f, body=_sequence(f.body)) for f in unit.functions))
        if any(map(_is_endless, statements([s for f in unit.functions for s in f.body])))
        else unit
        for unit in program.units
    )
    return replace(program, units=units)


def _is_endless(one: ir.Stmt) -> bool:
    return isinstance(one, ir.While) and isinstance(one.condition, ir.Const) and bool(one.condition.value)


def _sequence(body: Body) -> Body:
    if not any(map(_is_endless, statements(body))):
        return body
    out: list[ir.Stmt] = []
    for statement in body:
        inner = with_blocks(statement, list(map(_sequence, blocks(statement))))
        out.extend(_with_head(inner) if isinstance(inner, ir.While) and _is_endless(inner) else (inner,))
    return tuple(out)


def _with_head(loop: ir.While) -> Sequence[ir.Stmt]:
    """Gives an endless loop its first exit as condition, where that exit is a separate statement."""
    at, leave = next(((at, s) for at, s in enumerate(loop.body) if isinstance(s, ir.If) and _is_exit(s)), (0, None))
    if leave is None:
        return (loop,)
    before, after = loop.body[:at], loop.body[at + 1 :]
    condition = negated(leave.condition)
    if not after and not loop.step and not any(map(_skips, before)):
        return (replace(loop, condition=condition, body=before, test_last=True),)
    if not all(map(_is_plain, before)):
        return (loop,)
    again = (*loop.step, *before)
    return (*before, replace(loop, condition=condition, body=after, step=again, test_last=False))


def _is_exit(statement: ir.If) -> bool:
    """Whether a statement is if (c) break;"""
    match statement.then, statement.other:
        case (ir.Jump("break", label=None),), ():
            return True
    return False


def _is_plain(statement: ir.Stmt) -> bool:
    """Whether a statement computes an integer from integers: not counted, so that it may be duplicated."""
    match statement:
        case ir.Assign(ir.Name(_, ir.Scalar("int" | "uint")), value):
            return _is_arithmetic(value)
    return False


def _is_arithmetic(expr: ir.Expr) -> bool:
    plain = isinstance(expr, ir.Name | ir.Const | ir.Binary | ir.Unary | ir.Cast)
    return plain and all(map(_is_arithmetic, children(expr)))


def _skips(statement: ir.Stmt) -> bool:
    """Whether `continue` skips the following statements."""
    if isinstance(statement, ir.Loop | ir.While):
        return False
    if isinstance(statement, ir.Jump):
        return statement.kind == "continue"
    return any(map(_skips, chain.from_iterable(blocks(statement))))


_OPPOSITE: dict[str, ir.BinaryOp] = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def negated(condition: ir.Expr) -> ir.Expr:
    """The negated condition; comparisons of integers are inverted (those of reals are not: NaN)."""
    if isinstance(condition, ir.Unary) and condition.op == "!":
        return condition.operand
    if isinstance(condition, ir.Binary) and condition.op in ("&&", "||"):
        opposite: ir.BinaryOp = "||" if condition.op == "&&" else "&&"
        return ir.Binary(opposite, negated(condition.left), negated(condition.right))
    if isinstance(condition, ir.Binary) and condition.op in _OPPOSITE:
        kinds = (ir.type_of(condition.left), ir.type_of(condition.right))
        if all(isinstance(kind, ir.Pointer) or ir.is_integer(kind) for kind in kinds):
            return ir.Binary(_OPPOSITE[condition.op], condition.left, condition.right)
    return ir.Unary("!", condition)
