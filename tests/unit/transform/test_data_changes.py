"""Changes of layouts and precision: what they write, what they refuse, and that the results stay."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from foretell.transform.text.declarations import Declarations
from tests.unit.transform.programs import changed, changes, program, refusals

if TYPE_CHECKING:
    from pathlib import Path

needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")

COLUMNS = """\
static double a[64][64], b[64][64];
double c[9];
void f(int n) {
    for (int i = 0; i < 64; i++)
        for (int j = 0; j < 64; j++)
            a[i][j] = b[j][i] + n;
}
"""


def result_of(text: str, folder: Path, *flags: str) -> str:
    """What a program prints."""
    source, target = folder / "whole.c", folder / "whole"
    source.write_text(text)
    command = ["gcc", "-O1", "-ffp-contract=off", "-w", *flags, "-o", str(target), str(source), "-lm"]
    subprocess.run(command, check=True, timeout=60)
    return subprocess.run([str(target)], check=True, capture_output=True, text=True, timeout=60).stdout


def test_arrays_that_a_text_declares() -> None:
    text = "extern int z[3];\nvoid f(double p[8]) { static float q[2] = {1, 2}, *r, s[4]; T u[5]; return x[1]; }"
    arrays = {one.name: one for one in Declarations(text).arrays()}
    assert list(arrays) == ["z", "q", "s", "u"]
    assert arrays["z"].is_global
    assert arrays["z"].specifiers == ("extern",)
    assert arrays["q"].has_initialiser
    assert arrays["q"].statement is None
    assert arrays["u"].statement is not None
    assert arrays["u"].type == "T"
    assert [text[slice(*span)] for span in arrays["s"].extents] == ["4"]


def test_rows_are_padded(tmp_path: Path) -> None:
    text = changed(program(COLUMNS, tmp_path), "pad the rows of a, b by 64 bytes", "pad")
    assert "a[64][64 + 8], b[64][64 + 8];" in text
    shared = COLUMNS.replace("static double a", "double a")
    (change,) = changes(program(shared, tmp_path), "pad").values()
    assert change.provided == ("no other file uses a, b",)
    single = COLUMNS.replace("double", "float")
    assert "64 + 16]" in changed(program(single, tmp_path), "pad the rows of a, b by 64 bytes", "pad")


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("b[64][64];", "b[64][64] = {{1}};", "line 1: b has an initialiser"),
        ("+ n;\n}", "+ n;\ng(a);\n}", "line 7 uses a as a whole"),
        ("+ n;\n}", "+ n;\ng(&a[1][2]);\n}", "line 7 uses a as a whole, or its address"),
        ("+ n;\n}", "+ n;\n}\nvoid h(double a[4][4]) { a[1][1] = 1; }", "line 8: a is declared again"),
        ("static double a", "extern double a", "line 1: a is declared in another file"),
        (
            "static double a",
            "static struct s { int m; } k;\nstatic unsigned short a",
            "a is an array of unsigned short",
        ),
    ],
)
def test_layouts_that_must_stay(old: str, new: str, reason: str, tmp_path: Path) -> None:
    text = "void g();\n".strip() + COLUMNS.replace(old, new)
    assert reason in refusals(program(text, tmp_path), "pad")[0]


RECORDS = """\
#include <stdio.h>
struct point { double x, y; int tag; };
static struct point p[100];
void move(int n, double h) {
    for (int i = 0; i < n; i++)
        p[i].x = p[i].x + h * p[i].y;
}
int main(void) {
    for (int i = 0; i < 100; i++) { p[i].x = i; p[i].y = 0.25 * i; p[i].tag = 1; }
    move(90, 0.5);
    double s = 0;
    for (int i = 0; i < 100; i++) s += p[i].x * (i + 1) + p[i].tag;
    printf("%a\\n", s);
}
"""


@needs_gcc
def test_members_become_arrays_with_the_same_results(tmp_path: Path) -> None:
    given = program(RECORDS, tmp_path)
    text = changed(given, "one array for each member of p (x, y, tag)", "aos_to_soa")
    assert "static struct { double x[100]; double y[100]; int tag[100]; } p;" in text
    assert "p.x[i] = p.x[i] + h * p.y[i];" in text
    assert result_of(text, tmp_path) == result_of(RECORDS, tmp_path)


PARTICLES = """\
typedef struct { double x, v; } particle;
void push(int n, const particle *restrict q, double *restrict r) {
    for (int i = 0; i < n; i++)
        r[i] = q[i].x + q[i].v;
}
"""


def test_a_parameter_becomes_a_pointer_for_each_member(tmp_path: Path) -> None:
    (change,) = changes(program(PARTICLES, tmp_path), "aos_to_soa").values()
    text = changed(program(PARTICLES, tmp_path), change.title, "aos_to_soa")
    assert "const double *restrict q_x, const double *restrict q_v, double *restrict r" in text
    assert "q_x[i] + q_v[i]" in text
    assert change.provided == ("callers of push pass q_x, q_v instead of q",)
    rows = PARTICLES.replace("*restrict q", "q[restrict n]")
    assert "const double *restrict q_x" in changed(program(rows, tmp_path), change.title, "aos_to_soa")


@pytest.mark.parametrize(
    ("text", "old", "new", "reason"),
    [
        (PARTICLES, "}\n}", "}\n}", ""),
        (PARTICLES, "q[i].v", "(q + i)->v", "line 4 uses q other than by q[…].member"),
        (PARTICLES, "q[i].v;\n}", "q[i].v;\n}\nvoid g(particle *z, double *r) { push(3, z, r); }", "line 6 calls push"),
        (RECORDS, "move(90, 0.5);", "struct point o = p[3];", "line 10 uses p other than by"),
        (RECORDS, "static struct point p[100]", "static struct point p[100], o", "line 3: p is not declared alone"),
        (
            RECORDS,
            "int main(void) {",
            "void g(struct point *p) { }\nint main(void) {",
            "p is declared again|other than",
        ),
    ],
)
def test_structures_that_must_stay(text: str, old: str, new: str, reason: str, tmp_path: Path) -> None:
    found = refusals(program(text.replace(old, new), tmp_path), "aos_to_soa")
    assert any(part in one for one in found for part in reason.split("|")) if reason else not found


def test_structures_of_arrays_and_pointers_are_left_alone(tmp_path: Path) -> None:
    text = PARTICLES.replace("double x, v;", "double x; double v; double *more;")
    assert changes(program(text, tmp_path), "aos_to_soa") == {}


PRECISE = """\
#include <math.h>
#include <stdio.h>
double norm(int n, const double *x) {
    double s = 0.0;
    for (int i = 0; i < n; i++)
        s += sqrt(x[i]) * 1e-1; // 2.5 stays
    return s;
}
int main(void) {
    double x[50];
    for (int i = 0; i < 50; i++)
        x[i] = 0.5 + i;
    printf("%.4f 1.5\\n", norm(50, x));
}
"""


@needs_gcc
def test_single_precision_is_another_result(tmp_path: Path) -> None:
    (change,) = changes(program(PRECISE, tmp_path), "single").values()
    text = changed(program(PRECISE, tmp_path), "compute in single precision", "single")
    assert "double" not in text
    assert "sqrtf(x[i]) * 1e-1f; // 2.5 stays" in text
    assert "float s = 0.0f;" in text
    assert '"%.4f 1.5\\n"' in text
    assert "accurate enough" in change.provided[0]
    before, after = (float(result_of(one, tmp_path).split()[0]) for one in (PRECISE, text))
    assert after == pytest.approx(before, rel=1e-5)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("double s = 0.0", "long double s = 0.0", "line 4: long double"),
        ("printf(", "scanf(", "scanf reads or writes"),
        ("norm(50, x)", "other(50, x)", "other is not in this file"),
        ("#include <math.h>", "#define HALF 0.5", "line 1: a macro names the type or a number"),
        ("double", "float", "nothing is computed in double precision"),
    ],
)
def test_precision_that_must_stay(old: str, new: str, reason: str, tmp_path: Path) -> None:
    assert reason in refusals(program(PRECISE.replace(old, new), tmp_path), "single")[0]


FORTRAN = """\
subroutine scale(n, a, h)
  implicit none
  integer, parameter :: dp = selected_real_kind(15)
  integer :: n, i
  real(8) :: a(n), h
  double precision :: t
  real(kind=dp) :: u
  u = 1.0d0 ! 1.0d0 stays
  t = dble(n)
  do i = 1, n
    a(i) = a(i) / h + 2.5d-1 * t + u
  end do
end subroutine
"""


def test_single_precision_in_fortran(tmp_path: Path) -> None:
    text = changed(program(FORTRAN, tmp_path, "s.f90"), "compute in single precision", "single")
    assert "real(4) :: a(n), h" in text
    assert "  real :: t" in text
    assert "dp = kind(1.0)" in text
    assert "u = 1.0e0 ! 1.0d0 stays" in text
    assert "2.5e-1 * t" in text
    assert "t = real(n)" in text
