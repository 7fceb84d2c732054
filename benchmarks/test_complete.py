"""Complete execution of kernels: warp instructions per second of processor time, on one thread."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

from foretell.characterize.gpu import complete
from tests.support.complete import program

_MODULES = {
    "monte_carlo": "floating",
    "gemm_shared": "floating",
    "stencil": "floating",
    "bitonic_sort": "integer",
    "early_exits": "integer",
}


def _arguments(name: str) -> tuple[tuple[int, int, int], tuple[int, int, int], list[Any], int]:
    real = np.ones(1 << 18, np.float32)
    words = np.arange(1 << 18, dtype=np.uint32)
    return {
        "monte_carlo": ((64, 1, 1), (128, 1, 1), [words[:1], 1000], 0),
        "gemm_shared": ((16, 16, 1), (16, 16, 1), [real, real.copy(), real.copy(), 256], 0),
        "stencil": ((16, 64, 1), (32, 8, 1), [real, real.copy(), 512, 512], 0),
        "bitonic_sort": ((64, 1, 1), (512, 1, 1), [words], 2048),
        "early_exits": ((256, 1, 1), (128, 1, 1), [words, words.copy(), 32768], 0),
    }[name]


@pytest.mark.parametrize("name", sorted(_MODULES))
def test_instructions_per_second(benchmark: Any, name: str) -> None:
    """Target: 15 million of one core for FP32 and integer code."""
    own = program(_MODULES[name], name)
    grid, block, arguments, shared = _arguments(name)

    def run() -> float:
        start = time.process_time()
        record = complete.run(own, None, grid, block, arguments, dynamic_shared=shared, threads=1)
        assert record.error is None
        return record.instructions / (time.process_time() - start)

    run()
    rates = [benchmark.pedantic(run, rounds=1), run(), run()]
    benchmark.extra_info["million_warp_instructions_per_s"] = round(max(rates) / 1e6, 1)


def test_two_threads(benchmark: Any) -> None:
    """Target: 30 million warp instructions per second of wall time on two cores, so 10^9 take half a minute; FP32 code.
    The ratio to one thread in the same run says how it scales (a busy machine shows less)."""
    own = program("floating", "monte_carlo")
    words = np.zeros(1, np.uint32)

    def run(threads: int) -> float:
        start = time.perf_counter()
        record = complete.run(own, None, (256, 1, 1), (128, 1, 1), [words, 2000], threads=threads)
        assert record.error is None
        return record.instructions / (time.perf_counter() - start)

    run(2)
    single = max(run(1) for _ in range(3))
    both = max(benchmark.pedantic(run, args=(2,), rounds=1), run(2), run(2))
    benchmark.extra_info["million_warp_instructions_per_s"] = round(both / 1e6, 1)
    benchmark.extra_info["ratio_to_one_thread"] = round(both / single, 2)
    benchmark.extra_info["seconds_of_10^9"] = round(1e9 / both, 1)
