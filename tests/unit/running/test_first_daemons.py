"""The two programs whose children outlived the first version: nothing of them is left."""

from __future__ import annotations

import secrets
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from foretell.errors import ToolError
from foretell.running import Confinement
from foretell.uses.profiling import limited_run
from tests.support.cli import run
from tests.unit.limits.test_first_finds import FOUND
from tests.unit.running.test_hostile_programs import _MARK, _marked

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="supervisors need Linux"),
    pytest.mark.skipif(shutil.which("gcc") is None, reason="compiles with gcc"),
]


@pytest.fixture(params=["daemon.c", "setsid.c"])
def program(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    source, binary = tmp_path / request.param, tmp_path / "program"
    source.write_text(FOUND[request.param])
    subprocess.run(["gcc", "-w", "-o", binary, source], check=True)
    return binary


@pytest.fixture
def mark(monkeypatch: pytest.MonkeyPatch) -> str:
    value = f"mark-{secrets.token_hex(8)}"
    monkeypatch.setenv(_MARK, value)
    return value


def _left(mark: str, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    monkeypatch.delenv(_MARK)
    return _marked(mark)


def test_measured(program: Path, mark: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As `validate cpu` and all others run programs of the user."""
    try:
        limited_run.run([str(program)], limited_run.Limits(0.5), confinement=Confinement())
    except ToolError as error:
        assert "took longer than 0.5 s" in str(error)
    assert _left(mark, monkeypatch) == []


@pytest.mark.skipif(shutil.which("valgrind") is None, reason="counts with valgrind")
def test_profiled(program: Path, mark: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = run("profile", "--with", "valgrind", "--timeout", "1", "-o", tmp_path / "p.json", "--", program)
    assert done.code in (0, 1), done.err
    assert done.code == 0 or "took longer than 1 s (--timeout raises this limit)" in done.err
    assert _left(mark, monkeypatch) == []
