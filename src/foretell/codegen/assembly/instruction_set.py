"""What following a call needs to know of an instruction set: the semantics of its instructions, and its calling
convention."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.codegen.assembly import aarch64, aarch64_semantics, x86, x86_semantics
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from foretell.codegen.assembly.instruction import Instruction
    from foretell.codegen.assembly.meaning import Steps


@record
class InstructionSet:
    """`arguments` are the registers of integer and pointer arguments; further ones are on the stack, 8 bytes each,
    above the return address, if a call pushes one."""

    steps: Callable[[Instruction], Steps]
    arguments: tuple[str, ...]
    result: str
    stack: str
    flags: str
    #: bytes that a call pushes
    pushed: int
    #: a comparison and the conditional jump behind it are one micro-operation
    fuses: bool
    #: semantics that depend on other instructions of a block, by place in it
    in_block: Callable[[Sequence[Instruction]], Mapping[int, Steps]] = lambda instructions: {}


#: System V ABI for x86-64, Section 3.2.3
X86_64 = InstructionSet(
    x86_semantics.steps, ("rdi", "rsi", "rdx", "rcx", "r8", "r9"), "rax", "rsp", x86.FLAGS, pushed=8, fuses=True,
    in_block=x86_semantics.packed,
)  # fmt: skip
#: Procedure Call Standard for the Arm 64-bit Architecture (AAPCS64), Section 6.8.2
AARCH64 = InstructionSet(
    aarch64_semantics.steps, tuple(f"x{n}" for n in range(8)), "x0", "sp", aarch64.FLAGS, pushed=0, fuses=False
)
#: instruction sets whose code is followed
FOLLOWED = {"x86-64": X86_64, "aarch64": AARCH64}
