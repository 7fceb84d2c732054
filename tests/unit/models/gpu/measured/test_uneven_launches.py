"""Launches whose blocks differ: which block ends last, rare long blocks, lines that all multiprocessors update."""

from __future__ import annotations

import heapq
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import foretell.uses
from foretell import _core
from foretell.api import predict
from foretell.characterize.gpu.functional import execute, middle_block
from foretell.characterize.gpu.grid import scattered_order
from foretell.core.gpu.launch import Scalar
from foretell.core.gpu.warps import Warps
from foretell.frontends.gpu.launch import read_launches
from foretell.frontends.gpu.workload import read_workload
from foretell.machines import load
from foretell.models.gpu.block_sampling import sampled
from foretell.models.gpu.launched import Prepared, prepare
from foretell.models.gpu.multiprocessor import HotLine, Multiprocessor, multiprocessor
from foretell.models.gpu.reference import with_reference
from foretell.models.gpu.timing import INTS, REALS

if TYPE_CHECKING:
    from foretell.core.gpu.launch import Launch
    from foretell.core.workload import Workload

MEASURED = Path(__file__).parents[5] / "validation" / "h200"
RECORDED = Path(foretell.uses.__file__).parent / "recorded" / "gpu"
times = st.floats(1, 1000)


@cache
def _launch(name: str) -> Launch:
    return next(launch for launch in read_launches(MEASURED / "gpu-uneven" / "cases.toml") if launch.name == name)


def _workload(launch: Launch) -> Workload:
    return read_workload(MEASURED / "gpu-uneven" / f"{launch.kernel}.sass.xz", launch)


def _first_free(alone: list[float], multiprocessors: int) -> float:
    """Textbook list scheduling: each block goes to the multiprocessor that is free first."""
    free = [0.0] * multiprocessors
    for time in alone:
        heapq.heapreplace(free, free[0] + time)
    return max(free)


@given(st.lists(times, min_size=1, max_size=60), st.integers(1, 7))
def test_one_block_at_a_time_is_list_scheduling(alone: list[float], multiprocessors: int) -> None:
    demand = [time * 0.5 for time in alone]
    found = _core.timing_last_end(alone, demand, multiprocessors, 1)
    assert found == pytest.approx(_first_free(alone, multiprocessors))


@settings(max_examples=60)
@given(st.lists(st.tuples(times, times), min_size=1, max_size=60), st.integers(1, 5), st.integers(1, 8))
def test_the_last_end_is_between_its_bounds(
    blocks: list[tuple[float, float]], multiprocessors: int, resident: int
) -> None:
    alone, demand = map(list, zip(*blocks, strict=True))
    found = _core.timing_last_end(alone, demand, multiprocessors, resident)
    assert found >= max(alone) * (1 - 1e-9)
    assert found >= sum(demand) / multiprocessors * (1 - 1e-9)
    assert found <= sum(max(pair) for pair in blocks) * (1 + 1e-9)


def test_a_full_multiprocessor_shares_its_throughput() -> None:
    """Four blocks of equal work that each ask for half of the throughput take twice as long together."""
    assert _core.timing_last_end([10.0] * 4, [5.0] * 4, 1, 4) == pytest.approx(20)
    assert _core.timing_last_end([10.0] * 4, [5.0] * 4, 2, 2) == pytest.approx(10)


@given(st.integers(1, 3000))
def test_the_scattered_order_is_of_all_blocks(blocks: int) -> None:
    assert sorted(scattered_order(blocks, blocks)) == list(range(blocks))


@pytest.mark.parametrize("which", [0, 50, 66, 131])
def test_one_long_block_is_found_and_waited_for(which: int) -> None:
    """The grid takes at least as long as its long block alone, and not much longer."""
    launch = _launch("long_block/middle")
    arguments = (*launch.arguments[:3], Scalar(which))
    grid = predict(_workload(replace(launch, arguments=arguments)), "h200").time_s
    alone = (*launch.arguments[:3], Scalar(0))
    block = predict(_workload(replace(launch, grid=(1, 1, 1), arguments=alone)), "h200").time_s
    assert block <= grid * 1.001
    assert grid <= 1.5 * block


def test_blocks_of_a_scanned_grid_are_all_counted() -> None:
    launch = _launch("long_block/middle")
    _, work = sampled(_workload(launch).facet(Warps))
    assert work.counts is not None
    assert work.counts[0].argmax() == 66
    assert work.instructions == work.counts[0].sum()
    assert work.error == 0


def test_a_trip_count_that_follows_from_a_quotient_of_doubles_is_known() -> None:
    """int(n / factor) rounds: twice and four times as many have as many instructions more."""
    launch = _launch("scaled_double/100k")

    def instructions(rounds: int) -> int:
        scalar = Scalar(100_000 / rounds - 0.001, "f64")
        given = replace(launch, arguments=(*launch.arguments[:3], scalar))
        kernel = _workload(given).facet(Warps).kernel
        return execute(kernel, given, (middle_block(given),)).block_instructions[0]

    few, more, most = map(instructions, (100, 200, 400))
    assert most - more == 2 * (more - few) > 0


