"""Lowers initialisers (`= {1, 2, [5] = 3}`) to assignments, with C's rules for omitted braces and implicit zeros."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.frontends.c.lower import fold
from foretell.frontends.c.lower.lvalues import indexed
from foretell.frontends.c.lower.operands import UnlowerableError
from foretell.frontends.c.lower.types import INDEX, conversion
from foretell.frontends.c.parse.clang import Kind
from foretell.frontends.source import ir

if TYPE_CHECKING:
    from foretell.frontends.c.lower.expressions import Expressions
    from foretell.frontends.c.lower.scope import Scope
    from foretell.frontends.c.parse.clang import Tree

#: An aggregate of at most this many numbers is zeroed element by element, a larger one by a loop.
_FEW = 16


class Initialisers:
    """Lowers the brace lists of one function."""

    def __init__(self, tree: Tree, expressions: Expressions, scope: Scope) -> None:
        self._tree = tree
        self._expressions = expressions
        self._scope = scope
        expressions.literal = self._compound_literal

    def is_list(self, node: int) -> bool:
        """Whether an initialiser is a brace list."""
        return self._tree.kind[self._unwrapped(node)] == Kind.INIT_LIST

    def assign(self, place: ir.Expr, kind: ir.Type, node: int, line: int) -> tuple[ir.Stmt, ...]:
        """Statements that initialise `place`."""
        node = self._unwrapped(node)
        if self._tree.kind[node] != Kind.INIT_LIST:
            full = self._expressions.full(node)
            return (*full.before, ir.Assign(place, full.value, line), *full.after)
        if not isinstance(kind, ir.Array | ir.Record):
            inner = self._tree.expressions(node)
            if not inner:
                return zeros(place, kind, self._scope, line)
            return self.assign(place, kind, inner[0], line)
        given: list[ir.Stmt] = []
        self._fill(place, kind, self._tree.expressions(node), 0, given, line, braced=True)
        return self._with_zeros(place, kind, given, line)

    def _with_zeros(self, place: ir.Expr, kind: ir.Type, given: list[ir.Stmt], line: int) -> tuple[ir.Stmt, ...]:
        targets = {statement.target for statement in given if isinstance(statement, ir.Assign)}
        if len(targets) == scalars(kind):
            return tuple(given)
        if all(isinstance(s, ir.Assign) and _is_zero(s.value) for s in given):
            given = []
        return (*zeros(place, kind, self._scope, line), *given)

    def _unwrapped(self, node: int) -> int:
        tree = self._tree
        while tree.kind[node] in (Kind.UNEXPOSED, Kind.PAREN):
            inner = tree.expressions(node)
            if len(inner) != 1 or tree.kind[inner[0]] not in (Kind.INIT_LIST, Kind.UNEXPOSED, Kind.PAREN):
                break
            node = inner[0]
        return node

    def _fill(
        self,
        place: ir.Expr,
        kind: ir.Array | ir.Record,
        items: list[int],
        first: int,
        out: list[ir.Stmt],
        line: int,
        *,
        braced: bool,
    ) -> int:
        """Assigns the items from `first` on to the parts of an aggregate; returns the index of the first unused item.

        Without its own braces, an aggregate takes only as many items as it has parts."""
        position = 0
        while first < len(items):
            item = items[first]
            designators = self._designators(item)
            if designators:
                if not braced:
                    return first
                position = self._designated(place, kind, item, designators, out, line) + 1
                first += 1
                continue
            part = _part(place, kind, position)
            if part is None:
                return first if not braced else len(items)
            first = self._give(part[0], part[1], items, first, out, line)
            position += 1
        return first

    def _give(self, place: ir.Expr, kind: ir.Type, items: list[int], first: int, out: list[ir.Stmt], line: int) -> int:
        node = self._unwrapped(items[first])
        takes_whole = self._tree.kind[node] in (Kind.INIT_LIST, Kind.STRING) or not isinstance(
            kind, ir.Array | ir.Record
        )
        if takes_whole or (isinstance(kind, ir.Record) and isinstance(self._expressions.type(node), ir.Record)):
            if self._tree.kind[node] == Kind.INIT_LIST and isinstance(kind, ir.Array | ir.Record):
                self._fill(place, kind, self._tree.expressions(node), 0, out, line, braced=True)
            else:
                out += self.assign(place, kind, node, line)
            return first + 1
        assert isinstance(kind, ir.Array | ir.Record)
        return max(self._fill(place, kind, items, first, out, line, braced=False), first + 1)

    def _designators(self, item: int) -> list[int]:
        """The designators of `.x[2] = value`; the value is the last child."""
        if self._tree.kind[item] != Kind.UNEXPOSED:
            return []
        children = self._tree.children(item)
        return children[:-1] if len(children) > 1 else []

    def _designated(
        self,
        place: ir.Expr,
        kind: ir.Array | ir.Record,
        item: int,
        designators: list[int],
        out: list[ir.Stmt],
        line: int,
    ) -> int:
        """Assigns to the target of a designator; returns the position of its outermost part."""
        position = self._position(kind, designators[0])
        current: tuple[ir.Expr, ir.Type] | None = (place, kind)
        for designator in designators:
            if current is None or not isinstance(current[1], ir.Array | ir.Record):
                raise UnlowerableError("a designator that does not fit its type")
            current = _part(current[0], current[1], self._position(current[1], designator))
        if current is None:
            raise UnlowerableError("a designator outside its array or structure")
        self._give(*current, [self._tree.children(item)[-1]], 0, out, line)
        return position

    def _position(self, kind: ir.Array | ir.Record, designator: int) -> int:
        if isinstance(kind, ir.Record):
            name = self._tree.declarations[self._tree.ref[designator]].name if self._tree.ref[designator] >= 0 else ""
            for position, (field, _) in enumerate(kind.fields):
                if field == name:
                    return position
            raise UnlowerableError(f"a designator for a member {name!r} that the type does not have")
        index = self._expressions.value(designator)
        if isinstance(index, ir.Const) and isinstance(index.value, int):
            return index.value
        raise UnlowerableError("a designator that is not constant")

    def _compound_literal(self, node: int) -> tuple[tuple[ir.Stmt, ...], ir.Expr]:
        """Lowers (struct s){…} to a variable."""
        kind = self._expressions.type(node)
        line = self._expressions.line
        inner = self._tree.expressions(node)
        if not inner:
            raise UnlowerableError("a compound literal without a list")
        name = self._scope.temporary(kind, line)
        return (ir.Declare(name.id, None, line), *self.assign(name, kind, inner[-1], line)), name


# ---------------------------------------------------------------------------------------------- aggregates


def _part(place: ir.Expr, kind: ir.Array | ir.Record, position: int) -> tuple[ir.Expr, ir.Type] | None:
    """The n-th part of an aggregate; None beyond its end."""
    if isinstance(kind, ir.Record):
        if position >= len(kind.fields) or (position and kind.name.startswith("union ")):
            return None
        name, inner = kind.fields[position]
        return ir.Member(place, name, inner), inner
    count = kind.dims[0].size
    if isinstance(count, ir.Const) and isinstance(count.value, int) and position >= count.value:
        return None
    rest = ir.Array(kind.element, kind.dims[1:]) if kind.dims[1:] else kind.element
    return indexed(place, ir.Const(position, ir.INT)), rest


def scalars(kind: ir.Type) -> int | None:
    """The number of scalars in a type; None if unknown."""
    if isinstance(kind, ir.Array):
        count = scalars(kind.element)
        for extent in kind.dims:
            if count is None or not isinstance(extent.size, ir.Const) or not isinstance(extent.size.value, int):
                return None
            count *= extent.size.value
        return count
    if isinstance(kind, ir.Record):
        parts = [scalars(inner) for _, inner in kind.fields[: 1 if kind.name.startswith("union ") else None]]
        return None if None in parts else sum(part for part in parts if part is not None)
    return 1


def zeros(place: ir.Expr, kind: ir.Type, scope: Scope, line: int) -> tuple[ir.Stmt, ...]:
    """Statements that zero an aggregate."""
    if isinstance(kind, ir.Record):
        parts = kind.fields[:1] if kind.name.startswith("union ") else kind.fields
        return tuple(s for name, inner in parts for s in zeros(ir.Member(place, name, inner), inner, scope, line))
    if not isinstance(kind, ir.Array):
        return (ir.Assign(place, conversion(ir.Const(0, ir.INT), ir.INT, kind), line),)
    count = kind.dims[0].size
    rest = ir.Array(kind.element, kind.dims[1:]) if kind.dims[1:] else kind.element
    if count is None:
        return ()
    if isinstance(count, ir.Const) and isinstance(count.value, int) and (scalars(kind) or _FEW + 1) <= _FEW:
        places = [indexed(place, ir.Const(position, ir.INT)) for position in range(count.value)]
        return tuple(s for inner in places for s in zeros(inner, rest, scope, line))
    counter = scope.temporary(INDEX, line)
    body = zeros(indexed(place, counter), rest, scope, line)
    zero, one = ir.Const(0, INDEX), ir.Const(1, INDEX)
    return (ir.Loop(counter.id, zero, fold.plus(count, -1), one, body, line, implied=True, local=True),)


def _is_zero(expr: ir.Expr) -> bool:
    return isinstance(expr, ir.Const) and expr.value == 0
