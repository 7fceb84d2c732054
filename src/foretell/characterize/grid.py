"""From sampled blocks to the whole grid: which blocks are executed, and how many blocks each stands for.

Blocks at the ends of an axis often do other work than those inside (boundaries, remainders), so every combination of
first, inner and last along the three axes is a stratum of its own. Where inner blocks differ among themselves (loops
over a triangle, data-dependent work) more of them are executed, spread evenly.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from foretell.characterize.functional import execute

if TYPE_CHECKING:
    from collections.abc import Iterator

    from foretell.characterize.functional import Execution
    from foretell.core.launch import Launch
    from foretell.core.sass import SassKernel

#: inner blocks that are executed to see whether they are alike, and at most where they are not
_FEW, _MANY = 2, 64
#: warp-instructions that may be spent on the many
_SPENT = 2_000_000
#: inner blocks whose instruction counts differ by less are alike
_ALIKE = 1e-3
#: irrational steps that spread points evenly over one, two or three axes (roots of x^(d+1) = x + 1)
_STEPS = (
    (0.6180339887498949,),
    (0.7548776662466927, 0.5698402909980532),
    (0.8191725133961645, 0.6710436067037893, 0.5497004779019703),
)

_GLOBAL = frozenset(("LDG", "STG", "LD", "ST", "ATOM", "ATOMG", "RED", "REDG", "LDGSTS"))
_LOCAL = frozenset(("LDL", "STL"))
_SHARED = frozenset(("LDS", "STS", "LDSM", "STSM"))


@dataclass(frozen=True, slots=True)
class GridCounts:
    """What the whole grid does, extrapolated from sampled blocks: warp-instructions, sectors of 32 bytes that
    requests to global and local memory ask for, wavefronts of loads and stores in shared memory."""

    instructions: float
    global_sectors: float
    local_sectors: float
    shared_wavefronts: float
    executed_blocks: int


def weighted_blocks(launch: Launch, inner: int) -> dict[int, float]:
    """Blocks to execute, and how many blocks of the grid each stands for; `inner` blocks inside."""
    x, y, _ = launch.grid
    result: dict[int, float] = {}
    for ranges in product(*(_ranges(size) for size in launch.grid)):
        size = 1
        for part in ranges:
            size *= len(part)
        points = sorted({px + x * (py + y * pz) for px, py, pz in _points(ranges, inner)})
        for block in points:
            result[block] = size / len(points)
    return dict(sorted(result.items()))


def grid_counts(kernel: SassKernel, launch: Launch) -> GridCounts:
    """Counts of the whole grid."""
    weights = weighted_blocks(launch, _FEW)
    runs = list(_runs(kernel, launch, weights))
    work = [n / blocks for _, run in runs for n, blocks in ((sum(run.block_instructions), len(run.blocks)),)]
    inside = max(runs, key=lambda item: item[0])[1].block_instructions
    spent = sum(sum(run.block_instructions) for _, run in runs)
    if max(inside) > min(inside) * (1 + _ALIKE):
        more = min(_MANY, int(_SPENT / (max(work) + 1)), _SPENT * _FEW // (spent + 1))
        weights = weighted_blocks(launch, max(_FEW, more))
        runs = list(_runs(kernel, launch, weights))
    return _sum(kernel, runs, len(weights))


def _ranges(size: int) -> tuple[range, ...]:
    """First, inner and last along an axis."""
    if size <= 2:
        return tuple(range(k, k + 1) for k in range(size))
    return range(1), range(1, size - 1), range(size - 1, size)


def _points(ranges: tuple[range, ...], most: int) -> Iterator[tuple[int, ...]]:
    """Points of a stratum, the first in its middle: an additive recurrence over the axes that have room."""
    open_axes = [axis for axis, part in enumerate(ranges) if len(part) > 1]
    if not open_axes:
        yield tuple(part[0] for part in ranges)
        return
    steps = dict(zip(open_axes, _STEPS[len(open_axes) - 1], strict=True))
    room = max(len(part) for part in ranges)
    for k in range(min(most, room)):
        yield tuple(
            part[int((0.5 + k * steps.get(axis, 0.0)) % 1.0 * len(part))] for axis, part in enumerate(ranges)
        )


def _runs(kernel: SassKernel, launch: Launch, weights: dict[int, float]) -> Iterator[tuple[float, Execution]]:
    """One execution for the blocks of each weight."""
    for weight in sorted(set(weights.values())):
        blocks = tuple(block for block, other in weights.items() if other == weight)
        yield weight, execute(kernel, launch, blocks)


def _sum(kernel: SassKernel, runs: list[tuple[float, Execution]], executed: int) -> GridCounts:
    def total(name: str, opcodes: frozenset[str] | None) -> float:
        return math.fsum(
            weight * getattr(counts, name)
            for weight, run in runs
            for item, counts in zip(kernel.instructions, run.instructions, strict=True)
            if opcodes is None or item.opcode in opcodes
        )

    return GridCounts(
        total("executions", None),
        total("sectors", _GLOBAL),
        total("sectors", _LOCAL),
        total("wavefronts", _SHARED),
        executed,
    )
