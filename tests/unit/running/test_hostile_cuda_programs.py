"""Programs of `foretell run` that do not want to end, or tell foretell what is not so: nothing of them is left, limits
hold, and each is one error."""

from __future__ import annotations

import secrets
import sys
from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from foretell import limits, machines
from foretell.core.gpu.image import Bytes, DeviceImage
from foretell.errors import ForetellError, ToolError
from foretell.frontends.gpu.sass import listing
from foretell.uses.program_run import modules
from foretell.uses.program_run import run as program_run
from foretell.uses.program_run.memory import device_memory
from foretell.uses.program_run.messages import PROTOCOL_VERSION
from foretell.uses.program_run.run import Streams, run_program
from tests.unit.running.test_hostile_programs import _DAEMON, _MARK, _SLEEP, _marked

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="supervisors need Linux")

#: a kernel that jumps to itself
ENDLESS = """foretell sass 1
kernel endless
arch 90
registers 8
shared 0
barriers 0
stack 0
parameters 0x210
code
0000 BRA 0x0 ; fffffffc00fc7947 000fc0000383ffff
0010 EXIT ; 000000000000794d 000fea0003800000
"""
#: a program that calls the driver's functions, and one that speaks to foretell itself
_CUDA = """
import ctypes, os, sys, time
from ctypes import byref, c_size_t, c_void_p
cuda = ctypes.CDLL("libcuda.so.1")
assert cuda.cuInit(0) == 0
def allocated(size):
    address = c_void_p()
    assert cuda.cuMemAlloc_v2(byref(address), c_size_t(size)) == 0
    return address
"""
_RAW = """
import array, os, socket, struct, time
s = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
s.connect(os.environ["FORETELL_STANDIN"])
def send(number, data=b"", size=None):
    s.sendall(struct.pack("<IIQ", number, len(data) if size is None else size, 0) + data)
send(1, struct.pack("<Ii", VERSION, os.getpid()))
_, rights, _, _ = s.recvmsg(1 << 16, 64)
(memory,) = array.array("i", rights[0][2])
""".replace("VERSION", str(PROTOCOL_VERSION))
_KERNEL = """
module, kernel = c_void_p(), c_void_p()
assert cuda.cuModuleLoadData(byref(module), b"\\x7fELF" + bytes(96)) == 0
assert cuda.cuModuleGetFunction(byref(kernel), module, b"endless") == 0
arguments = (c_void_p * 1)()
cuda.cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, None, arguments, None)
sys.exit(3 if cuda.cuCtxSynchronize() else 0)
"""


@dataclass(frozen=True)
class Hostile:
    """A program, and what is said of it: the words of an error, or its exit code."""

    name: str
    text: str
    said: str | int | tuple[str | int, ...]


_BASE = 0x3000_0000_0000


def _allocate(address: int, size: int) -> str:
    """Says that memory was allocated, and sleeps."""
    return _RAW + f"send(7, struct.pack('<QQI', {address}, {size}, 2))"


_AGAIN = "\n" + _allocate(_BASE + 8, 64).removeprefix(_RAW)
_MEMSET = "for _ in range(8):\n    ctypes.memset(allocated(1 << 26), 1, 1 << 26)"
_ALLOCATE = "while cuda.cuMemAlloc_v2(byref(c_void_p()), c_size_t(1 << 30)) == 0: pass"
_LONG = "send(2, b'', (1 << 31) - 1)\nwhile True: s.sendall(bytes(1 << 16))"
_COPIES = "m = struct.pack('<IIIQQIQQ', 0, 1, 2, 4, 1, 0, 0, 0)\nwhile True: send(9, m)"
_BOMB = "while True:\n    try: os.fork()\n    except OSError: pass"

