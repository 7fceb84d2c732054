"""Forty programs that do not want to end, or leave something behind: nothing of them is left, and limits hold."""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from foretell import running
from foretell.running import Confinement, Limits

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="supervisors need Linux")

_MARK = "FORETELL_TEST_MARK"
_SECONDS, _OUTPUT = 1.0, 1 << 20
#: five seconds after the limit is the promise on a machine that is not at its own (`fuzz/`); here, that it ends at all
_HUNG = 60.0
_IGNORE = "import signal\nfor s in (1, 2, 15): signal.signal(s, signal.SIG_IGN)\n"
#: a busy machine may not get to the limit of processes in time
_BOMB = ("processes", "time")
_DAEMON = """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.chdir('/')
        for fd in (0, 1, 2): os.close(fd)
        time.sleep(600)
    os._exit(0)
"""


@dataclass(frozen=True)
class Hostile:
    """A program, and how its run may end: a limit, or an exit code."""

    name: str
    python: str = ""
    shell: str = ""
    ends: tuple[str | int, ...] = ("time",)


_FORK = "import os, time\n"
_TMP = "import os, shutil, time\nfolder = os.environ['TMPDIR']\n"
_SLEEP = "\nimport time\ntime.sleep(600)"
_KILL_PARENTS = "import os\nfor pid in (os.getppid(), 1):\n    try: os.kill(pid, 9)\n    except OSError: pass"
_WRITE_ALL = "import os\nfor fd in range(3, 64):\n    try: os.write(fd, b'x' * 64)\n    except OSError: pass"
_THREADS = "import threading, time\nfor k in range(50): threading.Thread(target=time.sleep, args=(600,)).start()"

PROGRAMS = [
    Hostile("endless loop", "while True: pass"),
    Hostile("sleeps", _SLEEP),
    Hostile("reads what has no end", "open('/dev/zero', 'rb').read()", ends=("time", 1)),
    Hostile("ignores signals", _IGNORE + _SLEEP),
    Hostile("stops itself", "import os\nos.kill(os.getpid(), 19)"),
    Hostile("stops its group", shell="sleep 600 & kill -STOP 0; wait"),
    Hostile("child in the background", shell="sleep 600 & exit 0", ends=(0,)),
    Hostile("child keeps stdout", shell="sleep 600 & exit 3", ends=(3,)),
    Hostile("child in its own session", shell="setsid sleep 600 & exit 0", ends=(0,)),
    Hostile("nohup", shell="nohup sleep 600 >/dev/null 2>&1 & exit 0", ends=(0,)),
    Hostile("daemon", _DAEMON, ends=(0,)),
    Hostile("daemon, and its parent waits", _DAEMON + _SLEEP),
    Hostile("daemon that ignores signals", _IGNORE + _DAEMON, ends=(0,)),
    Hostile("daemon, and its parent crashes", _DAEMON + "os.kill(os.getpid(), 11)", ends=(-11,)),
    Hostile("two daemons", _DAEMON + _DAEMON, ends=(0,)),
    Hostile("chain of twenty", _FORK + "for k in range(20):\n    if os.fork(): os._exit(0)" + _SLEEP, ends=(0,)),
    Hostile(
        "chain of sessions",
        _FORK + "for k in range(9):\n    if os.fork(): os._exit(0)\n    os.setsid()" + _SLEEP,
        ends=(0,),
    ),
    Hostile("forks without an end", _FORK + "while True:\n    if os.fork(): os._exit(0)", ends=(0,)),
    Hostile("fork bomb", _FORK + "while True:\n    try: os.fork()\n    except OSError: pass", ends=_BOMB),
    Hostile("fork bomb of sleepers", _FORK + "while True:\n    if os.fork() == 0: time.sleep(600)", ends=_BOMB),
    Hostile("fork bomb of the shell", shell="b() { b | b & }; b; sleep 600", ends=_BOMB),
    Hostile("threads", _THREADS),
    Hostile("memory", "x = []\nwhile True: x.append(bytearray(1 << 27))", ends=(1, "time")),
    Hostile("address space", "import mmap\nmmap.mmap(-1, 1 << 40)", ends=(1,)),
    Hostile("memory of children", _FORK + "for k in range(4): os.fork()\nx = bytearray(1 << 34)", ends=(1,)),
    Hostile("output", "import sys\nwhile True: sys.stdout.write('y' * 65536)", ends=("output",)),
    Hostile("messages", "import sys\nwhile True: sys.stderr.write('y' * 65536)", ends=("output",)),
    Hostile("output of a child", shell="yes & wait", ends=("output",)),
    Hostile("output after the end", shell="(while :; do echo y; done) & exit 0", ends=(0, "output")),
    Hostile("large file", _TMP + "f = open(folder + '/x', 'wb')\nwhile True: f.write(bytes(1 << 20))", ends=(1,)),
    Hostile("core dump", "import os; os.abort()", ends=(-6,)),
    Hostile("segmentation fault", "import ctypes; ctypes.string_at(0)", ends=(-11,)),
    Hostile("deletes its folder", _TMP + "shutil.rmtree(folder, ignore_errors=True)" + _SLEEP),
    Hostile("makes its folder unreadable", _TMP + "os.mkdir(folder + '/d')\nos.chmod(folder, 0)", ends=(0,)),
    Hostile("closes its descriptors", "import os\nos.closerange(0, 64)" + _SLEEP),
    Hostile("writes into all descriptors", _WRITE_ALL + _SLEEP),
    Hostile("kills its parents", _KILL_PARENTS + _SLEEP),
    Hostile("kills its group", shell="kill -KILL 0", ends=(-9,)),
    Hostile("writes outside", "import os\nopen('/tmp/' + os.environ['FORETELL_TEST_MARK'], 'w')", ends=(1,)),
    Hostile("writes beside", "import os\nopen(os.environ['FORETELL_TEST_MARK'], 'w')", ends=(1,)),
    Hostile("uses the network", "import socket\nsocket.create_connection(('127.0.0.1', 9), 1)", ends=(1,)),
]


