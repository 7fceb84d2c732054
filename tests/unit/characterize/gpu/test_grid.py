"""Which blocks stand for a grid."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from foretell.characterize.gpu.grid import interpolated, representatives, spread_blocks, thinned, weighted_blocks

if TYPE_CHECKING:
    from collections.abc import Callable

sizes = st.integers(1, 20)


def _sum(grid: tuple[int, int, int], work: Callable[[int], float], *, most: int = 100) -> tuple[float, int]:
    """The sum over a grid from its samples, and how many blocks were asked for their work."""
    asked = set()

    def counted(block: int) -> float:
        asked.add(block)
        return work(block)

    weights = weighted_blocks(grid, counted, 36, most, lambda: len(asked) < 400)
    return sum(weight * work(block) for block, weight in weights.items()), len(asked)


def test_small_grids_are_executed_whole() -> None:
    assert weighted_blocks((1, 1, 1), lambda _: 1.0, 8, 8, lambda: True) == {0: 1.0}
    assert weighted_blocks((3, 1, 1), lambda _: 1.0, 8, 8, lambda: True) == {0: 1.0, 1: 1.0, 2: 1.0}


def test_corners_edges_and_inside() -> None:
    found = weighted_blocks((5, 4, 1), lambda _: 1.0, 1, 1, lambda: True)
    assert sorted(found.values()) == [1, 1, 1, 1, 2, 2, 3, 3, 6]
    assert found[2 + 5 * 2] == 6


@settings(max_examples=40)
@given(sizes, sizes, sizes, st.integers(1, 70), st.integers(0, 5))
def test_the_weights_are_the_grid(x: int, y: int, z: int, few: int, disorder: int) -> None:
    found = weighted_blocks((x, y, z), lambda block: 1.0 + block * block % 97 * disorder, few, few, lambda: False)
    assert math.fsum(found.values()) == pytest.approx(x * y * z)
    assert all(0 <= block < x * y * z for block in found)


@settings(max_examples=40)
@given(st.integers(3, 3000), st.integers(0, 50), st.integers(0, 50))
def test_a_triangle_is_summed(blocks: int, first: int, growth: int) -> None:
    """Work that grows with the number of the block: exact, from a few blocks."""
    found, asked = _sum((blocks, 1, 1), lambda block: first + growth * block)
    assert found == pytest.approx(sum(first + growth * block for block in range(blocks)))
    assert asked <= 15


@settings(max_examples=20)
@given(st.integers(20, 80), st.integers(20, 80), st.integers(1, 1000))
@example(28, 59, 9)  # rows whose middles fit by chance
@example(22, 47, 1000)
@example(21, 49, 50)  # stairs of seven rows, sampled every seven rows
@example(60, 49, 20)  # more blocks than may be asked
def test_blocks_below_the_diagonal_leave_at_once(x: int, y: int, long: int) -> None:
    """A step that lies elsewhere in every row: within 2 % of the larger half."""

    def work(block: int) -> float:
        return 1.0 + long * (block % x * y >= block // x * x)

    found, _ = _sum((x, y, 1), work)
    assert found == pytest.approx(sum(map(work, range(x * y))), rel=0.02)


def test_work_in_no_order_is_sampled_evenly() -> None:
    blocks = 5000

    def work(block: int) -> float:
        return 100.0 + block * 2654435761 % 2**32 / 2**32 * 1900

    found, _ = _sum((blocks, 1, 1), work, most=160)
    assert found == pytest.approx(sum(map(work, range(blocks))), rel=0.05)


def test_what_even_samples_contradict_has_no_order() -> None:
    """Middles of a multiplicative hash fit by chance: few samples in order are sure of a sum that is a quarter off."""

    def work(block: int) -> float:
        return 100.0 + (block * 2654435761 % 2**32 >> 16) % 1900

    found, _ = _sum((5000, 1, 1), work, most=740)
    assert found == pytest.approx(sum(map(work, range(5000))), rel=0.03)


@settings(max_examples=40)
@given(sizes, sizes, sizes, st.integers(1, 50), st.integers(1, 30))
def test_blocks_spread_over_a_grid_and_fewer_of_them(x: int, y: int, z: int, most: int, fewer: int) -> None:
    spread = spread_blocks((x, y, z), most)
    assert len(set(spread)) == len(spread) <= most
    assert all(0 <= block < x * y * z for block in spread)
    weights = dict.fromkeys(spread, 2.0)
    some = thinned(weights, fewer)
    assert len(some) == min(fewer, len(spread))
    assert set(some) <= set(spread)
    assert sum(some.values()) == pytest.approx(sum(weights.values()))


def test_no_order_is_looked_for() -> None:
    """What repeats at the distance of the ordered samples is only seen by those that are spread."""
    asked: list[int] = []

    def work(block: int) -> float:
        asked.append(block)
        return 1.0 + (block % 10 == 0)

    found = weighted_blocks((10_002, 1, 1), work, 8, 500, lambda: True, lambda: len(asked) < 300, ordered=False)
    assert 290 < len(found) <= 302
    assert sum(weight * work(block) for block, weight in found.items()) == pytest.approx(11_002, rel=0.02)


# ------------------------------------------------------------------------------------------ every block


@settings(max_examples=30)
@given(st.integers(1, 9), st.integers(1, 9), st.integers(1, 9), st.integers(-3, 3), st.integers(-3, 3))
def test_work_between_samples_is_linear(x: int, y: int, z: int, across: int, down: int) -> None:
    """Samples at both ends of every line and in its middle: what grows evenly is exact, and edges stay apart."""
    grid, blocks = (x, y, z), np.arange(x * y * z)

    def work(block: int) -> float:
        px, py, pz = block % x, block // x % y, block // (x * y)
        inside = 0 < px < x - 1 and 0 < py < y - 1 and 0 < pz < z - 1
        return 50.0 + across * px + down * py + 2 * pz if inside else 7.0

    ends = [{0, 1, size // 2, max(0, size - 2), size - 1} & set(range(size)) for size in grid]
    samples = sorted(px + x * (py + y * pz) for px in ends[0] for py in ends[1] for pz in ends[2])
    values = np.array([[work(block)] for block in samples])
    found = interpolated(grid, samples, values, blocks)[:, 0]
    assert found == pytest.approx([work(int(block)) for block in blocks])


def test_a_block_is_represented_by_one_of_its_own_edge() -> None:
    grid = (8, 64, 64)
    samples = list(weighted_blocks(grid, lambda block: 16.0 if block % 8 in (0, 7) else 1.0, 36, 100, lambda: True))
    blocks = np.arange(8 * 64 * 64)
    chosen = np.array(samples)[representatives(grid, samples, blocks)]
    assert len(samples) < 200
    assert ((chosen % 8 == 0) == (blocks % 8 == 0)).all()
    assert ((chosen % 8 == 7) == (blocks % 8 == 7)).all()
    assert (representatives(grid, [5], blocks) == 0).all()


@pytest.mark.parametrize(("spread", "asked_for", "error"), [(0.0, (20, 22), 1e-12), (0.02, (80, 130), 0.004)])
def test_irregular_work_is_sampled_until_its_sum_is_known(
    spread: float, asked_for: tuple[int, int], error: float
) -> None:
    """Twelve samples of equal work inside suffice, beside one of each edge and corner; the wider it spreads, the more:
    (0.02 / sqrt(12) / 0.002)² = 8 times as many for a standard error of 0.2 %."""
    asked = set()

    def work(block: int) -> float:
        asked.add(block)
        return 1 + spread * math.sqrt(12) * (block * 0.6180339887498949 % 1.0 - 0.5)

    weights = weighted_blocks((64, 64, 1), work, 36, 500, lambda: True, ordered=False, settled=0.002, edge=1)
    assert asked_for[0] <= len(asked) <= asked_for[1]
    found = sum(weight * work(block) for block, weight in weights.items())
    assert found == pytest.approx(sum(map(work, range(64 * 64))), rel=error)
