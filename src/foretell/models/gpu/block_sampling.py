"""Samples the blocks that represent a grid, and estimates its total work."""

from __future__ import annotations

from bisect import bisect
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING

from foretell.characterize.gpu.functional import Execution, Runner, execute
from foretell.characterize.gpu.grid import spread_blocks, thinned, weighted_blocks
from foretell.models.saake.machine_code import executed

if TYPE_CHECKING:
    from foretell.core.gpu.warps import Warps

#: blocks sampled over the grid to test whether all are alike, and their budget of warp instructions
_PROBED, _PROBING = 20, 100_000
#: blocks sampled inside the grid if they differ, and their budget of warp instructions
_MANY, _SPENT = 36, 1_500_000
#: the same if they differ irregularly (a thousand: the sum is off by 1 % or less, w_uneven_blocks and mandelbrot)
_COUNTED, _COUNTING = 1000, 4_000_000
#: the same if they execute the same instructions, but request more or fewer sectors
_DRIFTING, _DRIFTED = 320, 400_000
#: maximum number of blocks for the timing core
_RECORDED = 160
#: blocks whose instruction counts differ by less are alike
_ALIKE = 0.02
#: blocks that represent a smaller fraction of the grid do not make it uneven
_RARE = 0.01


@dataclass(frozen=True, slots=True, eq=False)
class Work:
    """`instructions` of the whole grid of `blocks` blocks, and the `sectors` of global memory that it requests;
    `numbers` are the sampled blocks, `weights` the number of blocks that each represents, `lengths` their instructions,
    `middle` the index of the middle one, `asked` its sectors."""

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
        """Number of copies of the middle block that request as many sectors as the grid."""
        if self.asked:
            return self.sectors / self.asked
        return self.instructions / max(1, self.lengths[self.middle])

    def order(self, mine: int, wanted: int) -> list[int]:
        """The first `wanted` of the `mine` blocks that one multiprocessor executes, as indices among the sampled ones.

        Where blocks differ, each is the sampled one that represents its part of the grid. A multiprocessor with a
        single block may have the longest, with which the grid ends.
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


class _Counter:
    """Instructions of single blocks, and sectors that they request; each block is executed at most once."""

    def __init__(self, facet: Warps, few: Execution) -> None:
        self._grid = facet.launch.grid
        self._runner = Runner(facet.kernel, facet.launch)
        self._known = dict(zip(few.blocks, zip(few.block_instructions, few.block_requested, strict=True), strict=True))
        self._longest = max(few.block_instructions)
        self.spent = 0
        wanted = spread_blocks(self._grid, min(_PROBED, 1 + _PROBING // self._longest))
        for block in wanted:
            self.of(block)

    def of(self, block: int) -> tuple[int, int]:
        """Instructions, sectors."""
        if block not in self._known:
            one = self._runner.run((block,))
            self._known[block] = one.block_instructions()[0], one.block_requested()[0]
            self.spent += self._known[block][0]
        return self._known[block]

    def alike(self, which: int) -> bool:
        """Whether all blocks that were executed so far have the same count."""
        return len({counts[which] for counts in self._known.values()}) == 1

    def weights(self, which: int) -> dict[int, float]:
        """Blocks that represent the grid, with weights: enough to estimate the sum of one of the two counts. If all
        execute the same instructions, their sectors vary with the alignment of addresses: irregularly."""
        start = self.spent
        many = max(1, _SPENT // self._longest)
        drifting = which == 1 and self.alike(0)
        most, budget = (_DRIFTING, _DRIFTED) if drifting else (_COUNTED, _COUNTING)
        return weighted_blocks(
            self._grid,
            lambda block: self.of(block)[which],
            min(_MANY, many),
            most,
            lambda: self.spent - start < _SPENT,
            lambda: self.spent - start < budget,
            ordered=not drifting,
        )

    def sum(self, which: int, weights: dict[int, float]) -> float:
        """Weighted sum over the grid."""
        return sum(weight * self.of(block)[which] for block, weight in weights.items())


@lru_cache(maxsize=8)
def sampled(facet: Warps) -> tuple[Execution, Work]:
    """Samples a few blocks if all are alike, else as many as the budget allows."""
    launch = facet.launch
    few = executed(facet)
    counter = _Counter(facet, few)
    middle = few.blocks[few.middle]
    whole = {middle: float(launch.blocks)}
    if counter.alike(0):
        weights, execution, alike = whole, few, True
    else:
        found = counter.weights(0)
        weights = thinned(found, _RECORDED) if len(found) > _RECORDED else found
        execution = execute(facet.kernel, launch, tuple(sorted({*weights, *few.blocks})))
        common = [counter.of(block)[0] for block, weight in weights.items() if weight >= launch.blocks * _RARE]
        alike = bool(common) and max(common) <= min(common) * (1 + _ALIKE)
        whole = found
    sectors = whole if counter.alike(1) else counter.weights(1)
    return execution, _work(
        execution, launch.blocks, weights, counter.sum(0, whole), counter.sum(1, sectors), alike=alike
    )


def _work(
    execution: Execution, blocks: int, weights: dict[int, float], instructions: float, sectors: float, *, alike: bool
) -> Work:
    return Work(
        blocks=blocks,
        instructions=instructions,
        sectors=sectors,
        numbers=execution.blocks,
        weights=tuple(weights.get(block, 0.0) for block in execution.blocks),
        lengths=execution.block_instructions,
        middle=execution.middle,
        asked=execution.block_requested[execution.middle],
        alike=alike,
    )
