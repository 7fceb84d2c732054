"""Which code of a module a GPU runs, and what goes wrong in programs that are not as they should be."""

from __future__ import annotations

import shutil
import struct
import subprocess
import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from foretell import machines
from foretell.characterize.gpu import complete
from foretell.core.gpu.image import Variable
from foretell.errors import InputError, ToolError
from foretell.uses.program_run import modules
from foretell.uses.program_run.modules import Code, LoadError, Module, constant_bytes
from foretell.uses.program_run.run import run_program
from tests.support.cli import run

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TWICE = """
import ctypes, os
cuda = ctypes.CDLL("libcudart.so.13")
count = ctypes.c_int()
assert cuda.cudaGetDeviceCount(ctypes.byref(count)) == 0
os.system("%s -c 'import ctypes; ctypes.CDLL(\\"libcudart.so.13\\").cudaFree(None)'")
"""


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Module]:
    """A module with machine code and PTX of these architectures."""

    def made(cubins: tuple[int, ...], ptx: tuple[int, ...] = (), compiler: bool = True) -> Module:
        def entries(kind: str, archs: tuple[int, ...]) -> tuple[SimpleNamespace, ...]:
            return tuple(SimpleNamespace(arch=arch, data=f"{kind}{arch}".encode()) for arch in archs)

        def found(_: object) -> tuple[SimpleNamespace, ...]:
            if not cubins:
                raise InputError("there is no GPU machine code")
            return entries("sm", cubins)

        def compiled(text: bytes, arch: int, flags: tuple[str, ...] = ()) -> bytes:
            if not compiler:
                raise ToolError("there is no nvcc")
            return text + f" for {arch}".encode()

        monkeypatch.setattr(modules.container, "cubins", found)
        monkeypatch.setattr(modules.container, "ptx_entries", lambda _: entries("ptx", ptx))
        monkeypatch.setattr(modules, "_bytes_of", lambda entry: entry.data)
        monkeypatch.setattr(modules, "_compiled", compiled)
        return Module(b"a fatbin")

    return made


@pytest.mark.parametrize(
    ("cubins", "ptx", "compiler", "cubin", "noted"),
    [
        ((80, 90), (), True, b"sm90", False),
        ((80, 86, 120), (80,), True, b"ptx80 for 90", False),
        ((75, 80), (75,), False, b"sm80", True),
        ((100,), (), True, b"sm100", True),
        ((), (52, 75), True, b"ptx75 for 90", False),
    ],
)
def test_the_nearest_code_is_chosen(
    module: Callable[..., Module],
    cubins: tuple[int, ...],
    ptx: tuple[int, ...],
    compiler: bool,
    cubin: bytes,
    noted: bool,
) -> None:
    code = module(cubins, ptx, compiler).code(90)
    assert code.cubin == cubin
    assert bool(code.note) is noted


@pytest.mark.parametrize(("ptx", "number"), [((), modules.NO_IMAGE), ((80,), 218)])
def test_without_any_code_loading_fails(module: Callable[..., Module], ptx: tuple[int, ...], number: int) -> None:
    with pytest.raises(LoadError) as caught:
        module((), ptx, compiler=False).code(90)
    assert caught.value.number == number


