"""Set conflicts, against the simulator with and without sets."""

from __future__ import annotations

from dataclasses import replace

import pytest

import foretell
from foretell.characterize.caches.set_conflicts import Sets, conflicts
from foretell.characterize.simulate.addresses import stream
from foretell.characterize.simulate.cachesim import CacheLevel, simulate
from foretell.core.nest.loopnest import Loops
from foretell.frontends import read
from foretell.uses.validate import KERNELS
from tests.support.caches.nests import of_c, only

SIZE, WAYS, LINE = 4096, 2, 64
SETS = Sets("L1", SIZE // WAYS, WAYS, LINE, SIZE)


def misses(name: str, n: int, ways: int | None) -> int:
    nest = read(KERNELS / f"{name}.c").facet(Loops).nests[0]
    return simulate([CacheLevel("L1", SIZE, LINE, ways)], [stream(nest, {"n": n})]).levels[0].misses


@pytest.mark.parametrize(
    ("name", "n"), [("jacobi5", 256), ("jacobi5", 100), ("transpose", 32), ("transpose", 44), ("copy", 512)]
)
def test_flagged_where_sets_cost_misses(name: str, n: int) -> None:
    nest = read(KERNELS / f"{name}.c").facet(Loops).nests[0]
    found = list(conflicts(nest, {"n": n}, SETS))
    costs = misses(name, n, WAYS) > 1.5 * misses(name, n, None)
    assert bool(found) == costs, found


def test_columns_of_a_triangle_by_their_mean_length() -> None:
    text = """void f(int n, double a[n][n], double s[n])
    { for (int j = 0; j < n; j++) for (int i = j; i < n; i++) s[j] += a[i][j]; }"""
    nest = only(of_c(text))
    assert list(conflicts(nest, {"n": 32}, SETS))  # 16 lines on 8 sets of two ways
    assert not list(conflicts(nest, {"n": 33}, SETS))


def test_pages_lie_anywhere() -> None:
    """Rows of a way of the cache: one set by their addresses; in pages of an eighth, which lie anywhere, eight."""
    nest = read(KERNELS / "transpose.c").facet(Loops).nests[0]
    outer = Sets("L2", 1 << 11, 64, LINE, 1 << 11)
    assert list(conflicts(nest, {"n": 256}, outer))
    paged = replace(outer, page=1 << 8)
    assert paged.met(1 << 11) == 8
    assert not list(conflicts(nest, {"n": 256}, paged))
    assert list(conflicts(nest, {"n": 256}, replace(paged, ways=40)))


def test_a_prediction_says_so() -> None:
    found = foretell.predict(KERNELS / "transpose.c", "neoverse-n1", parameters={"n": 512})
    assert any("columns use" in note and "L1" in note for note in found.assumptions)
    other = foretell.predict(KERNELS / "transpose.c", "neoverse-n1", parameters={"n": 520})
    assert not any("L1" in note and "columns use" in note for note in other.assumptions)
    foretell.predict(KERNELS / "gather.c", "neoverse-n1", parameters={"n": 512})
