"""Sums: their additions may come in another order, and several advance in one pass of a loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from foretell.transform.program import conditions
from tests.unit.transform.programs import changed, changes, program, refusals

if TYPE_CHECKING:
    from pathlib import Path

NORM = """\
void norm(int n, double a[n][n], double *out, int *count) {
    double s = 0.0;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            s += a[i][j] * a[i][j];
    *out = s;
}
"""
KINDS = ("interchange", "tile", "unroll_and_jam")


@pytest.mark.parametrize("kind", KINDS)
def test_a_sum_keeps_no_loops_from_being_moved(kind: str, tmp_path: Path) -> None:
    found = changes(program(NORM, tmp_path), kind)
    assert found
    assert all(one.provided == ("the order of additions may change",) for one in found.values())


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "statement",
    [
        "s = a[i][j] - s;",
        "s += a[i][j] * s;",
        "s *= a[i][j];",
        "{ s += a[i][j]; a[i][j] = s; }",
        "if (s < 9) s += a[i][j];",
        "{ s += a[i][j]; if (a[i][j] > 1) s = 0; }",
    ],
)
def test_what_does_more_than_adding_stays(kind: str, statement: str, tmp_path: Path) -> None:
    given = program(NORM.replace("s += a[i][j] * a[i][j];", statement), tmp_path)
    assert not changes(given, kind)
    assert refusals(given, kind)


def test_elements_that_are_added_to(tmp_path: Path) -> None:
    text = """\
void fold(int n, double d[n][n][n], double out[restrict n]) {
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            for (int c = 0; c < n; c++)
                out[c] = d[a][b][c] + out[c];
}
"""
    found = changes(program(text, tmp_path), "interchange")
    assert len(found) == 5
    assert found["interchange a and b"].provided == ("the order of additions may change",)
    assert found["reorder the loops to c, a, b"].provided == ()  # each element gets its terms in the same order
    integers = program(text.replace("double", "int").replace("int a =", "long a ="), tmp_path)
    assert changes(integers, "interchange")["interchange a and b"].provided == ()
    earlier = program(text.replace("+ out[c];", "+ out[n - 1 - c];"), tmp_path)
    assert "interchange a and b" not in changes(earlier, "interchange")


def test_a_counter_that_places_elements_is_no_sum(tmp_path: Path) -> None:
    text = NORM.replace("s += a[i][j] * a[i][j];", "{ count[c] = i; c++; }").replace("double s", "int c = 0; double s")
    assert not changes(program(text, tmp_path), *KINDS)


DENSE = """\
void dense(int n, double x[restrict n], double w[restrict n][n], double out[restrict n]) {
    for (int o = 0; o < n; o++) {
        double sum = 0.5, least = w[o][0];
        for (int i = 0; i < n; i++)
            sum += x[i] * w[o][i];
        out[o] = sum + least;
    }
}
"""
TITLE = "unroll o 2 times and join the copies in the innermost loop"


def test_statements_around_a_loop_are_copied_with_names_of_their_own(tmp_path: Path) -> None:
    text = changed(program(DENSE, tmp_path), TITLE, "unroll_and_jam", factors=(2,))
    assert [line.strip() for line in text.splitlines()[3:15]] == [
        "for (o = 0; o + 1 < n; o += 2) {",
        "double sum = 0.5, least = w[o][0];",
        "double sum_1 = 0.5, least_1 = w[(o + 1)][0];",
        "for (int i = 0; i < n; i++) {",
        "{",
        "sum += x[i] * w[o][i];",
        "}",
        "{",
        "sum_1 += x[i] * w[(o + 1)][i];",
        "}",
        "}",
        "out[o] = sum + least;",
    ]
    assert changes(program(DENSE, tmp_path), "unroll_and_jam", factors=(2,))[TITLE].provided == ()


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("x[i] * w", "out[i] * w", "flow dependence on out (lines 6 and 5) would be reversed"),
        ("sum = 0.5", "sum = out[o - 1]", "flow dependence on out (lines 6 and 3) would be reversed"),
        ("i < n; i++", "i < o; i++", "the bound o depends on o"),
        ("double sum = 0.5,", "int m = 3; double sum = m,", "m, which each iteration has for itself, steers the loop"),
        ("out[o] = sum + least;", "out[o] = sum; out[0] = least;", "two statements stand on one line|reversed"),
    ],
)
def test_copies_that_cannot_be_joined(old: str, new: str, reason: str, tmp_path: Path) -> None:
    text = DENSE.replace(old, new)
    text = text.replace("i < n; i++", "i < m; i++") if "int m" in new else text
    found = refusals(program(text, tmp_path), "unroll_and_jam")
    assert found
    assert all(any(part in one for part in reason.split("|")) for one in found)


def test_reading_ahead_is_no_dependence_that_is_reversed(tmp_path: Path) -> None:
    """The copy for o + 1 stores its element after that for o has read it, as before."""
    text = DENSE.replace("out[o] = sum", "out[o] = out[o + 1] + sum").replace("out[restrict n]", "out[restrict n + 1]")
    assert TITLE in changes(program(text, tmp_path), "unroll_and_jam", factors=(2,))


def test_variables_of_inner_loops_and_blocks_are_not_seen_behind_them(tmp_path: Path) -> None:
    text = """\
void sweeps(int n, double a[restrict n][n], double b[restrict n][n]) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            double t = a[i][j];
            a[i][j] = t * t;
        }
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            double t = b[i][j];
            b[i][j] = t + t;
        }
}
"""
    joined = changed(program(text, tmp_path), "join the loops of lines 2 and 7", "fuse")
    assert joined.count("int j = 0") == 1
    again = changes(program(joined, tmp_path), "fission")
    assert "divide the loop over j before line 7" in again


def test_names_that_the_first_loop_declares_are_not_used_in_the_second(tmp_path: Path) -> None:
    text = """\
void two(int n, double t, double a[restrict n], double b[restrict n]) {
    for (int i = 0; i < n; i++) {
        double t = a[i];
        a[i] = t * t;
    }
    for (int i = 0; i < n; i++)
        b[i] = t;
}
"""
    (reason,) = refusals(program(text, tmp_path), "fuse")
    assert reason == "line 6: t, which the first loop declares, is used in the second"


def test_conditions_on_fewer_pointers_go_with_those_on_more() -> None:
    more, fewer, same = (f"{names} do not overlap" for names in ("a, b, c", "a, c", "c, b, a"))
    order = "the order of additions may change"
    assert conditions([fewer, order, more, fewer, same, order]) == (order, more)
    assert conditions(["a, b do not overlap", "b, c do not overlap"]) == ("a, b do not overlap", "b, c do not overlap")
    assert conditions([]) == ()
