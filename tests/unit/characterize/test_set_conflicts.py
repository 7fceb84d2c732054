"""Sets of caches: conflicts against the simulator, and hits where pages are placed at random against dealt pages."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import foretell
from foretell.characterize.caches import page_set_hits
from foretell.characterize.caches.page_set_hits import staying
from foretell.characterize.caches.set_conflicts import Sets, conflicts
from foretell.characterize.footprints.footprints import footprints
from foretell.characterize.simulate.addresses import stream
from foretell.characterize.simulate.cachesim import CacheLevel, simulate
from foretell.core.nest.loopnest import Loops
from foretell.frontends import read
from foretell.uses.validate import KERNELS
from tests.support.caches.nests import of_c, only

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("ways", [4, 11, 16])
@pytest.mark.parametrize("filled", [0.6, 0.9, 1.0, 1.3, 1.8])
def test_pages_by_chance(monkeypatch: pytest.MonkeyPatch, ways: int, filled: float) -> None:
    """Pages fall on the colours of a cache; those of a colour that gets more than it has ways are lost (LRU)."""
    monkeypatch.setattr(page_set_hits, "_ROOM", 1.0)
    page_set_hits._table.cache_clear()
    sets = 4096
    pages = np.random.default_rng(ways).integers(0, sets, round(filled * ways * sets))
    taken = np.bincount(pages, minlength=sets)
    assert staying(filled, ways) == pytest.approx(taken[taken <= ways].sum() / len(pages), abs=0.01)
    page_set_hits._table.cache_clear()


@given(st.floats(0.0, 10.0), st.floats(0.0, 10.0), st.sampled_from([None, 1, 4, 8, 11, 12, 16, 20]))
def test_more_stays_where_less_is_touched(a: float, b: float, ways: int | None) -> None:
    less, more = sorted((a, b))
    assert 0.0 <= staying(more, ways) <= staying(less, ways) <= 1.0
    assert staying(0.0, ways) == 1.0
    assert staying(10.0, ways) == 0.0


def test_all_or_nothing_where_sets_follow_addresses() -> None:
    assert list(np.atleast_1d(staying(np.array([0.5, 1.0, 1.001, 3.0]), None))) == [1.0, 1.0, 0.0, 0.0]


SWEEP = "void f(long n, double *a, const double *b) { for (long i = 0; i < n; i++) a[i] += b[i]; }"


def test_sweeps_around_the_size_of_a_cache() -> None:
    """As much as stays does not come again; far from the size of the cache pages change nothing."""
    nest, cache = only(of_c(SWEEP)), float(1 << 20)
    sizes = np.array([0.2, 0.9, 0.99, 1.2, 1.6, 5.0]) * cache / 16
    shape = footprints(nest, {"n": sizes}, 64.0)
    sharp, soft = (shape.traffic(cache, True, ways)["a"] for ways in (None, 16))
    assert list(sharp > 0) == [False, False, False, True, True, True]
    assert soft == pytest.approx(shape.arrays[0].bytes[0] * (1.0 - staying(shape.together(0) / cache, 16)))
    assert soft[[0, -1]] == pytest.approx(sharp[[0, -1]], rel=1e-6)
    assert 0 < soft[1] < soft[2] < soft[3] < sharp[3]
    cold = shape.traffic(cache, False, 16)["a"]
    assert np.all(cold >= soft)


def test_arrays_without_an_end() -> None:
    """An array of unknown length that is read by chance does not make the rest endless."""
    text = "void f(long n, double *y, const double *x, const int *k) { for (long i = 0; i < n; i++) y[i] = x[k[i]]; }"
    shape = footprints(only(of_c(text)), {"n": 1e5}, 64.0)
    found = shape.traffic(float(1 << 20), True, 16)
    assert all(np.isfinite(value) for value in found.values())


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


def test_rows_clamped_at_a_border_are_no_fixed_distance(tmp_path: Path) -> None:
    """`u(i, min(j + 1, n))` is in a row that depends on j: nothing is said of its sets, no value of j is needed."""
    file = tmp_path / "border.f90"
    file.write_text(
        "subroutine f(n, u, v)\n  integer :: n, i, j, up, down\n  real(8) :: u(n, n), v(n, n)\n"
        "  do j = 1, n\n    do i = 1, n\n      up = min(j + 1, n)\n      down = max(j - 1, 1)\n"
        "      v(i, j) = u(i, up) - u(i, down)\n    end do\n  end do\nend subroutine\n"
    )
    sets = Sets("L1", 4096, 2, 64, 4096)
    assert list(conflicts(only(read(file).facet(Loops)), {"n": 512}, sets)) == []
