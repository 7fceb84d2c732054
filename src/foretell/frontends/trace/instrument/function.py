"""Emits the instrumented version of one function."""

from __future__ import annotations

import functools
import operator
import re
from typing import TYPE_CHECKING

from foretell.core.llvm.syntax import NAME
from foretell.frontends.trace.instrument.calls import Calls
from foretell.frontends.trace.instrument.helpers import INSTANCE_HEADER
from foretell.frontends.trace.instrument.loop_edges import Edges

if TYPE_CHECKING:
    from foretell.core.llvm.module import Block
    from foretell.core.llvm.syntax import Instruction

_TERMINATORS = frozenset(["br", "switch", "ret", "unreachable", "resume", "invoke"])


class FunctionWriter(Calls, Edges):
    """The text of an instrumented function, and the meaning of its counters."""

    def write(self) -> list[str]:
        """The instrumented function, with its descriptor."""
        bodies = []
        for number, (label, block) in enumerate(self.graph.blocks.items()):
            self.out = []
            self.block = self.counted[number]
            self.loop = self.graph.loop_of(label)
            self._write_block(number, label, block)
            bodies.append(self.out)
        self._write_edges()
        for number, body in enumerate(bodies):
            bodies[number] = [self._redirect(line, number) for line in body]
        return [
            *self._descriptor(),
            self._header(),
            *functools.reduce(operator.iadd, bodies, []),
            *self._edge_text(),
            "}",
        ]

    def _descriptor(self) -> list[str]:
        loops = self.graph.loops
        parents = ", ".join(f"i32 {loop.parent.index if loop.parent else -1}" for loop in loops)
        n = self.number
        return [
            f"@ft.p{n} = internal constant [{len(loops)} x i32] [{parents}]",
            f"@ft.f{n} = internal global {{ ptr, ptr, i32, i32, i32, i32, ptr, ptr }} {{ ptr null, ptr null, i32 {n}, "
            f"i32 {len(self.graph.blocks)}, i32 {self.sites}, i32 {len(loops)}, ptr @ft.p{n}, ptr null }}",
        ]

    def _header(self) -> str:
        """The original header, renamed and without attributes that no longer hold."""
        text = self.function.header
        at = text.index("@")
        head = re.sub(
            r"\b(linkonce_odr|linkonce|weak_odr|weak|private|available_externally|internal)\b", "internal", text[:at]
        )
        if " internal " in head:
            head = re.sub(r"\b(hidden|protected) ", "", head)
        rest = re.sub(rf"^@{NAME}", "", text[at:])
        rest = re.sub(r"\s+#\d+|\s+!dbg !\d+|\s+comdat(\(\$[^)]*\))?|\s*section \"[^\"]*\"", "", rest)
        rest = re.sub(r"%(\d+)(?=[,)])", r"%v\1", rest)
        return f"{head}{self.traced_name(self.function.name)}{rest}"

    def _prologue(self) -> None:
        self._emit(f"%ft.inst = call ptr @ft.function(ptr @ft.f{self.number})")
        self._emit("%ft.base = load ptr, ptr @ft_frame")
        self._emit("%ft.levels = load ptr, ptr %ft.base")
        offset = 0
        for parameter in self.function.parameters:
            shadow = self.types.shadow(parameter.type)
            if parameter.text in self.carrying:
                address = self._value(f"getelementptr i64, ptr @ft_arguments, i64 {offset}")
                self._emit(f"{self._level_name(parameter.text)} = load {shadow}, ptr {address}")
            offset += self._words(parameter.type)

    def _write_block(self, number: int, label: str, block: Block) -> None:
        self.out.append(f"{label}:")
        body = block.instructions
        phis = block.phis
        for instruction in phis:
            self._emit(instruction.text)
        for instruction in phis:
            self._write_phi(instruction)
        self._loop_phis(label)
        rest = body[len(phis) :]
        if number == 0:
            self._prologue()
        if rest and rest[0].opcode == "landingpad":
            self._emit(rest[0].text)
            self._emit(f"call void @ft_unwind(ptr {self._frame()})")
            rest = rest[1:]
        for instruction in phis:
            self._phi_levels(instruction)
        if not self._counts_itself(self.loop):
            self._emit(f"call void @ft.count(ptr %ft.inst, i64 {INSTANCE_HEADER + number}, i64 1)")
        self._plan_ring(rest)
        for position, instruction in enumerate(rest):
            self._write_instruction(instruction, rest, position, label)

    def _loop_phis(self, label: str) -> None:
        """Phis at a loop header: its frame, its table of levels, its iteration record, its trip count."""
        if self.loop is None or self.loop.header != label:
            return
        index = self.loop.index
        for name, type_, start in (("f", "ptr", ""), ("l", "ptr", ""), ("i", "ptr", ""), ("n", "i64", "0")):
            incoming = []
            for source in self.graph.predecessors[label]:
                edge = self._edge(source, label)
                if source in self.loop.blocks:
                    value = f"%ft.n{index}.{edge}" if name == "n" else f"%ft.{name}{index}"
                else:
                    value = start or f"%ft.{name}{index}.{edge}"
                incoming.append(f"[ {value}, %ft.e{edge} ]")
            self._emit(f"%ft.{name}{index} = phi {type_} {', '.join(incoming)}")

    def _write_phi(self, instruction: Instruction) -> None:
        if instruction.result not in self.carrying:
            return
        shadow = self.types.shadow(instruction.type)
        if instruction.result in self.members:
            for part in ("m", "k"):
                incoming = ", ".join(
                    f"[ {self._tree_part(operand, part)}, %{label} ]"
                    for operand, label in zip(instruction.operands, instruction.labels, strict=True)
                )
                self._emit(f"{self._part_name(instruction.result, part)} = phi i32 {incoming}")
            return
        incoming = ", ".join(
            f"[ {self._level(operand)}, %{label} ]"
            for operand, label in zip(instruction.operands, instruction.labels, strict=True)
        )
        self._emit(f"{self._level_name(instruction.result)} = phi {shadow} {incoming}")

    def _phi_levels(self, instruction: Instruction) -> None:
        if instruction.result in self.members and instruction.result in self.carrying:
            self._tree_level(instruction.result)

    def _write_instruction(self, instruction: Instruction, body: list[Instruction], position: int, label: str) -> None:
        opcode = instruction.opcode
        if opcode in ("load", "store"):
            self._access(instruction, position)
        elif opcode in ("call", "invoke"):
            self._call(instruction, label)
        elif opcode in ("atomicrmw", "cmpxchg"):
            self._atomic(instruction)
        elif opcode in _TERMINATORS:
            self._terminator(instruction)
        else:
            self._emit(instruction.text)
            self._plain(instruction)

    def _terminator(self, instruction: Instruction) -> None:
        self._tell_levels()
        self.block.branch += instruction.opcode in ("br", "switch")
        if instruction.opcode == "ret" and instruction.operands and self.options.dependences:
            value = instruction.operands[0]
            if value.type != "ptr":
                self._emit(f"store {self.types.shadow(value.type)} {self._level(value)}, ptr @ft_result")
        self._emit(instruction.text)
