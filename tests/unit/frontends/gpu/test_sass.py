"""Machine code: containers, kernels, operands, registers, control bits, listings."""

from __future__ import annotations

import os
import struct
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import lz4.block
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from foretell.core.gpu.warps import Warps
from foretell.errors import CacheWarning, InputError, ToolError, UnsupportedError
from foretell.frontends import Reader, read_options
from foretell.frontends.gpu.binary import compression, container, elf
from foretell.frontends.gpu.binary import nvcc as compiler
from foretell.frontends.gpu.binary.cubin import read_cubin
from foretell.frontends.gpu.sass import kernels, nvdisasm
from foretell.machines import load
from tests.support.frontends.cubins import built, decoded, kernel_of

DATA = Path(__file__).parents[3] / "data" / "sass"


# ------------------------------------------------------------------------------------------ containers


def test_what_the_elf_file_says() -> None:
    matmul = kernel_of("simple_sm90.cubin", "matmul")
    assert (matmul.arch, matmul.registers, matmul.shared_bytes, matmul.barriers) == (90, 32, 3072, 1)
    assert matmul.max_threads == (256, 1, 1)
    assert [(p.offset, p.size) for p in matmul.parameters] == [(0, 8), (8, 8), (16, 8), (24, 4)]
    assert matmul.layout.parameters == 0x210
    assert matmul.layout.grid_dim == 0xC


@pytest.mark.parametrize(("file", "base", "shared"), [("75", 0x160, 2048), ("80", 0x160, 2048), ("120", 0x380, 3072)])
def test_constant_banks_and_shared_memory_of_other_architectures(file: str, base: int, shared: int) -> None:
    matmul = kernel_of(f"simple_sm{file}.cubin", "matmul")
    assert (matmul.layout.parameters, matmul.shared_bytes) == (base, shared)


def test_constant_tables_come_with_the_kernel() -> None:
    banks = dict(kernel_of("wide_sm90.cubin", "consts").constants)
    assert len(banks[3]) == 256


@pytest.mark.parametrize("apart", [True, False], ids=["before CUDA 13.5", "since"])
def test_calls_of_functions_beside_a_kernel(apart: bool) -> None:
    """Disassemblers list a kernel's functions apart, or as a part of it, and name what is called."""
    own, called = [{"opcode": "CALL.REL.NOINC", "operands": "$divide"}], [{"opcode": "RET"}]
    listed = [("kernel", 0, own), ("$divide", 16, called)] if apart else [("kernel", 0, own + called)]
    answer = [{"function-name": name, "start": at, "sass-instructions": code} for name, at, code in listed]
    syntax = kernels._syntax([{}, answer], "kernel", {"$divide": 16})
    assert [entry.get("operands") for entry in syntax] == ["0x10", None]


def test_source_lines() -> None:
    vecadd = kernel_of("lines_sm90.cubin", "vecadd")
    assert vecadd.source_file == "simple.cu"
    assert {instruction.line for instruction in vecadd.instructions} == {2}
    shared_stores = [i.line for i in kernel_of("lines_sm90.cubin", "matmul").instructions if i.opcode == "STS"]
    assert set(shared_stores) == {10}


def test_a_library_holds_cubins_of_several_architectures() -> None:
    with built("fat.so").open("rb") as handle:
        assert [entry.arch for entry in container.cubins(elf.Source(handle))] == [90, 80]
    assert kernels.read_kernel(built("fat.so"), "vecadd").arch == 90
    assert kernels.read_kernel(built("fat.so"), "vecadd", 80).arch == 80
    with pytest.raises(InputError, match="no code for sm_75"):
        kernels.read_kernel(built("fat.so"), "vecadd", 75)


@pytest.mark.parametrize(
    ("present", "cpu", "chosen"),
    [
        ({80, 90}, "sm_80", 80),
        ({80, 90}, "sm_89", 80),
        ({75, 80, 86}, "sm_89", 86),
        ({80, 90}, "sm_90a", 90),
        ({80, 90}, "", 90),
        ({80, 90}, "gfx942", 90),
        ({80}, "sm_120", 80),
    ],
)
def test_the_machine_chooses_among_architectures(present: set[int], cpu: str, chosen: int) -> None:
    assert container.nearest_architecture(present, cpu) == chosen


