"""Dataflow levels of results: of operations, moves, and reductions scheduled as trees."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from foretell.frontends.trace.instrument.library import ARITHMETIC
from foretell.frontends.trace.instrument.shadow_values import zero
from foretell.frontends.trace.instrument.writer import TracedText

if TYPE_CHECKING:
    from foretell.core.llvm.syntax import Instruction, Operand

#: levels that one block may reach before it reports to the runtime (cpp/trace/runtime.hpp: kLevelRoom)
_MOST_NEW_LEVELS = 1024
_CONVERSIONS = frozenset(["fptrunc", "fpext", "fptoui", "fptosi", "uitofp", "sitofp"])


class Levels(TracedText):
    """Emits the level of every result that has one."""

    def _plain(self, one: Instruction) -> None:
        """An instruction without memory access or control flow: its kind, and the level of its result."""
        lanes = self._lanes(one.operands[0].type) if one.operands and one.opcode != "getelementptr" else 1
        if one.opcode in ARITHMETIC:
            self.block.count(ARITHMETIC[one.opcode], lanes)
            if self.options.dependences and not self._tree_step(one):
                self._operation(one.result, one.type, one.operands)
            return
        if one.opcode == "fcmp":
            self.block.count("compare", lanes)
            if self.options.dependences:
                self._operation(one.result, one.type, one.operands)
            return
        if one.opcode in _CONVERSIONS:
            self.block.convert += lanes
        elif one.opcode not in ("alloca", "landingpad", "freeze", "fneg", "bitcast"):
            self.block.integer += lanes
        if one.result in self.carrying and not (one.opcode == "select" and self._tree_choice(one)):
            self._moved(one)

    def _lanes(self, type_: str) -> int:
        match = re.match(r"<(\d+) x ", type_)
        return int(match.group(1)) if match else 1

    def _operation(self, result: str, type_: str, operands: tuple[Operand, ...]) -> None:
        """A floating-point operation: one level above its operands, in every lane."""
        levels = [self._level(one) for one in operands]
        self._counted_level(self._level_name(result), self.types.shadow(type_), levels)

    def _latest(self, levels: list[str], shadow: str) -> str:
        known = [one for one in levels if one != zero(shadow)]
        if not known:
            return zero(shadow)
        latest = known[0]
        for one in known[1:]:
            latest = self._value(f"call {shadow} @llvm.umax.{_suffix(shadow)}({shadow} {latest}, {shadow} {one})")
        return latest

    def _counted_level(self, name: str, shadow: str, levels: list[str]) -> None:
        """The level of an operation on operands of given levels."""
        ready = self._latest(levels, shadow)
        for one in levels:  # the operation's own level is above them
            self.new_levels.pop(one, None)
        if shadow == "i32":
            self._counted(name, ready)
            return
        whole = "poison"
        for lane in range(lanes := self._lanes(shadow)):
            part = self._part(shadow, ready, (lane,))
            level = self._counted(self._new(), part)
            whole = self._with_part(name if lane == lanes - 1 else self._new(), shadow, whole, (lane,), level)

    def _part(self, shadow: str, value: str, path: tuple[int, ...]) -> str:
        """The level of one part of a vector, array or structure."""
        if shadow.startswith("<"):
            return self._value(f"extractelement {shadow} {value}, i32 {path[0]}")
        return self._value(f"extractvalue {shadow} {value}, {', '.join(map(str, path))}")

    def _with_part(self, name: str, shadow: str, value: str, path: tuple[int, ...], level: str) -> str:
        """The levels of a vector, array or structure with that of one part replaced, as `name`."""
        if shadow.startswith("<"):
            self._emit(f"{name} = insertelement {shadow} {value}, i32 {level}, i32 {path[0]}")
        else:
            self._emit(f"{name} = insertvalue {shadow} {value}, i32 {level}, {', '.join(map(str, path))}")
        return name

    def _joined(self, name: str, shadow: str, levels: list[tuple[tuple[int, ...], str]], start: str) -> None:
        """The levels of a value from those of its parts, as `name`."""
        if shadow == "i32":
            self._same(name, shadow, levels[0][1])
            return
        for number, (path, level) in enumerate(levels, 1):
            start = self._with_part(name if number == len(levels) else self._new(), shadow, start, path, level)

    def _counted(self, name: str, ready: str) -> str:
        """Counts an operation one level above its latest operand."""
        self._emit(f"{name} = call i32 @ft.operation(ptr {self._levels()}, i32 {ready}, i32 {self._level_shift()})")
        self._note_level(name)
        return name

    def _level_shift(self) -> str:
        """The grouping of levels (as a shift), constant until the runtime is told of a new highest level."""
        if not self.level_shift:
            self.level_shift = self._value("load i32, ptr @ft_level_shift")
        return self.level_shift

    def _note_level(self, name: str) -> None:
        self.new_levels[name] = None
        if len(self.new_levels) == _MOST_NEW_LEVELS:
            self._tell_levels()

    def _tell_levels(self) -> None:
        """Tells the runtime to extend its tables; until then they have room for a block's levels."""
        if self.new_levels:
            self._emit(f"call void @ft.reached(i32 {self._latest(list(self.new_levels), 'i32')})")
        self.new_levels, self.level_shift = {}, ""

    def _moved(self, one: Instruction) -> None:
        """The level of a result that copies its operands."""
        name, shadow = self._level_name(one.result), self.types.shadow(one.type)
        if one.opcode in ("extractelement", "insertelement", "shufflevector"):
            self._mirrored_vector(one, name)
        elif one.opcode in ("extractvalue", "insertvalue"):
            self._mirrored_member(one, name)
        elif one.opcode == "bitcast" and self.types.shadow(one.operands[0].type) != shadow:
            level = self._whole(one.operands[0])  # that of all parts of the result
            self._joined(name, shadow, [((lane,), level) for lane in range(self._lanes(shadow))], "poison")
        else:
            scalar = one.opcode == "select" and shadow != "i32" and self.types.shadow(one.operands[0].type) == "i32"
            latest = self._latest([self._level(operand) for operand in one.operands[scalar:]], shadow)
            self._same(name, shadow, latest)

    def _same(self, name: str, shadow: str, value: str) -> None:
        if shadow.startswith(("{", "[")):
            self._emit(f"{name} = freeze {shadow} {value}")
        else:
            self._emit(f"{name} = or {shadow} {value}, {zero(shadow)}")

    def _whole(self, operand: Operand) -> str:
        """The maximum level of all parts of an operand."""
        shadow = self.types.shadow(operand.type)
        if shadow == "i32":
            return self._level(operand)
        leaves = self.types.leaves(operand.type)
        return self._latest([self._part(shadow, self._level(operand), path) for path, _ in leaves], "i32")

    def _mirrored_vector(self, one: Instruction, name: str) -> None:
        first = one.operands[0]
        shadow = self.types.shadow(first.type)
        index = one.operands[-1]
        if one.opcode == "extractelement":
            self._emit(f"{name} = extractelement {shadow} {self._level(first)}, {index.type} {index.text}")
        elif one.opcode == "insertelement":
            value = self._level(one.operands[1])
            self._emit(f"{name} = insertelement {shadow} {self._level(first)}, i32 {value}, {index.type} {index.text}")
        else:
            second = self._level(one.operands[1])
            self._emit(
                f"{name} = shufflevector {shadow} {self._level(first)}, {shadow} {second}, {index.type} {index.text}"
            )

    def _mirrored_member(self, one: Instruction, name: str) -> None:
        whole = one.operands[0]
        shadow = self.types.shadow(whole.type)
        if one.opcode == "extractvalue":
            self._emit(f"{name} = extractvalue {shadow} {self._level(whole)}, {one.extra}")
            return
        part = one.operands[1]
        self._emit(
            f"{name} = insertvalue {shadow} {self._level(whole)}, {self.types.shadow(part.type)} {self._level(part)}, "
            f"{one.extra}"
        )

    # ------------------------------------------------------------------------------------------ reductions as trees

    def _part_name(self, name: str, part: str) -> str:
        return f'%"ft.{part}.{name[1:].strip(chr(34))}"'

    def _tree_part(self, operand: Operand, part: str) -> str:
        """The state of an accumulator: when its terms are ready (m) and its number of steps (k)."""
        if operand.text in self.members:
            return self._part_name(operand.text, part)
        return self._level(operand) if part == "m" else "0"

    def _tree_level(self, name: str) -> None:
        """The level of an accumulator outside of its reduction: its terms combined pairwise."""
        ready, steps = self._part_name(name, "m"), self._part_name(name, "k")
        self._emit(f"{self._level_name(name)} = call i32 @ft.tree(i32 {ready}, i32 {steps})")

    def _tree_step(self, one: Instruction) -> bool:
        """One addition or multiplication of a reduction: one more term."""
        running = [operand for operand in one.operands if operand.text in self.members]
        if one.result not in self.members or len(running) != 1:
            return False
        other = next(operand for operand in one.operands if operand is not running[0])
        ready, steps = self._part_name(one.result, "m"), self._part_name(one.result, "k")
        before = self._tree_part(running[0], "m")
        self._emit(f"{ready} = call i32 @llvm.umax.i32(i32 {before}, i32 {self._level(other)})")
        self._emit(f"{steps} = add i32 {self._tree_part(running[0], 'k')}, 1")
        shift = self._level_shift()
        leaf = f"call i32 @ft.leaf(ptr {self._levels()}, i32 {ready}, i32 {steps}, i32 {shift})"
        self._note_level(self._value(leaf))
        self._tree_level(one.result)
        return True

    def _tree_choice(self, one: Instruction) -> bool:
        if one.result not in self.members:
            return False
        condition = one.operands[0]
        for part in ("m", "k"):
            first, second = (self._tree_part(operand, part) for operand in one.operands[1:])
            self._emit(f"{self._part_name(one.result, part)} = select i1 {condition.text}, i32 {first}, i32 {second}")
        self._tree_level(one.result)
        return True


def _suffix(shadow: str) -> str:
    match = re.match(r"<(\d+) x i32>", shadow)
    return f"v{match.group(1)}i32" if match else "i32"
