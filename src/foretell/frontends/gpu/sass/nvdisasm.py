"""Finds and runs NVIDIA's disassembler, and caches its output by content."""

from __future__ import annotations

import json
import os
import shutil
import sys
import sysconfig
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import Any

from foretell import cache, running
from foretell.errors import InputError, ToolError

_TIMEOUT_S, _MOST_OUTPUT = 300, 2 << 30
_LISTINGS = cache.Kind("nvdisasm", version=1)


def disassemble(cubin: bytes, symbol: int | None) -> list[Any]:
    """nvdisasm's JSON of the kernel with this symbol-table index, or of all kernels."""
    tool = find()
    key = cache.key_of(*cache.state_of(tool), cubin, symbol)
    kept = _LISTINGS.read(key)
    if kept is not None:
        return _parsed(kept)
    answer = _run(tool, cubin, symbol)
    _LISTINGS.write(key, json.dumps(answer).encode())
    return answer


@lru_cache(maxsize=1)
def find() -> Path:
    """Finds nvdisasm in the Python package nvidia-cuda-nvdisasm, or on the PATH."""
    packages = [sysconfig.get_paths()["purelib"], *(folder for folder in sys.path if folder)]  # also a user's own
    for folder in dict.fromkeys(packages):
        for candidate in sorted(Path(folder).glob("nvidia/*/bin/nvdisasm"), reverse=True):
            if os.access(candidate, os.X_OK):
                return candidate
    found = shutil.which("nvdisasm")
    if found is None:
        raise ToolError("machine code needs nvdisasm: pip install 'foretell[gpu]'")
    return Path(found)


def _run(tool: Path, cubin: bytes, symbol: int | None) -> list[Any]:
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(cubin)
        file.flush()
        chosen = [] if symbol is None else ["-fun", str(symbol)]
        command = [str(tool), "-json", *chosen, file.name]
        try:
            done = running.run(command, running.Limits(_TIMEOUT_S, output_bytes=_MOST_OUTPUT))
        except running.NotStartedError as error:
            raise ToolError(f"nvdisasm did not run: {error.reason}") from None
    if done.code:
        reason = done.messages.replace(file.name, "the cubin").strip()
        raise InputError(f"nvdisasm cannot read this cubin: {reason[:300]}")
    return _parsed(done.output)


def _parsed(text: bytes) -> list[Any]:
    try:
        answer = json.loads(text)
    except ValueError:
        raise ToolError("nvdisasm gave no JSON; version 12.8 or later is needed") from None
    if not (isinstance(answer, list) and len(answer) == 2 and isinstance(answer[1], list)):
        raise ToolError("nvdisasm gave JSON of a form that is not understood")
    return answer
