"""State shared by all expressions, and leaf expressions: constants, names, members, sizeof."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from foretell.frontends.c.lower import fold, lvalues
from foretell.frontends.c.lower.types import INDEX, conversion, is_anonymous
from foretell.frontends.c.parse.clang import Kind
from foretell.frontends.source import ir
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from foretell.frontends.c.lower.scope import Scope
    from foretell.frontends.c.lower.types import Types
    from foretell.frontends.c.parse.clang import Tree
    from foretell.frontends.c.parse.text import Source

#: Expressions are split into temporaries at multiples of this depth, so that no later pass needs a deep stack.
CUT = 60


class UnlowerableError(Exception):
    """An expression that the IR cannot represent; the statement around it becomes Opaque."""


@dataclass(slots=True)
class Effects:
    """Statements to execute before and after an expression."""

    before: list[ir.Stmt] = field(default_factory=list)
    after: list[ir.Stmt] = field(default_factory=list)


@record
class Full:
    """A full expression: execute `before`, use `value`, execute `after`."""

    before: tuple[ir.Stmt, ...]
    value: ir.Expr
    after: tuple[ir.Stmt, ...]

    @property
    def pure(self) -> bool:
        return not self.before and not self.after


class Operands:
    """The state of lowering one function's expressions, and the leaf expressions."""

    #: lowering method of each kind of node
    _lower: ClassVar[dict[int, Callable[[Any, int], ir.Expr]]]

    def __init__(
        self,
        tree: Tree,
        types: Types,
        scope: Scope,
        file_scope: Scope,
        shadowed: frozenset[str],
        source: Source | None = None,
    ) -> None:
        self.tree = tree
        self.types = types
        self.scope = scope
        self._file_scope = file_scope
        #: names of the user's functions, which must not be replaced by library names
        self._shadowed = shadowed
        self.source = source
        self._effects = Effects()
        self._calls = 0
        self._conditionals = 0
        self._depth = 0
        self.line = 0
        #: declarations of the variables that the function modifies
        self.changing: set[int] = set()
        #: lowers the body of a statement expression; set by the statement lowering
        self.block: Callable[[int], tuple[tuple[ir.Stmt, ...], int | None]] | None = None
        #: lowers a compound literal into a variable; set by the initialiser lowering
        self.literal: Callable[[int], tuple[tuple[ir.Stmt, ...], ir.Expr]] | None = None

    def full(self, node: int) -> Full:
        """A full expression with the statements before and after it."""
        with self._own_effects() as effects:
            value = self.value(node)
            return Full(tuple(effects.before), value, tuple(effects.after))

    @contextmanager
    def _own_effects(self) -> Iterator[Effects]:
        outer, self._effects = self._effects, Effects()
        try:
            yield self._effects
        finally:
            self._effects = outer

    def value(self, node: int) -> ir.Expr:
        """The value of an expression (the lvalue if it is one)."""
        lower = self._lower.get(self.tree.kind[node])
        if lower is None:
            raise UnlowerableError(f"an expression of a kind that is not modelled (clang's {self.tree.kind[node]})")
        self._depth += 1
        try:
            result = lower(self, node)
            if self._depth % CUT == 0 and isinstance(result, ir.Binary | ir.Select | ir.Unary | ir.Cast):
                result = self._stored(result, ir.type_of(result))
        finally:
            self._depth -= 1
        return result

    def type(self, node: int) -> ir.Type:
        """The type that C gives to an expression."""
        return self.types(self.tree.type[node])

    def _stored(self, value: ir.Expr, kind: ir.Type) -> ir.Name:
        """Stores the value in a new temporary."""
        name = self.scope.temporary(kind, self.line)
        self._effects.before.append(ir.Assign(name, value, self.line))
        return name

    # ------------------------------------------------------------------------------------------ leaves

    def _constant(self, node: int) -> ir.Expr:
        literal = self.tree.op[node]
        if literal < 0:
            raise UnlowerableError("a constant that has no value")
        return ir.Const(self.tree.literals[literal], self.type(node))

    def _string(self, node: int) -> ir.Expr:
        text = str(self.tree.literals[self.tree.op[node]])
        body = text[text.find('"') + 1 : -1] if text.endswith('"') else text
        with suppress(UnicodeDecodeError):
            body = body.encode("latin-1", "backslashreplace").decode("unicode_escape")
        return ir.Const(body, self.type(node))

    def _imaginary(self, node: int) -> ir.Expr:
        part = self.value(self.tree.expressions(node)[0])
        if not isinstance(part, ir.Const) or isinstance(part.value, str):
            raise UnlowerableError("an imaginary constant that has no value")
        return ir.Const(complex(0.0, float(part.value.real)), self.type(node))

    def _name(self, node: int) -> ir.Expr:
        index = self.tree.ref[node]
        if index < 0:
            raise UnlowerableError("a name that could not be resolved")
        declaration = self.tree.declarations[index]
        if declaration.kind == Kind.ENUMERATOR:
            return ir.Const(declaration.value, self.type(node))
        if declaration.kind == Kind.FUNCTION:
            return ir.Name(declaration.name, self.types(declaration.type))
        variable = self.variable(index)
        return ir.Name(variable.id, variable.type)

    def variable(self, index: int) -> ir.Variable:
        """The variable of a declaration; an unknown one is external."""
        known = self.scope.find(index) or self._file_scope.find(index)
        if known is not None:
            return known
        declaration = self.tree.declarations[index]
        kind = self.declared_type(index)
        return self._file_scope.declare(index, declaration.name, kind, "global", declaration.line)

    def declared_type(self, index: int) -> ir.Type:
        """The type of a variable."""
        return self.types(self.tree.declarations[index].type)

    def _named_types(self, node: int) -> list[ir.Type]:
        """The types that the children of a node refer to by name."""
        tree = self.tree
        names = (tree.ref[child] for child in tree.children(node) if tree.kind[child] == Kind.TYPE_REF)
        return [self.declared_type(index) for index in names if index >= 0]

    def _member(self, node: int) -> ir.Expr:
        base_node = self.tree.expressions(node)
        name = self.tree.declarations[self.tree.ref[node]].name if self.tree.ref[node] >= 0 else ""
        if not base_node:
            raise UnlowerableError("a member of something that is not there")
        base = self.value(base_node[0])
        if isinstance(self.type(base_node[0]), ir.Pointer | ir.Array):
            base = lvalues.dereferenced(base)
        return base if is_anonymous(name) else ir.Member(base, name, self.type(node))

    def _size_of(self, node: int) -> ir.Expr:
        """The value of a sizeof; for a variable-length array the product of its extents."""
        if self.tree.op[node] >= 0:
            return self._constant(node)
        inner = self.tree.expressions(node)
        size = lvalues.array_size(ir.type_of(self.value(inner[0]))) if len(inner) == 1 else None
        if size is None or isinstance(size, ir.Const):
            size = self._written_size(node, inner)
        if size is None:
            return ir.Call("sizeof", tuple(self.value(part) for part in inner), self.type(node))
        return conversion(size, INDEX, self.type(node))

    def _written_size(self, node: int, inner: list[int]) -> ir.Expr | None:
        """sizeof(double[n][m]): clang gives the extents (twice: of the type, and of its variable part), the text gives
        their number and the element."""
        tree = self.tree
        named = self._named_types(node)
        written = None
        if self.source is not None and tree.file[node] >= 0 and tree.files[tree.file[node]] == str(self.source.path):
            written = self.source.written_array(tree.offset[node])
        element = written[0] if written is not None else None
        size = lvalues.array_size(named[0]) if named else None if element is None else ir.Const(element, INDEX)
        for extent in inner[: len(inner) // 2 if written is None else written[1]]:
            value = self.value(extent)
            size = size and fold.binary("*", conversion(value, ir.type_of(value), INDEX), size)
        return size

    def _only(self, node: int) -> int:
        inner = self.tree.last_expression(node)
        if inner < 0:
            raise UnlowerableError("an expression that clang could not make sense of")
        return inner
