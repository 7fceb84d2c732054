"""Whole programs against the stand-in library: Python programs that call CUDA, with a kernel of a listing."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np
import pytest

import foretell
from foretell import machines
from foretell.characterize.gpu.complete_record import PageFaults
from foretell.core.gpu.image import Bytes, DeviceImage, Variable
from foretell.errors import InputError, MachineError
from foretell.frontends.gpu.workload import read_kernel
from foretell.report import csv, html, text
from foretell.report import json as json_report
from foretell.report.sections.program_run import trace
from foretell.uses.program_run import modules, session, what_if
from foretell.uses.program_run.devices import shadow_machines
from foretell.uses.program_run.memory.device_memory import BASE, MANAGED, DeviceMemory
from foretell.uses.program_run.recording import Recorder
from foretell.uses.program_run.run import Streams, run_program
from tests.support.cli import run as cli

if TYPE_CHECKING:
    from foretell.core.answers.program_run import ProgramRun

LISTING = Path(machines.__file__).parents[1] / "uses" / "recorded" / "gpu" / "triad_f32.sass.xz"
#: a program that is Python: the driver's and the runtime's functions are called by name
HEAD = """
import ctypes, sys
from ctypes import byref, c_double, c_float, c_int, c_size_t, c_uint, c_void_p
cuda, runtime = ctypes.CDLL("libcuda.so.1"), ctypes.CDLL("libcudart.so.13")
def check(error, wanted=0):
    assert error == wanted, error
def allocated(size):
    address = c_void_p()
    check(cuda.cuMemAlloc_v2(byref(address), c_size_t(size)))
    return address
module, kernel = c_void_p(), c_void_p()
check(cuda.cuInit(0))
check(cuda.cuModuleLoadData(byref(module), b"\\x7fELF" + bytes(96)))
check(cuda.cuModuleGetFunction(byref(kernel), module, b"triad_f32"))
def launch(grid, block, *arguments, wanted=0, shared=0):
    pointers = (c_void_p * len(arguments))(*(ctypes.cast(byref(item), c_void_p) for item in arguments))
    check(cuda.cuLaunchKernel(kernel, grid, 1, 1, block, 1, 1, shared, None, pointers, None), wanted)
