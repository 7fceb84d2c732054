"""What surrounds a command may be anything: closed streams, ignored signals, folders that are gone, odd names."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from foretell import files, running
from foretell.errors import InputError
from tests.support.cli import refused, run

if TYPE_CHECKING:
    from collections.abc import Callable

_FORETELL = (sys.executable, "-m", "foretell")
_C = "void f(int n, double *a) { for (int i = 0; i < n; i++) a[i] = 1; }\n"


def _start(*words: str, **how: object) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*_FORETELL, *words], check=False, timeout=120, **how)  # type: ignore[call-overload, no-any-return]


def test_a_closed_stderr_is_no_error() -> None:
    """And nothing that is opened takes its number: what libraries complain about would get into that file."""
    words = ("explore", "example:sunway-designs", "--workers", "1", "--format", "json")
    done = _start(*words, stdout=subprocess.PIPE, preexec_fn=lambda: os.close(2))
    assert done.returncode == 0
    assert done.stdout.startswith(b"{")


def test_a_closed_pipe_ends_a_command_in_order() -> None:
    ours, theirs = os.pipe()
    os.close(ours)
    try:
        done = _start("machines", "list", stdout=theirs, stderr=subprocess.PIPE)
    finally:
        os.close(theirs)
    assert (done.returncode, done.stderr) == (0, b"")


def test_code_by_a_closed_stdin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert "stdin is closed" in refused("predict", "-", "--on", "zen4")


def test_ends_of_children_that_nobody_waits_for() -> None:
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        assert running.run(["true"]).code == 0
    finally:
        signal.signal(signal.SIGCHLD, before)


def test_a_folder_that_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert "the current folder is gone" in refused("check")
    assert run("machines", "list").code == 0


def test_words_and_variables_that_are_no_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ODD", "\udcff")
    words = [sys.executable, "-ISc", "import os, sys; os.write(1, os.environb[b'ODD'] + os.fsencode(sys.argv[1]))"]
    assert running.run([*words, "\udcfe"]).output == b"\xff\xfe"


def test_names_that_are_no_text_or_too_long(tmp_path: Path) -> None:
    odd = tmp_path / "\udcff.c"
    odd.write_text(_C)
    assert "is not UTF-8" in refused("describe", odd)
    assert "a file name is too long" in refused("predict", "x" * 10_000, "--on", "zen4")


@pytest.mark.parametrize("name", ["-x.c", "--help.c", "-include.c"])
def test_names_that_look_like_options(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_text(_C)
    plain, dashed = (run("describe", where).out for where in (tmp_path / name, f"./{name}"))
    assert dashed.replace(name, "") == plain.replace(str(tmp_path / name), "")


def test_files_that_are_none(tmp_path: Path) -> None:
    (tmp_path / "a.c").symlink_to("b.c")
    (tmp_path / "b.c").symlink_to("a.c")
    assert "no such file" in refused("describe", tmp_path / "a.c")
    tune = ("tune", "example:hotspot.c", "--on", "sw26010", "-D", "n=32", "-D", "m=32", "--journal")
    assert "no regular file" in refused(*tune, "/dev/null")


def test_logs_that_say_more_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As /proc/kmsg does: it is a regular file by its name, and reading it waits."""

    def later(*_: object) -> bytes:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    (tmp_path / "a.json").write_text("{}")
    monkeypatch.setattr(os, "pread", later)
    with pytest.raises(InputError, match="cannot be read: Resource temporarily unavailable"):
        files.read_bytes(tmp_path / "a.json")


def _few_files() -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (8, 8))


def _small_files() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)


@pytest.mark.parametrize(
    ("limit", "said"), [(_few_files, b"too many open files"), (_small_files, b"cannot be written: File too large")]
)
def test_limits_of_the_shell(limit: Callable[[], None], said: bytes, tmp_path: Path) -> None:
    words = ("explore", "example:sunway-designs", "--workers", "2", "--journal", "journal")
    done = _start(*words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path, preexec_fn=limit)
    assert done.returncode == 3
    assert said in done.stderr
    assert b"internal error" not in done.stderr


def test_no_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "none"))
    with pytest.raises(InputError, match=r"no temporary folder can be made(?s:.*)TMPDIR"):
        files.held_folder()
