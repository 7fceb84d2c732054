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
    from collections.abc import Iterator

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
        self.implicit: dict[str, ir.Type] = default_implicit() if parent is None else parent.implicit
        self.implicit_none: bool = parent is not None and parent.implicit_none
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
        for scope in self.hosts():
            symbol = scope.names.get(name)
            if symbol is None and scope.uses:
                symbol = scope._used(name, frozenset())
            if symbol is not None:
                return symbol
        return None

    def hosts(self) -> Iterator[Scope]:
        """This scope and those around it."""
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.parent

    def _used(self, name: str, seen: frozenset[str]) -> Symbol | None:
        for use in self.uses:
            inner = _renamed(use, name)
            module = self.modules.get(use.module)
            if inner is None or use.module in seen:
                continue
            if module is not None:
                symbol = module._exported(inner, seen | {use.module})
                if symbol is not None:
                    return symbol
            elif (number := INTRINSIC_MODULES.get(use.module, {}).get(inner)) is not None:
                symbol = self.declare(name, use.line, "variable")
                symbol.variable = ir.Variable(name, name, ir.INT, "constant", use.line, ir.Const(number, ir.INT))
                return symbol
        return None

    def _exported(self, name: str, seen: frozenset[str]) -> Symbol | None:
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
        used = [use.module for scope in self.hosts() for use in scope.uses]
        return [module for module in used if module not in self.modules and module not in INTRINSIC_MODULES]

    # ----------------------------------------------------------------------------------- declaring

    def declare(self, name: str, line: int, kind: SymbolKind | None = None) -> Symbol:
        """The symbol of `name` in this very scope, created if necessary; of this kind, if one is given."""
        symbol = self.names.get(name)
        if symbol is None:
            symbol = self.names[name] = Symbol(name, self, line)
        symbol.kind = kind or symbol.kind
        return symbol

    def implicit_type(self, name: str) -> ir.Type:
        return self.implicit.get(name[:1], ir.FLOAT)  # a name may be missing in malformed text

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
        return next(scope for scope in self.hosts() if scope.kind != "block")

    # ------------------------------------------------------------------------------------ messages

    def say(self, line: int, message: str, severity: Literal["note", "warning", "error"] = "warning") -> None:
        """Adds a diagnostic, once per line and text."""
        top = next(scope for scope in self.hosts() if scope.kind not in ("block", "type", "interface"))
        if (line, message) not in top._said:
            top._said.add((line, message))
            top.diagnostics.append(ir.Diagnostic(self.file, line, message, severity))


def _renamed(use: Use, name: str) -> str | None:
    """The module's own name for the local `name` under this USE; None if it is not imported."""
    hidden = use.only or any(original == name for _, original in use.renames)
    return next((original for local, original in use.renames if local == name), None if hidden else name)
