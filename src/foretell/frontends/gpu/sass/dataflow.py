"""Determines the registers that an instruction reads and writes.

The rules derive from the opcode and its modifiers: the number of registers of the destination and each source, and
the number of leading destination operands. They are tested against the disassembler's own register columns.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from foretell.core.gpu.sass import Register

if TYPE_CHECKING:
    from foretell.core.gpu.sass import Guard, Operand


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: no destination: stores, reductions, control, synchronisation
_NO_DESTINATION = _words(
    "ST STG STS STL STSM STAS RED REDG REDAS BRA BRX BRXU JMP JMX EXIT RET RTT BSYNC BSSY BREAK "
    "KILL NOP BAR MEMBAR ERRBAR DEPBAR LDGDEPBAR LDGSTS CCTL CCTLL CCTLT FENCE NANOSLEEP WARPSYNC YIELD "
    "CALL BPT SUST SURED UTMALDG UTMASTG UTMAREDG UTMAPF UTMACCTL UTMACMDFLUSH UBLKCP UBLKRED UBLKPF "
    "ARRIVES ENDCOLLECTIVE PREEXIT WARPGROUP ACQBULK CGAERRBAR LDTRAM UCGABAR_ARV UCGABAR_WAIT "
    "UVIRTCOUNT UTCBAR UTCCP PMTRIG R2B"
)
#: only predicate destinations, two unless stated otherwise
_PREDICATE_DESTINATIONS = {
    "ISETP": 2, "FSETP": 2, "DSETP": 2, "HSETP2": 2, "PSETP": 2, "PLOP3": 2, "FCHK": 1, "UISETP": 2, "UPLOP3": 2,
    "UPSETP": 2, "R2P": 0, "UR2UP": 0, "UFSETP": 2,
}  # fmt: skip
#: a predicate in front of the destination register is written too
_LEADING_PREDICATE = _words(
    "SHFL ATOM ATOMG ATOMS LOP3 ULOP3 MATCH R2UR SYNCS ELECT VOTE VOTEU LDGMC UGETNEXTWORKID REDUX IDP "
    "QSPC LD LDG LDS UCLEA"
)
#: predicates directly after the destination register are carry-outs
_CARRY_OUT = _words("IADD3 UIADD3 IMAD UIMAD LEA ULEA VOTE VOTEU IADD UIADD R2UR LOP3 ULOP3 VIADD")
_TEXTURES = _words("TEX TLD TLD4 TXD")
_SURFACES = _words("SULD SUST SUATOM SURED")
_DIMENSIONS = {"1D": 1, "2D": 2, "3D": 3, "CUBE": 3}
_FP64 = _words("DADD DMUL DFMA DMNMX")
_INTEGER_64 = _words("IADD IADD3 MOV ISETP SEL LOP3 SHL SHR IMNMX VIMNMX")
#: the predicates of a mask are written or read
_MASKED = _words("R2P P2R UP2UR UR2UP")
_BITS = {"64": 2, "96": 3, "128": 4, "256": 8}
_NO_REGISTERS: frozenset[Register] = frozenset()
#: registers of operands by text and width, as many as are remembered
_SPANS: dict[tuple[str, int], frozenset[Register]] = {}
_MOST_SPANS = 1 << 16


class DataFlow(NamedTuple):
    """Registers written and read, without zero and true registers; and the number of leading destination operands."""

    defs: frozenset[Register]
    uses: frozenset[Register]
    destinations: int


@dataclass(frozen=True, slots=True)
class _Widths:
    """Register counts of the destination, and of each register source by its position among the sources."""

    destination: int
    sources: tuple[int, ...] = ()
    others: int = 1

    def source(self, place: int) -> int:
        return self.sources[place] if place < len(self.sources) else self.others


def dataflow(opcode: str, modifiers: tuple[str, ...], guard: Guard | None, operands: tuple[Operand, ...]) -> DataFlow:
    """The registers an instruction writes and reads."""
    if opcode in _TEXTURES and len(operands) > 2:
        return _texture(opcode, guard, operands)
    destinations = _destinations(opcode, operands)
    widths = _widths(opcode, modifiers)
    defs = [_span(operand, widths.destination) for operand in operands[:destinations]]
    uses: list[frozenset[Register]] = []
    place = 0
    for operand in operands[destinations:]:
        if operand.registers or operand.descriptor:
            uses.append(_read(opcode, modifiers, operand, widths.source(place)))
        place += operand.space not in ("P", "UP")
    if guard and guard.register:
        uses.append(_covered((guard.register,), 1))
    if opcode in _MASKED and operands:
        (defs if opcode in ("R2P", "UR2UP") else uses).append(_of_mask(opcode, operands))
    return DataFlow(_NO_REGISTERS.union(*defs), _NO_REGISTERS.union(*uses), destinations)


def _texture(opcode: str, guard: Guard | None, operands: tuple[Operand, ...]) -> DataFlow:
    """TEX high, low, coordinates, …, 2D, mask: texels beyond the second are in `high`. If the descriptor is no uniform
    register, coordinates and the operands after them are in a pair and the rest; TXD has two derivatives for each.
    TLD needs no sampler, whose descriptor is the second where both are named."""
    shape = next((item.text for item in operands if _coordinates(item.text)), "2D")
    coordinates = _coordinates(shape)
    texels = operands[-1].value.bit_count() if operands[-1].kind == "immediate" else 4
    pairs = not any(item.space == "UR" for item in operands)
    widths = [min(2, coordinates) if pairs else coordinates, coordinates - 1 if pairs and coordinates > 2 else 1]
    if opcode == "TXD":
        widths[1] = 2 * coordinates
    named = 1 if opcode == "TLD" and all(item.text != "0x0" for item in operands) else 2
    uses = {guard.register} if guard and guard.register else set()
    for item in operands[2:]:
        if item.space == "UR":
            uses |= _span(item, named)
        elif item.space == "R":
            uses |= _span(item, widths.pop(0) if widths else 1)
    defs = _span(operands[0], texels - 2) | _span(operands[1], min(2, texels))
    return DataFlow(frozenset(defs), frozenset(uses), 2)


def _coordinates(shape: str) -> int:
    """The number of coordinates: ARRAY_2D, 2D_ARRAY of surfaces, have one more than 2D; 0 for what is no shape."""
    plain = shape.removeprefix("ARRAY_").removesuffix("_ARRAY")
    return _DIMENSIONS[plain] + (plain != shape) if plain in _DIMENSIONS else 0


def _destinations(opcode: str, operands: tuple[Operand, ...]) -> int:
    """The number of leading operands that are written."""
    if opcode in _NO_DESTINATION or (operands and operands[0].kind == "immediate"):
        return 0
    if opcode in _PREDICATE_DESTINATIONS:
        return min(_PREDICATE_DESTINATIONS[opcode], len(operands))
    if opcode == "B2R":
        return len(operands)  # B2R.RESULT RZ,P1
    count = 0
    if opcode == "IMNMX" and operands and operands[0].space == "P":
        return 3  # the 64-bit form also writes two predicates
    if operands and operands[0].space in ("P", "UP"):
        if opcode in ("VOTE", "VOTEU", "ELECT") and len(operands) < 3:
            return 1
        count = 1
        if opcode not in _LEADING_PREDICATE or len(operands) < 2 or operands[1].kind != "register":
            return count
        if operands[1].space in ("P", "UP"):
            return 1
    count += 1
    while opcode in _CARRY_OUT and count < len(operands) and operands[count].space in ("P", "UP"):
        if opcode in ("VOTE", "VOTEU") and count == 2:
            break
        if operands[count].inverted or len(operands) - count <= (1 if opcode in ("LOP3", "ULOP3") else 0):
            break
        count += 1
    return count


@lru_cache(maxsize=1 << 12)
def _widths(opcode: str, modifiers: tuple[str, ...]) -> _Widths:
    base = opcode.removeprefix("U") if opcode.startswith("U") and opcode != "UMMA" else opcode
    if opcode in _FP64:
        return _Widths(2, others=2)
    if opcode == "DSETP":
        return _Widths(1, others=2)
    if base in ("IMAD", "IMAD32I") and "WIDE" in modifiers:
        return _Widths(2, (1, 1, 2))
    if base == "IMAD" and "HI" in modifiers:
        return _Widths(1, (1, 1, 2))
    if base in _INTEGER_64 and {"64", "U64", "S64"} & set(modifiers):
        return _Widths(1 if base == "ISETP" else 2, others=2)
    if opcode in ("HMMA", "IMMA", "DMMA", "QMMA", "BMMA", "OMMA"):
        return _matrix(opcode, modifiers)
    if opcode in ("I2F", "F2I", "F2F", "I2I", "FRND", "I2FP", "F2IP"):
        return _conversion(opcode, modifiers)
    if opcode == "LEPC":
        return _Widths(2)
    if opcode in ("CS2R", "CS2UR"):
        return _Widths(1 if "32" in modifiers else 2)
    if opcode in ("RET", "BRX", "JMX", "CALL", "JMP"):
        return _Widths(0, others=2)
    return _memory_widths(opcode, modifiers)


def _memory_widths(opcode: str, modifiers: tuple[str, ...]) -> _Widths:
    width = max((_BITS[m] for m in modifiers if m in _BITS), default=1)
    if opcode in ("LDSM", "STSM"):
        width = next((int(m) for m in modifiers if m in ("2", "4")), 1)
    if opcode in ("ATOM", "ATOMG", "ATOMS", "RED", "REDG") and width == 1:
        width = 2 if {"S64", "U64", "F64", "F16x4"} & set(modifiers) else 1
    if opcode in ("LD", "LDG", "LDS", "LDL", "LDC", "LDCU", "ULDC", "LDT", "LDSM", "ATOM", "ATOMG", "ATOMS"):
        return _Widths(width, others=width)
    if opcode in ("ST", "STG", "STS", "STL", "STSM", "RED", "REDG", "STAS"):
        return _Widths(0, others=width)
    if opcode in _SURFACES:
        return _Widths(width, (1, width if opcode != "SULD" else 1))
    return _Widths(1)


def _matrix(opcode: str, modifiers: tuple[str, ...]) -> _Widths:
    """Registers of D, A, B and C in a matrix instruction, from its shape: 16x8x16 is encoded as 16816."""
    shape = next((m for m in modifiers if re.fullmatch(r"\d{3,6}|\d+x\d+x\d+", m)), "16816")
    if opcode == "DMMA":
        return _Widths(4, (2, 2, 4)) if shape in ("884", "8x8x4") else _Widths(8, (4, 2, 8))
    if opcode == "HMMA":
        wide = "F32" in modifiers
        a, b = {"884": (2, 2), "1688": (2, 1), "1684": (2, 1)}.get(shape, (4, 2))
        if "TF32" in modifiers and shape == "1688":
            a, b = 4, 2
        if shape == "884":
            return _Widths(8 if wide else 4, (a, b, 8 if wide else 4))
        return _Widths(4 if wide else 2, (a, b, 4 if wide else 2))
    a, b = {"8816": (1, 1), "8832": (1, 1), "16816": (2, 1), "168128": (2, 1)}.get(shape, (4, 2))
    accumulators = 2 if shape.startswith("88") else 4
    return _Widths(accumulators, (a, b, accumulators))


def _conversion(opcode: str, modifiers: tuple[str, ...]) -> _Widths:
    """Register counts of a conversion: F2F.F64.F32 writes two and reads one; the destination's type comes first."""
    wide = {"F64", "S64", "U64"}
    kinds = [m for m in modifiers if m in wide | {"F32", "F16", "S32", "U32", "S16", "U16", "S8", "U8", "BF16"}]
    if opcode == "I2F":
        return _Widths(2 if "F64" in modifiers else 1, (2 if {"S64", "U64"} & set(modifiers) else 1,))
    if opcode == "F2I":
        return _Widths(2 if {"S64", "U64"} & set(modifiers) else 1, (2 if "F64" in modifiers else 1,))
    if opcode == "F2F" and len(kinds) == 2:
        return _Widths(2 if kinds[0] in wide else 1, (2 if kinds[1] in wide else 1,))
    if opcode == "FRND" and "F64" in modifiers:
        return _Widths(2, (2,))
    return _Widths(1)


