"""Names: symbols, their scopes, and visibility between scopes (host association, USE).

A symbol keeps the syntax of its declaration and is lowered to an `ir.Variable` on first use, so that
declarations may be in any order and modules in any file.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from foretell.frontends.fortran.scope.kinds import INTRINSIC_MODULES, default_implicit
from foretell.frontends.source import ir
from foretell.records import record

if TYPE_CHECKING:
    from foretell.frontends.fortran.text.parse import Node, Tree

SymbolKind = Literal["unknown", "variable", "procedure", "type", "generic"]


@dataclass(slots=True)
class Symbol:
    """One declared (or implicitly declared) name of one scope."""

    name: str
    scope: Scope
    line: int
    kind: SymbolKind = "unknown"
    type_node: Node | None = None
    dims: Node | None = None
    init: Node | None = None
    attributes: set[str] = field(default_factory=set)
    intent: Literal["", "in", "out", "inout"] = ""
    common: str = ""
    dummy: bool = False
    is_result: bool = False
    #: length of `character s*10` and size of `real x*8`, which follow the name
    size_after: Node | None = None
    #: specific procedures of a generic name
    members: list[str] = field(default_factory=list)
    #: the definition of a derived type
    definition: Node | None = None
    procedure: ProcedureInfo | None = None
    #: the number that a DATA statement gives
    data: str = ""
    #: the numbers that a DATA statement gives to a whole array
    table: list[str] = field(default_factory=list)
    #: extents of the only ALLOCATE of this name in its procedure
    allocated: Node | None = None
    #: an ALLOCATE whose extents are not valid here, but whose lower bounds are plain numbers
    allocated_elsewhere: Node | None = None
    #: the ASSOCIATE selector of this name (a scalar expression or an array value)
    substitute: Any = None
    variable: ir.Variable | None = None
    resolving: bool = False

    @property
    def is_array(self) -> bool:
        return self.dims is not None or (self.variable is not None and isinstance(self.variable.type, ir.Array))


@dataclass(slots=True)
class ProcedureInfo:
    """The interface of a procedure for its callers."""

    name: str
    kind: Literal["subroutine", "function"]
    parameters: tuple[str, ...]
    scope: Scope | None
    result: str = ""
    elemental: bool = False
    #: the name of the `ir.Function`
    link: str = ""
    #: the names for calls from other languages
    link_names: tuple[str, ...] = ()
    #: statement function: the expression to substitute for the call
    expression: Node | None = None


@record
class Use:
    """One USE statement: local name → name in the module; `only` hides everything else."""

    module: str
    renames: tuple[tuple[str, str], ...]
    only: bool
    line: int


class Scope:
    """The names of one program unit, BLOCK or derived type, and the other scopes to search."""

    def __init__(self, name: str, kind: str, file: str, parent: Scope | None, modules: dict[str, Scope]) -> None:
        self.name = name
        self.kind = kind
        self.file = file
        self.parent = parent
        self.modules = modules
        self.names: dict[str, Symbol] = {}
        self.uses: list[Use] = []
        self.implicit: dict[str, ir.Type] | None = None if parent is None else parent.implicit
        self.implicit_none: bool = parent.implicit_none if parent is not None else False
        if parent is None:
            self.implicit = default_implicit()
        self.implicit_external = False
        self.private: set[str] = set()
        self.private_default = False
        self.public: set[str] = set()
        #: identifiers in use; shared by a procedure, its BLOCKs and contained procedures
        self.ids: set[str] = set() if parent is None or parent.kind in ("module", "submodule") else parent.ids
        self.diagnostics: list[ir.Diagnostic] = []
        self.tree: Tree | None = None
        #: variables created for this scope's procedure, in order
        self.variables: list[ir.Variable] = []
        #: identifiers of variables without a source name
        self.temporaries: set[str] = set()
        #: module variables, COMMON members and constants of other scopes that this procedure uses
        self.used: dict[str, ir.Variable] = {}
        #: lines and texts of assumptions due to EQUIVALENCE
        self.equivalences: list[tuple[int, str]] = []
        #: resolves symbols and lowers expressions here; set by the lowering
        self.lowering: Any = None
        self._said: set[tuple[int, str]] = set()

    # --------------------------------------------------------------------------------------- lookup

    def find(self, name: str) -> Symbol | None:
        """The symbol of `name` here, or None."""
        scope: Scope | None = self
        while scope is not None:
            symbol = scope.names.get(name)
            if symbol is None and scope.uses:
                symbol = scope._used(name, frozenset())
            if symbol is not None:
                return symbol
            scope = scope.parent
        return None

    def _used(self, name: str, seen: frozenset[str]) -> Symbol | None:
        for use in self.uses:
            inner = _renamed(use, name)
            module = self.modules.get(use.module)
            if inner is None or use.module in seen:
                continue
            if module is None:
                constant = INTRINSIC_MODULES.get(use.module, {}).get(inner)
                if constant is not None:
                    return _constant_symbol(name, constant, self, use.line)
                continue
            symbol = module.exported(inner, seen | {use.module})
            if symbol is not None:
                return symbol
        return None

    def exported(self, name: str, seen: frozenset[str] = frozenset()) -> Symbol | None:
        """The symbol that a USE of this module imports for `name`."""
        symbol = self.names.get(name) or self._used(name, seen)
        plain = name.removeprefix("type ")
        if plain in self.private or (symbol is not None and "private" in symbol.attributes):
            return None
        if self.private_default and plain not in self.public and not (symbol and "public" in symbol.attributes):
            return None
        return symbol

    def missing_modules(self) -> list[str]:
        """Used modules that are neither in the given files nor intrinsic, visible from here."""
        scope: Scope | None = self
        missing: list[str] = []
        while scope is not None:
            missing += [
                use.module
                for use in scope.uses
                if use.module not in self.modules and use.module not in INTRINSIC_MODULES
            ]
            scope = scope.parent
        return missing

    # ----------------------------------------------------------------------------------- declaring

    def declare(self, name: str, line: int) -> Symbol:
        """The symbol of `name` in this very scope, created if necessary."""
        symbol = self.names.get(name)
        if symbol is None:
            symbol = self.names[name] = Symbol(name, self, line)
        return symbol

    def implicit_type(self, name: str) -> ir.Type:
        table = self.implicit or {}
        first = name[:1]  # a name may be missing in malformed text
        return table.get(first, ir.INT if first and first in "ijklmn" else ir.FLOAT)

    def unique(self, name: str) -> str:
        """An identifier that no other variable of this procedure (or of its host) has."""
        candidate, count = name, 1
        while candidate in self.ids:
            count += 1
            candidate = f"{name}#{count}"
        self.ids.add(candidate)
        return candidate

    def procedure_scope(self) -> Scope:
        """The procedure, program or module that contains a BLOCK."""
        scope = self
        while scope.kind == "block" and scope.parent is not None:
            scope = scope.parent
        return scope

    # ------------------------------------------------------------------------------------ messages

    def say(self, line: int, message: str, severity: Literal["note", "warning", "error"] = "warning") -> None:
        """Adds a diagnostic, once per line and text."""
        top = self
        while top.kind in ("block", "type", "interface") and top.parent is not None:
            top = top.parent
        if (line, message) not in top._said:
            top._said.add((line, message))
            top.diagnostics.append(ir.Diagnostic(self.file, line, message, severity))


def _renamed(use: Use, name: str) -> str | None:
    """The module's own name for the local `name` under this USE; None if it is not imported."""
    for local, original in use.renames:
        if local == name:
            return original
    if use.only or any(original == name for _, original in use.renames):
        return None
    return name


def _constant_symbol(name: str, value: int, scope: Scope, line: int) -> Symbol:
    symbol = scope.names[name] = Symbol(name, scope, line, kind="variable")
    symbol.variable = ir.Variable(name, name, ir.INT, "constant", line, ir.Const(value, ir.INT))
    return symbol
