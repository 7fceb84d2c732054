"""Kernel metadata of a cubin."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from foretell.core.gpu.sass import INSTRUCTION_BYTES, Parameter, SassKernel
from foretell.errors import InputError, UnsupportedError, nearest
from foretell.frontends.gpu.binary import elf, linked
from foretell.frontends.gpu.binary.container import architecture, listed
from foretell.frontends.gpu.binary.names import matching, signature
from foretell.frontends.gpu.binary.relocations import with_addresses
from foretell.frontends.gpu.binary.single_kernel import alone
from foretell.frontends.gpu.sass.line_table import LineTable, line_tables

if TYPE_CHECKING:
    from collections.abc import Iterator

#: architectures with 16-byte instruction words and the control bits that decode.py knows
ARCHITECTURES = (75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121)

_PARAM_CBANK, _FRAME_SIZE, _MAX_THREADS, _REQNTID = 0x0A, 0x11, 0x05, 0x10
_KPARAM_INFO, _REGCOUNT, _NUM_BARRIERS, _CLUSTER = 0x17, 0x2F, 0x4C, 0x3D
_VALUE_IN_HEADER, _SIZED = (1, 2, 3), 4
#: symbol flags: a function, and a kernel entry (STO_CUDA_ENTRY)
_FUNCTION, _ENTRY = 2, 0x10
#: maximum number of names in a message
_LISTED = 40
#: base of the parameters in constant bank 0, for kernels without parameters
_PARAMETER_BASE = {75: 0x160, 80: 0x160, 86: 0x160, 87: 0x160, 88: 0x160, 89: 0x160, 90: 0x210}


class KernelCode(NamedTuple):
    """A kernel without its instructions, their machine code, and their source lines."""

    kernel: SassKernel
    code: bytes
    lines: LineTable


class Cubin:
    """An opened cubin: its architecture and kernels. Kernels are read lazily."""

    def __init__(self, source: elf.Source) -> None:
        self.file = elf.open_elf(source)
        self.arch = architecture(self.file)
        self.symbols = self.file.symbols()
        sections = self.file.sections
        #: name -> section and symbol of each kernel, in section order
        self._entries = {
            symbol.name: (symbol.section, number)
            for number, symbol in sorted(enumerate(self.symbols), key=lambda pair: pair[1].section)
            if symbol.kind == _FUNCTION
            and symbol.other & _ENTRY
            and symbol.section < len(sections)
            and sections[symbol.section].name == f".text.{symbol.name}"
        }

    @property
    def names(self) -> list[str]:
        """The names of all kernels."""
        return list(self._entries)

    def find(self, name: str | None) -> str:
        """The mangled name of a kernel, given in any unique form (`scale`, `scale<float>`); None: the only one."""
        names = self.names
        if name is None and len(names) == 1:
            return names[0]
        if name is None:
            raise InputError(f"there are {len(names)} kernels here; choose one", hint=kernels_listed(names))
        if name in self._entries:
            return name
        meant = matching(names, name)
        if len(meant) == 1:
            return meant[0]
        if meant:
            raise InputError(f"several kernels named {name!r}", hint=kernels_listed(meant))
        known = [form for each in names for form in signature(each).forms]
        raise InputError(f"no kernel named {name!r}{nearest(name, known)}", hint=kernels_listed(names))

    def alone(self, name: str) -> tuple[bytes, int]:
        """One kernel as a separate cubin, and the index of its symbol there."""
        return alone(self.file, self.symbols, *self._entries[name], self.joined(name))

    def joined(self, name: str) -> linked.Joined:
        """The code of a kernel and of what it calls in other sections."""
        return self.linker.joined(self._entries[name][0])

    def references(self, name: str) -> dict[int, linked.Reference]:
        """What instructions of a kernel refer to, where the code is linked."""
        return self.linker.references(self.joined(name))

    def functions(self, name: str) -> dict[str, int]:
        """Where functions in the section of a kernel begin: what it calls there by name."""
        section, own = self._entries[name]
        return {
            symbol.name: symbol.value
            for number, symbol in enumerate(self.symbols)
            if symbol.section == section and symbol.kind == _FUNCTION and number != own
        }

    @cached_property
    def linker(self) -> linked.Linker:
        """Puts code together."""
        return linked.Linker(self.file, self.symbols)

    def stands_alone(self, name: str) -> bool:
        """Whether neither the section of a kernel nor its relocations name a function beside it, and no instruction the
        address of a variable."""
        if any(item.form == "variable" for item in self.references(name).values()):
            return False
        image, index = self.alone(name)
        symbols = elf.open_elf(elf.Source.of(image)).symbols()
        return [number for number, item in enumerate(symbols) if item.kind == _FUNCTION] == [index]

    @cached_property
    def _attributes(self) -> dict[tuple[int, int], int]:
        """The numbers of .nv.info, by attribute and symbol."""
        entries = _attributes(self.file.content(self.file.find(".nv.info")))
        pairs = [(attribute, struct.unpack_from("<II", data)) for attribute, data, _ in entries if len(data) >= 8]
        return {(attribute, symbol): value for attribute, (symbol, value) in pairs}

    @cached_property
    def _lines(self) -> dict[str, LineTable]:
        return line_tables(self.file, self.symbols)

    def _joined_lines(self, name: str) -> LineTable:
        """Lines of a kernel and of the functions behind it; those of functions in other files are not known."""
        own = self._lines.get(name, LineTable("", ()))
        rows = list(own.rows)
        for number, start in list(self.joined(name).starts.items())[1:]:
            other = self._lines.get(self.file.sections[number].name.removeprefix(".text."), LineTable("", ()))
            rows.append((start, 0))
            if other.file == own.file:
                rows += [(start + offset, line) for offset, line in other.rows]
        return LineTable(own.file, tuple(rows))

    @cached_property
    def _constants(self) -> dict[str, list[tuple[int, elf.Section]]]:
        """The initialised constant banks other than 0, by kernel; empty key: the whole module."""
        found: dict[str, list[tuple[int, elf.Section]]] = {}
        for section in self.file.sections:
            match = re.fullmatch(r"\.nv\.constant([0-9]{1,2})(?:\.(.*))?", section.name)
            if match and match[1] != "0":
                found.setdefault(match[2] or "", []).append((int(match[1]), section))
        return found

    def kernel(self, name: str) -> KernelCode:
        """The code and metadata of a kernel."""
        file, (number, symbol) = self.file, self._entries[name]
        section = file.sections[number]
        code = self.joined(name).code
        if not code or len(code) % INSTRUCTION_BYTES:
            raise InputError(f"the code of kernel {name} is damaged")
        described = _described(self.arch, file.content(file.find(f".nv.info.{name}")))
        shared = file.find(f".nv.shared.{name}")
        constants = [*self._constants.get("", ()), *self._constants.get(name, ())]
        lines = self._joined_lines(name)
        kernel = SassKernel(
            name=name,
            arch=self.arch,
            instructions=(),
            registers=self._attributes.get((_REGCOUNT, symbol), section.info >> 24),
            shared_bytes=shared.size if shared else 0,
            parameters=tuple(sorted(described.parameters, key=lambda item: item.ordinal)),
            parameter_base=described.base,
            max_threads=described.threads,
            cluster=described.cluster,
            barriers=described.barriers,
            stack_bytes=self._attributes.get((_FRAME_SIZE, symbol), 0),
            source_file=lines.file,
            constants=tuple((bank, with_addresses(self, item)) for bank, item in constants),
        )
        return KernelCode(kernel, code, lines)


def kernels_listed(names: list[str]) -> str:
    """A hint with the first kernel names."""
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return f"kernels: {', '.join(signature(name).forms[0] for name in names[:_LISTED])}{more}"


def read_cubin(source: elf.Source, *, empty: bool = False) -> Cubin:
    """Opens a cubin and checks that it can be decoded; `empty`: it may have no kernels, as those of linked programs."""
    cubin = Cubin(source)
    if cubin.arch not in ARCHITECTURES:
        hint = f"foretell reads {listed(ARCHITECTURES)}"
        raise UnsupportedError(f"code for sm_{cubin.arch} is not understood", hint=hint)
    if not cubin.names and not empty:
        raise InputError("the cubin has no kernels")
    return cubin


@dataclass(slots=True)
class _Described:
    """What .nv.info says of a kernel: offset and list of its parameters, the maximum block, the cluster, and the number
    of barriers."""

    base: int
    parameters: list[Parameter] = field(default_factory=list)
    threads: tuple[int, int, int] | None = None
    cluster: tuple[int, int, int] = (1, 1, 1)
    barriers: int = 0


def _described(arch: int, attributes: bytes) -> _Described:
    result = _Described(_PARAMETER_BASE.get(arch, 0x380))
    for attribute, data, value in _attributes(attributes):
        if attribute == _KPARAM_INFO and len(data) >= 12:
            _, ordinal, offset, packed = struct.unpack_from("<IHHI", data)
            result.parameters.append(Parameter(ordinal, offset, packed >> 18))
        elif attribute == _PARAM_CBANK and len(data) >= 8:
            result.base = struct.unpack_from("<H", data, 4)[0]
        elif attribute in (_MAX_THREADS, _REQNTID) and len(data) >= 12:
            result.threads = struct.unpack_from("<III", data)
        elif attribute == _CLUSTER and len(data) >= 12 and 0 not in (size := struct.unpack_from("<III", data)):
            result.cluster = size
        elif attribute == _NUM_BARRIERS:
            result.barriers = value & 0xFF
    return result


def _attributes(data: bytes) -> Iterator[tuple[int, bytes, int]]:
    """The entries of an .nv.info section: attribute, bytes, and the value if it is in the header."""
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
