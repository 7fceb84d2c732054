"""Integer semantics of an instruction, the same for all instruction sets: what the compiled core executes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.records import record

if TYPE_CHECKING:
    from foretell.codegen.assembly.instruction import Memory

#: the condition that depends on flags which are not followed
OTHER = "other"


@record
class Meaning:
    """One operation: `to`, `a` and `b` are register names, 'memory', 'constant' or empty."""

    operation: str = "none"
    bits: int = 64
    to: str = ""
    a: str = ""
    b: str = ""
    constant: int = 0
    condition: str = OTHER
    #: register of the second result: the remainder of a division, the high half of a product
    second: str = ""
    #: symbol whose address is added to the constant
    symbol: str = ""
    #: address of the operand 'memory', where it is not that of the instruction
    memory: Memory | None = None


@record
class Steps:
    """Operations of an instruction in their order. `main` is timed as the instruction itself. Those before it prepare
    operands in temporary registers, without time; those after it are a second result, or move the base register."""

    main: Meaning = Meaning()
    before: tuple[Meaning, ...] = ()
    after: tuple[Meaning, ...] = ()
