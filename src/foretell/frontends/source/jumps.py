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
from itertools import chain
from typing import TYPE_CHECKING, Literal

from foretell.frontends.source import ir
from foretell.frontends.source.loop_heads import negated
from foretell.frontends.source.traversal import blocks, statements, with_blocks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from foretell.frontends.source.ir import Body

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
        following = body[position] if position < len(body) else None
        return following.name if isinstance(following, ir.Label) and following.name not in self.kept else ""


def structured(body: Body, is_kept: Callable[[str], bool] = lambda _: False) -> Body:
    """Replaces gotos by structured control flow where simple rules apply; labels with `is_kept` remain."""
    if not any(_gotos(body)):
        return _without_labels(body, frozenset())
    total = _Ways(_gotos(body))
    total.kept = frozenset(filter(is_kept, total))
    total.update(total.kept)  # as if there were other gotos to it
    body = _visit(body, total, "", whole=False)
    return _without_labels(body, frozenset(_gotos(body)))


def loops_in(body: Body) -> int:
    """The number of loops; copies of one loop count once."""
    return len({id(statement) for statement in statements(body) if isinstance(statement, ir.Loop | ir.While)})


def _gotos(body: Sequence[ir.Stmt]) -> Iterator[str]:
    """The target labels of all gotos in a body, once per goto."""
    for statement in statements(body):
        if isinstance(statement, ir.Jump) and statement.kind == "goto" and statement.label is not None:
            yield statement.label


def _labels(body: Sequence[ir.Stmt]) -> Iterator[str]:
    return (statement.name for statement in statements(body) if isinstance(statement, ir.Label))


# ---------------------------------------------------------------------------------------------------- rewriting


def _visit(body: Body, total: _Ways, behind: str, *, whole: bool) -> Body:
    """Structures inner blocks first. `behind` is the label directly after the enclosing loop; `whole`: this is its
    entire body."""
    out: list[ir.Stmt] = []
    for position, statement in enumerate(body):
        if inside := blocks(statement):
            loop = isinstance(statement, ir.Loop | ir.While)
            after = total.behind(body, position + 1) if loop else behind
            statement = with_blocks(statement, [_visit(block, total, after, whole=loop) for block in inside])
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


def _closed(between: Sequence[ir.Stmt], total: _Ways) -> bool:
    """Whether no goto from outside targets a label inside."""
    inside = Counter(_gotos(between))
    return all(total[name] == inside[name] for name in _labels(between))


def _backward(out: list[ir.Stmt], total: _Ways, whole: bool) -> bool:
    """Turns the last back edge to a label, whose other gotos are all in between, into a loop. Earlier back edges become
    `continue`, gotos to the statement after it `break`; so does a `continue` of an outer loop whose body it ends."""
    for position in reversed(range(len(out))):
        statement = out[position]
        taken = statement.then if isinstance(statement, ir.If) else (statement,)
        label = next(_gotos(taken[-1:]), "") if taken and isinstance(taken[-1], ir.Jump) else ""
        heads = (at for at, one in enumerate(out[:position]) if isinstance(one, ir.Label) and one.name == label)
        start = next(heads, None)
        if start is None or (isinstance(statement, ir.If) and statement.other):
            continue
        inside = tuple(out[start + 1 : position])
        if whole and all(isinstance(one, ir.Label) for one in out[position + 1 :]):
            inside = _rejumped(inside, None, "break")
        if _leaves((*inside, *taken)) or not _closed(inside, total):
            continue
        others = Counter(_gotos(inside))[label]
        if total[label] != others + 1 or (others and isinstance(statement, ir.If)):
            continue
        total[label] -= others + 1
        behind = total.behind(out, position + 1)
        loop = _loop(out[start].line, _rejumped(inside, label, "continue"), statement, taken[:-1])
        out[start : position + 1] = [replace(loop, body=_visit(loop.body, total, behind, whole=True))]
        return True
    return False


def _rejumped(body: Body, label: str | None, kind: Literal["break", "continue"]) -> Body:
    """Replaces every goto to a label (None: every plain `continue`) outside of inner loops by a jump of this kind."""
    replaced = "continue" if label is None else "goto"
    out: list[ir.Stmt] = []
    for statement in body:
        if isinstance(statement, ir.Jump) and statement.kind == replaced and statement.label == label:
            statement = ir.Jump(kind, statement.line)
        elif not isinstance(statement, ir.Loop | ir.While):
            statement = with_blocks(statement, [_rejumped(block, label, kind) for block in blocks(statement)])
        out.append(statement)
    return tuple(out)


def _loop(line: int, inside: Body, last: ir.Stmt, rest: Body) -> ir.While:
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
    outside = [statement for statement in body if not isinstance(statement, ir.Loop | ir.While)]
    kinds = {statement.kind for statement in outside if isinstance(statement, ir.Jump)}
    return not kinds.isdisjoint(("break", "continue")) or any(_leaves(b) for s in outside for b in blocks(s))


