"""Large files of every format are answered or refused with one message; sizes of sources follow the limits."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from foretell import limits
from foretell.errors import InputError
from foretell.frontends.c.parse import compile_commands
from foretell.frontends.c.parse.text import source_bytes
from foretell.frontends.fortran.text.preprocessor import read_source
from foretell.frontends.native.cxx_functions import defined_functions
from foretell.frontends.source import workload
from tests.support.cli import run

ROOT = Path(__file__).parents[3]
sys.path.insert(0, str(ROOT / "fuzz"))

from large_files import FORMATS  # noqa: E402
from regexes import patterns  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable

#: those that need nvcc, LLVM or a search are run by fuzz/large.py alone
_ELSEWHERE = (
    "cuda statements",
    "cuda empty lines",
    "ptx",
    "llvm ir",
    "journal of tune",
    "tuning space T1",
    "journal of tune, its own",
)
_LINES = 100


@pytest.mark.parametrize("name", [name for name in FORMATS if name not in _ELSEWHERE])
def test_every_format_is_answered_or_refused(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    form = FORMATS[name]
    if form.begun:
        form.write(tmp_path, 0)
        assert run(*form.words(tmp_path)).code == 0
    form.write(tmp_path, _LINES)
    result = run(*form.words(tmp_path))
    assert "Traceback" not in result.err
    assert "internal error" not in result.err
    assert (result.code in (0, 4) and result.out + result.err) or (result.code in (1, 2, 3) and result.err)


def test_files_have_as_many_lines_as_asked(tmp_path: Path) -> None:
    for number, name in enumerate(("c statements", "sass", "profile ncu")):
        folder = tmp_path / str(number)
        folder.mkdir()
        form = FORMATS[name]
        text = form.write(folder, 25_000).read_text()
        assert text.count("\n") == 25_000 + form.head.count("\n") + form.tail.count("\n")
    assert "00000 FADD" not in text


def test_lines_of_fortran_follow_the_limit_of_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.f90"
    file.write_text("!\n" * 1001)
    monkeypatch.setenv(limits.TIME, "0.06")
    with pytest.raises(limits.LimitError, match="has more than 1000 lines") as refused:
        read_source(file)
    assert "--limit-time" in str(refused.value)
    assert "a.f90" in str(refused.value)
    monkeypatch.setenv(limits.TIME, "0.12")
    assert read_source(file).count("\n") == 1001


@pytest.mark.parametrize(("read", "name"), [(read_source, "a.f90"), (source_bytes, "a.c")])
def test_bytes_of_sources_follow_the_limit_of_memory(
    read: Callable[[Path], str | bytes], name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / name
    file.write_bytes(b" " * (2 << 20) + b"!\n")
    monkeypatch.setenv(limits.MEMORY, "1")
    with pytest.raises(InputError, match=r"is larger than 2 MiB(.|\n)*--limit-memory"):
        read(file)
    monkeypatch.setenv(limits.MEMORY, "1.1")
    assert len(read(file)) == (2 << 20) + 2


def test_no_pattern_begins_each_line_with_all_that_is_empty() -> None:
    """`^\\s*` of many lines tries every empty line from every empty line before it: `^[ \\t]*` stays in its line."""
    multiline = [pattern for pattern in patterns() if pattern.flags & 8]
    assert len(multiline) > 20
    assert [f"{p.file}:{p.line}" for p in multiline if p.text.startswith(("^\\s*", "^\\s+"))] == []


def test_lines_of_functions_in_cxx() -> None:
    source = "".join(f"int f{i}() {{\n}}\n\n" for i in range(50)) + "namespace n { struct s { void g() {} }; }\n"
    found = defined_functions(source)
    assert [(item.name, item.line) for item in found[:50]] == [(f"f{i}", 3 * i + 1) for i in range(50)]
    assert (found[50].name, found[50].line) == ("n::s::g", 151)


def test_a_compilation_database_is_read_once_for_all_files_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once for the files that it names, and once for what is said of each: not once for each."""
    entries = [{"file": f"a{i}.c", "directory": ".", "command": f"gcc -DK={i}" if i == 7 else "gcc"} for i in range(9)]
    (tmp_path / "compile_commands.json").write_text(json.dumps([*entries, {**entries[7], "command": "gcc -DK=8"}]))
    counted: list[Path] = []
    real = compile_commands.read_database
    monkeypatch.setattr(compile_commands, "read_database", lambda path: (counted.append(path), real(path))[1])
    found = workload.find_sources([tmp_path / "compile_commands.json"])
    assert [file.defines for file in found] == [(("K", "7"),) if i == 7 else () for i in range(9)]
    assert len(counted) == 2
    assert workload.find_sources([tmp_path / "a7.c"])[0].defines == (("K", "7"),)
