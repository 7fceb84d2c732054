"""Finds a compiler of this machine for an instruction set."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shlex
import shutil
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from foretell import cache, running
from foretell.codegen.compiled import fortran
from foretell.errors import InputError, ToolError
from foretell.inputs import note_program
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator

#: asked in this order where the user names none
_USUAL = ("gcc", "clang", "cc")
_ARCHITECTURES = {"x86_64": "x86-64", "amd64": "x86-64", "aarch64": "aarch64", "arm64": "aarch64"}
#: the target triple of each instruction set, as cross compilers (Debian's, conda's) and clang write it
_TRIPLES = {"x86-64": "x86_64-linux-gnu", "aarch64": "aarch64-linux-gnu"}
_CROSS = ("{}-gcc", "{}-gcc-14", "{}-gcc-13", "{}-gcc-12")
#: zig's folders of headers, for C++ and for C; its own driver (`zig cc`) would ignore levels of optimisation
_ZIG_CXX = ("libcxx/include", "libcxxabi/include")
_ZIG_C = ("include", "libc/include/{}-linux-gnu", "libc/include/generic-glibc", "libc/include/{}-linux-any",
          "libc/include/any-linux-any")  # fmt: skip
#: declarations that the C front end brings for headers that are not installed
_STUBS = Path(__file__).parents[2] / "frontends" / "c" / "headers"
_ZIG_FAMILY = {"x86-64": "x86", "aarch64": "aarch64"}
#: how zig configures its C++ library
_LIBCXX = (
    "ABI_VERSION=1", "ABI_NAMESPACE=__1", "HAS_THREADS=1", "HAS_MONOTONIC_CLOCK", "HAS_MUSL_LIBC=0",
    "HAS_VENDOR_AVAILABILITY_ANNOTATIONS=0", "HAS_FILESYSTEM=1", "HAS_RANDOM_DEVICE", "HAS_LOCALIZATION", "HAS_UNICODE",
    "HAS_WIDE_CHARACTERS", "PSTL_BACKEND_SERIAL", "HARDENING_MODE=_LIBCPP_HARDENING_MODE_NONE",
    "ASSERTION_SEMANTIC_DEFAULT=_LIBCPP_ASSERTION_SEMANTIC_IGNORE",
)  # fmt: skip
#: the C++ driver beside a C driver
_CXX = (("clang", "clang++"), ("gcc", "g++"), ("cc", "c++"))
#: the value of `cc` for code that is generated instead
NONE = "none"
_SECONDS = 10
#: what compilers said of themselves: each question starts a program or two
_ANSWERS = cache.Kind("compilers", version=1)
#: programs whose answers are their own; a wrapper (ccache, a script) asks another program, which may change
_OWN_ANSWER = re.compile(r"(.*-)?(gcc|g\+\+|clang|clang\+\+|zig)(-[\d.]+)?")
#: environment variables that make gcc call other programs (GCC manual, 3.21)
_ELSEWHERE = ("GCC_EXEC_PREFIX", "COMPILER_PATH")


@record
class _Answer:
    code: int
    text: str


@record
class Compiler:
    """A command, the first line of its --version, and its target. `foreign`: not the target of this machine's own
    compiler. `substitute`: it was taken as the user's own compiler is not installed for that target."""

    command: tuple[str, ...]
    version: str
    isa: str
    #: flags that find the headers of C and of C++, where the command does not by itself
    headers: tuple[str, ...] = ()
    cxx_headers: tuple[str, ...] = ()
    foreign: bool = False
    substitute: bool = False

    @property
    def gcc(self) -> bool:
        return "clang" not in self.version.lower()

    @property
    def name(self) -> str:
        """The command in words."""
        return "zig clang" if self._zig else self.command[0]

    @property
    def _zig(self) -> bool:
        return self.command[1:2] == ("clang",)

    @property
    def fortran(self) -> tuple[str, ...]:
        """The command for a Fortran source; none where there is no such compiler beside this one."""
        words = fortran.driver(self.command) if self.gcc else ()
        return words if words and shutil.which(words[0]) is not None else ()

    def driver(self, cxx: bool) -> tuple[str, ...]:
        """The command for a C or a C++ source."""
        if not cxx:
            return (*self.command, *self.headers)
        return (*(self.command if self._zig else _cxx_driver(self.command)), *self.cxx_headers, *self.headers)


def named_compiler(name: str, isa: str = "") -> Compiler:
    """The compiler that the user named; an error where it does not run. `zig` is the clang of the package ziglang, and
    compiles for any instruction set."""
    try:
        words = tuple(shlex.split(name))
    except ValueError as error:
        raise InputError(f"--cc {name!r}: {error}") from None
    if words == ("zig",) and (zig := zig_compiler(isa or "x86-64")) is not None:
        return zig
    if not words or shutil.which(words[0]) is None:
        raise InputError(f"--cc {name}: no such compiler here", hint="name one that is installed, or --cc none")
    asked = _asked(words)
    if asked is None:
        raise InputError(f"--cc {name}: it does not say what it compiles for (-dumpmachine)")
    return asked


