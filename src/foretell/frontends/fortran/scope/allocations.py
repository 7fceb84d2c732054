"""Reads ALLOCATE statements before lowering: an array allocated in one way only has known extents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.frontends.fortran.scope.declarations import child, subtree, text

if TYPE_CHECKING:
    from foretell.frontends.fortran.scope.symbols import Scope, Symbol
    from foretell.frontends.fortran.text.parse import Node, Tree

_MANY = "allocated in different ways"


def note_allocations(scope: Scope, tree: Tree) -> None:
    """Gives every array that this procedure allocates the extents of its ALLOCATE."""
    if not any("allocate" in row.text.lower() for row in tree.rows):
        return
    for part in subtree(tree.root):
        if part.type != "sized_allocation" or part.named_children[0].type != "identifier":
            continue
        symbol = scope.find(text(part.named_children[0]))
        size = child(part, "size")
        if symbol is None or size is None or symbol.dims is None or symbol.dummy or symbol.variable is not None:
            continue
        _note(scope, symbol, size)


def _note(scope: Scope, symbol: Symbol, size: Node) -> None:
    if _MANY in symbol.attributes:
        return
    before = symbol.allocated or symbol.allocated_elsewhere
    if before is not None and text(before) != text(size):
        symbol.attributes.add(_MANY)
        symbol.allocated = symbol.allocated_elsewhere = None
        return
    names = [text(part) for part in subtree(size) if part.type == "identifier"]
    # whether the names have the same meaning at the array's declaration and at its allocation
    same = all((known := scope.find(name)) is not None and known is symbol.scope.find(name) for name in names)
    if same or symbol.scope is scope:
        symbol.allocated = size
    else:
        symbol.allocated_elsewhere = size