"""
TRIAD = """
n = 1 << 12
data = (c_float * n)(*range(n))
x, y, z = (allocated(4 * n) for _ in range(3))
check(cuda.cuMemcpyHtoD_v2(x, data, c_size_t(4 * n)))
check(cuda.cuMemcpyHtoD_v2(y, data, c_size_t(4 * n)))
first, last, ms = c_void_p(), c_void_p(), c_float()
check(runtime.cudaEventCreate(byref(first)))
check(runtime.cudaEventCreate(byref(last)))
check(runtime.cudaEventRecord(first, None))
for _ in range(3):
    launch(n // 256, 256, x, y, z, c_float(2), c_int(n))
check(runtime.cudaEventRecord(last, None))
check(runtime.cudaDeviceSynchronize())
check(runtime.cudaEventElapsedTime(byref(ms), first, last))
check(cuda.cuMemcpyDtoH_v2(data, z, c_size_t(4 * n)))
assert all(data[i] == 3 * i for i in range(n))
assert 0.001 < ms.value < 1000
check(runtime.cudaMemset(x, 0, c_size_t(4 * n)))
check(cuda.cuMemFree_v2(x))
"""


class FakeModule:
    """A module with the kernel of a listing, a variable and a constant."""

    globals_address = constants_address = 0

    def __init__(self, data: bytes) -> None:
        self.data = data
        kernel = read_kernel(LISTING)
        variables = {"counter": Variable("global", 4, 4), "table": Variable("constant", 0, 8)}
        image = DeviceImage(90, Bytes(b"\1\0\0\0\2\0\0\0"), variables, {3: Bytes(b"ABCDEFGH")}, {})
        self._code = SimpleNamespace(
            has_heap=False,
            cubin=data,
            arch=90,
            note="made up",
            image=image,
            names=[kernel.name],
            kernel=lambda _: kernel,
        )

    def code(self, _: int) -> SimpleNamespace:
        return self._code


def ran(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str, *names: str, recorder: Recorder | None = None
) -> ProgramRun:
    monkeypatch.setattr(modules, "Module", FakeModule)
    script = tmp_path / "program.py"
    script.write_text(HEAD + body)
    chosen = [machines.load(name) for name in names or ("h200",)]
    return run_program([sys.executable, str(script)], chosen, seconds=120, recorder=recorder)


def test_a_program_computes_and_is_predicted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = Recorder("all", 1 << 24)
    answer = ran(tmp_path, monkeypatch, TRIAD, "h200", "a100", recorder=recorder)
    assert answer.exit_code == 0
    assert answer.faults == ()
    assert answer.launches == 3
    for device in answer.devices:
        (kernel,) = device.kernels
        assert (kernel.kernel, kernel.launches, kernel.share) == ("triad_f32", 3, 1.0)
        assert kernel.interval_s[0] <= kernel.time_s <= kernel.interval_s[1]
        assert kernel.instructions == 3 * 128 * 21  # 128 warps; 21 instructions up to the end
        assert {row.direction: row.count for row in device.copies} == {
            "host to device, pageable": 2,
            "device to host, pageable": 1,
            "set": 1,
        }
        assert device.kernels_s <= device.busy_s <= device.total_s
    assert answer.devices[0].kernels[0].time_s < answer.devices[1].kernels[0].time_s
    assert [(item.count, item.grid) for item in recorder.launches] == [(3, (16, 1, 1))]


def test_the_forms_of_the_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = ran(tmp_path, monkeypatch, TRIAD)
    shown = str(answer)
    assert "triad_f32" in shown
    assert "GPU busy" in shown
    assert "made up" in shown
    document = json.loads(json_report.dumps(json_report.program_run(answer)))
    assert document["launches"] == 3
    page = html.page("program_run", answer)
    assert "triad_f32" in page
    assert page.count('class="interval"') == len(answer.devices[0].timeline)
    assert csv.program_run(answer)[0]["launches"] == 3
    assert text.render(text.program_run(answer), color=False) == shown
    events = json.loads(trace(answer))["traceEvents"]
    kernels = [event for event in events if event.get("cat") == "kernel"]
    assert [event["args"]["grid"] for event in kernels] == ["16x1x1"] * 3
    assert all(event["dur"] > 0 for event in kernels)
    assert "ProgramRun" in repr(answer)


def test_why_of_a_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(modules, "Module", FakeModule)
    # on a loaded machine the host takes so long that all other gains are below what is named
    monkeypatch.setattr(what_if, "_NOTICED", 1.0)
    script = tmp_path / "program.py"
    script.write_text(HEAD + TRIAD)
    answer = foretell.run([sys.executable, str(script)], ["h200", "a100"], why=True, seconds=120)
    assert [device.machine for device in answer.devices] == ["h200", "a100"]  # those with other numbers are not shown
    for device in answer.devices:
        assert sum(part.time_s for part in device.critical_path) == pytest.approx(device.total_s)
        assert {"copies from pinned memory", "launches fused"} & {item.change for item in device.changes}
        assert all(item.before_s == device.total_s and item.time_s < item.before_s for item in device.changes)
    shown = str(answer)
    assert "critical path" in shown
    assert "at most" in shown
    assert "fastest: " in shown
    document = json.loads(json_report.dumps(json_report.program_run(answer)))
    assert document["devices"][0]["changes"][0]["gain"] > 1
    assert "what changes would bring" in html.page("program_run", answer)


def test_a_machine_with_more_of_something() -> None:
    machine = machines.load("h200")
    more = shadow_machines(machine)
    assert more["twice the multiprocessors"].value("cores.count") == 2 * machine.value("cores.count")
    assert more["memory of twice the bandwidth"].value("memory.bandwidth") == 2 * machine.value("memory.bandwidth")


def test_why_ptx_cannot_be_compiled_is_in_the_log_of_the_program(tmp_path: Path) -> None:
    program = tmp_path / "log.py"
    program.write_text("""
import ctypes
from ctypes import byref, c_int, c_void_p
cuda = ctypes.CDLL("libcuda.so.1")
module, log, options = c_void_p(), ctypes.create_string_buffer(64), (c_int * 2)(5, 6)
values = (c_void_p * 2)(ctypes.addressof(log), 64)
assert cuda.cuModuleLoadDataEx(byref(module), b".version 8.0 nonsense", 2, options, values) == 218
assert log.value.startswith(b"PTX of the program cannot be compiled"), log.value
assert values[1] == 64
""")
    result = cli("run", "--on", "h200", "--", sys.executable, str(program))
    assert result.code == 0, result.err


def test_variables_attributes_and_errors_are_those_of_cuda(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    body = """
    address, size, blocks, value = c_void_p(), c_size_t(), c_int(), c_int()
    check(cuda.cuModuleGetGlobal_v2(byref(address), byref(size), module, b"counter"))
    assert size.value == 4
    check(cuda.cuMemcpyDtoH_v2(byref(value), address, c_size_t(4)))
    assert value.value == 2
    letters = ctypes.create_string_buffer(8)
    check(cuda.cuModuleGetGlobal_v2(byref(address), byref(size), module, b"table"))
    check(cuda.cuMemcpyDtoH_v2(letters, address, c_size_t(8)))
    assert letters.raw == b"ABCDEFGH"
    check(cuda.cuModuleGetGlobal_v2(byref(address), byref(size), module, b"absent"), 500)
    check(cuda.cuModuleGetFunction(byref(address), module, b"absent"), 500)
    count = ctypes.c_uint()
    check(cuda.cuModuleGetFunctionCount(byref(count), module))
    kernels, name = (c_void_p * count.value)(), ctypes.c_char_p()
    check(cuda.cuModuleEnumerateFunctions(kernels, count, module))
    names = []
    for one in kernels:
        check(cuda.cuFuncGetName(byref(name), c_void_p(one)))
        names.append(name.value)
    assert b"triad_f32" in names
    check(cuda.cuOccupancyMaxActiveBlocksPerMultiprocessor(byref(blocks), kernel, 256, c_size_t(0)))
    assert blocks.value == 8
    check(runtime.cudaDeviceGetAttribute(byref(value), 16, 0))
    assert value.value == 132
    nothing, zero = c_void_p(), c_int(0)
    arguments = (nothing, nothing, nothing, c_float(0), zero)
    launch(0, 256, *arguments, wanted=1)
    launch(1, 2048, *arguments, wanted=1)
    launch(1, 256, *arguments, shared=100000, wanted=1)
    check(cuda.cuFuncSetAttribute(kernel, 8, 100000))
    launch(1, 256, *arguments, shared=100000)
    launch(1, 64, *arguments)
    check(runtime.cudaMemcpy(byref(value), byref(zero), c_size_t(4), 1), 1)
    check(runtime.cudaGetLastError(), 1)
    check(runtime.cudaGetLastError(), 0)
    stream = c_void_p()
    check(runtime.cudaStreamCreate(byref(stream)))
    check(runtime.cudaStreamWaitEvent(stream, None, 0), 400)
    check(runtime.cudaStreamSynchronize(stream))
    huge = c_void_p()
    check(runtime.cudaMalloc(byref(huge), c_size_t(1 << 40)), 2)
    sys.exit(9)
    """
    answer = ran(tmp_path, monkeypatch, "\n".join(line[4:] for line in body.splitlines()))
    assert answer.exit_code == 9
    (fault,) = answer.faults
    assert "cudaMalloc of 1048576.0 MiB failed: h200 has 141 GB" in fault


def test_a_wrong_access_is_an_error_of_the_next_call_that_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = """
small, other = allocated(1024), allocated(1 << 16)
launch(8, 256, other, other, small, c_float(1), c_int(2048))
check(runtime.cudaGetLastError(), 0)
check(runtime.cudaDeviceSynchronize(), 700)
check(runtime.cudaMalloc(byref(c_void_p()), c_size_t(4)), 700)
"""
    answer = ran(tmp_path, monkeypatch, body)
    assert answer.exit_code == 0
    (fault,) = answer.faults
    assert "out of bounds: global write of 4 bytes" in fault
    assert "1 byte after allocation 3 of 1024 bytes" in fault


@pytest.mark.parametrize(
    ("argument", "words"),
    [
        ("freed", "allocation 3 was there, and was freed"),
        ("c_void_p(8)", "at 0x8, which is a null pointer and 8 bytes"),
        ("c_void_p(0x7fff00000000)", "a pointer of the host?"),
        ("c_void_p(1 << 46)", "far from all memory of the program"),
    ],
)
def test_a_wrong_address_is_explained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, argument: str, words: str
) -> None:
    body = f"""
freed, other = allocated(1 << 16), allocated(1 << 16)
check(runtime.cudaFree(freed))
launch(8, 256, other, other, {argument}, c_float(1), c_int(2048))
check(runtime.cudaDeviceSynchronize(), 700)
"""
    (fault,) = ran(tmp_path, monkeypatch, body).faults
    assert words in fault


def test_graphs_keep_blocks_of_memory_until_they_are_trimmed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As an H200 does (validation/h200/mini-programs, footprints)."""
    body = """
def kept(attribute):
    value = ctypes.c_uint64(1)
    check(runtime.cudaDeviceGetGraphMemAttribute(0, attribute, byref(value)))
    return value.value
stream, graph, run, memory = c_void_p(), c_void_p(), c_void_p(), c_void_p()
check(runtime.cudaStreamCreate(byref(stream)))
check(runtime.cudaStreamBeginCapture(stream, 0))
check(runtime.cudaMallocAsync(byref(memory), c_size_t(40 << 20), stream))
check(runtime.cudaFreeAsync(memory, stream))
check(runtime.cudaStreamEndCapture(stream, byref(graph)))
check(runtime.cudaGraphInstantiate(byref(run), graph, ctypes.c_ulonglong(0)))
assert [kept(attribute) for attribute in range(4)] == [0] * 4
for _ in range(2):
    check(runtime.cudaGraphLaunch(run, stream))
assert [kept(attribute) for attribute in range(4)] == [64 << 20] * 4
check(runtime.cudaDeviceGraphMemTrim(0))
assert [kept(attribute) for attribute in range(4)] == [0, 64 << 20] * 2
zero = ctypes.c_uint64(0)
check(runtime.cudaDeviceSetGraphMemAttribute(0, 1, byref(zero)))
assert kept(1) == 0
check(runtime.cudaDeviceSetGraphMemAttribute(0, 0, byref(zero)), 1)
check(runtime.cudaDeviceGetGraphMemAttribute(0, 4, byref(zero)), 1)
"""
    assert ran(tmp_path, monkeypatch, body).exit_code == 0


def test_graphs_run_what_was_captured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    body = """
x = allocated(4096)
stream, graph, run, count = c_void_p(), c_void_p(), c_void_p(), c_size_t()
check(runtime.cudaStreamCreate(byref(stream)))
check(runtime.cudaStreamBeginCapture(stream, 0))
check(runtime.cudaMemsetAsync(x, 7, c_size_t(4096), stream))
check(runtime.cudaStreamSynchronize(stream), 900)
check(runtime.cudaStreamEndCapture(stream, byref(graph)))
check(runtime.cudaGraphGetNodes(graph, None, byref(count)))
assert count.value == 1
check(runtime.cudaGraphInstantiate(byref(run), graph, ctypes.c_ulonglong(0)))
got = ctypes.create_string_buffer(4096)
check(runtime.cudaMemcpy(got, x, c_size_t(4096), 2))
assert got.raw == bytes(4096)
for _ in range(2):
    check(runtime.cudaGraphLaunch(run, stream))
check(runtime.cudaMemcpy(got, x, c_size_t(4096), 2))
assert got.raw == b"\\7" * 4096
"""
    answer = ran(tmp_path, monkeypatch, body)
    assert answer.exit_code == 0
    assert [item.kind for item in answer.operations] == ["copy", "set", "set", "copy"]


def test_a_function_that_is_not_here_ends_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="calls cudaMallocMipmappedArray, which") as caught:
        ran(tmp_path, monkeypatch, "runtime.cudaMallocMipmappedArray(None, None, None, None)\n")
    assert caught.value.exit_code == 3


