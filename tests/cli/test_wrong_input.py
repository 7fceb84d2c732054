"""Wrong input is normal input: one clear message, the right exit code, no traceback."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from foretell import interruption
from foretell.errors import MissingExtraError
from tests.support.cli import refused, run

if TYPE_CHECKING:
    from collections.abc import Callable

GOOD = """name = "good"
[parameters]
N = 8
[offload]
extent = "N"
[[offload.dma]]
chunks = [{ bytes = "8*N" }]
"""


@pytest.fixture
def workload(tmp_path: Path) -> Path:
    path = tmp_path / "w.toml"
    path.write_text(GOOD)
    return path


def edited(path: Path, old: str, new: str) -> Path:
    assert old in GOOD
    path.write_text(GOOD.replace(old, new))
    return path


def test_the_good_one_is_good(workload: Path) -> None:
    assert run("predict", workload, "--on", "sw26010").code == 0


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("extent", "extend", "did you mean 'extent'?"),
        ('"8*N"', '"8*M"', "parameter 'M' in '8*M' has no value"),
        ('"8*N"', '"8*N +"', "not an arithmetic expression"),
        ('"8*N"', '"open(N)"', "calls 'open'"),
        ('"8*N"', '"-8*N"', "negative"),
        ('"8*N"', "true", "must be a number or an expression"),
        ('"8*N"', "nan", "nan"),
        ("N = 8", "N = nan", "finite number"),
        ("N = 8", "N = -8", "whole number of at least 1"),
        ("N = 8", "N = 8.5", "whole number"),
        ("N = 8", "N = 8\nM = 9", "is used nowhere"),
        ("N = 8", "N = 8\n1x = 9", "w.toml:4: parameters.1x"),
        ('name = "good"', "name = 3", "must be a text"),
        ('name = "good"', "name = ", "w.toml:1: not valid TOML"),
        ("[[offload.dma]]", "[offload.dma]", "must be [[offload.dma]] tables"),
        ("[offload]", "[offload]\ndouble_buffer = 1", "must be true or false"),
        ('chunks = [{ bytes = "8*N" }]', "chunks = []", "must be a list"),
        ('chunks = [{ bytes = "8*N" }]', "chunks = [{ count = 1 }]", "bytes: is missing"),
        ("[[offload.dma]]", "[offload.instructions]\nfloating = 8\n[[offload.dma]]", "ilp"),
        ("[[offload.dma]]", "[offload.instructions]\nilp = 0\n[[offload.dma]]", "must be positive"),
        ("[[offload.dma]]", "[[offload.gload]]\nbytes = 64\n[[offload.dma]]", "at most 32 B"),
        ('extent = "N"', 'extent = "N"\ncores = 65', "65 cores asked for, the machine has 64"),
        ("[parameters]", "parameters = 3\n[x]", "unknown key"),
        ("[parameters]\nN = 8", 'parameters = "N"', "must be a table"),
    ],
)
def test_wrong_workload_files(workload: Path, old: str, new: str, message: str) -> None:
    assert message in refused("predict", edited(workload, old, new), "--on", "sw26010")


def test_messages_name_file_and_line(workload: Path) -> None:
    message = refused("predict", edited(workload, 'extent = "N"', 'extend = "N"'), "--on", "sw26010")
    assert f"{workload}:5: offload.extend: unknown key" in message


def test_files_that_are_no_workload(tmp_path: Path) -> None:
    binary, huge, latin = tmp_path / "b.toml", tmp_path / "h.toml", tmp_path / "l.toml"
    binary.write_bytes(b"\x7fELF\0\0\0")
    with huge.open("wb") as handle:
        handle.truncate(100 << 20)
    latin.write_bytes(b'name = "caf\xe9"')
    fifo = tmp_path / "fifo.toml"
    os.mkfifo(fifo)
    secret = tmp_path / "empty.toml"
    secret.write_text("")
    for path, message in (
        (binary, "binary"),
        (huge, "larger than"),
        (latin, "UTF-8"),
        (tmp_path / "none.toml", "no such file"),
        (fifo, "not a regular file"),
        (Path("/dev/zero"), "not a regular file"),
    ):
        machine = path if path.suffix else f"{path}/"
        assert message in refused("predict", path, "--on", "sw26010")
        assert message in refused("predict", "example:vector-add", "--on", machine)
    assert "offload" in refused("predict", secret, "--on", "sw26010")
    assert "holds no C or Fortran source" in refused("predict", tmp_path, "--on", "sw26010")
    assert "is a directory" in refused("predict", "example:vector-add", "--on", f"{tmp_path}/")


def test_a_file_of_another_kind(tmp_path: Path) -> None:
    path = tmp_path / "k.xyz"
    path.write_text("hello")
    assert "no front end" in refused("predict", path, "--on", "sw26010")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("--on", "sw2610"), "did you mean 'sw26010'?"),
        (("--on", "sw26010", "-D", "M=3"), "has no parameter 'M'"),
        (("--on", "sw26010", "-D", "N=x"), "not a number"),
        (("--on", "sw26010", "-D", "N=1:2:0"), "not a range"),
        (("--on", "sw26010", "-D", "N=1:2:3:4"), "not a number"),
        (("--on", "sw26010", "-D", "N=1:1e9"), "more than"),
        (("--on", "sw26010", "-D", "N=1:1000000"), "more than"),
        (("--on", "sw26010", "-D", "N=inf"), "finite"),
        (("--on", "sw26010", "-D", "rows=32"), "768 KiB of scratchpad"),
        (("--on", "sw26010", "--model", "sunwai"), "did you mean 'sunway'?"),
        (("--on", "sw26010", "--option", "mrp_roundng=floor"), "did you mean 'mrp_rounding'?"),
        (("--on", "sw26010", "--option", "mrp_rounding=flor"), "did you mean 'floor'?"),
        (("--on", "sw26010", "--set", "memory.bandwith=1GB/s"), "did you mean 'memory.bandwidth'?"),
        (("--on", "sw26010", "--set", "memory.bandwidth=1GB"), "expected B/s"),
        (("--on", "sw26010", "--set", "memory.bandwidth=32"), "no unit"),
        (("--on", "sw26010", "--set", "memory.bandwidth=-1GB/s"), "is not a positive number"),
        (("--on", "sw26010", "--set", "memory.bandwidth=1e30GB/s"), "more than any machine has (1e+21 B/s)"),
        (("--on", "sw26010", "--set", "cores.count=1e30"), "more than any machine has (1e+09)"),
        (("--on", "sw26010", "--set", "cores.count=0.5"), "is not a whole number"),
        (("--on", "sw26010", "--set", "scratchpad.size=64KB"), "KiB"),
        (("--on", "sw26010", "--set", "clock.frequency=fast"), "not a number"),
    ],
)
def test_wrong_arguments(args: tuple[str, ...], message: str) -> None:
    assert message in refused("predict", "example:vector-add", *args)


@pytest.mark.parametrize(
    "args",
    [
        ("predict",),
        ("predict", "example:vector-add"),
        ("predict", "example:vector-add", "--on", "sw26010", "-D", "N"),
        ("predict", "example:vector-add", "--on", "sw26010", "--format", "xml"),
        ("why", "example:vector-add", "--on", "sw26010", "-D", "N=1,2"),
        ("why", "example:vector-add", "--on", "sw26010", "--on", "sw26010-chip"),
        ("nonsense",),
    ],
    ids=" ".join,
)
def test_wrong_usage_is_exit_2(args: tuple[str, ...]) -> None:
    assert refused(*args, code=2)


def test_rank_without_a_candidate(tmp_path: Path) -> None:
    machine = tmp_path / "tiny.toml"
    machine.write_text(
        'name="tiny"\nkind="cpu"\nsource="s"\n[sources.s]\nkind="assumed"\nreference="made up"\n'
        '[clock]\nfrequency="1 GHz"\n[missing]\n"memory.latency" = "nobody measured it"\n'
    )
    message = refused("rank", "example:vector-add", "--on", machine)
    assert "memory.latency" in message
    assert "tiny" in message


def test_unknown_examples_and_validations() -> None:
    assert "did you mean 'n-body'?" in refused("predict", "example:nbody", "--on", "sw26010")
    assert "did you mean 'sunway-nbody'?" in refused("validate", "sunway-nbdy")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no [case.NAME]"),
        ("[case]\nx = 1", "must be a table"),
        ('[case.x]\nworkload = "a"\nmachine = "b"', "measured must be a text"),
        ('[case.x]\nworkload = "example:n-body"\nmachine = "sw26010"\nmeasured = "0 s"', "must be positive"),
        ('[case.x]\nworkload = "example:n-body"\nmachine = "sw26010"\nmeasured = "1 GB"', "expected a unit of s"),
        ('[case.x]\nworkload = "w.toml"\nmachine = "sw26010"\nmeasured = "1 s"', "no such file"),
        ('[case.x]\nwork = "w.toml"', "did you mean 'workload'?"),
        ('[case.x]\nworkload = "example:n-body"\nmachine = "sw26010"\nmeasured = "1 s"\nmode = "papr"', "mode"),
        ('[case.x]\nworkload = "example:n-body"\nmachine = "sw26010"\nmeasured = "1 s"\noptions = 3', "options"),
        (
            '[case.x]\nworkload = "example:n-body"\nmachine = "sw26010"\nmeasured = "1 s"\nparameters = { N = "a" }',
            "must be a table of numbers",
        ),
    ],
)
def test_wrong_recordings(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "recorded.toml"
    path.write_text(text)
    assert message in refused("validate", path)


def test_a_missing_extra_names_itself(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    message = refused("validate", "sunway-nbody", "--plot", tmp_path / "x.png", code=1)
    assert "pip install 'foretell[plot]'" in message
    assert MissingExtraError("a", "b").exit_code == 1


def test_a_bug_is_one_line_unless_debugging(monkeypatch: pytest.MonkeyPatch) -> None:
    from foretell.cli import describe

    def broken(*_: object) -> None:
        raise RuntimeError("planted")

    monkeypatch.setattr(describe.frontends, "read", broken)
    result = run("describe", "example:n-body")
    assert (result.code, result.err.splitlines()[0]) == (1, "foretell: internal error: RuntimeError: planted")
    monkeypatch.setenv("FORETELL_DEBUG", "1")
    with pytest.raises(RuntimeError, match="planted"):
        run("describe", "example:n-body")


def test_interruption_is_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    from foretell.cli import describe

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(describe.frontends, "read", interrupted)
    assert run("describe", "example:n-body").code == 130


def test_where_data_is_at_the_start_is_a_choice_for_cpus(tmp_path: Path) -> None:
    asked = ("predict", "example:stencil7.c", "--on", "zen4", "-D", "n=50", "--start", "boiling")
    assert "warm, cold, flushed" in refused(*asked, code=2)
    assert "no such file" in refused("predict", tmp_path / "absent.s", "--on", "zen4", "--arg", "n")


def _killed(number: int) -> Callable[..., None]:
    return lambda *_, **__: signal.raise_signal(number)  # to this thread: another one would handle it later


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signals_end_a_command_in_order(number: signal.Signals, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("foretell.cli.describe.frontends.examples", _killed(number))
    before = signal.getsignal(number)
    result = run("examples")
    assert (result.code, signal.getsignal(number)) == (128 + number, before)
    assert result.err.endswith("foretell: interrupted\n")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_forked_worker_ends_at_once(number: signal.Signals, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its parent says what happened; a second message, or the end of the parent's files, would be wrong."""
    asked: list[tuple[int, object]] = []
    with interruption.heeded():
        monkeypatch.setattr("foretell.interruption.os.getpid", lambda: -1)
        monkeypatch.setattr("foretell.interruption.os.kill", lambda process, number: asked.append((process, number)))
        signal.raise_signal(number)
        assert signal.getsignal(number) == signal.SIG_DFL
    assert asked == [(-1, number)]


@pytest.mark.parametrize(
    "words",
    [
        ("validate", "cpu", "a.c", "--seconds", "nan"),
        ("run", "--on", "h200", "--timeout", "nan", "--", "true"),
        ("profile", "--timeout", "inf", "--", "true"),
        ("predict", "a.c", "--on", "zen4", "--limit-time", "nan"),
        ("describe", "--trace", "a.c", "--sample", "nan"),
        ("describe", "--trace", "a.c", "--memory", "nan"),
    ],
)
def test_numbers_that_are_none(words: tuple[str, ...]) -> None:
    assert "is not a finite number" in refused(*words, code=2)


@pytest.mark.parametrize("given", ["abc", "-5", "0B", "nan"])
def test_limits_of_captures_are_read_although_nothing_is_recorded(given: str) -> None:
    assert "--record-limit" in refused("run", "--on", "h200", "--record-limit", given, "--", "true")


def test_folders_and_files_that_are_not_there(tmp_path: Path) -> None:
    assert "is no folder" in refused("record", "--logs", tmp_path / "nowhere", "-o", tmp_path / "a.capture")
    assert "no such file" in refused("validate", "cpu", tmp_path / "nowhere.c")
