"""Lowers C's switch to cases without fall-through and break."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from foretell.frontends.source import ir

if TYPE_CHECKING:
    from collections.abc import Sequence

#: A case that falls through into long ones would copy them repeatedly; beyond this many statements it is refused.
MAX_COPIES = 5000


@dataclass(slots=True)
class Section:
    """The statements between two labels; `labels` holds () for default."""

    labels: list[tuple[ir.Expr, ...]] = field(default_factory=list)
    body: list[ir.Stmt] = field(default_factory=list)
    is_default: bool = False


Cases = tuple[tuple[tuple[ir.Expr, ...], tuple[ir.Stmt, ...]], ...]


def cases_of(sections: Sequence[Section], end_label: str) -> tuple[Cases, bool] | None:
    """The cases without fall-through, and whether there is a goto to `end_label`; None if they would be too long.

    `break` is still in the sections, as a jump; the default is always last."""
    cases: list[tuple[tuple[ir.Expr, ...], tuple[ir.Stmt, ...]]] = []
    default: tuple[ir.Stmt, ...] | None = None
    following: list[ir.Stmt] = []
    copied = 0
    jumps = False
    for section in reversed(sections):
        full = [*section.body] if _ends(section.body) else [*section.body, *following]
        copied += len(full)
        if copied > MAX_COPIES:
            return None
        following = full
        body, left = _without_breaks(tuple(full), end_label)
        jumps = jumps or left
        labels = tuple(label for group in section.labels for label in group)
        if section.is_default:
            default = body
        if labels:
            cases.append((labels, body))
    cases.reverse()
    if default is not None:
        cases.append(((), default))
    return tuple(cases), jumps


def _ends(body: Sequence[ir.Stmt]) -> bool:
    """Whether control never reaches the end of the statements."""
    if not body:
        return False
    last = body[-1]
    if isinstance(last, ir.If):
        return _ends(last.then) and _ends(last.other)
    return isinstance(last, ir.Jump)


def _without_breaks(body: tuple[ir.Stmt, ...], label: str) -> tuple[tuple[ir.Stmt, ...], bool]:
    """Replaces `break` by else-branches, or by a goto where it is nested too deeply; tells whether there is a goto."""
    result: list[ir.Stmt] = []
    jumps = False
    for position, statement in enumerate(body):
        if isinstance(statement, ir.Jump) and statement.kind == "break" and not any(map(_labelled, body[position:])):
            return (*result, *_dead(body[position + 1 :])), jumps  # unreachable
        if isinstance(statement, ir.If) and _breaks(statement) and not any(map(_labelled, body[position:])):
            rest = body[position + 1 :]
            then, left = _branch(statement.then, rest, label)
            other, right = _branch(statement.other, rest, label)
            if not _shares(statement, rest):
                return (*result, replace(statement, then=then, other=other)), jumps or left or right
        if _breaks(statement):
            statement, jumps = _with_goto(statement, label), True
        result.append(statement)
    return tuple(result), jumps


def _dead(rest: tuple[ir.Stmt, ...]) -> tuple[ir.Stmt, ...]:
    """Unreachable loops, kept so that every loop is accounted for."""
    loops = tuple(one for one in rest if isinstance(one, ir.Loop | ir.While))
    return (ir.If(ir.Const(0, ir.INT), loops, (), loops[0].line),) if loops else ()


def _branch(branch: tuple[ir.Stmt, ...], rest: tuple[ir.Stmt, ...], label: str) -> tuple[tuple[ir.Stmt, ...], bool]:
    return _without_breaks(branch if _ends(branch) else (*branch, *rest), label)


def _shares(statement: ir.If, rest: tuple[ir.Stmt, ...]) -> bool:
    """Whether the following statements would have to be copied into both branches."""
    return bool(rest) and not _ends(statement.then) and not _ends(statement.other)


def _breaks(statement: ir.Stmt) -> bool:
    """Whether a statement contains a `break` of the switch (not one of a loop inside)."""
    match statement:
        case ir.Jump(kind, label=label):
            return kind == "break" and label is None
        case ir.If(_, then, other):
            return any(map(_breaks, then)) or any(map(_breaks, other))
        case ir.Annotated(_, body):
            return any(map(_breaks, body))
        case _:
            return False


def _labelled(statement: ir.Stmt) -> bool:
    """Whether a statement contains the target of a goto."""
    match statement:
        case ir.Label():
            return True
        case ir.If(_, then, other):
            return any(map(_labelled, (*then, *other)))
        case ir.Annotated(_, body) | ir.Loop(body=body) | ir.While(body=body):
            return any(map(_labelled, body))
        case _:
            return False


def _with_goto(statement: ir.Stmt, label: str) -> ir.Stmt:
    match statement:
        case ir.Jump("break", line, label=None):
            return ir.Jump("goto", line, label=label)
        case ir.If(_, then, other):
            return replace(
                statement,
                then=tuple(_with_goto(s, label) for s in then),
                other=tuple(_with_goto(s, label) for s in other),
            )
        case ir.Annotated(_, body):
            return replace(statement, body=tuple(_with_goto(s, label) for s in body))
        case _:
            return statement
