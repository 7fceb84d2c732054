"""Parses operands of machine instructions in nvdisasm's syntax."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import chain
from typing import cast, get_args

from foretell.core.gpu.sass import Operand, Register, Space

_REGISTER = re.compile(r"(SB|UR|UP|R|P|B)(\d+|Z|T)((?:\.\w+)*)")
_NUMBER = re.compile(r"-?0x[0-9a-fA-F]+|-?\d+")
_FLOAT = re.compile(r"[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+|INF|QNAN|SNAN|NAN)(?:\.\w+)?")
_CONSTANT = re.compile(r"c\[(\w+)\]\[([^\]]*)\]((?:\.\w+)*)")
_BRACKETS = re.compile(r"\[([^\]]*)\]")
#: nvdisasm's JSON writes LDS R0,[R3] as R0[R3]
_MISSING_COMMA = re.compile(r"(?<![\w\[])(U?[RP](?:\d+|Z|T)(?:\.\w+)*)\[")
_MISSING_COMMA_BRACKETS = re.compile(r"(?<![\w\]])(\[[^\[\]]*\])(?=\[)")
#: a comma that may separate no operands: behind a bracket that is not closed before it
_COMMA_INSIDE = re.compile(r"\[[^\]]*,|[{(]")
_GLOBAL_ADDRESS = re.compile(r"desc\[[^\]]*\]\[[^\]]*\]|\[[^\]]*\.64[^\]]*\]")
_SPACES = frozenset(get_args(Space))
_OPENING = frozenset("{([")


def parse_all(text: str) -> tuple[Operand, ...]:
    """Parses the operands of an instruction, separated by commas."""
    if not _OPENING.intersection(text):
        return tuple(map(parse, _stripped(text)))
    if not _COMMA_INSIDE.search(text):
        return tuple(chain.from_iterable(map(_parts, _stripped(text))))
    return tuple(map(parse, split(text)))


@lru_cache(maxsize=1 << 16)
def _parts(text: str) -> tuple[Operand, ...]:
    """What stands between two commas: one operand, or two where one is missing."""
    return tuple(map(parse, split(text)))


def _stripped(text: str) -> list[str]:
    parts = text.split(",") if " " not in text else [part.strip() for part in text.split(",")]
    if not parts[-1]:
        parts.pop()
    return parts


def destination_first(text: str) -> str:
    """Operands of LDGSTS, a copy from global to shared memory, with the address in shared memory first: the JSON of
    nvdisasm 12.8 has it last, without a comma (desc[UR6][R8.64],P1[R11]), and predicates before it (P1[R11][R8.64])."""
    source = _GLOBAL_ADDRESS.search(text)
    if source is None:
        return text
    rest = text[: source.start()] + "," + text[source.end() :]
    target = _BRACKETS.search(rest)
    if target is None:
        return text
    others = (rest[: target.start()] + "," + rest[target.end() :]).split(",")
    return ",".join((target[0], source[0], *(part.strip() for part in others if part.strip())))


def split(text: str) -> tuple[str, ...]:
    """Splits operands at commas outside of braces and parentheses."""
    if not _OPENING.intersection(text):
        return tuple(_stripped(text))
    parts, depth, current = [], 0, ""
    for character in _MISSING_COMMA_BRACKETS.sub(r"\1,", _MISSING_COMMA.sub(r"\1,[", text)):
        depth += (character in "{([") - (character in "})]")
        if character == "," and depth <= 0:
            parts.append(current.strip())
            current = ""
        else:
            current += character
    if current.strip():
        parts.append(current.strip())
    return tuple(parts)


@lru_cache(maxsize=1 << 16)
def _whole(text: str) -> int:
    """Parses a hexadecimal or decimal number, with or without leading zeros."""
    return int(text, 16 if "x" in text else 10)


@lru_cache(maxsize=1 << 16)
def parse(text: str) -> Operand:
    """Parses one operand; an unknown one has kind `other` and keeps its text."""
    body, negated, absolute, inverted = _signs(text)
    if match := _REGISTER.fullmatch(body):
        register, space = _register(match)
        return Operand(
            "register",
            text,
            (register,),
            space,
            modifiers=_modifiers(match[3]),
            negated=negated,
            absolute=absolute,
            inverted=inverted,
        )
    if match := _CONSTANT.fullmatch(body):
        index, offset, _ = _address(match[2])
        bank = _whole(match[1]) if _NUMBER.fullmatch(match[1]) else 0
        return Operand(
            "constant", text, index, modifiers=_modifiers(match[3]), negated=negated, absolute=absolute,
            inverted=inverted, value=offset, bank=bank,
        )  # fmt: skip
    if "[" in body:
        return _memory(text, body)
    if _NUMBER.fullmatch(body):
        value = _whole(body)
        return Operand("immediate", text, value=-value if negated else value)
    if _FLOAT.fullmatch(body):
        return Operand("float", text, negated=negated)
    if body.startswith(("SR_", "SRZ")) or body == "SRZ":
        return Operand("special", text)
    registers = tuple(_register(match)[0] for match in _REGISTER.finditer(body) if "(" not in body)
    return Operand("other", text, registers if body.split(" ")[0] != body else ())


def name_of(register: str) -> Register | None:
    """The register with a plain name such as 'R4'; None for RZ, PT and anything else."""
    found = _REGISTER.fullmatch(register)
    return _register(found)[0] if found else None


def _signs(text: str) -> tuple[str, bool, bool, bool]:
    body = text
    inverted = body.startswith(("~", "!"))
    body = body[1:] if inverted else body
    negated = body.startswith("-") and not _NUMBER.fullmatch(body) and not _FLOAT.fullmatch(body)
    body = body[1:] if negated else body
    absolute = body.startswith("|")
    if absolute:
        head, _, tail = body[1:].partition("|")
        body = head + tail
    return body, negated, absolute, inverted


def _register(found: re.Match[str]) -> tuple[Register | None, Space]:
    space = cast("Space", found[1] if found[1] in _SPACES else "R")
    return (None if found[2] in ("Z", "T") else Register(space, int(found[2]))), space


def _modifiers(text: str) -> tuple[str, ...]:
    return tuple(part for part in text.split(".") if part)


def _address(text: str) -> tuple[tuple[Register | None, ...], int, tuple[str, ...]]:
    """Registers, displacement and register modifiers inside brackets: R2.64+UR4+0x10."""
    registers: list[Register | None] = []
    offset = 0
    modifiers: list[str] = []
    for part in re.split(r"\+(?!-)|(?<=[\w\]])(?=-0x)|\+(?=-)", text):
        word = part.strip()
        if found := _REGISTER.fullmatch(word):
            registers.append(_register(found)[0])
            modifiers += _modifiers(found[3])
        elif _NUMBER.fullmatch(word):
            offset += _whole(word)
    return tuple(registers), offset, tuple(modifiers)


def _memory(text: str, body: str) -> Operand:
    """Parses [R2.64+0x10], desc[UR4][R2.64], gdesc[UR8], a[…] and similar memory operands."""
    groups = _BRACKETS.findall(body)
    descriptor = None
    described = body.startswith("desc[") and len(groups) > 1
    if described:
        descriptor = name_of(groups[0])
        groups = groups[1:]
    registers: list[Register | None] = []
    modifiers: list[str] = []
    offset = 0
    for group in groups:
        inside, displacement, marks = _address(group)
        registers += inside
        offset += displacement
        modifiers += marks
    return Operand(
        "memory",
        text,
        tuple(registers),
        modifiers=tuple(modifiers),
        value=offset,
        wide_address="64" in modifiers,
        descriptor=descriptor,
    )
