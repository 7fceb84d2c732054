"""Temporary folders: removed with their block, and after a kill by the next process that makes one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from foretell import files

_HOLD = "from foretell import files; print(files.held_folder()[0], flush=True); import time; time.sleep(600)"


@pytest.fixture(autouse=True)
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    files._remove_left.cache_clear()
    return tmp_path


def holding(base: Path) -> tuple[subprocess.Popen[str], Path]:
    """Another process that holds a folder with a file in it."""
    words, environment = [sys.executable, "-c", _HOLD], {**os.environ, "TMPDIR": str(base)}
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=environment)
    assert process.stdout is not None
    folder = Path(process.stdout.readline().strip())
    (folder / "inner").mkdir()
    (folder / "inner" / "file").write_text("x")
    return process, folder


def test_a_folder_is_there_for_its_block(base: Path) -> None:
    with files.temporary_folder() as name:
        assert Path(name).parent == base
        Path(name, "file").write_text("x")
    assert not list(base.iterdir())


def test_what_a_killed_process_left_is_removed(base: Path) -> None:
    process, left = holding(base)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert left.exists()
    with files.temporary_folder() as name:
        assert [path.name for path in base.iterdir()] == [Path(name).name]


def test_what_a_living_process_holds_stays(base: Path) -> None:
    process, held = holding(base)
    try:
        with files.temporary_folder():
            assert (held / "inner" / "file").exists()
    finally:
        process.kill()
        process.communicate()


def test_folders_of_users_and_links_to_them_stay(base: Path) -> None:
    mine = base / "foretell-results"
    mine.mkdir(mode=0o700)
    (base / "foretell-link").symlink_to(mine)
    other = base / "other"
    other.mkdir()
    other.chmod(0o1700)
    with files.temporary_folder():
        pass
    assert {path.name for path in base.iterdir()} == {"foretell-results", "foretell-link", "other"}
