"""Compilers: sources to LLVM IR, IR to objects and programs. ziglang from PyPI, or the system's clang and flang."""

from __future__ import annotations

import importlib.util
import platform
import re
import shutil
import sys
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from foretell import cache, running
from foretell.errors import InputError, ToolError, UnsupportedError
from foretell.frontends.trace.cxx_library import OTHER, SystemLibrary, system_library

C = frozenset({".c"})
CXX = frozenset({".cc", ".cpp", ".cxx", ".c++"})
FORTRAN = frozenset({".f90", ".f95", ".f03", ".f08", ".f", ".for"})
IR = frozenset({".ll", ".bc"})
SUFFIXES = C | CXX | FORTRAN | IR

#: The schedule must reflect the source: no fused or reordered operations, loops as written, and values carried
#: between iterations in memory stay there.
_PLAIN = (
    "-ffp-contract=off",
    "-fno-vectorize",
    "-fno-slp-vectorize",
    "-fno-unroll-loops",
    *("-mllvm", "-enable-pre=false"),
    *("-mllvm", "-enable-load-pre=false"),
    *("-mllvm", "-disable-licm-promotion"),
    *("-mllvm", "-runtime-check-per-loop-load-elim=0"),
)
_FLANGS = ("flang", "flang-22", "flang-21", "flang-20", "flang-new-19", "flang-19", "flang-new-16", "flang-new")
_SECONDS = 300
_PRODUCT = re.compile(
    r"mul \(i64 ptrtoint \(ptr getelementptr \(((?:(?!ptr null).)+), ptr null, i32 1\) to i64\), i64 (\d+)\)"
)
#: the runtime of traced programs: how it is compiled, and its objects, which are linked into the user's program
_RUNTIME = ("-std=c++20", "-O3", "-march=native", "-fno-exceptions", "-fno-rtti", "-w")
#: declarations that the C front end brings for headers that are not installed
_HEADERS = Path(__file__).parents[1] / "c" / "headers"
_RUNTIMES = cache.Kind("trace-runtime", version=1)
#: how an object file begins: ELF, or 64-bit Mach-O
_OBJECT = (b"\x7fELF", b"\xcf\xfa\xed\xfe")
_REMARK = re.compile(r"^(?:remark: )?(.*?):(\d+):\d+: (?:remark: )?vectorized loop", re.M)


