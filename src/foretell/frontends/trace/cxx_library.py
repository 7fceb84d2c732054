"""The C++ library of traced programs: that of the system's g++ where there is one, otherwise ziglang's.

ziglang brings its library (libc++) as source and builds it when a program is first linked: more than a minute. The
library of g++ is built already, and is the one that the user's own builds use.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from foretell import running

#: the flag by which clang's users ask for the other library
OTHER = "-stdlib=libc++"
_SECONDS = 60
#: headers that include those of C and of the compiler: where they compile, others do
_TRIAL = tuple(word for header in ("cmath", "vector", "iostream") for word in ("-include", header))


@dataclass(frozen=True, slots=True)
class SystemLibrary:
    """How a program is compiled to LLVM IR with the headers of g++, and linked with its library."""

    compiler: tuple[str, ...]
    linker: tuple[str, ...]


@lru_cache(maxsize=1)
def system_library() -> SystemLibrary | None:
    """The library of g++, if ziglang's clang compiles with its headers."""
    linker, zig = shutil.which("g++"), importlib.util.find_spec("ziglang")
    if linker is None or zig is None or zig.origin is None:
        return None
    target, libgcc, sysroot = (
        _answer(linker, word) for word in ("-dumpmachine", "-print-libgcc-file-name", "-print-sysroot")
    )
    if "linux" not in target or not Path(libgcc).is_absolute():
        return None
    folder = Path(zig.origin).parent
    compiler = (
        *(str(folder / "zig"), "clang", "--driver-mode=g++", "-march=native", f"--target={target}"),
        *("-resource-dir", str(folder / "lib"), f"--gcc-install-dir={Path(libgcc).parent}"),
        *((f"--sysroot={sysroot}",) if sysroot else ()),
    )
    trial = running.run((*compiler, *_TRIAL, "-fsyntax-only", "-x", "c++", os.devnull), running.Limits(_SECONDS))
    return None if trial.code else SystemLibrary(compiler, (linker,))


def _answer(program: str, word: str) -> str:
    return running.run((program, word), running.Limits(_SECONDS)).text.strip()
