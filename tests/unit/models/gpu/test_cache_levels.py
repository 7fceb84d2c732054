"""What L2 reads and writes of a launch."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from foretell.characterize.gpu.memory import SECTOR, Group
from foretell.machines import load
from foretell.models.gpu.cache_levels import L2, _from_memory, _stored

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
    read = _from_memory(group, 3 * SECTORS, blocks, waves, l2, 0.0, l2.distance([group]))
    assert read == pytest.approx(SECTORS) if ordered else read > 2 * SECTORS
