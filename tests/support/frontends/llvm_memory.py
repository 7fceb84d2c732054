"""Memory of the machine that runs LLVM IR: addresses, types, constants."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from typing import Any

FLOATS = {"double": "d", "float": "f"}


_SHIFT = 32


@dataclass
class Memory:
    data: bytearray
    levels: list[int]
    written: list[tuple[tuple[tuple[int, int], ...], bool] | None]


class Storage:
    """Keeps what the program allocates."""

    # -------------------------------------------------------------------------------------------- memory

    def allocate(self, size: int) -> int:
        number = len(self.objects) + 1
        self.objects[number] = Memory(bytearray(size), [0] * size, [None] * size)
        return number << _SHIFT

    def _place(self, address: int) -> tuple[Memory, int]:
        return self.objects[address >> _SHIFT], address & ((1 << _SHIFT) - 1)

    def _global(self, text: str) -> int:
        from foretell.core.llvm.syntax import Cursor

        cursor = Cursor(text)
        type_ = cursor.type()
        address = self.allocate(max(self.size(type_), 1))
        value = text[cursor.at :].strip()
        if value:
            self._initialise(address, type_, value)
        return address

    def _initialise(self, address: int, type_: str, text: str) -> None:
        from foretell.core.llvm.syntax import Cursor, split

        memory, at = self._place(address)
        if text.startswith('c"'):
            raw = re.sub(r"\\([0-9A-F]{2})", lambda m: chr(int(m.group(1), 16)), text[2:-1])
            memory.data[at : at + len(raw)] = raw.encode("latin1")
        elif text.startswith(("[", "{", "<")):
            for part, offset in zip(split(text.strip("<>")[1:-1]), self.offsets(type_), strict=True):
                cursor = Cursor(part)
                inner = cursor.type()
                self._initialise(address + offset, inner, part[cursor.at :].strip())
        elif text.startswith("@"):
            self._put(address, "ptr", self.globals[text])
        elif text not in ("zeroinitializer", "undef", "poison", "null"):
            self._put(address, type_, self.constant(type_, text))

    def offsets(self, type_: str) -> list[int]:
        parts = self.types.parts(type_) or []
        found, at = [], 0
        for part in parts:
            align = self.align(part)
            at = -(-at // align) * align
            found.append(at)
            at += self.size(part)
        return found

    def align(self, type_: str) -> int:
        parts = self.types.parts(type_)
        if parts:
            return max(map(self.align, parts))
        return max(min(self.types.size(type_), 16), 1)

    def size(self, type_: str) -> int:
        parts = self.types.parts(type_)
        if parts is None:
            return self.types.size(type_)
        if not parts:
            return 0
        end = self.offsets(type_)[-1] + self.size(parts[-1])
        align = self.align(type_)
        return -(-end // align) * align

    def _put(self, address: int, type_: str, value: Any) -> None:
        if isinstance(value, list):
            for offset, part, one in zip(self.offsets(type_), self.types.parts(type_) or [], value, strict=True):
                self._put(address + offset, part, one)
            return
        memory, at = self._place(address)
        raw = self._pack(type_, value)
        assert 0 <= at <= len(memory.data) - len(raw), "out of bounds"
        memory.data[at : at + len(raw)] = raw

    def _pack(self, type_: str, value: Any) -> bytes:
        if type_ in FLOATS:
            return struct.pack("<" + FLOATS[type_], value)
        size = self.types.size(type_)
        return (int(value) & ((1 << 8 * size) - 1)).to_bytes(size, "little")

    def _get(self, address: int, type_: str) -> Any:
        parts = self.types.parts(type_)
        if parts is not None:
            return [self._get(address + offset, part) for offset, part in zip(self.offsets(type_), parts, strict=True)]
        memory, at = self._place(address)
        size = self.types.size(type_)
        assert 0 <= at <= len(memory.data) - size, "out of bounds"
        raw = bytes(memory.data[at : at + size])
        if type_ in FLOATS:
            return struct.unpack("<" + FLOATS[type_], raw)[0]
        return int.from_bytes(raw, "little") & ((1 << self.bits(type_)) - 1)

    def bits(self, type_: str) -> int:
        return int(type_[1:]) if re.fullmatch(r"i\d+", type_) else 64
