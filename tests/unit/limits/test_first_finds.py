"""The inputs that broke the first version, as they were found: each is answered or refused with one message."""

from __future__ import annotations

import json
import resource
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from foretell import files
from tests.support.cli import run

if TYPE_CHECKING:
    from collections.abc import Sequence

_PACKED = Path(__file__).parents[2] / "data" / "first_finds.json"
#: texts of any bytes, one character each
FOUND: dict[str, str] = json.loads(files.read_text(_PACKED))
#: by the end of its name: what a find is called where it is read, and the commands that read it
_COMMANDS: dict[str, tuple[str, tuple[tuple[str, ...], ...]]] = {
    ".bin": ("a.trace", (("describe", "a.trace"), ("predict", "a.trace", "--on", "zen4"))),
    ".prog": ("a.prog", (("predict", "a.prog", "--on", "h200"), ("predict", "a.prog", "--on", "k20c"))),
    ".c": ("a.c", (("describe", "a.c"), ("predict", "a.c", "--on", "zen4", "-D", "n=64"))),
    ".txt": ("a.txt", (("import", "a.txt"),)),
    ".json": ("a.json", (("import", "a.json"), ("predict", "a.json", "--on", "blue-gene-q"))),
    "space-range-overflow.toml": ("a.toml", (("explore", "a.toml", "--workers", "1", "--no-progress"),)),
    "workload-bound-overflow.toml": (
        "a.toml",
        (("predict", "a.toml", "--on", "sw26010"), ("why", "a.toml", "--on", "sw26010")),
    ),
}
#: they are programs: tests/unit/running/test_first_daemons.py
_PROGRAMS = ("daemon.c", "setsid.c")


def _commands(name: str) -> tuple[str, Sequence[tuple[str, ...]]]:
    return next(entry for end, entry in _COMMANDS.items() if name.endswith(end))


def test_all_are_there() -> None:
    assert len(FOUND) == 33
    assert sum(name.startswith("trace/") for name in FOUND) == 19


@pytest.mark.parametrize("name", [name for name in FOUND if name not in _PROGRAMS])
def test_is_answered_or_refused(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file, commands = _commands(name)
    (tmp_path / file).write_bytes(FOUND[name].encode("latin-1"))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    for words in commands:
        result = run(*words, "--limit-time", "10")
        assert result.code in (0, 3), result.err
        assert "Traceback" not in result.err
        assert result.code == 0 or result.err.startswith("foretell: ")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_utime - before < 10
