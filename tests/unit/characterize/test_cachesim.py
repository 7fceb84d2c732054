"""The cache simulator: small cases by hand, the printed stencil regimes, and cachegrind."""

from __future__ import annotations

import re
import shutil
import subprocess
import time
from typing import TYPE_CHECKING

import numpy as np
import pytest

from foretell.characterize.simulate.cachesim import CacheLevel, Counts, Loop, Nest, Reference, Simulation, simulate
from foretell.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path


def misses(level: CacheLevel, lines: list[int]) -> list[int]:
    """Which accesses to these lines miss."""
    simulation = Simulation((level,), ("a",))
    missed = []
    for position, line in enumerate(lines):
        before = simulation.counts().levels[0].misses
        simulation.run_addresses([line * level.line])
        if simulation.counts().levels[0].misses > before:
            missed.append(position)
    return missed


def test_the_least_recently_used_line_leaves() -> None:
    """1 2 3 4, 1 again, 5 comes and 2 leaves."""
    level = CacheLevel("C", 4 * 64, 64)
    assert misses(level, [1, 2, 3, 4, 1, 5, 6]) == [0, 1, 2, 3, 5, 6]
    left = [line for line in (1, 2, 3, 4) if misses(level, [1, 2, 3, 4, 1, 5, line])[-1] == 6]
    assert left == [2]


def copy_nest(count: int) -> Nest:
    return Nest((Loop(0, count),), (Reference("a", 0, (8,)), Reference("b", 1 << 20, (8,), "store")))


def test_copy_moves_what_the_hand_says() -> None:
    """800 elements, 100 lines each; the cache holds 16 lines in all."""
    level = CacheLevel("C", 16 * 64, 64, 4)
    counts = simulate([level], [copy_nest(800)])
    assert counts.levels[0] == Counts(hits=1400, misses=200, evictions=184, writebacks=92)
    assert (counts.memory_reads, counts.memory_writes, counts.dirty) == (200, 92, (8,))


def row_stencil(n: int) -> Nest:
    """7-point stencil, one access for each row that a row of results needs."""
    strides = (8 * n * n, 8 * n)
    offsets = ((0, -1), (0, 0), (0, 1), (-1, 0), (1, 0))
    rows = [Reference(f"u{o}", o[0] * strides[0] + o[1] * strides[1], strides, "load", 8 * n) for o in offsets]
    return Nest((Loop(1, n - 1),) * 2, (*rows, Reference("v", 8 * n**3, strides, "store", 8 * n)))


@pytest.mark.parametrize(
    ("planes", "reads"), [(0.03, 5.88), (0.06, 3.94), (1.0, 3.94), (3.7, 3.94), (3.9, 2.97), (3.95, 1.98)]
)
def test_stencil_regimes_of_a_fully_associative_cache(planes: float, reads: float) -> None:
    """Decision EX-9: planes read per updated plane against planes of cache, N = 100, lines are rows."""
    n = 100
    counts = simulate([CacheLevel("C", round(planes * n) * 8 * n, 8 * n)], [row_stencil(n)])
    assert counts.memory_reads / n / (n - 2) == pytest.approx(reads, rel=0.011)


def point_stencil(n: int) -> Nest:
    strides = (8 * n * n, 8 * n, 8)
    offsets = ((0, 0, 0), (0, 0, -1), (0, 0, 1), (0, -1, 0), (0, 1, 0), (-1, 0, 0), (1, 0, 0))
    reads = [Reference(f"u{o}", sum(a * b for a, b in zip(o, strides, strict=True)), strides) for o in offsets]
    return Nest((Loop(1, n - 1),) * 3, (*reads, Reference("v", 8 * n**3, strides, "store")))


def matmul(n: int) -> Nest:
    a, b, c = (k * 8 * n * n for k in range(3))
    row, column = 8 * n, 8
    return Nest(
        (Loop(0, n),) * 3,
        (
            Reference("a", a, (row, 0, column)),
            Reference("b", b, (0, column, row)),
            Reference("c", c, (row, column, 0), "store"),
        ),
    )


C_CODE = """
static double d[1 << 20] __attribute__((aligned(1 << 20)));
enum {{ N = {n} }};
__attribute__((noinline)) void kernel(volatile double *u) {{
    {body}
}}
int main(int count, char **words) {{ if (count > 1) kernel(d); return words == 0; }}
"""
BODIES = {
    "stencil": """for (long k = 1; k < N - 1; ++k) for (long j = 1; j < N - 1; ++j) for (long i = 1; i < N - 1; ++i) {
        volatile double *p = u + (k * N + j) * N + i;
        p[N * N * N] = p[0] + p[-1] + p[1] + p[-N] + p[N] + p[-N * N] + p[N * N]; }""",
    "matmul": """for (long i = 0; i < N; ++i) for (long j = 0; j < N; ++j) for (long k = 0; k < N; ++k)
        u[2 * N * N + i * N + j] = u[i * N + k] * u[N * N + k * N + j];""",
}
LEVELS = [CacheLevel("D1", 16384, 64, 4), CacheLevel("LL", 262144, 64, 8)]


