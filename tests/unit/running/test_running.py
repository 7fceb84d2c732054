"""Programs of others: what they write, how they end, what they may do."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from foretell import running
from foretell.running import Confinement, Limits, NotStartedError, StoppedError


def test_output_messages_and_code() -> None:
    done = running.run(["/bin/sh", "-c", "echo out; echo err >&2; exit 7"])
    assert (done.code, done.text, done.messages) == (7, "out\n", "err\n")
    assert done.failure == "failed with exit code 7"
    merged = running.run(["/bin/sh", "-c", "echo out; echo err >&2"], merged=True)
    assert (merged.text, merged.messages, merged.failure) == ("out\nerr\n", "", "")


def test_input_output_files_folder_and_environment(tmp_path: Path) -> None:
    (tmp_path / "in").write_text("given")
    with (tmp_path / "in").open("rb") as given, (tmp_path / "out").open("w+b") as out:
        done = running.run(
            ["/bin/sh", "-c", "cat; pwd; echo $VALUE; echo message >&2"],
            input=given, output=out, folder=tmp_path, environment={"VALUE": "7"},
        )  # fmt: skip
    assert (tmp_path / "out").read_text() == f"given{tmp_path.resolve()}\n7\n"
    assert done.text == "message\n"


def test_times() -> None:
    done = running.run(
        [sys.executable, "-c", "import time\nt = time.process_time()\nwhile time.process_time() - t < 0.2: pass"]
    )
    assert 0.2 <= done.processor_s < 5
    assert done.elapsed_s >= 0.2


def test_only_the_end_of_a_long_output() -> None:
    done = running.run([sys.executable, "-c", "print('x' * 100_000); print('end')"], whole=False)
    assert done.text.endswith("x\nend\n")
    assert len(done.output) <= 70_000


def test_crashes_are_named() -> None:
    done = running.run(["/bin/sh", "-c", "kill -SEGV $$"])
    assert done.failure == "crashed (SIGSEGV)"
    assert running.signal_name(200) == "signal 200"


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (["no-such-program-here"], "no such program"),
        ([], "no such program"),
        (["/etc/passwd"], "no such program"),
        (["/bin/sh", "nul\0"], "null character"),
    ],
)
def test_what_cannot_be_run(command: list[str], reason: str) -> None:
    with pytest.raises(NotStartedError, match=reason):
        running.run(command)


def test_an_executable_that_is_none(tmp_path: Path) -> None:
    file = tmp_path / "text"
    file.write_bytes(b"\x7fELF and nothing else")
    file.chmod(0o755)
    with pytest.raises(NotStartedError, match="Exec format error"):
        running.run([file])
    with pytest.raises(NotStartedError, match="No such file or directory"):
        running.run(["/bin/sh"], folder=tmp_path / "none")


def test_memory_in_use_is_watched() -> None:
    text = "x = bytearray(b'x') * (300 << 20)\nimport time\ntime.sleep(60)"
    with pytest.raises(StoppedError, match=r"used more than 0\.195312 GiB") as stopped:
        running.run([sys.executable, "-c", text], Limits(60, resident_bytes=200 << 20))
    assert stopped.value.limit == "memory"


def test_copies_of_this_process_do_not_count_as_the_program() -> None:
    """Between fork and exec a program has our pages, on a busy machine for longer than the watch takes for a look."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.read(reading, 1)
        os.execv("/bin/sleep", ["sleep", "60"])
    assert not running._has_executed(child)
    os.write(writing, b"x")
    while not running._has_executed(child):
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(reading)
    os.close(writing)
    assert not running._has_executed(child)


