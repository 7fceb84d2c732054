"""Libraries of CUDA that a program was linked with: their code is closed, and only a GPU runs it."""

from __future__ import annotations

import shutil
import struct
from pathlib import Path
from typing import TYPE_CHECKING

from foretell.errors import InputError
from foretell.frontends.gpu.binary.elf import Source, open_elf, string

if TYPE_CHECKING:
    from foretell.frontends.gpu.binary.elf import Elf

#: how the names of a library's file begin, and those of its functions
_CLOSED = {
    "libcublasLt": "cublasLt",
    "libcublas": "cublas",
    "libcudnn": "cudnn",
    "libcufft": "cufft",
    "libcurand": "curand",
    "libcusolver": "cusolver",
    "libcusparse": "cusparse",
    "libnccl": "nccl",
    "libnpp": "npp",
    "libnvjpeg": "nvjpeg",
}
_ESTIMATED_STEMS = ("libcublas", "libcublasLt", "libcufft", "libcurand")
_NEEDED, _DYNAMIC, _SYMBOL = 1, struct.Struct("<qQ"), struct.Struct("<IBBHQQ")
_SHOWN = 5
#: the library with what is computed here of them, where the user wants their times estimated
ESTIMATED = "libforetell_libraries.so"


def closed_libraries(program: str, here: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """What a program needs of them, each library with its functions; empty for a file that is no ELF file. `here`:
    functions that there are, and libraries of which nothing else is needed are not listed."""
    path = shutil.which(program)
    if path is None:
        return ()
    try:
        with Path(path).open("rb") as file:
            return _described(open_elf(Source(file)), here)
    except (InputError, OSError):
        return ()


def exported(library: Path) -> frozenset[str]:
    """The functions of a library."""
    with library.open("rb") as file:
        return frozenset(_symbols(open_elf(Source(file)), defined=True))


def _described(elf: Elf, here: frozenset[str]) -> tuple[str, ...]:
    needed = [name for name in _needed(elf) if name.split(".")[0] in _CLOSED or name.startswith("libnpp")]
    functions = _symbols(elf, defined=False)
    described = [_with_functions(name, functions, here) for name in needed]
    return tuple(filter(None, described))


def _with_functions(library: str, functions: list[str], here: frozenset[str]) -> str:
    stem = "libnpp" if library.startswith("libnpp") else library.split(".")[0]
    asked = [name for name in functions if name.startswith(_CLOSED[stem])]
    own = sorted(set(asked) - here)
    if not own and stem in _ESTIMATED_STEMS and here:
        return ""
    more = f" and {len(own) - _SHOWN} more" if len(own) > _SHOWN else ""
    return f"{library} ({', '.join(own[:_SHOWN])}{more})" if own else library


def _needed(elf: Elf) -> list[str]:
    names = elf.content(elf.find(".dynstr"))
    data = elf.content(elf.find(".dynamic"))
    entries = _DYNAMIC.iter_unpack(data[: len(data) - len(data) % _DYNAMIC.size])
    return [string(names, value) for tag, value in entries if tag == _NEEDED]


def _symbols(elf: Elf, *, defined: bool) -> list[str]:
    """Functions that this file defines, or other files do."""
    names = elf.content(elf.find(".dynstr"))
    data = elf.content(elf.find(".dynsym"))
    entries = _SYMBOL.iter_unpack(data[: len(data) - len(data) % _SYMBOL.size])
    return [string(names, name) for name, _, _, section, _, _ in entries if (section != 0) == defined]
