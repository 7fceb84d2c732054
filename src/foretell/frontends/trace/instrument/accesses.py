"""Instruments loads and stores: references for the locality engines, shadow memory for levels and dependences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.frontends.trace.instrument import library
from foretell.frontends.trace.instrument.dataflow_levels import Levels
from foretell.frontends.trace.instrument.helpers import INSTANCE_HEADER
from foretell.frontends.trace.options import sampling

if TYPE_CHECKING:
    from foretell.core.llvm.syntax import Instruction

#: maximum parts of one access to a vector, array or structure value that get a level each
_MOST_PARTS = 64


class Accesses(Levels):
    """Emits the instrumentation of memory accesses."""

    def _plan_ring(self, body: list[Instruction]) -> None:
        """Groups runs of simple accesses without a call between them into one reservation in the ring buffer."""
        self.segments: dict[int, int] = {}
        first: int | None = None
        count = 0
        for position, one in enumerate(body):
            if self._simple(one):
                first = position if first is None else first
                count += 1
            elif self._ends_segment(one) and first is not None:
                self.segments[first] = count
                first, count = None, 0
        if first is not None:
            self.segments[first] = count
        self.ring = None

    def _simple(self, one: Instruction) -> bool:
        """Whether a load or store cannot cross a line boundary."""
        if one.opcode not in ("load", "store"):
            return False
        size = self._access_size(one)
        return size <= 16 and size & (size - 1) == 0 and int(one.extra) >= size

    def _access_size(self, one: Instruction) -> int:
        return self.types.size(one.type if one.opcode == "load" else one.operands[0].type)

    def _ends_segment(self, one: Instruction) -> bool:
        if one.opcode in ("load", "store", "atomicrmw", "cmpxchg"):
            return True
        if one.opcode not in ("call", "invoke"):
            return False
        name = one.callee[1:]
        return not (library.is_silent(name) or (name.startswith("llvm.") and library.base_name(name) == name))

    def _reference(self, one: Instruction, position: int, pointer: str) -> None:
        if not self.options.locality:
            return
        if not self._simple(one):
            address = self._value(f"ptrtoint ptr {pointer} to i64")
            self._emit(f"call void @ft_touch(i64 {address}, i64 {self._access_size(one)})")
            return
        if self.options.sample < 1:
            shift, limit = sampling(self.options)
            self._emit(f"call void @ft.sample(ptr {pointer}, i64 {shift}, i64 {limit})")
            return
        if position in self.segments:
            self.ring = (self._value(f"call ptr @ft.reserve(i64 {self.segments[position]})"), 0)
        assert self.ring is not None
        first, used = self.ring
        address = self._value(f"ptrtoint ptr {pointer} to i64")
        place = self._value(f"getelementptr i64, ptr {first}, i64 {used}")
        self._emit(f"store i64 {address}, ptr {place}")
        self.ring = (first, used + 1)

    def _access(self, one: Instruction, position: int) -> None:
        pointer = one.operands[-1].text
        size = self._access_size(one)
        self.block.count(one.opcode)
        self.block.bytes += size
        self._reference(one, position, pointer)
        if self.options.all_dependences:
            self._all_dependences(one.opcode, pointer, size, self._line(one))
        if self.options.dependences:
            (self._load_levels if one.opcode == "load" else self._store_levels)(one, pointer)
        self._emit(one.text)

    def _line(self, one: Instruction) -> int:
        return self.module.location(one.line)[1]

    def _all_dependences(self, opcode: str, pointer: str, size: int, line: int) -> None:
        address = self._value(f"ptrtoint ptr {pointer} to i64")
        if opcode == "load":
            self._emit(f"call void @ft_load_all(i64 {address}, i64 {size})")
        else:
            self._emit(f"call void @ft_store_all(i64 {address}, i64 {size}, i32 {line})")

    def _parts(self, type_: str, pointer: str, align: int) -> list[tuple[tuple[int, ...], str, str, int]]:
        """The parts of a value in memory: path, type, address, alignment."""
        leaves = list(self.types.leaves(type_))
        if leaves and leaves[0][0] == ():
            return [((), leaves[0][1], pointer, align)]
        found = []
        for path, leaf in leaves[:_MOST_PARTS]:
            where = ", ".join(f"i32 {index}" for index in path)
            place = self._value(f"getelementptr {type_}, ptr {pointer}, i32 0, {where}")
            found.append((path, leaf, place, min(align, self.types.size(leaf))))
        return found

    def _load_levels(self, one: Instruction, pointer: str) -> None:
        update = id(one) in self.scalars.updates
        parts = self._parts(one.type, pointer, int(one.extra))
        levels = [
            (path, self._load_level(leaf, place, align, self._line(one), update)) for path, leaf, place, align in parts
        ]
        if one.result in self.carrying:
            self._joined(self._level_name(one.result), self.types.shadow(one.type), levels, "zeroinitializer")

    def _load_level(self, leaf: str, place: str, align: int, line: int, update: bool) -> str:
        size = self.types.size(leaf)
        site = self._site()
        if size in (1, 2, 4, 8) and align >= size:  # never split across two cells of shadow memory
            kind = "u" if update else ""
            return self._value(f"call i32 @ft.load{size}{kind}(ptr {place}, ptr {site}, i32 {line})")
        address = self._value(f"ptrtoint ptr {place} to i64")
        return self._value(f"call preserve_mostcc i32 @ft_load(i64 {address}, i64 {size}, ptr {site}, i32 {line})")

    def _site(self) -> str:
        """The interval cache of one load."""
        offset = INSTANCE_HEADER + len(self.graph.blocks) + self.sites
        self.sites += 1
        return self._value(f"getelementptr i64, ptr %ft.inst, i64 {offset}")

    def _store_levels(self, one: Instruction, pointer: str) -> None:
        value = one.operands[0]
        update = int(id(one) in self.scalars.updates)
        shadow = self.types.shadow(value.type)
        for path, leaf, place, align in self._parts(value.type, pointer, int(one.extra)):
            level = self._level(value)
            if path:
                level = "0" if level == "zeroinitializer" else self._part(shadow, level, path)
            self._store_level(leaf, place, align, level, update)

    def _store_level(self, leaf: str, place: str, align: int, level: str, update: int) -> None:
        size = self.types.size(leaf)
        if size in (4, 8) and align >= size:
            self._emit(f"call void @ft.store{size}(ptr {place}, i32 {level}, i32 {update})")
            return
        address = self._value(f"ptrtoint ptr {place} to i64")
        self._emit(f"call void @ft_store(i64 {address}, i64 {size}, i32 {level}, i32 {update})")

    def _atomic(self, one: Instruction) -> None:
        """An atomic read-modify-write of one location; floating-point additions also count as operations."""
        pointer, value = one.operands[0].text, one.operands[1]
        size = self.types.size(value.type)
        for kind in ("load", "store"):
            self.block.count(kind)
            self.block.bytes += size
            if self.options.locality:
                address = self._value(f"ptrtoint ptr {pointer} to i64")
                self._emit(f"call void @ft_touch(i64 {address}, i64 {size})")
        if self.options.dependences:
            before = self._load_level(value.type, pointer, size, self._line(one), update=False)
            after = self._latest([before, self._level(value)], "i32")
            if one.extra.startswith("f"):
                self.block.add += 1
                after = self._counted(self._new(), after)
            self._store_level(value.type, pointer, size, after, 0)
            if one.result in self.carrying:
                self._same(self._level_name(one.result), "i32", before)
        self._emit(one.text)
