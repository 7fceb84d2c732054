"""The state of lowering: one scope, the current statements, and the dispatch tables of the lowering modules.

Every lowering function takes a `Lowering` first. Expressions may need statements before them (a reduction is a loop):
those are appended to `sink`, the list that will also contain the current statement.
"""

from __future__ import annotations

from collections import ChainMap
from contextlib import contextmanager
from typing import TYPE_CHECKING

from foretell.frontends.fortran.lower.array_values import ArrayValue, CannotLowerError
from foretell.frontends.fortran.scope.declarations import text
from foretell.frontends.fortran.scope.symbols import Scope
from foretell.frontends.source import ir

__all__ = ["DECLARATIONS", "EXPRESSIONS", "CannotLowerError", "Lowering", "Shared"]

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from foretell.frontends.fortran.lower.array_values import Value
    from foretell.frontends.fortran.scope.symbols import ProcedureInfo, Symbol
    from foretell.frontends.fortran.text.parse import Node

    ExpressionLowering = Callable[["Lowering", Node], Value]

#: node type → the function that lowers such an expression; filled by the lower_… modules
EXPRESSIONS: dict[str, ExpressionLowering] = {}


class _Declarations:
    """Lowering functions of type specifications and symbols: set by `lower_types`."""

    type_of_node: Callable[[Lowering, Node], ir.Type]
    resolve: Callable[[Lowering, Symbol], ir.Variable]


DECLARATIONS = _Declarations()

#: Deeper nesting occurs in no hand-written program, and would overflow the stack of later passes.
MAX_DEPTH = 150


class Shared:
    """State shared by all scopes of one program."""

    def __init__(self) -> None:
        self.modules: dict[str, Scope] = {}
        #: external procedures by name
        self.procedures: dict[str, ProcedureInfo] = {}


class Lowering:
    """Lowers expressions of one scope; `line` is the line of the current statement."""

    def __init__(self, scope: Scope, shared: Shared, host: Lowering | None = None) -> None:
        self.scope = scope
        self.shared = shared
        self.sink: list[ir.Stmt] = []
        self.line = 0
        self.depth = 0
        #: values of constants by identifier, of this scope and its hosts
        self.constants: ChainMap[str, ir.Expr] = ChainMap({}) if host is None else host.constants.new_child()
        self.literals: dict[str, ir.Expr] = {}
        self.plain: dict[str, ir.Expr] = {}

    def inner(self, kind: str, name: str = "") -> Lowering:
        """A lowering for a new scope inside this one: a block (whose statements come here), a type, an interface."""
        scope = Scope(name or self.scope.name, kind, self.scope.file, self.scope, self.scope.modules)
        scope.tree = self.scope.tree
        scope.lowering = inner = Lowering(scope, self.shared, self)
        if kind == "block":
            inner.sink, inner.line = self.sink, self.line
        return inner

    def inner_name(self, name: str) -> Lowering:
        """A lowering in which `name` is a separate variable of the same type."""
        inner = self.inner("block")
        around = self.scope.find(name)
        inner.scope.declare(name, self.line, "variable").type_node = around.type_node if around is not None else None
        return inner

    # ---------------------------------------------------------------------------------- expressions

    def value(self, node: Node) -> Value:
        """Lowers a scalar expression or an array value."""
        handler = EXPRESSIONS.get(node.type)
        if handler is None:
            raise CannotLowerError(f"{node.type.replace('_', ' ')} {text(node)[:40]!r} is not supported")
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.depth = 0
            raise CannotLowerError("the expression is nested too deeply")
        result = handler(self, node)
        self.depth -= 1
        return result

    def scalar(self, node: Node) -> ir.Expr:
        """Lowers an expression that must be a scalar."""
        value = self.value(node)
        if isinstance(value, ArrayValue):
            raise CannotLowerError(f"{text(node)[:40]!r} is an array where a scalar is needed")
        return value

    def optional(self, node: Node | None, default: ir.Expr) -> ir.Expr:
        """Lowers a scalar expression that may be absent."""
        return default if node is None else self.scalar(node)

    def type_of_node(self, node: Node) -> ir.Type:
        """The type of a type specification in this scope."""
        return DECLARATIONS.type_of_node(self, node)

    def variable(self, symbol: Symbol) -> ir.Variable:
        """The variable of a symbol of any scope."""
        variable = symbol.variable or DECLARATIONS.resolve(symbol.scope.lowering, symbol)
        if variable.storage in ("global", "constant"):
            self.scope.procedure_scope().used.setdefault(variable.id, variable)
        return variable

    def scalar_name(self, name: str) -> ir.Name:
        """The variable of a name in this scope, declared by implicit typing if necessary."""
        symbol = self.scope.find(name) or self.scope.procedure_scope().declare(name, self.line)
        variable = self.variable(symbol)
        return ir.Name(variable.id, variable.type)

    # ----------------------------------------------------------------------------------- statements

    def emit(self, statement: ir.Stmt) -> None:
        self.sink.append(statement)

    @contextmanager
    def collecting(self) -> Iterator[list[ir.Stmt]]:
        """Collects the statements emitted inside in the list it yields."""
        outer, inner = self.sink, list[ir.Stmt]()
        self.sink = inner
        try:
            yield inner
        finally:
            self.sink = outer

    @contextmanager
    def trial(self) -> Iterator[list[ir.Stmt]]:
        """Lowers something for inspection only: its statements and temporaries are discarded."""
        top = self.scope.procedure_scope()
        mark = len(top.variables)
        with self.collecting() as statements:
            yield statements
        made = [variable for variable in top.variables[mark:] if variable.id in top.temporaries]
        for variable in made:
            top.variables.remove(variable)
            top.temporaries.discard(variable.id)
            top.ids.discard(variable.id)

    def fresh(self, display: str, kind: ir.Type) -> ir.Name:
        """A new local variable with a name that cannot occur in the source."""
        top = self.scope.procedure_scope()
        variable = ir.Variable(top.unique(f"{display}@{self.line}"), display, kind, "local", self.line)
        top.variables.append(variable)
        top.temporaries.add(variable.id)
        return ir.Name(variable.id, kind)

    def temporary(self, display: str, kind: ir.Type) -> ir.Name:
        """A new local variable (an array), declared here."""
        name = self.fresh(display, kind)
        self.emit(ir.Declare(name.id, None, self.line))
        return name

    def stored(self, value: ir.Expr, display: str) -> ir.Name:
        """A new local variable with this value."""
        name = self.fresh(display, ir.type_of(value))
        self.emit(ir.Assign(name, value, self.line))
        return name

    def say(self, message: str, *, note: bool = False) -> None:
        """Adds a diagnostic about the current statement."""
        self.scope.say(self.line, message, "note" if note else "warning")
