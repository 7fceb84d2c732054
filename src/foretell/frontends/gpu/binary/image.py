"""Reads what a cubin has beside its code: variables, strings, tables and constant banks, with their relocations."""

from __future__ import annotations

import re
import struct
from typing import TYPE_CHECKING

from foretell.core.gpu.image import Address, Bytes, DeviceImage, Variable, system_address
from foretell.errors import InputError, UnsupportedError
from foretell.frontends.gpu.binary import elf
from foretell.frontends.gpu.binary.cubin import read_cubin
from foretell.frontends.gpu.binary.linked import ADDRESS_BANK

if TYPE_CHECKING:
    from collections.abc import Iterator

    from foretell.frontends.gpu.binary.cubin import Cubin

_GLOBAL = re.compile(r"\.nv\.global(\.init)?(\..*)?")
_BANK = re.compile(r"\.nv\.constant(\d+)(?:\.(.*))?")
#: of the user's __constant__ variables
_USER_BANK = 3
_OBJECT, _FUNCTION = 1, 2
#: R_CUDA_64: the whole address of a symbol (the others are of instructions)
_WHOLE_ADDRESS = 2
_ALIGNMENT = 256
_MOST_BYTES = 1 << 36


def device_image(cubin: bytes) -> DeviceImage:
    """The memory of a cubin's module."""
    module = read_cubin(elf.Source.of(cubin), empty=True)
    places = _places(module.file)
    common: dict[int, Bytes] = {}
    own: dict[str, dict[int, Bytes]] = {}
    for section in module.file.sections:
        match = _BANK.fullmatch(section.name)
        if match and match[1] != "0":
            banks = own.setdefault(match[2], {}) if match[2] else common
            banks[int(match[1])] = Bytes(module.file.content(section), tuple(_addresses(module, section.name, places)))
    addresses = _addresses_in_code(module, places)
    if addresses:
        common[ADDRESS_BANK] = Bytes(bytes(8 * len(addresses)), addresses)
    return DeviceImage(module.arch, _memory(module, places), dict(_variables(module, places)), common, own)


def _addresses_in_code(module: Cubin, places: dict[int, int]) -> tuple[Address, ...]:
    """Addresses of variables that linked code has in its instructions."""
    symbols = module.symbols
    return tuple(
        Address(offset, places[symbols[number].section] + symbols[number].value)
        for number, offset in module.linker.variables.items()
    )


def _places(file: elf.Elf) -> dict[int, int]:
    """Offsets at which the sections of global memory begin in the image, by number of the section."""
    places, at = {}, 0
    for number, section in enumerate(file.sections):
        if _GLOBAL.fullmatch(section.name):
            places[number] = at
            at += -(-section.size // _ALIGNMENT) * _ALIGNMENT
    if at > _MOST_BYTES:
        raise InputError(f"the module's variables need {at} bytes")
    return places


def _memory(module: Cubin, places: dict[int, int]) -> Bytes:
    sections = module.file.sections
    size = max((at + sections[number].size for number, at in places.items()), default=0)
    data, addresses = bytearray(size), []
    for number, at in places.items():
        content = module.file.content(sections[number])
        data[at : at + len(content)] = content
        for item in _addresses(module, sections[number].name, places):
            addresses.append(Address(at + item.offset, item.target, item.system))
    return Bytes(bytes(data), tuple(addresses))


def _addresses(module: Cubin, name: str, places: dict[int, int]) -> Iterator[Address]:
    """The relocations of a section."""
    for prefix, step in ((".rela", 24), (".rel", 16)):
        section = module.file.find(prefix + name)
        data = module.file.content(section)
        size = section_size(module, name)
        for at in range(0, len(data) - step + 1, step):
            offset, info = struct.unpack_from("<QQ", data, at)
            addend = struct.unpack_from("<q", data, at + 16)[0] if step == 24 else 0
            if info & 0xFFFF_FFFF != _WHOLE_ADDRESS:
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


def _variables(module: Cubin, places: dict[int, int]) -> Iterator[tuple[str, Variable]]:
    for symbol in module.symbols:
        if symbol.kind != _OBJECT or not symbol.name or symbol.section >= len(module.file.sections):
            continue
        if symbol.section in places:
            yield symbol.name, Variable("global", places[symbol.section] + symbol.value, symbol.size)
        elif module.file.sections[symbol.section].name == f".nv.constant{_USER_BANK}":
            yield symbol.name, Variable("constant", symbol.value, symbol.size)
