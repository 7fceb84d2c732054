"""Compiles CUDA source where nvcc is not installed: with NVRTC, from its Python package nvidia-cuda-nvrtc.

NVRTC compiles device code only: a file with host code (`main`, `<<<…>>>`, headers of the C++ library) needs nvcc. Its
code may differ slightly from nvcc's of the same release.
"""

from __future__ import annotations

import os
import re
import sys
import sysconfig
from functools import lru_cache
from pathlib import Path

from foretell import running
from foretell.files import real, temporary_folder

_PROCESS = Path(__file__).with_name("nvrtc_process.py")
_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)
#: flags of nvcc that NVRTC does not know, and that it needs not: it optimises always
_LEFT_OUT = re.compile(r"-O[0-3]|--optimize=[0-3]")
_DEEPEST = 16


@lru_cache(maxsize=1)
def find() -> Path | None:
    """The library in one of the folders of Python packages; None if it is not installed."""
    for folder in _packages():
        for candidate in sorted(folder.glob("nvidia/*/lib/libnvrtc.so.*"), reverse=True):
            if os.access(candidate, os.R_OK):
                return candidate
    return None


def _packages() -> list[Path]:
    names = [sysconfig.get_paths()["purelib"], *(folder for folder in sys.path if folder)]  # also a user's own
    return [Path(name) for name in dict.fromkeys(names)]


def options_for(path: Path, arch: int, flags: tuple[str, ...]) -> tuple[str, ...]:
    """Options of NVRTC that say what these flags of nvcc say. Headers are looked for beside the source, and in the
    Python packages of CUDA."""
    headers = [f"-I{folder}" for package in _packages() for folder in sorted(package.glob("nvidia/*/include"))]
    kept = [flag for flag in flags if not _LEFT_OUT.fullmatch(flag)]
    return ("-lineinfo", f"-arch=sm_{arch}", *kept, f"-I{real(path).parent}", *headers)


def compile_source(
    library: Path, path: Path, options: tuple[str, ...], timeout_s: float
) -> tuple[bytes, str, tuple[Path, ...]]:
    """The cubin, empty if it cannot be compiled; the compiler's messages; and the source files that were read."""
    with temporary_folder() as folder:
        output = Path(folder) / "kernel.cubin"
        command = [sys.executable, "-I", _PROCESS, library, real(path), output, *options]
        done = running.run([str(word) for word in command], running.Limits(timeout_s))
        cubin = output.read_bytes() if done.code == 0 else b""
    return cubin, done.messages or done.failure, included(real(path), _folders(options))


def _folders(options: tuple[str, ...]) -> tuple[Path, ...]:
    return tuple(Path(option[2:]) for option in options if option.startswith("-I") and len(option) > 2)


def included(path: Path, folders: tuple[Path, ...], depth: int = 0) -> tuple[Path, ...]:
    """A file and those that it includes by "…", from its own folder or one of these."""
    files = {path: None}
    names = _INCLUDE.findall(path.read_bytes()) if depth < _DEEPEST else []
    for name in names:
        inside = [folder / os.fsdecode(name) for folder in (path.parent, *folders)]
        if header := next((file for file in inside if file.is_file()), None):
            files |= dict.fromkeys(included(header, folders, depth + 1))
    return tuple(files)
