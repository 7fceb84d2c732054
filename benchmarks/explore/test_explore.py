"""Exploration: designs a second beside chunked numpy, what the engine adds to the model, fronts, and memory."""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from foretell.api import sweep
from foretell.core.columns.space import CHUNK
from foretell.uses import explore as use
from foretell.uses import pareto
from foretell.uses.explore import engine, evaluate
from foretell.uses.validate import KERNELS
from tests.support.caches.nests import TILED

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SPACE = """machine = "sw26010"
[[application]]
code = "example:vector-add"
[axes]
"memory.bandwidth" = { from = "16 GB/s", to = "128 GB/s", count = 29 }
"clock.frequency" = { from = "1 GHz", to = "2 GHz", count = 21 }
"memory.latency" = { from = "100 cycle", to = "400 cycle", count = 31 }
"memory.delta_delay" = { from = "10 cycle", to = "100 cycle", count = 19 }
"pipeline.floating.latency" = { from = "4 cycle", to = "12 cycle", step = "1 cycle" }
N = [256, 512, 1024]
[options]
overlap = "virtual_groups"
[objectives]
minimise = OBJECTIVES
"""


@pytest.fixture(params=['["time"]', '["time", "power"]'])
def study(request: Any, tmp_path: Path) -> Any:
    path = tmp_path / "space.toml"
    path.write_text(SPACE.replace("OBJECTIVES", request.param))
    return use.prepare_study(path)


def test_a_block_of_designs(benchmark: Any, study: Any) -> None:
    """Grid, model, objectives, front, best and histogram; the model alone, and chunked numpy, in the same run."""
    packed = evaluate.pack(study)
    evaluate.work(packed, 0)
    first, last = study.block(0)
    points = last - first
    benchmark(evaluate.work, packed, 1)
    chunks = [study.space.block(start, min(last, start + CHUNK)) for start in range(first, last, CHUNK)]
    case = study.cases[0]
    ours = _cpu(lambda: evaluate.work(packed, 0))
    model = _cpu(lambda: [sweep(case, columns) for columns in chunks])
    peer = _cpu(lambda: [_numpy(columns) for columns in chunks])
    assert np.allclose(sweep(case, chunks[0]), _numpy(chunks[0]), rtol=1e-12)
    benchmark.extra_info.update(
        designs_per_cpu_second=points / ours,
        sweep_alone_per_cpu_second=points / model,
        engine_adds=ours / model - 1,
        times_faster_than_this_one_kernel_by_hand_in_chunked_numpy=peer / ours,
        target="1e6 per second and core; the engine adds at most 20 %",
    )


@pytest.mark.parametrize("objectives", [2, 3, 4])
def test_front_of_a_million_points(benchmark: Any, objectives: int) -> None:
    rng = np.random.default_rng(1)
    columns = [rng.random(1_000_000) for _ in range(objectives)]
    found = benchmark(pareto.front, columns)
    benchmark.extra_info.update(cpu_seconds=_cpu(lambda: pareto.front(columns)), front=found.size, target="1 s")


def test_two_workers(benchmark: Any, study: Any) -> None:
    def seconds(workers: int) -> float:
        blocks = range(min(48, study.blocks))
        start = time.perf_counter()
        for _ in engine.compute(study, blocks, engine.processes(workers)):
            pass
        return time.perf_counter() - start

    seconds(2)
    one, two = min(seconds(1) for _ in range(2)), min(seconds(2) for _ in range(2))
    benchmark.pedantic(seconds, args=(2,), rounds=1)
    benchmark.extra_info.update(two_workers_are_faster_by=one / two, target="1.8 on a quiet machine of two cores")


