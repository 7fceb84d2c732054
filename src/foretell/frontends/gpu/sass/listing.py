"""Disassembled kernels as text, so that measured code can be kept and predicted without nvdisasm.

    foretell sass 1
    # matmul.cu by nvcc 13.0
    kernel matmul
    arch 90
    registers 32
    shared 3072
    barriers 1
    stack 0
    threads 256 1 1
    cluster 2 1 1
    parameters 0x210
    parameter 0 8
    source k.cu
    note opcode FOO is not known
    constant 3 00112233
    code
    0000 @P0 LDC R1,c[0x0][0x28] ; 00000a00ff017b82 000fe20000000800 7

A parameter has an offset and a size; a line of code has the offset, the instruction, the low and high word in
hexadecimal, and the source line where it is known. A line that starts with # is a comment.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from foretell.core.gpu.by_syntax import BySyntax
from foretell.core.gpu.sass import INSTRUCTION_BYTES, Parameter, SassInstruction, SassKernel
from foretell.errors import InputError
from foretell.frontends.gpu.binary.cubin import ARCHITECTURES
from foretell.frontends.gpu.sass import decode

if TYPE_CHECKING:
    from collections.abc import Iterator

HEADER = "foretell sass 1"
_CODE = re.compile(
    r"([0-9a-f]{4,8}) (?:(@!?U?P(?:\d|T)) )?([A-Z][\w.]*)(?: (.*?))? ?; ([0-9a-f]{16}) ([0-9a-f]{16})(?: (\d{1,9}))?"
)
_NUMBERS = ("arch", "registers", "shared", "barriers", "stack", "parameters")
_FIELDS = ("kernel", "threads", "cluster", "parameter", "source", "note", "constant", *_NUMBERS)
_MOST_INSTRUCTIONS = 1 << 20
_LARGEST = 1 << 40
#: bytes of a bank of constants (CUDA C++ Programming Guide, technical specifications), and banks: five bits
_BANK_BYTES, _BANKS = 1 << 16, 32
#: blocks of a cluster (CUDA C++ Programming Guide: 8, on an H100 up to 16)
_LARGEST_CLUSTER = 16


def write(kernel: SassKernel) -> str:
    """Formats a kernel as a listing."""
    lines = [HEADER, f"kernel {kernel.name}", f"arch {kernel.arch}", f"registers {kernel.registers}"]
    lines += [f"shared {kernel.shared_bytes}", f"barriers {kernel.barriers}", f"stack {kernel.stack_bytes}"]
    lines.append(f"parameters {kernel.parameter_base:#x}")
    if kernel.max_threads:
        lines.append("threads " + " ".join(map(str, kernel.max_threads)))
    if kernel.cluster != (1, 1, 1):
        lines.append("cluster " + " ".join(map(str, kernel.cluster)))
    lines += [f"parameter {parameter.offset} {parameter.size}" for parameter in kernel.parameters]
    if kernel.source_file:
        lines.append(f"source {kernel.source_file}")
    lines += [f"note {note}" for note in kernel.notes]
    lines += [f"constant {bank} {data.hex()}" for bank, data in kernel.constants]
    lines.append("code")
    lines += map(_line, kernel.instructions, _SYNTAX.of_all(kernel.instructions))
    return "\n".join(lines) + "\n"


def _line(item: SassInstruction, syntax: str) -> str:
    low, high = item.encoding
    line = f" {item.line}" if item.line else ""
    return f"{item.offset:04x} {syntax} ; {low:016x} {high:016x}{line}"


def _syntax(item: SassInstruction) -> str:
    guard = ""
    if item.guard:
        name = str(item.guard.register) if item.guard.register else "PT"
        guard = f"@{'!' if item.guard.negated else ''}{name} "
    operands = ",".join(operand.text for operand in item.operands)
    return f"{guard}{item.full_opcode}{' ' + operands if operands else ''}"


_SYNTAX = BySyntax(_syntax)


def read(text: str) -> SassKernel:
    """Parses the kernel of a listing."""
    lines = text.splitlines()
    fields, last = _fields(lines)
    numbers = {name: _integer(_one(fields, name), name) for name in _NUMBERS}
    if numbers["arch"] not in ARCHITECTURES:
        raise InputError(f"code for sm_{numbers['arch']} is not understood")
    parameters = [_integers(line, "parameter", "OFFSET SIZE") for line in fields.get("parameter", [])]
    if numbers["parameters"] + max(map(sum, parameters), default=0) > _BANK_BYTES:
        raise InputError(f"the parameters are not within the {_BANK_BYTES} bytes of a bank of constants")
    return SassKernel(
        name=_one(fields, "kernel"),
        arch=numbers["arch"],
        instructions=tuple(_code(lines, last, numbers["arch"])),
        registers=numbers["registers"],
        shared_bytes=numbers["shared"],
        parameters=tuple(Parameter(ordinal, *place) for ordinal, place in enumerate(parameters)),
        parameter_base=numbers["parameters"],
        max_threads=_triple(fields.get("threads", []), "threads"),
        cluster=_cluster(fields.get("cluster", [])),
        barriers=numbers["barriers"],
        stack_bytes=numbers["stack"],
        source_file=fields.get("source", [""])[0],
        constants=tuple(_constants(fields.get("constant", []))),
        notes=tuple(fields.get("note", [])),
    )


def _fields(lines: list[str]) -> tuple[dict[str, list[str]], int]:
    """The fields before the code, each with the text of its lines, and the number of the line `code`."""
    if not lines or lines[0].strip() != HEADER:
        raise InputError(f"is not a listing of machine code: the first line is not {HEADER!r}", line=1)
    fields: dict[str, list[str]] = {}
    number = 1
    for number, line in enumerate(lines[1:], 2):
        word, _, rest = line.strip().partition(" ")
        if word == "code":
            return fields, number
        if word.startswith("#"):
            continue
        if word not in _FIELDS:
            raise InputError(f"{line[:60]!r} is not understood", line=number)
        fields.setdefault(word, []).append(rest)
    raise InputError("the listing has no code", line=number)


def _code(lines: list[str], start: int, arch: int) -> Iterator[SassInstruction]:
    if len(lines) - start > _MOST_INSTRUCTIONS:
        raise InputError(f"more than {_MOST_INSTRUCTIONS} instructions")
    expected = 0
    for number, line in enumerate(lines[start:], start + 1):
        if not line.strip():
            continue
        match = _CODE.fullmatch(line.strip())
        if not match:
            raise InputError(f"{line[:60]!r} is not an instruction with its encoding", line=number)
        if int(match[1], 16) != expected:
            raise InputError(f"instruction at {match[1]}, expected {expected:04x}", line=number)
        expected += INSTRUCTION_BYTES
        words = (int(match[5], 16), int(match[6], 16))
        yield decode.instruction(
            arch, int(match[1], 16), match[2] or "", match[3], match[4] or "", words, int(match[7] or 0)
        )
    if not expected:
        raise InputError("the listing has no instructions", line=len(lines))


def _one(fields: dict[str, list[str]], name: str) -> str:
    values = fields.get(name, [])
    if len(values) != 1 or not values[0]:
        raise InputError(f"the listing needs one line {name!r}")
    return values[0]


def _integer(text: str, name: str) -> int:
    if not re.fullmatch(r"\d{1,13}|0x[0-9a-fA-F]{1,10}", text):
        raise InputError(f"{name}: {text[:40]!r} is not a number")
    return min(int(text, 0) if text.startswith("0x") else int(text), _LARGEST)


def _integers(line: str, name: str, form: str) -> list[int]:
    words = line.split()
    if len(words) != len(form.split()):
        raise InputError(f"write: {name} {form}")
    return [_integer(word, name) for word in words]


def _triple(lines: list[str], name: str) -> tuple[int, int, int] | None:
    if not lines:
        return None
    x, y, z = _integers(lines[0], name, "X Y Z")
    return x, y, z


def _cluster(lines: list[str]) -> tuple[int, int, int]:
    cluster = _triple(lines, "cluster") or (1, 1, 1)
    if not 1 <= math.prod(cluster) <= _LARGEST_CLUSTER:
        raise InputError(f"a cluster has 1 to {_LARGEST_CLUSTER} blocks")
    return cluster


def _constants(lines: list[str]) -> Iterator[tuple[int, bytes]]:
    for line in lines:
        bank, _, data = line.partition(" ")
        number = _integer(bank, "constant")
        if number >= _BANKS:
            raise InputError(f"constant: there is no bank {number}")
        try:
            yield number, bytes.fromhex(data)
        except ValueError:
            raise InputError("write: constant BANK HEXADECIMAL") from None
