"""Predictions of recorded GPU kernels: how long one takes, and how that grows with the grid and with loops."""

from __future__ import annotations

import statistics
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import foretell.uses
from foretell import api, machines
from foretell.api import predict
from foretell.characterize.gpu.functional import Runner
from foretell.core.gpu.launch import Scalar
from foretell.core.gpu.warps import Warps
from foretell.frontends.gpu.launch import parse_launch, read_launches
from foretell.frontends.gpu.workload import read_workload
from foretell.models.gpu.block_sampling import sampled
from foretell.models.gpu.launched import prepare
from foretell.models.gpu.timing import Core
from foretell.uses.why import why

if TYPE_CHECKING:
    from foretell.core.gpu.launch import Launch
    from foretell.models.gpu.launched import Prepared
    from foretell.models.gpu.timing import Fold

GPU = Path(foretell.uses.__file__).parent / "recorded" / "gpu"
LAUNCHES = {launch.name: launch for launch in read_launches(GPU / "cases.toml")}


def _seconds(launch: Launch) -> float:
    """Processor time of reading the listing and predicting it."""
    start = time.process_time()
    predict(read_workload(GPU / f"{launch.kernel}.sass.xz", launch), machines.load("h200"))
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


#: of every sort: what computes, asks shared memory or L2 and memory, meets at barriers, is steered by data
STEPPED = (
    "fma_f32/full",
    "fma_f64/full",
    "wmma_peak/full",
    "roots/full",
    "nbody_shared/8192",
    "mandelbrot/1024",
    "black_scholes/L2",
    "matmul_tiled_32/1024",
    "matmul_registers/1024",
    "wmma_shared/1024",
    "stencil3d_march/DRAM",
    "softmax/L2",
    "spmv_vector/L2",
    "reduce_shuffle/DRAM",
    "barriers/1024",
)


def _prepared(case: str) -> tuple[Warps, Prepared, list[int]]:
    facet = read_workload(GPU / f"{LAUNCHES[case].kernel}.sass.xz", LAUNCHES[case]).facet(Warps)
    whole = prepare(facet, machines.load("h200"), warm=True, fold="no")
    return facet, whole, whole.work.order(whole.mine, min(whole.mine, whole.resident))


def test_timing_core(benchmark: Any) -> None:
    """Warp instructions a second, stepped one by one: of each kernel, and of all together."""

    def measured() -> dict[str, tuple[float, float]]:
        return {case: _best_run(*_prepared(case), "no") for case in STEPPED}

    found = benchmark.pedantic(measured, rounds=1)
    rates = {case: round(stepped / seconds / 1e6, 1) for case, (seconds, stepped) in found.items()}
    benchmark.extra_info["stepped_million_per_s"] = rates
    total = sum(stepped for _, stepped in found.values()) / sum(seconds for seconds, _ in found.values())
    benchmark.extra_info["all_million_per_s"] = round(total / 1e6, 1)


@pytest.mark.parametrize("case", ["fma_f32/full", "nbody_shared/8192"])
def test_loops_cut_short(benchmark: Any, case: str) -> None:
    """Warp instructions accounted for in a second."""
    facet, whole, order = _prepared(case)
    _, stepped = _best_run(facet, whole, order, "no")
    seconds, _ = benchmark.pedantic(lambda: _best_run(facet, whole, order, "yes"), rounds=1)
    benchmark.extra_info["accounted_for_million_per_s"] = round(stepped / seconds / 1e6, 1)


def _best_run(facet: Warps, whole: Prepared, order: list[int], fold: Fold) -> tuple[float, float]:
    """Least processor time of runs by cores that remember nothing, and the warp instructions of one."""
    times = []
    for _ in range(7):
        core = Core(sampled(facet)[0], whole.resident, fold=fold)
        start = time.process_time()
        timing = core.run(whole.ops, whole.there, order)
        times.append(time.process_time() - start)
    return min(times), float(timing.executions.sum())


def test_median_explanation(benchmark: Any) -> None:
    """`why` of every twelfth recorded case. Target: median 2 s."""
    chosen = list(LAUNCHES.values())[::12]

    def seconds(launch: Launch) -> float:
        start = time.process_time()
        why(api.prepare(read_workload(GPU / f"{launch.kernel}.sass.xz", launch), machines.load("h200")))
        return time.process_time() - start

    times = benchmark.pedantic(lambda: sorted(map(seconds, chosen)), rounds=1)
    benchmark.extra_info["cases"] = len(times)
    benchmark.extra_info["median_s"] = round(statistics.median(times), 3)
    benchmark.extra_info["largest_s"] = round(times[-1], 3)


@pytest.mark.parametrize("case", ["matmul_naive/256", "stencil3d_march/DRAM", "fma_f32/full"])
def test_functional_core(benchmark: Any, case: str) -> None:
    """Warp-instructions a second, one block."""
    facet = read_workload(GPU / f"{LAUNCHES[case].kernel}.sass.xz", LAUNCHES[case]).facet(Warps)
    runner = Runner(facet.kernel, facet.launch)

    def seconds() -> float:
        start = time.process_time()
        runner.run((5,))
        return time.process_time() - start

    best = benchmark.pedantic(lambda: min(seconds() for _ in range(7)), rounds=1)
    rate = runner.run((5,)).block_instructions()[0] / best
    benchmark.extra_info["million_instructions_per_s"] = round(rate / 1e6, 2)
