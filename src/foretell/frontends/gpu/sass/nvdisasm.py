"""Finds and runs NVIDIA's disassembler, and caches its output by content.

It takes most of its time to start (0.7 s on a Neoverse N1, as long as 20,000 instructions): the code of many kernels is
disassembled together, as one piece of raw code.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import sysconfig
import tempfile
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foretell import cache, running
from foretell.core.gpu.sass import INSTRUCTION_BYTES
from foretell.errors import InputError, ToolError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_TIMEOUT_S, _MOST_OUTPUT = 300, 2 << 30
_LISTINGS = cache.Kind("nvdisasm", version=1)
#: instructions whose last operand is an address of code
_JUMPS = frozenset(("BRA", "BSSY"))
#: instructions with addresses of code in other forms: kernels with these are disassembled one at a time
_OTHER_JUMPS = frozenset(("BRX", "BRXU", "CALL", "JMP", "JMX", "LEPC", "RET", "WARPSYNC"))


@dataclass(frozen=True, slots=True)
class Single:
    """A kernel as a separate cubin, with the index of its symbol there, and its bare code."""

    cubin: bytes
    symbol: int
    name: str
    arch: int
    code: bytes


def disassemble(cubin: bytes, symbol: int | None) -> list[Any]:
    """nvdisasm's JSON of the kernel with this symbol-table index, or of all kernels."""
    tool = find()
    key = cache.key_of(*cache.state_of(tool), cubin, symbol)
    kept = _LISTINGS.read(key)
    if kept is not None:
        try:
            return _parsed(kept)
        except ToolError as error:
            _LISTINGS.drop(key, str(error))
    answer = _run(tool, cubin, [] if symbol is None else ["-fun", str(symbol)])
    _LISTINGS.write(key, json.dumps(answer).encode())
    return answer


def disassemble_together(kernels: Iterable[Single]) -> None:
    """Disassembles kernels that refer to nothing outside of their code, and caches the listings. What cannot be
    disassembled so is left to `disassemble`."""
    tool = find()
    by_arch: dict[int, dict[str, Single]] = {}
    for kernel in kernels:
        key = cache.key_of(*cache.state_of(tool), kernel.cubin, kernel.symbol)
        if _LISTINGS.read(key) is None:
            by_arch.setdefault(kernel.arch, {})[key] = kernel
    for arch, missing in by_arch.items():
        if len(missing) > 1:
            _disassemble_raw(tool, arch, missing)


def _disassemble_raw(tool: Path, arch: int, kernels: dict[str, Single]) -> None:
    code = b"".join(kernel.code for kernel in kernels.values())
    try:
        answer = _run(tool, code, ["-b", f"SM{arch}"])
        entries = answer[1][0]["sass-instructions"]
    except (InputError, LookupError):  # as code of a later architecture
        return
    if len(entries) * INSTRUCTION_BYTES != len(code):
        return
    start = 0
    for key, kernel in kernels.items():
        count = len(kernel.code) // INSTRUCTION_BYTES
        own = _moved(entries[start : start + count], start * INSTRUCTION_BYTES)
        if own is not None:
            function = {"function-name": kernel.name, "start": 0, "sass-instructions": own}
            _LISTINGS.write(key, json.dumps([answer[0], [function]]).encode())
        start += count


def _moved(entries: Sequence[dict[str, Any]], start: int) -> list[dict[str, Any]] | None:
    """Instructions with addresses relative to their own start; None if some may have addresses in other forms."""
    result = []
    for entry in entries:
        base, _, _ = entry["opcode"].partition(".")
        if base in _OTHER_JUMPS and entry.get("operands"):
            return None
        if base in _JUMPS:
            before, comma, target = entry["operands"].rpartition(",")
            if not target.startswith("0x"):
                return None
            entry = {**entry, "operands": f"{before}{comma}{int(target, 16) - start:#x}"}
        result.append(entry)
    return result


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


def _run(tool: Path, code: bytes, options: list[str]) -> list[Any]:
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(code)
        file.flush()
        command = [str(tool), "-json", *options, file.name]
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
    if not (
        isinstance(answer, list)
        and len(answer) == 2
        and isinstance(answer[1], list)
        and all(map(_is_listed, answer[1]))
    ):
        raise ToolError("nvdisasm gave JSON of a form that is not understood")
    return answer


def _is_listed(function: Any) -> bool:
    """Whether a function has the form that is read: a name, a start, and instructions of texts."""
    if not isinstance(function, dict) or not isinstance(function.get("function-name"), str):
        return False
    entries, start = function.get("sass-instructions"), function.get("start")
    if not isinstance(entries, list) or type(start) is not int or start < 0:
        return False
    if not set(map(type, entries)) <= {dict}:
        return False
    kinds = {type(entry.get("opcode")) for entry in entries}
    kinds |= {type(entry.get(name, "")) for name in ("operands", "predicate") for entry in entries}
    return kinds <= {str}
