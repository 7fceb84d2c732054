"""Traverses the statement IR: sub-expressions, nested statements."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, get_args

from foretell.frontends.source.ir import Annotated, Expr, If, Loop, Switch, While

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from foretell.frontends.source.ir import Body, Stmt

_EXPRESSIONS = get_args(Expr)


def children(expr: Expr) -> list[Expr]:
    """The sub-expressions of an expression."""
    operands: list[Expr] = []
    for name in expr.__match_args__:
        value = getattr(expr, name)
        if isinstance(value, tuple):
            operands.extend(value)
        elif isinstance(value, _EXPRESSIONS):
            operands.append(value)
    return operands


def expressions(statement: Stmt) -> list[Expr]:
    """The expressions directly inside a statement, labels of cases excluded."""
    values = (getattr(statement, name) for name in statement.__match_args__)
    return [value for value in values if isinstance(value, _EXPRESSIONS)]


def blocks(statement: Stmt) -> tuple[Body, ...]:
    """The statement sequences directly inside a statement."""
    match statement:
        case Loop(body=body) | Annotated(body=body):
            return (body,)
        case While(body=body, step=step):
            return (body, step)
        case If(_, then, other):
            return (then, other)
        case Switch(_, cases):
            return tuple(inside for _, inside in cases)
        case _:
            return ()


def with_blocks(statement: Stmt, inside: Sequence[Body]) -> Stmt:
    """The statement with other sequences in place of `blocks`."""
    match statement:
        case Loop() | Annotated():
            return replace(statement, body=inside[0])
        case While():
            return replace(statement, body=inside[0], step=inside[1])
        case If():
            return replace(statement, then=inside[0], other=inside[1])
        case Switch(_, cases):
            return replace(statement, cases=tuple((c[0], b) for c, b in zip(cases, inside, strict=True)))
        case _:
            return statement


def statements(body: Sequence[Stmt]) -> Iterator[Stmt]:
    """All statements of a body, nested ones included."""
    for statement in body:
        yield statement
        for block in blocks(statement):
            yield from statements(block)
