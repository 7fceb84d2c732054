"""What is fuzzed: for each target how an input is read, and the seeds that it starts from.

An input may be answered or refused (a `ForetellError`). Everything else is a finding.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[1]
SEEDS = Path(__file__).parent / "seeds"


@dataclass(frozen=True)
class Target:
    """A parser; `seeds` are files of the repository, `words` of its language are put into inputs."""

    name: str
    read: Callable[[bytes], object]
    seeds: tuple[str, ...]
    words: str = ""
    made: tuple[Callable[[], list[bytes]], ...] = ()  #: seeds that are built


@lru_cache(maxsize=1)
def _folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="foretell-fuzz-", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None))


def _file(data: bytes, name: str) -> Path:
    path = _folder() / name
    path.write_bytes(data)
    return path


def _by_suffix(name: str) -> Callable[[bytes], object]:
    def read(data: bytes) -> object:
        from foretell import frontends

        return frontends.read(_file(data, name))

    return read


def _profile(data: bytes) -> object:
    from foretell.frontends.counters import Launch, read_profile

    return read_profile([_file(data, "p.txt")], Launch())


def _machine(data: bytes) -> object:
    from foretell import machines

    return machines.resolve(str(_file(data, "m.toml")))


def _space(data: bytes) -> object:
    from foretell.uses import explore

    return explore.read_space(_file(data, "s.toml"))


def _assembly(data: bytes) -> object:
    from foretell.codegen.assembly.listing import read_listing

    isa = "aarch64" if data[:1] == b"#" else "x86_64"
    return read_listing(data.decode("utf-8", "replace"), isa)


def _llvm(data: bytes) -> object:
    from foretell.core.llvm.module import Module

    module = Module(data.decode("utf-8", "replace"))
    return module.functions, module.types


def _sass(data: bytes) -> object:
    from foretell.frontends.gpu.sass import listing

    return listing.read(data.decode("utf-8", "replace"))


def _cubin(data: bytes) -> object:
    from foretell.frontends.gpu.binary import elf
    from foretell.frontends.gpu.binary.container import cubins

    return cubins(elf.Source.of(data))


def _expression(data: bytes) -> object:
    from foretell.core.columns.expression import Expression

    return Expression(data.decode("utf-8", "replace")).evaluate({"N": 3.0})


def _cubins() -> list[bytes]:
    """Small kernels, where nvcc is installed; else the smallest ELF file."""
    nvcc = shutil.which("nvcc")
    if nvcc is None:
        return [b"\x7fELF\x02\x01\x01" + bytes(57)]
    output = _folder() / "seed.cubin"
    source = ROOT / "tests/data/sass/simple.cu"
    subprocess.run([nvcc, "-cubin", "-arch=sm_90", "-o", str(output), str(source)], check=True, capture_output=True)
    return [output.read_bytes()]


_C = "for while if else int double float restrict static const return struct sizeof ++ -- += [ ] ( ) { } ; #define #if"
_CXX, _TOML = " template < > class :: auto", '[offload] [[offload.dma]] = " { }'
_FORTRAN = "do end do if then else integer real(8) dimension allocatable subroutine call use module where forall (:) =>"
_LLVM = "define declare br label phi load store getelementptr add fadd icmp ret call i32 i64 double ptr %0 ! ,"
_ASM = "mov add vfmadd231pd ymm0 (%rax) rax jne .L3: .loc .cfi_startproc x0 [x1, #8] ldr fmla v0.2d b.ne ret"

TARGETS = {
    target.name: target
    for target in (
        Target("c", _by_suffix("a.c"), ("src/foretell/examples/*.c",), _C),
        Target("c++", _by_suffix("a.cpp"), ("fuzz/seeds/*.cpp",), _C + _CXX),
        Target("fortran", _by_suffix("a.f90"), ("src/foretell/examples/*.f90", "fuzz/seeds/*.f90"), _FORTRAN),
        Target("assembly", _assembly, ("fuzz/seeds/*.s",), _ASM),
        Target("llvm", _llvm, ("fuzz/seeds/*.ll",), _LLVM),
        Target("sass", _sass, ("fuzz/seeds/*.sass",), "IMAD FFMA LDG.E R0 [R2.64] BRA @P0 EXIT"),
        Target("cubin", _cubin, (), made=(_cubins,)),
        Target("program", _by_suffix("a.prog"), ("src/foretell/examples/*.prog",), "resource warps loop end branch or"),
        Target("workload", _by_suffix("a.toml"), ("src/foretell/examples/*.toml",), _TOML),
        Target("trace", _by_suffix("a.trace"), ("fuzz/seeds/*.trace",), '{ } [ ] : , " -1 1e400 null true'),
        Target("profile", _profile, ("fuzz/seeds/*.profile",), "cycles instructions # , ; \t <not counted> 1.234,5 %"),
        Target("machine", _machine, ("fuzz/seeds/*.machine",), "[level.L1] size = GB/s source \" { }"),
        Target("space", _space, ("fuzz/seeds/*.space",), "[axes] from to step = [ ] { } \""),
        Target("expression", _expression, ("fuzz/seeds/*.expression",), "N + - * / ** ( ) ceil min max <= and or"),
    )
}  # fmt: skip