def test_memory_of_a_large_space(benchmark: Any, tmp_path: Path) -> None:
    """The resident size while 10^9 designs are explored; it is flat, so a part of them shows it."""
    path = tmp_path / "space.toml"
    large = SPACE.replace("count = 29", "count = 1450").replace("count = 31", "count = 300")
    path.write_text(large.replace("OBJECTIVES", '["time", "power"]'))
    script = (
        "import sys; from foretell.uses import explore as u; from foretell.uses.explore import engine;"
        "s = u.prepare_study(sys.argv[1]);"
        "list(engine.compute(s, range(4), engine.serial())); print(s.space.size)"
    )

    def explore() -> float:
        result = subprocess.run([sys.executable, "-c", script, path], check=True, capture_output=True, text=True)
        assert int(result.stdout) > 10**9
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024

    benchmark.extra_info.update(resident_MiB=explore(), target="under 400 MiB")
    benchmark.pedantic(explore, rounds=1)


FLATTENED = "void update(int n, int m, double *a) { for (int i = 0; i < n * m; i++) a[i] = 0.5 * a[i]; }"
SIZES = """machine = "sapphire-rapids"
[[application]]
code = "CODE"
[axes]
AXES
"memory.bandwidth" = { from = "20 GB/s", to = "300 GB/s", count = 10 }
"level.L2.size" = { from = "256 KiB", to = "4 MiB", count = 10 }
"clock.frequency" = { from = "1 GHz", to = "3 GHz", count = 10 }
"""


@pytest.mark.parametrize(
    "kernel",
    ["jacobi5", "jacobi7", "jacobi27", "matmul_ijk", "matmul_ikj", "triangle", "curl", "triad", "tiled", "flattened"],
)
def test_sizes_of_code(benchmark: Any, tmp_path: Path, kernel: str) -> None:
    """A million designs of a thousand sizes, the code made and followed anew; then the same when that is known."""
    (tmp_path / "tiled.c").write_text(TILED)
    code, axes = KERNELS / f"{kernel}.c", "n = { from = 50, to = 1049, step = 1 }"
    if kernel == "tiled":
        code, axes = tmp_path / "tiled.c", "n = '96:1086:10'\nT = [8, 16, 20, 24, 32, 40, 48, 64, 80, 96]"
    if kernel == "flattened":
        code, axes = tmp_path / "flattened.c", "n = '50:149:1'\nm = '64:73:1'"
        code.write_text(FLATTENED)
    path = tmp_path / "space.toml"
    path.write_text(SIZES.replace("CODE", str(code)).replace("AXES", axes))
    study = use.prepare_study(path)

    def seconds() -> float:
        start = time.process_time()
        for _ in engine.compute(study, range(study.blocks), engine.serial()):
            pass
        return time.process_time() - start

    from foretell.models.cpu.incore import cycles as model

    model._analysed.cache_clear()  # what preparing the study has looked at
    first = seconds()
    benchmark.pedantic(seconds, rounds=3)
    benchmark.extra_info.update(
        million_designs_per_cpu_second=study.space.size / first / 1e6,
        when_known=study.space.size / min(seconds() for _ in range(3)) / 1e6,
        target="1",
    )


def _cpu(work: Callable[[], object]) -> float:
    """The least CPU time of five runs: other work on the machine does not count."""
    found = []
    for _ in range(5):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return min(found)


def _numpy(columns: dict[str, Any]) -> Any:
    """The vector addition written out in numpy: the peer of the compiled sweep."""
    bandwidth, base, delta = (columns[f"memory.{name}"] for name in ("bandwidth", "latency", "delta_delay"))
    clock, n, floating = columns["clock.frequency"], columns["N"], columns["pipeline.floating.latency"]
    c = 256 * clock / bandwidth
    active = np.minimum(64, n)
    rows = np.ceil(n / active)
    per_array = np.ceil(8 * n / 256)
    total = np.zeros_like(n)
    transactions = np.zeros_like(n)
    for mrt in (2 * per_array, per_array):
        total += rows * np.maximum(base + (mrt - 1) * delta, active * mrt * c)
        transactions += rows * mrt
    average = transactions / (2 * rows)
    mrp = np.maximum(1, np.floor((base + (average - 1) * delta) / (c * average)))
    groups = np.maximum(1, np.ceil(active / mrp))
    compute = (floating + 3 * 3) * n * rows
    overlap = np.minimum(compute, (1 - 1 / groups) * (1 - 1 / (2 * rows)) * total)
    return (total + compute - overlap) / clock
