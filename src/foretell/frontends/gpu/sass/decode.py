"""Decodes instructions from the disassembler's syntax and the control bits of the raw words."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from foretell.core.gpu.sass import Control, Guard, Register, SassInstruction
from foretell.frontends.gpu.sass import operands as ops
from foretell.frontends.gpu.sass.dataflow import dataflow

if TYPE_CHECKING:
    from foretell.core.gpu.sass import Operand
    from foretell.frontends.gpu.sass.dataflow import DataFlow

_NO_BARRIER = 7
_DESCRIBED = frozenset(("LD", "LDG", "ST", "STG", "RED", "ATOM", "ATOMG", "LDGSTS"))


def control(high: int) -> Control:
    """Decodes bits 105 to 125 of the 128-bit word, sm_70 and later; `high` is its upper half."""
    return _control(high >> 41)


@lru_cache(maxsize=1 << 14)
def _control(bits: int) -> Control:
    write, read = bits >> 5 & 7, bits >> 8 & 7
    return Control(
        stall=bits & 15,
        yields=not bits >> 4 & 1,
        write_barrier=None if write == _NO_BARRIER else write,
        read_barrier=None if read == _NO_BARRIER else read,
        wait_mask=bits >> 11 & 63,
        reuse=bits >> 17 & 15,
    )


def instruction(
    arch: int, offset: int, predicate: str, opcode: str, operand_text: str, encoding: tuple[int, int], line: int = 0
) -> SassInstruction:
    """Decodes one instruction: `predicate` as @P0 or @!P0, `opcode` with its modifiers."""
    base, modifiers, guard, parsed, flow = _syntax(predicate, opcode, operand_text)
    uses = flow.uses
    if 80 <= arch < 90 and (hidden := _hidden_descriptor(base, parsed, encoding)):
        uses |= hidden
    return SassInstruction(
        offset, base, modifiers, guard, parsed, control(encoding[1]), flow.defs, uses, encoding, flow.destinations, line
    )


@lru_cache(maxsize=1 << 16)  # versions of a kernel have most of their instructions in common
def _syntax(
    predicate: str, opcode: str, operand_text: str
) -> tuple[str, tuple[str, ...], Guard | None, tuple[Operand, ...], DataFlow]:
    """What follows from the text of an instruction alone."""
    base, modifiers = _opcode(opcode)
    guard = _guard(predicate) if predicate else None
    parsed = ops.parse_all(ops.destination_first(operand_text) if base == "LDGSTS" else operand_text)
    return base, modifiers, guard, parsed, dataflow(base, modifiers, guard, parsed)


@lru_cache(maxsize=1 << 12)
def _opcode(text: str) -> tuple[str, tuple[str, ...]]:
    base, *modifiers = text.split(".")
    return base, tuple(modifiers)


@lru_cache(maxsize=64)
def _guard(predicate: str) -> Guard | None:
    name = predicate.lstrip("@")
    if not name:
        return None
    return Guard(ops.name_of(name.lstrip("!")), name.startswith("!"))


def _hidden_descriptor(opcode: str, operands: tuple[Operand, ...], encoding: tuple[int, int]) -> frozenset[Register]:
    """The implicit memory descriptor of sm_80 to sm_89, in two uniform registers that the syntax does not show."""
    if opcode not in _DESCRIBED or not any(item.wide_address for item in operands):
        return frozenset()
    low, high = encoding
    first = low >> 32 & 63 if opcode in ("LD", "LDG") else high & 63
    return frozenset((Register("UR", first), Register("UR", first + 1)))
