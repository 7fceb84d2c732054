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
    """What an instruction refers to: an address of the code, or a word of `ADDRESS_BANK`."""

    form: Literal["call", "code", "variable"]
    value: int


class Linker:
    """Puts the code of one cubin together."""

    def __init__(self, file: elf.Elf, symbols: tuple[elf.Symbol, ...]) -> None:
        self._file, self._symbols = file, symbols

    def joined(self, section: int) -> Joined:
        """A section of code and all sections with functions that it calls, directly or not."""
        starts: dict[int, int] = {}
        code, found, waiting = bytearray(), [], [section]
        while waiting:
            number = waiting.pop(0)
            if number in starts:
                continue
            starts[number] = start = len(code)
            code += self._file.content(self._file.sections[number])
            own = self._relocations(number)
            found += [item._replace(offset=start + item.offset) for item in own]
            waiting += [self._symbols[item.symbol].section for item in own if self._is_function(item.symbol)]
        return Joined(bytes(code), starts, tuple(found))

    def references(self, code: Joined) -> dict[int, Reference]:
        """What instructions refer to, by their offset."""
        result = {}
        for item in code.relocations:
            symbol, place = self._symbols[item.symbol], item.offset // INSTRUCTION_BYTES * INSTRUCTION_BYTES
            if symbol.section in code.starts and symbol.kind == _FUNCTION:
                value = code.starts[symbol.section] + symbol.value + item.addend
                shift = 32 if item.kind == _HIGH else 0
                result[place] = Reference("call" if item.kind == _CALL else "code", value >> shift)
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
        """The relocations of code, by the number of its section; several sections may have one name."""
        result: dict[int, list[elf.Section]] = {}
        for item in self._file.sections:
            if item.name.startswith((".rela.text", ".rel.text")) and item.holds_bytes:
                result.setdefault(item.info, []).append(item)
        return result

    def _relocations(self, section: int) -> list[Relocation]:
        result = []
        for item in self._sections.get(section, ()):
            step = 24 if item.kind == _RELA else 16
            data = self._file.content(item)
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