def test_addresses_are_limited_unless_that_is_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sanitizers reserve terabytes of addresses: `.ci/sanitize` takes the limit away."""
    command = [sys.executable, "-c", "import resource; print(resource.getrlimit(resource.RLIMIT_AS)[0])"]
    before, most = resource.getrlimit(resource.RLIMIT_AS)[0], 4 << 30
    monkeypatch.delenv(running.ADDRESSES, raising=False)
    assert int(running.run(command, Limits(memory_bytes=most)).text) == most
    monkeypatch.setenv(running.ADDRESSES, "off")
    assert int(running.run(command, Limits(memory_bytes=most)).text) == before


def test_a_confined_program_writes_where_it_may(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = ["/bin/sh", "-c", "echo x > $TMPDIR/a && echo x > /dev/null && echo x > file"]
    monkeypatch.delenv(running.ALLOW, raising=False)
    done = running.run(command, folder=tmp_path, confinement=Confinement.current())
    if not done.notes:  # the kernel has Landlock
        assert done.code != 0
        assert not (tmp_path / "file").exists()
    for allowed in (str(tmp_path), running.EVERYTHING):
        monkeypatch.setenv(running.ALLOW, allowed)
        own = {"TMPDIR": str(tmp_path)}
        assert running.run(command, folder=tmp_path, confinement=Confinement.current(), environment=own).code == 0
        (tmp_path / "file").unlink()


def test_the_network_can_be_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "import socket\nprint(len(socket.if_nameindex()))"
    monkeypatch.setenv(running.ALLOW, "network:/tmp")
    assert Confinement.current() == Confinement(("/tmp",), network=True)
    here = running.run([sys.executable, "-c", text], confinement=Confinement.current())
    inside = running.run([sys.executable, "-c", text], confinement=Confinement())
    assert int(inside.text) == 1 or inside.notes  # loopback, or no namespaces here
    assert int(here.text) >= int(inside.text)


def _children() -> list[str]:
    return Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()


def test_an_interrupt_ends_the_program() -> None:
    before = _children()
    signal.signal(signal.SIGALRM, lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with pytest.raises(KeyboardInterrupt):
            running.run(["sleep", "600"])
    finally:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
    assert _children() == before  # none is left, not even the supervisor


_WORKER = """
import os, time
from foretell import running
running.die_with_parent(os.getppid())
print(os.getpid(), flush=True)
time.sleep(600)
"""
_PARENT = """
import subprocess, sys
worker = subprocess.Popen([sys.executable, "-c", sys.argv[1]], stdout=subprocess.PIPE)
print(worker.stdout.readline().decode(), flush=True)
"""


def test_a_worker_dies_with_its_parent() -> None:
    """The reader of its pipe sees the end: the worker had the other side."""
    parent = subprocess.run(
        [sys.executable, "-c", _PARENT, _WORKER], stdout=subprocess.PIPE, text=True, check=True, timeout=60
    )
    worker = Path(f"/proc/{int(parent.stdout)}")
    end = time.monotonic() + 15
    while worker.exists() and "Z" not in (worker / "stat").read_text().rpartition(")")[2].split()[0]:
        assert time.monotonic() < end
        time.sleep(0.01)


def test_what_the_kernel_cannot_do_is_said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """By the command line, once for each kind."""
    from foretell import _core, cli

    monkeypatch.setattr(running, "_lacked", {})
    report = _core.guard_report
    monkeypatch.setattr(_core, "guard_report", lambda answer: (*report(answer)[:2], 6, *report(answer)[3:]))
    for _ in range(2):
        done = running.run(["/bin/true"], confinement=running.Confinement())
    assert running.notes() == done.notes == tuple(running._LACKING.values())
    cli._say_notes()
    assert capsys.readouterr().err.count("note: a program was run, and its") == 2


def test_a_program_is_ended_when_it_is_told_to() -> None:
    import os

    read, write = os.pipe()
    os.write(write, b"x")
    try:
        with pytest.raises(running.StoppedError, match="was ended") as caught:
            running.run(["/bin/sleep", "600"], stop=read)
    finally:
        os.close(read)
        os.close(write)
    assert caught.value.limit == "stop"


def test_programs_have_temporary_folders_of_their_own(tmp_path: Path) -> None:
    """In a namespace all are process 2: names of temporary files that are made of that number would be the same."""
    first, second = (running.run(["sh", "-c", "cd $TMPDIR && echo >of.$$ && pwd"]).text.strip() for _ in range(2))
    assert first != second
    assert not Path(first).exists()
    assert not Path(second).exists()
    kept = running.run(["sh", "-c", "echo $TMPDIR"], environment={"TMPDIR": str(tmp_path)})
    assert kept.text.strip() == str(tmp_path)
