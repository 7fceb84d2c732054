"""Samples the blocks that represent a grid, and estimates its total work and that of each block."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from statistics import median
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from foretell import limits
from foretell.characterize.gpu.contents import unusual_blocks
from foretell.characterize.gpu.functional import BUDGET, EXTENT, Execution, Runner, execute
from foretell.characterize.gpu.grid import (
    error_of_sum,
    inner_corners,
    interpolated,
    is_inside,
    representatives,
    scattered_order,
    spread_blocks,
    thinned,
    weighted_blocks,
)
from foretell.characterize.gpu.memory import neighbours_alike
from foretell.core.gpu.recent import remembered
from foretell.models.gpu.ordinary_numbers import resolved
from foretell.models.saake.machine_code import addressed_by_data

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from foretell.core.gpu.warps import Warps
    from foretell.models.gpu.ordinary_numbers import Resolved

#: whether a launch is sampled for a single prediction, or for one of many configurations: within 2 % of that
Precision: TypeAlias = Literal["full", "quick"]


@dataclass(frozen=True, slots=True)
class Budgets:
    """How many blocks are sampled, and warp instructions executed for them, to answer each question.

    Probes test whether all blocks are alike. If they differ, `many` blocks inside the grid are sampled; up to
    `counted` if they differ irregularly (a thousand: the sum is off by 1 % or less, w_uneven_blocks and mandelbrot);
    up to `drifting`, and of each edge about `edge`, if they execute the same instructions, but request more or fewer
    sectors, until the standard error of the sum is the fraction `settled` of it. All blocks are scanned within
    `scanned` if those sampled so far differ; if not, within `scanned_alike` with contents of arrays that may steer
    others, `scanned_blind` without. The timing core gets `recorded` blocks. Of those that are looked at first, as
    many are executed as `first` allows, at least the middle one and its neighbours.
    """

    probed: int
    probing: int
    many: int
    spent: int
    counted: int
    counting: int
    drifting: int
    edge: float | None
    drifted: int
    scanned: int
    scanned_alike: int
    scanned_blind: int
    recorded: int
    traced: int
    first: int
    settled: float


_BUDGETS: dict[Precision, Budgets] = {
    "full": Budgets(
        probed=20, probing=100_000, many=36, spent=1_500_000, counted=1000, counting=4_000_000, drifting=320,
        edge=None, drifted=400_000, scanned=1_500_000, scanned_alike=400_000, scanned_blind=250_000, recorded=160,
        traced=1_500_000, first=BUDGET, settled=0.0,
    ),
    "quick": Budgets(
        probed=10, probing=20_000, many=36, spent=500_000, counted=150, counting=200_000, drifting=96,
        edge=1, drifted=120_000, scanned=100_000, scanned_alike=40_000, scanned_blind=25_000, recorded=64,
        traced=500_000, first=200_000, settled=0.002,
    ),
}  # fmt: skip
#: a scan ends a block after this many times the median length, and counts those that it ended again, up to this many
#: times as far
_CUT, _FURTHER = 4, 16
#: blocks executed where addresses follow from data
_GATHERED = 40
#: blocks whose instruction counts differ by less are alike
_ALIKE = 0.02
#: a smaller fraction of the grid does not make it uneven, unless it has blocks longer than this many times the others
_RARE, _LONG = 0.01, 2.0
#: maximum number of blocks that are scheduled one by one
_SCHEDULED = 1 << 18
#: the golden ratio's fraction: steps of a quasi-random sequence
_GOLDEN = 0.6180339887498949


@dataclass(frozen=True, slots=True, eq=False)
class Work:
    """`instructions` of the whole grid of `blocks` blocks, and the `sectors` of global memory that it requests;
    `numbers` are the sampled blocks, `weights` the number of blocks that each represents, `lengths` their
    instructions, `longest` those of their longest warps, `middle` the index of the middle one, `typical` those of
    blocks that execute as much as it, but ask for other addresses that follow from data, in the order of the grid,
    `asked` the sectors of the middle one, or the mean where blocks are not `alike`. `counts` are the instructions
    of each block of the grid and of its longest warp [2][block], as far as sampled: None where blocks are alike or
    too many. `scattered`: samples are in no order of the grid. `error` is the standard error of `instructions`,
    relative."""

    grid: tuple[int, int, int]
    blocks: int
    instructions: float
    sectors: float
    numbers: tuple[int, ...]
    weights: tuple[float, ...]
    lengths: tuple[int, ...]
    longest: tuple[int, ...]
    middle: int
    typical: tuple[int, ...]
    asked: float
    alike: bool
    counts: NDArray[np.float64] | None
    scattered: bool
    error: float

    @property
    def blocks_like_middle(self) -> float:
        """Number of copies of the middle block that request as many sectors as the grid."""
        if self.asked:
            return self.sectors / self.asked
        return self.instructions / max(1, self.lengths[self.middle])

    @property
    def longest_block(self) -> int:
        """Index of the block with the longest warp among the sampled ones."""
        weighed = [place for place, weight in enumerate(self.weights) if weight > 0]
        return max(weighed, key=lambda place: (self.longest[place], self.lengths[place]))

    def order(self, mine: int, wanted: int, turns_of: NDArray[np.intp] | None) -> tuple[list[int], float]:
        """The first `wanted` of the `mine` blocks that one multiprocessor executes, as indices among the sampled ones,
        and the mean work of the blocks that they represent relative to theirs.

        Where blocks differ, each is the sampled one that represents its part of the grid. Of those that all start at
        once, `turns_of` says which multiprocessor each goes to: the one with most work is taken. Others go to whichever
        has room: one of every stretch of as many consecutive blocks, at a quasi-random position. A multiprocessor with
        a single block may have the longest, with which the grid ends.
        """
        if self.alike:
            order = [self.typical[turn * len(self.typical) // wanted] for turn in range(wanted)]
            if wanted < len(self.typical):
                order[wanted // 2] = self.middle
            return order, self.instructions / self.blocks / self.lengths[self.middle]
        if mine == 1:
            return [self.longest_block], 1.0
        turns = np.arange(wanted)
        blocks = ((turns + (0.5 + turns * _GOLDEN) % 1.0) * (self.blocks / wanted)).astype(np.int64)
        work = self.instructions / self.blocks
        if wanted == mine and self.counts is not None and turns_of is not None:
            blocks = self._busiest(turns_of)
            work = float(self.counts[0, blocks].mean())
        order = [int(place) for place in self._represented(blocks)]
        return order, work * len(order) / sum(self.lengths[place] for place in order)

    def _busiest(self, turn: NDArray[np.intp]) -> NDArray[np.int64]:
        """The blocks of the multiprocessor with most work, if all start at once."""
        assert self.counts is not None
        return np.flatnonzero(turn == np.argmax(np.bincount(turn, self.counts[0])))

    def _represented(self, blocks: NDArray[np.int64]) -> NDArray[np.intp]:
        """Indices of the sampled blocks that represent these blocks of the grid."""
        weighed = np.flatnonzero(self.weights)
        if self.scattered:
            return weighed[_in_order(np.array(self.weights)[weighed], self.blocks, blocks)]
        return weighed[representatives(self.grid, [self.numbers[place] for place in weighed], blocks)]


@dataclass(frozen=True, slots=True)
class _Count:
    """Instructions of a block, requested sectors, instructions of its longest warp."""

    instructions: int
    sectors: int
    longest: int


class _Counter:
    """Work of single blocks; each is executed at most once in full."""

    def __init__(self, facet: Warps, few: Execution, budgets: Budgets) -> None:
        self._budgets = budgets
        self._grid = facet.launch.grid
        self._blocks, self._warps = facet.launch.blocks, facet.launch.warps
        self._contents = any(pointer.contents for pointer in facet.launch.pointers)
        self._runner = Runner(facet.kernel, facet.launch)
        rows = zip(few.block_instructions, few.block_requested, few.record.longest_warps(), strict=True)
        self._known = {block: _Count(*row) for block, row in zip(few.blocks, rows, strict=True)}
        self._longest = max(few.block_instructions)
        self.spent = 0
        self._executed: list[int] = []
        self._count(
            spread_blocks(self._grid, min(budgets.probed, 1 + budgets.probing // self._longest)),
            limits.share(EXTENT),
            limits.share(BUDGET),
        )
        self._unusual = self._longer(unusual_blocks(facet.launch)) if self._contents else []
        self._middle, self._few = few.blocks[few.middle], few

    def _longer(self, some: list[int]) -> list[int]:
        """Those of some blocks that are far longer than the others; counted as far as a scan may go, or as tells
        this."""
        usual = median(count.longest for count in self._known.values())
        ended = self._count(some, max(self._cut(), self._budgets.scanned), limits.share(BUDGET))
        return [block for block in some if block in ended or self.of(block).longest > _LONG * usual]

    def _cut(self) -> int:
        """Instructions that a far longer block has more of than usual ones."""
        return int(_CUT * median(count.instructions for count in self._known.values())) + 1

    def apart(self, weights: dict[int, float]) -> dict[int, float]:
        """The same weights, but unusual blocks represent only themselves. Where other long blocks took the budget,
        those that are not counted yet remain among what these represent."""
        afforded = self.spent <= self._budgets.counting
        unusual = [block for block in self._unusual if afforded or block in self._known]
        others = {block: weight for block, weight in weights.items() if block not in unusual}
        if not unusual or not others:
            return weights
        scale = (self._blocks - len(unusual)) / sum(others.values())
        apart = {block: weight * scale for block, weight in others.items()} | dict.fromkeys(unusual, 1.0)
        return dict(sorted(apart.items()))

    def _count(self, blocks: list[int], most: int, enough: int) -> list[int]:
        """Counts blocks up to `most` instructions, as many as `enough` allows; returns those that were ended early."""
        ended = []
        for item in self._runner.count([block for block in blocks if block not in self._known], most, enough):
            self.spent += item.instructions
            self._executed.append(item.executed)
            if item.complete:
                self._known[item.number] = _Count(item.instructions, item.requested, item.longest_warp)
            else:
                ended.append(item.number)
        return ended

    def of(self, block: int) -> _Count:
        inside = block not in self._known and is_inside(self._grid, block) and self._inside_alike
        return self._counted(self._middle if inside else block)

    def _counted(self, block: int) -> _Count:
        if block not in self._known:
            self._count([block], limits.share(EXTENT), limits.share(BUDGET))
        return self._known[block]

    @cached_property
    def _inside_alike(self) -> bool:
        """Whether all blocks inside the grid do as much: where no data steer them, the requests of the blocks beside
        the middle one are its own, whole sectors further on, and those at the far ends do as much."""
        if self._contents or not neighbours_alike(self._few, self._grid):
            return False
        return len({self._counted(block) for block in (self._middle, *inner_corners(self._grid))}) == 1

    def instructions(self, block: int) -> float:
        return self.of(block).instructions

    def sectors(self, block: int) -> float:
        return self.of(block).sectors

    @property
    def alike(self) -> bool:
        """Whether all blocks that were executed so far have the same number of instructions, and none is unusual."""
        return not self._unusual and len({count.instructions for count in self._known.values()}) == 1

    @property
    def request_alike(self) -> bool:
        """Whether all blocks that were executed so far request the same number of sectors."""
        return len({count.sectors for count in self._known.values()}) == 1

    def scan(self) -> dict[int, float] | None:
        """Counts all blocks, with the number of blocks that each represents, or where that is too much some of them in
        a scattered order; None if sampling along the axes of the grid is better.

        Rare long blocks would take most of the time: a scan ends them, and of those that it ended it counts as many in
        full as the budget allows.
        """
        limits = self._budgets
        budget = limits.scanned
        if self.alike:
            budget = limits.scanned_alike if self._contents else limits.scanned_blind
        usual = median(count.instructions for count in self._known.values())
        if not self._contents and median(self._executed or [usual]) * self._blocks > budget:
            return None
        order = self._in_scattered_order(budget)
        pending = [block for block in order if block not in self._unusual] or order  # these represent only themselves
        of, share = self._blocks, 1.0  # blocks that those counted represent
        weights: dict[int, float] = {}
        most = self._cut()
        while pending:
            before = len(self._known)
            known = [block for block in pending if block in self._known]
            fresh = [block for block in pending if block not in self._known]
            ended = self._count(fresh, most, budget)
            done = [block for block in fresh if block in self._known]
            counted = len(known) + len(done) + len(ended)
            share *= of / counted
            of = len(ended)
            weights |= dict.fromkeys([*known, *done], share)
            pending = ended
            most = EXTENT if of == 1 or most > EXTENT // _FURTHER else most * _FURTHER  # one is counted in any case
            if len(self._known) == before and most == EXTENT and not done:
                break
        scale = self._blocks / sum(weights.values())
        return {block: weight * scale for block, weight in sorted(weights.items())}

    def _in_scattered_order(self, budget: int) -> list[int]:
        """As many blocks of the grid as a budget may pay for, each warp of which executes an instruction or more, and
        those known."""
        most = min(_SCHEDULED, budget // self._warps + 2)
        order = scattered_order(self._blocks, most)
        if most >= self._blocks or self._blocks > _SCHEDULED:
            return order
        first = set(order)
        return [*order, *(block for block in self._known if block not in first)]

    def sampled(self) -> dict[int, float]:
        """Blocks that represent the grid, with weights, to estimate its instructions."""
        start, limits = self.spent, self._budgets
        return weighted_blocks(
            self._grid,
            self.instructions,
            min(limits.many, max(1, limits.spent // self._longest)),
            limits.counted,
            lambda: self.spent - start < limits.spent,
            lambda: self.spent - start < limits.counting,
        )

    def sampled_for_sectors(self) -> dict[int, float]:
        """The same to estimate its sectors. If all blocks execute the same instructions, sectors vary with the
        alignment of addresses: irregularly."""
        start, limits = self.spent, self._budgets
        most, budget = (limits.drifting, limits.drifted) if self.alike else (limits.counted, limits.counting)
        return weighted_blocks(
            self._grid,
            self.sectors,
            min(limits.many, max(1, limits.spent // self._longest)),
            most,
            lambda: self.spent - start < limits.spent,
            lambda: self.spent - start < budget,
            ordered=not self.alike,
            settled=limits.settled,
            edge=limits.edge if self.alike else None,
        )


@remembered(8)
def sampled(facet: Warps, precision: Precision = "full") -> tuple[Execution, Work]:
    """Samples a few blocks if all are alike, else as many as the budget allows."""
    budgets = _BUDGETS[precision]
    facet, few, *_ = resolved(facet, budgets.first)
    launch = facet.launch
    counter = _Counter(facet, few, budgets)
    scanned = counter.scan()
    middle = few.blocks[few.middle]
    weights = whole = {middle: float(launch.blocks)}
    execution, alike = few, True
    gathers = bool(addressed_by_data(facet, budgets.first))
    if not counter.alike:
        whole = counter.apart(scanned or counter.sampled())
        lengths = {block: counter.of(block).instructions for block in whole}
        alike = _alike(np.array(list(lengths.values()), float), np.array(list(whole.values())))
        weights = _recorded(whole, {block: counter.of(block) for block in whole}, budgets)
        execution = execute(facet.kernel, launch, tuple(sorted({*weights, *few.blocks})))
    elif gathers:
        execution = _with_more_blocks(facet, few, budgets)
    by_sectors = whole if counter.request_alike or scanned else counter.sampled_for_sectors()
    sizes = np.array([[counter.of(block).instructions, counter.of(block).longest] for block in whole], dtype=float)
    each = np.array(list(whole.values()))
    total = float(each @ sizes[:, 0])
    asked = execution.block_requested
    return execution, Work(
        grid=launch.grid,
        blocks=launch.blocks,
        instructions=total,
        sectors=sum(weight * counter.sectors(block) for block, weight in by_sectors.items()),
        numbers=execution.blocks,
        weights=tuple(weights.get(block, 0.0) for block in execution.blocks),
        lengths=execution.block_instructions,
        longest=tuple(execution.record.longest_warps()),
        middle=execution.middle,
        typical=_typical(execution) if gathers else (execution.middle,),
        asked=asked[execution.middle]
        if alike
        else sum(weights.get(block, 0.0) * sectors for block, sectors in zip(execution.blocks, asked, strict=True))
        / sum(weights.values()),
        alike=alike,
        counts=None
        if alike or launch.blocks > _SCHEDULED
        else _expanded(sizes, whole, launch.grid, scattered=scanned is not None),
        scattered=scanned is not None,
        error=0.0 if alike else _error(launch.grid, whole, sizes[:, 0], scattered=scanned is not None) / total,
    )


def with_numbers(facet: Warps, precision: Precision) -> Resolved:
    """The launch, with ordinary numbers in arrays without contents if these decide more."""
    return resolved(facet, _BUDGETS[precision].first)


def data_addressed(facet: Warps, precision: Precision) -> frozenset[int]:
    """The instructions whose addresses follow from loaded data, by what was executed first."""
    return addressed_by_data(facet, _BUDGETS[precision].first)


def _with_more_blocks(facet: Warps, few: Execution, budgets: Budgets) -> Execution:
    """Executes further blocks all over the grid, to see how far addresses that follow from data coincide."""
    most = min(_GATHERED, budgets.traced // max(few.block_instructions))
    blocks = {*few.blocks, *spread_blocks(facet.launch.grid, most)}
    return execute(facet.kernel, facet.launch, tuple(sorted(blocks)))


def _typical(execution: Execution) -> tuple[int, ...]:
    """Indices of the executed blocks that have as many instructions as the middle one."""
    lengths = execution.block_instructions
    return tuple(index for index, length in enumerate(lengths) if length == lengths[execution.middle])


def _recorded(weights: dict[int, float], counts: dict[int, _Count], budgets: Budgets) -> dict[int, float]:
    """Blocks for the timing core, among them the one with the longest warp, with the weights of those left out."""
    longest = max(weights, key=lambda block: (counts[block].longest, counts[block].instructions))
    usual = sum(weights[block] * counts[block].instructions for block in weights) / sum(weights.values())
    most = min(budgets.recorded, max(8, int(budgets.traced / max(1.0, usual))))
    if len(weights) <= most:
        return weights
    others = {block: weight for block, weight in weights.items() if block != longest}
    return dict(sorted({**thinned(others, most - 1), longest: weights[longest]}.items()))


def _alike(lengths: NDArray[np.float64], weights: NDArray[np.float64]) -> bool:
    """Whether hardly any block has another length than the median one, and none is far longer."""
    order = np.argsort(lengths)
    usual = lengths[order][np.searchsorted(np.cumsum(weights[order]), weights.sum() / 2)]
    others = weights[np.abs(lengths - usual) > _ALIKE * usual].sum()
    return bool(others <= _RARE * weights.sum() and lengths.max() <= _LONG * usual)


def _expanded(
    sizes: NDArray[np.float64], weights: dict[int, float], grid: tuple[int, int, int], *, scattered: bool
) -> NDArray[np.float64]:
    """Every block of the grid, as the sampled one that represents its part or between two of them."""
    blocks = np.arange(grid[0] * grid[1] * grid[2])
    if scattered:
        return np.ascontiguousarray(sizes[_in_order(np.array(list(weights.values())), len(blocks), blocks)].T)
    return np.ascontiguousarray(interpolated(grid, list(weights), sizes, blocks).T)


def _in_order(weights: NDArray[np.float64], count: int, blocks: NDArray[np.int64]) -> NDArray[np.intp]:
    """Indices of samples that represent consecutive parts of a grid of `count` blocks, as long as their weights."""
    ends = np.cumsum(weights)
    places: NDArray[np.intp] = np.searchsorted(ends, (blocks + 0.5) * ends[-1] / count).clip(0, len(ends) - 1)
    return places


def _error(
    grid: tuple[int, int, int], weights: dict[int, float], values: NDArray[np.float64], *, scattered: bool
) -> float:
    """Standard error of the instructions of a grid, whose blocks were sampled at random or along its axes."""
    each = np.array(list(weights.values()))
    if scattered:
        return _standard_error(values, each)
    return error_of_sum(grid, np.array(list(weights)), values, each)


def _standard_error(values: NDArray[np.float64], weights: NDArray[np.float64]) -> float:
    """Standard error of a weighted sum; blocks that represent only themselves add nothing."""
    more = np.maximum(0.0, weights - 1)
    mean = float(weights @ values / weights.sum())
    return float(np.sqrt((more * weights * (values - mean) ** 2).sum()))
