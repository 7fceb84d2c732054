"""Integer semantics of AArch64 instructions: enough to follow a function's jumps and addresses.

One instruction may be several operations of the compiled core: a shifted or extended operand is computed before into a
temporary register, a pair is two accesses, and an index before or after an access moves the base. Registers written by
other instructions (floating point, vectors, predicates) are unknown.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from foretell.codegen.assembly.aarch64 import register
from foretell.codegen.assembly.meaning import OTHER, Meaning, Steps
from foretell.codegen.assembly.x86_operands import number, split_operands

if TYPE_CHECKING:
    from collections.abc import Callable

    from foretell.codegen.assembly.instruction import Instruction, Memory

#: conditions by their suffixes (Arm Architecture Reference Manual, C1.2.4); the carry is a borrow in the compiled core
_CONDITIONS = {
    "eq": "equal", "ne": "not_equal", "lt": "less", "ge": "not_less", "le": "less_equal", "gt": "greater",
    "lo": "below", "cc": "below", "hs": "not_below", "cs": "not_below", "ls": "below_equal", "hi": "above",
    "mi": "negative", "pl": "not_negative", "vs": OTHER, "vc": "not_other", "none": "equal", "any": "not_equal",
}  # fmt: skip
_SUMS = {"add": "add", "sub": "sub", "and": "and", "orr": "or", "eor": "xor", "subs": "sub", "ands": "and"}
_SHIFTS = {"lsl": "shl", "lslv": "shl", "lsr": "shr", "lsrv": "shr", "asr": "sar", "asrv": "sar"}
#: extensions of a register, and bits that they keep
_EXTENDS = {
    f"{letter}xt{size}": (f"{word}_extend", bits)
    for letter, word in (("s", "sign"), ("u", "zero"))
    for size, bits in (("b", 8), ("h", 16), ("w", 32))
}
_MODIFIER = re.compile(r"(lsl|lsr|asr|[su]xt[bhwx])\s*#?(\d*)", re.IGNORECASE)
#: loads and stores of one general register by mnemonic: bits in memory (0: those of the register), and the extension
_ACCESS = re.compile(r"(?:ld|st)[ut]?r(s?)([bhw]?)")
_SIZES = {"": 0, "b": 8, "h": 16, "w": 32}
#: the flags of `ccmp` as the core has them: bits N, Z, C, V become negative, zero, no borrow, overflow
_NEGATIVE, _ZERO, _CARRY, _OVERFLOW = 8, 4, 2, 1


def steps(instruction: Instruction) -> Steps:
    """Integer semantics of an instruction; empty where it has no known effect on integers."""
    return _Decoder(instruction).steps()


class _Decoder:
    """One instruction: its operands as written, and the operations that prepare them."""

    def __init__(self, instruction: Instruction) -> None:
        self.instruction, self.name = instruction, instruction.mnemonic
        self.parts = split_operands(instruction.text.partition(" ")[2])
        self.before: list[Meaning] = []
        self.bits = 32 if re.match(r"w(?:\d|zr|sp)", self._written(0)) else 64

    def _written(self, place: int) -> str:
        return self.parts[place].lower() if place < len(self.parts) else ""

    def steps(self) -> Steps:
        if self.instruction.kind in ("load", "store"):
            return self._access()
        if any(_is_vector(part) for part in self.parts):
            return Steps(self._kept_in_vector())
        if self.name.startswith("b."):
            return Steps(Meaning("jump_if", condition=_CONDITIONS.get(self.name[2:], OTHER)))
        handler = _HANDLERS.get(self.name)
        main = handler(self) if handler else Meaning()
        return Steps(main, tuple(self.before))

    # ---- operands

    def register(self, place: int) -> str:
        """A register; the one that reads as zero is the constant 0, and no result."""
        made = register(self._written(place))
        if made is None:
            return ""
        return made[0].name or ("constant" if place else "")

    def condition(self) -> str:
        return _CONDITIONS.get(self.parts[-1].lower(), OTHER)

    def number(self, place: int) -> int:
        """An immediate, with its shift."""
        value = number(self._written(place).removeprefix("#")) or 0
        match = _MODIFIER.fullmatch(self._written(place + 1))
        return _signed(value << int(match[2] or 0) if match else value)

    def operand(self, place: int) -> tuple[str, int]:
        """A register, shifted or extended, or the value of an immediate."""
        name = self.register(place)
        if not name:
            return "constant", self.number(place)
        if match := _MODIFIER.fullmatch(self._written(place + 1)):
            name = self.modified(name, match[1].lower(), int(match[2] or 0))
        return name, 0

    def modified(self, name: str, how: str, by: int) -> str:
        """The temporary register with a register that is extended or shifted."""
        if how in _EXTENDS:
            operation, size = _EXTENDS[how]
            name = self.prepared(Meaning(operation, 64, "", name, constant=size))
        if how in _SHIFTS and how != "lsl":
            return self.prepared(Meaning(_SHIFTS[how], self.bits, "", name, "constant", by))
        return self.prepared(Meaning("shl", 64, "", name, "constant", by)) if by else name

    def prepared(self, meaning: Meaning) -> str:
        """The temporary register with the result of an operation."""
        name = f"t{len(self.before)}"
        self.before.append(replace(meaning, to=name))
        return name

    # ---- arithmetic

    def sum(self) -> Meaning:
        to, a = self.register(0), self.register(1)
        if ":" in self.parts[-1]:
            return Meaning("move", 64, to, "constant", symbol=_symbol(self.parts[-1]))
        b, constant = self.operand(2)
        return Meaning(_SUMS[self.name], self.bits, to, a, b, constant)

    def sum_with_flags(self) -> Meaning:
        """adds: flags are those of a difference with the negated operand, but for the carry of an addition of zero."""
        to, a = self.register(0), self.register(1)
        return self._minus_negated("sub", to, a, 2)

    def _minus_negated(self, operation: str, to: str, a: str, place: int) -> Meaning:
        b, constant = self.operand(place)
        if b != "constant":
            b = self.prepared(Meaning("neg", self.bits, "", b))
        return Meaning(operation, self.bits, to, a, b, -constant)

    def inverted(self) -> Meaning:
        """bic, orn, eon: the second operand is inverted."""
        (b, constant), a = self.operand(2), self.register(1)
        if self.name in ("bic", "bics"):
            return Meaning("and_not", self.bits, self.register(0), b, a, constant)
        other = self.prepared(Meaning("not", self.bits, "", b, constant=constant))
        return Meaning("or" if self.name == "orn" else "xor", self.bits, self.register(0), a, other)

    def single(self) -> Meaning:
        a, constant = self.operand(1)
        operation = {"mvn": "not", "clz": "lzcnt"}.get(self.name, "neg")
        return Meaning(operation, self.bits, self.register(0), a, constant=constant)

    def shift(self) -> Meaning:
        b, constant = self.operand(2)
        return Meaning(_SHIFTS[self.name], self.bits, self.register(0), self.register(1), b, constant)

    def extension(self) -> Meaning:
        operation, size = _EXTENDS[self.name]
        return Meaning(operation, self.bits, self.register(0), self.register(1), constant=size)

    def compare(self) -> Meaning:
        if self.name == "cmn":
            return self._minus_negated("compare", "", self.register(0) or "constant", 1)
        b, constant = self.operand(1)
        operation = "compare" if self.name == "cmp" else "test"
        return Meaning(operation, self.bits, "", self.register(0) or "constant", b, constant)

    def compare_if(self) -> Meaning:
        """ccmp: the immediate flags go to the constant, so the other immediate is moved to a register."""
        b, constant = self.operand(1)
        b = self.prepared(Meaning("move", self.bits, "", b, constant=constant)) if b == "constant" else b
        given = self.number(2)
        flags = (given & (_NEGATIVE | _ZERO)) | (2 if given & _OVERFLOW else 0) | (0 if given & _CARRY else 1)
        a = self.register(0)
        return Meaning("compare_if", self.bits, "", a, b, flags, self.condition()) if a else Meaning()

    def product(self) -> Meaning:
        """mul, madd, msub, mneg, and those of two 32-bit numbers."""
        a, b = self.register(1), self.register(2)
        if self.name.endswith("l") and self.name != "mul":
            how = "sxtw" if self.name.startswith("s") else "uxtw"
            a, b = self.modified(a, how, 0), self.modified(b, how, 0)
        if self.name in ("mul", "smull", "umull"):
            return Meaning("mul", self.bits, self.register(0), a, b)
        product = self.prepared(Meaning("mul", self.bits, "", a, b))
        if self.name.endswith(("neg", "negl")):
            return Meaning("neg", self.bits, self.register(0), product)
        return Meaning("sub" if "sub" in self.name else "add", self.bits, self.register(0), self.register(3), product)

    def product_high(self) -> Meaning:
        operation = "multiply_high" if self.name == "umulh" else "multiply_high_signed"
        return Meaning(operation, 64, "t0", self.register(1), self.register(2), second=self.register(0))

    def quotient(self) -> Meaning:
        operation = "quotient" if self.name == "sdiv" else "quotient_unsigned"
        return Meaning(operation, self.bits, self.register(0), self.register(1), self.register(2))

    def bits_out(self) -> Meaning:
        """ubfx, sbfx: some bits of a register, moved to the lowest ones."""
        first, width, source = self.number(2), self.number(3), self.register(1)
        if first:
            source = self.prepared(Meaning("shr", self.bits, "", source, "constant", first))
        operation = "sign_extend" if self.name == "sbfx" else "zero_extend"
        return Meaning(operation, self.bits, self.register(0), source, constant=width)

    def bits_up(self) -> Meaning:
        """ubfiz, sbfiz: the lowest bits of a register, extended and moved up."""
        operation = "sign_extend" if self.name == "sbfiz" else "zero_extend"
        low = self.prepared(Meaning(operation, 64, "", self.register(1), constant=self.number(3)))
        return Meaning("shl", self.bits, self.register(0), low, "constant", self.number(2))

    def bits_in(self) -> Meaning:
        """bfi, bfxil, bfc: some bits of a register are replaced."""
        clears = self.name == "bfc"
        first, width = self.number(2 - clears), self.number(3 - clears)
        to, source = self.register(0), "constant" if clears else self.register(1)
        if self.name == "bfxil":
            source = self.prepared(Meaning("shr", self.bits, "", source, "constant", first))
            first = 0
        mask = ((1 << width) - 1) << first
        kept = self.prepared(Meaning("and", self.bits, "", to, "constant", _signed(~mask)))
        if source == "constant":
            return Meaning("move", self.bits, to, kept)
        if first:
            source = self.prepared(Meaning("shl", self.bits, "", source, "constant", first))
        low = self.prepared(Meaning("and", self.bits, "", source, "constant", _signed(mask)))
        return Meaning("or", self.bits, to, kept, low)

    # ---- moves and selections

    def move(self) -> Meaning:
        b, constant = self.operand(1)
        if self.name == "movn":
            constant = ~constant
        return Meaning("move", self.bits, self.register(0), b, constant=constant)

    def move_part(self) -> Meaning:
        """movk: 16 bits of a register."""
        match = _MODIFIER.fullmatch(self._written(2))
        shift = int(match[2] or 0) if match else 0
        to = self.register(0)
        kept = self.prepared(Meaning("and", self.bits, "", to, "constant", _signed(~(0xFFFF << shift))))
        return Meaning("or", self.bits, to, kept, "constant", _signed(self.number(1)))

    def address(self) -> Meaning:
        return Meaning("move", 64, self.register(0), "constant", symbol=_symbol(self.parts[-1]))

    def select(self) -> Meaning:
        """csel and the forms that change the second operand: csinc, csinv, csneg."""
        return self._selected(self.register(1), self._changed(self.register(2), self.name[2:]))

    def select_changed(self) -> Meaning:
        """cinc, cinv, cneg: the operand is changed if the condition holds."""
        source = self.register(1)
        return self._selected(self._changed(source, self.name[1:]), source)

    def _changed(self, source: str, how: str) -> str:
        """csel's operand after increment, inversion or negation."""
        if how == "inc":
            plain = self.prepared(Meaning("move", self.bits, "", source))
            return self.prepared(Meaning("add", self.bits, "", plain, "constant", 1))
        operation = {"inv": "not", "neg": "neg"}.get(how)
        return self.prepared(Meaning(operation, self.bits, "", source)) if operation else source

    def _selected(self, a: str, b: str) -> Meaning:
        return Meaning("select", self.bits, self.register(0), a, b, condition=self.condition())

    def set(self) -> Meaning:
        if self.name == "cset":
            return Meaning("set", self.bits, self.register(0), condition=self.condition())
        flag = self.prepared(Meaning("set", self.bits, "", condition=self.condition()))
        return Meaning("neg", self.bits, self.register(0), flag)

    def _kept_in_vector(self) -> Meaning:
        """An integer that compilers keep in the lowest lane of a vector register, for want of others."""
        scalars = [re.fullmatch(r"[xwds]\d+", self._written(place)) for place in (0, 1)]
        if self.name != "fmov" or not all(scalars) or {part[0] for part in self.parts} <= {"d", "s"}:
            return Meaning()
        bits = 32 if self._written(0)[0] in "ws" else 64
        return Meaning("move", bits, self.register(0), self.register(1))

    # ---- jumps

    def jump(self) -> Meaning:
        return Meaning("jump")

    def jump_far(self) -> Meaning:
        """br: where it goes is not followed."""
        return Meaning("stop")

    def returned(self) -> Meaning:
        return Meaning("return")

    def jump_on_zero(self) -> Meaning:
        condition = "equal" if self.name == "cbz" else "not_equal"
        return Meaning("jump_on", self.bits, "", self.register(0), condition=condition)

    def jump_on_bit(self) -> Meaning:
        """tbz, tbnz: the uppermost bit is the sign."""
        bit, clear = self.number(1), self.name == "tbz"
        if bit == self.bits - 1:
            condition = "not_negative" if clear else "negative"
            return Meaning("jump_on", self.bits, "", self.register(0), condition=condition)
        masked = self.prepared(Meaning("and", 64, "", self.register(0), "constant", _signed(1 << bit)))
        return Meaning("jump_on", 64, "", masked, condition="equal" if clear else "not_equal")

    # ---- loads and stores

    def _access(self) -> Steps:
        memory, one = self._memory(), self.instruction
        main, after = self._moved(memory)
        if one.memory is not None and one.memory.moves_base is not None:
            base = one.memory.base
            after = (*after, Meaning("add", 64, base, base, "constant", one.memory.moves_base))
        elif memory is not None and self.parts[-2].startswith("["):  # [x0], x1
            after = (*after, Meaning("add", 64, memory.base, memory.base, self.register(len(self.parts) - 1)))
        return Steps(main, tuple(self.before), after)

    def _memory(self) -> Memory | None:
        """The address, with an extended index in a temporary register, and a plain symbol."""
        memory = self.instruction.memory
        if memory is None:
            return None
        text = next(part for part in self.parts if part.startswith("[")).lower()
        if memory.symbol:
            return replace(memory, base="", symbol=_symbol(memory.symbol))  # adrp gave the page: here is the whole
        if match := re.search(r",\s*(w\d+)\s*,\s*([su]xtw)", text):
            return replace(memory, index=self.modified(f"x{match[1][1:]}", match[2], 0))
        return memory

    def _moved(self, memory: Memory | None) -> tuple[Meaning, tuple[Meaning, ...]]:
        """The value that is loaded or stored, and the second one of a pair."""
        if memory is None or _is_vector(self._written(0)) or self.name == "prfm" or self._written(0).startswith("p"):
            return Meaning(memory=memory), ()
        if "got" in (self.instruction.memory or memory).symbol:
            return Meaning("move", 64, self.register(0), "constant", symbol=memory.symbol, memory=memory), ()
        if re.fullmatch(r"(?:ld|st)n?p(?:sw)?", self.name):
            size = 4 if self.name == "ldpsw" else self.bits // 8
            second = replace(memory, displacement=memory.displacement + size)
            pair = (self._value(0, memory, self.name.endswith("sw")), self._value(1, second, self.name.endswith("sw")))
            if pair[0].to == memory.base:  # the second one still needs the base
                self.before.append(pair[1])
                return pair[0], ()
            return pair[0], (pair[1],)
        match = _ACCESS.fullmatch(self.name)
        if not match:
            return Meaning(memory=memory), ()
        return self._value(0, memory, bool(match[1]), _SIZES[match[2]]), ()

    def _value(self, place: int, memory: Memory, is_signed: bool, size: int = 0) -> Meaning:
        """One register to or from memory: `size` bits of it, if not all."""
        if self.instruction.stores:
            return Meaning("move", size or self.bits, "memory", self._stored(place), memory=memory)
        if is_signed:
            return Meaning("sign_extend", self.bits, self.register(place), "memory", constant=size or 32, memory=memory)
        if size:
            return Meaning("zero_extend", self.bits, self.register(place), "memory", constant=size, memory=memory)
        return Meaning("move", self.bits, self.register(place), "memory", memory=memory)

    def _stored(self, place: int) -> str:
        return self.register(place) or "constant"


