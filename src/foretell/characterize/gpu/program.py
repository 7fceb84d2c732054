"""The instructions of a kernel as the functional core takes them."""

from __future__ import annotations

import re
import struct
from functools import lru_cache
from typing import TYPE_CHECKING

from foretell import _core
from foretell.core.gpu import opcodes
from foretell.core.gpu.by_syntax import BySyntax
from foretell.core.gpu.recent import RecentKernels
from foretell.core.gpu.sass import SassKernel  # noqa: TC001  # the type of a constant
from foretell.errors import InputError

if TYPE_CHECKING:
    from foretell.core.gpu.sass import Operand, Register, SassInstruction

_SPECIAL = {
    "SR_TID.X": 0, "SR_TID.Y": 1, "SR_TID.Z": 2, "SR_CTAID.X": 3, "SR_CTAID.Y": 4, "SR_CTAID.Z": 5, "SR_LANEID": 6,
    "SRZ": 7, "SR_VIRTID": 7, "SR_CgaSize": 7, "SR_EQMASK": 8, "SR_LTMASK": 9, "SR_LEMASK": 10, "SR_GTMASK": 11,
    "SR_GEMASK": 12, "SR_SWINHI": 13, "SR_CgaCtaId": 14,
    # known to complete execution alone
    "SR_VIRTWARPID": 16, "SR_WARPID": 16, "SR_CLOCKLO": 17, "SR_CLOCKHI": 18, "SR_GLOBALTIMERLO": 19,
    "SR_GLOBALTIMERHI": 20, "SR_CLUSTERID.X": 21, "SR_CLUSTERID.Y": 22, "SR_CLUSTERID.Z": 23, "SR_VIRTUALSMID": 24,
    "SR_SMID": 24,
}  # fmt: skip
_OTHER_SPECIAL = 15
#: parts of a register: halves of packed numbers, and the first byte of a narrow integer
_HALVES = {"H0_H0": 1, "H1_H1": 2, "H0": 1, "H1": 2, "F32": 3}
_BYTES = {"B1": 1, "B2": 2, "B3": 3, "H1": 2}
#: marks behind a matrix descriptor: gdesc[UR4].tnspA.negB
_MARKS = {"tnspA": 1, "tnspB": 2, "negA": 4, "negB": 8}
#: other operands with a name: halves of a word that functions keep, and dimensions of textures (16 more: with layers)
_NAMED = {"Rpc.HI": 1, "1D": 1, "2D": 2, "3D": 3, "ARRAY_1D": 17, "ARRAY_2D": 18, "CUBE": 4, "ARRAY_CUBE": 20}
_LAST_REGISTER = {"R": 255, "UR": 239, "P": 6, "UP": 6, "B": 15, "SB": 5}
_FLOATING = re.compile(r"F|D(ADD|MUL|FMA|SETP|MNMX)|MUFU|H|UF")
#: of MUFU: its operand and its result are upper halves of doubles
_UPPER_HALF = frozenset({"RCP64H", "RSQ64H"})
_SPACE_KIND = {
    "R": _core.OperandKind.reg,
    "UR": _core.OperandKind.ureg,
    "P": _core.OperandKind.pred,
    "UP": _core.OperandKind.upred,
}
#: programs in the core of the last kernels, by identity: predictions prepare one several times
_PROGRAMS: RecentKernels[tuple[SassKernel, _core.FunctionalProgram]] = RecentKernels()


def program_of(kernel: SassKernel) -> _core.FunctionalProgram:
    """The kernel in the core, decoded once."""
    return _PROGRAMS.get(id(kernel), lambda: (kernel, _decoded(kernel)), lambda made: len(made[0].instructions))[1]


def _decoded(kernel: SassKernel) -> _core.FunctionalProgram:
    try:
        return _core.FunctionalProgram(_INSTRUCTION.of_all(kernel.instructions))
    except InputError as error:
        raise InputError(f"{kernel.name} {error.message}") from None
    except ValueError as error:
        raise InputError(f"{kernel.name} has {error}") from None
    except TypeError:  # numbers that no field of the core holds
        raise InputError(f"{kernel.name} has a number that no instruction can have") from None


def _check_registers(item: SassInstruction) -> None:
    """Refuses register numbers that no machine has, which a listing may contain."""
    _check(item.defs, item)
    _check(item.uses, item)
    for operand in item.operands:
        if operand.kind != "register" and operand.registers:
            _check(operand.registers, item)


def _check(registers: frozenset[Register] | tuple[Register | None, ...], item: SassInstruction) -> None:
    if (missing := _missing(registers)) is not None:
        raise InputError(f"{item.offset:#x}: there is no register {missing}")


@lru_cache(maxsize=1 << 14)
def _missing(registers: frozenset[Register] | tuple[Register | None, ...]) -> Register | None:
    """One of the registers that does not exist."""
    return next((item for item in registers if item is not None and item.index > _LAST_REGISTER[item.space]), None)


@lru_cache(maxsize=1 << 14)
def _numbers(registers: frozenset[Register]) -> dict[str, list[int]]:
    """Numbers of registers, by space."""
    found: dict[str, list[int]] = {"R": [], "UR": [], "P": [], "UP": []}
    for register in registers:
        found.setdefault(register.space, []).append(register.index)
    return found