def _never_falls(statement: ir.Stmt) -> bool:
    """Whether control never reaches the next statement."""
    if isinstance(statement, ir.If):
        return all(side and _never_falls(side[-1]) for side in (statement.then, statement.other))
    return isinstance(statement, ir.Jump)


# ---------------------------------------------------------------------------------------------------- forward edges


def _forward(body: Body, total: _Ways) -> Body:
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


def _pieces(body: Body, total: _Ways) -> list[Body]:
    """Cuts a block at the labels with other predecessors than an earlier goto of the same piece outside of loops:
    those labels remain."""
    pieces: list[Body] = []
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
    return [loop for block in blocks(statement) for inner in block for loop in _loops_of(inner)]


class _Segments:
    """A block cut at its labels and after its branches. Control falls through to the next segment, or jumps to a later
    one."""

    def __init__(self, body: Body) -> None:
        self._bodies: list[Body] = []
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
        self._copies_left = _MAX_COPIES * (sum(1 for _ in statements(body)) + _SMALL)
        self._joins = self._post_dominators()

    def structured(self) -> Body | None:
        """The block without gotos between segments; None if that takes too many copies."""
        try:
            return tuple(self._from(0, len(self._bodies)))
        except _TooManyCopiesError:
            return None

    def _post_dominators(self) -> list[int]:
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
            join = min(self._joins[at], stop)
            out += self._run(self._bodies[at], at + 1, join)
            at = join
        return out

    def _run(self, body: Body, following: int, join: int) -> list[ir.Stmt]:
        """The statements of a segment and its successors up to the post-dominator."""
        out: list[ir.Stmt] = []
        for position, statement in enumerate(body):
            self._copies_left -= 1
            if self._copies_left < 0:
                raise _TooManyCopiesError
            if isinstance(statement, ir.Jump):
                out += _dead(body[position + 1 :])
                target = self._index.get(statement.label or "") if statement.kind == "goto" else None
                return [*out, *((statement,) if target is None else self._from(target, join))]
            if any(name in self._index for name in _gotos(_blocks_of_choice(statement))):
                return [*out, *self._chosen(statement, body[position + 1 :], following, join)]
            out.append(statement)
        return [*out, *self._from(following, join)]

    def _chosen(self, statement: ir.Stmt, rest: Body, following: int, join: int) -> Sequence[ir.Stmt]:
        """A branch with a goto in it: the continuation moves into the sides that reach it."""
        statement = _as_one_test(statement)
        sides = [tuple(self._run((*block, *rest), following, join)) for block in blocks(statement)]
        if isinstance(statement, ir.If):
            then, other = sides
            if other and not then:
                return [ir.If(negated(statement.condition), other, (), statement.line)]
            return [replace(statement, then=then, other=other)]
        assert isinstance(statement, ir.Switch)
        cases = [(labels, side) for (labels, _), side in zip(statement.cases, sides, strict=True)]
        missed = tuple(self._run(rest, following, join))
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


def _test(body: Body, label: str) -> ir.Expr | bool | None:
    """The condition under which statements go to a label and have no other effect; None otherwise."""
    if not body:
        return False
    if len(body) > 1:
        return None
    only = body[0]
    if not isinstance(only, ir.If):
        return True if _goes_to(only, label) else None
    then, other = _test(only.then, label), _test(only.other, label)
    if then is None or other is None:
        return None
    paths = ((only.condition, then), (negated(only.condition), other))
    tests = [test if more is True else ir.Binary("&&", test, more) for test, more in paths if more is not False]
    return ir.Binary("||", *tests) if len(tests) == 2 else tests[0] if tests else False


def _dead(body: Body) -> Body:
    """Unreachable statements; those with loops are kept, so that no loop is lost."""
    if not any(map(_loops_of, body)):
        return ()
    return (ir.If(ir.Const(False, ir.BOOL), body, (), body[0].line),)


class _TooManyCopiesError(Exception):
    """Structured control flow would need too many copies of the code."""


def _blocks_of_choice(statement: ir.Stmt) -> Body:
    """The branches of an if or a switch; gotos in loops are not followed here."""
    if not isinstance(statement, ir.If | ir.Switch):
        return ()
    return tuple(chain.from_iterable(blocks(statement)))


def _without_labels(body: Body, used: frozenset[str]) -> Body:
    """Drops unused labels."""
    if not any(_labels(body)):
        return body
    return tuple(
        with_blocks(statement, [_without_labels(block, used) for block in blocks(statement)])
        for statement in body
        if not isinstance(statement, ir.Label) or statement.name in used
    )
