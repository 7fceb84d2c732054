"""GOTOs put back into structure where they have one: the IFs, loops and exits that F77 had no other words for.

    if (c) goto 10; S; 10 …           →  if (!c) { S }
    if (c) goto 10; S; goto 20; 10 T; 20 …  →  if (c) { T } else { S }
    10 S; if (c) goto 10              →  do { S } while (c)
    goto the statement behind a loop  →  break

What has no structure stays a goto with its `Label`; labels that nobody jumps to any more go.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from foretell.frontends import ir

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Statements = tuple[ir.Stmt, ...]

_ROUNDS = 200


def structured(body: Statements) -> Statements:
    """The same statements with as few gotos as can be had by simple means."""
    if not any(_gotos(body)):
        return _without_labels(body, frozenset())
    total = Counter(_gotos(body))
    body = _visit(body, total, "")
    return _without_labels(body, frozenset(_gotos(body)))


def _blocks(statement: ir.Stmt) -> tuple[Statements, ...]:
    match statement:
        case ir.Loop(body=body) | ir.While(body=body) | ir.Annotated(body=body):
            return (body,)
        case ir.If(_, then, other):
            return (then, other)
        case ir.Switch(_, cases):
            return tuple(inside for _, inside in cases)
        case _:
            return ()


def _gotos(body: Sequence[ir.Stmt]) -> Iterator[str]:
    """Every label that a goto in here names, once per goto."""
    for statement in body:
        if isinstance(statement, ir.Jump):
            if statement.kind == "goto" and statement.label is not None:
                yield statement.label
        else:
            for block in _blocks(statement):
                yield from _gotos(block)


def _labels(body: Sequence[ir.Stmt]) -> Iterator[str]:
    for statement in body:
        if isinstance(statement, ir.Label):
            yield statement.name
        for block in _blocks(statement):
            yield from _labels(block)


def _with_blocks(statement: ir.Stmt, blocks: Sequence[Statements]) -> ir.Stmt:
    match statement:
        case ir.Loop() | ir.While() | ir.Annotated():
            return replace(statement, body=blocks[0])
        case ir.If():
            return replace(statement, then=blocks[0], other=blocks[1])
        case ir.Switch(_, cases):
            return replace(statement, cases=tuple((c[0], b) for c, b in zip(cases, blocks, strict=True)))
        case _:
            return statement


# ---------------------------------------------------------------------------------------------------- rewriting


def _visit(body: Statements, total: Counter[str], behind: str) -> Statements:
    """Inner blocks first. `behind` is the label right behind the loop whose body this is."""
    out: list[ir.Stmt] = []
    for position, statement in enumerate(body):
        blocks = _blocks(statement)
        if blocks:
            loop = isinstance(statement, ir.Loop | ir.While)
            after = _label_at(body, position + 1) if loop else behind
            statement = _with_blocks(statement, [_visit(block, total, after) for block in blocks])
        elif (
            behind
            and isinstance(statement, ir.Jump)
            and statement.kind == "goto"
            and statement.label == behind
        ):
            statement = ir.Jump("break", statement.line)
            total[behind] -= 1
        out.append(statement)
    for _ in range(_ROUNDS):
        if not (_forward(out, total) or _backward(out, total) or _onto_next(out, total)):
            break
    return tuple(out)


def _label_at(body: Sequence[ir.Stmt], position: int) -> str:
    if position < len(body):
        statement = body[position]
        if isinstance(statement, ir.Label):
            return statement.name
    return ""


def _place(out: Sequence[ir.Stmt], label: str, start: int) -> int:
    for position in range(start, len(out)):
        statement = out[position]
        if isinstance(statement, ir.Label) and statement.name == label:
            return position
    return -1


def _last_goto(block: Statements) -> str:
    last = block[-1] if block else None
    return last.label or "" if isinstance(last, ir.Jump) and last.kind == "goto" else ""


def _closed(between: Sequence[ir.Stmt], total: Counter[str]) -> bool:
    """Whether nobody outside jumps to a label inside."""
    inside = Counter(_gotos(between))
    return all(total[name] == inside[name] for name in _labels(between))


def _forward(out: list[ir.Stmt], total: Counter[str]) -> bool:
    """An IF with a branch that jumps over some statements: they belong to the other branch."""
    for position, statement in enumerate(out):
        if not isinstance(statement, ir.If):
            continue
        for taken, kept in ((statement.then, statement.other), (statement.other, statement.then)):
            label = _last_goto(taken)
            end = _place(out, label, position + 1) if label else -1
            if end < 0 or _last_goto(kept) == label:
                continue
            between = tuple(out[position + 1 : end])
            if not _closed(between, total):
                continue
            total[label] -= 1
            joined = (*kept, *between)
            made = (
                _if(statement, taken[:-1], joined)
                if taken is statement.then
                else _if(statement, joined, taken[:-1])
            )
            out[position:end] = made
            return True
    return False


def _if(statement: ir.If, then: Statements, other: Statements) -> list[ir.Stmt]:
    if then:
        return [ir.If(statement.condition, then, other, statement.line)]
    if other:
        return [ir.If(negated(statement.condition), other, (), statement.line)]
    return [ir.If(statement.condition, (), (), statement.line)]


_OPPOSITE: dict[str, ir.BinaryOp] = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def negated(condition: ir.Expr) -> ir.Expr:
    """The opposite condition; comparisons of integers are turned round (those of reals not: NaN)."""
    if isinstance(condition, ir.Unary) and condition.op == "!":
        return condition.operand
    if isinstance(condition, ir.Binary) and condition.op in _OPPOSITE:
        kinds = (ir.type_of(condition.left), ir.type_of(condition.right))
        if all(isinstance(kind, ir.Scalar) and kind.kind == "int" for kind in kinds):
            return ir.Binary(_OPPOSITE[condition.op], condition.left, condition.right)
    return ir.Unary("!", condition)


def _backward(out: list[ir.Stmt], total: Counter[str]) -> bool:
    """10 S; if (c) goto 10, with no other way to 10: a loop that tests last."""
    for position, statement in enumerate(out):
        if not isinstance(statement, ir.If) or statement.other or len(statement.then) != 1:
            continue
        label = _last_goto(statement.then)
        start = _place(out[:position], label, 0) if label else -1
        if start < 0 or total[label] != 1:
            continue
        inside = tuple(out[start + 1 : position])
        if _leaves(inside) or not _closed(inside, total):
            continue
        total[label] -= 1
        line = out[start].line
        out[start : position + 1] = [ir.While(statement.condition, inside, line, test_last=True)]
        return True
    return False


def _leaves(body: Sequence[ir.Stmt]) -> bool:
    """Whether a break or continue in here belongs to a loop around it."""
    for statement in body:
        if isinstance(statement, ir.Jump) and statement.kind in ("break", "continue"):
            return True
        if not isinstance(statement, ir.Loop | ir.While) and any(
            _leaves(block) for block in _blocks(statement)
        ):
            return True
    return False


def _onto_next(out: list[ir.Stmt], total: Counter[str]) -> bool:
    """A goto to the label right behind it does nothing; neither does one at the end of both branches."""
    for position, statement in enumerate(out):
        label = _label_at(out, position + 1)
        if not label:
            continue
        if isinstance(statement, ir.Jump) and statement.kind == "goto" and statement.label == label:
            total[label] -= 1
            del out[position]
            return True
        if isinstance(statement, ir.If):
            then = statement.then[:-1] if _last_goto(statement.then) == label else statement.then
            other = statement.other[:-1] if _last_goto(statement.other) == label else statement.other
            removed = len(statement.then) + len(statement.other) - len(then) - len(other)
            if removed:
                total[label] -= removed
                out[position : position + 1] = _if(statement, then, other)
                return True
    return False


def _without_labels(body: Statements, used: frozenset[str]) -> Statements:
    """Labels that nobody names are dropped."""
    if not any(_labels(body)):
        return body
    out: list[ir.Stmt] = []
    for statement in body:
        if isinstance(statement, ir.Label) and statement.name not in used:
            continue
        blocks = _blocks(statement)
        out.append(
            _with_blocks(statement, [_without_labels(b, used) for b in blocks]) if blocks else statement
        )
    return tuple(out)
