"""Nests as ExaSAT-style XML: the written document, parsed with the standard library."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from foretell.report.nest_xml import write_xml
from tests.support.caches.nests import of_c, of_fortran

SOURCE = """
#include <math.h>
typedef struct { double x, y; } pair;
void a(int n, const int *idx, double *u, pair *p) {
  for (int k = 1; k < n; k++) {
    u[k] = 0.5*u[k-1];
    for (int i = 0; i < n; i += 2) { u[n*k + i] += exp(u[idx[i]]) / p[i].x; if (u[i] > 0.0) p[i].y = sqrt(u[i])/3.0; }
  }
  while (u[0] > 0.0) u[0] -= 1.0;
}
void b(int n, int m, double *u) {
  for (int ii = 0; ii < n; ii += m) for (int i = ii; i < (ii+m < n ? ii+m : n); i++) u[i+n] = i; }
"""


@pytest.fixture(scope="module")
def nests() -> list[ElementTree.Element]:
    fortran = of_fortran("subroutine s(a,n)\ninteger n\nreal a(0:n)\na(1:n) = a(0:n-1)*2.0\nend subroutine\n")
    return list(ElementTree.fromstring(write_xml([*of_c(SOURCE).nests, *fortran.nests])))


def accesses(loop: ElementTree.Element, array: str) -> set[tuple[str | None, ...]]:
    found = loop.findall(f"array[@name='{array}']/access")
    return {tuple(one.get(key) for key in ("offset", "lvar", "reads", "writes")) for one in found}


def test_heads_of_nests_and_loops(nests: list[ElementTree.Element]) -> None:
    keys = ("function", "language", "status")
    assert [tuple(nest.get(key) for key in keys) for nest in nests] == [
        ("a", "c", "assumed"),
        ("a", "c", "assumed"),
        ("b", "c", "exact"),
        ("s", "fortran", "exact"),
    ]
    bounds = [tuple(loop.get(key) for key in ("lvar", "lb", "ub", "stride")) for loop in nests[2].iter("loop")]
    assert bounds == [("ii", "0", "n - 1", "m"), ("i", "ii", "min(ii + m, n) - 1", "1")]
    assert {loop.get("bounds") for nest in nests for loop in nest.iter("loop")} == {"inclusive"}  # EX-6
    assert [loop.get("trips") for nest in nests for loop in nest.iter("loop")].count("trips_L9") == 1
    note = nests[0].find("assumption")
    assert note is not None
    assert "u[i] > 0.0" in (note.get("text") or "")  # escaped in the text


def test_operations_under_a_condition_are_fractions(nests: list[ElementTree.Element]) -> None:
    inner = list(nests[0].iter("loop"))[1]
    assert [inner.get(key) for key in ("adds", "mults", "divs", "literal_divs")] == ["1", "1/2", "1", "1/2"]  # EX-5
    assert inner.get("other") == "compare:1 exp:1 sqrt:1/2"


def test_accesses_stand_in_their_loop_fastest_subscript_first(nests: list[ElementTree.Element]) -> None:
    outer, inner = nests[0].iter("loop")
    assert accesses(outer, "u") == {("(-1, 0)", "(k, -)", "1", "0"), ("(0, 0)", "(k, -)", "0", "1")}  # EX-7
    assert accesses(inner, "u") == {
        ("(0, 0)", "(idx[i], -)", "1", "0"),
        ("(0, 0)", "(i, -)", "2", "0"),
        ("(0, 0)", "(i, k)", "1", "1"),
    }
    described = [tuple(array.get(key) for key in ("name", "component", "type", "access")) for array in inner]
    assert described[:3] == [
        ("idx", "", "int", "readonly"),
        ("p", "x", "double", "readonly"),
        ("p", "y", "double", "writeonly"),
    ]


def test_a_common_symbolic_offset_is_the_origin(nests: list[ElementTree.Element]) -> None:
    (array,) = nests[2].iter("array")
    assert array.get("origin") == "(n)"
    assert accesses(next(iter(nests[2].iter("loop")))[0], "u") == {("(0)", "(i)", "0", "1")}
