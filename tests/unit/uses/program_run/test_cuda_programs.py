"""Programs built by nvcc, with both kinds of runtime, through the command line."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from functools import cache
from importlib import resources
from pathlib import Path

import pytest

from foretell.frontends.gpu.capture import Capture
from tests.support.cli import run

ROOT = Path(__file__).parents[4]
PROGRAMS = ROOT / "validation" / "h200" / "programs"
SUITES = ROOT / "validation" / "h200" / "suite-programs"
SAMPLES = ROOT / "validation" / "h200" / "sample-programs"
#: programs that only the tests need
OWN = ROOT / "tests" / "data" / "programs"
#: has the driver's functions, where no driver is installed
STANDIN = resources.files("foretell") / "standin"


@cache
def built(name: str, kind: str = "static", arch: str = "-arch=sm_90", *more: str) -> Path:
    """A program of validation/h200 or of the tests, of one file and `more`; skipped where there is no nvcc."""
    nvcc = shutil.which("nvcc")
    if nvcc is None:
        pytest.skip("nvcc is not installed")
    folder = ROOT / "build" / "programs"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / re.sub(r"\W", "-", f"{name}-{kind}{arch}")
    folder = next(item for item in (OWN, SUITES, SAMPLES, PROGRAMS) if (item / f"{name}.cu").exists())
    sources = [folder / f"{item}.cu" for item in (name, *more)]
    if not path.exists() or path.stat().st_mtime < max(source.stat().st_mtime for source in sources):
        flags = ["-cudart", kind, *arch.split(), "-std=c++17", "-lineinfo"]
        subprocess.run([nvcc, *flags, "-o", str(path), *map(str, sources)], check=True, capture_output=True)
    return path


@pytest.mark.parametrize("kind", ["static", "shared"])
def test_a_program_runs_with_either_runtime(kind: str) -> None:
    """In a process of its own: what the kernel prints comes between the program's words and the answer."""
    command = [sys.executable, "-m", "foretell", "run", "--on", "h200", "--format", "json", "--"]
    done = subprocess.run([*command, str(built("device_printf", kind))], check=True, capture_output=True, text=True)
    (device,) = json.loads(done.stdout)["devices"]
    (row,) = device["kernels"]
    assert (row["kernel"], row["launches"], row["bound_by"]) == ("speak", 1, "printf")
    assert 20e-6 < row["time_s"] < 31e-6
    printed = [line for line in done.stderr.splitlines() if line.startswith("block")]
    values = ("1.5", "20", "30")
    assert printed == [f"block {b} thread {t}: {value}" for b in range(2) for t, value in enumerate(values)]


def test_a_default_stream_for_each_thread() -> None:
    program = built("struct_pointers", "static", "-arch=sm_90 --default-stream=per-thread")
    result = run("run", "--on", "h200", "--why", "--format", "json", "--", str(program))
    assert result.code == 0, result.err
    document = json.loads(result.out)
    assert {item["stream"] for item in document["operations"]} == {2}
    assert document["devices"][0]["changes"]


def test_nodes_of_a_graph_run_in_their_order() -> None:
    result = run("run", "--on", "h200", "--format", "json", "--", str(built("graph_nodes")))
    assert result.code == 0, result.err  # the program checks its own result
    kinds = [item["kind"] for item in json.loads(result.out)["operations"]]
    assert kinds == ["set", "kernel", "kernel", "copy"] * 5


@pytest.mark.parametrize(
    ("name", "kind", "options"),
    [
        ("device_heap", "static", ""),
        ("device_new", "static", ""),
        ("error_paths", "static", ""),
        ("graph_loop", "static", ""),
        ("graphs_added", "shared", ""),
        ("tensor_samples", "static", ""),
        ("graph_changes", "shared", ""),
        ("halves", "static", ""),
        ("host_calls", "static", ""),
        ("host_calls", "shared", " --default-stream=per-thread"),
        ("virtual_memory", "static", f" -L{STANDIN} -lforetell_cuda"),
        ("volume_textures", "static", ""),
        ("driver_shapes", "static", f" -L{STANDIN} -lforetell_cuda"),
        ("contexts", "shared", f" -L{STANDIN} -lforetell_cuda"),
        ("borders", "static", ""),
        ("sync_in_branch", "static", ""),
        ("dynamic_size", "static", ""),
    ],
)
def test_a_program_that_checks_its_own_result(name: str, kind: str, options: str) -> None:
    result = run("run", "--on", "h200", "--", str(built(name, kind, "-arch=sm_90" + options)))
    assert result.code == 0, result.out + result.err


