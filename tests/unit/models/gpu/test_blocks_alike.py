"""Blocks inside a grid that make the same requests, as the strides of their addresses prove, are counted once."""

from __future__ import annotations

import math
from functools import cache

import pytest

from foretell import limits
from foretell.characterize.gpu.functional import BUDGET, EXTENT, Runner, execute
from foretell.characterize.gpu.grid import inner_corners, is_inside
from foretell.characterize.gpu.memory import neighbours_alike
from foretell.core.gpu.warps import Warps
from foretell.models.gpu import block_sampling
from foretell.models.gpu.block_sampling import sampled
from foretell.uses import validate


@cache
def launch(name: str) -> Warps:
    recording = validate._open("gpu")
    workload = validate._recorded(recording, name, recording.document["case"][name]).workload
    assert not isinstance(workload, str)
    facet = getattr(workload, "facet")(Warps)  # noqa: B009
    assert isinstance(facet, Warps)
    return facet


def alike(name: str) -> bool:
    facet = launch(name)
    return neighbours_alike(execute(facet.kernel, facet.launch), facet.launch.grid)


@pytest.mark.parametrize("name", ["stencil2d_global/L2", "stencil3d_27/L2", "transpose_naive/L2"])
def test_blocks_inside_do_as_the_middle_one(name: str) -> None:
    """Every block inside is executed."""
    facet = launch(name)
    grid = facet.launch.grid
    inside = [block for block in range(facet.launch.blocks) if is_inside(grid, block)]
    assert alike(name)
    assert len(inside) == math.prod(size - 2 if size > 1 else 1 for size in grid)
    assert (inside[0], inside[-1]) == inner_corners(grid)
    found = Runner(facet.kernel, facet.launch).count(inside, limits.share(EXTENT), limits.share(BUDGET))
    assert len({(item.instructions, item.requested, item.longest_warp) for item in found}) <= 1


@pytest.mark.parametrize("name", ["gather_f32/random", "bfs_step/quarter", "triangle/8192"])
def test_blocks_that_follow_from_data_or_do_other_work_are_not(name: str) -> None:
    assert not alike(name)


@pytest.mark.parametrize("name", ["conv2d_global/2048", "stencil2d_shared/DRAM", "mandelbrot/1024"])
def test_fewer_blocks_are_counted_and_tell_the_same(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """The blocks in the middle of `mandelbrot` do as much as each other, those at the ends of the grid far less."""
    counted: list[int] = []
    count = Runner.count

    def counting(runner: Runner, blocks: list[int], most: int, enough: int) -> object:
        counted.append(len(blocks))
        return count(runner, blocks, most, enough)

    monkeypatch.setattr(Runner, "count", counting)
    sampled.cache_clear()
    _, work = sampled(launch(name))
    fewer = sum(counted)
    monkeypatch.setattr(block_sampling, "neighbours_alike", lambda *_: False)
    sampled.cache_clear()
    _, other = sampled(launch(name))
    sampled.cache_clear()
    assert fewer < sum(counted) - fewer or not name.startswith(("conv2d", "stencil2d"))
    assert work.sectors == pytest.approx(other.sectors, rel=1e-12)
    assert (work.instructions, work.weights) == (other.instructions, other.weights)