@pytest.mark.parametrize(("present", "cpu"), [({80, 90}, "sm_100"), ({86, 90}, "sm_80"), ({80, 90}, "sm_61")])
def test_code_of_another_generation_is_not_run(present: set[int], cpu: str) -> None:
    with pytest.raises(UnsupportedError, match=f"no code for {cpu} in this file") as caught:
        container.nearest_architecture(present, cpu)
    assert all(f"sm_{arch}" in str(caught.value) for arch in present)


def test_a_library_is_read_for_each_machine() -> None:
    """One of two architectures each: the machine's own, or the nearest lower of its generation."""
    reader = Reader(built("fat.so"), read_options(kernel="vecadd", grid=8, block=64, args=["f32[512]"] * 3 + ["512"]))
    archs = {name: reader.workload(load(name)).facet(Warps).kernel.arch for name in ("a100", "l40", "h100", "h200")}
    assert archs == {"a100": 80, "l40": 80, "h100": 90, "h200": 90}
    assert reader.workload().facet(Warps).kernel.arch == 90
    with pytest.raises(UnsupportedError, match="no code for sm_35"):
        reader.workload(load("k20c"))
    chosen = Reader(built("fat.so"), read_options(kernel="vecadd", grid=8, block=64, arch=80))
    assert chosen.workload(load("h200")).facet(Warps).kernel.arch == 80


def test_the_kernel_has_to_be_named() -> None:
    with pytest.raises(InputError, match="choose one") as caught:
        kernels.read_kernel(built("simple_sm90.cubin"))
    assert "matmul" in str(caught.value)
    with pytest.raises(InputError, match="did you mean 'matmul'"):
        kernels.read_kernel(built("simple_sm90.cubin"), "matmull")


def test_old_architectures_are_refused() -> None:
    data = bytearray(built("simple_sm90.cubin").read_bytes())
    data[0x31] = 35
    with pytest.raises(UnsupportedError, match="sm_35"):
        read_cubin(elf.Source.of(bytes(data)))


@pytest.mark.parametrize("name", ["empty", "text", "elf"])
def test_files_without_machine_code(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes({"empty": b"", "text": b"hello, world" * 20, "elf": b"\x7fELF\x02\x01\x01" + bytes(57)}[name])
    with pytest.raises(InputError):
        kernels.read_kernel(path)
    with pytest.raises(InputError, match="no such file"):
        kernels.read_kernel(tmp_path / "absent")
    os.mkfifo(tmp_path / "pipe.cubin")
    for other in (tmp_path, tmp_path / "pipe.cubin"):
        with pytest.raises(InputError, match="not a regular file"):
            kernels.read_kernel(other)


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_a_damaged_file_is_read_or_refused(data: st.DataObject) -> None:
    original = built(data.draw(st.sampled_from(["fat.so", "lines_sm90.cubin"]))).read_bytes()
    damaged = bytearray(original[: data.draw(st.integers(0, len(original)))])
    headers = [64, len(original), 0x400]
    for _ in range(data.draw(st.integers(0, 8))):
        if damaged:
            at = data.draw(st.integers(0, min(len(damaged), data.draw(st.sampled_from(headers))) - 1))
            damaged[at] = data.draw(st.integers(0, 255))
    try:
        for entry in container.cubins(elf.Source.of(bytes(damaged))):
            cubin = read_cubin(entry.open())
            for name in cubin.names:
                assert len(cubin.kernel(name).code) <= len(damaged)
                elf.open_elf(elf.Source.of(cubin.alone(name)[0]))
    except InputError as error:
        assert error.message


def test_source_without_a_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ToolError, match="need nvcc"):
        compiler.compile_source(DATA / "simple.cu", 90)


