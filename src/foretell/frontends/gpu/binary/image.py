"""Reads what a cubin has beside its code: variables, strings, tables and constant banks, with their relocations."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from foretell.core.gpu.image import Address, Bytes, DeviceImage, Variable
from foretell.frontends.gpu.binary import elf
from foretell.frontends.gpu.binary.cubin import read_cubin
from foretell.frontends.gpu.binary.linked import ADDRESS_BANK
from foretell.frontends.gpu.binary.relocations import addresses_in, variable_places

if TYPE_CHECKING:
    from collections.abc import Iterator

    from foretell.frontends.gpu.binary.cubin import Cubin

_BANK = re.compile(r"\.nv\.constant(\d+)(?:\.(.*))?")
#: of the user's __constant__ variables
_USER_BANK = 3
_OBJECT = 1


def device_image(cubin: bytes) -> DeviceImage:
    """The memory of a cubin's module."""
    module = read_cubin(elf.Source.of(cubin), empty=True)
    places = variable_places(module.file)
    common: dict[int, Bytes] = {}
    own: dict[str, dict[int, Bytes]] = {}
    for section in module.file.sections:
        match = _BANK.fullmatch(section.name)
        if match and match[1] != "0":
            banks = own.setdefault(match[2], {}) if match[2] else common
            banks[int(match[1])] = Bytes(
                module.file.content(section), tuple(addresses_in(module, section.name, places))
            )
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


def _memory(module: Cubin, places: dict[int, int]) -> Bytes:
    sections = module.file.sections
    size = max((at + sections[number].size for number, at in places.items()), default=0)
    data, addresses = bytearray(size), []
    for number, at in places.items():
        content = module.file.content(sections[number])
        data[at : at + len(content)] = content
        for item in addresses_in(module, sections[number].name, places):
            addresses.append(Address(at + item.offset, item.target, item.system))
    return Bytes(bytes(data), tuple(addresses))


def _variables(module: Cubin, places: dict[int, int]) -> Iterator[tuple[str, Variable]]:
    for symbol in module.symbols:
        if symbol.kind != _OBJECT or not symbol.name or symbol.section >= len(module.file.sections):
            continue
        if symbol.section in places:
            yield symbol.name, Variable("global", places[symbol.section] + symbol.value, symbol.size)
        elif module.file.sections[symbol.section].name == f".nv.constant{_USER_BANK}":
            yield symbol.name, Variable("constant", symbol.value, symbol.size)
