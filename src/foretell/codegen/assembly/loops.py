"""Finds the natural loops of a function (by dominators) and how often each block runs in a pass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from foretell.core.control_flow import natural_loops, reverse_postorder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from foretell.codegen.assembly.instruction import Instruction
    from foretell.codegen.assembly.listing import Function
    from foretell.core.control_flow import Loop


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

        A branch inside goes either way half of the time; never to a block that calls a function:
        compilers keep such calls out of line, for rare cases."""
        own = self.blocks.difference(*(loop.blocks for loop in self.inner))
        share = dict.fromkeys(own, 0.0)
        share[self.head] = 1.0
        for number in self._in_order(own):
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
            found += [block for block in exits if block in own and block != self.head and block not in found]
        blocks = self.function.blocks
        return [n for n in found if all(one.kind != "call" for one in blocks[n].instructions)] or found

    def _in_order(self, own: frozenset[int]) -> list[int]:
        """The loop's own blocks from its head on, each after those before it; back edges are left out."""
        return reverse_postorder({number: self._ahead(number, own) for number in own}, self.head)

    def exits(self) -> tuple[int, ...]:
        """Blocks right behind the loop."""
        found = [n for number in sorted(self.blocks) for n in self.function.blocks[number].successors]
        return tuple(dict.fromkeys(n for n in found if n not in self.blocks))

    def instructions(self) -> list[tuple[Instruction, float]]:
        """The instructions of a pass in their order, with the share of passes in which they run."""
        share = self.shares()
        return [
            (instruction, share[number])
            for number in self._in_order(frozenset(share))
            if share[number] > 0
            for instruction in self.function.blocks[number].instructions
        ]

    def path(self) -> list[Instruction]:
        """The instructions of one way through a pass: where it parts, the longer block."""
        blocks, own = self.function.blocks, self.blocks.difference(*(loop.blocks for loop in self.inner))
        number, found = self.head, list(blocks[self.head].instructions)
        while ahead := self._ahead(number, own):
            number = max(ahead, key=lambda ahead: len(blocks[ahead].instructions))
            found += blocks[number].instructions
        return found

    def walk(self) -> Iterator[AsmLoop]:
        """This loop and all inside it."""
        yield self
        for loop in self.inner:
            yield from loop.walk()


def find_loops(function: Function) -> tuple[AsmLoop, ...]:
    """The outermost loops, each with those inside."""
    loops = natural_loops({number: block.successors for number, block in enumerate(function.blocks)}, 0).loops

    def inside(parent: Loop[int] | None) -> tuple[AsmLoop, ...]:
        directly = sorted((loop for loop in loops if loop.parent is parent), key=lambda loop: loop.header)
        return tuple(AsmLoop(function, loop.header, frozenset(loop.blocks), inside(loop)) for loop in directly)

    return inside(None)
