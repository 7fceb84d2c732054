"""A small reader of 64-bit little-endian ELF files, with all offsets checked (files may be truncated or malicious), and
a writer of small ones."""

from __future__ import annotations

import io
import struct
from typing import TYPE_CHECKING

from foretell.errors import InputError
from foretell.records import record

if TYPE_CHECKING:
    from typing import BinaryIO

MAGIC = b"\x7fELF"
MACHINE_CUDA = 190
_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_MOST_SECTIONS = 1 << 20
_ALIGNED = 128
_NOBITS = 8


class Source:
    """A range of a file that is read on demand, so that files of any size can be inspected."""

    def __init__(self, handle: BinaryIO, offset: int = 0, size: int | None = None) -> None:
        self._handle, self._offset = handle, offset
        self.size = handle.seek(0, 2) - offset if size is None else size

    @classmethod
    def of(cls, data: bytes) -> Source:
        """A source of bytes in memory."""
        return cls(io.BytesIO(data))

    def part(self, offset: int, size: int) -> Source:
        """A range of this source."""
        return Source(self._handle, self._offset + offset, size)

    def read(self, offset: int, size: int) -> bytes:
        """Reads exactly these bytes; InputError if the file ends before."""
        if offset >= 0 and size >= 0 and offset + size <= self.size:
            self._handle.seek(self._offset + offset)
            data = self._handle.read(size)
            if len(data) == size:
                return data
        raise InputError(f"the file is cut off or damaged: nothing at byte {offset + size}")


@record
class Section:
    """A section header."""

    name: str
    kind: int
    flags: int
    offset: int
    size: int
    link: int
    info: int

    @property
    def holds_bytes(self) -> bool:
        """Whether the file has its content (not so for zero-initialised memory)."""
        return self.kind != _NOBITS


@record
class Symbol:
    """A symbol-table entry; `info` is its binding and type."""

    name: str
    info: int
    section: int
    value: int
    size: int
    other: int

    @property
    def kind(self) -> int:
        """The symbol type: 2 is a function."""
        return self.info & 15


@record
class Elf:
    """An opened ELF file; `by_name` are its sections by name, the first of each."""

    source: Source
    header: bytes
    machine: int
    flags: int
    abi: int
    sections: tuple[Section, ...]
    by_name: dict[str, Section]

    def find(self, name: str) -> Section | None:
        """The section with a name, if any."""
        return self.by_name.get(name)

    def content(self, section: Section | None) -> bytes:
        """The bytes of a section; empty if it is absent or has no content."""
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
        entries = _SYMBOL.iter_unpack(data[: len(data) - len(data) % _SYMBOL.size])
        return tuple(
            Symbol(string(names, name), info, section, value, size, other)
            for name, info, other, section, value, size in entries
        )


def open_elf(source: Source) -> Elf:
    """Reads the headers of an ELF file."""
    if source.size < _HEADER.size or source.read(0, 4) != MAGIC:
        raise InputError("is not an ELF file (cubin, fatbin or executable)")
    start = source.read(0, _HEADER.size)
    header = _HEADER.unpack(start)
    ident, machine, section_table, flags = header[0], header[2], header[6], header[7]
    entry_size, count, names_at = header[11], header[12], header[13]
    if ident[4] != 2 or ident[5] != 1:
        raise InputError("is not a 64-bit little-endian ELF file")
    if entry_size not in (0, _SECTION.size) or count > _MOST_SECTIONS:
        raise InputError("the ELF section table is damaged")
    data = source.read(section_table, count * _SECTION.size) if count else b""
    raw = [_SECTION.unpack_from(data, n * _SECTION.size) for n in range(count)]
    names = source.read(raw[names_at][4], raw[names_at][5]) if names_at < count else b""
    sections = tuple(Section(string(names, r[0]), r[1], r[2], *r[4:8]) for r in raw)
    return Elf(source, start, machine, flags, ident[8], sections, {s.name: s for s in reversed(sections)})


def string(table: bytes, offset: int) -> str:
    """The zero-terminated string at an offset of a string table; empty for an invalid offset."""
    if offset >= len(table):
        return ""
    end = table.find(b"\0", offset)
    return table[offset : end if end >= 0 else len(table)].decode("utf-8", "replace")


def string_table(texts: list[str]) -> tuple[list[int], bytes]:
    """A string table and the offset of each text in it; the empty text is at offset 0."""
    offsets, table = [], bytearray(1)
    for text in texts:
        offsets.append(len(table) if text else 0)
        table += text.encode() + b"\0" if text else b""
    return offsets, bytes(table)


@record
class Part:
    """A section to be written."""

    name: str
    kind: int
    content: bytes
    flags: int = 0
    link: int = 0
    info: int = 0
    entry: int = 0


def assemble(like: bytes, parts: list[Part], names_at: int) -> bytes:
    """Assembles an ELF file of these sections, numbered from 1, with the header of another; the section names are the
    content of the section at `names_at`."""
    offsets, names = string_table([part.name for part in parts])
    body, table = bytearray(_HEADER.size), bytearray(_SECTION.size)
    for number, (part, name) in enumerate(zip(parts, offsets, strict=True), 1):
        body += bytes(-len(body) % _ALIGNED)
        content = names if number == names_at else part.content
        table += _SECTION.pack(
            name, part.kind, part.flags, 0, len(body), len(content), part.link, part.info, _ALIGNED, part.entry
        )
        body += content
    body += bytes(-len(body) % _ALIGNED)
    header = list(_HEADER.unpack(like[: _HEADER.size]))
    header[5], header[6] = 0, len(body)  # no segments; offset of the section table
    header[9:14] = [0, 0, _SECTION.size, len(parts) + 1, names_at]
    body[: _HEADER.size] = _HEADER.pack(*header)
    return bytes(body + table)
