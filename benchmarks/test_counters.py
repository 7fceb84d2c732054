"""The counter model: one prediction, a sweep of five code blocks over eight axes beside numpy, a long profile."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from five_blocks import EVENTS

import foretell
from foretell.core.facets.counts import CodeBlock, Count, Counts
from foretell.core.workload import Workload
from foretell.frontends.counters import read_profile
from foretell.machines import load

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

#: what one worker of an exploration evaluates at a time
POINTS = 1 << 16


@pytest.fixture(scope="module")
def case() -> Any:
    blocks = tuple(
        CodeBlock(f"block {n}", {e: Count(v * (1 + 0.1 * n * (e == "time")), "counter", e) for e, v in EVENTS.items()})
        for n in range(5)
    )
    counts = Counts(blocks, 16, 1, machine=load("blue-gene-q"))
    return foretell.prepare(Workload("five blocks", (counts,)), "blue-gene-q")


def test_one_prediction(benchmark: Any, case: Any) -> None:
    benchmark(case.predict)


def random_columns() -> dict[str, Any]:
    rng = np.random.default_rng(1)
    return {
        "cores.count": rng.integers(8, 64, POINTS).astype(float),
        "clock.frequency": rng.uniform(1e9, 3e9, POINTS),
        "level.L1.size": rng.uniform(8e3, 1e5, POINTS),
        "level.LLC.size": rng.uniform(4e6, 6e7, POINTS),
        "level.LLC.latency": rng.uniform(20, 60, POINTS),
        "memory.bandwidth": rng.uniform(1e10, 2e11, POINTS),
        "memory.latency": rng.uniform(100, 900, POINTS),
        "threads_per_core": rng.integers(1, 5, POINTS).astype(float),
    }


def test_sweep_of_eight_axes(benchmark: Any, case: Any) -> None:
    columns = random_columns()
    times = benchmark(case.model.sweep, case.workload, case.machine, case.settings, columns)
    peer = numpy_times(columns)
    assert np.allclose(times, peer, rtol=1e-9)
    ours = _cpu(lambda: case.model.sweep(case.workload, case.machine, case.settings, columns))
    benchmark.extra_info.update(
        designs_per_cpu_second=POINTS / ours,
        target="2e7 per second and core",
        times_faster_than_numpy=_cpu(lambda: numpy_times(columns)) / ours,
    )


def test_long_profile(benchmark: Any, tmp_path: Path) -> None:
    path = tmp_path / "cachegrind.out"
    body = "".join(f"fn=f{n % 1000}\n{n} 9 1 1 1 1 1 1 1 1\n" for n in range(50_000))
    path.write_text(
        "cmd: a\nevents: Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw\n" + body + "summary: 450000" + " 50000" * 8 + "\n"
    )
    benchmark(read_profile, [path])
    benchmark.extra_info["megabytes_per_second"] = path.stat().st_size / 1e6 / benchmark.stats["mean"]


def _cpu(work: Callable[[], object]) -> float:
    best = float("inf")
    for _ in range(10):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def numpy_times(c: dict[str, Any]) -> Any:
    """The default equations as a careful user of numpy writes them: constants of the baseline out of the way."""
    total = np.zeros(POINTS)
    cores, tpc, f = c["cores.count"], c["threads_per_core"], c["clock.frequency"]
    latency = c["memory.latency"] * f / 1.6e9
    l1_scale = np.sqrt(16384 / (c["level.L1.size"] / tpc))
    llc_scale = np.sqrt((16 * 2**20 / 16) / (c["level.LLC.size"] / (cores * tpc)))
    for n in range(5):
        base = 1e9 * (1 + 0.1 * n)
        inst_b = (0.75e9 + min(0.75e9 * 11 / 3, base)) / 2
        ipc_b = 0.75e9 / inst_b
        ilp_b, n_c = 11 / 3 * ipc_b, 5e9 / 16
        lat_b = (n_c + min(n_c * 7.05, base)) / 2
        mlp_b, bw_b = n_c / lat_b * 7.05, 4e7 / 16 * 128 / 1.09375
        wait = 1 - max(0, min(1, (inst_b + max(lat_b, bw_b) - base) / max(lat_b, bw_b)))
        free, d = base - wait * bw_b, wait * bw_b / 16
        own_b = base * free / (free + d) + d
        t_inst = 0.75e9 * 16 / cores * np.maximum(1, 11 / 3 / ilp_b)
        l1 = np.minimum(1, 0.06 * l1_scale)
        ddr = np.minimum(l1, 0.01 * llc_scale)
        aml = 3 * (1 - l1) + c["level.LLC.latency"] * (l1 - ddr) + latency * ddr
        t_lat = 5e9 / cores * np.maximum(1, aml / mlp_b)
        t_bw = 4e7 * ddr / 0.01 * 128 * f / c["memory.bandwidth"]
        overlap = (t_inst / inst_b + t_lat / lat_b) / 2 * (inst_b + lat_b - own_b)
        own = t_inst + t_lat - np.minimum(overlap, np.minimum(t_inst, t_lat))
        use = np.minimum(own, 8e9 / cores)
        own = np.maximum(_queued(tpc, own, use, 0.5), tpc * use) / tpc
        total += np.maximum(_queued(cores * tpc, own, np.minimum(own, wait * t_bw / (cores * tpc)), 0), t_bw)
    return total / f


def _queued(users: Any, alone: Any, wait: Any, over: float) -> Any:
    rest, busy = alone - wait, users * wait
    return (busy + rest + np.sqrt((busy - rest) ** 2 + 4 * wait * (rest - (users - 1) * over * wait))) / 2
