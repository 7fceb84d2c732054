"""Predictions of recorded GPU kernels: how long one takes, and how that grows with the grid and with loops."""

from __future__ import annotations

import statistics
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import foretell.uses
from foretell import machines
from foretell.characterize.functional import execute
from foretell.core.launch import Scalar
from foretell.core.warps import Warps
from foretell.door import predict
from foretell.frontends.launch import parse_launch, read_launches
from foretell.frontends.sass.workload import read_workload

if TYPE_CHECKING:
    from foretell.core.launch import Launch

GPU = Path(foretell.uses.__file__).parent / "recorded" / "gpu"
LAUNCHES = {launch.name: launch for launch in read_launches(GPU / "cases.toml")}


def _seconds(launch: Launch) -> float:
    """Processor time of reading the listing and predicting it."""
    start = time.process_time()
    predict(read_workload(GPU / f"{launch.kernel}.sass", launch), machines.load("h200"))
    return time.process_time() - start


def test_median_prediction(benchmark: Any) -> None:
    """Every fifth recorded case. Target: median 0.3 s."""
    chosen = list(LAUNCHES.values())[::5]
    _seconds(chosen[0])  # imports
    times = benchmark.pedantic(lambda: sorted(map(_seconds, chosen)), rounds=1)
    benchmark.extra_info["cases"] = len(times)
    benchmark.extra_info["median_s"] = round(statistics.median(times), 3)
    benchmark.extra_info["p90_s"] = round(times[int(0.9 * len(times))], 3)
    benchmark.extra_info["largest_s"] = round(times[-1], 3)


@pytest.mark.parametrize("blocks", [2**10, 2**14, 2**18, 2**22])
def test_growth_with_the_grid(benchmark: Any, blocks: int) -> None:
    count = 256 * blocks
    launch = parse_launch("triad_f32", str(blocks), "256", [*[f"f32[{count}]"] * 3, "f32:0.5", str(count)])
    benchmark.extra_info["seconds"] = round(benchmark.pedantic(lambda: _seconds(launch), rounds=1), 3)


@pytest.mark.parametrize("rounds", [2**8, 2**10, 2**12, 2**14])
def test_growth_with_a_loop(benchmark: Any, rounds: int) -> None:
    launch = LAUNCHES["fma_f32/full"]
    longer = replace(launch, arguments=(launch.arguments[0], Scalar(rounds)))
    benchmark.extra_info["seconds"] = round(benchmark.pedantic(lambda: _seconds(longer), rounds=1), 3)


@pytest.mark.parametrize("case", ["matmul_naive/256", "stencil3d_march/DRAM", "fma_f32/full"])
def test_functional_core(benchmark: Any, case: str) -> None:
    """Warp-instructions a second, one block."""
    facet = read_workload(GPU / f"{LAUNCHES[case].kernel}.sass", LAUNCHES[case]).facet(Warps)
    run = benchmark(lambda: execute(facet.kernel, facet.launch, (5,)))
    rate = run.block_instructions[0] / benchmark.stats.stats.min
    benchmark.extra_info["million_instructions_per_s"] = round(rate / 1e6, 2)
