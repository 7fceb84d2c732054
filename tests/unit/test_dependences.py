"""Which loops are parallel, which are reductions, which are sequential."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from foretell.characterize.dependences import dependences, verdicts
from tests.support.nests import of_c, only

if TYPE_CHECKING:
    from foretell.core.loopnest import LoopNest


def nest_of(body: str) -> LoopNest:
    return only(of_c(f"void f(int n, double *restrict a, double *restrict b, int *p, double s) {{ {body} }}"))


def verdict(body: str) -> list[str]:
    return [one.verdict for one in verdicts(nest_of(body))]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("for (int i = 0; i < n; i++) a[i] = b[i];", ["parallel"]),
        ("for (int i = 1; i < n; i++) a[i] = a[i-1];", ["sequential"]),
        ("for (int i = 0; i < n; i++) a[i] = a[i] + 1.0;", ["parallel"]),
        ("for (int i = 0; i < n; i++) a[2*i] = a[2*i+1];", ["parallel"]),
        ("for (int i = 0; i < n; i++) s += a[i];", ["reduction"]),
        ("for (int i = 0; i < n; i++) { s = a[i] - s*0.5; }", ["sequential"]),
        ("for (int i = 0; i < n; i++) { double t = a[i]; b[i] = t*t; }", ["parallel"]),
        (
            "for (int j = 0; j < n; j++) for (int i = 0; i < n; i++) a[j] += b[j*n+i];",
            ["parallel", "reduction"],
        ),
        (
            "for (int j = 1; j < n; j++) for (int i = 0; i < n; i++) a[j*n+i] = a[(j-1)*n+i];",
            ["sequential", "parallel"],
        ),
        (
            "for (int j = 1; j < n; j++) for (int i = 1; i < n; i++) a[j*n+i] = a[(j-1)*n+i-1];",
            ["sequential", "parallel"],
        ),
        ("for (int i = 0; i < n; i++) a[p[i]] = b[i];", ["unknown"]),
        ("for (int i = 0; i < n; i++) a[0] = b[i];", ["sequential"]),
        ("for (int i = n - 2; i >= 0; i--) a[i] = a[i+1];", ["sequential"]),
    ],
)
def test_verdicts(body: str, expected: list[str]) -> None:
    assert verdict(body) == expected


def test_distance_vectors() -> None:
    nest = nest_of("for (int j = 2; j < n; j++) for (int i = 1; i < n; i++) a[j*n+i] = a[(j-2)*n+i+1];")
    (one,) = [d for d in dependences(nest) if d.kind == "flow"]
    assert one.distance == (2, -1)
    assert one.carrier() == 0


def test_distances_count_iterations_not_elements() -> None:
    nest = nest_of("for (int i = 4; i < n; i += 2) a[i] = a[i-4];")
    (one,) = [d for d in dependences(nest) if d.kind == "flow"]
    assert one.distance == (2,)
    assert not dependences(nest_of("for (int i = 4; i < n; i += 2) a[i] = a[i-3];"))


def test_matrix_product_has_one_reduction() -> None:
    product = "for (int k = 0; k < n; k++) a[i*n+j] += b[i*n+k]*b[k*n+j];"
    found = verdict(f"for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {product}")
    assert found == ["parallel", "parallel", "reduction"]
