"""GOTOs put back into structure where they have one: the IFs, loops and exits that F77 had no other words for.

    if (c) goto 10; S; 10 …           →  if (!c) { S }
    if (c) goto 10; S; goto 20; 10 T; 20 …  →  if (c) { T } else { S }
    10 S; if (c) goto 10              →  do { S } while (c)
    10 if (c) goto 20; S; goto 10; 20 →  while (!c) { S }
    if (c) goto 10; goto 20; 10 S; goto 30; 20 T; 30 …  →  if (c) { S } else { T }
    goto the statement behind a loop  →  break

What has no structure stays a goto with its `Label`; labels that nobody jumps to any more go.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from foretell.frontends import ir
from foretell.frontends.normalise import negated

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Statements = tuple[ir.Stmt, ...]

_ROUNDS = 200
_TRUE = ir.Const(True, ir.BOOL)


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
        if not any(rule(out, total) for rule in (_forward, _backward, _onto_next, _moved)):
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
    """An IF with a branch that jumps over some statements: they belong to the other branch. The last one first: it may
    lie inside what an earlier one jumps over."""
    for position in reversed(range(len(out))):
        statement = out[position]
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


def _backward(out: list[ir.Stmt], total: Counter[str]) -> bool:
    """A way back to a label that nothing else jumps to: a loop."""
    for position, statement in enumerate(out):
        taken = statement.then if isinstance(statement, ir.If) else (statement,)
        label = _last_goto(taken)
        start = _place(out[:position], label, 0) if label else -1
        if start < 0 or total[label] != 1:
            continue
        if isinstance(statement, ir.If) and statement.other:
            continue
        inside = tuple(out[start + 1 : position])
        if _leaves((*inside, *taken)) or not _closed(inside, total):
            continue
        total[label] -= 1
        out[start : position + 1] = [_loop(out[start].line, inside, statement, taken[:-1])]
        return True
    return False


def _loop(line: int, inside: Statements, last: ir.Stmt, rest: Statements) -> ir.While:
    """10 S; if (c) goto 10  |  10 if (c) { T; goto 10 }  |  10 S; if (c) { T; goto 10 }  |  10 S; goto 10."""
    if not isinstance(last, ir.If):
        return ir.While(_TRUE, inside, line)
    if not rest:
        return ir.While(last.condition, inside, line, test_last=True)
    if not inside:
        return ir.While(last.condition, rest, line)
    leave = ir.If(negated(last.condition), (ir.Jump("break", last.line),), (), last.line)
    return ir.While(_TRUE, (*inside, leave, *rest), line)


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
    """A goto to the label right behind it does nothing; neither does one at the end of a branch before that label."""
    for position, statement in enumerate(out):
        label = _label_at(out, position + 1)
        if not label:
            continue
        made = _without_tail((statement,), label, total)
        if made != (statement,):
            out[position : position + 1] = made
            return True
    return False


def _without_tail(body: Statements, label: str, total: Counter[str]) -> Statements:
    """Statements without the gotos to what follows them."""
    last = body[-1] if body else None
    if isinstance(last, ir.Jump) and last.kind == "goto" and last.label == label:
        total[label] -= 1
        return body[:-1]
    if isinstance(last, ir.If):
        then, other = (_without_tail(side, label, total) for side in (last.then, last.other))
        if (then, other) != (last.then, last.other):
            return (*body[:-1], *_if(last, then, other))
    return body


def _moved(out: list[ir.Stmt], total: Counter[str]) -> bool:
    """A labelled block that only one goto leads to, as after an arithmetic IF, goes to the place of that goto."""
    for position in range(1, len(out)):
        label = _label_at(out, position)
        if not label or total[label] != 1 or not _never_falls(out[position - 1]):
            continue
        end = position + 1
        while end < len(out) and not isinstance(out[end], ir.Label) and not _never_falls(out[end - 1]):
            end += 1
        block = tuple(out[position + 1 : end])
        if not block or (end == len(out) and not _never_falls(block[-1])):
            continue
        if not _never_falls(block[-1]):
            following = _label_at(out, end)
            total[following] += 1
            block = (*block, ir.Jump("goto", block[-1].line, label=following))
        found = _replaced(tuple(out[:position]), label, block)
        if found is not None and _closed(block, total):
            total[label] -= 1
            out[:end] = found
            return True
        if not _never_falls(out[end - 1]):
            total[_label_at(out, end)] -= 1
    return False


def _never_falls(statement: ir.Stmt) -> bool:
    """Whether control never goes on to what follows a statement."""
    if isinstance(statement, ir.If):
        return bool(statement.then and statement.other) and all(
            _never_falls(side[-1]) for side in (statement.then, statement.other)
        )
    return isinstance(statement, ir.Jump)


def _replaced(body: Statements, label: str, block: Statements) -> Statements | None:
    """The statements with `block` for the goto, which may be in branches but not in loops."""
    for position, statement in enumerate(body):
        if isinstance(statement, ir.Jump) and statement.kind == "goto" and statement.label == label:
            return (*body[:position], *block, *body[position + 1 :])
        if isinstance(statement, ir.If):
            then = _replaced(statement.then, label, block)
            other = _replaced(statement.other, label, block) if then is None else None
            if then is not None or other is not None:
                sides = (then or statement.then, other or statement.other)
                return (*body[:position], _with_blocks(statement, sides), *body[position + 1 :])
    return None


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
