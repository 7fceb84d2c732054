"""What is fuzzed: for each target how an input is read, and the seeds that it starts from.

An input may be answered or refused (a `ForetellError`). Everything else is a finding.
"""

from __future__ import annotations

import contextlib
import hashlib
import math
import os
import platform
import shutil
import subprocess
import tempfile
import zlib
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import conversations
from mutations import LARGEST

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[1]
SEEDS = Path(__file__).parent / "seeds"
#: bytes of addresses of a process; the memory of a simulated device has more, without pages
ADDRESS_SPACE, _OF_DEVICE = 8 << 30, 1 << 40


@dataclass(frozen=True)
class Target:
    """A parser; `seeds` are files of the repository, `words` of its language are put into inputs."""

    name: str
    read: Callable[[bytes], object]
    seeds: tuple[str, ...]
    words: str = ""
    made: tuple[Callable[[], list[bytes]], ...] = ()  #: seeds that are built
    address_space: int = ADDRESS_SPACE


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

    isa = "aarch64" if data[:1] == b"#" else "x86-64"
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


def _launches(data: bytes) -> object:
    from foretell.frontends.gpu.launch import in_order, read_launches

    return in_order(read_launches(_file(data, "l.toml")))


def _configuration(data: bytes) -> object:
    from foretell.uses.check.configured.configuration import read_configuration

    return read_configuration(_file(data, "foretell.toml"))


def _capture(data: bytes) -> object:
    """The first line is the index; a head with the right checksum is put before it, so that the index is reached."""
    from foretell.frontends.gpu import capture

    index, _, blobs = data.partition(b"\n")
    packed = zlib.compress(index, 1)
    head = capture.HEAD.pack(capture.MAGIC, len(packed), hashlib.sha256(packed).digest())
    return capture.read_workloads(_file(head + packed + blobs, "a.capture"))


def _saved(data: bytes) -> object:
    from foretell.uses.check.versions import read_saved

    return read_saved(_file(data, "saved.json"))


def _lines(read: Callable[[str], object]) -> Callable[[bytes], object]:
    """Every line by itself: one that is refused does not hide those after it."""

    def each(data: bytes) -> object:
        from foretell.errors import ForetellError

        answers = []
        for line in data.decode("utf-8", "replace").split("\n")[:64]:
            with contextlib.suppress(ForetellError):
                answers.append(read(line))
        return answers

    return each


def _limit(text: str) -> object:
    from foretell.uses.check.configured.limits import parse_limit

    return parse_limit(text)


def _argument(text: str) -> object:
    from foretell.frontends.gpu.arguments import parse_argument

    return parse_argument(text, _folder())


def _question(text: str) -> object:
    """A document of the workspace: all that is read of it before anything is predicted."""
    from foretell.files import parse_json
    from foretell.serve.pool import asked

    document = parse_json(text)
    wanted = asked.wanted(document)
    return wanted, asked.job(document), asked.depth_and_kinds(document), asked.sizes(str(document.get("sizes", "")))


#: of all parameters that an input has and gives no value
_SIZE = 64.0


def _predicted(name: str, machine: str, **reading: Any) -> Callable[[bytes], object]:
    """Reads an input and predicts its time at some sizes, which must be a number with an interval around it."""

    def read(data: bytes) -> object:
        from foretell import api

        case = api.prepare(str(_file(data, name)), machine, **reading)
        sizes = dict.fromkeys(case.workload.symbols - case.workload.optional - case.workload.parameters.keys(), _SIZE)
        prediction = replace(case, workload=case.workload.with_parameters(sizes)).predict()
        if not 0 <= prediction.time_s < math.inf:
            raise AssertionError(f"a time of {prediction.time_s} s")
        return prediction

    return read


def _executed(data: bytes) -> object:
    """A listing of SASS as its launch: executed completely, with real memory, and in samples, and predicted."""
    import numpy as np

    from foretell import api
    from foretell.characterize.gpu import complete, functional
    from foretell.errors import InputError
    from foretell.frontends.gpu.sass import listing

    functional.BUDGET = _INSTRUCTIONS  # what does not end meets this limit as it would any other, sooner
    kernel = listing.read(data.decode("utf-8", "replace"))
    if len(kernel.parameters) > 16 or any(item.size not in (4, 8) for item in kernel.parameters):
        raise InputError("parameters that are neither an array nor a number")
    arrays = [np.ones(4096) if item.size == 8 else b"\x40\0\0\0" for item in kernel.parameters]
    with contextlib.suppress(InputError):
        complete.run(complete.program_of(kernel), None, (2, 1, 1), (64, 1, 1), arrays, budget=_BUDGET, threads=1,
                     check_races=True)  # fmt: skip
    words = ["f64[4096]" if item.size == 8 else "64" for item in kernel.parameters]
    prediction = api.predict(str(_file(data, "a.sass")), "h200", grid=4, block=64, args=words)
    if not 0 <= prediction.time_s < math.inf:
        raise AssertionError(f"a time of {prediction.time_s} s")
    return prediction


#: instructions of a launch that is sampled (in proportion to the limit of time), and of one that is executed
_INSTRUCTIONS, _BUDGET = 2_000_000, 50_000
#: a machine of this processor's architecture: C++ is compiled by the compiler that is installed
_HOST = "neoverse-n1" if platform.machine() == "aarch64" else "emerald-rapids"


