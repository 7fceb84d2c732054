"""What cache entries hold is checked, too: entries with right checksums and wrong contents change no answer."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from foretell import cache

if TYPE_CHECKING:
    from pathlib import Path

SOURCE = "#define N 64\nvoid f(double a[N], double b[N]) {\n  for (int i = 0; i < N; i++) a[i] = 2 * b[i];\n}\n"
#: JSON of another form, and no text at all
CONTENTS = (b'{"text": 7, "inputs": [["file", 3, ""]], "time_s": -1, "error": 5}', b"\xff\0")


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(cache.FOLDER, str(tmp_path / "kept"))
    monkeypatch.delenv("FORETELL_ANSWERS", raising=False)
    monkeypatch.chdir(tmp_path)
    for version in ("base", "head"):
        (tmp_path / version).mkdir()
        (tmp_path / version / "f.c").write_text(SOURCE)
    table = '[code.f]\nfiles = ["f.c"]\nfunctions = ["*"]\n'
    (tmp_path / "foretell.toml").write_text(f'machines = ["zen4"]\n{table}')
    return tmp_path


def _foretell(*words: str) -> tuple[int, str, str]:
    """In a process of its own: nothing is kept in memory."""
    done = subprocess.run([sys.executable, "-m", "foretell", *words], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def _overwrite(folder: Path, content: bytes) -> set[str]:
    """Gives every entry this content, with a right header; returns the kinds."""
    kinds = set()
    for file in folder.glob("*/*"):
        _, _, name, version, *_ = file.read_bytes().partition(b"\n")[0].decode().split()
        cache.Kind(name, int(version)).write(file.name, content)
        kinds.add(name)
    return kinds


def test_wrong_contents_change_no_answer(files: Path) -> None:
    commands = [("check", "--base", "base", "--head", "head", "--config", "foretell.toml", "--format", "json")]
    commands.append(("predict", "head/f.c", "--on", "zen4", "--format", "json"))
    expected = [_foretell(*words)[:2] for words in commands]
    assert [code for code, _ in expected] == [0, 0]
    kinds = set()
    for content in CONTENTS:
        kinds |= _overwrite(files / "kept", content)
        for words, answer in zip(commands, expected, strict=True):
            code, out, err = _foretell(*words)
            assert (code, out) == answer, (content, err)
            assert "Traceback" not in err
    assert kinds >= {"check", "check-code", "check-functions", "answers"}
