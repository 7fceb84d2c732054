"""Moves exit conditions into the heads of endless loops: `for (;;) { if (i >= n) break; … }` is a while loop.

while (1) { if (c) break; S }          →  while (!c) { S }
while (1) { P; if (c) break; S }       →  P; while (!c) { S; P }     (P integers only)
while (1) { S; if (c) break; }         →  do { S } while (!c)
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from foretell.frontends.source import ir

if TYPE_CHECKING:
    from collections.abc import Sequence

Body = tuple[ir.Stmt, ...]


def normalised(program: ir.Program) -> ir.Program:
    """The program with exit conditions moved into loop heads where possible."""
    units = tuple(
        replace(unit, functions=tuple(replace(f, body=_sequence(f.body)) for f in unit.functions))
        if any(_endless_in(f.body) for f in unit.functions)
        else unit
        for unit in program.units
    )
    return replace(program, units=units)


def blocks(one: ir.Stmt) -> tuple[Body, ...]:
    """The statement sequences directly inside a statement."""
    match one:
        case ir.Loop(body=body) | ir.Annotated(body=body):
            return (body,)
        case ir.While(body=body, step=step):
            return (body, step)
        case ir.If(_, then, other):
            return (then, other)
        case ir.Switch(_, cases):
            return tuple(inside for _, inside in cases)
        case _:
            return ()


def _endless_in(body: Body) -> bool:
    return any(_is_endless(one) or any(map(_endless_in, blocks(one))) for one in body)


def _is_endless(one: ir.Stmt) -> bool:
    return isinstance(one, ir.While) and isinstance(one.condition, ir.Const) and bool(one.condition.value)


def _sequence(body: Body) -> Body:
    if not _endless_in(body):
        return body
    found: list[ir.Stmt] = []
    for one in body:
        inner = _with_blocks(one)
        found.extend(_with_head(inner) if isinstance(inner, ir.While) and _is_endless(inner) else (inner,))
    return tuple(found)


def _with_blocks(one: ir.Stmt) -> ir.Stmt:
    match one:
        case ir.Loop() | ir.Annotated() | ir.While():
            return replace(one, body=_sequence(one.body))
        case ir.If():
            return replace(one, then=_sequence(one.then), other=_sequence(one.other))
        case ir.Switch():
            return replace(one, cases=tuple((labels, _sequence(inside)) for labels, inside in one.cases))
        case _:
            return one


def _with_head(loop: ir.While) -> Sequence[ir.Stmt]:
    """Gives an endless loop its first exit as condition, where that exit is a separate statement."""
    at = next((place for place, one in enumerate(loop.body) if _is_exit(one)), None)
    if at is None:
        return (loop,)
    leave = loop.body[at]
    assert isinstance(leave, ir.If)
    before, after = loop.body[:at], loop.body[at + 1 :]
    condition = negated(leave.condition)
    if not after and not loop.step and not any(map(_skips, before)):
        return (replace(loop, condition=condition, body=before, test_last=True),)
    if not all(map(_is_plain, before)):
        return (loop,)
    again = (*loop.step, *before)
    return (*before, replace(loop, condition=condition, body=after, step=again, test_last=False))


def _is_exit(one: ir.Stmt) -> bool:
    """Whether a statement is if (c) break;"""
    if not isinstance(one, ir.If) or one.other or len(one.then) != 1:
        return False
    jump = one.then[0]
    return isinstance(jump, ir.Jump) and jump.kind == "break" and jump.label is None


def _is_plain(one: ir.Stmt) -> bool:
    """Whether a statement computes an integer from integers: not counted, so that it may be duplicated."""
    return (
        isinstance(one, ir.Assign)
        and isinstance(one.target, ir.Name)
        and isinstance(one.target.type, ir.Scalar)
        and one.target.type.kind in ("int", "uint")
        and _is_arithmetic(one.value)
    )


def _is_arithmetic(expr: ir.Expr) -> bool:
    match expr:
        case ir.Name() | ir.Const():
            return True
        case ir.Binary(_, left, right):
            return _is_arithmetic(left) and _is_arithmetic(right)
        case ir.Unary(_, operand) | ir.Cast(_, operand):
            return _is_arithmetic(operand)
        case _:
            return False


def _skips(one: ir.Stmt) -> bool:
    """Whether `continue` skips the following statements."""
    if isinstance(one, ir.Loop | ir.While):
        return False
    return (isinstance(one, ir.Jump) and one.kind == "continue") or any(
        _skips(inner) for block in blocks(one) for inner in block
    )


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
        whole = all(
            isinstance(kind, ir.Pointer) or (isinstance(kind, ir.Scalar) and kind.kind in ("int", "uint"))
            for kind in kinds
        )
        if whole:
            return ir.Binary(_OPPOSITE[condition.op], condition.left, condition.right)
    return ir.Unary("!", condition)
