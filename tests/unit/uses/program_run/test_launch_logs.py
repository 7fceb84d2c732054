"""Logs of programs that were recorded beside a GPU: read, refused where they are damaged, packed into captures."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import pytest

from foretell.core.gpu.image import Address, Bytes, DeviceImage, Variable
from foretell.errors import InputError
from foretell.frontends.gpu.capture import Capture
from foretell.uses.program_run.beside_gpu import launch_log, packing
from foretell.uses.program_run.beside_gpu.launch_log import Entry, LoggedArray, LoggedLaunch, LoggedVariable
from foretell.uses.program_run.beside_gpu.record import pack
from foretell.uses.program_run.recording import Recorder
from tests.support.cli import run

if TYPE_CHECKING:
    from pathlib import Path


def test_constants_become_a_bank_and_variables_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    """The driver places each variable on its own; a bank points to one, and to a string without a name."""
    variables = {"table": Variable("constant", 4, 4), "counter": Variable("global", 8, 4)}
    pointers = Bytes(bytes(16), (Address(0, 10), Address(8, 1)))
    image = DeviceImage(90, Bytes(b"a string".ljust(16)), variables, {3: Bytes(b"ABCDEFGH")}, {"kernel": {4: pointers}})
    monkeypatch.setattr(packing, "device_image", lambda _: image)
    log = launch_log.LaunchLog(modules={0: b"code"}, functions={0: (0, "kernel")}, blocks={0: b"1234", 1: b"5678"})
    log.variables[0] += [LoggedVariable("table", 0x100, 4), LoggedVariable("counter", 0x2008, 4)]
    arrays = (LoggedArray(0x100, 4, 0, (0,)), LoggedArray(0x2008, 4, 0, (1,)))
    one = (1, 1, 1)
    log.launches.append(LoggedLaunch(0, one, one, one, 0, False, b"", arrays, [(1, 0)]))
    recorder = Recorder("all", 1 << 20)
    packing.Packing(log, recorder).pack()
    (launch,) = recorder.launches
    counter, memory = launch.arrays
    assert (counter.address, counter.bytes, counter.name) == (0x2008, 4, "variable counter")
    assert (memory.bytes, memory.name, memory.blocks) == (16, "module 0", (recorder.blob(b"a string".ljust(16)),))
    addresses = struct.pack("<QQ", 0x2008 + 2, memory.address + 1)
    expected = {3: recorder.blob(b"ABCD1234"), 4: recorder.blob(addresses)}
    assert {bank.bank: bank.blob for bank in launch.banks} == expected


def entry(kind: int, content: bytes = b"") -> bytes:
    return struct.pack("<IQ", kind, len(content)) + content


def text(words: str | bytes) -> bytes:
    data = words.encode() if isinstance(words, str) else words
    return struct.pack("<I", len(data)) + data


BEGIN, END = entry(Entry.BEGIN, struct.pack("<I", launch_log.LOG_VERSION)), entry(Entry.END)
MADE = entry(Entry.STEP, struct.pack("<IQ4Q", 1, 0, 0, 0, 7, 0))


def logged(tmp_path: Path, data: bytes) -> Path:
    path = tmp_path / "1.launches"
    path.write_bytes(data)
    return path


def test_damaged_logs_are_refused(tmp_path: Path) -> None:
    for data, words in (
        (entry(Entry.BEGIN, struct.pack("<I", 9)), "another version"),
        (entry(77), "no log of launches"),
        (BEGIN + MADE, "makes a launch 0"),
        (BEGIN + entry(Entry.STEP, struct.pack("<IQ", 99, 0)), "step of unknown kind 99"),
        (BEGIN + entry(Entry.STEP, struct.pack("<IQQ", 2, 0, 0)), "too short"),
        (BEGIN + entry(Entry.FUNCTION, b"123"), "too short"),
        (BEGIN + entry(Entry.NOTE, struct.pack("<I", 9)), "too short"),
    ):
        with pytest.raises(InputError, match=words):
            launch_log.read(logged(tmp_path, data))


def test_logs_are_packed_later(tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    assert run("record", "--logs", str(folder), "-o", str(tmp_path / "a.capture")).code == 3
    assert run("record", "--logs", str(folder), "--", "program").code == 3
    sizes = struct.pack("<9I", 1, 1, 1, 32, 1, 1, 1, 1, 1)
    launch = struct.pack("<I", 0) + sizes + struct.pack("<II", 0, 0) + text(b"") + struct.pack("<I", 0)
    logged(folder, BEGIN + entry(Entry.LAUNCH, launch) + MADE + END)
    with pytest.raises(InputError, match="no code for kernel 0"):
        pack([folder / "1.launches"], "all", 1 << 20)
    code = entry(Entry.MODULE, struct.pack("<I", 0) + text(b"no cubin"))
    function = entry(Entry.FUNCTION, struct.pack("<II", 0, 0) + text("kernel"))
    logged(folder, BEGIN + code + function + entry(Entry.LAUNCH, launch) + MADE + END)
    result = run("record", "--logs", str(folder), "-o", str(tmp_path / "a.capture"))
    assert result.code == 0, result.err
    (item,) = Capture(tmp_path / "a.capture").index.launches
    assert (item.kernel, item.measured_s, item.banks) == ("kernel", None, ())