@dataclass(frozen=True, slots=True)
class Toolchain:
    """The compilers of one build; `folder` holds their output. `brings_library`: C++ may have the library of the
    system's g++ instead of the compiler's."""

    c: tuple[str, ...]
    cxx: tuple[str, ...]
    folder: Path
    brings_library: bool = False

    def to_ir(self, source: Path, flags: tuple[str, ...]) -> str:
        """Compiles a file to unoptimised LLVM IR."""
        suffix = source.suffix.lower()
        if suffix == ".ll":
            return source.read_text(errors="replace")
        own = self.folder / f"source{len(list(self.folder.iterdir()))}"
        own.mkdir()
        target = own / "raw.ll"
        if suffix == ".bc":
            command: tuple[str, ...] = (*self.c, "-S", "-emit-llvm", str(source))
        else:
            copy = own / source.name
            copy.write_text(marked(source))
            command = (*self._compiler(source, flags), *flags, "-S", "-emit-llvm", str(copy))
        self._run(source, *command, "-o", str(target), hint=self._hint(suffix in CXX, flags))
        return folded(target.read_text())

    def _library(self, flags: tuple[str, ...]) -> SystemLibrary | None:
        return system_library() if self.brings_library and OTHER not in flags else None

    def _hint(self, cxx: bool, flags: tuple[str, ...]) -> str:
        """What may help a C++ source that does not compile: a newer library."""
        used = self._library(flags) if cxx else None
        return f"its headers are those of {used.linker[0]}; --cflags {OTHER} takes ziglang's" if used else ""

    def _compiler(self, source: Path, flags: tuple[str, ...]) -> tuple[str, ...]:
        """The compiler command of a source, with output of unoptimised IR."""
        suffix = source.suffix.lower()
        if suffix in FORTRAN:
            return flang(), "-O0", "-g", f"-I{source.parent}"
        library = self._library(flags) if suffix in CXX else None
        compiler = library.compiler if library else self.cxx if suffix in CXX else self.c
        plain = ("-O2", "-g1", "-ffp-contract=off", "-w", "-Xclang", "-disable-llvm-passes")
        return *compiler, *plain, "-iquote", str(source.parent), "-idirafter", str(_HEADERS)

    def canonical(self, text: str, name: str) -> str:
        """IR in canonical form: values in registers, small functions inlined, loops simplified."""
        source, target = self.folder / f"{name}.in.ll", self.folder / f"{name}.ll"
        source.write_text(text)
        self._run(source, *self.c, "-O2", "-w", *_PLAIN, "-S", "-emit-llvm", str(source), "-o", str(target))
        return target.read_text()

    def vectorised(self, text: str, name: str) -> frozenset[tuple[str, int]]:
        """File and line of every loop that the compiler vectorises for the host processor."""
        source = self.folder / f"{name}.vec.ll"
        source.write_text(text)
        done = self._run(
            source,
            *(*self.c, "-O2", "-march=native", "-ffp-contract=off", "-Rpass=loop-vectorize"),
            *("-c", str(source), "-o", str(self.folder / f"{name}.vec.o")),
        )
        return frozenset((Path(file).name, int(line)) for file, line in _REMARK.findall(done.messages))

    def compiled(self, text: str, name: str) -> Path:
        """Compiles instrumented IR to an object for the host processor."""
        source, target = self.folder / f"{name}.traced.ll", self.folder / f"{name}.o"
        source.write_text(text)
        plain = ("-O2", "-w", "-march=native", "-ffp-contract=off", "-fno-vectorize", "-fno-slp-vectorize")
        self._run(source, *self.c, *plain, "-c", str(source), "-o", str(target))
        return target

    def linked(self, objects: list[Path], fortran: bool, cxx: bool, flags: tuple[str, ...] = ()) -> Path:
        """Links the instrumented program; `flags` are those that its sources were compiled with."""
        target = self.folder / "program"
        parts = [*(str(one) for one in (*objects, self.runtime())), "-o", str(target), "-lpthread", "-lm"]
        *first, last = ((flang(),),) if fortran else self.linkers(cxx, flags)
        if all(running.run((*driver, *parts), running.Limits(_SECONDS)).code for driver in first):
            self._run(objects[0], *last, *parts)
        return target

    def linkers(self, cxx: bool, flags: tuple[str, ...] = ()) -> tuple[tuple[str, ...], ...]:
        """Commands that link a program, the best first. ziglang builds parts of its libraries when it links for the
        first time, so the system's compiler is asked before; `-O2`: not those that look for undefined behaviour."""
        if cxx:
            library = self._library(flags)
            return (library.linker,) if library else ((*self.cxx, "-O2"),)
        system = shutil.which("cc")
        return ((system,), (*self.c, "-O2")) if system and self.brings_library else ((*self.c, "-O2"),)

    def runtime(self) -> Path:
        """The runtime's engines, compiled for the host processor. What is linked is a copy of checked bytes in the
        private folder of this build; it is compiled once for each compiler version and set of processor features."""
        sources = runtime_sources()
        target = self.folder / "runtime.o"
        key = cache.key_of(*(file.read_bytes() for file in sources), *self.cxx, self._version(), features(), *_RUNTIME)
        kept = _RUNTIMES.read(key)
        if kept is not None and kept.startswith(_OBJECT):
            target.write_bytes(kept)
            return target
        main = next(file for file in sources if file.name == "runtime.cpp")
        self._run(main, *self.cxx, *_RUNTIME, "-c", str(main), "-o", str(target))
        _RUNTIMES.write(key, target.read_bytes())
        return target

    def _version(self) -> str:
        return self._run(Path(self.cxx[0]), *self.cxx, "--version").text

    def _run(self, source: Path, *command: str, hint: str = "") -> running.Finished:
        done = running.run(command, running.Limits(_SECONDS))
        if done.code:
            lines = [line for line in done.messages.splitlines() if "error" in line] or done.messages.splitlines()
            first = re.sub(rf"{re.escape(str(self.folder))}/source\d+/", "", lines[0] if lines else "no message")
            raise InputError(f"does not compile: {first}", file=source, hint=hint or None)
        return done