def test_calls_of_malloc_take_time(tmp_path: Path) -> None:
    """Between the longest series of one warp and all calls one after the other; a capture knows it, too."""
    capture = str(tmp_path / "heap.capture")
    result = run("run", "--on", "h200", "--format", "json", "--record", capture, "--", str(built("device_heap")))
    assert result.code == 0, result.err
    (device,) = json.loads(result.out)["devices"]
    row = next(item for item in device["kernels"] if item["kernel"] == "make")
    assert row["bound_by"] == "malloc"
    assert 9e-6 < row["time_s"] < row["interval_s"][1]
    again = run("predict", capture, "--on", "h200", "--format", "json")
    assert again.code == 0, again.err
    (other,) = json.loads(again.out)["devices"]
    assert next(item["bound_by"] for item in other["kernels"] if item["kernel"] == "make") == "malloc"


def test_functions_beside_a_kernel_are_followed_and_timed() -> None:
    """By name, by addresses from a table, and recursive ones; and surfaces with layers."""
    result = run("run", "--on", "h200", "--format", "json", "--", str(built("calls_and_layers")))
    assert result.code == 0, result.err  # the program checks its own result
    (device,) = json.loads(result.out)["devices"]
    assert not any("functions called by addresses" in note for note in device["assumptions"])


def test_the_time_of_a_recursion_is_that_of_all_its_calls() -> None:
    """Each takes at least a call and a return (two jumps of some 20 cycles), and at most some accesses to its stack."""
    times = []
    for depth in ("5", "205"):
        result = run("run", "--on", "h200", "--format", "json", "--", str(built("calls_and_layers")), depth)
        assert result.code == 0, result.err
        rows = json.loads(result.out)["devices"][0]["kernels"]
        times.append(next(row["time_s"] for row in rows if row["kernel"].startswith("by_address")))
    clock = 1.98e9
    assert 40 * 200 / clock < times[1] - times[0] < 400 * 200 / clock


#: kernel -> seconds on an H200 (validation/h200/sample-programs, managed.csv, with stride and order of its rows)
FAULTS = {"large_pages": 496e-6, "one_by_one": 1018e-6, "dense": 1477e-6}


def test_faults_on_managed_memory_take_what_they_took_on_an_h200(tmp_path: Path) -> None:
    """By large pages, pages, and in turn; memory that is there takes nothing. A capture has the same."""
    capture = str(tmp_path / "faults.capture")
    result = run("run", "--on", "h200", "--format", "json", "--record", capture, "--", str(built("page_faults")))
    assert result.code == 0, result.err
    (device,) = json.loads(result.out)["devices"]
    rows = {row["kernel"]: row for row in device["kernels"]}
    for kernel, measured in FAULTS.items():
        assert rows[kernel]["bound_by"] == "migration"
        assert measured / 1.5 < rows[kernel]["time_s"] < 1.5 * measured, (kernel, rows[kernel]["time_s"])
        low, high = rows[kernel]["interval_s"]
        assert low < measured < high
    assert rows["dense_again"]["time_s"] < 20e-6
    assert any("pages of managed memory" in note for note in device["assumptions"])
    again = run("predict", capture, "--on", "h200", "--format", "json")
    assert again.code == 0, again.err
    (other,) = json.loads(again.out)["devices"]
    times = {row["kernel"]: row["time_s"] for row in other["kernels"]}
    assert times == pytest.approx({kernel: row["time_s"] for kernel, row in rows.items()}, rel=1e-6)
    # pages, large pages, faults in turn: the driver prefetches 26 of the 32 pages of a large one
    faults = [step.numbers[-3:] for step in Capture(Path(capture)).steps if step.kind == "beyond"]
    assert faults[:2] == [(16, 16, 1), (128, 4, 4 * 6)]
    assert faults[2][:2] == (128, 4)
    assert len(faults) == 3


#: kernel -> seconds on an H200, and the factor within which they are (validation/h200/more-programs: clocks.csv and
#: link_reads.csv, which have the same loops)
BEYOND = {
    "waits": (507e-6, 1.05),
    "waits_for_timer": (202e-6, 1.05),
    "sleeps": (152e-6, 1.4),
    "measures": (15e-6, 4.0),
    "adds": (105e-6, 1.2),
    "follows": (577e-6, 1.2),
    "counts": (1.13e-3, 1.2),
}


