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
        self._nodes: list[int] = []
        self._targets: list[tuple[str, int]] = []
        #: variables whose address escapes: they may change at any time
        self.exposed: set[int] = set()
        for node in tree.inside(tree.writes, function, tree.end[function]):
            self._add(node, is_address=tree.kind[node] == Kind.UNARY and tree.op[node] == _ADDRESS)

    def _add(self, node: int, *, is_address: bool) -> None:
        """Records the base variable of a write; a taken address counts as a write of a variable."""
        tree = self._tree
        direct, place = True, node + 1
        while place < tree.end[node]:
            kind = tree.kind[place]
            if kind == Kind.NAME:
                user = self._user(node) if is_address else -1
                if user == Kind.MEMBER:  # (&s)->x is s.x
                    return
                self._record(node, "variable" if direct else "through", tree.ref[place])
                if is_address and user != Kind.CALL:  # an address passed to a function is assumed not to escape
                    self.exposed.add(tree.ref[place])
                return
            if kind == Kind.MEMBER and direct:
                self._record(node, "member", tree.ref[place])
            if kind not in _WRAPPERS:
                if is_address:  # &a[i] and &s.x expose memory: a question of aliasing, not a write
                    return
                direct = False
            place += 1

    def _user(self, node: int) -> int:
        """The kind of node that uses an address, ignoring parentheses and conversions."""
        tree = self._tree
        parent = node - 1
        while parent >= 0:
            if tree.end[parent] > node and tree.kind[parent] not in (*_WRAPPERS, Kind.CAST):
                return tree.kind[parent]
            parent -= 1
        return -1

    def _record(self, node: int, kind: str, declaration: int) -> None:
        self._nodes.append(node)
        self._targets.append((kind, declaration))

    def within(self, first: int, stop: int) -> Region:
        """The writes of the nodes first … stop - 1."""
        region = Region()
        for position in range(bisect_left(self._nodes, first), bisect_left(self._nodes, stop)):
            kind, declaration = self._targets[position]
            if kind == "variable":
                region.variables.add(declaration)
            elif kind == "through":
                region.through.add(declaration)
            else:
                region.members.add(declaration)
        return region


def is_invariant(tree: Tree, node: int, region: Region) -> bool:
    """Whether an expression reads nothing that the region writes."""
    indirect = False
    for place in range(node, tree.end[node]):
        kind, declaration = tree.kind[place], tree.ref[place]
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
    place, stop = node, tree.end[node]
    while place < stop:
        kind = tree.kind[place]
        if kind == jump:
            return True
        if kind in LOOPS or (kind == Kind.SWITCH and jump == Kind.BREAK):
            place = tree.end[place]
        else:
            place += 1
    return False
