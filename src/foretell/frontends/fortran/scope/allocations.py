"""Reads ALLOCATE statements before lowering: an array allocated in one way only has known extents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.frontends.fortran.scope.declarations import child, text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from foretell.frontends.fortran.scope.symbols import Scope, Symbol
    from foretell.frontends.fortran.text.parse import Node, Tree

_MANY = "allocated in different ways"


def note_allocations(scope: Scope, tree: Tree) -> None:
    """Gives every array that this procedure allocates the extents of its ALLOCATE."""
    if not any("allocate" in row.text.lower() for row in tree.rows):
        return
    for node in _allocate_statements(tree.root):
        for part in node.children_by_field_name("allocation"):
            if part.type != "sized_allocation" or part.named_children[0].type != "identifier":
                continue
            symbol = scope.find(text(part.named_children[0]))
            size = child(part, "size")
            if symbol is None or size is None or symbol.dims is None or symbol.dummy or symbol.variable is not None:
                continue
            _note(scope, symbol, size)


def _allocate_statements(root: Node) -> Iterator[Node]:
    stack = [root]
    while stack:
        node = stack.pop()
        if node.type == "allocate_statement":
            yield node
        elif not node.type.endswith("expression") and node.type != "variable_declaration":
            stack.extend(node.named_children)


def _note(scope: Scope, symbol: Symbol, size: Node) -> None:
    if _MANY in symbol.attributes:
        return
    before = symbol.allocated or symbol.allocated_elsewhere
    if before is not None and text(before) != text(size):
        symbol.attributes.add(_MANY)
        symbol.allocated = symbol.allocated_elsewhere = None
    elif symbol.scope is scope or all(_visible(symbol, scope, name) for name in _names(size)):
        symbol.allocated = size
    else:
        symbol.allocated_elsewhere = size


def _visible(symbol: Symbol, scope: Scope, name: str) -> bool:
    """Whether a name has the same meaning at the array's declaration and at its allocation."""
    there, here = symbol.scope.find(name), scope.find(name)
    return there is not None and there is here


def _names(node: Node) -> Iterator[str]:
    stack = list(node.named_children)
    while stack:
        part = stack.pop()
        if part.type == "identifier":
            yield text(part)
        stack.extend(part.named_children)
