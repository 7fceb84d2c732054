"""Programs recorded beside a GPU: the recorder with a CUDA driver and a CUPTI that are made up, and its logs."""

from __future__ import annotations

import contextlib
import random
import shutil
import struct
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from foretell.cli.measured.cuda_program import exit_as
from foretell.errors import InputError
from foretell.frontends.gpu.capture import UNKNOWN, Capture
from foretell.uses.program_run.beside_gpu.record import Recording, library, pack, record_program
from tests.support.cli import run
from tests.unit.uses.program_run.test_launch_logs import logged

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[4]
#: a program: Python that calls the made-up driver
HEAD = """
import ctypes, os
from ctypes import byref, c_int, c_size_t, c_uint, c_void_p
cuda = ctypes.CDLL(os.environ["FORETELL_CUDA"])
def allocated(size, words=(), host=False):
    address = c_void_p()
    call = cuda.cuMemHostAlloc if host else cuda.cuMemAlloc_v2
    assert call(byref(address), c_size_t(size), 0) == 0
    data = b"".join(word.to_bytes(8, "little") for word in words)
    ctypes.memmove(address, data, len(data))
    return address
def launch(function, grid, *arguments, shared=0):
    pointers = (c_void_p * len(arguments))(*(ctypes.cast(byref(item), c_void_p) for item in arguments))
    cuda.cuLaunchKernel(function, grid, 1, 1, 64, 1, 1, shared, None, pointers, None)
cuda.cuInit(0)
module, first, second = c_void_p(), c_void_p(), c_void_p()
image = b"\\x7fELF" + b".text.first\\0.text.second\\0"
if "IMAGE" in os.environ:
    image = open(os.environ["IMAGE"], "rb").read()
cuda.cuModuleLoadData(byref(module), image, c_size_t(len(image)))
cuda.cuModuleGetFunction(byref(first), module, b"first")
cuda.cuModuleGetFunction(byref(second), module, b"second")
class Pair(ctypes.Structure):
    _fields_ = [("a", c_void_p), ("b", c_void_p)]
"""
TWO_KERNELS = """
numbers = allocated(1 << 19, [1, 2, 3])
table = allocated(64, [numbers.value + 8, 5])
unused, host = allocated(32), allocated(16, [7], host=True)
for _ in range(3):
    launch(first, 4, numbers, c_int(5))
launch(first, 8, numbers, c_int(5))
launch(second, 2, Pair(table.value, host.value))
"""
#: copies of all kinds, streams, events, and a query that finds the event done when it is asked the third time
AROUND = """
numbers, pinned = allocated(1 << 12), allocated(1 << 12, host=True)
own = (ctypes.c_char * 4096)()
stream, event = c_void_p(), c_void_p(77)
cuda.cuStreamCreate(byref(stream), 1)
cuda.cuMemcpyHtoD_v2(numbers, own, c_size_t(4096))
cuda.cuMemcpyHtoDAsync_v2(numbers, pinned, c_size_t(1024), stream)
launch(first, 4, numbers, c_int(5))
cuda.cuEventRecord(event, stream)
cuda.cuStreamWaitEvent(None, event, 0)
cuda.cuMemsetD32Async(numbers, 0, c_size_t(16), stream)
cuda.cuMemsetD2D8_v2(numbers, c_size_t(64), 0, c_size_t(10), c_size_t(3))
for _ in range(3):
    cuda.cuEventQuery(event)
cuda.cuStreamQuery(stream)
cuda.cuEventSynchronize(event)
cuda.cuStreamSynchronize(stream)
cuda.cuStreamDestroy_v2(stream)
cuda.cuCtxSynchronize()
class End(ctypes.Structure):
    _fields_ = [("x", c_size_t), ("y", c_size_t), ("type", c_int), ("host", c_void_p), ("device", c_void_p),
                ("array", c_void_p), ("pitch", c_size_t)]
class Rows(ctypes.Structure):
    _fields_ = [("a", End), ("b", End), ("width", c_size_t), ("height", c_size_t)]
rows = Rows(End(type=2, device=numbers), End(type=1, host=pinned), 40, 5)
cuda.cuMemcpy2D_v2(byref(rows))
"""
GRAPH = """
stream, graph, executable = c_void_p(), c_void_p(), c_void_p()
cuda.cuStreamCreate(byref(stream), 0)
cuda.cuStreamBeginCapture_v2(stream, 0)
launch(second, 1, Pair())
cuda.cuMemsetD32Async(allocated(64), 0, c_size_t(16), stream)
cuda.cuStreamEndCapture(stream, byref(graph))
cuda.cuGraphInstantiateWithFlags(byref(executable), graph, ctypes.c_ulonglong(0))
cuda.cuGraphLaunch(executable, stream)
cuda.cuGraphLaunch(None, stream)
"""


