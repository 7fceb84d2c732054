"""Extracts one kernel of a cubin as a separate cubin, so that the disassembler reads its code only."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from foretell.frontends.gpu.binary import elf

if TYPE_CHECKING:
    from foretell.frontends.gpu.binary import linked

_SYMBOL = struct.Struct("<IBBHQQ")
_RELOCATION = struct.Struct("<QQq")
_SYMBOLS, _STRINGS, _RELA = 2, 3, 4
#: indices of the sections of the new file
_SYMBOL_TABLE, _SYMBOL_NAMES, _SECTION_NAMES, _TEXT = 1, 2, 3, 4


def alone(
    file: elf.Elf, symbols: tuple[elf.Symbol, ...], section: int, symbol: int, code: linked.Joined
) -> tuple[bytes, int]:
    """The code of a kernel with its relocations and the symbols of both; and the new index of the kernel's symbol."""
    text = file.sections[section]
    wanted = {number for number, item in enumerate(symbols) if number == 0 or item.section == section}
    wanted |= {item.symbol for item in code.relocations}
    index = {old: new for new, old in enumerate(sorted(wanted))}
    offsets, names = elf.string_table([symbols[old].name for old in index])
    table = b"".join(_entry(symbols[old], name, section) for old, name in zip(index, offsets, strict=True))
    entries = [
        _RELOCATION.pack(item.offset, index[item.symbol] << 32 | item.kind, item.addend) for item in code.relocations
    ]
    parts = [
        elf.Part(".symtab", _SYMBOLS, table, link=_SYMBOL_NAMES, info=1, entry=_SYMBOL.size),
        elf.Part(".strtab", _STRINGS, names),
        elf.Part(".shstrtab", _STRINGS, b""),
        elf.Part(text.name, text.kind, code.code, text.flags, _SYMBOL_TABLE, index[symbol]),
    ]
    if entries:
        data = b"".join(entries)
        parts.append(elf.Part(".rela" + text.name, _RELA, data, 0, _SYMBOL_TABLE, _TEXT, _RELOCATION.size))
    return elf.assemble(file.header, parts, _SECTION_NAMES), index[symbol]


def _entry(symbol: elf.Symbol, name: int, section: int) -> bytes:
    """A symbol entry; one of another section becomes undefined."""
    here = _TEXT if symbol.section == section else 0
    return _SYMBOL.pack(name, symbol.info, symbol.other, here, symbol.value, symbol.size)