def _cubins() -> list[bytes]:
    """Small kernels, where nvcc is installed; else the smallest ELF file."""
    nvcc = shutil.which("nvcc")
    if nvcc is None:
        return [b"\x7fELF\x02\x01\x01" + bytes(57)]
    output = _folder() / "seed.cubin"
    source = ROOT / "tests/data/sass/simple.cu"
    subprocess.run([nvcc, "-cubin", "-arch=sm_90", "-o", str(output), str(source)], check=True, capture_output=True)
    return [output.read_bytes()]


def seeds_of(target: Target) -> list[bytes]:
    """The seeds of a target that are small enough to be mutated often."""
    files = [file for pattern in target.seeds for file in sorted(ROOT.glob(pattern))]
    data = [file.read_bytes() for file in files] + [seed for make in target.made for seed in make()]
    return [seed for seed in data if len(seed) <= LARGEST] or [b""]


#: arguments of the function `run` of C++ seeds
_ARGUMENTS = ("f64[4096]", "f64[4096]", "64")
_C = "for while if else int double float restrict static const return struct sizeof ++ -- += [ ] ( ) { } ; #define #if"
_CXX, _TOML = " template < > class :: auto", '[offload] [[offload.dma]] = " { }'
_FORTRAN = "do end do if then else integer real(8) dimension allocatable subroutine call use module where forall (:) =>"
_LLVM = "define declare br label phi load store getelementptr add fadd icmp ret call i32 i64 double ptr %0 ! ,"
_JSON = '{ } [ ] : , " -1 1e400 null true'
_FIELDS = "I: Q:0x300000000000 Q:0x7f0000000000 t: b: i:-1 5 6 7 8"
_SASS = "IMAD FFMA LDG.E R0 [R2.64] BRA @P0 EXIT"
_ASM = "mov add vfmadd231pd ymm0 (%rax) rax jne .L3: .loc .cfi_startproc x0 [x1, #8] ldr fmla v0.2d b.ne ret"

TARGETS = {
    target.name: target
    for target in (
        Target("c", _by_suffix("a.c"), ("src/foretell/examples/*.c",), _C),
        Target("c++", _predicted("a.cpp", _HOST, kernel="run", args=_ARGUMENTS), ("fuzz/seeds/*.cpp",), _C + _CXX),
        Target("fortran", _by_suffix("a.f90"), ("src/foretell/examples/*.f90", "fuzz/seeds/*.f90"), _FORTRAN),
        Target("assembly", _assembly, ("fuzz/seeds/*.s",), _ASM),
        Target("llvm", _llvm, ("fuzz/seeds/*.ll",), _LLVM),
        Target("sass", _sass, ("fuzz/seeds/*.sass",), _SASS),
        Target("cubin", _cubin, (), made=(_cubins,)),
        Target("program", _by_suffix("a.prog"), ("src/foretell/examples/*.prog",), "resource warps loop end branch or"),
        Target("workload", _by_suffix("a.toml"), ("src/foretell/examples/*.toml",), _TOML),
        Target("trace", _by_suffix("a.trace"), ("fuzz/seeds/*.trace",), _JSON),
        Target("profile", _profile, ("fuzz/seeds/*.profile",), "cycles instructions # , ; \t <not counted> 1.234,5 %"),
        Target("machine", _machine, ("fuzz/seeds/*.machine",), "[level.L1] size = GB/s source \" { }"),
        Target("space", _space, ("fuzz/seeds/*.space",), "[axes] from to step = [ ] { } \""),
        Target("launch", _launches, ("fuzz/seeds/*.launch",), '[[launch]] grid = block args base start "after a" { }'),
        Target("configuration", _configuration, ("fuzz/seeds/*.configuration",), "[code.a] files machines limit = %"),
        Target("capture", _capture, ("fuzz/seeds/*.capture",), _JSON + " blobs launches"),
        Target("predict-c", _predicted("a.c", _HOST), ("fuzz/seeds/*.c",), _C),
        Target("predict-assembly", _predicted("a.s", "emerald-rapids", kernel="run", args=_ARGUMENTS),
               ("fuzz/seeds/call-x86-64.s",), _ASM),
        Target("execute-sass", _executed, ("fuzz/seeds/loop.sass", "tests/data/sass/*.sass"), _SASS),
        Target("predict-program", _predicted("a.prog", "k20c"), ("src/foretell/examples/*.prog",), "warps loop end"),
        Target("predict-workload", _predicted("a.toml", "sw26010"), ("src/foretell/examples/*.toml",), _TOML),
        Target("predict-profile", _predicted("a.csv", "blue-gene-q"), ("fuzz/seeds/*.profile",), "cycles , ; e9 -1"),
        Target("journal", conversations.journal(_file), ("fuzz/seeds/*.journal",), _JSON + " predict judge block"),
        Target("messages", conversations.session, ("fuzz/seeds/*.messages",), _FIELDS, address_space=_OF_DEVICE),
        Target("launch-log", conversations.launch_log(_file), ("fuzz/seeds/*.log",), _FIELDS),
        Target("saved", _saved, ("fuzz/seeds/*.saved",), _JSON + " time_s interval_s"),
        Target("limits", _lines(_limit), ("fuzz/seeds/*.limits",), "% | us ms s + . e9"),
        Target("arguments", _lines(_argument), ("fuzz/seeds/*.arguments",), "f32[ ] @ random( ) struct{ } x4 , 4M : ="),
        Target("question", _lines(_question), ("fuzz/seeds/*.question",), _JSON + " code on sizes job"),
        Target("expression", _expression, ("fuzz/seeds/*.expression",), "N + - * / ** ( ) ceil min max <= and or"),
    )
}  # fmt: skip