@cache
def fake_cuda() -> str:
    """The made-up libraries; the test is skipped where there is no compiler."""
    compiler = shutil.which("g++")
    if compiler is None:
        pytest.skip("g++ is not installed")
    path = ROOT / "build" / "tests" / "libfake_cuda.so"
    path.parent.mkdir(parents=True, exist_ok=True)
    source = ROOT / "tests" / "data" / "recorder" / "fake_cuda.cpp"
    flags = ["-std=c++20", "-shared", "-fPIC", f"-I{ROOT / 'cpp'}"]
    subprocess.run([compiler, *flags, "-o", str(path), str(source), "-ldl"], check=True, capture_output=True)
    return str(path)


@pytest.fixture
def recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Recording]:
    for name in ("FORETELL_CUDA", "FORETELL_CUPTI"):
        monkeypatch.setenv(name, fake_cuda())

    def record(body: str, **options: Any) -> Recording:
        script = tmp_path / "program.py"
        script.write_text(HEAD + body)
        return record_program([sys.executable, str(script)], seconds=60, **options)

    return record


def test_launches_are_recorded_with_what_they_reach(recorded: Callable[..., Recording], tmp_path: Path) -> None:
    recording = recorded(TWO_KERNELS)
    assert (recording.exit_code, recording.launches) == (0, 5)
    path = tmp_path / "program.capture"
    recording.recorder.write(path)
    capture = Capture(path)
    once, larger, pair = capture.index.launches
    assert [(item.kernel, item.grid[0], item.block[0], item.count) for item in (once, larger, pair)] == [
        ("first", 4, 64, 3),
        ("first", 8, 64, 1),
        ("second", 2, 64, 1),
    ]
    assert struct.unpack("<I", capture.blob(once.parameters)[8:12]) == (5,)
    assert once.measured_s == pytest.approx(2.5e-6)
    (numbers,) = once.arrays
    data = capture.array(numbers).data
    assert data is not None
    assert struct.unpack("<3Q", data[:24].tobytes()) == (1, 2, 3)
    # the structure points to a table, which points into the numbers, and to pinned memory; `unused` is not reached
    assert sorted(item.bytes for item in pair.arrays) == [16, 64, 1 << 19]
    # 512 KiB of numbers are two blocks, stored once for all launches
    assert larger.arrays == once.arrays
    assert len({number for item in capture.index.launches for array in item.arrays for number in array.blocks}) == 4


@pytest.mark.parametrize(("contents", "known"), [("none", 0), ("index", 3), ("all", 3)])
def test_contents_are_left_out_as_asked(recorded: Callable[..., Recording], contents: str, known: int) -> None:
    (*_, pair) = recorded(TWO_KERNELS, contents=contents).recorder.launches
    kept = [item for item in pair.arrays if UNKNOWN not in item.blocks]
    if contents == "none":  # the table is not read, so what it points to is not reached
        assert [item.bytes for item in pair.arrays if item.bytes > 64] == []
    assert len(kept) == known
    assert {16, 1 << 19} <= {item.bytes for item in kept} or contents == "none"


@pytest.mark.parametrize(("word", "kept"), [(7, True), (1 << 60, False), (0x3F800000, False)])
def test_of_index_only_indices_and_addresses_are_kept(
    recorded: Callable[..., Recording], word: int, kept: bool
) -> None:
    body = f"numbers = allocated(64, [1])\nlaunch(first, 1, allocated(20, [numbers.value, {word}]), c_int(0))"
    (launch,) = recorded(body, contents="index").recorder.launches
    (table,) = (item for item in launch.arrays if item.bytes == 20)
    assert (UNKNOWN not in table.blocks) == kept


