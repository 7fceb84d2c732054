"""Machine code that a program loads: a fatbin, a cubin or PTX, and what of it a machine runs."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from foretell.errors import InputError, ToolError
from foretell.files import temporary_folder
from foretell.frontends.gpu.binary import container, elf
from foretell.frontends.gpu.binary.cubin import Cubin
from foretell.frontends.gpu.binary.image import device_image
from foretell.frontends.gpu.binary.nvcc import compile_source, link
from foretell.frontends.gpu.capture import CONSTANT_BANK as CONSTANT_BANK
from foretell.frontends.gpu.sass.kernels import decode_kernel, disassemble_around

if TYPE_CHECKING:
    from foretell.core.gpu.image import DeviceImage
    from foretell.core.gpu.sass import SassKernel

#: numbers of CUDA's errors
INVALID_IMAGE, NO_IMAGE, INVALID_FUNCTION, INVALID_SYMBOL, _INVALID_PTX = 200, 209, 98, 13, 218
#: how PTX text begins
_PTX_STARTS = (b"//", b".v")
#: bytes of PTX within which it says what it is for, after comments of the compiler
_PTX_HEAD = 1 << 14
#: what PTX is for, where only its own architecture runs it (sm_90a), or its family (sm_100f)
_OWN_TARGET = re.compile(rb"^[ \t]*\.target\s+sm_(\d+)([af])\b", re.MULTILINE)
#: several inputs of the driver's linker: a mark, how many, and the size of the whole; each after its size
_LINK_MARK, _LINK_HEAD, _LINK_SIZE = b"FTLK", struct.Struct("<4sIQ"), struct.Struct("<Q")

#: instructions that are disassembled with the first kernel of a module that is needed: as long as its tool's start
_TOGETHER = 20_000


class LoadError(InputError):
    """Code that cannot be loaded, with the number of CUDA's error."""

    def __init__(self, message: str, number: int, hint: str = "") -> None:
        super().__init__(message, hint=hint or None)
        self.number = number


@dataclass
class Code:
    """The code of a module for one architecture. `note` says where it is not what the GPU would run."""

    cubin: bytes
    arch: int
    note: str = ""
    _kernels: dict[str, SassKernel] = field(default_factory=dict)
    _disassembled: set[str] = field(default_factory=set)
    _together: int = _TOGETHER

    @cached_property
    def image(self) -> DeviceImage:
        """The variables of the module."""
        return device_image(self.cubin)

    @cached_property
    def has_heap(self) -> bool:
        """Whether kernels may call malloc."""
        symbols = Cubin(elf.Source.of(self.cubin)).symbols
        return any(symbol.name == "malloc" and symbol.section == 0 for symbol in symbols)

    @cached_property
    def names(self) -> list[str]:
        """The mangled names of the kernels."""
        return Cubin(elf.Source.of(self.cubin)).names

    def kernel(self, name: str) -> SassKernel:
        """A kernel by its mangled name, decoded once."""
        if name not in self._kernels:
            if name not in self._disassembled:  # each time twice as many: none is far from what the needed ones take
                disassemble_around(self.cubin, name, self._disassembled, self._together)
                self._together *= 2
            self._kernels[name] = decode_kernel(self.cubin, name)
        return self._kernels[name]