def _span(operand: Operand, width: int) -> frozenset[Register]:
    """The registers that a name of some width covers."""
    registers = operand.registers
    if not registers:
        return _NO_REGISTERS
    key = operand.text, width  # texts know their hashes; the register in a text is always the same
    known = _SPANS.get(key)
    if known is None:
        if len(_SPANS) >= _MOST_SPANS:
            _SPANS.clear()
        known = _SPANS[key] = _covered(registers, width)
    return known


@lru_cache(maxsize=1 << 14)
def _covered(registers: tuple[Register | None, ...], width: int) -> frozenset[Register]:
    found: set[Register] = set()
    for register in registers:
        if register is not None:
            count = width if register.space in ("R", "UR") else 1
            found |= {Register(register.space, register.index + n) for n in range(count)}
    return frozenset(found)


def _read(opcode: str, modifiers: tuple[str, ...], operand: Operand, width: int) -> frozenset[Register]:
    if operand.kind == "memory":
        return _address(opcode, modifiers, operand)
    if operand.kind == "register" and "64" in operand.modifiers:
        width = 2
    if operand.kind == "constant":
        width = 1
    return _span(operand, width)


def _address(opcode: str, modifiers: tuple[str, ...], operand: Operand) -> frozenset[Register]:
    """[R2.64+UR4]: the base has two registers where marked, or where the opcode says so (sm_75: LDG.E [R2])."""
    registers: set[Register] = set()
    extended = "E" in modifiers and opcode in ("LDG", "STG", "RED", "REDG", "ATOMG", "ATOM", "LD", "ST", "CCTL", "QSPC")
    marked = {"64", "U32"} & set(operand.modifiers)
    for register in operand.registers:
        if register is None:
            continue
        if register.space == "R":
            wide = operand.wide_address or (extended and not marked and operand.descriptor is None)
        else:  # uniform part of a 64-bit address; descriptors of asynchronous copies
            wide = extended or operand.text.startswith("gdesc")
        count = 2 if wide else 1
        if opcode in _SURFACES and register.space == "R":
            count = max(map(_coordinates, modifiers), default=1)
        registers |= {Register(register.space, register.index + n) for n in range(count)}
    if operand.descriptor is not None:
        first = operand.descriptor
        registers |= {Register(first.space, first.index + n) for n in range(2)}
    return frozenset(registers)


def _of_mask(opcode: str, operands: tuple[Operand, ...]) -> frozenset[Register]:
    """R2P writes, and P2R reads, the predicates of a mask."""
    mask = next((item.value for item in reversed(operands) if item.kind == "immediate"), 0x7F)
    space = "UP" if opcode.startswith("U") else "P"
    return frozenset(Register(space, n) for n in range(7) if mask >> n & 1)  # type: ignore[arg-type]
