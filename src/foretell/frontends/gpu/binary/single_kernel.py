"""Extracts one kernel of a cubin as a separate cubin, so that the disassembler reads its code only."""

from __future__ import annotations

import struct

from foretell.frontends.gpu.binary import elf

_SYMBOL = struct.Struct("<IBBHQQ")
_RELOCATION = struct.Struct("<QQ")
_SYMBOLS, _STRINGS, _RELA = 2, 3, 4
#: indices of the sections of the new file
_SYMBOL_TABLE, _SYMBOL_NAMES, _SECTION_NAMES, _TEXT = 1, 2, 3, 4


def alone(file: elf.Elf, symbols: tuple[elf.Symbol, ...], section: int, symbol: int) -> tuple[bytes, int]:
    """The code in a section with its relocations and the symbols of both; and the new index of the kernel's symbol."""
    text = file.sections[section]
    relocations = [
        found for prefix in (".rela", ".rel") if (found := file.find(prefix + text.name)) and found.holds_bytes
    ]
    contents = [file.content(item) for item in relocations]
    steps = [24 if item.kind == _RELA else 16 for item in relocations]
    wanted = {number for number, item in enumerate(symbols) if number == 0 or item.section == section}
    for data, step in zip(contents, steps, strict=True):
        named = {_RELOCATION.unpack_from(data, at)[1] >> 32 for at in range(0, len(data) - step + 1, step)}
        wanted |= {number for number in named if number < len(symbols)}
    index = {old: new for new, old in enumerate(sorted(wanted))}
    offsets, names = elf.string_table([symbols[old].name for old in index])
    table = b"".join(_entry(symbols[old], name, section) for old, name in zip(index, offsets, strict=True))
    parts = [
        elf.Part(".symtab", _SYMBOLS, table, link=_SYMBOL_NAMES, info=1, entry=_SYMBOL.size),
        elf.Part(".strtab", _STRINGS, names),
        elf.Part(".shstrtab", _STRINGS, b""),
        elf.Part(text.name, text.kind, file.content(text), text.flags, _SYMBOL_TABLE, index[symbol]),
    ]
    parts += [
        elf.Part(item.name, item.kind, _renumbered(data, step, index), item.flags, _SYMBOL_TABLE, _TEXT, step)
        for item, data, step in zip(relocations, contents, steps, strict=True)
    ]
    return elf.assemble(file.header, parts, _SECTION_NAMES), index[symbol]


def _entry(symbol: elf.Symbol, name: int, section: int) -> bytes:
    """A symbol entry; one of another section becomes undefined."""
    here = _TEXT if symbol.section == section else 0
    return _SYMBOL.pack(name, symbol.info, symbol.other, here, symbol.value, symbol.size)


def _renumbered(relocations: bytes, step: int, index: dict[int, int]) -> bytes:
    data = bytearray(relocations[: len(relocations) - len(relocations) % step])
    for position in range(0, len(data), step):
        offset, info = _RELOCATION.unpack_from(data, position)
        _RELOCATION.pack_into(data, position, offset, index.get(info >> 32, 0) << 32 | info & 0xFFFFFFFF)
    return bytes(data)