PROGRAMS = [
    Hostile("daemon", _CUDA + _DAEMON, 0),
    Hostile("child in its own session", _CUDA + "if os.fork() == 0:\n    os.setsid()" + _SLEEP, "took longer"),
    Hostile("fork bomb", _CUDA + _BOMB, "was ended"),
    Hostile("ignores signals", _CUDA + "import signal\nsignal.signal(15, signal.SIG_IGN)" + _SLEEP, "took longer"),
    Hostile("endless output", _CUDA + "while True: os.write(1, b'x' * 65536)", "wrote more than"),
    Hostile("fills its own memory", _CUDA + "kept = []\nwhile True: kept.append(bytearray(1 << 24))", "memory"),
    Hostile("fills the device", _CUDA + _MEMSET, "memory"),
    Hostile("allocates without an end", _CUDA + _ALLOCATE, 0),
    Hostile("an endless kernel", _CUDA + _KERNEL, (3, "took longer")),  # the budget of the launch, or the time
    Hostile("sleeps in the middle of a message", _RAW + "send(2, b'abc', 1000)" + _SLEEP, "took longer"),
    Hostile("a message without an end", _RAW + _LONG, "memory"),
    Hostile("no message at all", _RAW + "s.sendall(os.urandom(4096))" + _SLEEP, "protocol"),
    Hostile("another version", _RAW + "send(1, struct.pack('<Ii', 99, 1))" + _SLEEP, "version 99"),
    Hostile("memory that is ours", _allocate(4096, 1 << 40) + _SLEEP, "where it cannot"),
    Hostile("memory at the end", _allocate((1 << 64) - 1, 2) + _SLEEP, "where it cannot"),
    Hostile(
        "memory twice", _allocate(_BASE, 64) + "\n" + _allocate(_BASE + 8, 64).removeprefix(_RAW) + _SLEEP, "it cannot"
    ),
    Hostile("an unknown module", _RAW + "send(4, struct.pack('<II', 7, 1) + b'k')" + _SLEEP, "unknown"),
    Hostile("an unknown function", _RAW + "send(16, struct.pack('<IiQ', 7, 1, 1))" + _SLEEP, "unknown"),
    Hostile("a short message", _RAW + "send(9, b'abc')" + _SLEEP, "cut off"),
    Hostile("makes the memory shorter", _RAW + "os.ftruncate(memory, 0)", 1),
    Hostile("copies without an end", _RAW + _COPIES, "operations"),
]


class FakeModule:
    """A module with that kernel."""

    globals_address = constants_address = 0

    def __init__(self, data: bytes) -> None:
        kernel = listing.read(ENDLESS)
        image = DeviceImage(90, Bytes(b""), {}, {}, {})
        self._code = SimpleNamespace(
            cubin=data, arch=90, note="", image=image, names=[kernel.name], kernel=lambda _: kernel, has_heap=False
        )

    def code(self, _: int) -> SimpleNamespace:
        return self._code


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_nothing_is_left(program: Hostile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mark = f"mark-{secrets.token_hex(8)}"
    monkeypatch.setenv(_MARK, mark)
    monkeypatch.setenv(limits.MEMORY, "0.25")
    monkeypatch.setenv(limits.TIME, "0.01")
    monkeypatch.setattr(modules, "Module", FakeModule)
    monkeypatch.setattr(program_run, "_LAST_WORDS_S", 0.2)  # what is refused, sleeps
    monkeypatch.chdir(tmp_path)
    script = tmp_path / "program.py"
    script.write_text(program.text)
    try:
        answer = run_program(
            [sys.executable, "-S", str(script)], [machines.load("h200")], seconds=4.0, streams=Streams()
        )
        outcome: str | int = answer.exit_code
    except ForetellError as error:
        outcome = str(error)
    monkeypatch.delenv(_MARK)
    said = program.said if isinstance(program.said, tuple) else (program.said,)
    assert any(words == outcome if isinstance(words, int) else words in str(outcome) for words in said), outcome
    assert _marked(mark) == []
    assert list(tmp_path.iterdir()) == [script]


def test_addresses_that_cannot_be_had_are_one_message(monkeypatch: pytest.MonkeyPatch) -> None:
    """A device has 200 GiB of addresses, and a limit on the address space (ulimit -v) leaves less."""

    def refuse(*_: object) -> None:
        raise OSError(12, "Cannot allocate memory")

    monkeypatch.setattr(device_memory.mmap, "mmap", refuse)
    with pytest.raises(ToolError, match=r"Cannot allocate memory; ulimit -v"):
        device_memory.DeviceMemory(1 << 30)
