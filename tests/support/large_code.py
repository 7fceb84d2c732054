"""Large machine code, made of one small kernel again and again: a module of many kernels, a program of many modules."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from foretell.frontends.gpu.binary import elf

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_PROGBITS, _SYMTAB, _STRTAB, _NV_INFO = 1, 2, 3, 0x7000_0000
_FUNCTION, _ENTRY = 0x12, 0x10  # a global function; of CUDA's, a kernel
_BANK = bytes((4, 0x0A, 8, 0))  # the attribute that names the symbol of the parameters


def module(cubin: bytes, kernel: str, names: Iterable[str], filler: int = 0) -> bytes:
    """A cubin with copies of one kernel under many names, each followed by so many bytes of code that is never
    reached."""
    file = elf.open_elf(elf.Source.of(cubin))
    info, constants, code = (
        file.content(file.find(prefix + kernel)) for prefix in (".nv.info.", ".nv.constant0.", ".text.")
    )
    code += code[-16:] * (filler // 16)  # a no-operation, or a branch to itself
    at = info.index(_BANK) + len(_BANK)
    strings, symbols, registers, parts = bytearray(1), bytearray(24), bytearray(), []
    for number, name in enumerate(names, 1):
        text = 4 + 3 * number  # behind the four sections of the module
        symbols += struct.pack("<IBBHQQ", len(strings), _FUNCTION, _ENTRY, text, 0, len(code))
        strings += name.encode() + b"\0"
        registers += struct.pack("<BBHII", 4, 0x2F, 8, number, 16)
        own = info[:at] + number.to_bytes(4, "little") + info[at + 4 :]
        parts.append(elf.Part(f".nv.info.{name}", _NV_INFO, own, 0x40, 1, text))
        parts.append(elf.Part(f".nv.constant0.{name}", _PROGBITS, constants, 0x42, 0, text))
        parts.append(elf.Part(f".text.{name}", _PROGBITS, code, 0x6, 1, number))
    head = [
        elf.Part(".symtab", _SYMTAB, bytes(symbols), 0, 2, 1, 24),
        elf.Part(".strtab", _STRTAB, bytes(strings)),
        elf.Part(".nv.info", _NV_INFO, bytes(registers), 0, 1),
        elf.Part(".shstrtab", _STRTAB, b""),
    ]
    return elf.assemble(file.header, head + parts, 4)


def program(path: Path, modules: Iterable[bytes], arch: int = 90) -> None:
    """An executable (no more of it than a reader looks at) with a fatbin for every module, written one at a time."""
    names = b"\0.nv_fatbin\0.shstrtab\0"
    with path.open("wb") as file:
        file.write(bytes(64))
        for cubin in modules:
            body = cubin + bytes(-len(cubin) % 8)
            entry = struct.pack("<HHIQIIHHIIIQQQ", 2, 0x101, 64, len(body), 0, 0, 7, 8, arch, 0, 0, 0x11, 0, 0)
            file.write(struct.pack("<IHHQ", 0xBA55ED50, 1, 16, len(entry) + len(body)) + entry + body)
        end = file.tell()
        file.write(names)
        table = file.tell()
        file.write(bytes(64))
        file.write(struct.pack("<IIQQQQIIQQ", 1, _PROGBITS, 0, 0, 64, end - 64, 0, 0, 8, 0))
        file.write(struct.pack("<IIQQQQIIQQ", 12, _STRTAB, 0, 0, end, len(names), 0, 0, 1, 0))
        file.seek(0)
        ident = b"\x7fELF\x02\x01\x01" + bytes(9)
        file.write(struct.pack("<16sHHIQQQIHHHHHH", ident, 2, 62, 1, 0, 0, table, 0, 64, 0, 0, 64, 3, 2))
