"""Transformed functions give the results of the original, to the last bit: random nests, compiled and run."""

from __future__ import annotations

import random
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from foretell.transform import interchange
from foretell.transform.kinds import IDS
from foretell.transform.text.source import edited
from tests.support.random_nests import random_function, variants, wrong
from tests.unit.transform.programs import changes, program

if TYPE_CHECKING:
    from pathlib import Path

needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")


@needs_gcc
def test_transformed_nests_give_the_same_results(tmp_path: Path) -> None:
    rng = random.Random(5)
    compared, failures = wrong([random_function(rng, f"f{number}") for number in range(12)], rng, tmp_path)
    assert compared.total() > 30
    assert {"parallelise", "tile", "vectorise", "pad", "aos_to_soa"} <= set(compared)
    assert failures == []


@needs_gcc
def test_the_comparison_sees_a_reversed_dependence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without the test of direction vectors, some of these are wrong."""
    monkeypatch.setattr(interchange, "_reversed", lambda order, dependence, vector: "")
    text = (
        "void f0(double A[12][12], double B[12][12], double C[12][12], double v[12]) {\n"
        "    for (int i = 1; i < 11; i++)\n        for (int j = 1; j < 11; j++)\n"
        "            A[i][j] = A[i - 1][j + 1] + B[i][j];\n}\n"
    )
    rng = random.Random(1)
    assert any("interchange" in one.title for one in variants(text, rng, tmp_path))
    assert wrong([text], rng, tmp_path)[1]


FORTRAN = """\
subroutine sweep(n, a, b, c)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: a(n, n)
  real(8), intent(inout) :: b(n, n), c(n, n)
  integer :: i, j
  do i = 2, n
    do j = 1, n
      b(i, j) = a(i, j) + b(i - 1, j)
      c(i, j) = 2 * a(i, j)
    end do
  end do
  do i = 2, n
    do j = 1, n
      c(i, j) = c(i, j) * b(i, j)
    end do
  end do
end subroutine
"""
FORTRAN_MAIN = """\
program main
  implicit none
  integer :: i
  real(8) :: a(11, 11), b(11, 11), c(11, 11)
  a = reshape([(1d0 / i, i = 1, 121)], [11, 11])
  b = a * a
  c = a + b
  call sweep(11, a, b, c)
  print '(4z17)', b, c
end program
"""


@pytest.mark.skipif(shutil.which("gfortran") is None, reason="needs gfortran")
def test_transformed_fortran_gives_the_same_results(tmp_path: Path) -> None:
    given = program(FORTRAN, tmp_path, "sweep.f90")
    kinds = [kind for kind in IDS if kind != "single"]  # another result
    texts = {
        title: edited(FORTRAN, one.edits) for title, one in changes(given, *kinds, tiles=(4,), factors=(3,)).items()
    }
    assert len(texts) >= 8
    expected = _printed(FORTRAN, tmp_path)
    assert [title for title, text in texts.items() if _printed(text, tmp_path) != expected] == []


FORTRAN_SUM = """\
subroutine sweep(n, a, b, c)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: a(n, n), b(n, n)
  real(8), intent(inout) :: c(n, n)
  integer :: i, j, k
  real(8) :: s
  do j = 1, n
    do i = 1, n
      S = 0.5d0
      do k = 1, n
        s = s + a(i, k) * b(k, j)
      end do
      c(i, j) = s
    end do
  end do
end subroutine
"""


@pytest.mark.skipif(shutil.which("gfortran") is None, reason="needs gfortran")
def test_sums_of_fortran_are_added_up_in_place(tmp_path: Path) -> None:
    given = program(FORTRAN_SUM, tmp_path, "sweep.f90")
    (change,) = changes(given, "sum_in_place").values()
    assert change.title == "add up in c(i, j) instead of S, started in a loop of its own"
    text = edited(FORTRAN_SUM, change.edits)
    assert "    do i = 1, n\n      c(i, j) = 0.5d0\n    end do\n    do i = 1, n\n" in text
    assert "c(i, j) = c(i, j) + a(i, k) * b(k, j)" in text
    orders = changes(program(text, tmp_path, "sweep.f90"), "interchange", "fission")
    assert "interchange i and k" in orders  # which the scalar forbids
    assert "interchange i and k" not in changes(given, "interchange")
    printed = {
        _printed(one, tmp_path) for one in (FORTRAN_SUM, text, edited(text, orders["interchange i and k"].edits))
    }
    assert len(printed) == 1


def _printed(text: str, folder: Path) -> str:
    source, target = folder / "whole.f90", folder / "whole"
    source.write_text(text + FORTRAN_MAIN)
    command = ["gfortran", "-O1", "-ffp-contract=off", "-o", str(target), str(source)]
    subprocess.run(command, check=True, timeout=120)
    return subprocess.run([str(target)], check=True, capture_output=True, text=True, timeout=60).stdout
