"""Finds the natural loops of a function (by dominators) and the execution frequency of each block per pass."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.core.control_flow import natural_loops, reverse_postorder
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from foretell.codegen.assembly.instruction import Instruction
    from foretell.codegen.assembly.listing import Function
    from foretell.core.control_flow import Loop


@record
class AsmLoop:
    """Natural loop: blocks that reach `head` again without leaving. `inner` are the loops directly inside."""

    function: Function
    head: int
    blocks: frozenset[int]
    inner: tuple[AsmLoop, ...] = ()

    @property
    def label(self) -> str:
        """Label of the loop head; the first instruction's line where there is none."""
        block = self.function.blocks[self.head]
        return block.label or f"line {block.instructions[0].line}"

    @property
    def origin(self) -> str:
        """IR block of the loop head, where known."""
        return self.function.blocks[self.head].origin

    def shares(self) -> dict[int, float]:
        """Executions per pass of each of its own blocks (not those of inner loops).

        A branch inside is taken half of the time; never to a block that calls a function: compilers keep such calls out
        of line, for rare cases.
        """
        own = self.blocks.difference(*(loop.blocks for loop in self.inner))
        share = dict.fromkeys(own, 0.0)
        share[self.head] = 1.0
        for number in self._in_order(own):
            ahead = self._ahead(number, own)
            for following in ahead:
                share[following] += share[number] / len(ahead)
        return share

    def _ahead(self, number: int, own: frozenset[int]) -> list[int]:
        """Successors of a block within the loop; an inner loop is skipped to its exits."""
        ahead: list[int] = []
        for following in self.function.blocks[number].successors:
            inside = next((loop for loop in self.inner if following in loop.blocks), None)
            exits = inside.exits() if inside else (following,)
            ahead += [block for block in exits if block in own and block != self.head and block not in ahead]
        blocks = self.function.blocks
        return [n for n in ahead if all(instruction.kind != "call" for instruction in blocks[n].instructions)] or ahead

    def _in_order(self, own: frozenset[int]) -> list[int]:
        """The loop's own blocks in topological order from its head; back edges are ignored."""
        return reverse_postorder({number: self._ahead(number, own) for number in own}, self.head)

    def exits(self) -> tuple[int, ...]:
        """Exit blocks: successors of the loop outside it."""
        blocks = [n for number in sorted(self.blocks) for n in self.function.blocks[number].successors]
        return tuple(dict.fromkeys(n for n in blocks if n not in self.blocks))

    def instructions(self) -> list[tuple[Instruction, float]]:
        """Instructions of a pass in order, with their executions per pass."""
        share = self.shares()
        return [
            (instruction, share[number])
            for number in self._in_order(frozenset(share))
            if share[number] > 0
            for instruction in self.function.blocks[number].instructions
        ]

    def path(self) -> list[Instruction]:
        """Instructions of one path through a pass: at a branch, the longer block."""
        blocks, own = self.function.blocks, self.blocks.difference(*(loop.blocks for loop in self.inner))
        number, instructions = self.head, list(blocks[self.head].instructions)
        while ahead := self._ahead(number, own):
            number = max(ahead, key=lambda ahead: len(blocks[ahead].instructions))
            instructions += blocks[number].instructions
        return instructions

    def walk(self) -> Iterator[AsmLoop]:
        """Iterates over this loop and all inside it."""
        yield self
        for loop in self.inner:
            yield from loop.walk()


def find_loops(function: Function) -> tuple[AsmLoop, ...]:
    """Outermost loops of a function, each with its inner loops."""
    loops = natural_loops({number: block.successors for number, block in enumerate(function.blocks)}, 0).loops

    def inside(parent: Loop[int] | None) -> tuple[AsmLoop, ...]:
        directly = sorted((loop for loop in loops if loop.parent is parent), key=lambda loop: loop.header)
        return tuple(AsmLoop(function, loop.header, frozenset(loop.blocks), inside(loop)) for loop in directly)

    return inside(None)