def usual_compiler(isa: str, cpu: str = "", cxx: bool = False) -> Compiler | None:
    """The compiler of the environment (CC), else the first of the usual ones that compiles for the instruction set and
    the CPU: this machine's own, a cross compiler, zig's clang. `cxx`: it compiles C++, too."""
    suited = (one for one in _candidates(isa) if one is not None and one.isa == isa)
    suited = (one for one in suited if not cxx or shutil.which(one.driver(cxx=True)[0]) is not None)
    return next((one for one in suited if not cpu or _knows(one, cpu)), None)


def cpu_flag(isa: str, cpu: str) -> str:
    """The flag that selects a CPU: -march is an architecture on AArch64."""
    return f"-mcpu={cpu}" if isa == "aarch64" else f"-march={cpu}"


@lru_cache(maxsize=64)
def _knows(compiler: Compiler, cpu: str) -> bool:
    """Whether a compiler knows a CPU: older ones refuse newer names."""
    flag = cpu_flag(compiler.isa, cpu)
    answer = _answered((*compiler.driver(cxx=False), flag, "-E", "-x", "c", os.devnull))
    return answer is not None and answer.code == 0


def _candidates(isa: str) -> Iterator[Compiler | None]:
    for name in (os.environ.get("CC", ""), *_USUAL):
        yield _installed(tuple(name.split()))
    triple = _TRIPLES.get(isa)
    if triple is None:
        return
    for pattern in _CROSS:
        yield _installed((pattern.format(triple),), foreign=True)
    zig = zig_compiler(isa)
    yield replace(zig, substitute=True) if zig is not None else None


def _installed(words: tuple[str, ...], foreign: bool = False) -> Compiler | None:
    for name in words[:1]:
        note_program(name)
    return _asked(words, foreign) if words and shutil.which(words[0]) is not None else None


def zig_compiler(isa: str) -> Compiler | None:
    """The clang of the package ziglang for an instruction set, if it is installed."""
    triple, spec = _TRIPLES.get(isa), importlib.util.find_spec("ziglang")
    if triple is None or spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent
    command = (str(folder / "zig"), "clang")
    version = _first_line((*command, "--version"))
    if not version:
        return None
    headers, more = (
        tuple(word for name in names for word in ("-isystem", str(folder / "lib" / name.format(_ZIG_FAMILY[isa]))))
        for names in (_ZIG_C, _ZIG_CXX)
    )
    headers += ("-idirafter", str(_STUBS))  # what it lacks, such as omp.h
    more = ("-nostdinc++", *(f"-D_LIBCPP_{text}" for text in _LIBCXX), *more)
    return Compiler((*command, f"--target={triple}"), version, isa, ("-nostdlibinc", *headers), more, foreign=True)


@lru_cache(maxsize=16)
def _asked(words: tuple[str, ...], foreign: bool = False) -> Compiler | None:
    note_program(words[0])
    target, version = _said((*words, "-dumpmachine")), _first_line((*words, "--version"))
    isa = _ARCHITECTURES.get(re.split("-", target.strip())[0].lower())
    return Compiler(words, version, isa, foreign=foreign) if isa and version else None


def _cxx_driver(command: tuple[str, ...]) -> tuple[str, ...]:
    """g++ for gcc, clang++ for clang, c++ for cc."""
    path = Path(command[0])
    for c, cxx in _CXX:
        if c in path.name and cxx not in path.name:
            return (str(path.with_name(path.name.replace(c, cxx))), *command[1:])
    return command


@lru_cache(maxsize=16)
def _first_line(command: tuple[str, ...]) -> str:
    return next(iter(_said(command).splitlines()), "")


def _said(command: tuple[str, ...]) -> str:
    answer = _answered(command)
    return "" if answer is None or answer.code else answer.text


def _answered(command: tuple[str, ...]) -> _Answer | None:
    """Exit code and output of a command; kept from before, as long as the program's file is the same."""
    key = _key(command)
    kept = _ANSWERS.read_json(key, _Answer) if key else None
    if kept is not None:
        return _Answer(**kept)
    try:
        done = running.run(command, running.Limits(_SECONDS))
    except ToolError:
        return None
    if key:
        _ANSWERS.write(key, json.dumps({"code": done.code, "text": done.text}).encode())
    return _Answer(done.code, done.text)


def _key(command: tuple[str, ...]) -> str:
    """The key of a compiler's answer; empty where it is not known whose answer it is."""
    program = shutil.which(command[0])
    if program is None:
        return ""
    path = Path(program).resolve()
    try:
        with path.open("rb") as file:
            compiled = file.read(4) == b"\x7fELF"
        if not compiled or not _OWN_ANSWER.fullmatch(path.name):
            return ""
        return cache.key_of(*command, *cache.state_of(path), *(os.environ.get(name, "") for name in _ELSEWHERE))
    except OSError:
        return ""
