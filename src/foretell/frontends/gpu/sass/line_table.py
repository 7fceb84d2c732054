"""Source lines of machine code: the DWARF line table of a cubin (nvcc -lineinfo)."""

from __future__ import annotations

import bisect
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING

from foretell.errors import InputError

if TYPE_CHECKING:
    from foretell.frontends.gpu.binary import elf

_RELOCATION = struct.Struct("<QQ")
_ADDRESS_BYTES = 8


@dataclass(frozen=True, slots=True)
class LineTable:
    """`rows` are (offset, line) in order; a line is valid until the next row."""

    file: str
    rows: tuple[tuple[int, int], ...]

    def line(self, offset: int) -> int:
        """The source line of an instruction, 0 where unknown."""
        at = bisect.bisect_right(self.rows, (offset, 1 << 62)) - 1
        return self.rows[at][1] if at >= 0 else 0

    def lines(self, end: int, step: int) -> list[int]:
        """The same of all offsets up to `end`."""
        found: list[int] = []
        line = 0
        for offset, following in self.rows:  # in order
            found += [line] * (-(-min(offset, end) // step) - len(found))
            line = following
        return found + [line] * (-(-end // step) - len(found))


def line_tables(file: elf.Elf, symbols: tuple[elf.Symbol, ...]) -> dict[str, LineTable]:
    """The line table of each kernel that has one. A damaged table is omitted: lines are optional."""
    data = file.content(file.find(".debug_line"))
    targets = _targets(file, symbols)
    tables: dict[str, LineTable] = {}
    position = 0
    try:
        while position + 4 <= len(data):
            (length,) = struct.unpack_from("<I", data, position)
            _Program(data, position, position + 4 + length, targets).run(tables)
            position += 4 + length
    except (struct.error, IndexError, InputError):
        return tables
    return tables


def _targets(file: elf.Elf, symbols: tuple[elf.Symbol, ...]) -> dict[int, str]:
    """Maps each relocated position of the table to its kernel (the linker fills in addresses)."""
    section = file.find(".rela.debug_line") or file.find(".rel.debug_line")
    data = file.content(section)
    step = 24 if section and section.name.startswith(".rela") else 16  # with or without an addend
    targets = {}
    for position in range(0, len(data) - len(data) % step, step):
        offset, info = _RELOCATION.unpack_from(data, position)
        symbol = info >> 32
        if symbol < len(symbols):
            number = symbols[symbol].section
            name = file.sections[number].name if number < len(file.sections) else ""
            targets[offset] = name.removeprefix(".text.")
    return targets


class _Program:
    """A DWARF line-number program, version 2 to 4."""

    def __init__(self, data: bytes, start: int, end: int, targets: dict[int, str]) -> None:
        self._data = data
        self._at = start + 4
        self._end = min(end, len(data))
        self._targets = targets
        version, header = struct.unpack_from("<HI", data, self._at)
        if not 2 <= version <= 4:
            raise InputError(f"line tables of version {version} are not understood")
        body = self._at + 6 + header
        self._at += 6 + (2 if version == 4 else 1) + 1  # minimum length(s), default is_stmt
        self._line_base = struct.unpack_from("<b", data, self._at)[0]
        self._line_range, self._opcode_base = data[self._at + 1], data[self._at + 2]
        self._at += 3
        self._lengths = data[self._at : self._at + self._opcode_base - 1]
        self._at += self._opcode_base - 1
        self._files = self._read_files()
        self._at = body
        if not self._line_range:
            raise InputError("the line table is damaged")

    def run(self, found: dict[str, LineTable]) -> None:
        while self._at < self._end:
            self._sequence(found)

    def _sequence(self, tables: dict[str, LineTable]) -> None:
        address, line, file, name = 0, 1, 1, ""
        rows: list[tuple[int, int, int]] = []
        while self._at < self._end:
            opcode = self._byte()
            if opcode >= self._opcode_base:
                step = opcode - self._opcode_base
                address += step // self._line_range
                line += self._line_base + step % self._line_range
                rows.append((address, line, file))
            elif opcode == 0:
                length = self._unsigned()
                after = self._at + length
                extended = self._byte()
                if extended == 1:
                    self._at = after
                    break
                if extended == 2 and length > _ADDRESS_BYTES:
                    name = self._targets.get(self._at, name)
                    address = struct.unpack_from("<Q", self._data, self._at)[0]
                self._at = after
            else:
                address, line, file = self._standard(opcode, address, line, file, rows)
        self._keep(tables, name, rows)

    def _standard(
        self, opcode: int, address: int, line: int, file: int, rows: list[tuple[int, int, int]]
    ) -> tuple[int, int, int]:
        if opcode == 1:
            rows.append((address, line, file))
        elif opcode == 2:
            address += self._unsigned()
        elif opcode == 3:
            line += self._signed()
        elif opcode == 4:
            file = self._unsigned()
        elif opcode == 8:
            address += (255 - self._opcode_base) // self._line_range
        elif opcode == 9:
            address += struct.unpack_from("<H", self._data, self._at)[0]
            self._at += 2
        else:
            for _ in range(self._lengths[opcode - 1]):
                self._unsigned()
        return address, line, file

    def _keep(self, tables: dict[str, LineTable], name: str, rows: list[tuple[int, int, int]]) -> None:
        """Keeps lines of the kernel's own file only: inlined headers are attributed to the line before them."""
        if not rows or not name:
            return
        own = rows[0][2]
        chosen = sorted((address, line) for address, line, file in rows if file == own)
        file_name = self._files[own - 1] if 0 < own <= len(self._files) else ""
        tables[name] = LineTable(file_name, tuple(chosen))

    def _read_files(self) -> list[str]:
        while self._text():  # directories
            pass
        files = []
        while name := self._text():
            files.append(name)
            for _ in range(3):
                self._unsigned()
        return files

    def _byte(self) -> int:
        self._at += 1
        return self._data[self._at - 1]

    def _text(self) -> str:
        end = self._data.index(b"\0", self._at, self._end) if b"\0" in self._data[self._at : self._end] else self._end
        value = self._data[self._at : end].decode("utf-8", "replace")
        self._at = end + 1
        return value

    def _unsigned(self) -> int:
        return self._leb128()[0]

    def _signed(self) -> int:
        value, shift, negative = self._leb128()
        return value - (1 << shift) if negative else value

    def _leb128(self) -> tuple[int, int, bool]:
        """The bits of a number, their count, and whether the sign bit is set."""
        value, shift = 0, 0
        while True:
            byte = self._byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80 or shift > 63:
                return value, shift, bool(byte & 0x40)
