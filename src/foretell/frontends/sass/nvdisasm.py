"""NVIDIA's disassembler: found, run, and its answers kept by content."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sysconfig
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import Any

from foretell.errors import InputError, ToolError

_TIMEOUT_S = 300
#: raised when what is kept changes its form
_CACHE_FORM = 1


def disassemble(cubin: bytes, symbol: int | None) -> list[Any]:
    """nvdisasm's JSON of the kernel with this symbol-table index, or of all kernels."""
    tool = find()
    place = _cache_file(cubin, symbol, tool)
    kept = _kept(place)
    if kept is None:
        kept = _run(tool, cubin, symbol)
        _keep(place, kept)
    return kept


@lru_cache(maxsize=1)
def find() -> Path:
    """nvdisasm of the Python package nvidia-cuda-nvdisasm, or on the PATH."""
    packages = Path(sysconfig.get_paths()["purelib"])
    for candidate in sorted(packages.glob("nvidia/*/bin/nvdisasm"), reverse=True):
        if os.access(candidate, os.X_OK):
            return candidate
    found = shutil.which("nvdisasm")
    if found is None:
        raise ToolError("machine code needs nvdisasm: pip install 'foretell[gpu]'")
    return Path(found)


def cache_folder() -> Path:
    """Where disassemblies are kept: FORETELL_CACHE, or the user's cache folder."""
    given = os.environ.get("FORETELL_CACHE")
    if given:
        return Path(given)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "foretell"


def _run(tool: Path, cubin: bytes, symbol: int | None) -> list[Any]:
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(cubin)
        file.flush()
        chosen = [] if symbol is None else ["-fun", str(symbol)]
        command = [str(tool), "-json", *chosen, file.name]
        try:
            done = subprocess.run(command, capture_output=True, timeout=_TIMEOUT_S, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise ToolError(f"nvdisasm did not run: {error}") from None
    if done.returncode:
        reason = done.stderr.decode("utf-8", "replace").replace(file.name, "the cubin").strip()
        raise InputError(f"nvdisasm cannot read this cubin: {reason[:300]}")
    return _parsed(done.stdout)


def _parsed(text: bytes) -> list[Any]:
    try:
        answer = json.loads(text)
    except ValueError:
        raise ToolError("nvdisasm gave no JSON; version 12.8 or later is needed") from None
    if not (isinstance(answer, list) and len(answer) == 2 and isinstance(answer[1], list)):
        raise ToolError("nvdisasm gave JSON of a form that is not understood")
    return answer


def _cache_file(cubin: bytes, symbol: int | None, tool: Path) -> Path:
    """The key holds all that the answer depends on: the cubin, the kernel, and the tool itself."""
    status = tool.stat()
    key = hashlib.sha256(cubin)
    key.update(f"|{symbol}|{status.st_size}|{status.st_mtime_ns}|{_CACHE_FORM}".encode())
    return cache_folder() / "nvdisasm" / f"{key.hexdigest()}.json"


def _kept(place: Path) -> list[Any] | None:
    try:
        return _parsed(place.read_bytes())
    except (OSError, ToolError):
        return None


def _keep(place: Path, answer: list[Any]) -> None:
    """Written beside and moved into place, so that no reader sees half a file; a full disk is no error."""
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=place.parent, delete=False) as file:
            json.dump(answer, file)
        Path(file.name).replace(place)
    except OSError:
        return
