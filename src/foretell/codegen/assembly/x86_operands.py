"""Registers and operands of x86-64, in AT&T and Intel syntax."""

from __future__ import annotations

import re
from functools import lru_cache

from foretell.codegen.assembly.instruction import Immediate, Label, Memory, Operand, Register, wrapped
from foretell.errors import InputError

_VECTOR = {"x": 16, "y": 32, "z": 64}
#: legacy (not numbered) registers of x86-64, by every name
_NAMED = {
    pattern.format(stem): (f"r{stem}{'x' * (len(stem) == 1)}", size)
    for stems, patterns in (
        (("a", "b", "c", "d"), (("r{}x", 8), ("e{}x", 4), ("{}x", 2), ("{}l", 1), ("{}h", 1))),
        (("si", "di", "bp", "sp"), (("r{}", 8), ("e{}", 4), ("{}", 2), ("{}l", 1))),
        (("ip",), (("r{}", 8),)),
    )
    for stem in stems
    for pattern, size in patterns
}
SIZES = {"byte": 1, "word": 2, "dword": 4, "qword": 8, "xmmword": 16, "ymmword": 32, "zmmword": 64, "oword": 16}


@lru_cache(maxsize=512)
def register(name: str) -> Register | None:
    """Register of a name without '%'; None if it is not a register."""
    if match := re.fullmatch(r"([xyz])mm(\d+)", name):
        return Register(f"zmm{match[2]}", _VECTOR[match[1]], "vector")
    if re.fullmatch(r"k[0-7]", name):
        return Register(name, 8, "mask")
    if match := re.fullmatch(r"r(\d+)([dwb]?)", name):
        return Register(f"r{match[1]}", {"": 8, "d": 4, "w": 2, "b": 1}[match[2]])
    return Register(*_NAMED[name]) if name in _NAMED else None


def split_operands(text: str) -> list[str]:
    """Splits operands at commas outside of brackets."""
    parts, depth, start = [], 0, 0
    for position, letter in enumerate(text):
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            parts.append(text[start:position].strip())
            start = position + 1
    parts.append(text[start:].strip())
    return [part for part in parts if part]


def number(text: str) -> int | None:
    """Parses an integer literal of at most 64 bits, which wraps as in a register; None for anything else."""
    try:
        value = int(text, 0)
    except ValueError:
        return None
    return wrapped(value) if -(1 << 63) <= value < 1 << 64 else None


def att_operand(text: str) -> tuple[Operand, str]:
    """Parses one operand in AT&T syntax, and the mask after it ('k1', 'k1z' or '')."""
    text, mask = _mask(text.removeprefix("*"))
    if text.startswith("$"):
        return Immediate(number(text[1:])), mask
    if text.startswith("%"):
        parsed = register(text[1:])
        if parsed is None:
            if "(" in text or ":" in text:  # a segment: %fs:0
                return Memory(symbol=text), mask
            raise InputError(f"unknown register {text}")
        return parsed, mask
    if "(" in text:
        return _att_memory(text), mask
    value = number(text)
    return (Label(text) if value is None else Memory(displacement=value)), mask


def _att_memory(text: str) -> Memory:
    before, _, inside = text.rpartition("(")
    names = [part.strip().removeprefix("%") for part in inside.rstrip(")").split(",")]
    base, index, scale = (*names, "", "")[:3]
    return _memory(base, index, number(scale) or 1, number(before) if before else 0, before)


def _memory(base: str, index: str, scale: int, shift: int | None, symbol: str) -> Memory:
    base_register, index_register = register(base) if base else None, register(index) if index else None
    if (base and base_register is None) or (index and index_register is None):
        raise InputError(f"unknown register in the address {base},{index}")
    return Memory(
        base_register.name if base_register else "",
        index_register.name if index_register else "",
        scale,
        shift or 0,
        "" if shift is not None else symbol,
        gathers=index_register is not None and index_register.file == "vector",
    )


def intel_operand(text: str) -> tuple[Operand, str, int]:
    """Parses one operand in Intel syntax: operand, mask, and explicit size in bytes (0: none)."""
    text, mask = _mask(text)
    size = 0
    if match := re.match(r"(\w+)\s+(?:ptr|PTR)\s+(.*)", text):
        size, text = SIZES.get(match[1].lower(), 0), match[2]
    elif match := re.match(r"(zmmword|ymmword|xmmword)\s+(.*)", text, re.IGNORECASE):
        size, text = SIZES[match[1].lower()], match[2]
    if "[" in text:
        return _intel_memory(text), mask, size
    text = text.removeprefix("offset ").removeprefix("OFFSET ")
    value = number(text)
    if value is not None:
        return Immediate(value), mask, size
    return register(text.lower()) or Label(text), mask, size


def _intel_memory(text: str) -> Memory:
    before, _, inside = text.partition("[")
    base = index = ""
    scale, shift = 1, number(before.strip()) or 0  # gcc writes -8[rax]
    symbol = "" if number(before.strip()) is not None else before.strip()
    for sign, part in re.findall(r"([+-]?)\s*([^+\-\]]+)", inside.rstrip("] ")):
        part = part.strip()
        factors = [factor.strip() for factor in part.split("*")]
        if len(factors) == 2:
            index, times = factors if register(factors[0].lower()) else reversed(factors)
            if (scaled := number(times)) is None:
                raise InputError(f"unknown register in the address {inside}")
            scale = scaled
        elif register(part.lower()):
            base, index = (part, index) if not base else (base, part)
        elif (value := number(part)) is not None:
            shift = wrapped(shift - value if sign == "-" else shift + value)
        else:
            symbol = part
    match = _memory(base.lower(), index.lower(), scale, shift, "")
    return Memory(match.base, match.index, scale, shift, symbol, match.gathers)


def _mask(text: str) -> tuple[str, str]:
    """Splits '{%k1}{z}' or '{1to4}' off an operand: the operand, and the mask."""
    marks = re.findall(r"\{\s*%?(\w+)\s*\}", text)
    plain = re.sub(r"\{[^}]*\}", "", text).strip()
    mask = next((mark for mark in marks if re.fullmatch(r"k[0-7]", mark)), "")
    return plain, f"{mask}z" if mask and "z" in marks else mask