def _marked(mark: str) -> list[int]:
    """Processes that have the mark in their environment."""
    left = []
    for process in Path("/proc").iterdir():
        if process.name.isdecimal() and int(process.name) != os.getpid():
            try:
                if mark.encode() in (process / "environ").read_bytes():
                    left.append(int(process.name))
            except OSError:
                continue
    return left


def _temporary_folders() -> set[str]:
    """Those of this process."""
    return {path.name for path in Path(tempfile.gettempdir()).glob("foretell-*")}


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_nothing_is_left(
    program: Hostile, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark = f"mark-{secrets.token_hex(8)}"
    command = [sys.executable, "-ISc", program.python] if program.python else ["/bin/sh", "-c", program.shell]
    limits = Limits(_SECONDS, memory_bytes=4 << 30, output_bytes=_OUTPUT, file_bytes=8 << 20, processes=100)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path_factory.mktemp("temporary")))
    before = _temporary_folders()
    begun, end = time.monotonic(), 0.0
    try:
        done = running.run(
            command, limits, environment={_MARK: mark}, folder=tmp_path, confinement=Confinement(), whole=False
        )
        outcome: str | int = done.code
    except running.StoppedError as error:
        outcome = error.limit
    end = time.monotonic() - begun
    assert outcome in program.ends
    assert _marked(mark) == []
    assert end < _HUNG
    assert list(tmp_path.iterdir()) == []
    assert not Path(f"/tmp/{mark}").exists()
    assert _temporary_folders() - before == set()


def test_there_are_forty() -> None:
    assert len(PROGRAMS) >= 40


_RUNNER = """
import sys
from foretell import running
command = [sys.executable, "-ISc", {daemon!r} + "time.sleep(600)"]
running.run(command, running.Limits(600), environment={{{mark!r}: {value!r}}})
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_nothing_is_left_when_we_die(number: int) -> None:
    """Of a signal that can be handled, and of one that cannot."""
    value = f"mark-{secrets.token_hex(8)}"
    text = _RUNNER.format(daemon=_DAEMON, mark=_MARK, value=value)
    foretell = subprocess.Popen([sys.executable, "-c", text], stderr=subprocess.DEVNULL)
    _until(lambda: len(_marked(value)) >= 2)
    foretell.send_signal(number)
    foretell.wait(10)
    _until(lambda: not _marked(value))


def _until(holds: Callable[[], bool]) -> None:
    """Waits for something that takes milliseconds; a quarter of a minute means never."""
    end = time.monotonic() + 15
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)
