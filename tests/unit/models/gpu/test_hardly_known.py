"""What decides how long a launch takes, but is in no sample or not known: rare long blocks, sleeping, branches."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from foretell import files
from foretell.api import predict
from foretell.characterize.gpu.contents import unusual_blocks
from foretell.characterize.gpu.functional import execute
from foretell.characterize.gpu.kept_extremes import without_swap
from foretell.characterize.gpu.unknown_paths import unknown_paths
from foretell.core.gpu.warps import Warps
from foretell.frontends.gpu.launch import parse_launch
from foretell.frontends.gpu.sass import listing
from foretell.frontends.gpu.workload import read_workload
from foretell.models.gpu import block_sampling, ordinary_numbers
from foretell.report.sections.breakdown import hardly_known

if TYPE_CHECKING:
    from foretell.core.answers.prediction import Prediction

KINDS = Path(__file__).parents[4] / "validation" / "h200" / "gpu-kinds"


def _predicted(kernel: str, grid: str, block: str, args: list[str]) -> Prediction:
    return predict(read_workload(KINDS / f"{kernel}.sass.xz", parse_launch(None, grid, block, args)), "h200")


def _widths(answer: Prediction) -> dict[str, float]:
    found = answer.details["uncertainty"]
    assert isinstance(found, dict)
    return {cause: value for cause, value in found.items() if isinstance(value, float)}


def test_the_block_of_the_largest_number_is_sampled(tmp_path: Path) -> None:
    """k_skewed_work, one thread of which has 60,000 rounds instead of 20: the launch takes 193 us (2.7 without it)."""
    trips = np.full(131072, 20, np.int32)
    trips[77777] = 60000
    np.save(tmp_path / "trips.npy", trips)
    args = ["131072", f"i32[131072]@{tmp_path}/trips.npy", "f32[131072]", "f32[131072]"]
    answer = _predicted("k_skewed_work", "512", "256", args)
    assert answer.time_s == pytest.approx(193.3e-6, rel=0.15)


def test_the_longest_block_is_counted_in_full_while_the_budget_lasts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """k_skewed_work, of which every eighth block has a long thread: where one of these took the budget, it represents
    the longest one as well, which is executed only as far as tells that it is long."""
    trips = np.full(131072, 20, np.int32)
    trips[77::2048] = 6000
    trips[100077] = 6600
    np.save(tmp_path / "trips.npy", trips)
    args = ["131072", f"i32[131072]@{tmp_path}/trips.npy", "f32[131072]", "f32[131072]"]
    facet = read_workload(KINDS / "k_skewed_work.sass.xz", parse_launch(None, "512", "256", args)).facet(Warps)
    longest, sums = 100077 // 256, []
    for counting in (block_sampling._BUDGETS["full"].counting, 1000):
        monkeypatch.setitem(
            block_sampling._BUDGETS, "full", replace(block_sampling._BUDGETS["full"], scanned=1000, counting=counting)
        )
        block_sampling.sampled.cache_clear()
        execution, work = block_sampling.sampled(facet)
        assert (longest in execution.blocks) == (counting > 1000)
        sums.append(work.instructions)
    block_sampling.sampled.cache_clear()
    assert sums[1] > 0.5 * sums[0]


def test_long_lists_and_large_numbers_of_files_are_found(tmp_path: Path) -> None:
    starts = np.arange(0, 4 * 1025, 4, dtype=np.int32)
    starts[700:] += 1000
    np.save(tmp_path / "starts.npy", starts)
    np.save(tmp_path / "even.npy", np.arange(1024, dtype=np.int32) % 32)
    given = {name: f"i32[{size}]@{tmp_path}/{name}.npy" for name, size in (("starts", 1025), ("even", 1024))}
    assert unusual_blocks(parse_launch(None, "8", "128", [given["starts"]])) == [699 * 8 // 1024]
    assert unusual_blocks(parse_launch(None, "8", "128", [given["even"], "f32[64]"])) == []


def test_sleeping_takes_what_it_is_given() -> None:
    """100 times 100 ns: 14.7 us on an H200, where a sleep takes 1.2 times what it is given. From none to twice as long
    is allowed."""
    times = [_predicted("k_sleepers", "132", "64", [str(count), "i32[8448]"]) for count in (100, 200)]
    assert times[1].time_s - times[0].time_s == pytest.approx(12e-6, rel=0.1)
    assert hardly_known(times[0].interval_s, times[0].details["uncertainty"]) == "sleeping"
    assert "branches" not in _widths(times[0])  # what sleeps is in the unit of branches


def test_what_waits_for_branches_is_less_sure() -> None:
    """k_functions, which calls what a table of functions has, and k_yuv, a stream through memory."""
    functions = ["1048576", "32", "f32[1048576]", "i32[32768]@random(0,4)", "f32[1048576]"]
    calls = _predicted("k_functions", "4096", "256", functions)
    pixels = "u8[4194304]"
    stream = _predicted("k_yuv", "16384", "256", ["4194304", "u8[12582912]@random(0,256)", pixels, pixels, pixels])
    assert _widths(calls)["branches"] > 0.2 > 0.05 > _widths(stream).get("branches", 0.0)


def test_extreme_arguments_are_tried_with_ordinary_numbers() -> None:
    """k_sine_large: sines of numbers above 10^5 are reduced by a loop over a table in local memory."""
    small, large = (
        execute(facet.kernel, ordinary_numbers.resolved(facet).facet.launch)
        for facet in (
            read_workload(
                KINDS / "k_sine_large.sass.xz",
                parse_launch(None, "64", "256", ["16384", f"f32:{scale}", "f32[16384]", "f32[16384]"]),
            ).facet(Warps)
            for scale in (3, 1000000)
        )
    )
    assert max(large.block_instructions) > 2 * max(small.block_instructions)


def test_the_interval_reaches_to_where_a_loop_is_not_entered() -> None:
    """k_max_float that follows nothing: no lane has to swap if all maxima are there, as in later launches (5.0 us)."""
    args = ["1048576", "i32[1048576]@random(0,1024)", "f32[1048576]", "i32[1024]"]
    launch = replace(parse_launch(None, "4096", "256", args), start="cold")
    answer = predict(read_workload(KINDS / "k_max_float.sass.xz", launch), "h200")
    assert answer.interval_s is not None
    assert answer.interval_s[0] < 5.04e-6 < answer.interval_s[1]
    assert hardly_known(answer.interval_s, answer.details["uncertainty"]) == "unknown rounds"


def test_a_lock_may_be_held_by_every_other_block() -> None:
    """k_lock: 1024 blocks that take it in turn, 1.1 us each. Swaps that find what others have put are no locks."""
    args = ["i32[1]@constant(0)", "f32[1]", "f32[262144]"]
    answer = _predicted("k_lock", "1024", "256", args)
    assert answer.interval_s is not None
    assert answer.interval_s[1] > 1.0e-3
    assert hardly_known(answer.interval_s, answer.details["uncertainty"]) == "unknown rounds"
    kernel = listing.read(files.read_text(KINDS / "k_max_float.sass"))
    others = ["1024", "i32[1024]@random(0,64)", "f32[1024]", "i32[64]"]
    found = execute(kernel, parse_launch(None, "4", "256", others))
    assert not unknown_paths(kernel.instructions, found.instructions).locks


def test_the_interval_reaches_to_where_code_is_left_out() -> None:
    """k_last_block: only the last block adds up what all have found (6.7 us)."""
    answer = _predicted("k_last_block", "1024", "256", ["4194304", "f32[4194304]", "f32[1024]", "u32[1]", "f32[1]"])
    assert answer.interval_s is not None
    assert answer.interval_s[0] < 6.734e-6
    assert hardly_known(answer.interval_s, answer.details["uncertainty"]) == "optional code"


def test_paths_that_are_seldom_taken_widen_the_interval() -> None:
    """k_power_modulo: whether a product is above 32 bits, and its remainder takes a function of 60 instructions, is
    known of the first rounds only."""
    kernel = listing.read(files.read_text(KINDS / "k_power_modulo.sass"))
    args = ["1024", "u64:1000000007", "u32[1024]@random(2,1000000000)", "u32[1024]@random(1,2000000000)", "u64[1024]"]
    found = execute(kernel, parse_launch(None, "4", "256", args))
    paths = unknown_paths(kernel.instructions, found.instructions)
    assert paths.avoided > sum(found.block_instructions)
    assert _widths(_predicted("k_power_modulo", "4", "256", args))["paths not taken"] > 0.7


def test_loops_that_ordinary_numbers_do_not_end_soon_are_as_long_at_least(monkeypatch: pytest.MonkeyPatch) -> None:
    """k_rk45_adaptive: what was not followed to its end widens the interval by how far it was."""
    ordinary_numbers.resolved.cache_clear()
    args = ["1024", "f32[1024]", "f32:10", "f32[1024]"]
    monkeypatch.setattr(ordinary_numbers, "_LONGEST", 50_000)
    ordinary_numbers.resolved.cache_clear()
    unended = _predicted("k_rk45_adaptive", "8", "128", args)
    ordinary_numbers.resolved.cache_clear()
    assert _widths(unended)["unknown rounds"] > np.log(8)


def _swapped(kernel: str, start: str = "") -> dict[int, float]:
    code = listing.read(files.read_text(KINDS / f"{kernel}.sass.xz"))
    return without_swap(code.instructions, replace(parse_launch(None, "8", "256", []), start=start))


def test_maxima_are_there_after_an_equal_launch() -> None:
    """k_max_float: 5.0 us on an H200 when launched again and again; with words that are not known 700 us."""
    args = ["1048576", "i32[1048576]@random(0,1024)", "f32[1048576]", "i32[1024]"]
    answer = _predicted("k_max_float", "4096", "256", args)
    assert answer.time_s == pytest.approx(4.98e-6, rel=0.25)
    assert any("compare-and-swap" in note for note in answer.assumptions)
    assert list(_swapped("k_max_float").values()) == [1.0]


@pytest.mark.parametrize(("kernel", "start"), [("k_max_float", "cold"), ("k_add_double_cas", ""), ("k_lock", "")])
def test_other_swaps_are_as_little_known_as_before(kernel: str, start: str) -> None:
    assert _swapped(kernel, start) == {}
