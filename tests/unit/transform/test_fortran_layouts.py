"""Layouts of Fortran's arrays: what changes write, what they refuse, and that the results stay."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from foretell.transform.text.fortran_declarations import fortran_arrays, fortran_members, fortran_uses
from tests.unit.transform.programs import changed, changes, program, refusals

if TYPE_CHECKING:
    from pathlib import Path

WHOLE = """\
module table
  implicit none
  type particle
    real(8) :: x, y
    real(8) :: m
  end type particle
contains
subroutine fill(n, c)
  integer, intent(in) :: n
  real(8), intent(inout) :: c(n)
  real(8) :: a(64, 64), b(0:63, 64)   ! rows of 512 bytes
  real(8), allocatable :: w(:, :)
  type(particle), allocatable :: p(:)
  integer :: i, j
  allocate(w(64, 64), p(64))
  do j = 1, 64
    do i = 1, 64
      a(j, i) = 0.5d0 * i
      B(i - 1, j) = a(j, i) + j
      w(j, i) = sqrt(b(i - 1, j))
    end do
  end do
  do i = 1, 64
    p(i)%x = a(i, 3)
    p(i)%y = w(3, i)
    p(i)%m = p(i)%x * p(i)%y
  end do
  do i = 1, n
    c(i) = P(i)%m + b(i - 1, 2) + w(i, i)
  end do
  deallocate(w)
  deallocate(p)
end subroutine fill
end module table
"""
MAIN = """\
program check
  use table
  implicit none
  real(8) :: c(64)
  c = 0
  call fill(64, c)
  print '(64es24.16)', c
end program check
"""
POINTS = """\
module points
  implicit none
  type point
    real(8) :: x
    integer :: k
  end type point
  type(point) :: everywhere(100)
contains
subroutine move(n, p, h)
  integer, intent(in) :: n
  type(point), intent(inout) :: p(n)
  real(8), intent(in) :: h
  integer :: i
  do i = 1, n
    p(i)%x = p(i)%x + h * everywhere(i)%x
  end do
