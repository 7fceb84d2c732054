"""Parts of nests through the cache simulator, against the whole nest through it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

import foretell
from foretell.characterize.simulate.addresses import addresses, bounds, stream
from foretell.characterize.simulate.cachesim import CacheLevel, Simulation, simulate
from foretell.characterize.simulate.sampled import sampled
from foretell.core.nest.loopnest import Loops
from foretell.errors import UnsupportedError
from foretell.frontends import read
from foretell.uses.validate import KERNELS

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.core.nest.loopnest import LoopNest

LEVEL = CacheLevel("L1", 4096, 64, 2)
WRAP = """void wrap(int n, double a[n][n], double b[n][n]) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      b[j][i] = a[j][(i + 1) % n] + a[(j + 1) % n][i] + a[j][(i + n - 1) % n];
}"""


def shipped(name: str) -> LoopNest:
    return read(KERNELS / f"{name}.c").facet(Loops).nests[0]


def given(text: str, tmp_path: Path) -> LoopNest:
    path = tmp_path / "kernel.c"
    path.write_text(text)
    return read(path).facet(Loops).nests[0]


def whole(nest: LoopNest, n: int, level: CacheLevel) -> float:
    """Bytes that come in during the second of two runs."""
    simulation = Simulation((level,), tuple(one.name for one in stream(nest, {"n": n}).references))
    simulation.run(stream(nest, {"n": n}))
    first = simulation.counts().levels[0].misses
    simulation.run(stream(nest, {"n": n}))
    return (simulation.counts().levels[0].misses - first) * level.line


TILED = """void tiled(int n, double a[n][n], double b[n][n], double c[n][n]) {
  for (int t = 0; t < n; t += 24)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        for (int k = t; k < (t + 24 < n ? t + 24 : n); k++)
          c[i][j] += a[i][k] * b[k][j];
}"""
PLAIN = TILED.replace("(t + 24 < n ? t + 24 : n)", "t + 24")


@pytest.mark.parametrize(
    ("name", "n"), [("matmul_ijk", 64), ("transpose", 256), ("jacobi5", 256), ("triangle", 300), ("copy", 30_000)]
)
def test_a_part_stands_for_the_whole(name: str, n: int) -> None:
    nest = shipped(name)
    found = sampled(nest, (("n", n),), (LEVEL,), True, most=20_000)
    assert found.share < 0.5
    assert sum(bytes_ for _, bytes_ in found.bytes) == pytest.approx(whole(nest, n, LEVEL), rel=0.1)


def test_tiles_are_simulated_with_their_last_one(tmp_path: Path) -> None:
    """Bounds that are a minimum: with whole tiles the same as without it, else what all iterations one by one give."""
    tiled, plain = given(TILED, tmp_path), given(PLAIN, tmp_path)
    assert simulate((LEVEL,), [stream(tiled, {"n": 48})]) == simulate((LEVEL,), [stream(plain, {"n": 48})])
    every = addresses(tiled, {"n": 50}, bounds(tiled, {"n": 50}))
    assert len(every.where) == 4 * 50**3
    found = sampled(tiled, (("n", 100),), (LEVEL,), True, most=200_000)
    assert found.share < 0.5
    assert sum(bytes_ for _, bytes_ in found.bytes) == pytest.approx(whole(tiled, 100, LEVEL), rel=0.1)


@pytest.mark.parametrize("name", ["transpose", "jacobi5"])
def test_a_small_nest_is_simulated_whole(name: str) -> None:
    nest = shipped(name)
    warm, cold = (sampled(nest, (("n", 40),), (LEVEL,), state) for state in (True, False))
    assert warm.share == cold.share == 1.0
    assert sum(bytes_ for _, bytes_ in warm.bytes) == whole(nest, 40, LEVEL)
    once = simulate([LEVEL], [stream(nest, {"n": 40})]).levels[0].misses
    assert sum(bytes_ for _, bytes_ in cold.bytes) == once * LEVEL.line


def test_one_huge_row_is_simulated_in_part() -> None:
    found = sampled(shipped("copy"), (("n", 10_000_000),), (LEVEL,), True, most=1000)
    assert dict(found.bytes) == pytest.approx({"a": 8e7, "b": 8e7}, rel=0.1)


def test_nothing_moves_without_iterations() -> None:
    assert sampled(shipped("jacobi5"), (("n", 2),), (LEVEL,), True).bytes == ()


@pytest.mark.parametrize("name", ["jacobi7", "triangle", "transpose"])
def test_accesses_one_by_one_are_those_of_the_affine_stream(name: str) -> None:
    """The same misses, wherever the arrays lie, in a cache without sets."""
    nest, free = shipped(name), CacheLevel("L1", 4096, 64)
    listed = addresses(nest, {"n": 20}, bounds(nest, {"n": 20}))
    simulation = Simulation((free,), ("all",))
    simulation.run_addresses(listed.where // 64 * 64, listed.stores)
    affine = simulate([free], [stream(nest, {"n": 20})])
    assert simulation.counts().accesses == affine.accesses
    assert simulation.counts().levels[0].misses == pytest.approx(affine.levels[0].misses, rel=0.05)


def test_remainders_are_worked_out(tmp_path: Path) -> None:
    n = 7
    nest = given(WRAP, tmp_path)
    found = addresses(nest, {"n": n}, bounds(nest, {"n": n}))
    loads = found.where[(found.stores == 0)].reshape(n, n, 3) - np.uint64(1 << 40)
    expected = [
        [sorted(8 * p for p in (j * n + (i + 1) % n, (j + 1) % n * n + i, j * n + (i - 1) % n)) for i in range(n)]
        for j in range(n)
    ]
    assert np.sort(loads, axis=2).tolist() == expected


def test_a_prediction_of_wrapped_rows_moves_what_it_must(tmp_path: Path) -> None:
    path = tmp_path / "wrap.c"
    path.write_text(WRAP)
    found = foretell.predict(path, "sapphire-rapids", parameters={"n": 3000}, options={"core": "peak"})
    moved = found.details["bytes_from_B"]
    assert isinstance(moved, dict)
    assert moved["memory"] == pytest.approx(3 * 8 * 3000**2, rel=0.02)  # read, write and what the write reads
    assert any("is simulated" in note for note in found.assumptions)
    assert not any("uniformly distributed over its lines" in note for note in found.assumptions)


def test_what_depends_on_data_is_said_not_simulated(tmp_path: Path) -> None:
    text = """void f(int n, const int idx[n], double a[n], double b[n]) {
      for (int i = 0; i < n; i++) b[(i * 7) % n] = a[idx[i]];
    }"""
    nest = given(text, tmp_path)
    with pytest.raises(UnsupportedError, match="depend on data"):
        sampled(nest, (("n", 100),), (LEVEL,), True)
    found = foretell.predict(
        tmp_path / "kernel.c", "neoverse-n1", parameters={"n": 10_000_000}, options={"core": "peak"}
    )
    assert any("is not simulated (the addresses of 'a' depend on data)" in note for note in found.assumptions)
    assert any("uniformly distributed over its lines" in note for note in found.assumptions)


def test_columns_that_fall_into_few_sets_move_more() -> None:
    def moved(n: int) -> float:
        found = foretell.predict(KERNELS / "matmul_ijk.c", "neoverse-n1", parameters={"n": n}, options={"core": "peak"})
        volumes = found.details["bytes_from_B"]
        assert isinstance(volumes, dict)
        return float(volumes["L2"]) / n**3

    assert moved(128) > 5 * moved(120)