def test_clusters_that_a_grid_is_not_made_of() -> None:
    assert session.cluster_problem((8, 4, 1), (4, 2, 1)) == 0
    assert session.cluster_problem((8, 4, 1), (3, 1, 1)) == 912  # cudaErrorInvalidClusterSize
    assert session.cluster_problem((32, 1, 1), (32, 1, 1)) == 912
    assert session.cluster_problem((8, 4, 1), (0, 1, 1)) == 912


def test_a_program_without_cuda_and_one_that_does_not_exist(tmp_path: Path) -> None:
    machine = machines.load("h200")
    answer = run_program([sys.executable, "-c", "print(1)"], [machine], streams=Streams(), seconds=60)
    assert (answer.exit_code, answer.launches) == (0, 0)
    assert "no kernel was launched" in str(answer)
    for command in ([], [str(tmp_path / "absent")]):
        with pytest.raises(InputError, match="no program"):
            run_program(command, [machine])
    for name in ("mi300x", "zen4"):
        with pytest.raises(MachineError, match="not an NVIDIA GPU"):
            run_program(["true"], [machines.load(name)])


def test_managed_memory_that_structures_point_to_migrates() -> None:
    """A structure, which points to another one and to an array; what the launch left there does not migrate again."""
    memory = DeviceMemory(1 << 20)
    first, second, array, other = (BASE + place for place in (0, 4096, 65536, 131072))
    for address, size in ((first, 24), (second, 16), (array, 8000), (other, 8000)):
        memory.allocate(address, size, MANAGED)
    memory.view(first, 24)[:] = np.array([second, 7, first], np.uint64).view(np.uint8)
    memory.view(second, 16)[:] = np.array([array + 80, 1], np.uint64).view(np.uint8)
    parameters = np.array([first, 3], np.uint64).tobytes()
    pages = memory.managed_pages(parameters)
    assert pages is not None
    assert pages.states[:3].tolist() == [pages.AWAY, pages.AWAY, pages.HERE]  # the fourth allocation is not reached
    pages.states[0] = pages.FETCHED  # the launch uses the structures alone
    assert memory.launched(parameters, 2) == PageFaults(1, 1, 2)
    pages = memory.managed_pages(parameters)
    assert pages is not None
    assert pages.states[:3].tolist() == [pages.HERE, pages.AWAY, pages.HERE]
    pages.states[1] = pages.FETCHED
    assert memory.launched(parameters, 1) == PageFaults(1, 1, 1)
    assert memory.managed_pages(parameters) is None
    assert memory.launched(parameters, 0) is None
    memory.view(array, 1)[:] = 9
    pages = memory.managed_pages(parameters)
    assert pages is not None
    assert pages.states[:3].tolist() == [pages.HERE, pages.AWAY, pages.HERE]
    memory.prefetched(array, 8000)
    assert memory.managed_pages(parameters) is None
    memory.release(array)
    memory.allocate(array, 8000, MANAGED)
    assert memory.managed_pages(parameters) is not None  # another one, which nobody has used


