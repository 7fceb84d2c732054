"""Ctrl-C and SIGTERM: one message that says what was kept, 128 and the signal, nothing left, the same answer after."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from foretell import interruption
from foretell.uses.explore import engine, evaluate
from foretell.uses.program_run.beside_gpu import record
from tests.support.cli import run

SPACE = """name = "interrupted"
machine = "sw26010"
[[application]]
code = "example:vector-add"
[names]
cores = "cores.count"
bw = { path = "memory.bandwidth", unit = "GB/s" }
clock = { path = "clock.frequency", unit = "GHz" }
[axes]
cores = { from = 1, to = 256, step = 1 }
bw = { from = 16, to = 128, step = 2 }
clock = { from = 1.0, to = 2.0, step = 0.028 }
[objectives]
minimise = ["time", "area", "power"]
"""


@pytest.fixture
def explore(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, ...]:
    monkeypatch.chdir(tmp_path)
    Path("space.toml").write_text(SPACE)
    return "explore", "space.toml", "--no-progress", "--format", "json", "--journal", "j"


class _Works:
    """Work on blocks, counted; in the place of the third one a signal comes, if one is given."""

    def __init__(self, number: int = 0) -> None:
        self.blocks, self._number, self._work = 0, number, evaluate.work

    def __call__(self, *arguments: Any) -> Any:
        if self.blocks == 2 and self._number:
            signal.raise_signal(self._number)
        self.blocks += 1
        return self._work(*arguments)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_what_was_finished_is_kept(number: int, explore: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, alone = works = [_Works(number), _Works(), _Works()]
    results = []
    for work, journal in zip(works, ("j", "j", "k"), strict=True):
        with monkeypatch.context() as patched:
            patched.setattr(evaluate, "work", work)
            results.append(run(*explore[:-1], journal, "--workers", "1"))
    ended, again, whole = results
    assert (ended.code, ended.out) == (128 + number, "")
    said = "foretell: interrupted; what was finished is in j: the same command goes on from there"
    assert ended.err.split("\n")[-2:] == [said, ""]
    assert (first.blocks, second.blocks) == (2, alone.blocks - 2)
    assert again.out == whole.out


def test_without_a_journal_it_says_so(explore: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluate, "work", _Works(signal.SIGINT))
    monkeypatch.setenv("FORETELL_CACHE", "off")  # where a journal would be by itself
    assert "interrupted; nothing is kept: --journal FILE" in run(*explore[:-2], "--workers", "1").err


def test_a_terminal_interrupts_the_workers_too(explore: tuple[str, ...]) -> None:
    """All processes of the group get SIGINT: those that compute are silent, and gone with us."""
    Path("space.toml").write_text(SPACE.replace("step = 2 ", "step = 0.1 "))  # many blocks: it does not end before
    command = [sys.executable, "-m", "foretell", *explore, "--workers", "3"]
    program = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True, text=True
    )
    end = time.monotonic() + 60
    while program.poll() is None and time.monotonic() < end and not _has_block(Path("j")):
        time.sleep(0.01)
    os.killpg(program.pid, signal.SIGINT)
    out, err = program.communicate()
    assert (program.returncode, out) == (130, "")
    assert err.strip() == "foretell: interrupted; what was finished is in j: the same command goes on from there"
    while _is_there(program.pid):  # Python's own process that watches semaphores ends a little later
        assert time.monotonic() < end
        time.sleep(0.01)


def _is_there(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def _has_block(journal: Path) -> bool:
    return journal.exists() and journal.read_text().count("\n") > 1


_IN_COMPILED_TEXT = """
import signal
from foretell import interruption
with interruption.heeded():
    try:
        exec("import signal; signal.raise_signal(signal.SIGINT)")
    except KeyboardInterrupt as error:
        raise SystemExit(interruption.code(error))
"""


def test_the_exit_code_is_ours_wherever_a_signal_came(tmp_path: Path) -> None:
    """After a plain KeyboardInterrupt in text that it compiled, the interpreter ends a module by SIGINT."""
    (tmp_path / "interrupted.py").write_text(_IN_COMPILED_TEXT)
    ended = subprocess.run([sys.executable, "-m", "interrupted"], cwd=tmp_path, check=False)
    assert ended.returncode == 130


def test_blocks_that_run_are_not_waited_for() -> None:
    begun, run = time.monotonic(), engine._Run(b"", None, [])
    with engine.processes(2).open() as executor:
        future = executor.submit(time.sleep, 300)
        while not future.running():
            time.sleep(0.01)
        run.abandon(executor)
    assert time.monotonic() - begun < 200


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_that_was_ignored_before_us_stays_so(number: int) -> None:
    before = signal.signal(number, signal.SIG_IGN)
    try:
        with interruption.heeded():
            signal.raise_signal(number)
        assert signal.getsignal(number) is signal.SIG_IGN
    finally:
        signal.signal(number, before)


def test_imports_are_interrupted_in_order() -> None:
    """Before the command line itself is there."""
    script = (
        "import signal, sys, foretell.__main__ as m\n"
        "class Finder:\n    def find_spec(self, name, *_):\n"
        "        if name == 'foretell.cli': signal.raise_signal(signal.SIGTERM)\n"
        "sys.meta_path.insert(0, Finder())\nm.main()"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (143, "foretell: interrupted\n")


@pytest.mark.parametrize("names", [("a.foretell-launches",), ()])
def test_logs_of_a_recording_stay(names: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record, "log_files", lambda folder: sorted(folder.iterdir()))
    logs = tmp_path / "app.capture.logs"
    with pytest.raises(interruption.Interruption) as caught:
        _interrupted(logs, names)
    said = f"; what the program did stays in {logs}: foretell record --logs {logs} -o FILE packs it" if names else ""
    assert interruption.message(caught.value) == f"foretell: interrupted{said}"
    assert logs.exists() == bool(names)


def _interrupted(logs: Path, names: tuple[str, ...]) -> None:
    with record._folder(logs) as folder:
        for name in names:
            (folder / name).write_text("launch")
        raise interruption.Interruption(signal.SIGINT)
