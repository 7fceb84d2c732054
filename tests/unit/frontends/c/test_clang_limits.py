"""Large C files end by what is counted, and libclang, which counts nothing, can be left."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from foretell import limits
from foretell.frontends.c import Setting, parse_program
from foretell.frontends.c.parse import clang_limits

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.frontends.source import ir

SCALE = "void f(int n, double *a) { for (int i = 0; i < n; i++) a[i] *= 2; }\n"


def _parsed(path: Path, text: str) -> ir.Unit:
    path.write_text(text)
    (unit,) = parse_program([(path, Setting())])
    return unit


def test_declarations_of_a_name_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(limits.TIME, "0.0024")  # √(0.0024 / 60) of 20,000: 126
    words = r"'x' is declared more than 126 times, the limit for 0\.0024 s"
    for text in ("int x;\n" * 127, "extern int y" + ",\nx" * 127 + ";\n"):
        with pytest.raises(limits.LimitError, match=words) as got:
            _parsed(tmp_path / "a.c", text + SCALE)
        assert got.value.line == 127 + text.startswith("extern")
        assert "--limit-time" in (got.value.hint or "")


def test_names_in_functions_and_different_names_are_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clang_limits, "MAX_DECLARATIONS", 100)
    many = "".join(f"int x{number};\n" for number in range(30))
    unit = _parsed(tmp_path / "a.c", many + "void g(int x) {" + "x = 1;\n" * 200 + "}\n" + SCALE)
    assert [function.name for function in unit.functions] == ["g", "f"]


@pytest.mark.parametrize("filler", ["\n", "// words\n", "#define X 1\n"])
def test_lines_without_code_are_no_long_statement(tmp_path: Path, filler: str) -> None:
    unit = _parsed(tmp_path / "a.c", filler * (210_000 // len(filler)) + SCALE)
    assert [function.name for function in unit.functions] == ["f"]


def test_nodes_and_functions_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    functions = "".join(f"void f{number}(void) {{}}\n" for number in range(101))
    monkeypatch.setenv(limits.TIME, "0.03")
    with pytest.raises(limits.LimitError, match="has more than 100 functions, the limit for"):
        _parsed(tmp_path / "a.c", functions)
    monkeypatch.setenv(limits.TIME, "0.001")
    with pytest.raises(limits.LimitError, match="more than 100 syntax nodes, the limit for"):
        _parsed(tmp_path / "a.c", functions)


def test_names_of_the_file_and_of_functions_stay_apart(tmp_path: Path) -> None:
    """A local with the name of a global or a function is another variable, without a copy of all names."""
    text = "int x; int g(void) { return x; }\nvoid f(int n) { int x = 1; int g = 2; { int x = 3; n = x + g; } }\n"
    unit = _parsed(tmp_path / "a.c", text)
    assert [v.id for v in unit.functions[1].locals] == ["x#2", "g#2", "x#3"]


def test_a_signal_ends_the_wait_for_libclang(tmp_path: Path) -> None:
    """The handler's exception arrives while libclang is at work, and the exit code is that of the program."""
    path = tmp_path / "a.c"
    path.write_text("int x;\n" * 200_000)  # takes libclang many minutes
    program = f"""
import signal, sys
from foretell import _core
from foretell.frontends.c.parse.clang import library
def stop(*_):
    raise TimeoutError("stopped")
signal.signal(signal.SIGALRM, stop)
signal.setitimer(signal.ITIMER_REAL, 0.3)
try:
    _core.clang_tree(library(), {str(path)!r}, ["-x", "c"], 1000)
except TimeoutError as error:
    print(error)
    sys.exit(5)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (5, "stopped\n"), done.stderr