def toolchain(folder: Path) -> Toolchain:
    """The toolchain: ziglang from PyPI if it is installed, otherwise the system's clang."""
    if importlib.util.find_spec("ziglang") is not None:
        zig = (sys.executable, "-m", "ziglang")
        return Toolchain((*zig, "cc"), (*zig, "c++"), folder, brings_library=True)
    if (c := shutil.which("clang")) and (cxx := shutil.which("clang++")):
        return Toolchain((c,), (cxx,), folder)
    raise ToolError(
        "tracing needs a compiler that writes LLVM IR, and there is none: "
        "pip install 'foretell[trace]' installs one (ziglang); the system's clang works, too"
    )


def flang() -> str:
    """The system's Fortran compiler that emits LLVM IR."""
    for name in _FLANGS:
        if found := shutil.which(name):
            return found
    raise ToolError(
        "tracing Fortran needs flang, and there is none: install it (Debian: apt install flang-19), "
        "or give LLVM IR (.ll) that it wrote elsewhere"
    )


@lru_cache(maxsize=1)
def features() -> str:
    """The instruction sets of this processor: code for `-march=native` of one is wrong on another."""
    try:
        text = Path("/proc/cpuinfo").read_text(errors="replace")
    except OSError:
        text = ""
    words = re.search(r"^(?:flags|Features)[ \t]*:(.*)$", text, re.M)
    return f"{platform.machine()} {words[1].strip() if words else platform.processor()}"


def runtime_sources() -> list[Path]:
    """The C++ sources of the engines; they are installed with the compiled core."""
    spec = importlib.util.find_spec("foretell._core")
    folder = Path(spec.origin).parent / "trace_runtime" if spec and spec.origin else Path()
    sources = sorted(folder.glob("*.?pp"))
    if not sources:
        raise ToolError(f"the sources of the trace engines are missing ({folder}): install foretell again")
    return sources


def folded(text: str) -> str:
    """IR with products of constants folded: flang 19 writes array sizes as such, and newer readers reject them."""
    return _PRODUCT.sub(r"ptrtoint (ptr getelementptr (\1, ptr null, i64 \2) to i64)", text)


def marked(source: Path) -> str:
    """A source in which `#pragma foretell sync` and `!$foretell sync` are calls that the runtime counts."""
    try:
        text = source.read_text(errors="replace")
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=source) from None
    if source.suffix.lower() in FORTRAN:
        return re.sub(r"(?mi)^([ \t]*)!\$foretell[ \t]+sync\b.*$", r"\1call ft_sync_mark", text)
    return re.sub(
        r"(?m)^[ \t]*#[ \t]*pragma[ \t]+foretell[ \t]+sync\b.*$",
        '{ extern void ft_sync_mark_(void) __asm__("ft_sync_mark_"); ft_sync_mark_(); }',
        text,
    )


def check_suffix(source: Path) -> None:
    """Rejects a file that cannot be traced."""
    if source.suffix.lower() not in SUFFIXES:
        raise UnsupportedError(
            f"cannot trace {source.suffix!r} files", file=source, hint="C, C++, Fortran, .ll and .bc can be traced"
        )
    if not source.is_file():
        raise InputError("no such file", file=source)
