"""Loops of a function, from its control flow: natural loops by dominators, and how often each block runs in a pass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from foretell.codegen.assembly.instruction import Instruction
    from foretell.codegen.assembly.listing import Block, Function


@dataclass(frozen=True)
class AsmLoop:
    """A natural loop: blocks that reach `head` again without leaving. `inner` are the loops directly inside."""

    function: Function
    head: int
    blocks: frozenset[int]
    inner: tuple[AsmLoop, ...] = ()

    @property
    def label(self) -> str:
        """The label of its head; the first instruction's line where there is none."""
        block = self.function.blocks[self.head]
        return block.label or f"line {block.instructions[0].line}"

    @property
    def origin(self) -> str:
        """The IR block of its head, where known."""
        return self.function.blocks[self.head].origin

    def shares(self) -> dict[int, float]:
        """How often each of its own blocks (not those of inner loops) runs in one pass.

        A branch inside goes either way half of the time; never to a block that only calls for help: compilers keep
        such calls out of line for what does not happen."""
        own = self.blocks.difference(*(loop.blocks for loop in self.inner))
        share = dict.fromkeys(own, 0.0)
        share[self.head] = 1.0
        for number in _topological(self, own):
            ahead = self._ahead(number, own)
            for following in ahead:
                share[following] += share[number] / len(ahead)
        return share

    def _ahead(self, number: int, own: frozenset[int]) -> list[int]:
        """Where a pass goes on within the loop; past an inner loop it goes on where that ends."""
        found: list[int] = []
        for following in self.function.blocks[number].successors:
            inside = next((loop for loop in self.inner if following in loop.blocks), None)
            exits = inside.exits() if inside else (following,)
            found += [place for place in exits if place in own and place != self.head and place not in found]
        likely = [place for place in found if not _calls(self.function.blocks[place])]
        return likely or found

    def exits(self) -> tuple[int, ...]:
        """Blocks right behind the loop."""
        found = [n for number in sorted(self.blocks) for n in self.function.blocks[number].successors]
        return tuple(dict.fromkeys(n for n in found if n not in self.blocks))

    def instructions(self) -> list[tuple[Instruction, float]]:
        """The instructions of a pass in their order, with the share of passes in which they run."""
        share = self.shares()
        order = [
            self.head,
            *(number for number in _topological(self, frozenset(share)) if number != self.head),
        ]
        return [
            (instruction, share[number])
            for number in order
            if share[number] > 0
            for instruction in self.function.blocks[number].instructions
        ]

    def path(self) -> list[Instruction]:
        """The instructions of one way through a pass: where it parts, the longer block."""
        blocks, own = self.function.blocks, self.blocks.difference(*(loop.blocks for loop in self.inner))
        number, found = self.head, list(blocks[self.head].instructions)
        while ahead := self._ahead(number, own):
            number = max(ahead, key=lambda place: len(blocks[place].instructions))
            found += blocks[number].instructions
        return found

    def walk(self) -> Iterator[AsmLoop]:
        """This loop and all inside it."""
        yield self
        for loop in self.inner:
            yield from loop.walk()


def find_loops(function: Function) -> tuple[AsmLoop, ...]:
    """The outermost loops, each with those inside."""
    bodies = _bodies(function.blocks)
    order = sorted(bodies, key=lambda head: len(bodies[head]))
    made: dict[int, AsmLoop] = {}
    taken: set[int] = set()
    for head in order:
        inner = [other for other in made if other not in taken and other in bodies[head] and other != head]
        taken.update(inner)
        made[head] = AsmLoop(
            function, head, frozenset(bodies[head]), tuple(made[other] for other in sorted(inner))
        )
    return tuple(made[head] for head in sorted(made) if head not in taken)


def _calls(block: Block) -> bool:
    return any(instruction.kind == "call" for instruction in block.instructions)


def _bodies(blocks: Sequence[Block]) -> dict[int, set[int]]:
    """The blocks of every natural loop by its head; back edges to one head make one loop."""
    dominators = _dominators(blocks)
    before: list[list[int]] = [[] for _ in blocks]
    for number, block in enumerate(blocks):
        for following in block.successors:
            before[following].append(number)
    bodies: dict[int, set[int]] = {}
    for number, block in enumerate(blocks):
        for head in block.successors:
            if head not in dominators.get(number, ()):
                continue
            body = bodies.setdefault(head, {head})
            todo = [number]
            while todo:
                one = todo.pop()
                if one not in body:
                    body.add(one)
                    todo += before[one]
    return bodies


def _dominators(blocks: Sequence[Block]) -> dict[int, set[int]]:
    """For every block that can be reached, those that every way to it passes."""
    order = _reverse_postorder(blocks)
    before: dict[int, list[int]] = {number: [] for number in order}
    for number in order:
        for following in blocks[number].successors:
            before[following].append(number)
    found = {number: set(order) for number in order}
    found[order[0]] = {order[0]}
    changed = True
    while changed:
        changed = False
        for number in order[1:]:
            new = set.intersection(*(found[one] for one in before[number])) | {number}
            changed |= new != found[number]
            found[number] = new
    return found


def _reverse_postorder(blocks: Sequence[Block]) -> list[int]:
    seen, order = {0}, []
    stack = [(0, iter(blocks[0].successors))]
    while stack:
        number, following = stack[-1]
        step = next((one for one in following if one not in seen), None)
        if step is None:
            order.append(number)
            stack.pop()
        else:
            seen.add(step)
            stack.append((step, iter(blocks[step].successors)))
    return order[::-1]


def _topological(loop: AsmLoop, own: frozenset[int]) -> list[int]:
    """The loop's own blocks so that every block comes after those before it, back edges left out."""
    order: list[int] = []
    seen: set[int] = set()

    def visit(number: int) -> None:
        seen.add(number)
        for following in loop._ahead(number, own):
            if following not in seen:
                visit(following)
        order.append(number)

    visit(loop.head)
    return order[::-1]
