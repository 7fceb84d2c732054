"""Instruments calls: of traced functions, the math library, copies and allocation, and external functions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from foretell.frontends.trace.instrument import library
from foretell.frontends.trace.instrument.accesses import Accesses
from foretell.frontends.trace.instrument.helpers import MOST_ARGUMENTS
from foretell.frontends.trace.instrument.shadow_values import zero

if TYPE_CHECKING:
    from foretell.core.llvm.syntax import Instruction, Operand


class Calls(Accesses):
    """Emits calls and their instrumentation."""

    def _call(self, one: Instruction, label: str) -> None:
        name = one.callee[1:]
        kind = library.arithmetic(name)
        if one.opcode == "invoke" or (kind is None and not library.is_silent(name)):
            self._tell_levels()
        if one.callee.startswith("@") and name in self.traced:
            self._traced_call(one, label, self.traced_name(name))
        elif one.callee.startswith("%"):
            pointer = self._value(f"call ptr @ft_traced(ptr {one.callee})")
            self._traced_call(one, label, pointer)
        elif library.is_silent(name):
            self._emit(one.text)
        elif kind is not None:
            self._emit(one.text)
            self._arithmetic(one, kind)
        elif library.base_name(name) in library.COPY | library.FILL:
            self._block_copy(one, library.base_name(name))
        else:
            self._foreign(one, name)

    def _arithmetic(self, one: Instruction, kind: str) -> None:
        """A math library function; a fused multiply-add is two operations."""
        lanes = self._lanes(one.type)
        if kind == "fma":
            self.block.count("multiply", lanes)
            self.block.count("add", lanes)
        elif kind != "move":
            self.block.count(kind, lanes)
        if not self.options.dependences or one.result not in self.carrying:
            return
        shadow = self.types.shadow(one.type)
        operands = tuple(operand for operand in one.operands if operand.type == one.type)
        if kind == "move":
            latest = self._latest([self._level(operand) for operand in one.operands if operand.type != "i1"], shadow)
            self._same(self._level_name(one.result), shadow, latest)
        elif kind == "fma":
            product = self._new()
            self._counted_level(product, shadow, [self._level(operand) for operand in operands[:2]])
            sum_of = [product, self._level(operands[2])]
            self._counted_level(self._level_name(one.result), shadow, sum_of)
        else:
            self._operation(one.result, one.type, operands)

    def _block_copy(self, one: Instruction, base: str) -> None:
        target, source, size = one.operands[:3]
        self.block.call += 1
        if self.options.dependences or self.options.locality:
            place = self._value(f"ptrtoint ptr {target.text} to i64")
            count = size.text if size.type == "i64" else self._value(f"zext {size.type} {size.text} to i64")
            if base in library.FILL:
                self._emit(f"call void @ft_fill(i64 {place}, i64 {count})")
            else:
                origin = self._value(f"ptrtoint ptr {source.text} to i64")
                self._emit(f"call void @ft_copy(i64 {place}, i64 {origin}, i64 {count}, i32 {self._line(one)})")
        self._emit(one.text)

    def _foreign(self, one: Instruction, name: str) -> None:
        """An external function, whose body is not instrumented."""
        self.block.call += 1
        if library.is_integer_intrinsic(name):
            self.block.call -= 1
            self.block.integer += self._lanes(one.type)
            self._emit(one.text)
            if one.result in self.carrying:
                self._integer_intrinsic(one)
            return
        self._emit(one.text)
        if name in library.RETURNS_TWICE:
            self._emit(f"call void @ft_unwind(ptr {self._frame()})")
        elif not self._memory_known(one, name) and name not in library.QUIET and not name.startswith("llvm."):
            self.unseen.add(name)

    def _memory_known(self, one: Instruction, name: str) -> bool:
        """Whether a function's effect on memory is known; if so, it is reported to the runtime."""
        if name in library.ALLOCATION:
            if one.opcode == "call" and self.options.dependences:  # no instruction can follow an invoke
                self._fresh(one, library.ALLOCATION[name])
            return True
        if name == "realloc":
            places = [self._value(f"ptrtoint ptr {text} to i64") for text in (one.result, one.operands[0].text)]
            self._emit(f"call void @ft_moved(i64 {places[0]}, i64 {places[1]}, i64 {one.operands[1].text})")
            return True
        if name in library.ASSIGN:
            to, source = (operand.text for operand in one.operands[:2])
            self._emit(f"call void @ft_assign(ptr {to}, ptr {source}, i32 {self._line(one)})")
            return True
        return False

    def _integer_intrinsic(self, one: Instruction) -> None:
        shadow = self.types.shadow(one.type)
        levels = [self._level(operand) for operand in one.operands if self.types.shadow(operand.type) == shadow]
        if shadow.startswith("{"):
            level = self._latest([self._whole(operand) for operand in one.operands], "i32")
            parts = [(path, level) for path, _ in self.types.leaves(one.type)]
            self._joined(self._level_name(one.result), shadow, parts, "zeroinitializer")
            return
        self._same(self._level_name(one.result), shadow, self._latest(levels, shadow))

    def _fresh(self, one: Instruction, sizes: tuple[int, ...]) -> None:
        if not sizes or not one.result:
            return
        size = one.operands[sizes[0]].text
        for other in sizes[1:]:
            size = self._value(f"mul i64 {size}, {one.operands[other].text}")
        place = self._value(f"ptrtoint ptr {one.result} to i64")
        self._emit(f"call void @ft_fresh(i64 {place}, i64 {size})")

    def _traced_call(self, one: Instruction, label: str, callee: str) -> None:
        self.block.call += 1
        if self.options.dependences:
            offset = 0
            for operand in one.operands:
                if operand.type != "metadata":
                    self._pass(operand, offset)
                    offset += self._words(operand.type)
            if one.callee.startswith("%") and one.type not in ("void", "ptr"):
                shadow = self.types.shadow(one.type)
                self._emit(f"store {shadow} {zero(shadow)}, ptr @ft_result")
        text = re.sub(r"\s#\d+", "", one.text)
        text = re.sub(r"^((?:%\S+ = )?)(?:musttail|tail|notail) ", r"\1", text)
        at = text.index(one.callee + "(")
        text = text[:at] + callee + text[at + len(one.callee) :]
        self._emit(text)
        if not self.options.dependences or one.result not in self.carrying:
            return
        received = f"  {self._level_name(one.result)} = load {self.types.shadow(one.type)}, ptr @ft_result"
        if one.opcode == "invoke":
            self._edge(label, one.labels[0])
            self.after_invoke[label, one.labels[0]] = received
        else:
            self.out.append(received)

    def _pass(self, operand: Operand, offset: int) -> None:
        if operand.type == "ptr" or offset + self._words(operand.type) > MOST_ARGUMENTS:
            return
        place = self._value(f"getelementptr i64, ptr @ft_arguments, i64 {offset}")
        self._emit(f"store {self.types.shadow(operand.type)} {self._level(operand)}, ptr {place}")
