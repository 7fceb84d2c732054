"""Which part of a function runs: conditions that no loop changes, given by -D or --branch, or asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from foretell.api import predict
from foretell.errors import InputError
from foretell.frontends import read_options
from foretell.frontends.read import read
from foretell.machines import load
from tests.support.cli import run

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.core.answers.prediction import Prediction

_C = """#include <string.h>
void tri(char uplo, int n, double *a, int flag, double *w)
{
  if (uplo == 'L')
    for (int i = 0; i < n; i++) a[i] = 2;
  else
    for (int i = 0; i < n * n; i++) a[i] *= 2;
  if (w != NULL)
    for (int i = 0; i < 8 * n; i++) w[i] = 0;
  if (flag)
    for (int i = 0; i < 32 * n; i++) a[i] = 0;
}
void named(const char *how, int n, double *a)
{
  if (strcmp(how, "some") == 0)
    for (int i = 0; i < n; i++) a[i] = 1;
  else
    for (int i = 0; i < n * n; i++) a[i] = 2;
}
void first(const char *how, int n, double *a)
{
  if (*how == 'N' || how[0] == 'n')
    for (int i = 0; i < n; i++) a[i] = 1;
  else
    for (int i = 0; i < n * n; i++) a[i] = 2;
}
void compared(double eps, int n, double *a)
{
  if (eps > 0.5)
    for (int i = 0; i < n; i++) a[i] = 1;
  else
    for (int i = 0; i < n * n; i++) a[i] = 2;
}
static void scale(int n, double *a) { for (int i = 0; i < n; i++) a[i] *= 2; }
void caller(int n, int m, double *a)
{
  if (m > 3) scale(n, a);
  for (int j = 0; j < n; j++) elsewhere(a + j);
  for (int i = 0; i < n; i++) a[i] += 1;
}
"""
_FORTRAN = """subroutine gemm(trans, m, a)
  character*1 trans
  integer m, i
  double precision a(m)
  logical lsame, nota
  external lsame
  nota = lsame(trans, 'N')
  if (nota) then
    do i = 1, m
      a(i) = 1
    end do
  else
    do i = 1, m * m
      a(i) = 2
    end do
  end if
  if (trans == 'C') then
    do i = 1, m * m
      a(i) = 3
    end do
  end if
