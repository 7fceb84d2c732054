"""Computes block order, dominators and natural loops of a control-flow graph given as successors of every block."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping

Node = TypeVar("Node", bound="Hashable")


@dataclass(slots=True)
class Loop(Generic[Node]):
    """A natural loop. `index` is its position among the loops of its graph, outer ones first."""

    header: Node
    blocks: set[Node]
    latches: list[Node]
    parent: Loop[Node] | None = None
    index: int = 0

    @property
    def chain(self) -> list[Loop[Node]]:
        """Returns this loop and its parents, from the inside out."""
        return [self, *self.parent.chain] if self.parent else [self]


@dataclass(slots=True)
class LoopForest(Generic[Node]):
    """All natural loops of a graph; `irreducible` if some cycle has two entries, and hence is not a natural loop."""

    loops: list[Loop[Node]] = field(default_factory=list)
    innermost: dict[Node, Loop[Node]] = field(default_factory=dict)
    irreducible: bool = False


def reverse_postorder(successors: Mapping[Node, Iterable[Node]], entry: Node) -> list[Node]:
    """Orders the reachable blocks so that each precedes its successors, except along back edges."""
    seen, order = {entry}, []
    stack = [(entry, iter(successors[entry]))]
    while stack:
        block, targets = stack[-1]
        target = next((following for following in targets if following not in seen), None)
        if target is None:
            order.append(block)
            stack.pop()
        else:
            seen.add(target)
            stack.append((target, iter(successors[target])))
    return order[::-1]


def predecessors(successors: Mapping[Node, Iterable[Node]]) -> dict[Node, list[Node]]:
    """Returns the predecessors of every block, each once."""
    before: dict[Node, list[Node]] = {block: [] for block in successors}
    for block, targets in successors.items():
        for target in dict.fromkeys(targets):
            before[target].append(block)
    return before


def natural_loops(successors: Mapping[Node, Iterable[Node]], entry: Node) -> LoopForest[Node]:
    """Finds natural loops by header: all back edges to one dominating block form one loop."""
    order = reverse_postorder(successors, entry)
    position = {block: number for number, block in enumerate(order)}
    before = predecessors(successors)
    dominators = _immediate_dominators(order, position, before)
    forest: LoopForest[Node] = LoopForest()
    latches: dict[Node, list[Node]] = {}
    for block in order:
        for target in dict.fromkeys(successors[block]):
            if _dominates(target, block, dominators):
                latches.setdefault(target, []).append(block)
            elif position[target] <= position[block]:
                forest.irreducible = True
    for index, header in enumerate(sorted(latches, key=position.__getitem__)):
        body = _body(header, latches[header], before)
        forest.loops.append(Loop(header, body, latches[header], index=index))
    for loop in forest.loops:
        around = [outer for outer in forest.loops if outer is not loop and loop.header in outer.blocks]
        loop.parent = min(around, key=lambda outer: len(outer.blocks), default=None)
    for loop in sorted(forest.loops, key=lambda loop: -len(loop.blocks)):
        forest.innermost.update(dict.fromkeys(loop.blocks, loop))
    return forest


def _immediate_dominators(
    order: list[Node], position: Mapping[Node, int], before: Mapping[Node, list[Node]]
) -> dict[Node, Node]:
    """Computes the immediate dominator of every block, by iteration in reverse post-order (Cooper, Harvey, Kennedy)."""
    above = {order[0]: order[0]}
    changed = True
    while changed:
        changed = False
        for block in order[1:]:
            first, *others = (previous for previous in before[block] if previous in above)
            for other in others:
                first = _common(first, other, above, position)
            changed |= above.get(block) != first
            above[block] = first
    return above


def _common(first: Node, second: Node, above: Mapping[Node, Node], position: Mapping[Node, int]) -> Node:
    while first != second:
        while position[first] > position[second]:
            first = above[first]
        while position[second] > position[first]:
            second = above[second]
    return first


def _dominates(first: Node, second: Node, above: Mapping[Node, Node]) -> bool:
    while second != first and above[second] != second:
        second = above[second]
    return first == second


def _body(header: Node, latches: list[Node], before: Mapping[Node, list[Node]]) -> set[Node]:
    body, stack = {header}, list(latches)
    while stack:
        block = stack.pop()
        if block not in body:
            body.add(block)
            stack += before[block]
    return body