def _instruction(item: SassInstruction) -> _core.FunctionalInstruction:
    _check_registers(item)
    result = _core.FunctionalInstruction()
    result.opcode, result.modifiers = item.opcode, list(item.modifiers)
    result.destinations = item.destinations
    if item.guard:
        result.guard_never = item.guard.register is None and item.guard.negated
        if item.guard.register:
            result.guard = item.guard.register.index
            result.guard_uniform = item.guard.register.space == "UP"
            result.guard_negated = item.guard.negated
    result.operands = [
        _register_operand(operand, item) if operand.kind == "register" else _operand(operand, item)
        for operand in item.operands
    ]
    written = _numbers(item.defs)
    result.written, result.written_uniform = written["R"], written["UR"]
    result.written_predicates, result.written_uniform_predicates = written["P"], written["UP"]
    return result


_INSTRUCTION = BySyntax(_instruction)


#: registers as operands, by the identity of what the decoder made of their text, which is kept beside them
_REGISTERS: dict[int, tuple[Operand, _core.FunctionalOperand]] = {}
_MOST_REGISTERS = 1 << 14


def _register_operand(operand: Operand, item: SassInstruction) -> _core.FunctionalOperand:
    """A register as the core takes it: most operands are, and few differ."""
    known = _REGISTERS.get(id(operand))
    if known is None:
        _check(operand.registers, item)
        if len(_REGISTERS) >= _MOST_REGISTERS:
            _REGISTERS.clear()
        result = _signed(operand)
        _register(result, operand)
        known = _REGISTERS[id(operand)] = operand, result
    return known[1]


def _signed(operand: Operand) -> _core.FunctionalOperand:
    result = _core.FunctionalOperand()
    result.negated, result.absolute, result.inverted = operand.negated, operand.absolute, operand.inverted
    for mark in operand.modifiers:
        result.half = _HALVES.get(mark, result.half)
        result.byte = _BYTES.get(mark, result.byte)
    return result


def _operand(operand: Operand, item: SassInstruction) -> _core.FunctionalOperand:
    result = _signed(operand)
    match operand.kind:
        case "immediate" | "float":
            _number(result, operand, item)
        case "constant":
            result.kind = _core.OperandKind.constant
            result.bank, result.value = operand.bank, operand.value
            _address_registers(result, operand)
        case "memory":
            _memory(result, operand, item)
        case "special":
            result.kind = _core.OperandKind.special
            result.value = _SPECIAL.get(operand.text, _OTHER_SPECIAL)
        case _:
            result.value = _NAMED.get(operand.text, 0)
    return result


def _register(result: _core.FunctionalOperand, operand: Operand) -> None:
    register = operand.registers[0]
    result.index = -1 if register is None else register.index
    if operand.space in _SPACE_KIND:
        result.kind = _SPACE_KIND[operand.space]
    else:  # convergence barriers are numbered
        result.value, result.index = max(result.index, 0), -1


def _number(result: _core.FunctionalOperand, operand: Operand, item: SassInstruction) -> None:
    decimal = "0x" not in operand.text
    if item.opcode.startswith("H") and item.opcode.endswith(("2", "2_32I")) and decimal:  # packed halves
        result.kind = _core.OperandKind.immediate
        result.value = _half(_real(operand.text), brain="BF16_V2" in item.modifiers)
    elif decimal and not _UPPER_HALF.isdisjoint(item.modifiers):  # shown as the double that has this upper half
        result.kind = _core.OperandKind.immediate
        result.value = int.from_bytes(struct.pack("<d", _real(operand.text)), "little") >> 32
    elif operand.kind == "float" or (decimal and _FLOATING.match(item.opcode)):
        result.kind, result.real = _core.OperandKind.real, _real(operand.text)
        result.negated = result.absolute = False
    else:
        result.kind = _core.OperandKind.immediate
        result.value = (operand.value + (1 << 63)) % (1 << 64) - (1 << 63)  # within 64 bits, as the core stores it
        result.negated = False


def _half(value: float, *, brain: bool) -> int:
    """The bits of a number in FP16, or in BF16: the upper half of FP32."""
    if brain:
        return int.from_bytes(struct.pack("<f", value), "little") >> 16
    return int.from_bytes(struct.pack("<e", value), "little")


def _real(text: str) -> float:
    body = text.strip("|~").upper()
    if "NAN" in body:
        return float("nan")
    try:
        return float(body)
    except ValueError:
        return float("nan")


def _memory(result: _core.FunctionalOperand, operand: Operand, item: SassInstruction) -> None:
    result.kind, result.value = _core.OperandKind.memory, operand.value
    _address_registers(result, operand)
    marked = {"64", "U32"} & set(operand.modifiers)
    to_shared = item.opcode == "LDGSTS" and operand is item.operands[0]  # an address of 32 bits
    extended = "E" in item.modifiers and (item.opcode in opcodes.GLOBAL or item.opcode == "QSPC") and not to_shared
    result.wide = operand.wide_address or (extended and not marked and operand.descriptor is None)
    result.wide_uniform = extended
    for mark in operand.modifiers:
        if mark in ("X4", "X8", "X16"):
            result.scale = int(mark[1:])
    if operand.text.startswith("gdesc"):
        result.marks = sum(_MARKS.get(mark, 0) for mark in operand.text.split(".")[1:])


def _address_registers(result: _core.FunctionalOperand, operand: Operand) -> None:
    for register in operand.registers:
        if register is not None and register.space == "R":
            result.index = register.index
        elif register is not None and register.space == "UR":
            result.uniform = register.index
