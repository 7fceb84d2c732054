"""Restructures gotos: replaces them by the equivalent ifs, loops and exits.

    10 S; if (c) goto 10              →  do { S } while (c)
    10 if (c) goto 20; S; goto 10; 20 →  while (!c) { S }
    goto the statement after a loop   →  break
    if (c) goto 10; S; 10 …           →  if (!c) { S }
    if (c) goto 10; S; goto 20; 10 T; 20 …  →  if (c) { T } else { S }

Back edges become loops first. The remaining labels cut a block into segments with forward edges between them; a
goto becomes the segments from its label up to the immediate post-dominator. Gotos that cannot be restructured
remain, with their `Label`; unused labels are dropped.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Literal

from foretell.frontends.source import ir
from foretell.frontends.source.loop_heads import blocks as _blocks
from foretell.frontends.source.loop_heads import negated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

Statements = tuple[ir.Stmt, ...]

_ROUNDS = 200
#: Limit of code duplication: copies of the code after a branch, as a multiple of the block's size (plus a little).
_MAX_COPIES = 4
_SMALL = 50
_TRUE = ir.Const(True, ir.BOOL)


class _Ways(Counter[str]):
    """Counts the gotos to each label."""

    kept: frozenset[str] = frozenset()

    def behind(self, body: Sequence[ir.Stmt], position: int) -> str:
        """The label at a position, if gotos to it may become breaks."""
        label = _label_at(body, position)
        return "" if label in self.kept else label


def structured(body: Statements, is_kept: Callable[[str], bool] = lambda _: False) -> Statements:
    """Replaces gotos by structured control flow where simple rules apply; labels with `is_kept` remain."""
    if not any(_gotos(body)):
        return _without_labels(body, frozenset())
    total = _Ways(_gotos(body))
    total.kept = frozenset(filter(is_kept, total))
    total.update(total.kept)  # as if there were other gotos to it
    body = _visit(body, total, "", whole=False)
    return _without_labels(body, frozenset(_gotos(body)))


def loops_in(body: Statements) -> int:
    """The number of loops; copies of one loop count once."""
    return len({id(loop) for statement in body for loop in _all_loops(statement)})


def _all_loops(statement: ir.Stmt) -> Iterator[ir.Stmt]:
    if isinstance(statement, ir.Loop | ir.While):
        yield statement
    for block in _blocks(statement):
        for one in block:
            yield from _all_loops(one)


def _gotos(body: Sequence[ir.Stmt]) -> Iterator[str]:
    """The target labels of all gotos in a body, once per goto."""
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
        case ir.Loop() | ir.Annotated():
            return replace(statement, body=blocks[0])
        case ir.While():
            return replace(statement, body=blocks[0], step=blocks[1])
        case ir.If():
            return replace(statement, then=blocks[0], other=blocks[1])
        case ir.Switch(_, cases):
            return replace(statement, cases=tuple((c[0], b) for c, b in zip(cases, blocks, strict=True)))
        case _:
            return statement


# ---------------------------------------------------------------------------------------------------- rewriting


def _visit(body: Statements, total: _Ways, behind: str, *, whole: bool) -> Statements:
    """Structures inner blocks first. `behind` is the label directly after the enclosing loop; `whole`: this is its
    entire body.
    """
    out: list[ir.Stmt] = []
    for position, statement in enumerate(body):
        blocks = _blocks(statement)
        if blocks:
            loop = isinstance(statement, ir.Loop | ir.While)
            after = total.behind(body, position + 1) if loop else behind
            statement = _with_blocks(statement, [_visit(one, total, after, whole=loop) for one in blocks])
        elif behind and _goes_to(statement, behind):
            statement = ir.Jump("break", statement.line)
            total[behind] -= 1
        out.append(statement)
    for _ in range(_ROUNDS):
        if not _backward(out, total, whole):
            break
    return _forward(tuple(out), total)


def _goes_to(statement: ir.Stmt, label: str) -> bool:
    return isinstance(statement, ir.Jump) and statement.kind == "goto" and statement.label == label


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


def _closed(between: Sequence[ir.Stmt], total: _Ways) -> bool:
    """Whether no goto from outside targets a label inside."""
    inside = Counter(_gotos(between))
    return all(total[name] == inside[name] for name in _labels(between))


def _if(statement: ir.If, then: Statements, other: Statements) -> list[ir.Stmt]:
    if then:
        return [ir.If(statement.condition, then, other, statement.line)]
    if other:
        return [ir.If(negated(statement.condition), other, (), statement.line)]
    return [ir.If(statement.condition, (), (), statement.line)]


def _backward(out: list[ir.Stmt], total: _Ways, whole: bool) -> bool:
    """Turns the last back edge to a label, whose other gotos are all in between, into a loop. Earlier back edges become
    `continue`, gotos to the statement after it `break`; so does a `continue` of an outer loop whose body it ends."""
    for position in reversed(range(len(out))):
        statement = out[position]
        taken = statement.then if isinstance(statement, ir.If) else (statement,)
        label = _last_goto(taken)
        start = _place(out[:position], label, 0) if label else -1
        if start < 0 or (isinstance(statement, ir.If) and statement.other):
            continue
        inside = tuple(out[start + 1 : position])
        if whole and all(isinstance(one, ir.Label) for one in out[position + 1 :]):
            inside = _rejumped(inside, _continues, "break")
        if _leaves((*inside, *taken)) or not _closed(inside, total):
            continue
        others = Counter(_gotos(inside))[label]
        if total[label] != others + 1 or (others and isinstance(statement, ir.If)):
            continue
        total[label] -= others + 1
        behind = total.behind(out, position + 1)
        loop = _loop(
            out[start].line, _rejumped(inside, partial(_goes_to, label=label), "continue"), statement, taken[:-1]
        )
        out[start : position + 1] = [replace(loop, body=_visit(loop.body, total, behind, whole=True))]
        return True
    return False


def _rejumped(body: Statements, is_meant: Callable[[ir.Stmt], bool], kind: Literal["break", "continue"]) -> Statements:
    """Replaces every selected jump outside of inner loops by a break or continue."""
    return tuple(
        ir.Jump(kind, one.line)
        if is_meant(one)
        else one
        if isinstance(one, ir.Loop | ir.While)
        else _with_blocks(one, [_rejumped(block, is_meant, kind) for block in _blocks(one)])
        for one in body
    )


def _continues(statement: ir.Stmt) -> bool:
    return isinstance(statement, ir.Jump) and statement.kind == "continue" and statement.label is None


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
    """Whether a body has a break or continue of an enclosing loop."""
    for statement in body:
        if isinstance(statement, ir.Jump) and statement.kind in ("break", "continue"):
            return True
        if not isinstance(statement, ir.Loop | ir.While) and any(_leaves(block) for block in _blocks(statement)):
            return True
    return False


def _never_falls(statement: ir.Stmt) -> bool:
    """Whether control never reaches the next statement."""
    if isinstance(statement, ir.If):
        return bool(statement.then and statement.other) and all(
            _never_falls(side[-1]) for side in (statement.then, statement.other)
        )
    return isinstance(statement, ir.Jump)


# ---------------------------------------------------------------------------------------------------- forward edges


def _forward(body: Statements, total: _Ways) -> Statements:
    """A block without forward gotos to its own labels, except those in loops."""
    own = [one.name for one in body if isinstance(one, ir.Label)]
    if not own or not any(name in own for name in _gotos(body)):
        return body
    result: list[ir.Stmt] = []
    for piece in _pieces(body, total):
        made = _Segments(piece).structured()
        result.extend(piece if made is None else made)
    total.subtract(Counter(_gotos(body)))
    total.update(Counter(_gotos(result)))
    return tuple(result)


def _pieces(body: Statements, total: _Ways) -> list[Statements]:
    """Cuts a block at the labels with other predecessors than an earlier goto of the same piece outside of loops:
    those labels remain."""
    pieces: list[Statements] = []
    start = 0
    for position, statement in enumerate(body):
        if isinstance(statement, ir.Label):
            before = body[start:position]
            in_loops = Counter(_gotos([loop for one in before for loop in _loops_of(one)]))
            ways = Counter(_gotos(before))
            if ways[statement.name] - in_loops[statement.name] != total[statement.name]:
                pieces.append(before)
                start = position
    return [*pieces, body[start:]]


def _loops_of(statement: ir.Stmt) -> list[ir.Stmt]:
    """The outermost loops in a statement."""
    if isinstance(statement, ir.Loop | ir.While):
        return [statement]
    return [loop for block in _blocks(statement) for one in block for loop in _loops_of(one)]


class _Segments:
    """A block cut at its labels and after its branches. Control falls through to the next segment, or jumps to a later
    one."""

    def __init__(self, body: Statements) -> None:
        self._bodies: list[Statements] = []
        self._index: dict[str, int] = {}
        own = {one.name for one in body[1:] if isinstance(one, ir.Label)}  # a piece's first label remains
        reached = own & set(_gotos(body))
        start = 0
        for position, statement in enumerate(body):
            label = statement.name if isinstance(statement, ir.Label) else ""
            chose = position and not reached.isdisjoint(_gotos(_blocks_of_choice(body[position - 1])))
            if position and (label in reached or chose):
                self._bodies.append(body[start:position])
                start = position
            if position and label in reached:
                self._index[label] = len(self._bodies)
        self._bodies.append(body[start:])
        self._room = _MAX_COPIES * (_size(body) + _SMALL)
        self._meets = self._meeting_points()

    def structured(self) -> Statements | None:
        """The block without gotos between segments; None if that takes too many copies."""
        try:
            return tuple(self._from(0, len(self._bodies)))
        except _TooManyCopiesError:
            return None

    def _meeting_points(self) -> list[int]:
        """The immediate post-dominator of each segment within the block."""
        end = len(self._bodies)
        passed: list[set[int]] = [set() for _ in range(end)] + [{end}]
        for at in reversed(range(end)):
            ways = [passed[to] | {to} for to in self._ways(at)]
            passed[at] = set.intersection(*ways) if ways else set()
        return [min(found, default=end) for found in passed[:end]]

    def _ways(self, at: int) -> set[int]:
        body = self._bodies[at]
        found = {self._index[name] for name in _gotos(body) if name in self._index}
        return found if body and _never_falls(body[-1]) else found | {at + 1}

    def _from(self, at: int, stop: int) -> list[ir.Stmt]:
        """The code from the start of a segment up to another."""
        out: list[ir.Stmt] = []
        while at < stop:
            meet = min(self._meets[at], stop)
            out += self._run(self._bodies[at], at + 1, meet)
            at = meet
        return out

    def _run(self, body: Statements, following: int, meet: int) -> list[ir.Stmt]:
        """The statements of a segment and its successors up to the post-dominator."""
        out: list[ir.Stmt] = []
        for position, statement in enumerate(body):
            self._room -= 1
            if self._room < 0:
                raise _TooManyCopiesError
            if isinstance(statement, ir.Jump):
                out += _dead(body[position + 1 :])
                label = statement.label if statement.kind == "goto" else None
                inside = label is not None and label in self._index
                return [*out, *(self._from(self._index[label or ""], meet) if inside else (statement,))]
            if any(name in self._index for name in _gotos(_blocks_of_choice(statement))):
                rest = body[position + 1 :]
                return [*out, *self._chosen(statement, rest, following, meet)]
            out.append(statement)
        return [*out, *self._from(following, meet)]

    def _chosen(self, statement: ir.Stmt, rest: Statements, following: int, meet: int) -> Sequence[ir.Stmt]:
        """A branch with a goto in it: the continuation moves into the sides that reach it."""
        statement = _as_one_test(statement)
        sides = [tuple(self._run((*block, *rest), following, meet)) for block in _blocks(statement)]
        if isinstance(statement, ir.If):
            return _if(statement, *sides)
        assert isinstance(statement, ir.Switch)
        cases = [(labels, side) for (labels, _), side in zip(statement.cases, sides, strict=True)]
        missed = tuple(self._run(rest, following, meet))
        if missed and all(labels for labels, _ in cases):
            cases.append(((), missed))
        return [replace(statement, cases=tuple(cases))]


def _as_one_test(statement: ir.Stmt) -> ir.Stmt:
    """if (a) { if (b) goto 10 } else { if (c) goto 10 }  →  if (a && b || !a && c) goto 10: no copies of the rest."""
    labels = set(_gotos([statement]))
    if len(labels) != 1 or not isinstance(statement, ir.If):
        return statement
    label = labels.pop()
    test = _test((statement,), label)
    if test is None or isinstance(test, bool):
        return statement
    return ir.If(test, (ir.Jump("goto", statement.line, label=label),), (), statement.line)


def _test(body: Statements, label: str) -> ir.Expr | bool | None:
    """The condition under which statements go to a label and have no other effect; None otherwise."""
    if not body:
        return False
    only = body[0]
    if len(body) > 1:
        return None
    if not isinstance(only, ir.If):
        return True if _goes_to(only, label) else None
    then, other = _test(only.then, label), _test(only.other, label)
    if then is None or other is None:
        return None
    held = _both(only.condition, then)
    failed = _both(negated(only.condition), other)
    if isinstance(held, bool) or isinstance(failed, bool):
        return failed if held is False else held
    return ir.Binary("||", held, failed)


def _both(condition: ir.Expr, more: ir.Expr | bool) -> ir.Expr | bool:
    if isinstance(more, bool):
        return condition if more else False
    return ir.Binary("&&", condition, more)


def _dead(body: Statements) -> Statements:
    """Unreachable statements; those with loops are kept, so that no loop is lost."""
    if not any(map(_loops_of, body)):
        return ()
    return (ir.If(ir.Const(False, ir.BOOL), body, (), body[0].line),)


class _TooManyCopiesError(Exception):
    """Structured control flow would need too many copies of the code."""


def _blocks_of_choice(statement: ir.Stmt) -> Statements:
    """The branches of an if or a switch; gotos in loops are not followed here."""
    if not isinstance(statement, ir.If | ir.Switch):
        return ()
    return tuple(one for block in _blocks(statement) for one in block)


def _size(body: Sequence[ir.Stmt]) -> int:
    return sum(1 + sum(map(_size, _blocks(statement))) for statement in body)


def _without_labels(body: Statements, used: frozenset[str]) -> Statements:
    """Drops unused labels."""
    if not any(_labels(body)):
        return body
    out: list[ir.Stmt] = []
    for statement in body:
        if isinstance(statement, ir.Label) and statement.name not in used:
            continue
        blocks = _blocks(statement)
        out.append(_with_blocks(statement, [_without_labels(b, used) for b in blocks]) if blocks else statement)
    return tuple(out)