def test_what_takes_time_beyond_the_instructions(tmp_path: Path) -> None:
    """Waits for clocks and memory of the host; a capture knows them, too."""
    program, capture = str(built("beyond_the_model")), tmp_path / "beyond.capture"
    result = run("run", "--on", "h200", "--format", "json", "--record", str(capture), "--", program)
    assert result.code == 0, result.err  # the program checks its own result
    (device,) = json.loads(result.out)["devices"]
    for row in device["kernels"]:
        expected, factor = BEYOND[row["kernel"]]
        assert expected / factor < row["time_s"] < expected * factor, row["kernel"]
    again = run("predict", str(capture), "--on", "h200", "--format", "json")
    assert again.code == 0, again.err
    (other,) = json.loads(again.out)["devices"]
    times = {row["kernel"]: row["time_s"] for row in device["kernels"]}
    assert {row["kernel"]: row["time_s"] for row in other["kernels"]} == pytest.approx(times, rel=0.01)


def test_separate_compilation() -> None:
    program = built("linked", "static", "-arch=sm_90 -rdc=true", "linked_functions")
    result = run("run", "--on", "h200,a100", "--format", "json", "--", str(program))
    assert result.code == 0, result.err  # the program checks its own result
    assert json.loads(result.out)["faults"] == []
    described = run("describe", str(program))
    assert described.code == 0, described.err
    assert described.out.startswith("use(double*, int), sm_90")


def test_virtual_functions_of_another_file() -> None:
    """Tables of functions in global memory; objects that one kernel makes and others call, at the same addresses."""
    program = built("virtual_shapes", "static", "-arch=sm_90 -rdc=true", "virtual_shapes_more")
    result = run("run", "--on", "h200", "--format", "json", "--", str(program))
    assert result.code == 0, result.err  # the program checks its own result
    assert json.loads(result.out)["faults"] == []


@pytest.mark.parametrize("stripped", [False, True], ids=["with symbols", "stripped"])
def test_a_runtime_within_a_program(stripped: bool, tmp_path: Path) -> None:
    """The functions of a runtime without symbols are known by the names that they tell tools."""
    program = tmp_path / "program"
    shutil.copy(built("struct_pointers"), program)
    if stripped:
        subprocess.run(["strip", "--strip-all", str(program)], check=True)
    result = run("run", "--on", "h200", "--format", "json", "--", str(program))
    assert result.code == 0, result.err  # the program checks its own result
    assert json.loads(result.out)["devices"][0]["kernels"]


@pytest.mark.parametrize("stripped", [False, True], ids=["with symbols", "stripped"])
def test_a_runtime_within_a_library_that_a_program_loads(stripped: bool, tmp_path: Path) -> None:
    """As packages for Python have it: kernels are registered by constructors, which run while the library is loaded."""
    library = tmp_path / "library.so"
    shutil.copy(built("from_libraries", "static", "-arch=sm_90 -shared -Xcompiler=-fPIC"), library)
    if stripped:
        subprocess.run(["strip", "--strip-all", str(library)], check=True)
    script = (
        f"import ctypes; library = ctypes.CDLL({str(library)!r}); values = (ctypes.c_int * 300)(*range(300)); "
        "assert library.sum(values, 300, 5) == 5 * 300 * 299 // 2 + 3 * 300"
    )
    result = run("run", "--on", "h200", "--format", "json", "--", "python3", "-c", script)
    assert result.code == 0, result.err
    (row,) = json.loads(result.out)["devices"][0]["kernels"]
    assert (row["kernel"], row["launches"]) == ("add", 1)


