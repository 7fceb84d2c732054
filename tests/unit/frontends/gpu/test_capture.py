"""The format of captures: what is written is read, and what is damaged is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from foretell.core.gpu.launch import DeviceArray, Launch, PassedArguments
from foretell.errors import InputError
from foretell.frontends.gpu import capture
from foretell.frontends.gpu.capture import BLOCK, HEAD, Capture, read_workloads
from foretell.frontends.gpu.workload import read_kernel
from foretell.uses.program_run.recording import Recorder

if TYPE_CHECKING:
    from pathlib import Path


def launch(data: np.ndarray, parameters: bytes = b"12345678", kernel: str = "triad_f32") -> Launch:
    array = DeviceArray(0x7F00_F000_0000, data.nbytes, "allocation 1", data.view(np.uint8))
    passed = PassedArguments(parameters, (array,), ((3, b"constants"),))
    return Launch(kernel, (2, 1, 1), (64, 1, 1), passed=passed)


def written(path: Path, *launches: Launch, contents: str = "all") -> Path:
    recorder = Recorder(contents, 1 << 26)
    for item in launches:
        recorder.add(b"machine code", item)
    recorder.write(path)
    return path


def test_what_is_written_is_read(tmp_path: Path) -> None:
    data = np.arange(200_000, dtype=np.int32)
    read = Capture(written(tmp_path / "a.capture", launch(data), launch(data), launch(data, b"87654321")))
    first, second = read.index.launches
    assert (first.count, second.count, first.grid, first.block) == (2, 1, (2, 1, 1), (64, 1, 1))
    assert read.blob(first.module) == b"machine code"
    assert read.blob(second.parameters) == b"87654321"
    assert read.blob(first.banks[0].blob) == b"constants"
    array = read.array(first.arrays[0])
    assert array.data is not None
    assert array.data.tobytes() == data.tobytes()
    assert first.arrays[0].blocks == second.arrays[0].blocks  # stored once
    assert len(first.arrays[0].blocks) == -(-data.nbytes // BLOCK)


@pytest.mark.parametrize(
    ("contents", "data", "kept"),
    [
        ("index", np.arange(1000, dtype=np.int32), True),
        ("index", np.linspace(0, 1, 1000, dtype=np.float32), False),
        (
            "index",
            np.array([0x7F00_F000_0000 + 8, 7, 0x7F00_F000_0000], np.uint64),
            True,
        ),  # addresses of its own memory
        ("index", np.array([0x7F00_F000_0000 + 8, 0x7F00_F000_0000 + 24], np.uint64), False),  # beyond its end
        ("index", np.array([0x7F00_F000_0000 - 1], np.uint64), False),
        ("index", np.array([1, 2, 1 << 30], np.uint32), False),
        ("index", np.zeros(2, np.uint8), False),
        ("none", np.arange(1000, dtype=np.int32), False),
    ],
)
def test_contents_are_left_out(tmp_path: Path, contents: str, data: np.ndarray, kept: bool) -> None:
    read = Capture(written(tmp_path / "a.capture", launch(data), contents=contents))
    assert (read.array(read.index.launches[0].arrays[0]).data is not None) is kept


def all_blobs(path: Path) -> list[bytes]:
    read = Capture(path)
    return [read.blob(number) for number in range(len(read.index.blobs))]


def test_damage_is_found(tmp_path: Path) -> None:
    path = written(tmp_path / "a.capture", launch(np.arange(1000, dtype=np.int32)))
    whole = path.read_bytes()

    def refused(data: bytes, message: str) -> None:
        path.write_bytes(data)
        with pytest.raises(InputError, match=message):
            all_blobs(path)

    refused(whole[:20], "cut off")
    refused(b"something else" * 10, "no capture")
    refused(whole[:7] + b"\x09" + whole[8:], "version 9; this foretell reads version 3")
    path.write_bytes(whole[:7] + b"\x01" + whole[8:])  # version 1 had no measured times, and is read
    all_blobs(path)
    refused(whole[: HEAD.size + 5], "cut off")
    refused(whole[: HEAD.size] + bytes(4) + whole[HEAD.size + 4 :], "checksum of its index")
    refused(whole[:-3], "cut off")
    refused(whole[:-3] + b"\0\0\0", "damaged")


def test_launches_become_workloads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listing = capture.__file__.rsplit("/frontends/", 1)[0] + "/uses/recorded/gpu/triad_f32.sass.xz"
    from pathlib import Path as File

    monkeypatch.setattr(capture, "decode_kernel", lambda *_: read_kernel(File(listing)))
    path = written(tmp_path / "a.capture", *(launch(np.arange(9, dtype=np.int32), bytes([n] * 8)) for n in (1, 1, 2)))
    first, second = read_workloads(path)
    assert (first.name, second.name) == ("triad_f32", "triad_f32 #2")
    assert first.assumptions == ("the program made this launch 2 times",)
    assert len(read_workloads(path, "triad_f32")) == 2
    for number, workload in ((1, first), (2, second)):
        assert [item.name for item in read_workloads(path, f"triad_f32 #{number}")] == [workload.name]
    with pytest.raises(InputError, match="no launch of 'other'"):
        read_workloads(path, "other")
