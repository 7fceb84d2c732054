"""The race check of complete execution: kernels with and without races, and where warps wait."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from foretell import files
from foretell.characterize.gpu import complete
from foretell.frontends.gpu.sass import listing

#: tests/data/races/races.cu by nvcc -arch=sm_90 -lineinfo
LISTING = Path(__file__).parents[3] / "data" / "races" / "races.sass.xz"
SOURCE = LISTING.with_name("races.cu").read_text(encoding="utf-8").splitlines()


@cache
def program(name: str) -> complete.Program:
    _, *texts = files.read_text(LISTING).split(listing.HEADER)
    kernels = {kernel.name: kernel for kernel in (listing.read(listing.HEADER + text) for text in texts)}
    return complete.program_of(kernels[name])


def checked(name: str, grid: int, block: int, *arguments: np.ndarray | int, **how: int) -> complete.Record:
    sizes = ((grid, 1, 1), (block, 1, 1))
    return complete.run(program(name), None, *sizes, arguments, check_races=True, **how)  # type: ignore[arg-type]


def lines_of(race: complete.Race) -> set[str]:
    return {SOURCE[line - 1].strip() for line in race.lines}


def test_a_missing_barrier_is_found_with_both_lines_and_threads() -> None:
    data = np.arange(1, 129, dtype=np.int32)
    (race,) = checked("reverse_raced", 1, 128, data).races
    assert race.shared
    assert race.count == 128  # each thread reads what one of another warp wrote
    assert lines_of(race) == {"part[threadIdx.x] = x[threadIdx.x];", "x[threadIdx.x] = part[127 - threadIdx.x];"}
    assert "race in shared memory" in race.message
    assert "by thread (" in race.message
    assert "of block (0, 0, 0)" in race.message


@pytest.mark.parametrize(("name", "block"), [("reverse", 128), ("handed_over", 128), ("bytes_apart", 128)])
def test_barriers_order_accesses(name: str, block: int) -> None:
    data = np.arange(128, dtype=np.uint8 if name == "bytes_apart" else np.int32)
    record = checked(name, 1, block, data)
    assert record.error is None
    assert record.races == ()


def test_one_warp_needs_no_barrier() -> None:
    assert checked("neighbour", 1, 32, np.zeros(32, np.int32), 32).races == ()


def test_threads_of_different_blocks_race_in_global_memory() -> None:
    data = np.arange(256, dtype=np.int32)
    (race,) = checked("neighbour", 4, 64, data, 256).races
    assert not race.shared
    assert race.count == 7  # of eight warps in four blocks, at each seam
    assert "race in global memory at 0x7f" in race.message


def test_a_counter_needs_an_atomic() -> None:
    assert len(checked("counted", 2, 64, np.zeros(1, np.int32), 128).races) >= 1
    count = np.zeros(1, np.int32)
    assert checked("counted_atomically", 2, 64, count, 128).races == ()
    assert count[0] == 128


def test_the_same_value_written_by_all_is_no_race() -> None:
    assert checked("flagged", 2, 64, np.ones(1, np.int32), np.arange(128, dtype=np.int32)).races == ()


def test_lanes_that_write_different_values_race() -> None:
    (race,) = checked("any_value", 1, 32, np.zeros(1, np.int32)).races
    assert race.offsets[0] == race.offsets[1]


def test_fences_and_atomics_order_blocks() -> None:
    parts, done, total = np.zeros(8, np.int32), np.zeros(1, np.uint32), np.zeros(1, np.int32)
    assert checked("last_adds", 8, 32, parts, done, total).races == ()
    assert total[0] == 36


def test_memory_beyond_the_limit_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(complete, "_BYTES_FOR_A_WORD", 1 << 40)
    record = checked("neighbour", 4, 64, np.arange(256, dtype=np.int32), 256)
    assert record.races == ()
    assert record.races_limited


def test_without_the_check_results_are_the_same() -> None:
    arrays = [np.arange(128, dtype=np.int32) for _ in range(2)]
    sizes = ((1, 1, 1), (128, 1, 1))
    plain = complete.run(program("reverse"), None, *sizes, [arrays[0]])
    record = complete.run(program("reverse"), None, *sizes, [arrays[1]], check_races=True)
    assert np.array_equal(*arrays)
    assert (plain.instructions, plain.races) == (record.instructions, ())


def test_a_barrier_that_not_all_reach_says_who_waits_where() -> None:
    record = complete.run(program("half_a_barrier"), None, (1, 1, 1), (64, 1, 1), [np.zeros(64, np.int32)])
    assert record.error is not None
    assert record.error.kind == "deadlock"
    first, second = record.error.waits
    assert first.startswith("warp 0: 32 lanes at block barrier 2")
    assert second.startswith("warp 1: 32 lanes at block barrier 0")
    assert all("line " in text for text in record.error.waits)


def test_a_used_budget_says_where_each_warp_runs() -> None:
    record = complete.run(program("never_ends"), None, (1, 1, 1), (64, 1, 1), [np.zeros(1, np.int32)], budget=10_000)
    assert record.error is not None
    assert record.error.kind == "budget"
    assert [text.split(":")[0] for text in record.error.waits] == ["warp 0", "warp 1"]