#: what programs ask for by name and version, in CUDA 11 to 13
VERSIONS = """
import ctypes
from ctypes import byref, c_char_p, c_int, c_size_t, c_uint, c_void_p

cuda, runtime = ctypes.CDLL("libcuda.so.1"), ctypes.CDLL("libcudart.so.12")

def entry(name, version):
    found, status = c_void_p(), c_int()
    error = cuda.cuGetProcAddress_v2(c_char_p(name.encode()), byref(found), version, ctypes.c_uint64(0), byref(status))
    assert (error == 500) == (found.value is None) == (status.value == 1), name
    return found.value

def address(name):
    return ctypes.cast(getattr(cuda, name), c_void_p).value

for name, version, expected in (
    ("cuCtxGetDevice", 12000, "cuCtxGetDevice"), ("cuCtxGetDevice", 13000, "cuCtxGetDevice_v2"),
    ("cuCtxCreate", 11000, "cuCtxCreate_v2"), ("cuCtxCreate", 12000, "cuCtxCreate_v3"),
    ("cuCtxCreate", 13000, "cuCtxCreate_v4"), ("cuStreamGetCaptureInfo", 11030, "cuStreamGetCaptureInfo_v2"),
    ("cuGraphInstantiate", 12000, "cuGraphInstantiateWithFlags"), ("cuMemAlloc", 12000, "cuMemAlloc_v2"),
    ("cuLaunchKernel", 7000, "cuLaunchKernel"), ("cuCtxSynchronize", 12090, "cuCtxSynchronize"),
):
    assert entry(name, version) == address(expected), (name, version)
assert entry("cuNothing", 12000) is None
assert entry("cuGraphicsGLRegisterBuffer", 12000) is not None  # it names itself when it is called

assert cuda.cuInit(0) == 0 and cuda.cuProfilerStart() == 0 and cuda.cuProfilerStop() == 0
handle, iterator, count = c_void_p(), c_uint(), c_size_t(1)
assert cuda.cuLogsRegisterCallback(None, None, byref(handle)) == 0 and handle.value
assert cuda.cuLogsDumpToMemory(byref(iterator), ctypes.create_string_buffer(8), byref(count), 0) == 0
assert count.value == 0

parts = [(ctypes.c_char * 64)(*bytes([number]) * 64) for number in range(3)]
back = [(ctypes.c_char * 64)() for _ in parts]
there = [c_void_p() for _ in parts]
for item in there:
    assert runtime.cudaMalloc(byref(item), c_size_t(64)) == 0
stream = c_void_p()
assert runtime.cudaStreamCreate(byref(stream)) == 0
here = lambda items: (c_void_p * 3)(*map(ctypes.addressof, items))
beyond = (c_void_p * 3)(*(item.value for item in there))
sizes, failed = (c_size_t * 3)(64, 64, 64), c_size_t()
rest = (sizes, c_size_t(3), None, None, c_size_t(0))
assert runtime.cudaMemcpyBatchAsync(beyond, here(parts), *rest, stream) == 0
assert runtime.cudaMemcpyBatchAsync(here(back), beyond, *rest, byref(failed), stream) == 0  # CUDA 12's
assert runtime.cudaStreamSynchronize(stream) == 0
assert [bytes(item) for item in back] == [bytes(item) for item in parts]
assert runtime.cudaThreadExit() == 0
"""


def test_functions_by_name_and_version() -> None:
    result = run("run", "--on", "h200", "--format", "json", "--", "python3", "-c", VERSIONS)
    assert result.code == 0, result.err
    assert sum(row["count"] for row in json.loads(result.out)["devices"][0]["copies"]) == 6


def test_packages_keep_compiled_code_in_a_private_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CUPY_CACHE_DIR", raising=False)
    monkeypatch.setenv("WARP_CACHE_PATH", "/of/the/user")
    script = (
        "import os; path = os.environ['CUPY_CACHE_DIR']; os.makedirs(path); open(path + '/file', 'w').close(); "
        "assert os.environ['WARP_CACHE_PATH'] == '/of/the/user'"
    )
    result = run("run", "--on", "h200", "--", "python3", "-c", script)
    assert result.code == 0, result.err


@pytest.mark.parametrize(("name", "code"), [("libnvrtc_asks.so", 0), ("libother.so", 3), ("libcublas.so.13", 3)])
def test_nvrtc_may_ask_for_tables_of_the_driver(name: str, code: int, tmp_path: Path) -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    (tmp_path / "asks.c").write_text(
        "int cuGetExportTable(const void**, const void*);\n"
        "int asks(void) { return cuGetExportTable(0, 0) == 500 ? 0 : 1; }\n"
    )
    subprocess.run(
        [compiler, "-shared", "-fPIC", "-O0", "-o", str(tmp_path / name), str(tmp_path / "asks.c")], check=True
    )
    script = f"import ctypes, sys; sys.exit(ctypes.CDLL({str(tmp_path / name)!r}).asks())"
    result = run("run", "--on", "h200", "--", "python3", "-c", script)
    assert result.code == code, result.err
    assert ("cuGetExportTable" in result.err) == (code == 3)
    assert ("libcublas.so.13" in result.err) == name.startswith("libcublas")


