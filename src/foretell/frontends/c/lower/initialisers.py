"""Lowers initialisers (`= {1, 2, [5] = 3}`) to assignments, with C's rules for omitted braces and implicit zeros."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from foretell.frontends.c.lower import fold
from foretell.frontends.c.lower.lvalues import indexed
from foretell.frontends.c.lower.operands import UnlowerableError
from foretell.frontends.c.lower.types import INDEX, conversion, integer
from foretell.frontends.c.parse.clang import Kind
from foretell.frontends.source import ir

if TYPE_CHECKING:
    from foretell.frontends.c.lower.expressions import Expressions
    from foretell.frontends.c.lower.scope import Scope

#: An aggregate of at most this many numbers is zeroed element by element, a larger one by a loop.
_FEW = 16


class Initialisers:
    """Lowers the brace lists of one function."""

    def __init__(self, expressions: Expressions) -> None:
        self._tree = expressions.tree
        self._expressions = expressions
        self._scope = expressions.scope
        expressions.literal = self._compound_literal

    def is_list(self, node: int) -> bool:
        """Whether an initialiser is a brace list."""
        return self._tree.kind[self._unwrapped(node)] == Kind.INIT_LIST

    def assign(self, target: ir.Expr, node: int, line: int) -> tuple[ir.Stmt, ...]:
        """Statements that initialise `target`."""
        node = self._unwrapped(node)
        if self._tree.kind[node] != Kind.INIT_LIST:
            full = self._expressions.full(node)
            return (*full.before, ir.Assign(target, full.value, line), *full.after)
        items = self._tree.expressions(node)
        if items and not _is_aggregate(target):
            return self.assign(target, items[0], line)
        given: list[ir.Stmt] = []
        self._fill(target, items, 0, given, line, braced=True)
        if len({s.target for s in given if isinstance(s, ir.Assign)}) == scalars(ir.type_of(target)):
            return tuple(given)
        if all(isinstance(s, ir.Assign) and isinstance(s.value, ir.Const) and s.value.value == 0 for s in given):
            given = []
        return (*zeros(target, self._scope, line), *given)

    def _unwrapped(self, node: int) -> int:
        tree = self._tree
        while tree.kind[node] in (Kind.UNEXPOSED, Kind.PAREN):
            inner = tree.expressions(node)
            if len(inner) != 1 or tree.kind[inner[0]] not in (Kind.INIT_LIST, Kind.UNEXPOSED, Kind.PAREN):
                break
            node = inner[0]
        return node

    def _fill(
        self, target: ir.Expr, items: list[int], first: int, out: list[ir.Stmt], line: int, *, braced: bool
    ) -> int:
        """Assigns the items from `first` on to the parts of an aggregate; returns the index of the first unused item.

        Without its own braces, an aggregate takes only as many items as it has parts."""
        position = 0
        while first < len(items):
            designators = self._designators(items[first])
            if designators:
                if not braced:
                    return first
                position = self._designated(target, items[first], designators, out, line) + 1
                first += 1
                continue
            part = _part(target, position)
            if part is None:
                return first if not braced else len(items)
            first = self._give(part, items, first, out, line)
            position += 1
        return first

    def _give(self, target: ir.Expr, items: list[int], first: int, out: list[ir.Stmt], line: int) -> int:
        """Initialises `target` with the items from `first` on; returns the index of the first unused item."""
        node = self._unwrapped(items[first])
        is_list = self._tree.kind[node] == Kind.INIT_LIST
        both_records = all(isinstance(t, ir.Record) for t in (ir.type_of(target), self._expressions.type(node)))
        if is_list and _is_aggregate(target):
            self._fill(target, self._tree.expressions(node), 0, out, line, braced=True)
        elif is_list or self._tree.kind[node] == Kind.STRING or both_records or not _is_aggregate(target):
            out += self.assign(target, node, line)
        else:
            return max(self._fill(target, items, first, out, line, braced=False), first + 1)
        return first + 1

    def _designators(self, item: int) -> list[int]:
        """The designators of `.x[2] = value`; the value is the last child."""
        if self._tree.kind[item] != Kind.UNEXPOSED:
            return []
        children = self._tree.children(item)
        return children[:-1] if len(children) > 1 else []

    def _designated(self, target: ir.Expr, item: int, designators: list[int], out: list[ir.Stmt], line: int) -> int:
        """Assigns to the target of a designator; returns the position of its outermost part."""
        position = self._position(ir.type_of(target), designators[0])
        part: ir.Expr | None = target
        for designator in designators:
            if part is None or not _is_aggregate(part):
                raise UnlowerableError("a designator that does not fit its type")
            part = _part(part, self._position(ir.type_of(part), designator))
        if part is None:
            raise UnlowerableError("a designator outside its array or structure")
        self._give(part, [self._tree.children(item)[-1]], 0, out, line)
        return position

    def _position(self, kind: ir.Type, designator: int) -> int:
        if isinstance(kind, ir.Record):
            name = self._tree.declarations[self._tree.ref[designator]].name if self._tree.ref[designator] >= 0 else ""
            names = [field for field, _ in kind.fields]
            if name in names:
                return names.index(name)
            raise UnlowerableError(f"a designator for a member {name!r} that the type does not have")
        index = self._expressions.value(designator)
        if isinstance(index, ir.Const) and isinstance(index.value, int):
            return index.value
        raise UnlowerableError("a designator that is not constant")

    def _compound_literal(self, node: int) -> tuple[tuple[ir.Stmt, ...], ir.Expr]:
        """Lowers (struct s){…} to a variable."""
        line = self._expressions.line
        inner = self._tree.expressions(node)
        if not inner:
            raise UnlowerableError("a compound literal without a list")
        name = self._scope.temporary(self._expressions.type(node), line)
        return (ir.Declare(name.id, None, line), *self.assign(name, inner[-1], line)), name


# ---------------------------------------------------------------------------------------------- aggregates


def _is_aggregate(target: ir.Expr) -> bool:
    return isinstance(ir.type_of(target), ir.Array | ir.Record)


def _members(kind: ir.Record) -> tuple[tuple[str, ir.Type], ...]:
    """The members that an initialiser without designators gives: only the first one of a union."""
    return kind.fields[:1] if kind.name.startswith("union ") else kind.fields


def _part(target: ir.Expr, position: int) -> ir.Expr | None:
    """The n-th part of an aggregate; None beyond its end."""
    kind = ir.type_of(target)
    if isinstance(kind, ir.Record):
        return ir.Member(target, *_members(kind)[position]) if position < len(_members(kind)) else None
    count = integer(kind.dims[0].size) if isinstance(kind, ir.Array) else 0
    return indexed(target, ir.Const(position, ir.INT)) if count is None or position < count else None


def scalars(kind: ir.Type) -> int | None:
    """The number of scalars in a type; None if unknown."""
    if isinstance(kind, ir.Array):
        counts = [scalars(kind.element), *(integer(extent.size) for extent in kind.dims)]
        return None if None in counts else math.prod(count or 0 for count in counts)
    if isinstance(kind, ir.Record):
        counts = [scalars(inner) for _, inner in _members(kind)]
        return None if None in counts else sum(count or 0 for count in counts)
    return 1


def zeros(target: ir.Expr, scope: Scope, line: int) -> tuple[ir.Stmt, ...]:
    """Statements that zero an aggregate."""
    kind = ir.type_of(target)
    if isinstance(kind, ir.Record):
        return tuple(s for member in _members(kind) for s in zeros(ir.Member(target, *member), scope, line))
    if not isinstance(kind, ir.Array):
        return (ir.Assign(target, conversion(ir.Const(0, ir.INT), ir.INT, kind), line),)
    count = kind.dims[0].size
    if count is None:
        return ()
    if (scalars(kind) or _FEW + 1) <= _FEW:
        parts = [indexed(target, ir.Const(position, ir.INT)) for position in range(integer(count) or 0)]
        return tuple(s for part in parts for s in zeros(part, scope, line))
    counter = scope.temporary(INDEX, line)
    body = zeros(indexed(target, counter), scope, line)
    zero, step = ir.Const(0, INDEX), ir.Const(1, INDEX)
    return (ir.Loop(counter.id, zero, fold.plus(count, -1), step, body, line, implied=True, local=True),)