@dataclass
class Module:
    """A module of the program: its code by architecture, and where its variables are."""

    data: bytes
    globals_address: int = 0
    constants_address: int = 0
    _codes: dict[int, Code] = field(default_factory=dict)

    def code(self, arch: int) -> Code:
        """What a GPU of this architecture runs: its own code, code of the same generation, compiled PTX, or, without a
        compiler, code for another generation."""
        if arch not in self._codes:
            self._codes[arch] = self._chosen(arch)
        return self._codes[arch]

    @cached_property
    def _entries(self) -> tuple[container.CubinEntry, ...]:
        try:
            return container.cubins(elf.Source.of(self.data))
        except InputError:
            return ()

    @cached_property
    def _ptx(self) -> tuple[container.CubinEntry, ...]:
        if self.data.lstrip()[:2] in _PTX_STARTS:  # PTX as text
            return (container.CubinEntry(elf.Source.of(self.data.rstrip(b"\0")), 0, 0, len(self.data.rstrip(b"\0"))),)
        return container.ptx_entries(elf.Source.of(self.data))

    def _chosen(self, arch: int) -> Code:
        if inputs := _linked_inputs(self.data):
            return Code(_linked(inputs, arch), arch)
        near = [item for item in self._entries if item.arch <= arch and item.arch // 10 == arch // 10]
        if near:
            entry = max(near, key=lambda item: item.arch)
            return Code(_bytes_of(entry), entry.arch)
        older = [item for item in self._ptx if item.arch <= arch]
        if older:
            try:
                return Code(_compiled(_bytes_of(max(older, key=lambda item: item.arch)), arch), arch)
            except (ToolError, InputError) as error:
                if not self._entries:
                    raise LoadError(
                        f"PTX of the program cannot be compiled for sm_{arch}: {error}", _INVALID_PTX
                    ) from None
        return self._foreign(arch)

    def _foreign(self, arch: int) -> Code:
        """Code of another generation: it computes the same, and is timed as it is."""
        if not self._entries:
            raise LoadError(f"the program has no code for sm_{arch}, and no PTX", NO_IMAGE, f"nvcc -arch=sm_{arch}")
        entry = max(self._entries, key=lambda item: (item.arch <= arch, -abs(item.arch - arch)))
        note = (
            f"the program has code for sm_{entry.arch}, not for sm_{arch}: that code was executed and timed "
            f"(nvcc -arch=sm_{arch} compiles for this GPU)"
        )
        return Code(_bytes_of(entry), entry.arch, note)


def _bytes_of(entry: container.CubinEntry) -> bytes:
    source = entry.open()
    return source.read(0, source.size)


def _compiled(text: bytes, arch: int, flags: tuple[str, ...] = ()) -> bytes:
    """PTX compiled as the driver would do."""
    with temporary_folder() as folder:
        file = Path(folder) / "module.ptx"
        file.write_bytes(text.rstrip(b"\0"))
        return compile_source(file, arch, (*flags, *_target(text, arch)))


def _target(text: bytes, arch: int) -> tuple[str, ...]:
    """The flag of PTX that uses what only some architectures have, where this is one of them."""
    own = _OWN_TARGET.search(text[:_PTX_HEAD])
    is_own = own is not None and (int(own[1]) == arch or (own[2] == b"f" and int(own[1]) // 10 == arch // 10))
    return (f"-arch=sm_{arch}{own[2].decode()}",) if own is not None and is_own else ()


def _linked_inputs(data: bytes) -> list[bytes]:
    """What a program gave to the linker of the driver, as the stand-in keeps it (cpp/standin/driver/linking.cpp); empty
    for other code."""
    if data[:4] != _LINK_MARK:
        return []
    inputs, (_, count, _), place = [], _LINK_HEAD.unpack_from(data), _LINK_HEAD.size
    for _ in range(count):
        (size,) = _LINK_SIZE.unpack_from(data, place)
        inputs.append(data[place + _LINK_SIZE.size :][:size])
        place += _LINK_SIZE.size + size
    return inputs


def _linked(inputs: list[bytes], arch: int) -> bytes:
    """Several inputs as one cubin: PTX is compiled as relocatable code."""
    is_ptx = [data.lstrip()[:2] in _PTX_STARTS for data in inputs]
    try:
        cubins = [
            _compiled(data, arch, ("-rdc=true",)) if ptx else data for data, ptx in zip(inputs, is_ptx, strict=True)
        ]
        return link(cubins, arch)
    except (ToolError, InputError) as error:
        raise LoadError(f"code of the program cannot be linked for sm_{arch}: {error}", _INVALID_PTX) from None


def constant_bytes(code: Code) -> int:
    """Bytes of the user's constant variables: the end of the last one in their bank."""
    variables = code.image.variables.values()
    return max((item.offset + item.size for item in variables if item.space == "constant"), default=0)
