"""Reads a file to decoded kernels."""

from __future__ import annotations

import re
import struct
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from foretell.core.gpu import opcodes
from foretell.core.gpu.recent import RecentKernels
from foretell.core.gpu.sass import INSTRUCTION_BYTES, SassInstruction, SassKernel
from foretell.errors import InputError, nearest
from foretell.files import opened
from foretell.frontends.gpu.binary import elf
from foretell.frontends.gpu.binary.container import CubinEntry, cubins, listed
from foretell.frontends.gpu.binary.cubin import Cubin, kernels_listed, read_cubin
from foretell.frontends.gpu.binary.linked import ADDRESS_BANK, Reference
from foretell.frontends.gpu.binary.names import matching
from foretell.frontends.gpu.sass import decode, nvdisasm

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

#: half of an address that the linker fills in: 32@lo(name), 32@hi((name + 0x70))
_HALF = re.compile(r"32@(?:lo|hi)\((?:\([^()]*\)|[^()]*)\)")


@contextmanager
def _opened(path: Path) -> Iterator[tuple[CubinEntry, ...]]:
    """The cubins of a file; errors raised inside name the file."""
    if not path.is_file():  # reading a pipe would block
        raise InputError("is not a regular file" if path.exists() else "no such file", file=path)
    try:
        with opened(path) as handle:
            yield cubins(elf.Source(handle))
    except InputError as error:
        raise error.at(path) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", file=path) from None


def read_kernel(path: Path, name: str | None = None, arch: int | None = None) -> SassKernel:
    """Reads a kernel of a cubin, fatbin or executable; `arch` selects among several architectures."""
    with _opened(path) as entries:
        return _decoded(_module(entries, arch, name), name)


def read_heads(path: Path, arch: int | None = None) -> tuple[tuple[SassKernel, int], ...]:
    """All kernels of one architecture, the highest by default, without their instructions, and the number of these."""
    with _opened(path) as entries:
        wanted = max(entry.arch for entry in entries) if arch is None else arch
        chosen = [entry for entry in entries if entry.arch == wanted]
        if not chosen:
            _module(entries, arch, None)  # says which architectures there are
        found = tuple(head for entry in chosen for head in heads(read_cubin(entry.open(), empty=len(entries) > 1)))
        if not found:
            raise InputError("the GPU machine code in this file has no kernels")
        return found


def heads(cubin: Cubin) -> Iterator[tuple[SassKernel, int]]:
    """The kernels of a cubin without their instructions, and the number of these."""
    for name in cubin.names:
        kernel, code, _ = cubin.kernel(name)
        yield kernel, len(code) // INSTRUCTION_BYTES


def architectures(path: Path) -> set[int]:
    """The architectures of a cubin, fatbin or executable."""
    with _opened(path) as entries:
        return {entry.arch for entry in entries}


DECODED: RecentKernels[SassKernel] = RecentKernels()


def decode_kernel(cubin: bytes, name: str | None = None) -> SassKernel:
    """Disassembles and decodes a kernel of a cubin; the last ones are remembered."""
    return DECODED.get(
        (cubin, name), lambda: _decoded(_read_once(cubin), name), lambda kernel: len(kernel.instructions)
    )


@lru_cache(maxsize=2)  # the line table of a module with templates is long, and the same for all its kernels
def _read_once(cubin: bytes) -> Cubin:
    return read_cubin(elf.Source.of(cubin))


def disassembled(cubin: bytes, name: str | None = None) -> list[Any]:
    """The disassembler's output for a kernel of a cubin, which it keeps."""
    module = read_cubin(elf.Source.of(cubin))
    return nvdisasm.disassemble(*module.alone(module.find(name)))


def disassemble_together(cubins: Iterable[tuple[bytes, str | None]]) -> None:
    """Disassembles a kernel of each of some cubins, in one run where that is possible, and keeps the output."""
    singles = []
    for data, name in cubins:
        module = read_cubin(elf.Source.of(data))
        full = module.find(name)
        if module.stands_alone(full):
            singles.append(nvdisasm.Single(*module.alone(full), full, module.arch, module.kernel(full).code))
    nvdisasm.disassemble_together(singles)


def disassemble_around(cubin: bytes, name: str, known: set[str], most: int) -> None:
    """Disassembles a kernel of a module together with those beside it that are not known, up to so many instructions,
    and keeps the output; they are known then. Most of the time of a single one is the disassembler's start."""
    module = _read_once(cubin)
    names = module.names
    place = names.index(name)
    chosen, left = [], most
    for full in sorted(names, key=lambda each: abs(names.index(each) - place)):
        left -= len(module.joined(full).code) // INSTRUCTION_BYTES if full not in known else 0
        if left < 0 and full != name:
            break
        if full not in known and module.stands_alone(full):
            chosen.append(nvdisasm.Single(*module.alone(full), full, module.arch, module.joined(full).code))
            known.add(full)
    known.add(name)
    nvdisasm.disassemble_together(chosen)