def test_a_compiled_source_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Until the source, a header of it, or an option changes."""
    built("simple_sm90.cubin")  # skips where there is no nvcc
    monkeypatch.setenv("FORETELL_CACHE", str(tmp_path / "cache"))
    header, source = tmp_path / "a header.h", tmp_path / "k.cu"
    header.write_text("constexpr int shift = 1;\n")
    source.write_text('#include "a header.h"\nextern "C" __global__ void k(int* a) { a[0] += shift; }\n')
    runs = []
    compile_ = compiler._compile

    def counted(nvcc: Path, path: Path, options: tuple[str, ...]) -> tuple[bytes, tuple[Path, ...]]:
        runs.append(options)
        return compile_(nvcc, path, options)

    monkeypatch.setattr(compiler, "_compile", counted)
    first = compiler.compile_source(source, 90)
    assert compiler.compile_source(source, 90) == first
    assert len(runs) == 1
    header.write_text("constexpr int shift = 2;\n")
    assert compiler.compile_source(source, 90) != first
    assert len(runs) == 2
    (kept,) = (tmp_path / "cache" / "cubin").iterdir()
    kept.write_bytes(kept.read_bytes()[:-1])  # a damaged entry is made anew
    with pytest.warns(CacheWarning, match="made anew"):
        assert kernels.decode_kernel(compiler.compile_source(source, 90)).name == "k"
    assert len(runs) == 3
    header.unlink()  # a header that is gone is a change
    with pytest.raises(InputError, match=r"a header\.h"):
        compiler.compile_source(source, 90)
    source.write_text("__global__ void k(")
    with pytest.raises(InputError, match="nvcc cannot compile this"):
        compiler.compile_source(source, 90)


def test_the_disassembly_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    data = built("simple_sm90.cubin").read_bytes()
    of_all = kernel_of("simple_sm90.cubin", "vecadd")
    monkeypatch.setenv("FORETELL_CACHE", str(tmp_path))
    kernels.DECODED.clear()
    first = kernels.decode_kernel(data, "vecadd")
    (kept,) = (tmp_path / "nvdisasm").iterdir()

    def refuse(*_: object) -> None:
        raise AssertionError("the disassembler ran again")

    monkeypatch.setattr(nvdisasm, "_run", refuse)
    kernels.DECODED.clear()
    assert kernels.decode_kernel(data, "vecadd") == first == of_all
    kept.write_text("[]")  # a damaged entry is made anew
    kernels.DECODED.clear()
    with pytest.warns(CacheWarning, match="made anew"), pytest.raises(AssertionError, match="ran again"):
        kernels.decode_kernel(data, "vecadd")


@pytest.mark.parametrize("arch", [80, 90])
def test_kernels_disassembled_together_are_as_alone(arch: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One run for all of them, and the same instructions, with the addresses of jumps; what calls functions is left."""
    files = [f"{name}_sm{arch}.cubin" for name in ("simple", "traced", "unusual")]
    wanted = {(file, kernel.name): kernel for file in files for kernel in decoded(file)}
    monkeypatch.setenv("FORETELL_CACHE", str(tmp_path))
    runs: list[list[str]] = []
    run = nvdisasm._run

    def counted(tool: Path, code: bytes, options: list[str]) -> list[Any]:
        runs.append(options)
        return run(tool, code, options)

    monkeypatch.setattr(nvdisasm, "_run", counted)
    asked = [(built(file).read_bytes(), name) for file, name in wanted]
    kernels.disassemble_together(asked)
    kernels.disassemble_together(asked)  # what is left out is asked for again, what is kept is not
    kept = len(list((tmp_path / "nvdisasm").iterdir()))
    assert kept >= 0.7 * len(wanted)
    again = len(runs) - 1
    assert again <= 1
    kernels.DECODED.clear()
    for (data, name), kernel in zip(asked, wanted.values(), strict=True):
        assert kernels.decode_kernel(data, name) == kernel
    assert len(runs) == 1 + again + len(wanted) - kept


def test_code_that_cannot_be_disassembled_together_is_left_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("FORETELL_CACHE", str(tmp_path))
    data = built("simple_sm90.cubin").read_bytes()
    names = [kernel.name for kernel in decoded("simple_sm90.cubin")][:2]
    answers: list[Any] = [[{}, []], [{}, [{"sass-instructions": []}]]]
    monkeypatch.setattr(nvdisasm, "_run", lambda *_: answers.pop())
    for _ in range(2):
        kernels.disassemble_together([(data, name) for name in names])
    assert not (tmp_path / "nvdisasm").exists()
    assert nvdisasm._moved([{"opcode": "BRA", "operands": "`(.L_1)"}], 0) is None


# ------------------------------------------------------------------------------------------ fatbins


def _fatbin(*entries: bytes) -> bytes:
    body = b"".join(entries)
    return struct.pack("<IHHQ", 0xBA55ED50, 1, 16, len(body)) + body


def _entry(kind: int, data: bytes, flags: int = 0x11, expanded: int = 0, packed: int = 0) -> bytes:
    data += bytes(-len(data) % 8)
    header = struct.pack("<HHIQIIHHIIIQQQ", kind, 0x101, 64, len(data), packed, 0, 7, 8, 90, 0, 0, flags, 0, expanded)
    return header + data


