"""Changes of innermost loops and of how threads share loops: what they write, what they refuse, and their results."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from foretell.transform.catalogue import Choices, attempted, candidates
from foretell.transform.program import ALL_CORES, Change
from foretell.transform.text.source import edited
from tests.unit.transform.programs import changed, changes, program, refusals
from tests.unit.transform.test_data_changes import needs_gcc, result_of

if TYPE_CHECKING:
    from pathlib import Path

SUMS = """\
void f(int n, double a[n][n], double *x, double *t, double *w) {
    for (int i = 0; i < n; i++) {
        t[i] = 0;
        for (int j = 0; j < n; j++)
            t[i] = a[i][j] * x[j] * w[2] + t[i];
    }
}
"""
MAIN = """
#include <stdio.h>
static double a[21][21], x[21], t[21], w[21];
int main(void) {
    for (int i = 0; i < 21; i++) {
        x[i] = 1.0 / (i + 3); w[i] = i; t[i] = 2;
        for (int j = 0; j < 21; j++) a[i][j] = i - 0.3 * j;
    }
    f(21, a, x, t, w);
    double s = 0;
    for (int i = 0; i < 21; i++) { s += t[i] * (i + 1) + x[i] + w[i]; for (int j = 0; j < 21; j++) s += a[i][j] * j; }
    printf("%.17g\\n", s);
}
"""


def value(text: str, folder: Path, *flags: str) -> float:
    return float(result_of(text + MAIN, folder, *flags))


@needs_gcc
def test_steady_elements_are_kept_in_scalars(tmp_path: Path) -> None:
    title = "keep t[i], w[2] in a scalar during the loop over j"
    given = program(SUMS, tmp_path)
    text = changed(given, title, "hoist")
    assert "if (0 < n) {\n            double t_kept = t[i];\n            double w_kept = w[2];\n" in text
    assert "t_kept = a[i][j] * x[j] * w_kept + t_kept;\n            t[i] = t_kept;" in text
    assert changes(given, "hoist")[title].provided == ("a, t, w, x do not overlap",)
    assert value(text, tmp_path) == value(SUMS, tmp_path)


def test_scalars_have_names_of_their_own(tmp_path: Path) -> None:
    """Two elements of one array, where an earlier change has taken the first name."""
    text = "void f(int n, double a[9][9], double *x) {\n    double a_kept = x[0];\n    for (int j = 0; j < n; j++)\n"
    given = program(f"{text}        x[j] = a[1][2] * a[3][4] + a_kept;\n}}\n", tmp_path)
    new = changed(given, "keep a[1][2], a[3][4] in a scalar during the loop over j", "hoist")
    assert "x[j] = a_kept2 * a_kept3 + a_kept;" in new


@needs_gcc
def test_an_else_still_belongs_to_its_if(tmp_path: Path) -> None:
    inner = "for (int j = 0; j < n; j++)\n                x[j] += w[1];"
    text = SUMS.replace("t[i] = 0;", f"if (i % 2)\n            {inner}\n        else\n            t[i] = 3;")
    new = changed(program(text, tmp_path), "keep w[1] in a scalar during the loop over j", "hoist")
    assert "{ if (0 < n) {" in new
    assert value(new, tmp_path) == value(text, tmp_path)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("if (x[j] > 1) t[i] += x[j];", "a condition may guard"),
        ("t[i] += x[j]; t[j] = 1;", "every element depends on j"),
        ("t[i] += x[j] * g(w[1]);", "calls g"),
    ],
)
def test_elements_that_must_stay_in_memory(line: str, reason: str, tmp_path: Path) -> None:
    text = "double g(double);\n" + SUMS.replace("t[i] = a[i][j] * x[j] * w[2] + t[i];", f"{{ {line} }}")
    assert any(reason in one for one in refusals(program(text, tmp_path), "hoist"))


@needs_gcc
def test_other_elements_of_the_array_that_are_never_the_same(tmp_path: Path) -> None:
    solve = "for (int j = 0; j < i; j++)\n            t[i] = t[i] - a[i][j] * t[j];"
    text = SUMS[: SUMS.index("for (int j")] + f"{solve}\n    }}\n}}\n"
    new = changed(program(text, tmp_path), "vectorise the loop over j, a sum in t[i]", "vectorise")
    assert "t_kept = t_kept - a[i][j] * t[j];" in new
    assert value(new, tmp_path) == pytest.approx(value(text, tmp_path), rel=1e-12)
    whole = text.replace("j < i", "j < n")
    assert "goes from one iteration" in refusals(program(whole, tmp_path), "vectorise")[0]


@needs_gcc
def test_sums_in_elements_are_vectorised(tmp_path: Path) -> None:
    (change,) = changes(program(SUMS, tmp_path), "vectorise").values()
    assert change.title == "vectorise the loop over j, a sum in t[i]"
    assert change.flags == "-fopenmp-simd"
    assert "the order of additions may change" in change.provided
    text = edited(SUMS, change.edits)
    assert "#pragma omp simd reduction(+:t_kept)\n" in text
    assert value(text, tmp_path, "-O3", "-fopenmp-simd") == pytest.approx(value(SUMS, tmp_path), rel=1e-12)


def scalar_loop(statement: str, parameters: str = "int n, double *restrict x, double *restrict y") -> str:
    loop = f"    for (int i = 1; i < n; i++)\n        {statement}\n"
    return f"double f({parameters}) {{\n    double s = 0;\n{loop}    return s;\n}}\n"


@pytest.mark.parametrize(
    ("statement", "title"),
    [
        ("s += x[i];", "vectorise the loop over i, a sum in s"),
        ("s = s - x[i] * y[i];", "vectorise the loop over i, a sum in s"),
        ("s = x[i] * y[i] + s;", "vectorise the loop over i, a sum in s"),
        ("if (x[i] > 0) y[i] = x[i];", "vectorise the loop over i"),
    ],
)
def test_what_is_vectorised(statement: str, title: str, tmp_path: Path) -> None:
    assert title in changes(program(scalar_loop(statement), tmp_path), "vectorise")


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("s = s + x[i] > 1 ? 2 : 3;", "dependence on s"),
        ("s = s * x[i] + s;", "dependence on s"),
        ("{ s += x[i]; y[i] = s; }", "dependence on s"),
        ("x[i] = x[i - 1] + y[i];", "flow dependence on x (line 4) goes from one iteration to the next"),
        ("x[i] = y[i];", "nothing keeps the compiler from vectorising"),
    ],
)
def test_what_is_not_vectorised(statement: str, reason: str, tmp_path: Path) -> None:
    assert reason in refusals(program(scalar_loop(statement), tmp_path), "vectorise")[0]


@needs_gcc
def test_divisors_become_factors(tmp_path: Path) -> None:
    text = (
        SUMS.replace("x[j] * w[2]", "x[j] / n / 3.0").replace("double *w", "double *w, double h").replace("/ n", "/ h")
    )
    (change,) = changes(program(text, tmp_path), "reciprocal").values()
    new = edited(text, change.edits)
    assert "double per_h = (double)1 / h;" in new
    assert "a[i][j] * x[j] * per_h * per_3_0" in new
    assert change.provided[-1] == "the last bits of quotients may differ"
    calls = MAIN.replace("t, w);", "t, w, 1.7);")
    before, after = (float(result_of(one + calls, tmp_path)) for one in (text, new))
    assert after == pytest.approx(before, rel=1e-12)


@pytest.mark.parametrize(
    ("divided", "reason"),
    [
        ("x[j] / t_j", "no floating-point divisor is the same for all j"),
        ("x[j / k] / n", "no floating-point divisor is the same for all j"),
    ],
)
def test_divisions_that_stay(divided: str, reason: str, tmp_path: Path) -> None:
    text = SUMS.replace("t[i] = a", "{ double t_j = x[j]; int k = 2; t[i] = a").replace("+ t[i];", "+ t[i]; }")
    found = refusals(program(text.replace("x[j] * w[2]", divided), tmp_path), "reciprocal")
    assert reason in found[0]


STREAM = """\
void f(long n, double *restrict a, const double *restrict b) {
    for (long i = 0; i < n; i++)
        a[i] = 2 * b[i];
}
"""


def test_stores_past_the_caches_need_clang(tmp_path: Path) -> None:
    given = program(STREAM, tmp_path)
    (refused,) = refusals(given, "stream")
    assert "gcc reads the clause nontemporal and ignores it" in refused
    (change,) = [attempted(one) for one in candidates(given, Choices(("stream",), compiler="clang"))]
    assert isinstance(change, Change)
    assert "    #pragma omp simd nontemporal(a)\n    for" in edited(STREAM, change.edits)
    carried = STREAM.replace("a[i] = 2 * b[i];", "a[i] = 2 * b[i], a[i + 1] = 3;")
    assert [attempted(one) for one in candidates(program(carried, tmp_path), Choices(("stream",), compiler="clang"))]
    strided = STREAM.replace("a[i]", "a[2 * i]")
    assert "no array is only written" in refusals(program(strided, tmp_path), "stream")[0]


GATHER = """\
void f(int n, double *restrict a, const double *restrict b, const int *restrict ix) {
    for (int i = 0; i <= n; i++) {
        a[i] += b[ix[i]];
    }
}
"""


@needs_gcc
def test_gathers_are_prefetched(tmp_path: Path) -> None:
    text = changed(program(GATHER, tmp_path), "prefetch b 16 iterations ahead", "prefetch")
    assert "__builtin_prefetch(&b[ix[(i + 16 <= n ? i + 16 : i)]]);" in text
    main = "#include <stdio.h>\ndouble a[50], b[50]; int ix[50];\nint main(void) { for (int i = 0; i < 50; i++) "
    main += '{ b[i] = i * 0.7; ix[i] = (i * 7) % 50; } f(49, a, b, ix); printf("%a\\n", a[7] + a[49]); }\n'
    assert result_of(text + main, tmp_path) == result_of(GATHER + main, tmp_path)
    down = GATHER.replace("int i = 0; i <= n; i++", "int i = n; i >= 0; i--")
    assert "go up by 1" in refusals(program(down, tmp_path), "prefetch")[0]
    two = GATHER.replace(
        "a[i] += b[ix[i]];\n    }", "a[i] += b[ix[i]];\n    }\n    for (int k = 0; k < n; k++)\n        a[k] = 1;"
    )
    assert any("no subscript is an element" in one for one in refusals(program(two, tmp_path), "prefetch"))


TRIANGLE = """\
void f(int n, double a[restrict n][n], double *restrict x) {
    for (int i = 0; i < n; i++)
        x[i] = 1;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            a[i][j] = x[i];
}
"""


def test_threads_and_their_portions(tmp_path: Path) -> None:
    given = program(TRIANGLE, tmp_path)
    text = changed(given, "deal the iterations over i out one by one (schedule(static, 1))", "schedule")
    assert "#pragma omp parallel for schedule(static, 1)\n" in text
    assert "has a schedule already" in refusals(program(text, tmp_path), "schedule")[0]
    even = TRIANGLE.replace("j < i", "j < n")
    assert "the same work" in refusals(program(even, tmp_path), "schedule")[0]
    touched = changed(given, "set x by the threads that use it, so that its pages lie near them", "first_touch")
    assert touched.count("#pragma omp parallel for") == 2
    near = next(iter(candidates(given, Choices(("first_touch",), domains=1))))
    assert "one memory domain" in getattr(attempted(near), "reason", "")
    used = TRIANGLE.replace("x[i] = 1;", "x[i] = x[i] + 1;")
    assert "no array is only set here" in refusals(program(used, tmp_path), "first_touch")[0]
    tried = [attempted(one) for one in candidates(given, Choices(("threads",), threads=(1, 4)))]
    assert [one.title for one in tried if isinstance(one, Change)] == ["run on 1 thread", "run on 4 threads"]


def test_loops_are_divided_together(tmp_path: Path) -> None:
    loops = "    for (int i = 0; i < 3; i++)\n        for (int j = 0; j < n; j++)\n            a[i][j] = 1;\n"
    text = f"void f(int n, double a[n][n]) {{\n{loops}}}\n"
    (change,) = changes(program(text, tmp_path), "collapse").values()
    assert "#pragma omp parallel for collapse(2)\n" in edited(text, change.edits)
    assert change.threads == ALL_CORES
    triangle = text.replace("j = 0", "j = i")
    assert "depends on i" in refusals(program(triangle, tmp_path), "collapse")[0]
    carried = text.replace("= 1;", "= a[i][j] + a[i][0];")
    assert "goes from one iteration to another" in refusals(program(carried, tmp_path), "collapse")[0]
    divided = text.replace("    for (int i", "#pragma omp parallel for\n    for (int i")
    assert "directive" in refusals(program(divided, tmp_path), "parallelise")[0]


def test_nothing_is_put_between_loops_that_threads_share(tmp_path: Path) -> None:
    text = SUMS.replace("    for (int i", "#pragma omp parallel for collapse(2)\n    for (int i").replace(
        "t[i] = 0;\n", ""
    )
    assert "threads share the loop with line 3 (collapse)" in refusals(program(text, tmp_path), "hoist")[0]
    alone = text.replace("collapse(2)", "collapse(1)")
    assert changes(program(alone, tmp_path), "hoist")


FORTRAN = """\
subroutine f(n, a, b, s, h)
  implicit none
  integer :: n, i, j
  real(8) :: a(n, n), b(n, n), s, h
  do j = 1, n
    do i = 1, n
      a(i, j) = b(i, j) / h
    end do
  end do
  do i = 1, n
    s = s + a(i, 1)
  end do
