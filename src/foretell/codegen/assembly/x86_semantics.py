"""Integer semantics of x86-64 instructions, encoded for the compiled core: enough to follow a function's jumps and
addresses. Registers written by other instructions (floating point, masks) are unknown."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from foretell.codegen.assembly.instruction import Immediate, Memory, Register
from foretell.codegen.assembly.meaning import OTHER, Meaning, Steps

if TYPE_CHECKING:
    from collections.abc import Sequence

    from foretell.codegen.assembly.instruction import Instruction, Operand

#: conditions, by the suffixes of the mnemonics
_CONDITIONS = {
    "equal": ("e", "z"), "not_equal": ("ne", "nz"), "less": ("l", "nge"), "not_less": ("ge", "nl"),
    "less_equal": ("le", "ng"), "greater": ("g", "nle"), "below": ("b", "c", "nae"), "not_below": ("ae", "nc", "nb"),
    "below_equal": ("be", "na"), "above": ("a", "nbe"), "negative": ("s",), "not_negative": ("ns",),
    "other": ("p", "pe", "o"), "not_other": ("np", "po", "no"),
}  # fmt: skip
_CONDITION = {letters: name for name, spellings in _CONDITIONS.items() for letters in spellings}
_LETTER_BITS = {"b": 8, "w": 16, "l": 32, "q": 64}
_LETTER_BITS_OF_MASKS = {"b": 8, "w": 16, "d": 32, "q": 64}
#: two operands: both are read, the first is written
_TWO = {"add": "add", "sub": "sub", "and": "and", "or": "or", "xor": "xor", "imul": "mul", "shl": "shl", "sal": "shl",
        "shr": "shr", "sar": "sar"}  # fmt: skip
#: the first operand is written, the others are read
_THREE = {"shlx": "shl", "shrx": "shr", "sarx": "sar", "andn": "and_not", "imul": "mul", "bextr": "bextr",
          "bzhi": "bzhi"}  # fmt: skip
#: sign extensions of rax without operands: register that is written, its bits, and the bits extended from
_EXTENDS = {
    "cltq": ("rax", 64, 32), "cdqe": ("rax", 64, 32), "cwtl": ("rax", 32, 16), "cwde": ("rax", 32, 16),
    "cqto": ("rdx", 64, 64), "cqo": ("rdx", 64, 64), "cltd": ("rdx", 32, 32), "cdq": ("rdx", 32, 32),
}  # fmt: skip
_ONE = {"neg": "neg", "not": "not"}
#: the second operand is the constant 1, as in a shift by one
_BY_ONE = {**{name: operation for name, operation in _TWO.items() if name != "imul"}, "inc": "add", "dec": "sub"}


def steps(instruction: Instruction) -> Steps:
    """Integer semantics of an instruction: a single operation."""
    return Steps(meaning(instruction))


def meaning(instruction: Instruction) -> Meaning:
    """Integer semantics of an instruction; empty where it has no known effect on integers."""
    if any(isinstance(o, Register) and o.file != "general" for o in instruction.operands):
        return _kept_in_vector(instruction)
    name, operands, bits = instruction.mnemonic, instruction.operands, _bits(instruction)
    if name == "jmp":
        return Meaning("jump")
    if name.startswith("j") and instruction.kind == "jump":
        return Meaning("jump_if", condition=_CONDITION.get(name[1:], OTHER))
    if name == "ret":
        return Meaning("return")
    if name in ("push", "pop"):
        operand = _place(operands[0]) if operands else ""
        return Meaning("push", 64, "", operand) if name == "push" else Meaning("pop", 64, operand)
    if name in _EXTENDS:
        to, bits, size = _EXTENDS[name]
        return Meaning("sign_extend" if to == "rax" else "sign", bits, to, "rax", constant=size)
    if name == "leave":
        return Meaning("leave", 64, "rbp")
    if not operands:
        return Meaning()
    if name in ("mov", "movabs") and len(operands) == 2:
        return _meaning("move", bits, _place(operands[0]), operands[1])
    if name == "movx" and len(operands) > 1:
        return _extended(instruction)
    if name == "lea":
        return Meaning("address", bits, _place(operands[0]))
    if name in ("cmp", "test") and len(operands) == 2:
        return _meaning("compare" if name == "cmp" else "test", bits, "", *operands)
    return _arithmetic(name, operands, bits)


def _kept_in_vector(one: Instruction) -> Meaning:
    """An integer that compilers keep in the lowest lane of a vector register, or in a mask, for want of others; also a
    condition that a mask holds, which is tested for zero."""
    if len(one.operands) != 2:
        return Meaning()
    to, source = one.operands
    if one.mnemonic.startswith("kortest") and _place(to) == _place(source):
        return Meaning("test", _LETTER_BITS_OF_MASKS[one.mnemonic[-1]], "", _place(to), _place(source))
    if one.mnemonic in ("kmovb", "kmovw") and not isinstance(source, Memory) and _place(to) != "memory":
        size = _LETTER_BITS_OF_MASKS[one.mnemonic[-1]]
        return Meaning("zero_extend", 64, _place(to), _place(source), constant=size)
    if one.mnemonic.removeprefix("v") not in _LOWEST:
        return Meaning()
    if not any(isinstance(o, Register) and o.file == "general" for o in one.operands):
        return Meaning()
    return Meaning("move", 32 if one.mnemonic.endswith("d") else 64, _place(to), _place(source))


#: moves of an integer to the lowest lane, or to a mask register, and back; `movq` is read as a `mov` of 64 bits
_LOWEST = frozenset({"mov", "movq", "movd", "kmovq", "kmovd"})


def packed(instructions: Sequence[Instruction]) -> dict[int, Steps]:
    """Semantics, by place in a block, of instructions that pack integers into a vector and store them with one store:
    compilers fill the arguments of a parallel region, or a struct, so. Lane k of a register is named `xmm0.k`."""
    lanes: dict[str, int] = {}
    made: dict[int, Steps] = {}
    for place, one in enumerate(instructions):
        name = one.mnemonic.removeprefix("v")
        if not one.operands or not (_is_vector(one.operands[0]) or (one.stores and _is_vector(one.operands[-1]))):
            continue
        if name in _PACKS and (steps := _packed_lanes(name, one, lanes)) is not None:
            made[place] = steps
        elif one.stores and name in _WHOLE and (known := lanes.get(_place(one.operands[-1]), 0)) >= one.moved // 8 > 1:
            made[place] = _stored_lanes(one, known)
        elif name in _LOWEST and not one.stores:
            lanes[_place(one.operands[0])] = 1
        elif not one.stores:
            lanes.pop(_place(one.operands[0]), None)
    return made


#: instructions that put lanes together, and stores of whole vectors
_PACKS = frozenset({"pinsrq", "punpcklqdq", "inserti128"})
_WHOLE = frozenset({"movdqa", "movdqu", "movdqu64", "movdqa64", "movups", "movaps", "movupd", "movapd"})


def _packed_lanes(name: str, one: Instruction, lanes: dict[str, int]) -> Steps | None:
    """Lanes of a register that an instruction puts together, where they are known; `lanes` counts those of each
    register."""
    vectors = [_place(operand) for operand in one.operands if not isinstance(operand, Immediate)]
    if len(vectors) < 2:
        return None
    to, low, added = vectors[0], vectors[-2], vectors[-1]
    first = 2 if name == "inserti128" else 1
    count = 1 if name == "pinsrq" else first if name == "inserti128" else 1
    known = lanes.pop(to, 0) if low == to else lanes.get(low, 0)
    lanes.pop(to, None)
    if known < first or (name != "pinsrq" and lanes.get(added, known if added == low else 0) < count):
        return None
    kept = [Meaning("move", 64, _lane(to, k), _lane(low, k)) for k in range(first) if low != to]
    source = one.operands[-1 - isinstance(one.operands[-1], Immediate)]
    moves = [*kept, *(Meaning("move", 64, _lane(to, first + k), _lane(_place(source), k)) for k in range(count))]
    lanes[to] = first + count
    return Steps(moves[-1], tuple(moves[:-1]))


def _stored_lanes(one: Instruction, known: int) -> Steps:
    """A store of a vector as one of each lane."""
    assert one.memory is not None
    source, memory, start = _place(one.operands[-1]), one.memory, one.memory.displacement
    further = (
        Meaning("move", 64, "memory", _lane(source, k), memory=replace(memory, displacement=start + 8 * k))
        for k in range(1, min(known, one.moved // 8))
    )
    return Steps(Meaning("move", 64, "memory", source), after=tuple(further))


def _lane(register: str, lane: int) -> str:
    return f"{register}.{lane}" if lane else register


def _is_vector(operand: Operand) -> bool:
    return isinstance(operand, Register) and operand.file == "vector"


def _arithmetic(name: str, operands: tuple[Operand, ...], bits: int) -> Meaning:
    to = _place(operands[0])
    if name in _TWO and len(operands) == 2:
        return _meaning(_TWO[name], bits, to, *operands)
    if name in _THREE and len(operands) == 3:
        return _meaning(_THREE[name], bits, to, *operands[1:])
    if name in _BY_ONE and len(operands) == 1:
        return Meaning(_BY_ONE[name], bits, to, to, "constant", 1)
    if name in _ONE:
        return Meaning(_ONE[name], bits, to, to)
    if name in ("idiv", "div") and len(operands) == 1:
        return Meaning("divide", bits, "rax", "rax", to, second="rdx")
    if name in ("mul", "imul") and len(operands) == 1:
        operation = "multiply_high" if name == "mul" else "multiply_high_signed"
        return Meaning(operation, bits, "rax", "rax", to, second="rdx")
    if name == "mulx" and len(operands) == 3:
        return Meaning("multiply_high", bits, _place(operands[1]), "rdx", _place(operands[2]), second=to)
    if name in ("bsr", "bsf", "tzcnt", "lzcnt", "popcnt") and len(operands) == 2:
        return Meaning(name, bits, to, _place(operands[1]))
    if name.startswith("cmov") and len(operands) > 1:
        return Meaning("select", bits, to, _place(operands[1]), condition=_CONDITION.get(name[4:].rstrip("q"), OTHER))
    if name.startswith("set"):
        return Meaning("set", 8, to, condition=_CONDITION.get(name[3:], OTHER))
    return Meaning()


def _extended(instruction: Instruction) -> Meaning:
    """Decodes sign and zero extensions (movslq, movzbl, movsx …): the suffix or the operands give both sizes."""
    to, source = instruction.operands[:2]
    if found := re.match(r"mov([sz])([bwl])[wlq]?\b", instruction.text):
        kind, size = found[1], _LETTER_BITS[found[2]]
    else:
        kind, size = instruction.text[3], 8 * source.bytes if isinstance(source, Register) else 8 * instruction.moved
    bits = 8 * to.bytes if isinstance(to, Register) else 64
    return Meaning("sign_extend" if kind == "s" else "zero_extend", bits, _place(to), _place(source), constant=size)


def _place(operand: Operand) -> str:
    if isinstance(operand, Register):
        return operand.name
    if isinstance(operand, Memory):
        return "memory"
    return "constant" if isinstance(operand, Immediate) and operand.value is not None else ""


def _meaning(operation: str, bits: int, to: str, *sources: Operand) -> Meaning:
    """Operation on one or two operands, with the value of an immediate as the last."""
    last = sources[-1]
    constant = last.value if isinstance(last, Immediate) and last.value is not None else 0
    a, b = (*map(_place, sources), "")[:2]
    return Meaning(operation, bits, to, a, b, constant)


def _bits(instruction: Instruction) -> int:
    """Operand size in bits: that of the first register, or of the mnemonic's suffix."""
    for operand in instruction.operands:
        if isinstance(operand, Register) and operand.file == "general":
            return 8 * operand.bytes
    return _LETTER_BITS.get(instruction.text.split()[0][-1], 64)
