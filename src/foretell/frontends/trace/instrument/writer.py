"""The text of an instrumented function under construction, and the level of every value in it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from foretell.frontends.trace.instrument import library
from foretell.frontends.trace.instrument.shadow_values import Types, zero

if TYPE_CHECKING:
    from collections.abc import Callable

    from foretell.core.llvm.module import Function, Module
    from foretell.core.llvm.syntax import Instruction, Operand
    from foretell.frontends.trace.cfg import Flow, Loop
    from foretell.frontends.trace.instrument.loop_scalars import Scalars
    from foretell.frontends.trace.options import TraceOptions

#: opcodes whose results are never computed data
_NO_SHADOW = frozenset(
    {"getelementptr", "alloca", "landingpad", "va_arg", "inttoptr", "ptrtoint", "ptrtoaddr", "addrspacecast"}
)


@dataclass(slots=True)
class Counted:
    """Counts of one execution of a block."""

    add: int = 0
    multiply: int = 0
    divide: int = 0
    sqrt: int = 0
    compare: int = 0
    function: int = 0
    integer: int = 0
    load: int = 0
    store: int = 0
    branch: int = 0
    call: int = 0
    convert: int = 0
    bytes: int = 0

    def count(self, kind: str, number: int = 1) -> None:
        """Adds to one kind."""
        setattr(self, kind, getattr(self, kind) + number)


class TracedText:
    """State shared by all parts of the writer: the function, its text so far, its values that have levels."""

    def __init__(
        self,
        function: Function,
        graph: Flow,
        scalars: Scalars,
        types: Types,
        module: Module,
        options: TraceOptions,
        traced: set[str],
        number: int,
        traced_name: Callable[[str], str],
    ) -> None:
        self.function = function
        self.graph = graph
        self.scalars = scalars
        self.types = types
        self.module = module
        self.options = options
        self.traced = traced
        self.number = number
        self.traced_name = traced_name
        self.counted = [Counted() for _ in graph.blocks]
        self.unseen: set[str] = set()
        self.sites = 0
        self.out: list[str] = []
        self.names = 0
        self.block = Counted()
        self.loop: Loop | None = None
        self.ring: tuple[str, int] | None = None
        self.new_levels: dict[str, None] = {}  #: of this block, not yet reported to the runtime
        self.level_shift = ""
        self.carrying = self._carrying() if options.dependences else set()
        #: accumulators of reductions that are scheduled as trees
        self.members = (
            {name for instruction in scalars.loops for name in instruction.members} if options.reassociate else set()
        )
        self.returning = {  #: blocks that a longjmp may return to
            label
            for label, block in graph.blocks.items()
            for instruction in block.instructions
            if instruction.opcode in ("call", "invoke") and instruction.callee[1:] in library.RETURNS_TWICE
        }
        self.edges: dict[tuple[str, str], int] = {}
        self.after_invoke: dict[tuple[str, str], str] = {}

    # ------------------------------------------------------------------------------------------ names

    def _new(self) -> str:
        self.names += 1
        return f"%ft.t{self.names}"

    def _emit(self, text: str) -> None:
        self.out.append("  " + text)

    def _value(self, text: str) -> str:
        name = self._new()
        self._emit(f"{name} = {text}")
        return name

    def _level_name(self, name: str) -> str:
        return f'%"ft.s.{name[1:].strip(chr(34))}"'

    def _level(self, operand: Operand) -> str:
        """The level of an operand, as text without its type."""
        if operand.text in self.carrying:
            return self._level_name(operand.text)
        return zero(self.types.shadow(operand.type))

    # ------------------------------------------------------------------------------------------ what has a level

    def _carrying(self) -> set[str]:
        """Values that may have a level: computed in floating point, loaded, passed, returned, or derived from them."""
        carrying = {instruction.text for instruction in self.function.parameters if instruction.type != "ptr"}
        flat = [
            instruction
            for block in self.graph.blocks.values()
            for instruction in block.instructions
            if instruction.result
        ]
        changed = True
        while changed:
            changed = False
            for instruction in flat:
                if instruction.result not in carrying and self._may_carry(instruction, carrying):
                    carrying.add(instruction.result)
                    changed = True
        return carrying

    def _may_carry(self, instruction: Instruction, carrying: set[str]) -> bool:
        if instruction.opcode in _NO_SHADOW or instruction.type == "ptr" or re.match(r"<\d+ x ptr>", instruction.type):
            return False
        if instruction.opcode in library.ARITHMETIC or instruction.opcode in ("fcmp", "load", "atomicrmw"):
            return True
        if instruction.opcode in ("call", "invoke"):
            return self._call_carries(instruction, carrying)
        if instruction.opcode == "cmpxchg":
            return False
        return any(operand.text in carrying for operand in instruction.operands)

    def _call_carries(self, instruction: Instruction, carrying: set[str]) -> bool:
        name = instruction.callee[1:]
        if instruction.callee.startswith("%") or name in self.traced:
            return instruction.type != "void"
        kind = library.arithmetic(name)
        if kind == "move" or library.is_integer_intrinsic(name):
            return any(operand.text in carrying for operand in instruction.operands)
        return kind is not None

    # ------------------------------------------------------------------------------------------ places

    def _levels(self) -> str:
        return f"%ft.l{self.loop.index}" if self.loop else "%ft.levels"

    def _frame(self) -> str:
        return f"%ft.f{self.loop.index}" if self.loop else "%ft.base"

    def _edge(self, source: str, target: str) -> int:
        """The number of an edge that has its own block."""
        return self.edges.setdefault((source, target), len(self.edges))

    def _words(self, type_: str) -> int:
        """64-bit words for the levels of an argument."""
        return (sum(1 for _ in self.types.leaves(type_)) + 1) // 2