@pytest.mark.parametrize(
    ("target", "arch", "flag"),
    [
        ("sm_90a", 90, "-arch=sm_90a"),
        ("sm_90", 90, None),
        ("sm_90a", 100, None),  # nvcc says that it cannot
        ("sm_100f", 103, "-arch=sm_103f"),
        ("sm_100a", 103, None),
    ],
)
def test_ptx_for_one_architecture_alone(
    target: str, arch: int, flag: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[tuple[str, ...]] = []
    monkeypatch.setattr(modules, "compile_source", lambda _, arch, flags: given.append(flags) or b"")
    text = f"//\n// PTX of a compiler\n//\n.version 8.5\n.target {target}, debug\n.address_size 64\n"
    modules._compiled(text.encode(), arch)
    assert given == [(flag,) if flag else ()]


def test_constants_end_with_the_last_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    variables = {"a": Variable("constant", 8, 4), "b": Variable("global", 64, 4)}
    monkeypatch.setattr(modules, "device_image", lambda _: SimpleNamespace(variables=variables))
    assert constant_bytes(Code(b"", 90)) == 12


def test_a_second_process_with_cuda_is_refused() -> None:
    command = [sys.executable, "-c", TWICE % sys.executable]
    with pytest.raises(InputError, match="second process"):
        run_program(command, [machines.load("h200")], seconds=60)


def test_a_program_that_takes_too_long_is_ended() -> None:
    with pytest.raises(ToolError, match="longer than"):
        run_program([sys.executable, "-c", "while True: pass"], [machines.load("h200")], seconds=0.5)


PTX = """
.version 7.8
.target sm_70
.address_size 64
{variable}
.visible .entry {name}(.param .u64 data)
{{
    .reg .u32 %r<3>; .reg .u64 %d<3>;
    ld.param.u64 %d1, [data];
    ld.global.u32 %r1, [{symbol}];
    cvta.to.global.u64 %d2, %d1;
    st.global.u32 [%d2], %r1;
    ret;
}}
"""


def image(*inputs: bytes) -> bytes:
    """Inputs of the driver's linker, as the stand-in keeps them."""
    body = b"".join(struct.pack("<Q", len(item)) + item for item in inputs)
    return struct.pack("<4sIQ", b"FTLK", len(inputs), 16 + len(body)) + body


def test_several_inputs_are_linked() -> None:
    """A variable of one input is used by the other; each kernel has its address, also when both are disassembled
    together."""
    if shutil.which("nvlink") is None:
        pytest.skip("nvlink is not installed")
    first = PTX.format(name="first", variable=".visible .global .align 4 .u32 own = 77;", symbol="own")
    second = PTX.format(name="second", variable=".extern .global .align 4 .u32 own;", symbol="own")
    code = Module(image(first.encode() + b"\0", second.encode())).code(90)
    assert sorted(code.names) == ["first", "second"]
    for name in code.names:
        data, own = np.zeros(4, np.uint8), np.array([5, 0, 0, 0], np.uint8)
        memory = [complete.Region.of(0x10000, data, name="data"), complete.Region.of(0x20000, own, name="own")]
        record = complete.execute(
            complete.program_of(code.kernel(name)),
            grid=(1, 1, 1),
            block=(1, 1, 1),
            parameters=struct.pack("<Q", 0x10000),
            memory=memory,
            banks=code.image.banks(name, 0x20000),
        )
        assert record.error is None
        assert data[0] == 5
    with pytest.raises(LoadError, match="cannot be linked") as caught:
        Module(image(second.encode(), second.encode())).code(90)
    assert caught.value.number == 218


#: two pieces of PTX, of which one calls the other
LINKED = """
import ctypes
from ctypes import byref, c_int, c_size_t, c_void_p
cuda = ctypes.CDLL("libcuda.so.1")
def check(error):
    assert error == 0, error
START = ".version 8.0\\n.target sm_80\\n.address_size 64\\n"
CALLER = START + ".extern .func (.param .b32 r) thrice(.param .b32 x);" + '''
.visible .entry fill(.param .u64 to) {
    .reg .b32 %v; .reg .b64 %a;
    ld.param.u64 %a, [to]; cvta.to.global.u64 %a, %a; ld.global.u32 %v, [%a];
    { .param .b32 x; .param .b32 r; st.param.b32 [x], %v; call.uni (r), thrice, (x); ld.param.b32 %v, [r]; }
    st.global.u32 [%a], %v; ret;
}'''
CALLED = START + ".visible .func (.param .b32 r) thrice(.param .b32 x)" + '''
{ .reg .b32 %v; ld.param.b32 %v, [x]; mul.lo.s32 %v, %v, 3; st.param.b32 [r], %v; ret; }'''
link, image, bytes_, module, kernel, at = c_void_p(), c_void_p(), c_size_t(), c_void_p(), c_void_p(), c_void_p()
check(cuda.cuInit(0))
check(cuda.cuLinkCreate_v2(0, None, None, byref(link)))
for text in (CALLER, CALLED):
    data = text.encode() + b"\\0"
    check(cuda.cuLinkAddData_v2(link, 1, data, c_size_t(len(data)), b"part", 0, None, None))
check(cuda.cuLinkComplete(link, byref(image), byref(bytes_)))
check(cuda.cuModuleLoadData(byref(module), image))
check(cuda.cuModuleGetFunction(byref(kernel), module, b"fill"))
check(cuda.cuMemAlloc_v2(byref(at), c_size_t(4)))
value = c_int(14)
check(cuda.cuMemcpyHtoD_v2(at, byref(value), c_size_t(4)))
parameters = (c_void_p * 1)(ctypes.cast(byref(at), c_void_p))
check(cuda.cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, None, parameters, None))
check(cuda.cuMemcpyDtoH_v2(byref(value), at, c_size_t(4)))
assert value.value == 42, value.value
"""


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="nvcc is not installed")
def test_code_that_a_program_links_while_it_runs(tmp_path: Path) -> None:
    program = tmp_path / "linked.py"
    program.write_text(LINKED)
    result = run("run", "--on", "h200", "--", sys.executable, str(program))
    assert result.code == 0, result.err


@pytest.mark.skipif(shutil.which("nvcc") is None or shutil.which("ar") is None, reason="nvcc is not installed")
def test_code_is_linked_with_objects_and_libraries(tmp_path: Path) -> None:
    """As Numba does it for cooperative groups. What is compiled while it is linked is named."""
    source, made, library = (tmp_path / f"called.{ending}" for ending in ("cu", "o", "a"))
    source.write_text('extern "C" __device__ int thrice(int x) { return 3 * x; }\n')
    nvcc = ["nvcc", "-arch=sm_90", "-dc", str(source), "-o", str(made)]
    subprocess.run(nvcc, check=True, capture_output=True)
    subprocess.run(["ar", "rcs", str(library), str(made)], check=True, capture_output=True)
    begin, rest = LINKED.split("for text in (CALLER, CALLED):")
    data = "CALLER.encode() + b'\\0'"
    caller = f"check(cuda.cuLinkAddData_v2(link, 1, {data}, c_size_t(len(CALLER) + 1), b'', 0, None, None))\n"
    after = rest[rest.index("check(cuda.cuLinkComplete") :]
    program = tmp_path / "linked.py"
    for kind, path in ((3, made), (4, library), (5, library)):
        called = f"check(cuda.cuLinkAddFile_v2(link, {kind}, {str(path).encode()!r}, 0, None, None))\n"
        program.write_text(begin + caller + called + after)
        result = run("run", "--on", "h200", "--", sys.executable, str(program))
        assert result.code == (0 if kind < 5 else 3), result.err
    assert "cuLinkAddFile of what is compiled while it is linked" in result.err


def test_the_driver_is_found_by_its_short_name(tmp_path: Path) -> None:
    """As Taichi looks for it."""
    program = tmp_path / "short.py"
    program.write_text("import ctypes\nassert ctypes.CDLL('libcuda.so').cuInit(0) == 0\n")
    result = run("run", "--on", "h200", "--", sys.executable, str(program))
    assert result.code == 0, result.err
