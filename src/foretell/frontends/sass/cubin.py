"""What a cubin says about its kernels beside their instructions."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING

from foretell.core.sass import INSTRUCTION_BYTES, Parameter
from foretell.errors import InputError, UnsupportedError, nearest
from foretell.frontends.sass import elf
from foretell.frontends.sass.container import architecture
from foretell.frontends.sass.lines import LineTable, line_tables

if TYPE_CHECKING:
    from collections.abc import Iterator

#: architectures with 16-byte instruction words and the control bits that decode.py knows
ARCHITECTURES = (75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121)

_PARAM_CBANK, _FRAME_SIZE, _MAX_THREADS, _REQNTID = 0x0A, 0x11, 0x05, 0x10
_KPARAM_INFO, _REGCOUNT, _NUM_BARRIERS = 0x17, 0x2F, 0x4C
_VALUE_IN_HEADER, _SIZED = (1, 2, 3), 4
#: base of the parameters in constant bank 0, for kernels without any
_PARAMETER_BASE = {75: 0x160, 80: 0x160, 86: 0x160, 87: 0x160, 88: 0x160, 89: 0x160, 90: 0x210}


@dataclass(frozen=True, slots=True)
class KernelInfo:
    """One kernel: its code and resources as the ELF file has them. `symbol` is its symbol-table index."""

    name: str
    symbol: int
    code: bytes
    registers: int
    shared_bytes: int
    parameters: tuple[Parameter, ...]
    parameter_base: int
    max_threads: tuple[int, int, int] | None
    barriers: int
    stack_bytes: int
    constants: tuple[tuple[int, bytes], ...]
    lines: LineTable


@dataclass(frozen=True, slots=True)
class Cubin:
    """A cubin: its architecture and kernels."""

    arch: int
    kernels: tuple[KernelInfo, ...]

    def kernel(self, name: str | None) -> KernelInfo:
        """The kernel of a name (mangled, or the plain name where it is unique); None: the only one."""
        names = [kernel.name for kernel in self.kernels]
        listed = "kernels: " + ", ".join(names)
        if name is None:
            if len(self.kernels) == 1:
                return self.kernels[0]
            raise InputError(f"there are {len(names)} kernels here; choose one", hint=listed)
        exact = [kernel for kernel in self.kernels if kernel.name == name]
        plain = [kernel for kernel in self.kernels if plain_name(kernel.name) == name]
        for matches in (exact, plain):
            if len(matches) == 1:
                return matches[0]
        problem = "several kernels" if plain else "no kernel"
        raise InputError(f"{problem} named {name!r}{nearest(name, names)}", hint=listed)


def read_cubin(data: bytes) -> Cubin:
    """The kernels of a cubin."""
    file = elf.open_elf(elf.Memory(data))
    arch = architecture(file)
    if arch not in ARCHITECTURES:
        known = ", ".join(f"sm_{known}" for known in ARCHITECTURES)
        raise UnsupportedError(f"code for sm_{arch} is not understood", hint=f"foretell reads {known}")
    symbols = file.symbols()
    registers = dict(_per_symbol(file, _REGCOUNT))
    stack = dict(_per_symbol(file, _FRAME_SIZE))
    lines = line_tables(file, symbols)
    found = []
    for number, section in enumerate(file.sections):
        if section.name.startswith(".text."):
            symbol = _entry_symbol(symbols, number, section.name.removeprefix(".text."))
            if symbol is not None:
                found.append(
                    _kernel(file, arch, section, symbol, symbols[symbol].name, registers, stack, lines)
                )
    if not found:
        raise InputError("the cubin has no kernels")
    return Cubin(arch, tuple(found))


def kernel_names(data: bytes) -> list[str]:
    """The names of the kernels of a cubin, without reading their code."""
    file = elf.open_elf(elf.Memory(data))
    symbols = file.symbols()
    sections = [(number, section.name) for number, section in enumerate(file.sections)]
    found = [
        _entry_symbol(symbols, number, name.removeprefix(".text."))
        for number, name in sections
        if name.startswith(".text.")
    ]
    return [symbols[symbol].name for symbol in found if symbol is not None]


def _kernel(
    file: elf.Elf,
    arch: int,
    section: elf.Section,
    symbol: int,
    name: str,
    registers: dict[int, int],
    stack: dict[int, int],
    lines: dict[str, LineTable],
) -> KernelInfo:
    code = file.content(section)
    if not code or len(code) % INSTRUCTION_BYTES:
        raise InputError(f"the code of kernel {name} is damaged")
    base, parameters, threads, barriers = _PARAMETER_BASE.get(arch, 0x380), [], None, 0
    for attribute, data, value in _attributes(file.content(file.find(f".nv.info.{name}"))):
        if attribute == _KPARAM_INFO and len(data) >= 12:
            _, ordinal, offset, packed = struct.unpack_from("<IHHI", data)
            parameters.append(Parameter(ordinal, offset, packed >> 18))
        elif attribute == _PARAM_CBANK and len(data) >= 8:
            base = struct.unpack_from("<H", data, 4)[0]
        elif attribute in (_MAX_THREADS, _REQNTID) and len(data) >= 12:
            threads = struct.unpack_from("<III", data)
        elif attribute == _NUM_BARRIERS:
            barriers = value & 0xFF
    shared = file.find(f".nv.shared.{name}")
    return KernelInfo(
        name=name,
        symbol=symbol,
        code=code,
        registers=registers.get(symbol, section.info >> 24),
        shared_bytes=shared.size if shared else 0,
        parameters=tuple(sorted(parameters, key=lambda item: item.ordinal)),
        parameter_base=base,
        max_threads=threads,
        barriers=barriers,
        stack_bytes=stack.get(symbol, 0),
        constants=tuple(_constants(file, name)),
        lines=lines.get(name, LineTable("", ())),
    )


def _constants(file: elf.Elf, name: str) -> Iterator[tuple[int, bytes]]:
    """The initialised constant banks of a kernel, or of the whole module, but bank 0."""
    for section in file.sections:
        found = re.fullmatch(r"\.nv\.constant(\d+)(?:\.(.*))?", section.name)
        if found and found[1] != "0" and found[2] in (None, name):
            yield int(found[1]), file.content(section)


def _attributes(data: bytes) -> Iterator[tuple[int, bytes, int]]:
    """The entries of an .nv.info section: attribute, bytes, and the value where it is in the header."""
    position = 0
    while position + 4 <= len(data):
        form, attribute, value = struct.unpack_from("<BBH", data, position)
        position += 4
        if form in _VALUE_IN_HEADER:
            yield attribute, b"", value
        elif form == _SIZED:
            yield attribute, data[position : position + value], 0
            position += value
        else:
            raise InputError(f"the kernel attributes are damaged (format {form})")


def _per_symbol(file: elf.Elf, wanted: int) -> Iterator[tuple[int, int]]:
    for attribute, data, _ in _attributes(file.content(file.find(".nv.info"))):
        if attribute == wanted and len(data) >= 8:
            symbol, value = struct.unpack_from("<II", data)
            yield symbol, value


def _entry_symbol(symbols: tuple[elf.Symbol, ...], section: int, name: str) -> int | None:
    """The kernel's own symbol in its section: a function that is an entry (STO_CUDA_ENTRY)."""
    for index, symbol in enumerate(symbols):
        if symbol.section == section and symbol.name == name and symbol.kind == 2 and symbol.other & 0x10:
            return index
    return None


def plain_name(mangled: str) -> str:
    """The plain name inside a mangled one: _Z6vecaddPKf → vecadd, _ZN2ns3fooILi3EEvv → foo."""
    names = []
    position = 3 if mangled.startswith("_ZN") else 2 if mangled.startswith("_Z") else len(mangled)
    while found := re.compile(r"(\d+)").match(mangled, position):
        length = int(found[1])
        names.append(mangled[found.end() : found.end() + length])
        position = found.end() + length
        if not mangled.startswith("_ZN"):
            break
    return names[-1] if names else mangled