def test_large_allocations_begin_with_a_large_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As those of the driver do, whatever was allocated before; small ones lie close together."""
    body = """
small, large, next_one = c_void_p(), c_void_p(), c_void_p()
for address, size in ((small, 300), (large, 3 << 20), (next_one, 300)):
    check(runtime.cudaMalloc(byref(address), c_size_t(size)))
assert large.value % (2 << 20) == 0
assert small.value % 512 == 0
assert next_one.value - small.value < 4096
"""
    assert ran(tmp_path, monkeypatch, body).exit_code == 0


def test_memory_is_where_both_see_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    body = """
managed, later, pinned = c_void_p(), c_void_p(), c_void_p()
check(runtime.cudaMallocManaged(byref(managed), c_size_t(1 << 20), 1))
check(runtime.cudaMallocManaged(byref(later), c_size_t(1 << 20), 1))
check(runtime.cudaMallocHost(byref(pinned), c_size_t(64)))
ctypes.memset(managed, 5, 64)
ctypes.memset(later, 5, 64)
check(runtime.cudaMemcpy(pinned, managed, c_size_t(64), 4))
assert ctypes.string_at(pinned, 64) == b"\\5" * 64
for _ in range(2):
    launch(1, 64, managed, managed, managed, c_float(0), c_int(4))