def test_contents_beyond_the_limit_are_left_out_and_named(recorded: Callable[..., Recording]) -> None:
    recording = recorded("launch(first, 1, allocated(1 << 18), c_int(0))", most_bytes=1 << 17)
    (launch,) = recording.recorder.launches
    assert set(launch.arrays[0].blocks) == {UNKNOWN}
    assert "contents beyond the limit were left out" in recording.notes


def test_after_many_variants_memory_is_that_of_earlier_ones(recorded: Callable[..., Recording]) -> None:
    body = """
numbers = allocated(64)
for step in range(40):
    ctypes.memmove(numbers, step.to_bytes(8, "little"), 8)
    launch(first, 1, numbers, c_int(step))
"""
    launches = recorded(body).recorder.launches
    assert len(launches) == 40
    assert len({item.arrays[0].blocks for item in launches}) == 32
    assert launches[39].arrays == launches[31].arrays


def test_equal_launches_that_meet_other_memory_are_kept_apart(recorded: Callable[..., Recording]) -> None:
    """They are looked at again after one, two, four ... of them."""
    body = """
numbers = allocated(64)
for step in range(10):
    ctypes.memmove(numbers, step.to_bytes(8, "little"), 8)
    launch(first, 1, numbers, c_int(5))
"""
    recording = recorded(body)
    assert [item.count for item in recording.recorder.launches] == [1, 1, 2, 4, 2]
    assert [numbers[0] for kind, numbers in steps(recording)] == [0, 1, 2, 2, 3, 3, 3, 3, 4, 4]
    assert [item.count for item in recorded(body, contents="none").recorder.launches] == [10]


def steps(recording: Recording) -> list[tuple[str, tuple[float, ...]]]:
    """What a program did; the host's time, which is another each time, is left out."""
    return [(step.kind, step.numbers) for step in recording.recorder.steps if step.kind != "advance"]


def test_copies_streams_and_events_are_recorded_in_order(recorded: Callable[..., Recording], tmp_path: Path) -> None:
    recording = recorded(AROUND)
    pageable, pinned, device, every = 0, 1, 2, 0xFFFFFFFF
    assert steps(recording) == [
        ("stream", (1, 1)),
        ("copy", (0, pageable, device, 4096, 0)),
        ("copy", (1, pinned, device, 1024, 1)),
        ("launch", (0, 0, 0, 0)),
        ("record", (1, 1)),
        ("wait", (0, 1)),
        ("set", (1, 64)),
        ("set", (0, 30)),
        ("synchronise", (0, 1)),  # the third query
        ("synchronise", (1, 0)),
        ("synchronise", (0, 1)),
        ("synchronise", (1, 0)),
        ("synchronise", (every, 0)),
        ("copy", (0, device, pinned, 200, 0)),
    ]
    path = tmp_path / "a.capture"
    recording.recorder.write(path)
    assert Capture(path).steps == tuple(recording.recorder.steps)


def test_host_time_is_that_between_calls(recorded: Callable[..., Recording]) -> None:
    """A program that computes for a while between two calls; Python's own calls take less."""
    body = """
import time
launch(first, 1, allocated(64), c_int(0))
begin = time.perf_counter()
total = sum(range(300000))
took = time.perf_counter() - begin
launch(first, 2, allocated(64), c_int(0))
print(took)
"""
    advances = [step.numbers[0] for step in recorded(body).recorder.steps if step.kind == "advance"]
    assert all(0 < seconds < 30 for seconds in advances)
    assert max(advances) > 1e-4


def test_a_graph_is_recorded_when_it_is_launched(recorded: Callable[..., Recording]) -> None:
    recording = recorded(GRAPH)
    node = [("launch", (0, 1, 0, 0)), ("copy", (1, 0, 2, 64, 1)), ("set", (1, 32))]
    assert steps(recording) == [("stream", (1, 0)), ("graph", (1,)), *node, *node, ("graph", (0,))]  # and the child
    (launch,) = recording.recorder.launches
    assert (launch.kernel, launch.count, launch.measured_s) == ("first", 2, pytest.approx(2.5e-6))
    assert "a graph was launched that was not seen before: it is missing" in recording.notes