def _is_vector(text: str) -> bool:
    made = register(text.lower().strip("{} "))
    return text.startswith("{") or (made is not None and made[0].file != "general")


def _symbol(text: str) -> str:
    """The name in `:lo12:name+8` or `#:got_lo12:name`."""
    return re.sub(r"^#?(?::\w+:)?", "", text)


def _signed(value: int) -> int:
    """A number as 64 bits with a sign."""
    value &= (1 << 64) - 1
    return value - (1 << 64) if value >> 63 else value


_HANDLERS: dict[str, Callable[[_Decoder], Meaning]] = {
    name: handler
    for names, handler in (
        ("add sub and orr eor subs ands", _Decoder.sum),
        ("adds", _Decoder.sum_with_flags),
        ("bic bics orn eon", _Decoder.inverted),
        ("mvn neg negs clz", _Decoder.single),
        ("lsl lsr asr lslv lsrv asrv", _Decoder.shift),
        ("sxtb sxth sxtw uxtb uxth uxtw", _Decoder.extension),
        ("cmp cmn tst", _Decoder.compare),
        ("ccmp", _Decoder.compare_if),
        ("mul madd msub mneg smull umull smaddl umaddl smsubl umsubl smnegl umnegl", _Decoder.product),
        ("smulh umulh", _Decoder.product_high),
        ("sdiv udiv", _Decoder.quotient),
        ("ubfx sbfx", _Decoder.bits_out),
        ("ubfiz sbfiz", _Decoder.bits_up),
        ("bfi bfxil bfc", _Decoder.bits_in),
        ("mov movz movn", _Decoder.move),
        ("movk", _Decoder.move_part),
        ("adr adrp", _Decoder.address),
        ("csel csinc csinv csneg", _Decoder.select),
        ("cinc cinv cneg", _Decoder.select_changed),
        ("cset csetm", _Decoder.set),
        ("b", _Decoder.jump),
        ("br", _Decoder.jump_far),
        ("ret", _Decoder.returned),
        ("cbz cbnz", _Decoder.jump_on_zero),
        ("tbz tbnz", _Decoder.jump_on_bit),
    )
    for name in names.split()
}
