"""Which executed blocks stand for a grid, and how much work there is in all."""

from __future__ import annotations

from bisect import bisect
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING

from foretell.characterize.functional import Execution, Runner, execute
from foretell.characterize.grid import weighted_blocks
from foretell.models.emulate.machine_code import executed

if TYPE_CHECKING:
    from foretell.core.warps import Warps

#: blocks inside the grid that are executed where they differ, where they differ in no order, and warp instructions that
#: may be spent on them
_MANY, _DISORDERLY, _SPENT = 36, 160, 1_500_000
#: blocks whose instructions differ by less do alike
_ALIKE = 0.02
#: blocks that stand for less of the grid do not make it unequal
_RARE = 0.01


@dataclass(frozen=True, slots=True, eq=False)
class Work:
    """`instructions` of the whole grid of `blocks` blocks, and `sectors` of global memory that it asks for; `numbers`
    are the executed blocks, `weights` how many blocks each stands for, `lengths` their instructions, `middle` the place
    of the one in the middle, `asked` its sectors."""

    blocks: int
    instructions: float
    sectors: float
    numbers: tuple[int, ...]
    weights: tuple[float, ...]
    lengths: tuple[int, ...]
    middle: int
    asked: int
    alike: bool

    @property
    def blocks_like_middle(self) -> float:
        """How many blocks like the middle one ask as much of memory as the grid."""
        if self.asked:
            return self.sectors / self.asked
        return self.instructions / max(1, self.lengths[self.middle])

    def order(self, mine: int, wanted: int) -> list[int]:
        """The first `wanted` of the `mine` blocks that one multiprocessor executes, as places among the executed ones.

        Where blocks differ, each is the executed one that stands for its part of the grid. A multiprocessor with a
        single block may have the longest, and the grid ends with it.
        """
        if self.alike:
            return [self.middle] * wanted
        if mine == 1:
            weighed = [place for place, weight in enumerate(self.weights) if weight > 0]
            return [max(weighed, key=lambda place: self.lengths[place])]
        ends = list(accumulate(self.weights))
        step = ends[-1] / mine
        targets = [(position * mine // wanted + 0.5) * step for position in range(wanted)]
        return [min(bisect(ends, target), len(ends) - 1) for target in targets]


@lru_cache(maxsize=8)
def sampled(facet: Warps) -> tuple[Execution, Work]:
    """A few blocks where those in the middle of the grid do alike, else as many as the budget allows."""
    launch = facet.launch
    few = executed(facet)
    inside = [few.middle, *(place for place in few.neighbours if place >= 0)]
    lengths = [few.block_instructions[place] for place in inside]
    ends = (few.block_instructions[0], few.block_instructions[-1])
    if max(*lengths, *ends) == min(*lengths, *ends):
        return few, _work(few, launch.blocks, {few.blocks[few.middle]: float(launch.blocks)}, alike=True)
    runner = Runner(facet.kernel, launch)
    spent = []

    @cache
    def length(block: int) -> int:
        spent.append(runner.run((block,)).block_instructions()[0])
        return spent[-1]

    many = max(1, _SPENT // max(few.block_instructions))
    weights = weighted_blocks(
        launch.grid, length, min(_MANY, many), min(_DISORDERLY, many), lambda: sum(spent) < _SPENT
    )
    blocks = tuple(sorted({*weights, *few.blocks}))
    found = execute(facet.kernel, launch, blocks)
    lengths_of = dict(zip(found.blocks, found.block_instructions, strict=True))
    common = [lengths_of[block] for block, weight in weights.items() if weight >= launch.blocks * _RARE]
    alike = bool(common) and max(common) <= min(common) * (1 + _ALIKE)
    return found, _work(found, launch.blocks, weights, alike=alike)


def _work(execution: Execution, blocks: int, weights: dict[int, float], *, alike: bool) -> Work:
    place = {block: position for position, block in enumerate(execution.blocks)}
    lengths, asked = execution.block_instructions, execution.block_requested
    return Work(
        blocks=blocks,
        instructions=sum(weight * lengths[place[block]] for block, weight in weights.items()),
        sectors=sum(weight * asked[place[block]] for block, weight in weights.items()),
        numbers=execution.blocks,
        weights=tuple(weights.get(block, 0.0) for block in execution.blocks),
        lengths=lengths,
        middle=execution.middle,
        asked=asked[execution.middle],
        alike=alike,
    )