def _decoded(cubin: Cubin, name: str | None) -> SassKernel:
    full = cubin.find(name)
    return _decode(cubin, full, nvdisasm.disassemble(*cubin.alone(full)))


def decode_all(data: bytes) -> tuple[SassKernel, ...]:
    """Decodes every kernel of a cubin, with one run of the disassembler."""
    cubin = read_cubin(elf.Source.of(data))
    if any(len(cubin.joined(name).starts) > 1 for name in cubin.names):  # linked: each kernel has functions of its own
        return tuple(_decoded(cubin, name) for name in cubin.names)
    answer = nvdisasm.disassemble(data, None)
    return tuple(_decode(cubin, name, answer) for name in cubin.names)


def _decode(cubin: Cubin, name: str, answer: list[Any]) -> SassKernel:
    kernel, code, lines = cubin.kernel(name)
    syntax = _syntax(answer, name, cubin.functions(name))
    for place, reference in cubin.references(name).items():
        if place // INSTRUCTION_BYTES < len(syntax):
            _resolve(syntax[place // INSTRUCTION_BYTES], reference)
    if len(syntax) * INSTRUCTION_BYTES != len(code):
        raise InputError(f"nvdisasm found {len(syntax)} instructions in {len(code)} bytes of {kernel.name}")
    words = struct.unpack(f"<{len(code) // 8}Q", code)
    instructions = tuple(
        decode.instruction(
            kernel.arch, offset, entry.get("predicate", ""), entry["opcode"], entry.get("operands", ""), encoding, line
        )
        for offset, entry, encoding, line in zip(
            range(0, len(code), INSTRUCTION_BYTES),
            syntax,
            zip(words[::2], words[1::2], strict=True),
            lines.lines(len(code), INSTRUCTION_BYTES),
            strict=True,
        )
    )
    return replace(kernel, instructions=instructions, notes=_notes(instructions))


def _resolve(entry: dict[str, Any], reference: Reference) -> None:
    """Puts what an instruction refers to in the place of a name."""
    if reference.form == "call":
        entry["operands"] = hex(reference.value)
        return
    variable = f"c[{ADDRESS_BANK:#x}][{reference.value:#x}]"
    text = variable if reference.form == "variable" else hex(reference.value)
    entry["operands"] = _HALF.sub(text, entry.get("operands", ""))
    if reference.form == "variable" and entry["opcode"] == "UMOV":
        entry["opcode"] = "ULDC"  # reads constant banks


def _notes(instructions: tuple[SassInstruction, ...]) -> tuple[str, ...]:
    unknown = sorted({item.opcode for item in instructions if not opcodes.known(item.opcode)})
    return tuple(f"opcode {name} is not known: taken for one of the {opcodes.CONSERVATIVE} unit" for name in unknown)


def _module(entries: tuple[CubinEntry, ...], arch: int | None, name: str | None) -> Cubin:
    """The cubin of an architecture, the highest by default, and of those the one that contains the kernel."""
    present = {entry.arch for entry in entries}
    wanted = max(present) if arch is None else arch
    chosen = [entry for entry in entries if entry.arch == wanted]
    if not chosen:
        raise InputError(f"there is no code for sm_{wanted} in this file", hint=f"there is code for {listed(present)}")
    if len(chosen) == 1:
        return read_cubin(chosen[0].open())
    names: list[str] = []
    for entry in chosen:  # one at a time: together they may exceed the memory
        own = Cubin(entry.open()).names
        if name is not None and (name in own or matching(own, name)):
            return read_cubin(entry.open())
        names += own
    if name is None and len(names) == 1:
        return _module(entries, arch, names[0])
    problem = f"no kernel named {name!r}{nearest(name, names)}" if name else f"there are {len(names)} kernels here"
    raise InputError(problem, hint=kernels_listed(names))


def _syntax(answer: list[Any], name: str, starts: dict[str, int]) -> list[dict[str, Any]]:
    """The instructions of the kernel's section: the kernel itself, then the functions that it calls, which begin at
    `starts`. Disassemblers before CUDA 13.5 list them apart."""
    functions = answer[1]
    own = next((n for n, f in enumerate(functions) if f["function-name"] == name and not f["start"]), None)
    if own is None:
        raise InputError(f"nvdisasm does not show the kernel {name}")
    called = takewhile(lambda function: function["start"], functions[own + 1 :])
    entries = [entry for function in (functions[own], *called) for entry in function["sass-instructions"]]
    for entry in entries:
        if (target := entry.get("operands", "")) in starts:
            entry["operands"] = hex(starts[target])
    return entries