end subroutine
"""


@pytest.fixture
def c(tmp_path: Path) -> Path:
    file = tmp_path / "choices.c"
    file.write_text(_C)
    return file


def _predicted(file: str | Path, sizes: dict[str, float], **reading: dict[str, str]) -> Prediction:
    workload = read(file, read_options(**reading))  # type: ignore[arg-type]
    return predict(workload, load("cascade-lake"), parameters=sizes)


def test_an_open_alternative_is_asked_for_with_its_line(c: Path) -> None:
    with pytest.raises(InputError, match="uplo == 'L'") as failed:
        _predicted(f"{c}:tri", {"n": 100.0})
    assert failed.value.line == 4
    assert "-D uplo=" in str(failed.value.hint)
    assert "--branch 4=1" in str(failed.value.hint)


def test_letters_flags_and_null_choose_and_are_said(c: Path) -> None:
    lower = _predicted(f"{c}:tri", {"n": 3000.0}, choices={"uplo": "L", "flag": "0", "w": "NULL"})
    upper = _predicted(f"{c}:tri", {"n": 3000.0}, choices={"uplo": "'U'", "flag": "0", "w": "NULL"})
    assert upper.time_s > 1000 * lower.time_s
    assert "tri, line 4: «uplo == 'L'» holds" in lower.assumptions
    assert "tri, line 4: «uplo == 'L'» does not hold" in upper.assumptions
    assert "tri, line 8: «w != 0» does not hold" in lower.assumptions
    assert "tri, line 10: «flag» does not hold" in lower.assumptions


def test_a_pointer_is_taken_not_to_be_null_and_a_flag_to_hold(c: Path) -> None:
    some = _predicted(f"{c}:tri", {"n": 3000.0}, choices={"uplo": "L"})
    less = _predicted(f"{c}:tri", {"n": 3000.0}, choices={"uplo": "L", "flag": "0"})
    assert "tri, line 8: «w != 0» is taken to hold" in some.assumptions
    assert "tri, line 10: «flag» is taken to hold; if not: --branch 10=0" in some.assumptions
    assert some.time_s > less.time_s


@pytest.mark.parametrize(
    ("share", "said"), [("1", "holds"), ("0", "does not hold"), ("0.25", "holds 0.25 of the time")]
)
def test_branch_reaches_conditions_outside_of_loops(c: Path, share: str, said: str) -> None:
    found = _predicted(f"{c}:compared", {"n": 100.0}, branch={"29": share})
    assert f"compared, line 29: «eps > 0.5» {said}" in found.assumptions


def test_a_share_of_calls_weighs_both_alternatives(c: Path) -> None:
    times = [_predicted(f"{c}:compared", {"n": 100.0}, branch={"29": share}).time_s for share in ("1", "0", "0.25")]
    assert times[2] == pytest.approx(0.25 * times[0] + 0.75 * times[1])


@pytest.mark.parametrize(
    ("function", "word", "few"), [("named", "some", True), ("named", "all", False), ("first", "n", True)]
)
def test_strings_choose(c: Path, function: str, word: str, few: bool) -> None:
    found = _predicted(f"{c}:{function}", {"n": 3000.0}, choices={"how": word})
    assert (found.time_s < 1e-5) == few


def test_parts_of_strings_any_case_and_truth_values_choose(tmp_path: Path) -> None:
    file = tmp_path / "more.c"
    loops = "for (int i = 0; i < n; i++) a[i] = 1; else for (int i = 0; i < n * n; i++) a[i] = 2; }\n"
    file.write_text(
        "#include <string.h>\n#include <strings.h>\n#include <stdbool.h>\n"
        f'void part(const char *how, int n, double *a) {{ if (!strncmp(how, "some", 2)) {loops}'
        f'void any(char how[], int n, double *a) {{ if (strcasecmp((char *)how, "SOME") == 0) {loops}'
        f"void truth(bool how, int n, double *a) {{ if (how) {loops}"
        f"void other(const char *how, const char *x, int n, double *a) {{ if (strcmp(how, x) == 0) {loops}"
    )
    for function, word in (("part", "so"), ("any", "Some"), ("truth", "true")):
        assert _predicted(f"{file}:{function}", {"n": 3000.0}, choices={"how": word}).time_s < 1e-5
    with pytest.raises(InputError, match="not known"):
        _predicted(f"{file}:other", {"n": 3000.0}, choices={"how": "so"})


def test_fortran_letters_choose(tmp_path: Path) -> None:
    file = tmp_path / "gemm.f90"
    file.write_text(_FORTRAN)
    few, many, most = (_predicted(file, {"m": 3000.0}, choices={"trans": letter}).time_s for letter in "nTC")
    assert few < 1e-5
    assert most == pytest.approx(2 * many, rel=0.3)


def test_sizes_decide_without_being_choices(c: Path, tmp_path: Path) -> None:
    file = tmp_path / "sizes.c"
    file.write_text(
        "void f(int n, double *a) {\n if (n > 10)\n  for (int i = 0; i < n; i++) a[i] = 1;\n else\n"
        "  for (int i = 0; i < 64 * n; i++) a[i] = 2;\n}\n"
    )
    large, small = (_predicted(file, {"n": n}) for n in (11.0, 10.0))
    assert large.time_s < small.time_s
    assert "f, line 2: «n > 10» holds" in large.assumptions
    assert "f, line 2: «n > 10» does not hold" in small.assumptions


def test_calls_that_do_not_happen_or_are_unknown_are_said(c: Path) -> None:
    found = _predicted(f"{c}:caller", {"n": 100.0, "m": 1.0})
    assert any("scale is called 0 times at these sizes" in text for text in found.assumptions)
    assert any("elsewhere is not in the given files: its time is not counted" in text for text in found.assumptions)


def test_the_command_line_takes_words_and_numbers(c: Path) -> None:
    words = ("-D", "uplo='L'", "-D", "flag=0", "-D", "w=NULL", "--on", "cascade-lake")
    assert run("predict", f"{c}:tri", "-D", "n=100:300:100", *words).code == 0
    assert run("why", f"{c}:tri", "-D", "n=100", *words).code == 0
    assert run("rank", f"{c}:tri", "-D", "n=100", *words).code == 0
    assert run("describe", str(c), "-D", "uplo=L").code == 0


@pytest.mark.parametrize(
    ("define", "said"),
    [("uplo=LU", "one letter"), ("zzz=L", "no file uses this name"), ("eps=L", "is no letter"), ("n=L", "-D")],
)
def test_words_that_fit_nothing_are_refused(c: Path, define: str, said: str) -> None:
    result = run("predict", f"{c}:compared", "-D", define, "--branch", "29=1", "--on", "cascade-lake")
    assert result.code == 3
    assert said in result.err


def test_names_of_fortran_are_given_in_any_case(tmp_path: Path) -> None:
    file = tmp_path / "gemm.f90"
    file.write_text(_FORTRAN)
    lower = _predicted(file, {"m": 3000.0}, choices={"trans": "N"})
    upper = _predicted(file, {"M": 3000.0}, choices={"TRANS": "N"})
    assert upper.time_s == lower.time_s