def test_attributes_packed_parameters_and_freed_memory(recorded: Callable[..., Recording]) -> None:
    body = """
gone = allocated(128)
cuda.cuMemFree_v2(gone)
buffer = ctypes.create_string_buffer(gone.value.to_bytes(8, "little") + bytes(4), 12)
size = c_size_t(12)
extra = (c_void_p * 5)(1, ctypes.addressof(buffer), 2, ctypes.addressof(size), None)
class Attribute(ctypes.Structure):
    _fields_ = [("id", c_int), ("padding", c_int), ("values", c_uint * 16)]
class Configuration(ctypes.Structure):
    _fields_ = [("sizes", c_uint * 7), ("stream", c_void_p), ("attributes", c_void_p), ("count", c_uint)]
attributes = (Attribute * 2)(Attribute(4, 0, (c_uint * 16)(2, 1, 1)), Attribute(2, 0, (c_uint * 16)(1)))
how = Configuration((c_uint * 7)(6, 1, 1, 32, 1, 1, 99), None, ctypes.addressof(attributes), 2)
cuda.cuLaunchKernelEx(byref(how), first, None, extra)
"""
    (launch,) = recorded(body).recorder.launches
    assert (launch.grid, launch.block, launch.shared, launch.arrays) == ((6, 1, 1), (32, 1, 1), 99, ())


