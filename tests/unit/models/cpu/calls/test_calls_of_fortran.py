"""Calls of Fortran procedures, followed in gfortran's code: arguments by address, descriptions of arrays, modules."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from foretell.api import predict
from foretell.codegen.compiled.fortran import depends_on, driver
from foretell.core.nest.loopnest import Loops
from foretell.frontends import SourceOptions, read_sources
from foretell.machines import load
from foretell.models.cpu.compiled_code import CompiledCode
from foretell.models.cpu.incore.calls.call_arguments import call_arguments
from foretell.models.cpu.model import CpuModel

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.core.workload import Workload

needs_gfortran = pytest.mark.skipif(
    shutil.which("gcc") is None or shutil.which("gfortran") is None, reason="needs gcc and gfortran"
)
_OPTIONS = {"cc": "gcc", "flags": "-O2"}

_MODULE = """\
module grids
  implicit none
contains
  subroutine relax(a, b, c)
    real(8), intent(in) :: a(:, :), c
    real(8), intent(out) :: b(:, :)
    integer :: i, j
    do j = 2, size(a, 2) - 1
      do i = 2, size(a, 1) - 1
        b(i, j) = c * (a(i - 1, j) + a(i + 1, j))
      end do
    end do
  end subroutine
end module
subroutine product_of(trans, m, n, a, lda, x, y)
  character trans
  integer m, n, lda, i, j
  double precision a(lda, *), x(*), y(*)
  if (trans == 'N') then
    do j = 1, n
      do i = 1, m
        y(i) = y(i) + x(j) * a(i, j)
      end do
    end do
  else
    do j = 1, n
      do i = 1, m
        y(j) = y(j) + a(i, j) * x(i)
      end do
    end do
  end if
end subroutine
"""


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FORETELL_CACHE", str(tmp_path / "cache"))
    file = tmp_path / "grids.f90"
    file.write_text(_MODULE)
    return file


def code_of(file: Path, function: str | None = None, words: dict[str, str] | None = None) -> Workload:
    return read_sources([file], SourceOptions(kernel=function, values=tuple((words or {}).items())))


def executed(file: Path, function: str, words: dict[str, str], **sizes: int) -> float:
    """Instructions of a call, all followed."""
    loops = code_of(file, function, words).facet(Loops)
    machine = load("cascade-lake")
    code = CompiledCode(loops, machine, CpuModel().settings("default", _OPTIONS))
    runs = [nest for nest in loops.nests if code.runs(nest, {name: float(value) for name, value in sizes.items()})]
    return sum(count for nest in runs for _, count in code.cycles(nest, machine, sizes).instructions)


@needs_gfortran
def test_extents_of_assumed_shape_decide_how_often_loops_run(source: Path) -> None:
    small = executed(source, "relax", {}, a_size1=102, a_size2=52)
    twice = executed(source, "relax", {}, a_size1=202, a_size2=52)
    assert small == pytest.approx(50 * (100 * 8), rel=0.15)  # eight instructions a point, and some a row
    assert twice - small == pytest.approx(small, rel=0.1)


@needs_gfortran
def test_letters_and_lengths_by_address_choose_the_branch(source: Path) -> None:
    sizes = {"m": 300, "n": 200, "lda": 300}
    for letter, line in (("N", 22), ("T", 28)):
        answer = predict(code_of(source, "product_of", {"trans": letter}), load("cascade-lake"),
                         parameters=sizes, options=_OPTIONS)  # fmt: skip
        assert any("compiled code followed" in text for text in answer.assumptions)
        assert not any("not followed" in text for text in answer.assumptions)
        times = {nest.line: nest.time_s for nest in answer.nests}
        assert times.get(line - 1, times.get(line, 0.0)) == pytest.approx(answer.time_s, rel=1e-6)


@needs_gfortran
def test_nothing_is_written_beside_the_source(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(source.parent)
    executed(source, "relax", {}, a_size1=10, a_size2=10)
    assert {path.name for path in source.parent.iterdir()} == {"grids.f90", "cache"}


def test_a_described_array_has_gfortrans_layout(source: Path) -> None:
    info = next(one for one in code_of(source, "relax").facet(Loops).functions if one.name == "relax")
    assert info.symbol == "__grids_MOD_relax"
    assert [(one.kind, one.rank) for one in info.arguments] == [("described", 2), ("described", 2), ("pointer", 0)]
    made = call_arguments(info.arguments, {"a_size1": 7, "a_size2": 5})
    assert made is not None
    table, words = made.values[0], dict(made.words)
    assert table is not None
    start = words[table]
    assert start % 8 == 0
    # element (3, 4) lies at base + (offset + 3 stride1 + 4 stride2) * span (libgfortran.h)
    offset, span = words[table + 8], words[table + 32]
    strides = [words[table + 40], words[table + 64]]
    assert start + (offset + 3 * strides[0] + 4 * strides[1]) * span == start + 8 * ((4 - 1) * 7 + (3 - 1))
    assert [words[table + 56], words[table + 80]] == [7, 5]


def test_what_has_another_convention_is_not_followed(tmp_path: Path) -> None:
    file = tmp_path / "odd.f90"
    file.write_text(
        "function whole(n, x)\n integer, intent(in) :: n\n real(8), intent(in) :: x(n)\n real(8) :: whole(n)\n"
        " integer :: i\n do i = 1, n\n whole(i) = x(i)\n end do\nend function\n"
    )
    info = code_of(file).facet(Loops).functions[0]
    assert info.arguments[0].kind == "other"
    assert call_arguments(info.arguments, {"n": 5}) is None


def test_gfortran_beside_gcc() -> None:
    assert driver(("gcc",)) == ("gfortran",)
    assert driver(("/usr/bin/aarch64-linux-gnu-gcc-12",)) == ("/usr/bin/aarch64-linux-gnu-gfortran-12",)
    assert driver(("gfortran-13",)) == ("gfortran-13",)
    assert driver(("clang",)) == driver(("zig", "clang")) == driver(("ccache", "gcc")) == ()


def test_files_that_a_source_depends_on(tmp_path: Path) -> None:
    (tmp_path / "inc").mkdir()
    kinds, sizes, other = tmp_path / "inc" / "kinds.mod", tmp_path / "sizes.inc", tmp_path / "inc" / "more.inc"
    for path in (kinds, other):
        path.write_text("")
    sizes.write_text("include 'more.inc'\n")
    file = tmp_path / "main.f90"
    file.write_text("subroutine f\n use, non_intrinsic :: Kinds, only: dp\n use iso_c_binding\n include 'sizes.inc'\n")
    assert set(depends_on(file, [f"-I{tmp_path / 'inc'}", "-O2"])) == {str(file), str(kinds), str(sizes), str(other)}
    sizes.write_text("include 'sizes.inc'\n")  # includes itself
    assert set(depends_on(file, [])) == {str(file), str(sizes)}
