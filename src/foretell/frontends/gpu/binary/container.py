"""Finds the cubins in a file: the file itself, a fatbin, or the fatbins of an executable or library.

Only headers are read until a cubin is opened: an executable of hundreds of megabytes needs no memory.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING

from foretell.errors import InputError, UnsupportedError
from foretell.frontends.gpu.binary import elf
from foretell.frontends.gpu.binary.compression import expand

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from foretell.frontends.gpu.binary.compression import Method

_FATBIN_MAGIC = 0xBA55ED50
_FATBIN = struct.Struct("<IHHQ")
_ENTRY = struct.Struct("<HHIQIIHHIIIQQQ")
_KIND_PTX, _KIND_ELF = 1, 2
_METHODS: dict[int, Method] = {0x2000: "lz4", 0x8000: "zstd"}
#: of linked code, and of code that is to be linked (nvcc -rdc=true), which linked programs also have
_FATBIN_SECTIONS = (".nv_fatbin", "__nv_relfatbin")
_LARGEST_PACKED = 512 << 20


@dataclass(frozen=True, slots=True)
class CubinEntry:
    """The position of a cubin in its file, and its architecture (90 for sm_90)."""

    source: elf.Source
    arch: int
    offset: int
    size: int
    method: Method | None = None
    expanded_size: int = 0

    def open(self) -> elf.Source:
        """The cubin; an uncompressed one is not copied."""
        if self.method is None:
            return self.source.part(self.offset, self.size)
        largest = max(self.size, self.expanded_size)
        if largest > _LARGEST_PACKED:
            raise InputError(f"a compressed cubin of {largest >> 20} MiB is larger than {_LARGEST_PACKED >> 20} MiB")
        data = self.source.read(self.offset, self.size)
        return elf.Source.of(expand(data, self.method, self.expanded_size))


def cubins(source: elf.Source) -> tuple[CubinEntry, ...]:
    """All cubins of a file, in order; InputError if there is none."""
    entries = tuple(_entries(source))
    if not entries:
        raise InputError("there is no GPU machine code in this file")
    return entries


def ptx_entries(source: elf.Source) -> tuple[CubinEntry, ...]:
    """The PTX texts of a fatbin, with the architectures that they are for."""
    start = source.read(0, min(4, source.size))
    if len(start) < 4 or int.from_bytes(start, "little") != _FATBIN_MAGIC:
        return ()
    return tuple(_fatbins(source, 0, source.size, _KIND_PTX))


def _entries(source: elf.Source) -> Iterator[CubinEntry]:
    start = source.read(0, min(4, source.size))
    if len(start) == 4 and int.from_bytes(start, "little") == _FATBIN_MAGIC:
        yield from _fatbins(source, 0, source.size)
        return
    file = elf.open_elf(source)
    if file.machine == elf.MACHINE_CUDA:
        yield CubinEntry(source, architecture(file), 0, source.size)
        return
    for name in _FATBIN_SECTIONS:
        sections = [item for item in file.sections if item.name == name and item.holds_bytes and item.size]
        for section in sections:
            yield from _fatbins(source, section.offset, section.offset + section.size)
        if sections:
            return


def _fatbins(source: elf.Source, position: int, end: int, kind: int = _KIND_ELF) -> Iterator[CubinEntry]:
    """Iterates over consecutive fatbins, padded to eight bytes."""
    while position + _FATBIN.size <= end:
        magic, _, header, size = _FATBIN.unpack(source.read(position, _FATBIN.size))
        if magic != _FATBIN_MAGIC:
            if source.read(position, 8).strip(b"\0"):
                raise InputError(f"the fatbin at byte {position} is damaged")
            position += 8
            continue
        if header < _FATBIN.size or position + header + size > end:
            raise InputError(f"the fatbin at byte {position} is cut off")
        yield from _fatbin(source, position + header, position + header + size, kind)
        position += header + size
        position += -position % 8


def _fatbin(source: elf.Source, position: int, end: int, wanted: int) -> Iterator[CubinEntry]:
    while position + _ENTRY.size <= end:
        entry = _ENTRY.unpack(source.read(position, _ENTRY.size))
        kind, header, size, packed, arch, flags = (entry[k] for k in (0, 2, 3, 4, 8, 11))
        if header < _ENTRY.size or position + header + size > end:
            raise InputError(f"the fatbin entry at byte {position} is cut off")
        if kind == wanted:
            method = next((name for flag, name in _METHODS.items() if flags & flag), None)
            stored = min(packed, size) if method and packed else size
            yield CubinEntry(source, arch, position + header, stored, method, entry[13])
        position += header + size


def nearest_architecture(present: set[int], cpu: str) -> int:
    """The architecture of a fatbin that a machine with this `target.cpu` runs: its own, or the nearest lower one of the
    same major version. The highest if there is only one, or if the machine is no NVIDIA GPU."""
    capability = re.fullmatch(r"sm_(\d+)[a-z]?", cpu)
    if capability is None or len(present) == 1:
        return max(present)
    own = int(capability[1])
    compatible = [arch for arch in present if arch <= own and arch // 10 == own // 10]
    if not compatible:
        raise UnsupportedError(
            f"there is no code for {cpu} in this file",
            hint=f"there is code for {listed(present)}; --arch {max(present)} reads the highest",
        )
    return max(compatible)


def listed(architectures: Iterable[int]) -> str:
    """Names of architectures: sm_80, sm_90."""
    return ", ".join(f"sm_{arch}" for arch in sorted(architectures))


def architecture(file: elf.Elf) -> int:
    """The architecture of a cubin, 90 for sm_90. Its header field moved with ABI version 8."""
    return (file.flags >> 8) & 0xFF if file.abi >= 8 else file.flags & 0xFF
