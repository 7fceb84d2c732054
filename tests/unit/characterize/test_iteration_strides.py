"""Loops whose steps and bounds move with others, against a simulated LRU cache: tiles, strides, triangles, bands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from foretell.characterize.footprints.footprints import footprints
from foretell.core.nest.loopnest import Loops
from foretell.frontends import read
from tests.support.caches.lru import misses

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LINE = 64
WIDTH = LINE // 8
#: elements between the begin of a line and that of an array, as malloc leaves them
SHIFT = 2

TILED_PRODUCT = """
void mm(int n, int t, double a[n][n], double b[n][n], double c[n][n]) {
  for (int ii = 0; ii < n; ii += t) for (int jj = 0; jj < n; jj += t) for (int kk = 0; kk < n; kk += t)
    for (int i = ii; i < ii + t && i < n; i++) for (int k = kk; k < kk + t && k < n; k++)
      for (int j = jj; j < jj + t && j < n; j++) c[i][j] += a[i][k] * b[k][j];
}
"""
TILED_TRANSPOSE = """
void tr(int n, int t, double a[n][n], double b[n][n]) {
  for (int ii = 0; ii < n; ii += t) for (int jj = 0; jj < n; jj += t)
    for (int i = ii; i < ii + t; i++) for (int j = jj; j < jj + t; j++) b[j][i] = a[i][j];
}
"""
STRIDED = "void st(int n, int t, double *a) { for (int r = 0; r < 3; r++) for (int i = 0; i < n*n; i += t) a[i] *= 2; }"
BACKWARDS = "void bw(int n, int t, double *a) { for (int i = n * n - 1; i >= 0; i -= t) a[i] *= 2; }"
TRIANGLE = """
void tri(int n, int t, double *x, double a[n][n]) {
  for (int i = 0; i < n; i++) for (int j = i; j < n; j++) x[i] += a[i][j] * x[j];
}
"""
BAND = """
void band(int n, int t, double *x, double *y) {
  for (int i = 0; i < n * n; i++) for (int j = i; j < i + t; j++) y[i] += x[j];
}
"""
HALVES = "void hv(int n, int t, double *a) { for (int i = 0; i < n; i++) a[i] += a[i + t] * a[i + 3 * t]; }"


def product(n: int, t: int) -> Iterator[tuple[str, int]]:
    for ii in range(0, n, t):
        for jj in range(0, n, t):
            for kk in range(0, n, t):
                for i in range(ii, min(ii + t, n)):
                    for k in range(kk, min(kk + t, n)):
                        for j in range(jj, min(jj + t, n)):
                            yield from (("a", i * n + k), ("b", k * n + j), ("c", i * n + j))


def transpose(n: int, t: int) -> Iterator[tuple[str, int]]:
    for ii in range(0, n, t):
        for jj in range(0, n, t):
            for i in range(ii, ii + t):
                for j in range(jj, jj + t):
                    yield from (("a", i * n + j), ("b", j * n + i))


def strided(n: int, t: int) -> Iterator[tuple[str, int]]:
    for _ in range(3):
        yield from (("a", i) for i in range(0, n * n, t))


def backwards(n: int, t: int) -> Iterator[tuple[str, int]]:
    yield from (("a", i) for i in range(n * n - 1, -1, -t))


def triangle(n: int, t: int) -> Iterator[tuple[str, int]]:
    for i in range(n):
        for j in range(i, n):
            yield from (("a", i * n + j), ("x", j), ("x", i))


def band(n: int, t: int) -> Iterator[tuple[str, int]]:
    for i in range(n * n):
        for j in range(i, i + t):
            yield from (("x", j), ("y", i))


def halves(n: int, t: int) -> Iterator[tuple[str, int]]:
    for i in range(n):
        yield from (("a", i + t), ("a", i + 3 * t), ("a", i))


@pytest.mark.parametrize(
    ("source", "stream", "n", "t", "capacity", "within"),
    [
        # one tile of each array fits, then a row of tiles does, then all
        (TILED_PRODUCT, product, 48, 16, 14 << 10, 0.1),
        (TILED_PRODUCT, product, 48, 16, 25 << 10, 0.1),
        (TILED_PRODUCT, product, 48, 16, 100 << 10, 0.1),
        (TILED_PRODUCT, product, 40, 16, 12 << 10, 0.2),  # the last tiles are shorter
        (TILED_TRANSPOSE, transpose, 64, 16, 4 << 10, 0.1),
        (TILED_TRANSPOSE, transpose, 64, 32, 2 << 10, 0.1),
        (STRIDED, strided, 64, 3, 1 << 10, 0.02),
        (STRIDED, strided, 64, 16, 1 << 10, 0.02),
        (STRIDED, strided, 64, 16, 1 << 15, 0.02),
        (BACKWARDS, backwards, 64, 8, 1 << 10, 0.02),
        (TRIANGLE, triangle, 128, 0, 1 << 9, 0.1),
        (TRIANGLE, triangle, 128, 0, 1 << 12, 0.1),
        (BAND, band, 32, 64, 4 << 10, 0.05),
        (HALVES, halves, 2048, 8192, 4 << 10, 0.02),  # nothing between the parts of an array is touched
        (HALVES, halves, 4096, 1024, 1 << 20, 0.02),  # they overlap
    ],
)
def test_bytes_that_move(
    tmp_path: Path, source: str, stream: object, n: int, t: int, capacity: int, within: float
) -> None:
    path = tmp_path / "k.c"
    path.write_text(source)
    nest = read(path).facet(Loops).nests[0]
    found = footprints(nest, {"n": float(n), "t": float(t)}, LINE).traffic(float(capacity), warm=False)
    lines = [(name, (index + SHIFT) // WIDTH) for name, index in stream(n, t)]  # type: ignore[operator]
    assert sum(found.values()) == pytest.approx(misses(lines, capacity // LINE) * LINE, rel=within)