launch(1, 64, later, later, later, c_float(0), c_int(4))
launch(1, 64, pinned, pinned, pinned, c_float(0), c_int(4))
check(runtime.cudaFreeHost(pinned))
check(runtime.cudaFree(managed))
check(runtime.cudaFree(managed), 1)
"""
    answer = ran(tmp_path, monkeypatch, body)
    assert answer.exit_code == 0
    assert any("managed" in note for note in answer.devices[0].assumptions)
    spans = [span for span in answer.devices[0].timeline if answer.operations[span.operation].kind == "kernel"]
    first, second, third = (span.end_s - span.start_s for span in spans[:3])
    assert any("memory of the host" in note for note in answer.devices[0].assumptions)
    migration = 80e-6  # of a page that the host wrote: the first meets it, and the first that gets the other
    assert np.allclose([first - second, third - second], migration, rtol=0.05)


def test_managed_memory_that_is_prefetched_does_not_migrate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    body = """
managed = c_void_p()
for prefetched in (1 << 20, 0, 1 << 19):
    check(runtime.cudaMallocManaged(byref(managed), c_size_t(1 << 20), 1))  # at the address of the one before
    ctypes.memset(managed, 5, 64)
    if prefetched:
        check(runtime.cudaMemPrefetchAsync(managed, c_size_t(prefetched), ctypes.c_uint64(1), 0, c_void_p()))
    launch(1, 64, managed, managed, managed, c_float(0), c_int(4))
    check(runtime.cudaFree(managed))
