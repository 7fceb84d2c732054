"""Blocks in order, dominators and natural loops of a function."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from foretell.errors import UnsupportedError

if TYPE_CHECKING:
    from foretell.frontends.trace.llvm import Block, Function


@dataclass(slots=True)
class Loop:
    """A natural loop. `index` is its place among the loops of its function, outer ones first."""

    header: str
    blocks: set[str]
    latches: list[str]
    parent: Loop | None = None
    index: int = 0

    @property
    def chain(self) -> list[Loop]:
        """This loop and those around it, from the inside out."""
        return [self, *self.parent.chain] if self.parent else [self]

    @property
    def depth(self) -> int:
        """1 for an outermost loop."""
        return len(self.chain)


@dataclass(slots=True)
class Flow:
    """Control flow of one function; blocks that cannot be reached are left out."""

    blocks: dict[str, Block]
    predecessors: dict[str, list[str]]
    loops: list[Loop] = field(default_factory=list)
    innermost: dict[str, Loop] = field(default_factory=dict)

    def loop_of(self, label: str) -> Loop | None:
        """The innermost loop that holds a block."""
        return self.innermost.get(label)


def flow(function: Function) -> Flow:
    """Predecessors and loops of a function."""
    blocks = {block.label: block for block in function.blocks}
    order = _post_order(blocks, function.blocks[0].label)
    reached = {label: blocks[label] for label in reversed(order)}
    predecessors: dict[str, list[str]] = {label: [] for label in reached}
    for label, block in reached.items():
        for target in dict.fromkeys(block.terminator.labels):
            predecessors[target].append(label)
    found = Flow(reached, predecessors)
    dominators = _dominators(list(reached), predecessors)
    _find_loops(found, dominators, function.name)
    return found


def _post_order(blocks: dict[str, Block], entry: str) -> list[str]:
    order: list[str] = []
    seen = {entry}
    stack = [(entry, iter(blocks[entry].terminator.labels))]
    while stack:
        label, targets = stack[-1]
        for target in targets:
            if target not in seen:
                seen.add(target)
                stack.append((target, iter(blocks[target].terminator.labels)))
                break
        else:
            order.append(label)
            stack.pop()
    return order


def _dominators(order: list[str], predecessors: dict[str, list[str]]) -> dict[str, str]:
    """The immediate dominator of every block, by iteration in reverse post-order (Cooper, Harvey, Kennedy)."""
    place = {label: number for number, label in enumerate(order)}
    above = {order[0]: order[0]}
    changed = True
    while changed:
        changed = False
        for label in order[1:]:
            known = [one for one in predecessors[label] if one in above]
            best = known[0]
            for one in known[1:]:
                best = _common(best, one, above, place)
            if above.get(label) != best:
                above[label] = best
                changed = True
    return above


def _common(first: str, second: str, above: dict[str, str], place: dict[str, int]) -> str:
    while first != second:
        while place[first] > place[second]:
            first = above[first]
        while place[second] > place[first]:
            second = above[second]
    return first


def _dominates(first: str, second: str, above: dict[str, str]) -> bool:
    while second != first and above[second] != second:
        second = above[second]
    return first == second


def _find_loops(found: Flow, above: dict[str, str], name: str) -> None:
    latches: dict[str, list[str]] = {}
    place = {label: number for number, label in enumerate(found.blocks)}
    for label, block in found.blocks.items():
        for target in dict.fromkeys(block.terminator.labels):
            if _dominates(target, label, above):
                latches.setdefault(target, []).append(label)
            elif place[target] <= place[label]:
                raise UnsupportedError(
                    f"{name}: a loop has two entries (goto into a loop); its iterations cannot be told apart"
                )
    for header in sorted(latches, key=place.__getitem__):
        found.loops.append(Loop(header, _body(header, latches[header], found.predecessors), latches[header]))
    for index, loop in enumerate(found.loops):
        loop.index = index
        around = [one for one in found.loops if one is not loop and loop.header in one.blocks]
        loop.parent = min(around, key=lambda one: len(one.blocks), default=None)
    for loop in sorted(found.loops, key=lambda one: -len(one.blocks)):
        found.innermost.update(dict.fromkeys(loop.blocks, loop))


def _body(header: str, latches: list[str], predecessors: dict[str, list[str]]) -> set[str]:
    body = {header}
    stack = [label for label in latches if label != header]
    while stack:
        label = stack.pop()
        if label not in body:
            body.add(label)
            stack.extend(predecessors[label])
    return body
