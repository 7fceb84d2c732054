"""Variables with static storage: globals, and static variables of functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.frontends.c.lower.operands import UnlowerableError
from foretell.frontends.c.parse.clang import Kind
from foretell.frontends.source import ir

if TYPE_CHECKING:
    from foretell.frontends.c.lower.initialisers import Initialisers
    from foretell.frontends.c.lower.scope import Scope
    from foretell.frontends.c.lower.types import Types
    from foretell.frontends.c.parse.clang import Tree
    from foretell.frontends.c.parse.diagnostics import Diagnostics

_STATIC = 3
_MAX_INITIAL = 10_000


class Statics:
    """Collects the static variables of one file and their initial values. A function's static `x` is «f.x»."""

    def __init__(self, tree: Tree, types: Types, scope: Scope, diagnostics: Diagnostics) -> None:
        self._tree = tree
        self._types = types
        self._scope = scope
        self._diagnostics = diagnostics
        self.function = ""
        self.initial: list[ir.Assign] = []

    def declare_globals(self, initialisers: Initialisers) -> None:
        """Declares global variables: the most complete type of all declarations, the initial value where given."""
        tree = self._tree
        for node in tree.roots():
            if tree.kind[node] == Kind.VARIABLE and tree.ref[node] >= 0:
                written = tree.expressions(node)
                init = written[-1] if tree.op[node] == 1 and written else None
                self.declare(node, self._types(tree.type[node]), init, initialisers)

    def declare(self, node: int, kind: ir.Type, init: int | None, initialisers: Initialisers) -> None:
        """Declares one variable with its initial value."""
        tree = self._tree
        index = tree.ref[node]
        declaration = tree.declarations[index]
        prefix = f"{self.function}." if self.function else ""
        storage = "static" if declaration.storage == _STATIC else "global"
        self._scope.declare(index, declaration.name, kind, storage, declaration.line, prefix)  # type: ignore[arg-type]
        if isinstance(kind, ir.Array) and kind.dims[0].size is not None:
            self._scope.update(index, type=kind)
        if init is not None:
            self._initialise(node, index, init, initialisers)

    def _initialise(self, node: int, index: int, init: int, initialisers: Initialisers) -> None:
        variable = self._scope.find(index)
        assert variable is not None
        try:
            statements = initialisers.assign(ir.Name(variable.id, variable.type), init, self._tree.line[node])
        except UnlowerableError as error:
            self._diagnostics.add(node, f"initial value of {variable.display} not followed: {error}", "warning")
            return
        is_const = isinstance(variable.type, ir.Scalar) and self._types.is_const(self._tree.type[node])
        match statements:
            case (ir.Assign(_, ir.Const() as value),) if is_const:
                self._scope.update(index, value=value, storage="constant")
                return
        # zeroing loops are omitted: static storage is zero-initialised
        kept = [statement for statement in statements if isinstance(statement, ir.Assign)]
        if len(self.initial) + len(kept) <= _MAX_INITIAL:
            self.initial += kept
        else:
            self._diagnostics.add(node, f"initial values of {variable.display} left out: too many", "note")
