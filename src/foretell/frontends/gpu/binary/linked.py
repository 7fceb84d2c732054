"""The code of a kernel together with the functions that it calls in other sections (nvcc -rdc=true).

The linker of device code leaves functions in sections of their own, and their addresses, and those of variables, to
whoever loads the code. Here a kernel has all the code that it reaches in one piece, which begins at address 0.
Addresses of variables depend on where a module lies: they are words of a constant bank that real code has not
(`ADDRESS_BANK`).
"""

from __future__ import annotations

import struct
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple

from foretell.core.gpu.image import system_address
from foretell.core.gpu.sass import INSTRUCTION_BYTES
from foretell.errors import InputError, UnsupportedError

if TYPE_CHECKING:
    from foretell.frontends.gpu.binary import elf

#: of addresses of variables in code; real code has the banks 0 to 4 and those of graphics
ADDRESS_BANK = 29
_FUNCTION = 2
_RELA = 4
#: relocations of instructions: the lower and upper word of an address, and the target of a call
_LOW, _HIGH, _CALL = 56, 57, 75
#: as nvcc pads code for all architectures here
_NOP = struct.pack("<QQ", 0x7918, 0x000F_C000_0000_0000)


class Relocation(NamedTuple):
    """A place in the code, its type, and what it refers to: a symbol by its number, and a distance."""

    offset: int
    kind: int
    symbol: int
    addend: int


class Joined(NamedTuple):
    """Code of several sections: where each begins, by its number, and all relocations."""

    code: bytes
    starts: dict[int, int]
    relocations: tuple[Relocation, ...]


class Reference(NamedTuple):
    """What an instruction refers to: an address of the code or of a function of the device's system, or a word of
    `ADDRESS_BANK`."""

    form: Literal["call", "code", "variable"]
    value: int


class Linker:
    """Puts the code of one cubin together."""

    def __init__(self, file: elf.Elf, symbols: tuple[elf.Symbol, ...]) -> None:
        self._file, self._symbols = file, symbols

    def joined(self, section: int) -> Joined:
        """A section of code and all sections with functions that it calls, directly or not; behind them, at the same
        place for every kernel, the functions whose addresses are in memory (virtual functions)."""
        starts: dict[int, int] = {}
        code = bytearray()
        for number in self._reached([section], self.taken):
            starts[number] = len(code)
            code += self._content(number)
        if self.taken:
            code += _NOP * ((self._taken_start - len(code)) // INSTRUCTION_BYTES)
        for number in self.taken:
            starts[number] = len(code)
            code += self._content(number)
        found = [
            item._replace(offset=start + item.offset)
            for number, start in starts.items()
            for item in self._relocations(number)
        ]
        return Joined(bytes(code), starts, tuple(found))

    @cached_property
    def taken(self) -> tuple[int, ...]:
        """The sections of functions whose addresses are in memory, and of all that these call."""
        relocated = [
            item
            for number, sections in self._data_sections.items()
            for section in sections
            for item in self._listed(section, number)
            if self._is_function(item.symbol)
        ]
        return self._reached(sorted({self._symbols[item.symbol].section for item in relocated}), ())

    def function_address(self, symbol: int) -> int | None:
        """Where a function whose address is in memory begins in the code of every kernel."""
        start = self._taken_start
        for number in self.taken:
            if number == self._symbols[symbol].section:
                return start + self._symbols[symbol].value
            start += len(self._content(number))
        return None

    @cached_property
    def _taken_start(self) -> int:
        """The end of the longest code of a kernel without these functions."""
        codes = [number for number, item in enumerate(self._file.sections) if item.name.startswith(".text.")]
        others = [number for number in codes if number not in self.taken]
        return max((sum(len(self._content(n)) for n in self._reached([k], self.taken)) for k in others), default=0)

    def _reached(self, first: list[int], without: tuple[int, ...]) -> tuple[int, ...]:
        """Sections of code and those that they call, in the order in which they are found."""
        found: dict[int, None] = {}
        waiting = list(first)
        while waiting:
            number = waiting.pop(0)
            if number in found or number in without:
                continue
            found[number] = None
            called = [item.symbol for item in self._relocations(number) if self._is_function(item.symbol)]
            waiting += [self._symbols[symbol].section for symbol in called]
        return tuple(found)

    def _content(self, section: int) -> bytes:
        return self._file.content(self._file.sections[section])

    def references(self, code: Joined) -> dict[int, Reference]:
        """What instructions refer to, by their offset."""
        result = {}
        for item in code.relocations:
            symbol, place = self._symbols[item.symbol], item.offset // INSTRUCTION_BYTES * INSTRUCTION_BYTES
            if symbol.section in code.starts and symbol.kind == _FUNCTION:
                value = code.starts[symbol.section] + symbol.value + item.addend
                shift = 32 if item.kind == _HIGH else 0
                result[place] = Reference("call" if item.kind == _CALL else "code", value >> shift)
            elif symbol.section == 0 and symbol.kind == _FUNCTION and item.kind == _CALL:
                result[place] = Reference("call", system_address(symbol.name))
            elif item.symbol in self.variables and item.kind in (_LOW, _HIGH):
                if item.addend:
                    raise UnsupportedError(f"an address behind the variable {symbol.name} in code is not understood")
                result[place] = Reference("variable", self.variables[item.symbol] + (4 if item.kind == _HIGH else 0))
        return result

    @cached_property
    def variables(self) -> dict[int, int]:
        """Variables whose addresses are in code, by their symbols, and the places of these in `ADDRESS_BANK`."""
        named = {
            item.symbol
            for number in self._sections
            for item in self._relocations(number)
            if item.kind in (_LOW, _HIGH) and self._is_in(item.symbol, ".nv.global")
        }
        return {symbol: 8 * place for place, symbol in enumerate(sorted(named))}

    @cached_property
    def _sections(self) -> dict[int, list[elf.Section]]:
        """The relocations of code."""
        return self._relocating(".text")

    @cached_property
    def _data_sections(self) -> dict[int, list[elf.Section]]:
        """The relocations of variables."""
        return self._relocating(".nv.global")

    def _relocating(self, name: str) -> dict[int, list[elf.Section]]:
        """Sections of relocations, by the number of the section that they change; several may have one name."""
        result: dict[int, list[elf.Section]] = {}
        for item in self._file.sections:
            if item.name.startswith((".rela" + name, ".rel" + name)) and item.holds_bytes:
                result.setdefault(item.info, []).append(item)
        return result

    def _relocations(self, section: int) -> list[Relocation]:
        return [item for part in self._sections.get(section, ()) for item in self._listed(part, section)]

    def _listed(self, relocations: elf.Section, section: int) -> list[Relocation]:
        result = []
        step = 24 if relocations.kind == _RELA else 16
        data = self._file.content(relocations)
        for at in range(0, len(data) - step + 1, step):
            offset, info = struct.unpack_from("<QQ", data, at)
            addend = struct.unpack_from("<q", data, at + 16)[0] if step == 24 else 0
            if info >> 32 >= len(self._symbols):
                raise InputError(f"the relocations of {self._file.sections[section].name} are damaged")
            result.append(Relocation(offset, info & 0xFFFF_FFFF, info >> 32, addend))
        return result

    def _is_function(self, symbol: int) -> bool:
        return self._symbols[symbol].kind == _FUNCTION and self._is_in(symbol, ".text.")

    def _is_in(self, symbol: int, sections: str) -> bool:
        number = self._symbols[symbol].section
        return 0 < number < len(self._file.sections) and self._file.sections[number].name.startswith(sections)
