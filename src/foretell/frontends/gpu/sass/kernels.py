"""Reads a file to decoded kernels."""

from __future__ import annotations

import struct
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from foretell.core.gpu import opcodes
from foretell.core.gpu.sass import INSTRUCTION_BYTES, SassInstruction, SassKernel
from foretell.errors import InputError, nearest
from foretell.frontends.gpu.binary import elf
from foretell.frontends.gpu.binary.container import CubinEntry, cubins
from foretell.frontends.gpu.binary.cubin import Cubin, KernelInfo, kernels_listed, plain_name, read_cubin
from foretell.frontends.gpu.sass import decode, nvdisasm

if TYPE_CHECKING:
    from pathlib import Path


def read_kernel(path: Path, name: str | None = None, arch: int | None = None) -> SassKernel:
    """Reads a kernel of a cubin, fatbin or executable; `arch` selects among several architectures."""
    if not path.exists():
        raise InputError("no such file", file=path)
    if not path.is_file():  # reading a pipe would block
        raise InputError("is not a regular file", file=path)
    try:
        with path.open("rb") as handle:
            return _decoded(_module(cubins(elf.File(handle)), arch, name), name)
    except InputError as error:
        raise error.at(path) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", file=path) from None


def decode_kernel(cubin: bytes, name: str | None = None) -> SassKernel:
    """Disassembles and decodes a kernel of a cubin."""
    return _decoded(read_cubin(elf.Memory(cubin)), name)


def _decoded(cubin: Cubin, name: str | None) -> SassKernel:
    full = cubin.find(name)
    info = cubin.kernel(full)
    return _decode(cubin.arch, info, nvdisasm.disassemble(*cubin.alone(full)))


def decode_all(data: bytes) -> tuple[SassKernel, ...]:
    """Decodes every kernel of a cubin, with one run of the disassembler."""
    cubin = read_cubin(elf.Memory(data))
    answer = nvdisasm.disassemble(data, None)
    return tuple(_decode(cubin.arch, cubin.kernel(name), answer) for name in cubin.names)


def _decode(arch: int, info: KernelInfo, answer: list[Any]) -> SassKernel:
    syntax = _syntax(answer, info)
    words = struct.unpack(f"<{len(info.code) // 8}Q", info.code)
    if len(syntax) * INSTRUCTION_BYTES != len(info.code):
        raise InputError(f"nvdisasm found {len(syntax)} instructions in {len(info.code)} bytes of {info.name}")
    instructions = tuple(_instruction(arch, position, entry, words, info) for position, entry in enumerate(syntax))
    return SassKernel(
        name=info.name,
        arch=arch,
        instructions=instructions,
        registers=info.registers,
        shared_bytes=info.shared_bytes,
        parameters=info.parameters,
        parameter_base=info.parameter_base,
        max_threads=info.max_threads,
        barriers=info.barriers,
        stack_bytes=info.stack_bytes,
        source_file=info.lines.file,
        constants=info.constants,
        notes=_notes(instructions),
    )


def _notes(instructions: tuple[SassInstruction, ...]) -> tuple[str, ...]:
    unknown = sorted({item.opcode for item in instructions if not opcodes.known(item.opcode)})
    return tuple(f"opcode {name} is not known: taken for one of the {opcodes.CONSERVATIVE} unit" for name in unknown)


def _module(entries: tuple[CubinEntry, ...], arch: int | None, name: str | None) -> Cubin:
    """The cubin of an architecture, the highest by default, and of those the one that contains the kernel."""
    here = sorted({entry.arch for entry in entries})
    wanted = arch if arch is not None else here[-1]
    chosen = [entry for entry in entries if entry.arch == wanted]
    if not chosen:
        listed = ", ".join(f"sm_{known}" for known in here)
        raise InputError(f"there is no code for sm_{wanted} in this file", hint=f"there is code for {listed}")
    if len(chosen) == 1:
        return read_cubin(chosen[0].open())
    names: list[str] = []
    for entry in chosen:  # one at a time: together they may exceed the memory
        found = Cubin(entry.open()).names
        if name in found or (name is not None and name in map(plain_name, found)):
            return read_cubin(entry.open())
        names += found
    if name is None and len(names) == 1:
        return _module(entries, arch, names[0])
    problem = f"no kernel named {name!r}{nearest(name, names)}" if name else f"there are {len(names)} kernels here"
    raise InputError(problem, hint=kernels_listed(names))


def _syntax(answer: list[Any], info: KernelInfo) -> list[dict[str, Any]]:
    """The instructions of the kernel's section: the kernel itself, then the functions it calls."""
    functions = answer[1]
    own = next((n for n, f in enumerate(functions) if f["function-name"] == info.name and not f["start"]), None)
    if own is None:
        raise InputError(f"nvdisasm does not show the kernel {info.name}")
    called = list(takewhile(lambda function: function["start"], functions[own + 1 :]))
    starts = {function["function-name"]: function["start"] for function in called}
    found = [entry for function in (functions[own], *called) for entry in function["sass-instructions"]]
    for entry in found:
        target = entry.get("operands", "")
        if target in starts:
            entry["operands"] = hex(starts[target])
    return found


def _instruction(
    arch: int, position: int, entry: dict[str, Any], words: tuple[int, ...], info: KernelInfo
) -> SassInstruction:
    offset = position * INSTRUCTION_BYTES
    return decode.instruction(
        arch,
        offset,
        entry.get("predicate", ""),
        entry["opcode"],
        entry.get("operands", ""),
        (words[2 * position], words[2 * position + 1]),
        info.lines.line(offset),
    )
