"""Distinct elements and lines against running the loops."""

from __future__ import annotations

from itertools import product

import pytest

from foretell.characterize.loops.counts import distinct_elements, distinct_lines, iterations, union_of_boxes
from foretell.errors import InputError, UnsupportedError
from tests.support.caches.nests import of_c, only

STENCIL = """void f(int n, double u[n][n][n], double v[n][n][n]) {
  for (int k = 1; k < n-1; k++) for (int j = 1; j < n-1; j++) for (int i = 1; i < n-1; i++)
    v[k][j][i] = u[k-1][j][i]+u[k+1][j][i]+u[k][j-1][i]+u[k][j+1][i]+u[k][j][i-1]+u[k][j][i+1]; }"""


def test_a_stencil_touches_a_star_of_boxes() -> None:
    nest = only(of_c(STENCIL))
    inside = set(product(range(1, 6), repeat=3))
    star = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]
    touched = {tuple(a + b for a, b in zip(point, one, strict=True)) for point in inside for one in star}
    assert distinct_elements(nest, {"n": 7}) == {"u": len(touched), "v": len(inside)}
    lines = {(49 * k + 7 * j + i) * 8 // 64 for k, j, i in touched}
    assert distinct_lines(nest, {"n": 7})["u"] == len(lines)


def test_triangles_strides_and_tiles() -> None:
    triangle = only(
        of_c("void f(int n, double *a) { for (int i = 0; i < n; i++) for (int j = i; j < n; j++) a[i + 2*j] = 0; }")
    )
    expected = {i + 2 * j for i in range(9) for j in range(i, 9)}
    assert distinct_elements(triangle, {"n": 9})["a"] == len(expected)
    assert iterations(triangle, {"n": 9}) == 45
    body = "for (int t = 0; t < n; t += 4) for (int i = t; i < (t + 4 < n ? t + 4 : n); i++) a[3*i] = 0;"
    tiled = only(of_c(f"void f(int n, double *a) {{ {body} }}"))
    assert distinct_elements(tiled, {"n": 11})["a"] == 11
    assert distinct_lines(tiled, {"n": 11})["a"] == len({3 * i * 8 // 64 for i in range(11)})


def test_parity_rows() -> None:
    body = "for (int j = 0; j < n; j++) for (int i = (j ^ c) & 1; i < n; i += 2) a[j*16 + i] = 0;"
    nest = only(of_c(f"void f(int n, int c, double *a) {{ {body} }}"))
    points = {(j, i) for j in range(9) for i in range((j ^ 1) & 1, 9, 2)}
    assert distinct_elements(nest, {"n": 9, "c": 1})["a"] == len(points)
    assert iterations(nest, {"n": 9, "c": 1}) == len(points)


def test_iterations_are_right_where_some_rows_are_empty() -> None:
    nest = only(
        of_c("void f(int n, double *a) { for (int i = 0; i < n; i++) for (int j = i + 3; j < n; j++) a[j] = 0; }")
    )
    expected = sum(len(range(i + 3, 5)) for i in range(5))
    assert iterations(nest, {"n": 5}) == expected
    assert nest.trips.evaluate({"n": 5}) == expected


def test_what_cannot_be_counted_says_so() -> None:
    gather = only(of_c("void f(int n, int *p, double *a) { for (int i = 0; i < n; i++) a[p[i]] = 0; }"))
    with pytest.raises(UnsupportedError, match="indirect"):
        distinct_elements(gather, {"n": 4})
    plain = only(of_c("void f(int n, int m, double *a) { for (int i = 0; i < n; i++) a[i*m] = 0; }"))
    with pytest.raises(InputError, match="m"):
        distinct_lines(plain, {"n": 4})


def test_boxes() -> None:
    boxes = [[(0, 4), (0, 4)], [(3, 6), (3, 6)], [(10, 10), (0, 0)]]
    points = {(x, y) for (a, b), (c, d) in boxes for x in range(a, b + 1) for y in range(c, d + 1)}
    assert union_of_boxes(boxes) == len(points)
    assert union_of_boxes([]) == 0
