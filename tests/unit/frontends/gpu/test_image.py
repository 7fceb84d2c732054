"""The memory of a module: sections, variables and addresses of a cubin made here."""

from __future__ import annotations

import struct

import pytest

from foretell.core.gpu.image import SYSTEM_WINDOW, Variable, system_address
from foretell.errors import InputError, UnsupportedError
from foretell.frontends.gpu.binary import elf
from foretell.frontends.gpu.binary.cubin import read_cubin
from foretell.frontends.gpu.binary.image import device_image

_SYMBOL = struct.Struct("<IBBHQQ")
_PROGBITS, _SYMTAB, _STRTAB, _RELA, _NOBITS = 1, 2, 3, 4, 8
#: numbers of the sections made here
_INIT, _ZERO, _BANK, _USER, _TEXT = 4, 5, 6, 7, 8
_OBJECT, _FUNCTION, _ENTRY = 1, 2, 0x10


def _cubin(relocations: list[tuple[int, int, int, int]]) -> bytes:
    """A cubin with a table of two words, an array of zeros, a constant and a kernel; `relocations` of the bank of
    addresses: offset, symbol, type, addend. Symbols: 1 table, 2 zeros, 3 weights, 4 vprintf, 5 the kernel."""
    names = ["", "table", "zeros", "weights", "vprintf", "k"]
    offsets, strings = elf.string_table(names)
    symbols = [
        (0, 0, 0, 0, 0),
        (_OBJECT, 0, _INIT, 8, 8),
        (_OBJECT, 0, _ZERO, 0, 300),
        (_OBJECT, 0, _USER, 4, 12),
        (_FUNCTION, 0, 0, 0, 0),
        (_FUNCTION, _ENTRY, _TEXT, 0, 16),
    ]
    table = b"".join(
        _SYMBOL.pack(name, 16 | kind, other, section, value, size)
        for name, (kind, other, section, value, size) in zip(offsets, symbols, strict=True)
    )
    entries = b"".join(struct.pack("<QQq", at, symbol << 32 | kind, more) for at, symbol, kind, more in relocations)
    parts = [
        elf.Part(".symtab", _SYMTAB, table, link=2, info=1, entry=24),
        elf.Part(".strtab", _STRTAB, strings),
        elf.Part(".shstrtab", _STRTAB, b""),
        elf.Part(".nv.global.init", _PROGBITS, bytes(range(16))),
        elf.Part(".nv.global", _NOBITS, bytes(300)),
        elf.Part(".nv.constant4", _PROGBITS, bytes(24)),
        elf.Part(".nv.constant3", _PROGBITS, bytes(16)),
        elf.Part(".text.k", _PROGBITS, bytes(16)),
        elf.Part(".rela.nv.constant4", _RELA, entries, link=1, info=_BANK, entry=24),
        elf.Part(".nv.constant2.k", _PROGBITS, b"12345678"),
    ]
    header = struct.pack(
        "<16sHHIQQQIHHHHHH", b"\x7fELF\x02\x01\x01\x33\x08", 2, 190, 1, 0, 0, 0, 90 << 8, 64, 0, 0, 64, 0, 0
    )
    return elf.assemble(header, parts, 3)


def test_sections_variables_and_addresses() -> None:
    image = device_image(_cubin([(0, 1, 2, 0), (8, 2, 2, 5), (16, 4, 2, 0)]))
    assert image.variables == {
        "table": Variable("global", 8, 8),
        "zeros": Variable("global", 256, 300),
        "weights": Variable("constant", 4, 12),
    }
    assert image.size == 256 + 300
    assert image.contents(1 << 40)[:16] == bytes(range(16))
    banks = image.banks("k", 1 << 40)
    assert struct.unpack("<3Q", banks[4]) == ((1 << 40) + 8, (1 << 40) + 256 + 5, system_address("vprintf"))
    assert banks[2] == b"12345678"
    assert 2 not in image.banks("other", 0)


def test_a_kernel_that_is_predicted_has_addresses_of_its_own_for_variables_and_functions() -> None:
    """No two variables share one, and none is an instruction's; relocations of other kinds leave the bank as it is."""
    table, zeros, printing = struct.unpack("<3Q", _addresses([(0, 1, 2, 0), (8, 2, 2, 5), (16, 4, 2, 0)]))
    assert zeros - 5 - table == 256 - 8
    assert table > 1 << 40
    assert printing == system_address("vprintf")
    assert _addresses([(0, 1, 99, 0)]) == bytes(24)


def _addresses(relocations: list[tuple[int, int, int, int]]) -> bytes:
    """The bank of addresses of the kernel."""
    return dict(read_cubin(elf.Source.of(_cubin(relocations))).kernel("k").kernel.constants)[4]


def test_functions_of_the_system_have_addresses_of_their_own() -> None:
    assert system_address("vprintf") & ~0xFFFF_FFFF == SYSTEM_WINDOW
    assert system_address("vprintf") != system_address("malloc")


def test_relocations_that_are_not_understood() -> None:
    with pytest.raises(UnsupportedError, match=r"relocation 99 of \.nv\.constant4"):
        device_image(_cubin([(0, 1, 99, 0)]))
    with pytest.raises(UnsupportedError, match="the address of k "):
        device_image(_cubin([(0, 5, 2, 0)]))
    for broken in ((20, 1, 2, 0), (0, 77, 2, 0)):
        with pytest.raises(InputError, match="damaged"):
            device_image(_cubin([broken]))
