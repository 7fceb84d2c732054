"""What compilers say of themselves is kept between runs, as long as their file is the same."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from foretell import running
from foretell.codegen.compiled import installed
from foretell.errors import ToolError


class _Programs:
    """Stands in for programs that are run: what each answers, and how often it was asked."""

    def __init__(self, code: int = 0) -> None:
        self.code, self.asked = code, 0

    def run(self, command: tuple[str, ...], limits: running.Limits) -> running.Finished:
        self.asked += 1
        if self.code < 0:
            raise ToolError("cannot be started")
        return running.Finished(self.code, 0.0, 0.0, f"answer {self.asked} of {Path(command[0]).name}".encode())


@pytest.fixture
def programs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> _Programs:
    monkeypatch.setenv("FORETELL_CACHE", str(tmp_path / "cache"))
    own = _Programs()
    monkeypatch.setattr(installed.running, "run", own.run)
    return own


def _compiler(folder: Path, name: str) -> str:
    """A compiled program of this name."""
    target = folder / name
    shutil.copy(Path(sys.executable).resolve(), target)
    return str(target)


def test_a_compiler_is_asked_once(programs: _Programs, tmp_path: Path) -> None:
    command = (_compiler(tmp_path, "aarch64-linux-gnu-gcc-12"), "--version")
    first, second = installed._answered(command), installed._answered(command)
    assert (first, programs.asked) == (second, 1)
    assert installed._answered((command[0], "-dumpmachine")) != first


def test_another_file_or_environment_is_asked_again(
    programs: _Programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = (_compiler(tmp_path, "clang"), "--version")
    installed._answered(command)
    os.utime(command[0], (1, 1))
    installed._answered(command)
    monkeypatch.setenv("COMPILER_PATH", "/elsewhere")
    installed._answered(command)
    assert programs.asked == 3


@pytest.mark.parametrize("name", ["ccache", "gcc.sh", "nosuch-gcc"])
def test_a_wrapper_speaks_for_another_program(programs: _Programs, tmp_path: Path, name: str) -> None:
    command = (str(tmp_path / name), "--version")
    if name == "ccache":
        _compiler(tmp_path, name)
    elif name == "gcc.sh":
        Path(command[0]).write_text("#!/bin/sh\n")
        Path(command[0]).chmod(0o755)
    installed._answered(command)
    installed._answered(command)
    assert programs.asked == 2


def test_a_script_with_the_name_of_a_compiler_is_asked_each_time(programs: _Programs, tmp_path: Path) -> None:
    script = tmp_path / "gcc"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    assert installed._key((str(script),)) == ""
    script.chmod(0o311)
    assert installed._key((str(script),)) == ""


def test_failures_are_told(programs: _Programs, tmp_path: Path) -> None:
    command = (_compiler(tmp_path, "gcc"), "--version")
    programs.code = -1
    assert installed._said(command) == ""  # not kept: it may start the next time
    programs.code = 1
    assert (installed._said(command), installed._said(command), programs.asked) == ("", "", 2)
