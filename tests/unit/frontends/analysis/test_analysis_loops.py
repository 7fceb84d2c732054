"""Loops as they are written: heads, induction variables, while loops, jumps, tiles, triangles, swaps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from foretell.core.symbolic.poly import number
from tests.support.caches.nests import array, movers, of_c, of_fortran, offsets, only

if TYPE_CHECKING:
    from collections.abc import Callable

    from foretell.core.nest.loopnest import LoopNest


def nest_of(body: str, head: str = "int n, double *a, double *b") -> LoopNest:
    return only(of_c(f"void f({head}) {{ {body} }}"))


def bounds(nest: LoopNest, depth: int = -1) -> tuple[str, str, str]:
    loop = nest.loops[depth]
    return str(loop.lower), str(loop.upper), str(loop.step)


@pytest.mark.parametrize(
    ("head", "expected", "trips"),
    [
        ("int i = 0; i < n; i++", ("0", "n - 1", "1"), 10),
        ("int i = 1; i <= n; ++i", ("1", "n", "1"), 10),
        ("int i = n - 1; i >= 0; i--", ("n - 1", "0", "-1"), 10),
        ("int i = n; i > 0; i -= 3", ("n", "1", "-3"), 4),
        ("int i = 0; i != n; i++", ("0", "n - 1", "1"), 10),
        ("int i = 2; i < n; i += 4", ("2", "n - 1", "4"), 2),
        ("long i = 0; n > i; i = i + 1", ("0", "n - 1", "1"), 10),
    ],
)
def test_heads(head: str, expected: tuple[str, str, str], trips: int) -> None:
    nest = nest_of(f"for ({head}) a[i] = b[i] + 1.0;")
    assert bounds(nest) == expected
    assert nest.trips.evaluate({"n": 10}) == trips
    assert nest.status in ("exact", "assumed")


@pytest.mark.parametrize(
    ("body", "trips"),
    [
        ("int i = 0; while (i < n) { a[i] = b[i] + 1.0; i++; }", 10),
        ("int i = n; while (i > 0) { i -= 2; a[i] = b[i] + 1.0; }", 5),
        ("int i = 0; do { a[i] = b[i] + 1.0; i += 3; } while (i < n);", 4),
        ("double *e = a + n; while (a != e) { *a++ = *b++ + 1.0; }", 10),
        ("double *p = a; while (p < a + n) { *p = *b + 1.0; p++; b++; }", 10),
        ("for (int i = 0, j = n; i < j; i++, j--) a[i] = b[j] + 1.0;", 5),
    ],
)
def test_while_loops_that_count(body: str, trips: int) -> None:
    nest = nest_of(body)
    assert nest.status == "exact"
    assert nest.trips.evaluate({"n": 10}) == trips
    assert nest.operations() == {"add": 1} or nest.operations()["add"] == 1


def test_a_while_loop_on_data_has_trips_as_a_parameter() -> None:
    nest = nest_of("double r = 1.0; while (r > 0.001) { r = 0.0; for (int i = 0; i < n; i++) r += a[i]*b[i]; }")
    assert nest.status == "assumed"
    assert not nest.loops[0].counted
    assert [name for name in nest.parameters if name.startswith("trips")]
    assert bounds(nest) == ("0", "n - 1", "1")


def test_bumped_counters_and_pointers_are_affine() -> None:
    nest = nest_of("int c = 5; for (int i = 0; i < n; i++) { a[c] = *b; c += 2; b += 3; }")
    assert offsets(array(nest, "a")) == {("5",): (0, 1)}
    assert movers(array(nest, "a").accesses[0]) == ("2*i",)
    assert movers(array(nest, "b").accesses[0]) == ("3*i",)


def test_packed_triangles_have_quadratic_counters() -> None:
    nest = nest_of("int c = 0; for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++) a[c++] += b[j];")
    assert str(nest.trips) == "n**2/2 + n/2"
    assert nest.status != "refused"


def test_triangular_nests_are_polynomials() -> None:
    nest = nest_of("for (int i = 0; i < n; i++) for (int j = i + 1; j < n; j++) a[i] += b[j];")
    assert str(nest.trips) == "n**2/2 - n/2"


def test_tiles_are_the_whole() -> None:
    body = """
    for (int ii = 0; ii < n; ii += 32) for (int jj = 0; jj < n; jj += 32)
      for (int i = ii; i < (ii + 32 < n ? ii + 32 : n); i++)
        for (int j = jj; j < (jj + 32 < n ? jj + 32 : n); j++) a[i*n + j] = b[j*n + i];"""
    nest = nest_of(body)
    assert str(nest.trips) == "n**2"
    assert movers(array(nest, "a").accesses[0]) == ("j", "i")


def test_parity_bounds() -> None:
    nest = nest_of(
        "for (int j = 0; j < n; j++) for (int i = 1 + ((j^s)&1); i < n; i += 2) a[j*n + i] = 0.0;",
        "int n, int s, double *a",
    )
    expected = sum(len(range(1 + ((j ^ 1) & 1), 9, 2)) for j in range(9))
    assert nest.trips.evaluate({"n": 9, "s": 1}) == expected


def test_swapped_pointers_keep_their_arrays() -> None:
    nest = nest_of(
        "for (int t = 0; t < n; t++) { for (int i = 1; i < n; i++) b[i] = a[i-1]; double *c = a; a = b; b = c; }"
    )
    assert offsets(array(nest, "a")) == {("-1",): (1, 0)}
    assert offsets(array(nest, "b")) == {("0",): (0, 1)}
    assert any("exchanges a, b" in note.text for note in nest.remarks)
    assert nest.status == "exact"


def test_imperfect_nests_and_shared_loops() -> None:
    loops = of_c(
        """void f(int n, double *a, double *b) {
        for (int t = 0; t < 4; t++) {
          a[t] = 2.0 * b[t];
          for (int i = 0; i < n; i++) a[i] += 1.0;
          for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) b[i*n+j] *= 3.0;
        } }"""
    )
    first, second = loops.nests
    assert [nest.shared for nest in loops.nests] == [0, 1]
    assert {block.depth: dict(block.operations) for block in first.blocks} == {1: {"mul": 1}, 2: {"add": 1}}
    assert str(second.trips) == "4*n**2"
    assert loops.loops_seen == loops.loops_kept == 4


@pytest.mark.parametrize("jump", ["if (a[i] > 1.0) break;", "if (b[i] < 0.0) return;"])
def test_early_exits_make_upper_bounds(jump: str) -> None:
    nest = nest_of(f"for (int i = 0; i < n; i++) {{ {jump} a[i] = b[i] + 1.0; }}")
    assert nest.status == "bound"
    assert "early" in nest.reason
    assert nest.trips.evaluate({"n": 8}) == 8


def test_continue_skips_the_rest_of_the_iteration() -> None:
    nest = nest_of("for (int i = 0; i < n; i++) { if (i % 2 == 1) continue; a[i] = b[i] + 1.0; }")
    assert nest.total_operations()["add"].evaluate({"n": 9}) == 5
    nested = nest_of("for (int i = 0; i < n; i++) { if (i < 3) { if (i > 0) continue; } a[i] = b[i] + 1.0; }")
    assert nested.total_operations()["add"].evaluate({"n": 9}) == 7


def test_conditions_on_loop_variables_are_exact() -> None:
    inner = "if (i == j) a[i] += 1.0; else if (j > i) a[j] *= 2.0;"
    nest = nest_of(f"for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {inner}")
    assert nest.status == "exact"
    totals = {kind: count.evaluate({"n": 7}) for kind, count in nest.total_operations().items()}
    assert totals["add"] == 7
    assert totals["mul"] == 21


def test_conditions_on_data_are_half() -> None:
    nest = nest_of("for (int i = 0; i < n; i++) if (b[i] > 0.5) a[i] = b[i] + 1.0; else a[i] = 0.0;")
    assert nest.status == "assumed"
    assert "b[i] > 0.5" in nest.assumptions[0].text
    assert nest.operations()["add"] * 2 == 1


def test_conditions_on_what_the_user_gave_are_decided() -> None:
    loop = "for (int i = 0; i < n; i++) if (order == 2) a[i] += 1.0; else a[i] *= 2.0;"
    text = f"void f(int n, int order, double *a) {{ {loop} }}"
    nest = only(of_c(text, {"order": 2}))
    assert nest.operations() == {"add": 1}
    assert nest.status == "exact"
    assert only(of_c(text)).status == "assumed"


def test_a_choice_evaluates_one_side() -> None:
    nest = nest_of("for (int i = 0; i < n; i++) a[i] = i > 0 ? b[i-1] + 1.0 : 0.0;")
    assert nest.status == "exact"
    assert nest.total_accesses()["b"][0].evaluate({"n": 9}) == 8
    assert nest.total_operations()["add"].evaluate({"n": 9}) == 8


def test_a_condition_outside_the_loops_is_no_share() -> None:
    nest = nest_of("if (n > 4) for (int i = 0; i < n; i++) a[i] = b[i] + 1.0;")
    assert nest.condition == "n > 4"
    assert str(nest.trips) == "n"


def test_loops_that_never_run_are_kept() -> None:
    loops = of_c("void f(int n, double *a) { if (0) for (int i = 0; i < n; i++) a[i] = 1.0; }")
    assert loops.loops_seen == loops.loops_kept == 1
    assert only(loops).trips == 0


def test_switches_and_enumerations() -> None:
    nest = only(
        of_c(
            """enum { LEFT, RIGHT };
            void f(int n, int side, double *a) { for (int i = 0; i < n; i++) switch (side) {
              case LEFT: a[i] += 1.0; break; case RIGHT: a[i] *= 2.0; break; default: a[i] = 0.0; } }""",
            {"side": 1},
        )
    )
    assert nest.operations() == {"mul": 1}


def test_fortran_loops() -> None:
    loops = of_fortran(
        """
