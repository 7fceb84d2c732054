"""Variables that the nodes of a function write: decides whether a loop is counted."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from foretell.frontends.c.parse.clang import LOOPS, Kind

if TYPE_CHECKING:
    from foretell.frontends.c.parse.clang import Tree

_ADDRESS = 5
_WRAPPERS = (Kind.PAREN, Kind.UNEXPOSED)


@dataclass(slots=True)
class Region:
    """Declarations written within a range of nodes: variables directly, through arrays and pointers, members."""

    variables: set[int] = field(default_factory=set)
    through: set[int] = field(default_factory=set)
    members: set[int] = field(default_factory=set)


class Writes:
    """All writes of one function, by node; queried for the range of a loop."""

    def __init__(self, tree: Tree, function: int) -> None:
        self._tree = tree
        #: node, kind of write (a field of `Region`), declaration
        self._targets: list[tuple[int, str, int]] = []
        #: variables whose address escapes: they may change at any time
        self.exposed: set[int] = set()
        for node in tree.inside(tree.writes, function, tree.end[function]):
            self._add(node, is_address=tree.kind[node] == Kind.UNARY and tree.op[node] == _ADDRESS)

    def _add(self, node: int, *, is_address: bool) -> None:
        """Records the base variable of a write; a taken address counts as a write of a variable."""
        tree = self._tree
        direct = True
        for part in range(node + 1, tree.end[node]):
            kind = tree.kind[part]
            if kind == Kind.NAME:
                user = self._user(node) if is_address else -1
                if user == Kind.MEMBER:  # (&s)->x is s.x
                    return
                self._targets.append((node, "variables" if direct else "through", tree.ref[part]))
                if is_address and user != Kind.CALL:  # an address passed to a function is assumed not to escape
                    self.exposed.add(tree.ref[part])
                return
            if kind == Kind.MEMBER and direct:
                self._targets.append((node, "members", tree.ref[part]))
            if kind not in _WRAPPERS:
                if is_address:  # &a[i] and &s.x expose memory: a question of aliasing, not a write
                    return
                direct = False

    def _user(self, node: int) -> int:
        """The kind of node that uses an address, ignoring parentheses and conversions."""
        tree = self._tree
        parents = (parent for parent in range(node - 1, -1, -1) if tree.end[parent] > node)
        return next((tree.kind[p] for p in parents if tree.kind[p] not in (*_WRAPPERS, Kind.CAST)), -1)

    def within(self, *nodes: int) -> Region:
        """The writes of these nodes and all nodes inside them."""
        region = Region()
        for node in nodes:
            begin, end = (bisect_left(self._targets, (at,)) for at in (node, self._tree.end[node]))
            for _, kind, declaration in self._targets[begin:end]:
                getattr(region, kind).add(declaration)
        return region


def is_invariant(tree: Tree, node: int, region: Region) -> bool:
    """Whether an expression reads nothing that the region writes."""
    indirect = False
    for part in range(node, tree.end[node]):
        kind, declaration = tree.kind[part], tree.ref[part]
        if kind in (Kind.SUBSCRIPT, Kind.UNARY):
            indirect = True
        elif kind == Kind.NAME:
            if declaration in region.variables or (indirect and declaration in region.through):
                return False
        elif kind == Kind.MEMBER and declaration in region.members:
            return False
    return True


def owns_jump(tree: Tree, node: int, jump: int) -> bool:
    """Whether a loop's body has a `break` or `continue` of that loop itself."""
    part, stop = node, tree.end[node]
    while part < stop and tree.kind[part] != jump:
        inner = tree.kind[part] in LOOPS or (tree.kind[part] == Kind.SWITCH and jump == Kind.BREAK)
        part = tree.end[part] if inner else part + 1
    return part < stop
