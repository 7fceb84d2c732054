"""Files that no front end reads: the sentence that helps for each kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.errors import InputError, UnsupportedError
from foretell.files import opened
from foretell.frontends.gpu.binary.elf import MACHINE_CUDA

if TYPE_CHECKING:
    from pathlib import Path

_PROFILED = "foretell profile -o app.json -- PROGRAM counts a run, and predict app.json carries it over to other CPUs"
#: suffix -> (what such a file is, the way to a prediction)
_WAYS = {
    ".ll": ("LLVM IR", "foretell describe {0} --trace -o {1}.trace follows it while it runs; then predict {1}.trace"),
    ".bc": ("LLVM bitcode", "llvm-dis {0} makes {1}.ll of it; then foretell describe {1}.ll --trace"),
    ".hip": ("HIP", "AMD's machine code is not modelled; as CUDA source (.cu) it can be predicted for NVIDIA's GPUs"),
    ".cl": ("OpenCL", "there is no front end for it; write the kernel as CUDA (.cu) or its loops in C"),
    ".py": ("Python", f"there is no front end for it; {_PROFILED}"),
    ".rs": ("Rust", f"there is no front end for it; {_PROFILED}"),
    ".go": ("Go", f"there is no front end for it; {_PROFILED}"),
    ".jl": ("Julia", f"there is no front end for it; {_PROFILED}"),
    ".java": ("Java", f"there is no front end for it; {_PROFILED}"),
    ".hpp": ("a C++ header", "give the file that includes it"),
    ".hh": ("a C++ header", "give the file that includes it"),
    ".cuh": ("a CUDA header", "give the .cu file that includes it"),
}
_BINARIES = (".cubin", ".fatbin")
_MAGIC = (b"\x7fELF", (0xBA55ED50).to_bytes(4, "little"))
_READS = (
    "foretell reads C and Fortran (files, folders, compile_commands.json), functions of C++, assembly (.s), objects, "
    "and executables (FILE:FUNCTION), CUDA (.cu), PTX, GPU code (.cubin, .fatbin, .sass, executables) with its launch, "
    "Triton kernels (FILE.py:KERNEL), .capture, profiles of counter tools, .trace, .prog, and workload files (.toml)"
)


def refuse(path: Path) -> UnsupportedError:
    """Why a file is not read, and what to do instead."""
    known = _WAYS.get(path.suffix.lower())
    if known is None:
        kind = f"{path.suffix!r} files" if path.suffix else "files without a suffix"
        return UnsupportedError(f"no front end for {kind}, and no profile in it", file=path, hint=_READS)
    kind, way = known
    return UnsupportedError(f"is {kind}, which is not read itself", file=path, hint=way.format(path, path.stem))


def check_machine_code(path: Path) -> None:
    """Refuses an empty file, and a program for CPUs without GPU code, before a launch is asked for."""
    from foretell.frontends.gpu.binary.nvcc import SOURCES  # lazy: readers of GPU code take time to import

    if not path.is_file() or path.suffix in SOURCES:
        return
    try:
        with opened(path) as handle:
            head = handle.read(20)
            if not head:
                raise InputError("is empty", file=path)
            if path.suffix in _BINARIES and not head.startswith(_MAGIC):
                raise InputError("is no GPU code: neither an ELF file nor a fatbin", file=path)
            if head[:4] != b"\x7fELF" or int.from_bytes(head[18:20], "little") == MACHINE_CUDA:
                return
            handle.seek(0)
            if b"fatbin" in handle.read():
                return
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=path) from None
    raise UnsupportedError("is a program for CPUs, without GPU code", file=path, hint=_PROFILED)
