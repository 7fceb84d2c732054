"""A small reader of 64-bit little-endian ELF files, checked at every step: a file may be cut off or hostile."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from foretell.errors import InputError

if TYPE_CHECKING:
    from typing import BinaryIO

MAGIC = b"\x7fELF"
MACHINE_CUDA = 190
_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_MOST_SECTIONS = 1 << 20
_NOBITS = 8


class Source(Protocol):
    """Bytes that can be read in pieces."""

    @property
    def size(self) -> int:
        """Bytes there are."""
        ...

    def read(self, offset: int, size: int) -> bytes:
        """Exactly these bytes; InputError where the file ends before."""
        ...


@dataclass(frozen=True, slots=True)
class Memory:
    """A source of bytes that are already here."""

    data: bytes

    @property
    def size(self) -> int:
        return len(self.data)

    def read(self, offset: int, size: int) -> bytes:
        if offset < 0 or size < 0 or offset + size > len(self.data):
            raise InputError(f"the file is cut off or damaged: nothing at byte {offset + size}")
        return self.data[offset : offset + size]


class File:
    """A source that reads only what is asked for, so that a file of any size can be looked into."""

    def __init__(self, handle: BinaryIO) -> None:
        self._handle = handle
        self._size = handle.seek(0, 2)

    @property
    def size(self) -> int:
        return self._size

    def read(self, offset: int, size: int) -> bytes:
        if offset < 0 or size < 0 or offset + size > self._size:
            raise InputError(f"the file is cut off or damaged: nothing at byte {offset + size}")
        self._handle.seek(offset)
        data = self._handle.read(size)
        if len(data) != size:
            raise InputError("the file changed while it was read")
        return data


@dataclass(frozen=True, slots=True)
class Section:
    """A section header."""

    name: str
    kind: int
    offset: int
    size: int
    link: int
    info: int

    @property
    def holds_bytes(self) -> bool:
        """Whether the file has its content (not so for memory that starts as zero)."""
        return self.kind != _NOBITS


@dataclass(frozen=True, slots=True)
class Symbol:
    """A symbol-table entry."""

    name: str
    kind: int
    section: int
    value: int
    size: int
    other: int


@dataclass(frozen=True, slots=True)
class Elf:
    """An opened ELF file."""

    source: Source
    machine: int
    flags: int
    abi: int
    sections: tuple[Section, ...]

    def find(self, name: str) -> Section | None:
        """The section of a name, if there is one."""
        return next((section for section in self.sections if section.name == name), None)

    def content(self, section: Section | None) -> bytes:
        """The bytes of a section; none for a section that is absent or has no content."""
        if section is None or not section.holds_bytes:
            return b""
        return self.source.read(section.offset, section.size)

    def symbols(self) -> tuple[Symbol, ...]:
        """The symbol table."""
        table = self.find(".symtab")
        if table is None:
            return ()
        names = self.content(self.sections[table.link]) if table.link < len(self.sections) else b""
        data = self.content(table)
        found = []
        for position in range(0, len(data) - len(data) % _SYMBOL.size, _SYMBOL.size):
            name, info, other, section, value, size = _SYMBOL.unpack_from(data, position)
            found.append(Symbol(string(names, name), info & 15, section, value, size, other))
        return tuple(found)


def open_elf(source: Source) -> Elf:
    """The headers of an ELF file."""
    if source.size < _HEADER.size or source.read(0, 4) != MAGIC:
        raise InputError("is not an ELF file (cubin, fatbin or executable)")
    header = _HEADER.unpack(source.read(0, _HEADER.size))
    ident, machine, section_table, flags = header[0], header[2], header[6], header[7]
    entry_size, count, names_at = header[11], header[12], header[13]
    if ident[4] != 2 or ident[5] != 1:
        raise InputError("is not a 64-bit little-endian ELF file")
    if entry_size not in (0, _SECTION.size) or count > _MOST_SECTIONS:
        raise InputError("the ELF section table is damaged")
    data = source.read(section_table, count * _SECTION.size) if count else b""
    raw = [_SECTION.unpack_from(data, n * _SECTION.size) for n in range(count)]
    names = source.read(raw[names_at][4], raw[names_at][5]) if names_at < count else b""
    sections = tuple(Section(string(names, r[0]), r[1], r[4], r[5], r[6], r[7]) for r in raw)
    return Elf(source, machine, flags, ident[8], sections)


def string(table: bytes, offset: int) -> str:
    """The zero-terminated string at an offset of a string table; empty where the offset is wrong."""
    if offset >= len(table):
        return ""
    end = table.find(b"\0", offset)
    return table[offset : end if end >= 0 else len(table)].decode("utf-8", "replace")