end subroutine
"""


def test_directives_and_reciprocals_in_fortran(tmp_path: Path) -> None:
    given = program(FORTRAN, tmp_path, "f.f90")
    text = changed(given, "multiply by 1/h instead of dividing in the loop over i", "reciprocal")
    assert "  real(8) :: per_h" in text
    assert "    per_h = 1.0_8 / h\n    do i = 1, n" in text
    assert "b(i, j) * per_h" in text
    assert "  !$omp simd reduction(+:s)\n  do i" in changed(given, "vectorise the loop over i, a sum in s", "vectorise")
    assert "!$omp parallel do collapse(2)" in changed(
        given, "divide the loops over j and i together between threads", "collapse"
    )
    assert any("no clang" in one or "gcc reads" in one for one in refusals(given, "stream"))


def test_kinds_that_are_written_in_c_alone_say_so(tmp_path: Path) -> None:
    given = program(FORTRAN, tmp_path, "f.f90")
    for kind in ("hoist", "restrict"):
        assert [("Fortran" in reason) for reason in refusals(given, kind)] == [True], kind


@pytest.mark.skipif(shutil.which("gfortran") is None, reason="needs gfortran")
def test_fortran_with_reciprocals_compiles(tmp_path: Path) -> None:
    given = program(FORTRAN, tmp_path, "f.f90")
    offered = changes(given, "reciprocal", "vectorise", "single", "collapse")
    assert {change.transformation for change in offered.values()} >= {"reciprocal", "vectorise", "collapse"}
    for name, change in offered.items():
        source = tmp_path / "changed.f90"
        source.write_text(edited(FORTRAN, change.edits))
        compiled = subprocess.run(
            ["gfortran", "-fopenmp", "-fsyntax-only", str(source)], capture_output=True, text=True, timeout=60
        )
        assert (compiled.returncode, compiled.stderr) == (0, ""), name
