"""One instruction, in terms that do not depend on the syntax it was written in."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Register:
    """A register by the name of the whole one (`rax` for `eax`), with the bytes used of it."""

    name: str
    bytes: int
    #: 'general', 'vector', 'mask', 'flags'
    file: str = "general"


@dataclass(frozen=True, slots=True)
class Memory:
    """base + index * scale + displacement (+ a symbol's address)."""

    base: str = ""
    index: str = ""
    scale: int = 1
    displacement: int = 0
    symbol: str = ""
    #: the index register is a vector: a gather or scatter
    gathers: bool = False
    #: AArch64: the base register moves by this much, before (`!`) or after the access
    moves_base: int | None = None


@dataclass(frozen=True, slots=True)
class Immediate:
    value: int | None


@dataclass(frozen=True, slots=True)
class Label:
    """A jump's or call's target."""

    name: str


Operand = Register | Memory | Immediate | Label


@dataclass(frozen=True, slots=True)
class Instruction:
    """`kind` and `element` name its class: what is done, to numbers of which type; `bytes` is the width of its vector
    registers, 0 for scalars. `known` is False where the class was guessed from the mnemonic's family."""

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
    #: bytes that a load or store moves
    moved: int = 0
    known: bool = True
    #: where control may go: labels of jumps; 'next' is implied unless `ends`
    target: str = ""
    #: no instruction after this one runs: an unconditional jump or a return
    ends: bool = False
    #: line of the source, where the text says so
    source_line: int = 0

    @property
    def branches(self) -> bool:
        """A jump, conditional or not."""
        return bool(self.target) or (self.ends and self.kind == "jump")

    @property
    def lanes(self) -> int:
        """Numbers in a vector register; 1 for scalars."""
        size = int(self.element[1:]) // 8 if self.element[1:].isdigit() else 8
        return max(1, self.bytes // size)
