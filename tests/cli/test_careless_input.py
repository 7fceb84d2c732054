"""Input as careless users give it: files cut short, numbers that slipped, options that contradict each other."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest

from tests.support.cli import refused, run

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


def test_profiles_of_very_many_regions(tmp_path: Path) -> None:
    file = tmp_path / "p.csv"
    rows = "".join(f"r{number},instInt,1\n" for number in range(400))
    file.write_text(f"# machine: blue-gene-q\n# cores: 16\nregion,event,value\n{rows}")
    assert "p.csv: has more than 333 regions, the limit for 1 s" in refused("import", "--limit-time", "1", file)


def test_profiles_of_very_many_numbers(tmp_path: Path) -> None:
    file = tmp_path / "p.csv"
    rows = "".join(
        f"     {number}.020101465,S0-D0-C0,1,7,,instructions,20211965,100.00,346,/s\n" for number in range(201)
    )
    file.write_text(rows)
    assert "p.csv: has more than 200 numbers, the limit for 0.01 s" in refused("import", "--limit-time", "0.01", file)
    assert run("import", "--limit-time", "0.02", file).code == 0


def test_databases_of_very_many_commands(tmp_path: Path) -> None:
    file = tmp_path / "compile_commands.json"
    file.write_text("[" + ",".join(['{"file": "a.c", "command": "cc a.c"}'] * 600) + "]")
    message = refused("describe", "--limit-time", "0.1", file)
    assert "compile_commands.json: has more than 500 commands, the limit for 0.1 s" in message


def test_code_by_stdin_that_does_not_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"int a;\n" * 700_000)))
    assert "stdin has more than 4 MiB" in refused("predict", "-", "--on", "zen4")


def test_a_file_that_is_given_twice_is_one_file(tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    file.write_text("void f(int n, double *a) { for (int i = 0; i < n; i++) a[i] = 1; }")
    once, twice = (run("predict", *[file] * count, "--on", "zen4", "-D", "n=64") for count in (1, 2))
    assert (twice.code, twice.out.splitlines()[0]) == (0, once.out.splitlines()[0])


@pytest.mark.parametrize(
    "words",
    [("predict", "example:stencil7.c", "-D", "n=64", "--on"), ("validate", "cpu", "--on"), ("machines", "check")],
)
def test_an_empty_name_of_a_machine(words: tuple[str, ...]) -> None:
    assert "no machine ''" in refused(*words, "")


@pytest.mark.parametrize("words", [("explore",), ("check", "--config"), ("validate", "cpu")])
def test_an_empty_name_of_a_file(words: tuple[str, ...]) -> None:
    assert "is empty: name a " in refused(*words, "", code=2)


def test_a_file_without_code_is_refused_before_this_machine_is_probed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def probe(**_: object) -> str:
        raise AssertionError("probed")

    monkeypatch.setattr("foretell.machines.probe.probe", probe)
    (tmp_path / "empty.c").write_text("")
    assert "empty.c: is empty" in refused("validate", "cpu", tmp_path / "empty.c")
    assert "no such file" in refused("validate", "cpu", tmp_path / "none.c")


@pytest.mark.parametrize("command", ["predict", "tune"])
def test_dimensions_that_are_given_one_by_one(command: str, tmp_path: Path) -> None:
    """As other options are: the last one alone would count."""
    message = refused(command, tmp_path / "k.cu", "--on", "h200", "--grid", "64", "--grid", "8", code=2)
    assert "--grid is given 2 times: write its dimensions as one, '64,8'" in message
