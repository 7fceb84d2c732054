"""Disassembles an object file with objdump (binutils)."""

from __future__ import annotations

import re
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from foretell import running
from foretell.errors import ToolError

if TYPE_CHECKING:
    from collections.abc import Iterator, Set

    from foretell.uses.profiling.limited_run import Limits

_INSTRUCTION = re.compile(r"\s*([0-9a-f]+):\s+([a-z][^#]*)")
_NAME = re.compile(r"\s*<[^>]*>")


def possible() -> bool:
    """Whether objdump is installed."""
    return shutil.which("objdump") is not None


def instructions(file: str, limits: Limits, among: Set[int] | None = None) -> Iterator[tuple[int, str]]:
    """Yields address and text of each instruction, without comments and symbols; none for what is no file (the kernel's
    vdso). `among`: only these addresses, as a library has a hundred instructions for each that runs."""
    if not Path(file).is_file():
        return
    with tempfile.TemporaryFile("w+b") as listing:
        command = ["objdump", "-d", "--no-show-raw-insn", "--", file]
        done = running.run(command, limits, output=listing, whole=False)
        if done.code:
            raise ToolError(f"objdump cannot disassemble {file}")
        listing.seek(0)
        for line in listing:
            if among is not None and _address(line) not in among:
                continue
            if match := _INSTRUCTION.match(line.decode(errors="replace")):
                yield int(match[1], 16), _NAME.sub("", match[2]).strip()


def _address(line: bytes) -> int:
    """The address of the instruction on a line; -1 for other lines."""
    try:
        return int(line.partition(b":")[0], 16)
    except ValueError:
        return -1
