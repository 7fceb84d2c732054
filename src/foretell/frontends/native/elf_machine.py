"""Recognises objects and executables of CPUs by the header of their files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.errors import InputError
from foretell.files import opened

if TYPE_CHECKING:
    from pathlib import Path

#: e_machine of the ELF header
_MACHINES = {62: "x86-64", 183: "aarch64"}


def is_cpu_object(path: Path) -> bool:
    """Whether a file is an ELF object or executable of a CPU, with code of its own and none of a GPU."""
    if not path.is_file():  # reading a pipe would block
        return False
    return bool(instruction_set(path)) and not _has_gpu_code(path)


def instruction_set(path: Path) -> str:
    """The instruction set of an ELF file of a CPU; empty for others."""
    try:
        with opened(path) as handle:
            header = handle.read(20)
    except (OSError, ValueError):
        return ""
    elf = header[:4] == b"\x7fELF" and header[4:6] == b"\x02\x01"
    return _MACHINES.get(int.from_bytes(header[18:20], "little"), "") if elf else ""


def _has_gpu_code(path: Path) -> bool:
    from foretell.frontends.gpu.binary.elf import Source, open_elf

    try:
        with opened(path) as handle:
            return any(section.name.startswith(".nv") for section in open_elf(Source(handle)).sections)
    except InputError:
        return False