# ------------------------------------------------------------------------------------------ hot lines


def _h200() -> Multiprocessor:
    return multiprocessor(load("h200"), share=132, writes=0.0, far_share=0.0)


@pytest.mark.parametrize(
    ("percent", "microseconds"), [(0, 1483.7), (10, 2551.2), (25, 4226.8), (50, 6949.9), (100, 12276.5)]
)
def test_updates_of_a_hot_line_are_added_to_the_others(percent: int, microseconds: float) -> None:
    """Measured on an H200: 1056 blocks of 256 threads with 62 additions each to 1024 counters, of which one gets so
    many more."""
    warps = 1056 * 8 * 62
    serial = 32 * percent / 100
    sectors = 128 * (1 - (1 - 1 / 128) ** (32 - serial))  # of the other lanes
    passes = serial + sectors
    hot = (HotLine(7, serial / passes, serial / passes),) if percent else ()
    cycles = _h200().atomic_cycles(passes, max(1.0, serial), 32, 132, floating=False, hot=hot) / 132 * warps
    assert cycles / 1980 == pytest.approx(microseconds, rel=0.08)


@pytest.mark.parametrize(
    ("words", "passes", "whole", "floating"),
    [
        (1, 32, 23.8, 56.4),
        (2, 16, 11.8, 28.3),
        (4, 8, 5.95, 14.2),
        (8, 4, 2.43, 7.13),
        (16, 4, 2.42, 3.62),
        (32, 4, 2.64, 2.62),
    ],
)
def test_a_word_is_updated_again_when_it_is_done(words: int, passes: int, whole: float, floating: float) -> None:
    """Measured on an H200 (validation/h200/micro, mechanisms.jsonl): nanoseconds of a warp's update of so many words of
    one line, integers and floats."""
    there = _h200()
    for kind, measured in ((False, whole), (True, floating)):
        cycles = there.atomic_cycles(passes, 32 / words, 1, 132, floating=kind) / 132
        assert cycles / 1.98 == pytest.approx(measured, rel=0.25)


def test_stores_to_one_line_wait_for_each_other() -> None:
    there = _h200()
    one, many = there.store_cycles(1, 132), there.store_cycles(1000, 132)
    assert one > 10 * many
    hot = predict(_workload(_launch("one_flag/all")), "h200").time_s
    launch = _launch("one_flag/all")
    none = replace(launch, arguments=(*launch.arguments[:3], Scalar(-1.0, "f32")))
    assert hot >= predict(_workload(none), "h200").time_s


def test_plain_stores_to_one_word_join_the_one_just_before() -> None:
    """one_flag, all warps of which store to one word (28 % of these stores reach L2): it takes longer if each goes
    on by itself. Blocks that store to sectors of their own have nothing to join."""
    machine, _ = with_reference(load("h200"))

    def prepared(name: str) -> Prepared:
        return prepare(_workload(_launch(name)).facet(Warps), machine, warm=True, fold="yes")

    flag, merges, place = prepared("one_flag/all"), REALS.index("merges"), INTS.index("place")
    stores = flag.ops.ints[:, place] > 0
    assert (flag.ops.reals[stores, merges] == 1).all()
    reals = flag.ops.reals.copy()
    reals[:, merges] = 0
    alone = flag.with_ops(replace(flag.ops, reals=reals)).run().cycles
    assert stores.any()
    assert flag.run().cycles < 0.8 * alone
    assert prepared("transpose_doubles/1000").ops.reals[:, merges].max() < 0.01


@pytest.mark.parametrize("start", [0, 500, 1023])
def test_an_index_that_begins_again_within_a_loop_stays_in_its_array(start: int) -> None:
    """`k + 1 == n ? 0 : k + 1` in a loop of n rounds: every row of the array is read once, wherever it begins."""
    launches = read_launches(MEASURED / "gpu-sweeps" / "cases.toml")
    launch = next(item for item in launches if item.name == "s_columns_apart/32")
    code = read_workload(MEASURED / "gpu-sweeps" / "s_columns_apart.sass.xz", launch)
    facet = code.facet(Warps)
    row = start * pow(37, -1, 1024) % 1024  # the kernel begins at row · 37 mod 1024
    run = execute(facet.kernel, launch, (row * 32,))
    assert not run.assumptions
    assert run.block_sectors == (1024 * 4 + 4,)


def test_gathers_by_few_lanes_are_not_taken_for_the_same_in_all_blocks() -> None:
    """Where no two requests of neighbouring blocks have lanes in common, nothing says that blocks read the same."""
    launch = next(item for item in read_launches(RECORDED / "cases.toml") if item.name == "bfs_step/few")
    facet = read_workload(RECORDED / "bfs_step.sass.xz", launch).facet(Warps)
    machine, _ = with_reference(load("h200"))
    groups = prepare(facet, machine, warm=True, fold="yes").traffic.groups
    stored = next(group for group in groups if group.writes)
    assert not stored.even
    assert stored.wave_write > 10_000
