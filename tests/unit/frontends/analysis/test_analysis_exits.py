"""Ways out of loops: errors, convergence, searches; conditions that are guessed, given, or fixed."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from foretell.core.nest.loopnest import Loops
from foretell.errors import InputError
from foretell.frontends import SourceOptions, read_sources
from tests.support.caches.nests import of_c, of_fortran, only

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.core.nest.loopnest import LoopNest

AT = {"n": 10, "m": 7}
HEAD = "#include <stdio.h>\n#include <stdlib.h>\n#include <math.h>\n#include <string.h>\n"


def nest_of(body: str, result: str = "void") -> LoopNest:
    head = "int n, int m, double *a, double *b, int *k, double tol"
    return only(of_c(f"{HEAD}{result} f({head}) {{ {body} }}"))


def notes(nest: LoopNest) -> str:
    return "; ".join(note.text for note in nest.assumptions)


@pytest.mark.parametrize(
    ("leave", "result"),
    [
        ("if (a[i] < 0) exit(1);", "void"),
        ('if (a[i] < 0) { fprintf(stderr, "bad"); abort(); }', "void"),
        ("if (a[i] < 0) return -1;", "int"),
        ("if (a[i] <= 0.0) return 2;", "int"),
        ('if (!(a[i] > 0)) { printf("invalid value"); return 1; }', "int"),
        ("if (a[i] < 0) { info = i; break; }", "void"),
        ("if (a[i] < 0) goto fail;", "void"),
        ("if (info != 0) break;", "void"),
        ("if (a[i] < 0) { if (n > 3) exit(1); else abort(); }", "void"),
        ("if (a[i] < 0) fatal_error(i);", "void"),
        ("if (a[i] < 0) die_now(i);", "void"),
        ("if (a[i] >= 0) ; else MPI_Abort(0, 1);", "void"),
    ],
)
def test_error_exits_are_not_taken(leave: str, result: str) -> None:
    source = f"int info = m; for (int i = 0; i < n; i++) {{ {leave} b[i] = a[i] * 2; }} fail: ;"
    text = f'{HEAD}int MPI_Abort(int, int);\nstatic void die_now(int i) {{ puts("x"); exit(i); }}\n'
    nest = only(of_c(f"{text}{result} f(int n, int m, double *a, double *b) {{ {source} }}"))
    assert nest.status == "assumed"
    assert "the error exit is not taken" in notes(nest)
    assert nest.trips.evaluate(AT) == 10
    assert nest.total_operations()["mul"].evaluate(AT) == 10


@pytest.mark.parametrize(
    ("leave", "result"),
    [
        ("if (a[i] == b[0]) break;", "void"),
        ("if (k[i] == m) return i;", "int"),
        ("if (k[i] == m) return 1;", "int"),
        ("if (a[i] > tol) break;", "void"),
        ("if (k[i] == m) goto found;", "void"),
    ],
)
def test_searches_stay_upper_bounds(leave: str, result: str) -> None:
    nest = nest_of(f"for (int i = 0; i < n; i++) {{ {leave} b[i] = a[i] * 2; }} found: ;", result)
    assert nest.status == "bound"


def test_null_pointers_are_errors() -> None:
    source = (
        "void *get(int);\nint f(int n, double **p) {"
        " for (int i = 0; i < n; i++) { p[i] = get(i); if (p[i] == 0) return 0; } return 1; }"
    )
    assert only(of_c(source)).status == "assumed"


def test_convergence_comes_last_and_concerns_every_nest_inside() -> None:
    nests = of_c(
        "void f(int n, int m, double *a, double *b, double tol) { double err = 1;"
        " for (int t = 0; t < m; t++) { err = 0; for (int i = 0; i < n; i++) err += a[i];"
        " for (int i = 0; i < n; i++) b[i] *= 2; if (err < tol) break; } }"
    ).nests
    for nest in nests:
        assert nest.status == "assumed"
        assert "the loop runs to its maximum" in notes(nest)
        assert nest.trips.evaluate(AT) == 70


def test_convergence_in_a_while_head() -> None:
    nest = nest_of("double e = 1; int t = 0; while (e > tol && t < n) { e *= 0.5; a[t] = e; t++; }")
    assert nest.status == "assumed"
    assert nest.trips.evaluate(AT) == 10
    nest = nest_of("int i = 0; while (i < n && k[i] != m) { a[i] = 0; i++; }")
    assert nest.status == "bound"


def test_a_return_from_an_inner_loop_concerns_its_neighbours() -> None:
    loops = of_c(
        "int f(int n, double *a, double *b, double x) { for (int i = 0; i < n; i++) {"
        " for (int j = 0; j < n; j++) if (a[j] == x) return j;"
        " for (int j = 0; j < n; j++) b[j] += 1; } return 0; }"
    )
    assert [nest.status for nest in loops.nests] == ["bound", "assumed"]
    assert "is assumed to run to its end" in loops.nests[1].assumptions[0].text


@pytest.mark.parametrize(
    ("body", "trips"),
    [
        ("int i = 0; for (;;) { if (i >= n) break; a[i] += 1; i++; }", 10),
        ("int i = 0; while (1) { a[i] += 1; i++; if (i == n) break; }", 10),
        ("int i = n; while (1) { i = i - 3; if (i < 0) break; a[i] += 1; }", 3),
        ("int i = 0; while (1) { if (!(i < n && i < m)) break; a[i] += 1; i++; }", 7),
        ("int i = 0; while (i < n && i < m) { a[i] += 1; i++; }", 7),
    ],
)
def test_loops_by_their_exit(body: str, trips: int) -> None:
    nest = nest_of(body)
    assert nest.status == "exact"
    assert nest.trips.evaluate(AT) == trips


def test_an_exit_that_cannot_be_a_head_stays() -> None:
    nest = nest_of("int i = 0; while (1) { a[i] += 1; if (i >= n) break; i++; }")
    assert nest.status == "bound"
    nest = nest_of("int i = 0; while (1) { if (k[i]) { i++; continue; } a[i] += 1; if (i >= n) break; }")
    assert nest.status == "bound"


@pytest.mark.parametrize(
    ("condition", "share"),
    [
        ("a[i] == b[i]", 0),
        ("a[i] != 0.0", 1),
        ("fabs(a[i]) < 1e-12", 0),
        ("1e-12 < fabs(a[i])", 1),
        ("isnan(a[i])", 0),
        ("isfinite(a[i])", 1),
        ("!(a[i] == b[i])", 1),
        ("a[i] > b[i]", 0.5),
        ("a[i] > b[i] && a[i] > tol", 0.25),
        ("a[i] > b[i] || a[i] > tol", 0.75),
        ("i > 3 && a[i] != 0.0", 0.6),
        ("i > 3 || a[i] == 0.0", 0.6),
        ("b", 1),
        ("b == 0", 0),
    ],
)
def test_shares_by_the_form_of_a_condition(condition: str, share: float) -> None:
    nest = nest_of(f"for (int i = 0; i < n; i++) if ({condition}) a[i] *= 2;")
    assert nest.status == "assumed"
    assert float(nest.total_operations()["mul"].evaluate(AT)) == 10 * share


def test_a_running_maximum_is_rarely_beaten() -> None:
    nest = nest_of(
        "double x = 0; int w; for (int i = 0; i < n; i++) if (a[i] > x) { x = a[i]; w = i; } b[0] = x; k[0] = w;"
    )
    assert sum(r.evaluate(AT) for r, _ in nest.total_accesses().values()) == 10
    assert "a running extreme" in notes(nest)


@pytest.mark.parametrize(("around", "said"), [("for (int j = 0; j < n; j++)", "never"), ("", "half")])
def test_an_element_is_a_running_extreme_where_a_loop_leaves_it_the_same(around: str, said: str) -> None:
    nest = nest_of(f"{around} for (int i = 0; i < n; i++) if (2 * b[i] < a[i]) a[i] = 2 * b[i];")
    assert f"holds {said}" in notes(nest)


def test_a_fixed_condition_chooses_nests() -> None:
    loops = of_fortran(
        "subroutine s(n, beta, c)\n integer n\n real*8 beta, c(n,n)\n do j = 1, n\n"
        "  if (beta == 0d0) then\n   do i = 1, n\n    c(i,j) = 0\n   end do\n"
        "  else\n   do i = 1, n\n    c(i,j) = beta*c(i,j)\n   end do\n  end if\n end do\nend\n"
    )
    assert [nest.status for nest in loops.nests] == ["exact", "exact"]
    assert [nest.trips.evaluate(AT) for nest in loops.nests] == [100, 100]
    assert loops.nests[0].condition == "beta == 0.0"


def test_a_return_in_a_chain_writes_nothing_twice() -> None:
    nest = nest_of("if (m > 0) m = 1; else { if (m < 0) m = 2; else return; } for (int i = 0; i < n; i++) a[i] = m;")
    assert nest.trips.evaluate(AT) == 10


def test_copies_are_loops() -> None:
    nest = nest_of("for (int j = 0; j < m; j++) memcpy(a + j * n, b, n * sizeof(double));")
    assert nest.status == "exact"
    assert nest.trips.evaluate(AT) == 70
    assert {name: (r.evaluate(AT), w.evaluate(AT)) for name, (r, w) in nest.total_accesses().items()} == {
        "a": (0, 70),
        "b": (70, 0),
    }
    nest = only(of_c(f"{HEAD}void f(void) {{ static float c[4][5]; memset(c, 0, sizeof c); }}"))
    assert nest.trips.evaluate({}) == 20
    nest = nest_of("for (int j = 0; j < m; j++) memcpy(a, b, j + 1);")
    assert "memcpy is not counted" in notes(nest)


def test_a_selector_is_read_once() -> None:
    nest = nest_of("for (int i = 0; i < n; i++) switch (k[i]) { case 1: a[i] = 1; break; case 2: a[i] = 2; }")
    assert nest.total_accesses()["k"][0].evaluate(AT) == 10


def test_goto_in_fortran() -> None:
    nest = only(
        of_fortran(
            "      subroutine s(n, x, l)\n      dimension x(n), l(n)\n      do 90 k = 1, n\n"
            "      if (l(k)) 50, 50, 30\n   30 x(k) = x(k) + 1\n   50 x(k) = x(k)*2\n   90 continue\n      end\n",
            "s.f",
        )
    )
    assert nest.status == "assumed"
    assert nest.total_operations()["mul"].evaluate(AT) == 10
    nest = only(
        of_fortran(
            "      subroutine s(n, x)\n      dimension x(n)\n      i = 1\n   10 if (i .gt. n) goto 20\n"
            "      x(i) = 0\n      i = i + 1\n      goto 10\n   20 return\n      end\n",
            "s.f",
        )
    )
    assert nest.status == "exact"
    assert nest.trips.evaluate(AT) == 10


def test_an_entry_is_a_procedure() -> None:
    loops = of_fortran(
        "      subroutine s(n, x)\n      dimension x(n)\n      do 10 i = 1, n\n   10 x(i) = 1\n      return\n"
        "      entry t(x, m)\n      do 20 i = 1, m\n   20 x(i) = x(i)*2\n      end\n"
        "      subroutine u(x)\n      dimension x(5)\n      call t(x, 5)\n      end\n",
        "s.f",
    )
    assert [(nest.function, str(nest.trips)) for nest in loops.nests] == [("s", "n"), ("t", "m")]
    assert [call.callee for call in loops.calls] == ["t"]


def _loops(tmp_path: Path, *branches: tuple[str, str]) -> Loops:
    path = tmp_path / "b.c"
    path.write_text("void f(int n, double *a) {\n for (int i = 0; i < n; i++)\n  if (a[i] > 0) a[i] *= 2;\n}\n")
    return read_sources([path], SourceOptions(branches=branches)).facet(Loops)


@pytest.mark.parametrize("place", ["3", "b.c:3"])
def test_shares_that_the_user_gives(place: str, tmp_path: Path) -> None:
    nest = only(_loops(tmp_path, (place, "0.1")))
    assert nest.total_operations()["mul"].evaluate(AT) == Fraction(1)
    assert "holds 10 % of the time" in notes(nest)


@pytest.mark.parametrize(("place", "text"), [("x", "0.1"), ("3", "much"), ("3", "1.5"), ("3", "1/0")])
def test_wrong_shares(place: str, text: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--branch"):
        _loops(tmp_path, (place, text))


def test_an_error_behind_a_nest_does_not_refuse_it() -> None:
    loops = of_c(
        "void f(int n, double *a) {\n for (int i = 0; i < n; i++) {\n  a[i] *= 2;\n }\n a[0] = q->x;\n"
        " for (int i = 0; i < n; i++)\n  a[i] = q->y;\n}\n"
    )
    assert [nest.status for nest in loops.nests] == ["assumed", "refused"]
    assert "undeclared identifier 'q'" in notes(loops.nests[0])


def test_gotos_of_c_are_loops_and_conditions() -> None:
    loops = of_c(
        "void f(int n, double *a, double *b) { int i = 0; again: if (i >= n) goto done; a[i] = 2 * b[i]; i++;"
        " goto again; done: for (int j = 0; j < n; j++) { if (a[j] > 1) goto skip; b[j] += 1; skip: a[j] *= 2; } }"
    )
    assert [(nest.status, str(nest.trips)) for nest in loops.nests] == [("exact", "n"), ("assumed", "n")]
    assert loops.loops_seen == loops.loops_kept == 2


@pytest.mark.parametrize("status", ["0", "n + 1"])
def test_a_branch_with_loops_is_no_error_exit(status: str) -> None:
    """LAPACK's habit: the routine ends with a status, behind `if (n == 0) return`."""
    source = f"""
      subroutine s(n, x, info)
      integer n, info
      double precision x(*)
      if (n .eq. 0) return
      do i = 1, n
         x(i) = 2 * x(i)
      end do
      info = {status}
      return
      end
"""
    nest = only(of_fortran(source))
    (choice,) = nest.choices
    assert (choice.text, choice.holds) == ("n == 0", False)
    assert choice.share is not None
    assert choice.share.evaluate({"n": 100}) == 1