@pytest.mark.parametrize("library", ["libcublas.so.13", "libmine.so.1"])
def test_closed_libraries_are_refused_by_function(library: str, tmp_path: Path) -> None:
    """What the loader does not find is the loader's to say, but for CUDA's own libraries."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    (tmp_path / "library.c").write_text("int cublasCreate_v2(void) { return 0; }\n")
    (tmp_path / "program.c").write_text("int cublasCreate_v2(void);\nint main(void) { return cublasCreate_v2(); }\n")
    file, program = tmp_path / library, tmp_path / "program"
    for flags in (
        ["-shared", "-fPIC", f"-Wl,-soname,{library}", "-o", str(file), str(tmp_path / "library.c")],
        ["-o", str(program), str(tmp_path / "program.c"), str(file)],
    ):
        subprocess.run([compiler, *flags], check=True)
    file.unlink()
    result = run("run", "--on", "h200", "--", str(program))
    is_closed = library.startswith("libcublas")
    assert result.code == (3 if is_closed else 127)
    assert ("libcublas.so.13 (cublasCreate_v2)" in result.err) == is_closed


def test_memory_that_is_given_back_twice() -> None:
    result = run("run", "--on", "h200", "--", str(built("wrong_free")))
    assert result.code == 0, result.err
    assert "free of memory that is free" in result.out
    assert "line 7" in result.out


def test_a_wrong_access_names_the_line() -> None:
    result = run("run", "--on", "h200", "--", str(built("out_of_bounds")))
    assert result.code == 0
    assert "out of bounds: global write of 4 bytes" in result.out
    assert "line 5" in result.out


def test_what_is_missing_is_named() -> None:
    result = run("run", "--on", "h200", "--", str(built("mipmaps")))
    assert result.code == 3
    assert "cudaMallocMipmappedArray" in result.err
    assert "Traceback" not in result.err


@pytest.mark.parametrize("kind", ["static", "shared"])
def test_textures_and_surfaces(kind: str) -> None:
    result = run("run", "--on", "h200", "--", str(built("textures", kind)))
    assert result.code == 0, result.err  # the program checks its own result


def test_clusters_with_tma_and_wgmma() -> None:
    program = built("cluster_gemm", "static", "-gencode arch=compute_90a,code=sm_90a")
    result = run("run", "--on", "h200", "--format", "json", "--", str(program))
    assert result.code == 0, result.err  # the program checks its own result
    document = json.loads(result.out)
    assert document["faults"] == []
    assert [row["launches"] for row in document["devices"][0]["kernels"]] == [1]


def test_memory_that_does_not_fit_fails_as_in_cuda() -> None:
    result = run("run", "--on", "h200", "--", str(built("too_large")))
    assert result.code == 7  # the program's own
    assert "h200 has 141 GB of memory" in result.out


def test_ptx_is_compiled_for_the_gpu() -> None:
    program = built("device_printf", "static", "-gencode=arch=compute_80,code=compute_80")
    result = run("run", "--on", "h200", "--format", "json", "--", str(program))
    assert result.code == 0, result.err
    assert "code for sm_" not in result.out


def test_code_of_another_generation_is_executed_and_said_so() -> None:
    program = built("half_axpy", "static", "-gencode=arch=compute_80,code=sm_80")
    result = run("run", "--on", "h200", "--format", "json", "--", str(program))
    assert result.code == 0, result.err
    notes = json.loads(result.out)["devices"][0]["assumptions"]
    assert any("sm_80, not for sm_90" in note for note in notes)


def test_a_capture_is_predicted_anywhere(tmp_path: Path) -> None:
    capture, timeline = tmp_path / "app.capture", tmp_path / "timeline.json"
    options = ("--record", str(capture), "--timeline", str(timeline), "--format", "csv")
    program = str(built("constant_filter"))
    result = run("run", "--on", "h200", *options, "--", program)
    assert result.code == 0, result.err
    assert json.loads(timeline.read_text())["traceEvents"]
    predicted = run("predict", f"{capture}:filter", "--on", "h200", "--format", "json")
    assert predicted.code == 0, predicted.err
    whole = next(row for row in result.out.splitlines() if ",filter," in row)
    assert json.loads(predicted.out)["time_s"] == pytest.approx(float(whole.split(",")[3]), rel=1e-9)
    assert run("predict", f"{capture}:absent", "--on", "h200").code == 3
    blind = tmp_path / "blind.capture"
    assert run("run", "--on", "h200", "--record", str(blind), "--contents", "none", "--", program).code == 0
    assert blind.stat().st_size < capture.stat().st_size
    assert run("predict", str(blind), "--on", "h200").code == 0
    small = ("--record", str(blind), "--record-limit", "1KiB")
    assert run("run", "--on", "h200", *small, "--", program).code == 3
