"""Input as careless users give it: files cut short, numbers that slipped, options that contradict each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.cli import refused

if TYPE_CHECKING:
    from pathlib import Path

_FORTRAN = "subroutine f(a, n)\ninteger :: n, i\nreal(8) :: a(n)\n"
_PROGRAM = """resource GM latency={latency} gap={gap}
warps 3
resident 1
S1: GM
"""


@pytest.mark.parametrize("text", ["do i = 1, n\na(i) = 1\n", "if (n > 1) then\ndo i = 1, n\na(i) = 1\nend do\n"])
def test_a_fortran_file_that_was_cut_says_where_it_ends(text: str, tmp_path: Path) -> None:
    file = tmp_path / "f.f90"
    file.write_text(_FORTRAN + text)
    last = len((_FORTRAN + text).splitlines())
    message = refused("predict", file, "--on", "zen4", "-D", "n=64")
    assert f"line 1: subroutine f has no END before the file ends after line {last}" in message


@pytest.mark.parametrize(
    ("latency", "gap", "what"), [("-5", "1", "latency"), ("0", "1", "latency"), ("5", "2-3", "gap")]
)
def test_cycles_of_an_abstract_program_that_are_not_positive(latency: str, gap: str, what: str, tmp_path: Path) -> None:
    file = tmp_path / "a.prog"
    file.write_text(_PROGRAM.format(latency=latency, gap=gap))
    assert f"a.prog:1: {what} of GM: " in refused("predict", file, "--on", "k20c")
