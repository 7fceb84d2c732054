"""Relocations of a cubin's data: where constant banks and variables hold addresses, and of what."""

from __future__ import annotations

import re
import struct
from typing import TYPE_CHECKING

from foretell.core.gpu.image import Address, Bytes, system_address
from foretell.errors import InputError, UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from foretell.frontends.gpu.binary import elf
    from foretell.frontends.gpu.binary.cubin import Cubin

_GLOBAL = re.compile(r"\.nv\.global(\.init)?(\..*)?")
_FUNCTION = 2
#: R_CUDA_64, R_CUDA_G64 and R_CUDA_FUNC_DESC_64: the whole address of a symbol, alike for generic and global addresses
#: and for functions (the others are of instructions)
_WHOLE_ADDRESSES = (2, 4, 35)
_ALIGNMENT = 256
_MOST_BYTES = 1 << 36
#: where a module's variables lie if nobody says: outside of all arrays, windows and functions of the system
_VARIABLES = 0x7900_0000_0000


def with_addresses(module: Cubin, section: elf.Section) -> bytes:
    """The bytes of a section, with the addresses in it; without them, if they are of a kind that is not understood."""
    data = module.file.content(section)
    try:
        addresses = tuple(addresses_in(module, section.name, variable_places(module.file)))
    except UnsupportedError:
        return data
    return Bytes(data, addresses).placed(_VARIABLES)


def variable_places(file: elf.Elf) -> dict[int, int]:
    """Offsets at which the sections of global memory begin in the image, by number of the section."""
    places, at = {}, 0
    for number, section in enumerate(file.sections):
        if _GLOBAL.fullmatch(section.name):
            places[number] = at
            at += -(-section.size // _ALIGNMENT) * _ALIGNMENT
    if at > _MOST_BYTES:
        raise InputError(f"the module's variables need {at} bytes")
    return places


def addresses_in(module: Cubin, name: str, places: dict[int, int]) -> Iterator[Address]:
    """The relocations of a section."""
    for prefix, step in ((".rela", 24), (".rel", 16)):
        section = module.file.find(prefix + name)
        data = module.file.content(section)
        size = section_size(module, name)
        for at in range(0, len(data) - step + 1, step):
            offset, info = struct.unpack_from("<QQ", data, at)
            addend = struct.unpack_from("<q", data, at + 16)[0] if step == 24 else 0
            if info & 0xFFFF_FFFF not in _WHOLE_ADDRESSES:
                raise UnsupportedError(f"relocation {info & 0xFFFF_FFFF} of {name} is not understood")
            if info >> 32 >= len(module.symbols) or offset + 8 > size:
                raise InputError(f"the relocations of {name} are damaged")
            symbol = module.symbols[info >> 32]
            if symbol.section in places:
                yield Address(offset, places[symbol.section] + symbol.value + addend)
            elif symbol.kind == _FUNCTION and symbol.section == 0:
                yield Address(offset, system_address(symbol.name), system=True)
            elif (code := module.linker.function_address(info >> 32)) is not None:
                yield Address(offset, code + addend, system=True)
            else:
                raise UnsupportedError(f"the address of {symbol.name} in {name} is of no variable of this module")


def section_size(module: Cubin, name: str) -> int:
    """Bytes of a section."""
    section = module.file.find(name)
    return section.size if section else 0