end subroutine move
{more}
end module points
"""


def test_arrays_of_a_text() -> None:
    arrays = {one.name: one for one in fortran_arrays(WHOLE)}
    assert {name: len(one.extents) for name, one in arrays.items()} == {"c": 1, "a": 2, "b": 2, "w": 2, "p": 1}
    assert [WHOLE[slice(*span)].strip() for span in arrays["b"].extents] == ["0:63", "64"]
    assert arrays["p"].type == "type(particle)"
    assert arrays["p"].attributes == "allocatable"
    assert arrays["p"].statement is not None
    assert arrays["a"].statement is None
    assert fortran_members(WHOLE, "particle") == {"x": "real(8)", "y": "real(8)", "m": "real(8)"}
    assert fortran_members(WHOLE, "other") == {}
    assert fortran_members("type t\n real(8), pointer :: x\nend type", "t") == {}


def test_uses_of_a_name() -> None:
    text = "x = f(2, a(i, &\n  j)) + t%a + 'a' ! a\ncall g(a)\nb = (a(1, 2))\n"
    first, second, third = fortran_uses(text, "a")
    assert (first.around, len(first.subscripts), first.line) == (("f",), 2, 1)
    assert (second.around, second.subscripts) == (("call g",), ())
    assert third.around == ("",)


def test_longer_columns(tmp_path: Path) -> None:
    given = program(WHOLE, tmp_path, "t.f90")
    text = changed(given, "pad the columns of a, b, w by 64 bytes", "pad")
    assert "a(64 + 8, 64), b(0:63 + 8, 64)" in text
    assert "w(:, :)" in text
    assert "allocate(w(64 + 8, 64), p(64))" in text


def test_arrays_of_members(tmp_path: Path) -> None:
    given = program(WHOLE, tmp_path, "t.f90")
    text = changed(given, "one array for each member of p (x, y, m)", "aos_to_soa")
    assert "  real(8), allocatable :: p_x(:)\n  real(8), allocatable :: p_y(:)\n" in text
    assert "p_m(i) = p_x(i) * p_y(i)" in text
    assert "c(i) = p_m(i) +" in text
    assert "allocate(w(64, 64), p_x(64), &\n    p_y(64), &\n    p_m(64))" in text
    assert "deallocate(p_x, &\n" in text


@pytest.mark.skipif(shutil.which("gfortran") is None, reason="needs gfortran")
def test_results_stay(tmp_path: Path) -> None:
    given = program(WHOLE, tmp_path, "t.f90")
    texts = [WHOLE, *(changed(given, title, "pad", "aos_to_soa") for title in changes(given, "pad", "aos_to_soa"))]
    assert len(texts) == 3
    assert len({_printed(text, tmp_path / str(number)) for number, text in enumerate(texts)}) == 1


def _printed(text: str, folder: Path) -> str:
    folder.mkdir()
    (folder / "whole.f90").write_text(text + MAIN)
    command = ["gfortran", "-O1", "-fcheck=all", "-ffp-contract=off", "whole.f90", "-o", "whole"]
    subprocess.run(command, check=True, timeout=60, cwd=folder)
    return subprocess.run([str(folder / "whole")], check=True, capture_output=True, text=True, timeout=60).stdout


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("  deallocate(w)\n", "  a = 0\n", "line 31 uses a as a whole"),
        ("  deallocate(w)\n", "  c(1:2) = a(1:2, 3)\n", "line 31 uses a as a whole, or a section"),
        ("  deallocate(w)\n", "  call show(a(1, 1))\n", "line 31: call show may take a for the start"),
        ("  deallocate(w)\n", "  allocate(w(8, 8))\n", "w is allocated in 2 places"),
        ("b(0:63, 64)", "b(0:63, 64) = 0", "b has an initial value"),
        ("real(8) :: a(64, 64),", "real(8), target :: a(64, 64),", "a is declared as target"),
        ("integer :: i, j\n", "integer :: i, j\n  real(8) :: a(64, 64)\n", "line 15: a is declared again"),
    ],
)
def test_columns_that_stay(old: str, new: str, reason: str, tmp_path: Path) -> None:
    given = program(WHOLE.replace(old, new), tmp_path, "t.f90")
    assert any(reason in one for one in refusals(given, "pad")), refusals(given, "pad")


def test_arrays_of_modules_may_be_used_elsewhere(tmp_path: Path) -> None:
    given = program(POINTS.replace("{more}", ""), tmp_path, "p.f90")
    both = changes(given, "aos_to_soa")
    assert both["one array for each member of everywhere (x, k)"].provided == ("no other file uses everywhere",)
    change = both["one array for each member of p (x, k)"]
    assert change.provided == ("callers of move pass p_x, p_k instead of p",)
    text = changed(given, change.title, "aos_to_soa")
    assert "subroutine move(n, p_x, &\n    p_k, h)" in text
    assert "real(8), intent(inout) :: p_x(n)\n  integer, intent(inout) :: p_k(n)\n" in text


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        (
            "subroutine all()\n  call move(100, everywhere, 1d0)\nend subroutine all",
            "line 19 uses move, whose argument p",
        ),
        ("subroutine all()\n  integer :: p_x\n  p_x = 1\nend subroutine all", "p_x is a name already"),
        ("subroutine all()\n  everywhere(1) = everywhere(2)\nend subroutine all", "other than by everywhere(…)%member"),
        ("subroutine all(q)\n  type(point) :: q(2), p(3)\nend subroutine all", "line 19: p is declared again"),
    ],
)
def test_types_that_stay(more: str, reason: str, tmp_path: Path) -> None:
    given = program(POINTS.replace("{more}", more), tmp_path, "p.f90")
    assert any(reason in one for one in refusals(given, "aos_to_soa")), refusals(given, "aos_to_soa")


def test_types_declared_beside_others_stay(tmp_path: Path) -> None:
    text = POINTS.replace("{more}", "").replace("everywhere(100)", "everywhere(100), other(5)")
    given = program(text, tmp_path, "p.f90")
    assert any("everywhere is not declared alone" in one for one in refusals(given, "aos_to_soa"))


OLD = """\
subroutine fill(n, c)
  integer n, i, j
  double precision c(n), s
  real*8 a(64, 64), b(0:63, 64)
  real*8 w
  dimension w(64, 64)
  save w
  do j = 1, 64
    do i = 1, 64
      a(j, i) = 0.5d0 * i
      b(i - 1, j) = a(j, i) + j
      w(j, i) = b(i - 1, j)
    end do
  end do
  do i = 1, n
    c(i) = b(i - 1, 2) + w(i, i)
  end do
end subroutine fill
"""


def test_arrays_that_are_declared_as_in_fortran_77(tmp_path: Path) -> None:
    text = changed(program(OLD, tmp_path, "old.f90"), "pad the columns of a, b, w by 64 bytes", "pad")
    assert "real*8 a(64 + 8, 64), b(0:63 + 8, 64)" in text
    assert "dimension w(64 + 8, 64)" in text
    assert [one.name for one in fortran_arrays(OLD)] == ["c", "a", "b", "w"]
    assert [one.name for one in fortran_arrays("real function f(x)\nrealx(3) = 1\nreal a(3), y\n")] == ["a"]


@pytest.mark.parametrize(
    ("statement", "word"),
    [("common /block/ a", "common"), ("equivalence (a(1, 1), c(1))", "equivalence"), ("data a /4096*0/", "data")],
)
def test_statements_that_fix_a_layout_are_named(statement: str, word: str, tmp_path: Path) -> None:
    text = OLD.replace("  save w\n", f"  save w\n  {statement}\n")
    assert f"line 8: {word} counts on the layout of a" in refusals(program(text, tmp_path, "old.f90"), "pad")
