"""The cache simulator: accesses per second and core on affine streams, and on a list of addresses."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

from foretell.characterize.cachesim import CacheLevel, Loop, Nest, Reference, Simulation, simulate

LEVELS = (
    CacheLevel("L1", 48 << 10, 64, 12),
    CacheLevel("L2", 2 << 20, 64, 16),
    CacheLevel("L3", 32 << 20, 64, 16),
)


def stencil(n: int) -> Nest:
    """7-point, 8 accesses an update."""
    strides = (8 * n * n, 8 * n, 8)
    offsets = ((0, 0, 0), (0, 0, -1), (0, 0, 1), (0, -1, 0), (0, 1, 0), (-1, 0, 0), (1, 0, 0))
    reads = [
        Reference(f"u{o}", sum(a * b for a, b in zip(o, strides, strict=True)), strides) for o in offsets
    ]
    return Nest((Loop(1, n - 1),) * 3, (*reads, Reference("v", 8 * n**3, strides, "store")))


def matmul(n: int) -> Nest:
    """ijk order: one access in three goes down a column."""
    a, b, c = (k * 8 * n * n for k in range(3))
    return Nest(
        (Loop(0, n),) * 3,
        (
            Reference("a", a, (8 * n, 0, 8)),
            Reference("b", b, (0, 8, 8 * n)),
            Reference("c", c, (8 * n, 8, 0), "store"),
        ),
    )


def triad(n: int) -> Nest:
    """Every line comes from memory and is used once."""
    arrays = [Reference(name, k * 8 * n, (8,)) for k, name in enumerate("bc")]
    return Nest((Loop(0, n),), (*arrays, Reference("a", 2 * 8 * n, (8,), "store")))


def transpose(n: int) -> Nest:
    """Every second access goes to another line than the one before it."""
    return Nest(
        (Loop(0, n),) * 2,
        (Reference("a", 0, (8, 8 * n)), Reference("b", 8 * n * n, (8 * n, 8), "store")),
    )


def columns(n: int) -> Nest:
    """Every access goes to another line: a triad down columns."""
    a, b, c = (k * 8 * n * n for k in range(3))
    down = (8, 8 * n)
    return Nest(
        (Loop(0, n),) * 2,
        (Reference("a", a, down), Reference("b", b, down), Reference("c", c, down, "store")),
    )


NESTS = {
    "7-point": stencil(128),
    "matmul": matmul(200),
    "matmul of 500 rows": matmul(500),
    "triad": triad(3_000_000),
    "transpose": transpose(2000),
    "transpose of a power of two": transpose(2048),
    "triad down columns": columns(1500),
}


@pytest.mark.parametrize(("name", "nest"), NESTS.items())
def test_affine_stream(benchmark: Any, name: str, nest: Nest) -> None:
    best = min(_cpu(nest) for _ in range(5))
    counts = benchmark.pedantic(simulate, (LEVELS, [nest]), rounds=3)
    benchmark.extra_info.update(
        stream=name, million_accesses_per_cpu_second=counts.accesses / best / 1e6, limit=100.0
    )


def _cpu(nest: Nest) -> float:
    start = time.process_time()
    simulate(LEVELS, [nest])
    return time.process_time() - start


def test_list_of_random_addresses(benchmark: Any) -> None:
    addresses = np.random.default_rng(1).integers(0, 64 << 20, 1_000_000, dtype=np.uint64)

    def run() -> None:
        Simulation(LEVELS, ("a",)).run_addresses(addresses)

    benchmark.pedantic(run, rounds=3)
    benchmark.extra_info.update(accesses=len(addresses))