@pytest.mark.parametrize("method", ["lz4", "zstd"])
def test_compressed_fatbins(tmp_path: Path, method: str) -> None:
    cubin, path = built("simple_sm90.cubin").read_bytes(), tmp_path / "k.fatbin"
    if method == "lz4":
        packed = lz4.block.compress(cubin, store_size=False)
    else:
        packed = zstandard.ZstdCompressor().compress(cubin)
    flag = 0x2000 if method == "lz4" else 0x8000
    path.write_bytes(_fatbin(_entry(2, packed, flag | 0x11, len(cubin), len(packed))))
    assert kernels.read_kernel(path, "vecadd") == kernels.decode_kernel(cubin, "vecadd")
    for size, message in ((len(cubin) + 1, r"instead of|damaged"), (len(cubin) - 1, r"instead of|damaged")):
        path.write_bytes(_fatbin(_entry(2, packed, flag | 0x11, size, len(packed))))
        with pytest.raises(InputError, match=message):
            kernels.read_kernel(path, "vecadd")
    path.write_bytes(_fatbin(_entry(2, packed[:-50], flag | 0x11, len(cubin), len(packed) - 50)))
    with pytest.raises(InputError, match=r"instead of|damaged"):
        kernels.read_kernel(path, "vecadd")
    path.write_bytes(_fatbin(_entry(2, packed, flag | 0x11, 1 << 40, len(packed))))
    with pytest.raises(InputError, match="larger than"):
        kernels.read_kernel(path, "vecadd")


@pytest.mark.parametrize("method", ["lz4", "zstd"])
def test_what_is_not_compressed_is_refused(method: compression.Method) -> None:
    with pytest.raises(InputError, match="damaged"):
        compression.expand(b"\xff" * 40, method, 100)


@pytest.mark.parametrize("package", ["lz4", "zstandard"])
def test_compressed_fatbins_need_a_package(monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ToolError, match=f"{package}.*foretell"):
        compression.expand(b"", "lz4" if package == "lz4" else "zstd", 1)


def test_the_module_of_a_kernel_is_found(tmp_path: Path) -> None:
    """A program has a module for each source file; the name decides, and a wrong one lists all."""
    path = tmp_path / "k.fatbin"
    both = [_entry(2, built(f"{name}_sm90.cubin").read_bytes()) for name in ("simple", "traced")]
    path.write_bytes(_fatbin(*both))
    assert kernels.read_kernel(path, "gather").name == "gather"
    assert kernels.read_kernel(path, "vecadd").name == "vecadd"
    with pytest.raises(InputError, match="did you mean 'gather'") as error:
        kernels.read_kernel(path, "gathre")
    assert "vecadd" in (error.value.hint or "")
    with pytest.raises(InputError, match="kernels here"):
        kernels.read_kernel(path)


def test_a_large_fatbin_is_not_loaded(tmp_path: Path) -> None:
    """400 MB in front of the machine code, not one of which is read."""
    path = tmp_path / "large.fatbin"
    cubin = _entry(2, built("simple_sm90.cubin").read_bytes())
    before = 400 << 20
    text = struct.pack("<HHIQIIHHIIIQQQ", 1, 0x101, 64, before, 0, 0, 7, 8, 90, 0, 0, 0x11, 0, 0)
    with path.open("wb") as file:
        file.write(struct.pack("<IHHQ", 0xBA55ED50, 1, 16, len(text) + before + len(cubin)) + text)
        file.seek(before, os.SEEK_CUR)  # a hole: no disk is used
        file.write(cubin)
    tracemalloc.start()
    kernel = kernels.read_kernel(path, "vecadd")
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kernel.name == "vecadd"
    assert most < 32 << 20


def test_nvdisasm_is_found_wherever_packages_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`pip install --user` puts it beside neither Python's own packages nor programs."""
    own = tmp_path / "own" / "nvidia" / "cu13" / "bin" / "nvdisasm"
    own.parent.mkdir(parents=True)
    own.write_text("#!/bin/sh\n")
    monkeypatch.setattr(nvdisasm.sysconfig, "get_paths", lambda: {"purelib": str(tmp_path / "system")})
    monkeypatch.setattr(nvdisasm.shutil, "which", lambda _: None)
    monkeypatch.setattr(nvdisasm.sys, "path", ["", str(tmp_path / "own")])
    with pytest.raises(ToolError, match="pip install"):  # it is no program yet
        nvdisasm.find.__wrapped__()
    own.chmod(0o755)
    assert nvdisasm.find.__wrapped__() == own
