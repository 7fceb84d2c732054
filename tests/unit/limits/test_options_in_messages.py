"""Where a limit of time or memory strikes, the message names the option that raises it."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from foretell import limits, running
from foretell.errors import InputError
from foretell.frontends.analysis.calls import calls
from foretell.frontends.gpu import recorded_program
from foretell.frontends.gpu.capture import Capture
from foretell.running import Limits
from foretell.uses.program_run.beside_gpu import launch_log
from tests.support.cli import refused, run

if TYPE_CHECKING:
    from collections.abc import Callable

SOURCE = Path(limits.__file__).parent
#: asks for a number that a limit gives
_ASKS = re.compile(r"\blimits\.(?:share|steps|memory_share|memory_bytes|for_program)\(")
#: says what raises it
_SAYS = re.compile(r"too_long|too_much|require_bytes|Budget\(|MORE_MEMORY|MORE_TIME|--limit-(?:time|memory)")
#: modules whose number another one holds, and says
_SAID_ELSEWHERE = {
    "models/gpu/block_sampling.py": "characterize/gpu/functional.py",
    "uses/program_run/replay.py": "characterize/gpu/complete.py",
    "uses/program_run/run.py": "characterize/gpu/complete.py",
}


def _text(module: str) -> str:
    return (SOURCE / module).read_text()


def test_each_module_that_asks_for_a_limit_says_what_raises_it() -> None:
    asking = {
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*.py")
        if path.name != "limits.py" and _ASKS.search(path.read_text())
    }
    assert len(asking) > 15
    silent = {module for module in asking if not _SAYS.search(_text(module))}
    assert silent - _SAID_ELSEWHERE.keys() == set()
    assert all(_SAYS.search(_text(other)) for other in _SAID_ELSEWHERE.values())


@pytest.mark.parametrize(("option", "named"), [("", "--limit-time"), ("--timeout", "--timeout")])
def test_a_program_that_takes_too_long(option: str, named: str) -> None:
    with pytest.raises(running.StoppedError, match=rf"longer than 0\.1 s \({named} raises this limit\)"):
        running.run(["sleep", "60"], Limits(0.1, time_option=option))


def test_a_program_that_uses_too_much_memory() -> None:
    words = [sys.executable, "-ISc", "x = bytearray(1 << 28)\nimport time; time.sleep(60)"]
    with pytest.raises(running.StoppedError, match=r"0\.125 GiB of memory \(--limit-memory raises this limit\)"):
        running.run(words, Limits(30, resident_bytes=1 << 27))


def test_programs_get_more_time_with_a_longer_limit_and_never_less(monkeypatch: pytest.MonkeyPatch) -> None:
    for given, seconds in (("", 10.0), ("1", 10.0), ("60", 10.0), ("600", 100.0)):
        monkeypatch.setenv(limits.TIME, given)
        assert limits.for_program(10.0) == Limits(10.0).time_s == seconds
        assert Limits(10.0, time_option="--timeout").time_s == 10.0


@pytest.mark.parametrize("read", [Capture, launch_log.read])
def test_files_beyond_the_memory(
    read: Callable[[Path], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(limits.MEMORY, "1e-6")
    (tmp_path / "a").write_bytes(bytes(5000))
    with pytest.raises(InputError, match="--limit-memory GIB"):
        read(tmp_path / "a")


def test_a_source_beyond_the_memory(tmp_path: Path) -> None:
    """C and Fortran, given alone or with what they include."""
    comment = "long line " * 130_000
    (tmp_path / "a.c").write_text(f"/* {comment} */\nvoid f(int n, double *a) {{ a[n] = 1; }}\n")
    (tmp_path / "a.f90").write_text(f"! {comment}\nend\n")
    for name in ("a.c", "a.f90"):
        assert "--limit-memory GIB" in refused("describe", tmp_path / name, "--limit-memory", "0.01")
        assert run("describe", tmp_path / name, "--limit-memory", "2").err.count("--limit-memory") == 0


def test_recorded_programs_of_too_many_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorded_program, "_MOST_STEPS", 1)
    with pytest.raises(limits.LimitError, match=r"more than 1 steps(?s:.*)--limit-time"):
        recorded_program.decoded(b"[[], []]", 0)


def test_calls_of_a_program_beyond_its_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls, "MAX_INLINED_IN_PROGRAM", 3)
    text = "static double g(double x) { return x + 1; }\nvoid f(int n, double *a) {\n"
    text += "  for (int i = 0; i < n; i++) a[i] = g(g(g(g(g(a[i])))));\n}\n"
    (tmp_path / "a.c").write_text(text)
    shown = run("describe", tmp_path / "a.c").out
    assert "more than 3 calls: the work of further ones is not counted (--limit-time raises this limit)" in shown