def test_a_status_of_success_is_no_error() -> None:
    nest = nest_of("int info = m; for (int i = 0; i < n; i++) { if (a[i] < 0) { info = 0; break; } b[i] = a[i]; }")
    assert nest.status == "bound"


def test_a_value_behind_a_label_that_is_jumped_back_to_is_unknown() -> None:
    """Two gotos cross each other, so neither is a loop; the counter is not 0 when the label is met again."""
    source = """
      subroutine s(n, x, y)
      integer n, k
      double precision x(*), y
      k = 0
      if (y .gt. 1) go to 20
   10 k = k + 1
      y = y + x(k)
   20 if (y .lt. x(2)) go to 10
      if (k .lt. 1) go to 10
      if (y .lt. 3) go to 20
      do i = 1, k
         x(i) = 2 * x(i)
      end do
      end
"""
    nest = only(of_fortran(source))
    assert nest.status == "assumed"
    assert any(name.startswith("k@") for name in nest.trips.symbols())


def test_an_unknown_procedure_leaves_integers_that_are_only_read() -> None:
    source = """
      subroutine s(n, m, x)
      integer n, m
      double precision x(*)
      m = m + 1
      call other(n, m, x)
      do i = 1, n
         do j = 1, m
            x(i) = x(i) + 1
         end do
      end do
      end
"""
    nest = only(of_fortran(source))
    assert nest.trips.symbols() == {"n", "m@6"}