def test_variables_of_a_cubin_are_asked_for(
    recorded: Callable[..., Recording], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The symbol table of a made-up cubin has an object that the driver knows, and one that it does not."""
    names = b"\0counter\0absent\0"
    symbols = b"".join(struct.pack("<IBBHQQ", at, 1, 0, 1, 0, 8) for at in (1, 9))
    table = struct.pack("<IIQQQQIIQQ", 0, 2, 0, 0, 192, len(symbols), 1, 0, 0, 24)
    strings = struct.pack("<IIQQQQIIQQ", 0, 3, 0, 0, 192 + len(symbols), len(names), 0, 0, 0, 0)
    head = b"\x7fELF".ljust(40, b"\0") + struct.pack("<QIHHHHHH", 64, 0, 64, 0, 0, 64, 2, 0)
    image = tmp_path / "image"
    image.write_bytes(head + table + strings + symbols + names)
    monkeypatch.setenv("IMAGE", str(image))
    (launch,) = recorded("launch(first, 1, c_void_p(), c_int(0))").recorder.launches
    (variable,) = launch.arrays
    assert (variable.name, variable.bytes) == ("variable counter", 8)


def test_what_cannot_be_recorded_is_said(
    recorded: Callable[..., Recording], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InputError, match="launched no kernel"):
        recorded("")
    with pytest.raises(InputError, match="did not use CUDA's driver"):
        record_program([sys.executable, "-c", ""], seconds=60)
    with pytest.raises(InputError, match="there is no program"):
        record_program(["/absent/program"])
    with pytest.raises(InputError, match=r"foretell record -- \./app"):
        record_program([])
    monkeypatch.setenv("FORETELL_CUPTI", "/absent/libcupti.so")
    with pytest.raises(InputError, match="CUPTI is not installed"):
        recorded("launch(first, 1, allocated(64), c_int(0))")


@pytest.mark.parametrize(("code", "status"), [(5, 5), (-9, 137), (-11, 139)])
def test_the_exit_status_is_that_of_a_shell(code: int, status: int) -> None:
    with pytest.raises(SystemExit) as ended:
        exit_as(code)
    assert ended.value.code == status
    exit_as(0)  # goes on


def test_a_program_that_dies_leaves_what_it_did(recorded: Callable[..., Recording]) -> None:
    body = "launch(first, 1, allocated(1 << 21, [3]), c_int(0))\nlaunch(second, 1, Pair())\nos._exit(5)"
    recording = recorded(body)
    assert recording.exit_code == 5
    assert any("did not end in order" in note for note in recording.notes)


def test_a_program_that_is_killed_leaves_what_it_did(recorded: Callable[..., Recording]) -> None:
    """Not even buffers are written: what was recorded is in the file at once."""
    body = """
import signal
numbers = allocated(64, [3])
cuda.cuMemcpyHtoD_v2(numbers, (ctypes.c_char * 64)(), c_size_t(64))
launch(first, 1, numbers, c_int(0))
os.kill(os.getpid(), signal.SIGKILL)
launch(second, 1, Pair())
"""
    recording = recorded(body)
    assert recording.exit_code == -9
    assert [kind for kind, _ in steps(recording)] == ["copy", "launch"]
    assert any("did not end in order" in note for note in recording.notes)


def test_a_child_leaves_the_log_of_its_parent_alone(recorded: Callable[..., Recording]) -> None:
    body = """
import sys
launch(first, 1, allocated(64), c_int(0))
child = os.fork()
if child == 0:
    sys.exit(0)
os.waitpid(child, 0)
launch(first, 2, allocated(64), c_int(0))
"""
    recording = recorded(body)
    assert [item.grid[0] for item in recording.recorder.launches] == [1, 2]
    assert recording.notes == ()


def test_the_command_writes_a_capture(recorded: Callable[..., Recording], tmp_path: Path) -> None:
    script, output = tmp_path / "program.py", tmp_path / "app.capture"
    script.write_text(HEAD + TWO_KERNELS + "import sys; print('said'); sys.exit(4)")
    result = run("record", "-o", str(output), "--", sys.executable, str(script))
    assert result.code == 4
    assert "5 launches of 2 kernels, 3 of them different" in result.err
    assert output.exists()
    assert run("record", "-o", str(tmp_path / "x"), "--", sys.executable, "-c", "").code == 3


def test_a_program_that_runs_too_long_is_ended_and_kept(recorded: Callable[..., Recording], tmp_path: Path) -> None:
    script, output = tmp_path / "program.py", tmp_path / "app.capture"
    script.write_text(HEAD + "launch(first, 1, allocated(64), c_int(0))\nwhile True: os.read(os.pipe()[0], 1)")
    result = run("record", "-o", str(output), "--timeout", "1.5", "--", sys.executable, str(script))
    assert result.code == 1
    assert "what it did until then is recorded" in result.err
    assert len(Capture(output).index.launches) == 1


def test_logs_that_a_killed_command_left_are_not_lost(recorded: Callable[..., Recording], tmp_path: Path) -> None:
    """The command itself is killed while the program runs: its log is beside the capture, and is packed later."""
    script, output = tmp_path / "program.py", tmp_path / "app.capture"
    wait = "print('ready', flush=True)\nwhile True: os.read(os.pipe()[0], 1)"
    script.write_text(HEAD + "launch(first, 1, allocated(64), c_int(0))\n" + wait)
    command = [sys.executable, "-m", "foretell", "record", "-o", str(output), "--", sys.executable, str(script)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.kill()
    logs = Path(f"{output}.logs")
    refused = run("record", "-o", str(output), "--", sys.executable, "-c", "")
    assert refused.code == 3
    assert f"--logs {logs}" in refused.err
    packed = run("record", "--logs", str(logs), "-o", str(output))
    assert packed.code == 0
    assert "did not end in order" in packed.err
    assert len(Capture(output).index.launches) == 1


def test_launches_of_several_processes_have_no_timeline(recorded: Callable[..., Recording]) -> None:
    body = """
launch(first, 1, allocated(64), c_int(0))
if "CHILD" not in os.environ:
    import subprocess, sys
    subprocess.run([sys.executable, __file__], env={**os.environ, "CHILD": "1"}, check=True)
"""
    recording = recorded(body)
    assert (recording.launches, recording.recorder.steps) == (2, [])
    assert any("2 processes launched kernels" in note for note in recording.notes)


def test_logs_with_wrong_bytes_give_a_capture_or_a_refusal(
    recorded: Callable[..., Recording], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cut off, or with bytes changed, at places that a seed draws."""
    folder = tmp_path / "kept"
    folder.mkdir()
    monkeypatch.setenv("CUDA_INJECTION64_PATH", str(library()))
    monkeypatch.setenv("FORETELL_RECORD", str(folder))
    script = tmp_path / "program.py"
    script.write_text(HEAD + AROUND + GRAPH)
    subprocess.run([sys.executable, str(script)], check=True)
    (whole,) = (path.read_bytes() for path in folder.glob("*.launches"))
    draw, packed = random.Random(28), 0
    for number in range(300):
        data = bytearray(whole if number % 4 else whole[: draw.randrange(len(whole))])
        for _ in range(draw.choice((0, 1, 1, 4))):
            data[draw.randrange(len(data))] = draw.choice((0, 1, 255, draw.randrange(256)))
        with contextlib.suppress(InputError):
            pack([logged(tmp_path, bytes(data))], "all", 1 << 20).recorder.write(tmp_path / "a.capture")
            packed += 1
    assert 0 < packed < 300
