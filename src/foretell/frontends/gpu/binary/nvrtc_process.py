"""Compiles CUDA source with NVRTC, NVIDIA's compiler as a library; run as a process of its own, which may be ended.

    python nvrtc_process.py LIBRARY SOURCE OUTPUT OPTION…

Writes the cubin to OUTPUT, messages to standard error. It imports nothing of foretell, to start quickly.
"""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path


def compiled(nvrtc: ctypes.CDLL, source: Path, options: list[str]) -> tuple[bytes, str]:
    """The cubin, empty if there is none, and the compiler's messages."""
    program = ctypes.c_void_p()
    name = str(source).encode()
    if nvrtc.nvrtcCreateProgram(ctypes.byref(program), source.read_bytes(), name, 0, None, None):
        return b"", "NVRTC cannot begin"
    words = (ctypes.c_char_p * len(options))(*(option.encode() for option in options))
    failed = nvrtc.nvrtcCompileProgram(program, len(options), words)
    messages = _taken(nvrtc.nvrtcGetProgramLogSize, nvrtc.nvrtcGetProgramLog, program)
    cubin = b"" if failed else _taken(nvrtc.nvrtcGetCUBINSize, nvrtc.nvrtcGetCUBIN, program)
    nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
    return cubin, messages.rstrip(b"\0").decode(errors="replace")


def _taken(size_of: ctypes._NamedFuncPointer, content_of: ctypes._NamedFuncPointer, program: ctypes.c_void_p) -> bytes:
    size = ctypes.c_size_t()
    size_of(program, ctypes.byref(size))
    content = ctypes.create_string_buffer(size.value)
    content_of(program, content)
    return content.raw


def main(library: str, source: str, output: str, *options: str) -> int:
    """Compiles one file; returns the exit code."""
    for builtins in sorted(Path(library).parent.glob("libnvrtc-builtins.so*")):
        ctypes.CDLL(str(builtins))  # NVRTC opens it by its name alone, and finds it if it is loaded
    cubin, messages = compiled(ctypes.CDLL(library), Path(source), list(options))
    sys.stderr.write(messages)
    if not cubin:
        return 1
    Path(output).write_bytes(cubin)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
