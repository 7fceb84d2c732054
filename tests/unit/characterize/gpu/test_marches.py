"""Stencils that march through planes: their requests at the borders of the data, and who reads a plane first."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from foretell.api import predict
from foretell.characterize.gpu.functional import execute
from foretell.characterize.gpu.memory import FirstLevel, Requests, Traffic, traffic
from foretell.core.gpu.warps import Warps
from foretell.frontends.gpu.launch import parse_launch
from foretell.frontends.gpu.workload import read_workload
from foretell.models.gpu.cache_levels import _of_first_reads

if TYPE_CHECKING:
    from foretell.core.workload import Workload

LISTINGS = Path(__file__).parents[3] / "data" / "sass"


@cache
def _march(n: int) -> Workload:
    """Blocks of 64 by 4, which march through 16 planes of n by n."""
    grid = f"{n // 64},{n // 4},{n // 16}"
    launch = parse_launch("march", grid, "64,4", [f"f32[{n**3}]", f"f32[{n**3}]", f"{n}"])
    return read_workload(LISTINGS / "march_planes.sass", launch)


def _traffic(n: int) -> Traffic:
    facet = _march(n).facet(Warps)
    l1 = FirstLevel(size=131072, ways=4, outstanding=256, throttled=0, first_wave=0, later_waves=0)
    run = execute(facet.kernel, facet.launch)
    return traffic(facet.kernel, facet.launch, run, multiprocessors=132, resident=8, l1=l1)


@pytest.mark.parametrize("n", [128, 256])
def test_requests_that_are_clamped_at_a_border_shift_with_the_others(n: int) -> None:
    """Of two blocks in a row each has a border, where the first or the last lane is clamped: its requests are a word
    off. They are no gathers: the array is read once from memory."""
    assert all(group.even for group in _traffic(n).groups)
    details = predict(_march(n), "h200").details
    assert details["memory_read_B"] <= 4 * n**3 * 1.01  # type: ignore[operator]


def test_planes_are_read_into_registers_before_shared_memory() -> None:
    """The plane above comes first, into registers; two barriers later it is read again, with a border that the blocks
    beside it have read: these reads are of nothing new. The last two of 16 planes are those that the next blocks begin
    with."""
    workload, found = _march(256), _traffic(256)
    loop = [
        item
        for position, item in sorted(found.requests.items())
        if workload.facet(Warps).kernel.instructions[position].opcode == "LDG"
    ]
    shared, above = loop[-2:]
    assert above.first_sectors == 14 / 16 * above.block_sectors
    assert shared.first_sectors <= 0.1 * shared.block_sectors


def _requests(sectors: float, first: float, missed: float = 1.0) -> Requests:
    return Requests(
        sectors=4, block_sectors=sectors, misses=missed, missed_sectors=4, joins=0, group=0, first_sectors=first
    )


@pytest.mark.parametrize("served", [10.0, 100.0, 130.0, 190.0])
def test_first_reads_wait_for_memory(served: float) -> None:
    """As much comes from memory as in all, from the first reads as far as these go."""
    requests = {0: _requests(120, first=100), 1: _requests(80, first=20, missed=0.5), 2: _requests(30, first=0)}
    far = _of_first_reads(requests, 1.0, served)
    amounts = {position: far[position] * item.block_sectors * item.missed for position, item in requests.items()}
    assert sum(amounts.values()) == pytest.approx(served)
    assert all(0 <= share <= 1 for share in far.values())
    if served <= 100:
        assert far[2] == pytest.approx(0, abs=1e-9)
        assert amounts[0] == pytest.approx(5 * amounts[1])


def test_places_of_what_only_few_blocks_execute() -> None:
    """Blocks with a border have an instruction that the others leave out, and ask for less than these. Its places
    are counted apart from those of the others, but not all over the array."""
    n = 128
    arguments = [f"f32[{n**3}]", f"f32[{n**3}]", f"{n}"]
    launch = parse_launch("borders", f"{n // 16},{n // 8},{n // 32}", "16,8,2", arguments)
    details = predict(read_workload(LISTINGS / "march_borders.sass", launch), "h200").details
    assert 8 * n**3 <= details["footprint_B"] < 12 * n**3  # type: ignore[operator]