@pytest.mark.skipif(not (shutil.which("valgrind") and shutil.which("gcc")), reason="valgrind or gcc is not installed")
@pytest.mark.parametrize(("name", "n", "nest"), [("stencil", 48, point_stencil(48)), ("matmul", 100, matmul(100))])
def test_agrees_with_cachegrind(name: str, n: int, nest: Nest, tmp_path: Path) -> None:
    source = tmp_path / "kernel.c"
    source.write_text(C_CODE.format(n=n, body=BODIES[name]))
    subprocess.run(["gcc", "-O1", "-static", source, "-o", tmp_path / "kernel"], check=True)
    without, with_kernel = (cachegrind(tmp_path, *words) for words in ((), ("run",)))
    ours = simulate(LEVELS, [nest])
    # The start of the program is in both runs; it disturbs some lines of the kernel.
    for level, events in zip(ours.levels, (("D1mr", "D1mw"), ("DLmr", "DLmw")), strict=True):
        theirs = sum(with_kernel[event] - without[event] for event in events)
        assert level.misses == pytest.approx(theirs, rel=0.002, abs=80)


def cachegrind(folder: Path, *words: str) -> dict[str, int]:
    """The sums over the whole program."""
    out = folder / "cachegrind"
    command = ["valgrind", "--tool=cachegrind", "--cache-sim=yes", f"--cachegrind-out-file={out}"]
    command += ["--D1=16384,4,64", "--LL=262144,8,64", str(folder / "kernel"), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.skip(f"valgrind does not run here: {done.stderr[-200:]}")
    text = out.read_text()
    names, sums = (re.search(rf"^{key}: (.*)$", text, re.MULTILINE) for key in ("events", "summary"))
    assert names
    assert sums
    return dict(zip(names[1].split(), map(int, sums[1].split()), strict=True))


@pytest.mark.parametrize(
    ("level", "message"),
    [
        (CacheLevel("C", 100, 64), "not a positive multiple"),
        (CacheLevel("C", 64, 0), "not a positive multiple"),
        (CacheLevel("C", 3 * 64, 64, 2), "cannot be divided"),
        (CacheLevel("C", 1 << 50, 64), "more than the simulator holds"),
    ],
)
def test_impossible_levels_are_refused(level: CacheLevel, message: str) -> None:
    with pytest.raises(InputError, match=message):
        simulate([level], [copy_nest(1)])


@pytest.mark.parametrize(
    ("nest", "message"),
    [
        (Nest((), ()), "at least one loop"),
        (Nest((Loop(0, 1, 0),), (Reference("a", 0, (8,)),)), "step of 0"),
        (Nest((Loop(0, 1),), (Reference("a", 0, (8, 8)),)), "needs 1 strides"),
        (Nest((Loop(0, 1),), (Reference("a", 0, (8,), "load", 0),)), "0 bytes"),
        (Nest((Loop(0, 9),), (Reference("a", 0, (-8,)),)), "negative address"),
        (Nest((Loop(0, 1 << 62),), (Reference("a", 0, (8,)),)), "do not fit 64 bits"),
        (Nest((Loop(0, 1 << 70),), (Reference("a", 0, (8,)),)), "does not fit 64 bits"),
        (Nest((Loop(0, 1 << 40),), (Reference("a", 0, (8,)),)), "more accesses than the limit"),
    ],
)
def test_impossible_nests_are_refused(nest: Nest, message: str) -> None:
    with pytest.raises(InputError, match=message):
        simulate([CacheLevel("C", 64, 64)], [nest] if nest.loops else [copy_nest(1), nest])


def test_lists_of_addresses_are_checked() -> None:
    simulation = Simulation((CacheLevel("C", 64, 64),), ("a",))
    for arguments in ({"kinds": 2}, {"references": 1}, {"size": 0}):
        with pytest.raises(InputError):
            simulation.run_addresses([0], **arguments)
    with pytest.raises(InputError, match="below 2"):
        simulation.run_addresses([2**62])
    with pytest.raises(InputError, match="at least one level"):
        Simulation((), ("a",))
    with pytest.raises(InputError, match="in this order"):
        simulation.run(copy_nest(1))


def test_zero_trips_access_nothing() -> None:
    assert simulate([CacheLevel("C", 64, 64)], [copy_nest(0)]).accesses == 0


def test_what_waits_is_answered_when_a_run_breaks_off() -> None:
    """Requests to outer levels wait; a limit in the middle of a nest leaves counts that balance."""
    simulation = Simulation((CacheLevel("L1", 512, 64, 2), CacheLevel("L2", 4096, 64, 4)), ("a",))
    nest = Nest((Loop(0, 50), Loop(0, 8)), (Reference("a", 0, (64, 4096)),))
    with pytest.raises(InputError, match="limit"):
        simulation.run(nest, limit=200)
    inner, outer = simulation.counts().levels
    assert inner.misses == outer.hits + outer.misses > 0


def test_filling_a_large_level_without_sets_takes_time_by_accesses_alone() -> None:
    """300,000 lines into a million empty slots; a search through those for each would take minutes."""
    simulation = Simulation((CacheLevel("L3", 64 << 20),), ("a",))
    start = time.process_time()
    simulation.run_addresses(64 * np.arange(300_000, dtype=np.uint64))
    assert time.process_time() - start < 5.0
    assert simulation.counts().levels[0].misses == 300_000
