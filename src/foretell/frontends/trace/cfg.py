"""The control-flow graph of one function: its blocks in order, and its natural loops."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from foretell.core import control_flow
from foretell.core.control_flow import natural_loops, predecessors, reverse_postorder
from foretell.errors import UnsupportedError

if TYPE_CHECKING:
    from foretell.core.llvm.module import Block, Function

Loop = control_flow.Loop[str]


@dataclass(slots=True)
class Flow:
    """The control-flow graph of one function, without unreachable blocks."""

    blocks: dict[str, Block]
    predecessors: dict[str, list[str]]
    loops: list[Loop]
    innermost: dict[str, Loop]

    def loop_of(self, label: str) -> Loop | None:
        """The innermost loop that contains a block."""
        return self.innermost.get(label)


def flow(function: Function) -> Flow:
    """Predecessors and loops of a function."""
    blocks = {block.label: block for block in function.blocks}
    entry = function.blocks[0].label
    order = reverse_postorder({label: block.terminator.labels for label, block in blocks.items()}, entry)
    successors = {label: blocks[label].terminator.labels for label in order}
    forest = natural_loops(successors, entry)
    if forest.irreducible:
        raise UnsupportedError(
            f"{function.name}: a loop has two entries (goto into a loop); its iterations cannot be told apart"
        )
    reached = {label: blocks[label] for label in order}
    return Flow(reached, predecessors(successors), forest.loops, forest.innermost)
