"""What L2 reads and writes of a launch."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from foretell.characterize.gpu.memory import SECTOR, Group
from foretell.machines import load
from foretell.models.gpu.cache_levels import L2, _from_memory, _Reuse, _stored

if TYPE_CHECKING:
    from foretell.characterize.gpu.memory import Traffic

SECTORS = 1e8  # far more than L2 holds


def _written(share: float, *, even: bool = True) -> tuple[float, float]:
    """Sectors written to memory, and read for it, of a launch that stores this share of the bytes of its sectors."""
    group = Group(
        array=0, even=even, ordered=even, common=False, block_read=0, wave_read=0, launch_read=0,
        wave_write=SECTORS / 100, launch_write=SECTORS, wave=SECTORS / 100, launch=SECTORS, reach=SECTORS,
        stored_bytes=share * SECTORS * SECTOR,
    )  # fmt: skip
    traffic = cast("Traffic", SimpleNamespace(groups=(group,)))
    (to_memory,), (filled,) = _stored(traffic, [SECTORS], L2.of(load("h200"), 1.0))
    return to_memory, filled


def test_whole_sectors_are_written_without_a_read() -> None:
    to_memory, filled = _written(1.0)
    assert SECTORS / 2 < to_memory <= SECTORS
    assert filled == 0


@pytest.mark.parametrize(("share", "even"), [(0.5, True), (1.0, False)])
def test_the_rest_of_a_sector_is_read_before_it_is_written(share: float, even: bool) -> None:
    """Of sectors that were stored in part, in order or at random (validation/h200, t_scatter/DRAM)."""
    to_memory, filled = _written(share, even=even)
    assert filled == to_memory > 0


@pytest.mark.parametrize("ordered", [True, False])
def test_rows_that_a_block_reads_again_are_in_l2(ordered: bool) -> None:
    """Blocks that read whole lines anywhere in an array, three times each: only the first time from memory. Isolated
    words meet by chance, and mostly come from memory again."""
    blocks, waves = 10_000.0, 100.0
    group = Group(
        array=0, even=False, ordered=ordered, common=False, block_read=SECTORS / blocks, wave_read=SECTORS / waves,
        launch_read=SECTORS, wave_write=0, launch_write=0, wave=SECTORS / waves, launch=SECTORS, reach=SECTORS,
    )  # fmt: skip
    l2 = L2.of(load("h200"), 1.0)
    reuse = _Reuse(l2.distance([group]), [group], [3 * SECTORS / waves])
    read = _from_memory(group, 3 * SECTORS, blocks, waves, l2, 0.0, reuse)
    assert read == pytest.approx(SECTORS) if ordered else read > 2 * SECTORS


def _softmax(rows: int, again: float = 0.5) -> float:
    """The share of what is read a second time that comes from memory, where each multiprocessor of an H200 has so many
    rows of 16 KiB at a time, writes as many, and reads its rows again after this share of its requests."""
    wave = 132 * rows * 16384 / SECTOR
    waves, blocks = 62 / rows, 62.0 * 132
    group = Group(
        array=0, even=True, ordered=True, common=False, block_read=wave / (132 * rows), wave_read=wave,
        launch_read=wave * waves, wave_write=0, launch_write=0, wave=wave, launch=wave * waves, reach=0, reread=again,
    )  # fmt: skip
    results = replace(
        group, array=1, block_read=0, wave_read=0, launch_read=0, wave_write=wave, launch_write=wave * waves
    )
    l2 = L2.of(load("h200"), 1.0)
    reuse = _Reuse(l2.distance([group, results]), [group, results], [2 * wave, 0])
    read = _from_memory(group, 2 * group.launch_read, blocks, waves, l2, 0.0, reuse)
    return read / group.launch_read - 1


@pytest.mark.parametrize(("rows", "missed"), [(8, 0.0), (10, 0.14), (16, 0.6), (20, 0.8), (24, 1.0), (32, 1.0)])
def test_rows_that_blocks_read_twice(rows: int, missed: float) -> None:
    """Against the space `softmax`, measured: its configurations take 70, 74.5, 89, 95, 101 and 101.5 us with 8, 10, 16,
    20, 24 and 32 rows of a multiprocessor at a time, so that these shares of the second reads come from memory."""
    assert _softmax(rows) == pytest.approx(missed, abs=0.3)


def test_what_is_read_again_soon_is_in_l2() -> None:
    """However much a wave touches in all: a stencil that marches through planes."""
    assert _softmax(32, again=0.01) == 0
    shares = [_softmax(16, again=share) for share in (0.05, 0.3, 0.4, 0.5, 1.0)]
    assert shares == sorted(shares)
    assert shares[0] < shares[-1]