"""
    answer = ran(tmp_path, monkeypatch, body)
    spans = {
        span.operation: span.end_s - span.start_s
        for span in answer.devices[0].timeline
        if answer.operations[span.operation].kind in ("kernel", "copy")
    }
    assert [answer.operations[number].kind for number in spans] == ["copy", "kernel", "kernel", "copy", "kernel"]
    whole, first, second, half, third = spans.values()
    bandwidth = 0.855 * 0.86 * machines.load("h200").value("link.bandwidth")
    assert np.allclose([whole, half], [64e-6 + (1 << 20) / bandwidth, 64e-6 + (1 << 19) / bandwidth])
    assert np.isclose(second - first, 80e-6, rtol=0.05)
    assert np.isclose(third, first, rtol=0.05)  # the part that the launch uses was prefetched


@pytest.mark.parametrize("status", [0, 3])
def test_a_page_of_a_program(tmp_path: Path, status: int) -> None:
    """Words behind -- are the program's, also -o; its status does not keep the page from being written."""
    page, other = tmp_path / "page.html", tmp_path / "other"
    program = f"import sys; assert sys.argv[1:] == ['-o', {str(other)!r}], sys.argv; sys.exit({status})"
    command = ("run", "--on", "h200", "-o", str(page), "--", sys.executable, "-c", program, "-o", str(other))
    result = cli("report", *command)
    assert result.code == 0, result.err
    assert "h200" in page.read_text(encoding="utf-8")
    assert not other.exists()
