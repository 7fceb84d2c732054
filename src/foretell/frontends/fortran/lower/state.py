"""The state of a lowering: one scope, the statements under way, and the doors to the modules that lower things.

Every lowering function takes a `Lowering` first. Expressions may need statements before them (a reduction is a loop):
those go to `sink`, which always is the list that the current statement will end up in.
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
    """How a type specification and a symbol are lowered: filled by `lower_types`."""

    type_of_node: Callable[[Lowering, Node], ir.Type]
    resolve: Callable[[Lowering, Symbol], ir.Variable]


DECLARATIONS = _Declarations()

#: deeper nesting than this is no program anybody wrote, and would exhaust the stack of whoever walks the result
MAX_DEPTH = 150


class Shared:
    """What all scopes of one program share."""

    def __init__(self) -> None:
        self.modules: dict[str, Scope] = {}
        #: external procedures by name
        self.procedures: dict[str, ProcedureInfo] = {}
        #: COMMON blocks: name → members in order, as first declared
        self.commons: dict[str, tuple[str, ...]] = {}


class Lowering:
    """Lowers expressions of one scope; `line` is the line of the statement under way."""

    def __init__(self, scope: Scope, shared: Shared, host: Lowering | None = None) -> None:
        self.scope = scope
        self.shared = shared
        self.host = host
        self.sink: list[ir.Stmt] = []
        self.line = 0
        self.depth = 0
        #: values of constants by identifier, this scope's and its hosts'
        self.constants: ChainMap[str, ir.Expr] = ChainMap({}) if host is None else host.constants.new_child()
        self.literals: dict[str, ir.Expr] = {}
        self.plain: dict[str, ir.Expr] = {}

    def of(self, scope: Scope) -> Lowering:
        """A lowering for a scope inside this one."""
        return Lowering(scope, self.shared, self)

    def inner_name(self, name: str) -> Lowering:
        """A lowering in which `name` is a variable of its own, of the type that it has here."""
        scope = Scope(self.scope.name, "block", self.scope.file, self.scope, self.scope.modules)
        scope.tree = self.scope.tree
        around = self.scope.find(name)
        symbol = scope.declare(name, self.line)
        symbol.kind = "variable"
        symbol.type_node = around.type_node if around is not None else None
        inner = scope.lowering = self.of(scope)
        inner.sink, inner.line = self.sink, self.line
        return inner

    # ---------------------------------------------------------------------------------- expressions

    def value(self, node: Node) -> Value:
        """A scalar expression, or an array value."""
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
        """An expression that must be a scalar."""
        value = self.value(node)
        if isinstance(value, ArrayValue):
            raise CannotLowerError(f"{text(node)[:40]!r} is an array where a scalar is needed")
        return value

    def type_of_node(self, node: Node) -> ir.Type:
        """The type that a type specification means here."""
        return DECLARATIONS.type_of_node(self, node)

    def variable(self, symbol: Symbol) -> ir.Variable:
        """The variable of a symbol, whatever scope it belongs to."""
        variable = symbol.variable or DECLARATIONS.resolve(symbol.scope.lowering, symbol)
        if variable.storage in ("global", "constant"):
            self.scope.procedure_scope().used.setdefault(variable.id, variable)
        return variable

    def scalar_name(self, name: str) -> ir.Name:
        """The variable of a name in this scope, brought to life by implicit typing if need be."""
        symbol = self.scope.find(name) or self.scope.procedure_scope().declare(name, self.line)
        variable = self.variable(symbol)
        return ir.Name(variable.id, variable.type)

    # ----------------------------------------------------------------------------------- statements

    def emit(self, statement: ir.Stmt) -> None:
        self.sink.append(statement)

    @contextmanager
    def collecting(self) -> Iterator[list[ir.Stmt]]:
        """Statements emitted inside go to the list this yields."""
        outer, inner = self.sink, list[ir.Stmt]()
        self.sink = inner
        try:
            yield inner
        finally:
            self.sink = outer

    @contextmanager
    def trial(self) -> Iterator[list[ir.Stmt]]:
        """Lowers something only to look at it: its statements and temporaries are thrown away."""
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
        """A new local variable that no source name can mean."""
        top = self.scope.procedure_scope()
        variable = ir.Variable(top.unique(f"{display}@{self.line}"), display, kind, "local", self.line)
        top.variables.append(variable)
        top.temporaries.add(variable.id)
        return ir.Name(variable.id, kind)

    def say(self, message: str, *, note: bool = False) -> None:
        """A diagnostic about the statement under way."""
        self.scope.say(self.line, message, "note" if note else "warning")
