"""The cache simulator: accesses per second and core on affine streams, and on a list of addresses."""

from __future__ import annotations

import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from foretell.characterize.simulate.cachesim import CacheLevel, Loop, Nest, Reference, Simulation, simulate

LEVELS = (CacheLevel("L1", 48 << 10, 64, 12), CacheLevel("L2", 2 << 20, 64, 16), CacheLevel("L3", 32 << 20, 64, 16))


def stencil(n: int) -> Nest:
    """7-point, 8 accesses an update."""
    strides = (8 * n * n, 8 * n, 8)
    offsets = ((0, 0, 0), (0, 0, -1), (0, 0, 1), (0, -1, 0), (0, 1, 0), (-1, 0, 0), (1, 0, 0))
    reads = [Reference(f"u{o}", sum(a * b for a, b in zip(o, strides, strict=True)), strides) for o in offsets]
    return Nest((Loop(1, n - 1),) * 3, (*reads, Reference("v", 8 * n**3, strides, "store")))


def matmul(n: int) -> Nest:
    """ijk order: one access in three goes down a column."""
    a, b, c = (k * 8 * n * n for k in range(3))
    return Nest(
        (Loop(0, n),) * 3,
        (Reference("a", a, (8 * n, 0, 8)), Reference("b", b, (0, 8, 8 * n)), Reference("c", c, (8 * n, 8, 0), "store")),
    )


def triad(n: int) -> Nest:
    """Every line comes from memory and is used once."""
    arrays = [Reference(name, k * 8 * n, (8,)) for k, name in enumerate("bc")]
    return Nest((Loop(0, n),), (*arrays, Reference("a", 2 * 8 * n, (8,), "store")))


def transpose(n: int) -> Nest:
    """Every second access goes to another line than the one before it."""
    return Nest((Loop(0, n),) * 2, (Reference("a", 0, (8, 8 * n)), Reference("b", 8 * n * n, (8 * n, 8), "store")))


def columns(n: int) -> Nest:
    """Every access goes to another line: a triad down columns."""
    a, b, c = (k * 8 * n * n for k in range(3))
    down = (8, 8 * n)
    return Nest((Loop(0, n),) * 2, (Reference("a", a, down), Reference("b", b, down), Reference("c", c, down, "store")))


def records(n: int, apart: int) -> Nest:
    """A load and a store, each access another line or page, that is in no level."""
    return Nest((Loop(0, n),), (Reference("a", 0, (apart,)), Reference("b", apart * n, (apart,), "store")))


def rows_of_records(n: int) -> Nest:
    """The same in short rows: no row is long enough for a level to repeat itself in it."""
    row = 64 * (n + 12)
    return Nest((Loop(0, n),) * 2, (Reference("a", 0, (row, 64)), Reference("b", row * n, (row, 64), "store")))


def page_columns(rows: int, columns: int) -> Nest:
    """Rows of a page: columns fall into few sets."""
    return Nest(
        (Loop(0, columns), Loop(0, rows)),
        (Reference("a", 0, (8, 4096)), Reference("b", 4096 * rows, (8, 4096), "store")),
    )


NESTS = {
    "7-point": stencil(128),
    "product of 128": matmul(128),
    "product of 500": matmul(500),
    "triad": triad(3_000_000),
    "transpose of 1000": transpose(1000),
    "transpose of 1024": transpose(1024),
    "transpose of 2048": transpose(2048),
    "transpose of 4096": transpose(4096),
    "triad down columns": columns(1500),
    "a line apart": records(2_000_000, 64),
    "a page apart": records(2_000_000, 4096),
    "columns of pages": page_columns(8192, 128),
    "short rows, a line apart": rows_of_records(1000),
}


@pytest.fixture(scope="module")
def textbook(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which("c++") or shutil.which("g++")
    if compiler is None:
        pytest.skip("no C++ compiler for the simulator to compare with")
    program = tmp_path_factory.mktemp("peer") / "textbook_lru"
    source = Path(__file__).parent / "peers" / "textbook_lru.cpp"
    subprocess.run([compiler, "-std=c++17", "-O3", str(source), "-o", str(program)], check=True)
    return program


@pytest.mark.parametrize(("name", "nest"), NESTS.items())
def test_affine_stream(benchmark: Any, textbook: Path, name: str, nest: Nest) -> None:
    """Beside a textbook simulator on the same accesses, which has to count the same misses."""
    best = min(_cpu(nest) for _ in range(5))
    counts = benchmark.pedantic(simulate, (LEVELS, [nest]), rounds=3)
    seconds, *misses = subprocess.run(
        [textbook, *_words(nest)], capture_output=True, text=True, check=True
    ).stdout.split()
    assert [level.misses for level in counts.levels] == [int(word) for word in misses]
    benchmark.extra_info.update(
        stream=name,
        million_accesses_per_cpu_second=counts.accesses / best / 1e6,
        limit=100.0,
        times_a_textbook=float(seconds) / best,
    )


def _cpu(nest: Nest) -> float:
    start = time.process_time()
    simulate(LEVELS, [nest])
    return time.process_time() - start


def _words(nest: Nest) -> list[str]:
    """A nest with constant bounds as the textbook simulator reads it."""
    loops = [(loop.first, loop.end) for loop in nest.loops]
    words = [str(end - first) for first, end in loops if isinstance(first, int) and isinstance(end, int)]
    for item in nest.references:
        start = item.base + sum(
            stride * first for stride, (first, _) in zip(item.strides, loops, strict=True) if isinstance(first, int)
        )
        words += [":", item.kind[0], str(start), *map(str, item.strides)]
    return words


def test_list_of_random_addresses(benchmark: Any) -> None:
    addresses = np.random.default_rng(1).integers(0, 64 << 20, 1_000_000, dtype=np.uint64)

    def run() -> float:
        start = time.process_time()
        Simulation(LEVELS, ("a",)).run_addresses(addresses)
        return time.process_time() - start

    benchmark.pedantic(run, rounds=3)
    best = min(run() for _ in range(5))
    benchmark.extra_info.update(million_accesses_per_cpu_second=len(addresses) / best / 1e6)