subroutine s(a, n)
  integer :: n, i, j
  real(8) :: a(n,n)
  do j = n, 1, -2
    do i = 1, j
      a(i,j) = a(i,j)*2.0d0
    end do
  end do
end subroutine
"""
    )
    nest = only(loops)
    assert nest.trips.evaluate({"n": 7}) == 7 + 5 + 3 + 1
    assert movers(array(nest, "a").accesses[0]) == ("i", "j")
    assert nest.language == "fortran"


def test_directives_stay_with_their_loops() -> None:
    nest = nest_of("\n#pragma omp parallel for schedule(static, 4)\nfor (int i = 0; i < n; i++) a[i] = b[i];\n")
    (directive,) = nest.loops[0].directives
    assert directive.dialect == "omp"
    assert directive.words == ("parallel", "for")
    assert ("schedule", "static, 4") in directive.clauses


@pytest.mark.parametrize(
    ("body", "run"),
    [
        ("for (int l = 1; l < n; l *= 2) for (int i = 0; i < l; i++) a[i] += 1.0;", lambda n: sum(_powers(n - 1))),
        ("for (int l = 2; l <= n; l <<= 1) for (int i = 0; i < l; i++) a[i] += 1.0;", lambda n: sum(_powers(n)) - 1),
        ("for (int l = n; l > 1; l /= 2) for (int i = 0; i < l; i++) a[i] += 1.0;", lambda n: sum(_halves(n)) - 1),
        ("int l = n; while (l) { a[l] += 1.0; l >>= 1; }", lambda n: len(_halves(n))),
    ],
)
def test_doubling_and_halving(body: str, run: Callable[[int], int]) -> None:
    nest = nest_of(body)
    assert nest.status in ("exact", "assumed")
    for size in (1, 2, 5, 8, 31, 32):
        assert nest.total_operations()["add"].evaluate({"n": size}) == run(size)


def _powers(limit: int) -> list[int]:
    return [2**t for t in range(limit.bit_length())] if limit > 0 else []


def _halves(n: int) -> list[int]:
    return [n >> t for t in range(n.bit_length())]


def test_a_second_condition_makes_the_count_a_bound() -> None:
    nest = nest_of("int i = 0; while (i < n && a[i] > 0.0) { a[i] = b[i] + 1.0; i++; }")
    assert nest.status == "bound"
    assert nest.trips.evaluate({"n": 6}) == 6


def test_continue_does_not_skip_the_step_of_a_loop() -> None:
    nest = nest_of("for (int i = 0, j = n; i < j; i++, j--) { if (i % 2 == 1) continue; a[i] = b[j] + 1.0; }")
    assert nest.status == "exact"
    assert nest.trips.evaluate({"n": 10}) == 5
    assert nest.total_operations()["add"].evaluate({"n": 10}) == 3


def test_the_loop_variable_lives_on_after_its_loop() -> None:
    loops = of_c(
        """void f(int n, double *a, double *b) { int i;
        for (i = 0; i < n - 3; i += 4) { a[i] += b[i]; a[i+1] += b[i+1]; a[i+2] += b[i+2]; a[i+3] += b[i+3]; }
        for (; i < n; i++) a[i] += b[i]; }"""
    )
    unrolled, rest = loops.nests
    for size in (4, 7, 8, 13):
        total = [nest.total_operations()["add"].evaluate({"n": size}) for nest in (unrolled, rest)]
        assert sum(total) == size
        assert total[1] == size % 4


def test_a_parameter_decides_whether_an_inner_nest_runs_not_how_often() -> None:
    text = """void f(int n, int dims, double *a) { for (int j = 0; j < n; j++) {
      if (dims > 1) for (int i = 0; i < n; i++) a[i] += 1.0; else for (int i = 0; i < n; i++) a[i] *= 2.0; } }"""
    first, second = of_c(text).nests
    assert (first.condition, second.condition) == ("dims > 1", "not (dims > 1)")
    assert [str(nest.trips) for nest in (first, second)] == ["n**2", "n**2"]
    assert first.status == second.status == "exact"


def test_bounds_that_have_crossed_run_nothing() -> None:
    """Written so, or made so by the values of parameters: no iteration, no operation; never fewer than none."""
    written = nest_of("for (int i = 9; i < 3; i++) for (int j = 0; j < i; j++) a[j] += 1.0;")
    assert (written.trips, written.total_operations()["add"]) == (0, 0)
    loop = nest_of(
        "for (int i = m; i < n; i++) { b[i] = 2.0; for (int j = 0; j < 4; j++) a[i] += 1.0; }",
        "int n, int m, double *a, double *b",
    )
    for n, m, runs in ((3, 9, 0), (9, 3, 6), (3, 3, 0)):
        known = loop.at({"n": number(n), "m": number(m)})
        assert (known.trips, known.loops[0].trips, known.total_operations()["add"]) == (4 * runs, runs, 4 * runs)
        assert known.total_accesses()["b"] == (0, runs)


def test_counters_under_conditions_on_data_run_on() -> None:
    """`out[count]` is a stream where data decide whether the counter goes on, not a step of unknown length."""
    body = """int count = 0;
      for (int i = 0; i < n; i++) {
        unsigned char c = in[i];
        if (c >= 48 && c <= 57) out[count] = c; else count++;
      }"""
    nest = nest_of(body, "int n, const unsigned char *in, int *out")
    assert [str(dim.stride) for dim in array(nest, "out").dims] == ["1"]
    assert nest.parameters == ("n",)


@pytest.mark.parametrize("declared", ["int *a", "int a[576]", "int a[]"])
@pytest.mark.parametrize("end", ["const int *end = &a[n];", "const int *end; end = a + n;", "int *end = a + n;"])
def test_pointers_to_constants_end_loops_over_array_parameters(declared: str, end: str) -> None:
    """A parameter that is declared as an array is a pointer, also where it is compared with one to constants."""
    body = f"{{ {end} for (a += 18; a < end; a += 18) for (int i = 0; i < 8; i++) a[i] = a[-1 - i]; }}"
    (nest,) = of_c(f"void f({declared}, int n) {body}").nests
    executed = {n: 8 * len(range(18, n, 18)) for n in (18, 19, 36, 37, 576)}
    assert {n: nest.trips.evaluate({"n": n}) for n in executed} == executed
