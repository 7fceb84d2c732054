"""Bytes that instructions of x86-64 take, by the rules of their encoding (Intel SDM, volume 2, chapter 2).

Jumps are taken as short ones; of several encodings, the shortest is taken, as assemblers do.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from foretell.codegen.assembly.instruction import Immediate, Label, Memory, Register

if TYPE_CHECKING:
    from collections.abc import Sequence

    from foretell.codegen.assembly.instruction import Instruction

#: lengths that do not depend on operands
_FIXED = {
    "ret": 1, "leave": 1, "nop": 1, "cltq": 2, "cqto": 2, "cltd": 1, "cwtl": 1, "endbr64": 4, "vzeroupper": 3,
    "call": 5, "callq": 5,
}  # fmt: skip
#: VEX instructions beyond the first opcode map, which need the longer prefix, and instructions with EVEX alone
_LATER_MAPS = re.compile(
    r"vf(?:n?m(?:add|sub)|maddsub)|vbroadcast|vpbroadcast|vperm|vpmov[sz]x|vpmulld|vp(?:max|min)(?:sb|uw|[su]d)|vextract|"
    r"vinsert[fi]|vround|vp?blend|vp?gather|vpabs|vpshufb|vphadd|vptest|vpsllv|vpsrlv|vpackusdw|vpmaddubsw|vpdp|vcvtph2ps"
)
_EVEX_ONLY = re.compile(
    r"vrndscale|valign[dq]|vpternlog|v(?:extract|insert)[fi](?:64x2|32x4|32x8|64x4)|vmovdqu(?:8|16|32|64)|vp?scatter|"
    r"vmovdqa(?:32|64)|vpandn?[dq]$|vpx?or[dq]$|vpermt2|vpermi2|vpmov[a-z]+2|vcvt.*u[dq]q|vcvtu|vpmullq|vp(?:max|min|abs|sra)q|vdbps"
)
_TWO_BYTE_OPCODES = re.compile(
    r"imul[lqw]?$|movx|movz|movs[bwl][lqw]$|set|cmov|bt[lqcsr]?|popcnt|[lt]zcnt|bs[fr]|shld|shrd|bswap"
)
_SHIFTS = re.compile(r"(?:sal|sar|shl|shr|rol|ror)[bwlq]?$")
_SSE = re.compile(r"(?:p[a-z]+|.*(?:sd|ss|pd|ps|dqa|dqu|dq2q|dq|sd2si|ss2si)[lq]?)$")
_BARE = re.compile(
    r"(?:movap|movup|unpck[lh]p|shufp|andn?p|x?orp|sqrtp|rsqrtp|rcpp|addp|subp|mulp|divp|maxp|minp|ucomis|comis)s$"
)
_BYTE = 127
#: registers whose lowest byte needs a prefix
_LOW_BYTES = frozenset({"rsi", "rdi", "rbp", "rsp"})


def code_bytes(one: Instruction) -> int:
    """Bytes of an instruction."""
    if one.mnemonic in _FIXED:
        return _FIXED[one.mnemonic]
    if one.kind == "jump":
        return 2 if one.target else 3
    if one.mnemonic.startswith(("push", "pop")) and not one.mnemonic.startswith("popcnt"):
        return 1 + _extended(one.operands)
    evex = _is_evex(one)
    address = sum(_address_bytes(operand, (one.moved or one.bytes or 8) if evex else 1) for operand in one.operands)
    return _opcode_bytes(one, evex) + address + _constant_bytes(one)


def _opcode_bytes(one: Instruction, evex: bool) -> int:
    """Prefixes, opcode and the byte that selects registers."""
    name, operands = one.mnemonic, one.operands
    if evex:
        return 6
    if name.startswith("v") or re.match(r"k[a-z]+[bwdq]$", name):
        long = _LATER_MAPS.match(name) or name.startswith(("vcvtsi2sdq", "vcvtsi2ssq")) or _extended(_rm(operands))
        return 5 if long else 4
    extended = _extended(operands)
    if any(isinstance(operand, Register) and operand.file == "vector" for operand in operands) or (
        _SSE.match(name) and one.element.startswith("f")
    ):
        return 3 + extended + (not _BARE.match(name)) + name.endswith("q") * (not extended and name.startswith("cvt"))
    general = [operand for operand in operands if isinstance(operand, Register)]
    wide = extended or one.text.split()[0].endswith("q") or any(register.bytes == 8 for register in general)
    low = any(register.bytes == 1 and register.name in _LOW_BYTES for register in general)
    short = any(register.bytes == 2 for register in general) and name != "movx"
    constant = any(isinstance(operand, Immediate) for operand in operands)
    one_byte = (constant and name == "imul") or one.text.startswith("movslq")
    return 2 + (wide or low) + short + (bool(_TWO_BYTE_OPCODES.match(name)) and not one_byte)


def _is_evex(one: Instruction) -> bool:
    registers = [operand for operand in one.operands if isinstance(operand, Register) and operand.file == "vector"]
    masked = "{%k" in one.text or "{1to" in one.text or "{k" in one.text
    high = any(register.bytes == 64 or int(register.name[3:]) > 15 for register in registers)
    return one.mnemonic.startswith("v") and (masked or high or bool(_EVEX_ONLY.match(one.mnemonic)))


def _rm(operands: Sequence[object]) -> Sequence[object]:
    """The operand whose registers need the longer VEX prefix: memory, or else one of two vector registers."""
    memory = [operand for operand in operands if isinstance(operand, Memory)]
    registers = [operand for operand in operands if isinstance(operand, Register)]
    return memory or registers[-1:]


def _extended(operands: Sequence[object]) -> bool:
    """Whether a register beyond the first eight is used."""
    names = [operand.name for operand in operands if isinstance(operand, Register)]
    names += [name for one in operands if isinstance(one, Memory) for name in (one.base, one.index) if name]
    numbers = (int(match[1]) for name in names if (match := re.match(r"(?:r|zmm)(\d+)$", name)))
    return any(number > 7 for number in numbers)


def _address_bytes(operand: object, scale: int) -> int:
    """Index and displacement of a memory operand; displacements of EVEX count in vectors."""
    if isinstance(operand, Label):
        return 4
    if not isinstance(operand, Memory):
        return 0
    if operand.symbol or operand.base in ("", "rip"):
        return 4 + (operand.base != "rip" and (bool(operand.index) or not operand.base))
    index = bool(operand.index) or operand.base in ("rsp", "r12")
    shift, least = operand.displacement, -_BYTE - 1
    small = shift % scale == 0 and least <= shift // scale <= _BYTE
    needed = shift != 0 or operand.base in ("rbp", "r13")
    return index + (1 if small else 4) * needed


def _constant_bytes(one: Instruction) -> int:
    """Bytes of a constant, less the register byte of moves that do not need it."""
    values = [operand.value for operand in one.operands if isinstance(operand, Immediate)]
    if not values:
        return 0
    registers = [operand for operand in one.operands if isinstance(operand, Register)]
    value, name = _signed(values[0], 8 * (registers[0].bytes if registers else 8)), one.mnemonic
    if name.startswith("movabs"):
        return 7
    if _SHIFTS.match(name):
        return value != 1
    sized = 1 if any(register.bytes == 1 for register in registers) or one.text.split()[0].endswith("b") else 4
    small = -_BYTE - 1 <= value <= _BYTE and name not in ("mov", "movl", "movq", "test", "testl", "testq")
    vector = any(register.file == "vector" for register in registers)
    length = 1 if vector or small else sized
    implied = name in ("mov", "movl") and bool(registers) and registers[0].bytes == 4  # the opcode names the register
    accumulator = (length == sized) and bool(registers) and registers[0].name == "rax" and name not in ("mov", "imul")
    return length - (implied or (accumulator and not vector))


def _signed(value: int | None, bits: int) -> int:
    """A constant as the signed number of so many bits that it is; the address of a symbol is a large one."""
    if value is None:
        return 1 << 30
    return value - (1 << bits) if value >= 1 << (bits - 1) else value
