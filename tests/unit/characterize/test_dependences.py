"""Which loops are parallel, which are reductions, which are sequential."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from foretell.characterize.loops.dependences import dependences, verdicts
from tests.support.caches.nests import of_c, only

if TYPE_CHECKING:
    from foretell.core.nest.loopnest import LoopNest


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
        ("for (int j = 0; j < n; j++) for (int i = 0; i < n; i++) a[j] += b[j*n+i];", ["parallel", "reduction"]),
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
        ("int q = 0; for (int i = 0; i < n; i++) { a[i] = q; q = p[q]; }", ["sequential"]),
        ("int q = 0; for (int i = 0; i < n; i++) q = p[q]; a[0] = q;", ["sequential"]),
        ("for (int i = 0; i < n; i++) { int q = p[i]; q = p[q]; a[i] = q; }", ["parallel"]),
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


_LU = "for (int k = 0; k < n; k++) for (int i = k+1; i < n; i++) for (int j = k+1; j < n; j++)"
_CROUT = "for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) for (int k = 0; k < j; k++)"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f"{_LU} a[i*n+j] -= a[i*n+k] * a[k*n+j];", ["sequential", "parallel", "parallel"]),
        (f"{_CROUT} a[i*n+j] -= a[i*n+k] * a[k*n+j];", ["parallel", "sequential", "reduction"]),
        (  # the upper triangle from the lower one
            "for (int i = 0; i < n; i++) for (int j = i+1; j < n; j++) a[i*n+j] = a[j*n+i];",
            ["parallel", "parallel"],
        ),
        ("for (int i = 0; i < n; i++) a[i] = a[i+n];", ["parallel"]),
        ("for (int i = 0; i < n; i++) a[i+n] = a[i];", ["parallel"]),
        ("for (int i = 1; i < n; i++) a[2*i] = a[i];", ["sequential"]),
        ("for (int i = 0; i < n; i++) a[i] = a[n-1-i];", ["unknown"]),  # up to n
        (  # rows from the other end: i carries nothing in any case
            "for (int k = 0; k < n; k++) for (int i = 0; i < n; i++) a[k*n+i] = a[(n-1-k)*n+i];",
            ["unknown", "parallel"],
        ),
        ("for (int i = n - 1; i > 0; i--) for (int j = 0; j < i; j++) a[j] += a[i];", ["sequential", "parallel"]),
    ],
)
def test_references_that_do_not_move_alike(body: str, expected: list[str]) -> None:
    assert verdict(body) == expected


def test_the_factorisation_goes_from_one_step_to_later_ones() -> None:
    found = dependences(nest_of(f"{_LU} a[i*n+j] -= a[i*n+k] * a[k*n+j];"))
    mixed = {(one.kind, one.distance) for one in found if "+" in one.distance}
    assert mixed == {("flow", ("+", 0, "?")), ("flow", ("+", "?", 0))}


def test_only_so_many_pairs_are_examined(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("foretell.characterize.loops.dependences.MAX_EXAMINED", 0)
    assert "unknown" in verdict(f"{_LU} a[i*n+j] -= a[i*n+k] * a[k*n+j];")
