"""Syntax-independent representation of one instruction."""

from __future__ import annotations

import re

from foretell.records import record


def wrapped(value: int) -> int:
    """The number that 64 bits of a register hold, as a signed one."""
    return (value + (1 << 63)) % (1 << 64) - (1 << 63)


@record
class Register:
    """Register by the name of its full-width form (`rax` for `eax`), with the bytes used of it."""

    name: str
    bytes: int
    #: 'general', 'vector', 'mask', 'flags'
    file: str = "general"


@record
class Memory:
    """Memory operand: base + index * scale + displacement (+ a symbol's address)."""

    base: str = ""
    index: str = ""
    scale: int = 1
    displacement: int = 0
    symbol: str = ""
    #: vector index register: a gather or scatter
    gathers: bool = False
    #: AArch64: increment of the base register, before (`!`) or after the access
    moves_base: int | None = None


@record
class Immediate:
    value: int | None


@record
class Label:
    """Target of a jump or call."""

    name: str


Operand = Register | Memory | Immediate | Label


@record
class Instruction:
    """One instruction. `kind` and `element` are its cost class: the operation and the element type; `bytes` is the
    width of its vector registers, 0 for scalars. `known` is False where the class was guessed from the mnemonic's
    family."""

    mnemonic: str
    operands: tuple[Operand, ...]
    text: str
    line: int
    kind: str
    element: str
    bytes: int
    reads: frozenset[str]
    writes: frozenset[str]
    memory: Memory | None = None
    loads: bool = False
    stores: bool = False
    #: bytes that a load or store moves, and accesses that the core makes of it: a pair of registers is two loads
    moved: int = 0
    pieces: int = 1
    known: bool = True
    #: label of a jump's target; the next instruction is an implied successor unless `ends`
    target: str = ""
    #: no fall-through: an unconditional jump, a return, or a call of a function that does not return
    ends: bool = False
    #: line of the source, and its file, if given by debug information
    source_line: int = 0
    source_file: str = ""

    @property
    def branches(self) -> bool:
        """Whether it is a jump, conditional or not."""
        return bool(self.target) or (self.ends and self.kind == "jump")

    @property
    def lanes(self) -> int:
        """Elements in a vector register; 1 for scalars."""
        size = int(self.element[1:]) // 8 if self.element[1:].isdigit() else 8
        return max(1, self.bytes // size)


#: functions of the C, C++ and Fortran libraries that do not return: ends of a program, failed checks, exceptions
_NO_RETURN = re.compile(
    r"_?_?(?:abort|exit|_exit|_Exit|quick_exit|thrd_exit|pthread_exit|longjmp|siglongjmp|longjmp_chk)"
    r"|__(?:assert|assert_fail|assert_rtn|assert_perror_fail|stack_chk_fail|chk_fail|fortify_fail)"
    r"|__cxa_(?:throw|rethrow|throw_bad_\w+|bad_\w+|pure_virtual|call_unexpected)|_Unwind_Resume"
    r"|_ZSt9terminatev|_ZSt\d+__throw_\w+|_ZSt\d+__glibcxx_assert_fail\w*"
    r"|_gfortran_(?:stop_\w+|error_stop_\w+|runtime_error\w*|os_error\w*|internal_error\w*)"
)


#: instructions that end a program: what compilers make of `__builtin_trap` and of code that is never reached
TRAPS = frozenset({"ud2", "brk", "udf"})


def returns(name: str) -> bool:
    """Whether a function of this name returns to its caller."""
    return _NO_RETURN.fullmatch(name.partition("@")[0]) is None
