"""Writes the traced version of one function."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from foretell.frontends.trace import library
from foretell.frontends.trace.helpers import INSTANCE_HEADER, MOST_ARGUMENTS
from foretell.frontends.trace.llvm import NAME, Instruction, Operand
from foretell.frontends.trace.shadows import FLOATING, Types, zero

if TYPE_CHECKING:
    from collections.abc import Callable

    from foretell.frontends.trace.cfg import Flow, Loop
    from foretell.frontends.trace.llvm import Block, Function, Module
    from foretell.frontends.trace.options import TraceOptions
    from foretell.frontends.trace.scalars import Scalars

_FLOATING = {"fadd": "add", "fsub": "add", "fmul": "multiply", "fdiv": "divide", "frem": "function"}
_CONVERSIONS = frozenset("fptrunc fpext fptoui fptosi uitofp sitofp".split())
_NO_SHADOW = frozenset("getelementptr alloca landingpad va_arg inttoptr ptrtoint ptrtoaddr addrspacecast".split())
_TERMINATORS = frozenset("br switch ret unreachable resume invoke".split())
#: vectors, arrays and structures as values of one access: so many parts at most get a level each
_MOST_PARTS = 64


@dataclass(slots=True)
class Counted:
    """What one execution of a block does."""

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


class FunctionWriter:
    """Text of a traced function, and what its counters mean."""

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
        self.site_uses: list[str] = []
        self.block = Counted()
        self.loop: Loop | None = None
        self.ring: tuple[str, int] | None = None
        self.pending = 0
        self.carrying = self._carrying() if options.dependences else set()
        self.members = self._members() if options.reassociate else set()
        self.renamed: dict[tuple[str, str], str] = {}
        self.edges: dict[str, list[str]] = {}
        self.after_invoke: dict[str, list[str]] = {}

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

    def _carries(self, *operands: Operand) -> bool:
        return any(one.text in self.carrying for one in operands)

    # ------------------------------------------------------------------------------------------ what has a level

    def _carrying(self) -> set[str]:
        """Values that may have a level: computed in floating point, loaded, passed or returned, or made of those."""
        found = {one.text for one in self.function.parameters if one.type != "ptr"}
        flat = [one for block in self.graph.blocks.values() for one in block.instructions if one.result]
        changed = True
        while changed:
            changed = False
            for one in flat:
                if one.result not in found and self._may_carry(one, found):
                    found.add(one.result)
                    changed = True
        return found

    def _may_carry(self, one: Instruction, found: set[str]) -> bool:
        if one.opcode in _NO_SHADOW or one.type == "ptr" or re.match(r"<\d+ x ptr>", one.type):
            return False
        if one.opcode in _FLOATING or one.opcode in ("fcmp", "load", "atomicrmw"):
            return True
        if one.opcode in ("call", "invoke"):
            return self._call_carries(one, found)
        if one.opcode == "cmpxchg":
            return False
        return any(operand.text in found for operand in one.operands)

    def _call_carries(self, one: Instruction, found: set[str]) -> bool:
        name = one.callee[1:]
        if one.callee.startswith("%") or name in self.traced:
            return one.type != "void"
        kind = library.arithmetic(name)
        if kind == "move" or library.is_integer_intrinsic(name):
            return any(operand.text in found for operand in one.operands)
        return kind is not None

    def _members(self) -> set[str]:
        """Running values of reductions that are scheduled as trees."""
        return {name for carried in self.scalars.loops for name in carried.members}

    # ------------------------------------------------------------------------------------------ the function

    def write(self) -> list[str]:
        """The traced function, with its descriptor."""
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
        return [*self._descriptor(), self._header(), *sum(bodies, []), *self._edge_text(), "}"]

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
        """The original header with another name and without attributes that no longer hold."""
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
        for one in self.function.parameters:
            shadow = self.types.shadow(one.type)
            if one.text in self.carrying:
                place = self._value(f"getelementptr i64, ptr @ft_arguments, i64 {offset}")
                self._emit(f"{self._level_name(one.text)} = load {shadow}, ptr {place}")
            offset += self._words(one.type)

    def _words(self, type_: str) -> int:
        """64-bit words that the levels of an argument take."""
        return (sum(1 for _ in self.types.leaves(type_)) + 1) // 2

    # ------------------------------------------------------------------------------------------ blocks

    def _write_block(self, number: int, label: str, block: Block) -> None:
        self.out.append(f"{label}:")
        body = block.instructions
        phis = block.phis
        for one in phis:
            self._emit(one.text)
        for one in phis:
            self._write_phi(one)
        self._loop_phis(label)
        rest = body[len(phis) :]
        if number == 0:
            self._prologue()
        if rest and rest[0].opcode == "landingpad":
            self._emit(rest[0].text)
            self._emit(f"call void @ft_unwind(ptr {self._frame()})")
            rest = rest[1:]
        for one in phis:
            self._phi_levels(one)
        self._emit(f"call void @ft.count(ptr %ft.inst, i64 {INSTANCE_HEADER + number})")
        self._plan_ring(rest)
        for position, one in enumerate(rest):
            self._write_instruction(one, rest, position, label)

    def _frame(self) -> str:
        return f"%ft.f{self.loop.index}" if self.loop else "%ft.base"

    def _levels(self) -> str:
        return f"%ft.l{self.loop.index}" if self.loop else "%ft.levels"

    def _loop_phis(self, label: str) -> None:
        """At the head of a loop: its frame, its table of levels, where its iterations are noted, its trips."""
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

    def _edge(self, source: str, target: str) -> int:
        key = f"{source}\0{target}"
        if key not in self.edges:
            self.edges[key] = [str(len(self.edges))]
        return int(self.edges[key][0])

    def _write_phi(self, one: Instruction) -> None:
        if one.result not in self.carrying:
            return
        shadow = self.types.shadow(one.type)
        if one.result in self.members:
            for part in ("m", "k"):
                incoming = ", ".join(
                    f"[ {self._tree_part(operand, part)}, %{label} ]"
                    for operand, label in zip(one.operands, one.labels, strict=True)
                )
                self._emit(f"{self._part_name(one.result, part)} = phi i32 {incoming}")
            return
        incoming = ", ".join(
            f"[ {self._level(operand)}, %{label} ]"
            for operand, label in zip(one.operands, one.labels, strict=True)
        )
        self._emit(f"{self._level_name(one.result)} = phi {shadow} {incoming}")

    def _phi_levels(self, one: Instruction) -> None:
        if one.result in self.members and one.result in self.carrying:
            self._tree_level(one.result)

    # ------------------------------------------------------------------------------------------ reductions as trees

    def _part_name(self, name: str, part: str) -> str:
        return f'%"ft.{part}.{name[1:].strip(chr(34))}"'

    def _tree_part(self, operand: Operand, part: str) -> str:
        """Of a running value: when its terms are ready (m) and how many steps it has taken (k)."""
        if operand.text in self.members:
            return self._part_name(operand.text, part)
        return self._level(operand) if part == "m" else "0"

    def _tree_level(self, name: str) -> None:
        """The level of a running value outside of its reduction: its terms joined in pairs."""
        ready, steps = self._part_name(name, "m"), self._part_name(name, "k")
        self._emit(f"{self._level_name(name)} = call i32 @ft.tree(i32 {ready}, i32 {steps})")

    def _tree_step(self, one: Instruction) -> bool:
        """An addition or multiplication of a reduction: one more term."""
        running = [operand for operand in one.operands if operand.text in self.members]
        if one.result not in self.members or len(running) != 1:
            return False
        other = next(operand for operand in one.operands if operand is not running[0])
        ready, steps = self._part_name(one.result, "m"), self._part_name(one.result, "k")
        before = self._tree_part(running[0], "m")
        self._emit(f"{ready} = call i32 @llvm.umax.i32(i32 {before}, i32 {self._level(other)})")
        self._emit(f"{steps} = add i32 {self._tree_part(running[0], 'k')}, 1")
        self._emit(f"call void @ft.leaf(ptr {self._levels()}, i32 {ready}, i32 {steps})")
        self._tree_level(one.result)
        return True

    def _tree_choice(self, one: Instruction) -> bool:
        if one.result not in self.members:
            return False
        condition = one.operands[0]
        for part in ("m", "k"):
            first, second = (self._tree_part(operand, part) for operand in one.operands[1:])
            self._emit(
                f"{self._part_name(one.result, part)} = select i1 {condition.text}, i32 {first}, i32 {second}"
            )
        self._tree_level(one.result)
        return True

    # ------------------------------------------------------------------------------------------ references

    def _plan_ring(self, body: list[Instruction]) -> None:
        """Stretches of simple accesses without a call between them reserve their places in the ring together."""
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
        """A load or store that cannot cross a line's end."""
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
            self._emit(f"call void @ft.sample(ptr {pointer})")
            return
        if position in self.segments:
            self.ring = (self._value(f"call ptr @ft.reserve(i64 {self.segments[position]})"), 0)
        assert self.ring is not None
        first, used = self.ring
        address = self._value(f"ptrtoint ptr {pointer} to i64")
        place = self._value(f"getelementptr i64, ptr {first}, i64 {used}")
        self._emit(f"store i64 {address}, ptr {place}")
        self.ring = (first, used + 1)

    # ------------------------------------------------------------------------------------------ instructions

    def _write_instruction(
        self, one: Instruction, body: list[Instruction], position: int, label: str
    ) -> None:
        opcode = one.opcode
        if opcode in ("load", "store"):
            self._access(one, position)
        elif opcode in ("call", "invoke"):
            self._call(one, label)
        elif opcode in ("atomicrmw", "cmpxchg"):
            self._atomic(one)
        elif opcode in _TERMINATORS:
            self._terminator(one)
        else:
            self._emit(one.text)
            self._plain(one)

    def _terminator(self, one: Instruction) -> None:
        self.block.branch += one.opcode in ("br", "switch")
        if one.opcode == "ret" and one.operands and self.options.dependences:
            value = one.operands[0]
            if value.type != "ptr":
                self._emit(f"store {self.types.shadow(value.type)} {self._level(value)}, ptr @ft_result")
        self._emit(one.text)

    def _plain(self, one: Instruction) -> None:
        """An instruction without memory or control: its kind, and the level of its result."""
        lanes = self._lanes(one.operands[0].type) if one.operands else 1
        if one.opcode in _FLOATING:
            self.block.count(_FLOATING[one.opcode], lanes)
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
        shadow = self.types.shadow(type_)
        ready = self._latest([self._level(one) for one in operands], shadow)
        self._counted_level(self._level_name(result), shadow, ready)

    def _latest(self, levels: list[str], shadow: str) -> str:
        known = [one for one in levels if one != zero(shadow)]
        if not known:
            return zero(shadow)
        latest = known[0]
        for one in known[1:]:
            latest = self._value(f"call {shadow} @llvm.umax.{_suffix(shadow)}({shadow} {latest}, {shadow} {one})")
        return latest

    def _counted_level(self, name: str, shadow: str, ready: str) -> None:
        if shadow == "i32":
            self._emit(f"{name} = call i32 @ft.operation(ptr {self._levels()}, i32 {ready})")
            return
        lanes = self._lanes(shadow)
        whole = "poison"
        for lane in range(lanes):
            part = self._value(f"extractelement {shadow} {ready}, i32 {lane}")
            level = self._value(f"call i32 @ft.operation(ptr {self._levels()}, i32 {part})")
            last = name if lane == lanes - 1 else self._new()
            self._emit(f"{last} = insertelement {shadow} {whole}, i32 {level}, i32 {lane}")
            whole = last

    def _moved(self, one: Instruction) -> None:
        """The level of a result that holds what its operands held."""
        name, shadow = self._level_name(one.result), self.types.shadow(one.type)
        if one.opcode in ("extractelement", "insertelement", "shufflevector"):
            self._mirrored_vector(one, name)
        elif one.opcode in ("extractvalue", "insertvalue"):
            self._mirrored_member(one, name)
        elif one.opcode == "bitcast" and self.types.shadow(one.operands[0].type) != shadow:
            self._spread(name, shadow, self._whole(one.operands[0]))
        elif one.opcode == "select" and shadow != "i32" and self.types.shadow(one.operands[0].type) == "i32":
            latest = self._latest([self._level(operand) for operand in one.operands[1:]], shadow)
            self._same(name, shadow, latest)
        else:
            latest = self._latest([self._level(operand) for operand in one.operands], shadow)
            self._same(name, shadow, latest)

    def _same(self, name: str, shadow: str, value: str) -> None:
        if shadow.startswith(("{", "[")):
            self._emit(f"{name} = freeze {shadow} {value}")
        else:
            self._emit(f"{name} = or {shadow} {value}, {zero(shadow)}")

    def _whole(self, operand: Operand) -> str:
        """One level for all parts of an operand."""
        shadow = self.types.shadow(operand.type)
        if shadow == "i32":
            return self._level(operand)
        parts = []
        for path, _ in self.types.leaves(operand.type):
            if shadow.startswith("<"):
                parts.append(self._value(f"extractelement {shadow} {self._level(operand)}, i32 {path[0]}"))
            else:
                where = ", ".join(map(str, path))
                parts.append(self._value(f"extractvalue {shadow} {self._level(operand)}, {where}"))
        return self._latest(parts, "i32")

    def _spread(self, name: str, shadow: str, level: str) -> None:
        """All parts of a result get one level."""
        if shadow == "i32":
            self._same(name, shadow, level)
            return
        lanes = self._lanes(shadow)
        whole = "poison"
        for lane in range(lanes):
            last = name if lane == lanes - 1 else self._new()
            self._emit(f"{last} = insertelement {shadow} {whole}, i32 {level}, i32 {lane}")
            whole = last

    def _mirrored_vector(self, one: Instruction, name: str) -> None:
        first = one.operands[0]
        shadow = self.types.shadow(first.type)
        index = one.operands[-1]
        if one.opcode == "extractelement":
            self._emit(f"{name} = extractelement {shadow} {self._level(first)}, {index.type} {index.text}")
        elif one.opcode == "insertelement":
            value = self._level(one.operands[1])
            self._emit(
                f"{name} = insertelement {shadow} {self._level(first)}, i32 {value}, {index.type} {index.text}"
            )
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

    # ------------------------------------------------------------------------------------------ memory

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
            (path, self._load_level(leaf, place, align, self._line(one), update))
            for path, leaf, place, align in parts
        ]
        if one.result in self.carrying:
            self._joined(self._level_name(one.result), self.types.shadow(one.type), levels)

    def _joined(self, name: str, shadow: str, levels: list[tuple[tuple[int, ...], str]]) -> None:
        if shadow == "i32":
            self._same(name, shadow, levels[0][1])
            return
        whole = "zeroinitializer"
        for number, (path, level) in enumerate(levels):
            last = name if number == len(levels) - 1 else self._new()
            if shadow.startswith("<"):
                self._emit(f"{last} = insertelement {shadow} {whole}, i32 {level}, i32 {path[0]}")
            else:
                where = ", ".join(map(str, path))
                self._emit(f"{last} = insertvalue {shadow} {whole}, i32 {level}, {where}")
            whole = last

    def _load_level(self, leaf: str, place: str, align: int, line: int, update: bool) -> str:
        size = self.types.size(leaf)
        site = self._site()
        if (size == 8 and align >= 4) or (size in (1, 2, 4) and align >= size):
            kind = "u" if update else ""
            return self._value(f"call i32 @ft.load{size}{kind}(ptr {place}, ptr {site}, i32 {line})")
        address = self._value(f"ptrtoint ptr {place} to i64")
        return self._value(f"call i32 @ft_load(i64 {address}, i64 {size}, ptr {site}, i32 {line})")

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
            if path and level != "zeroinitializer":
                where = ", ".join(map(str, path))
                word = "extractelement" if shadow.startswith("<") else "extractvalue"
                index = f"i32 {path[0]}" if shadow.startswith("<") else where
                level = self._value(f"{word} {shadow} {level}, {index}")
            elif path:
                level = "0"
            self._store_level(leaf, place, align, level, update)

    def _store_level(self, leaf: str, place: str, align: int, level: str, update: int) -> None:
        size = self.types.size(leaf)
        if size in (4, 8) and align >= 4:
            self._emit(f"call void @ft.store{size}(ptr {place}, i32 {level}, i32 {update})")
            return
        address = self._value(f"ptrtoint ptr {place} to i64")
        self._emit(f"call void @ft_store(i64 {address}, i64 {size}, i32 {level}, i32 {update})")

    def _atomic(self, one: Instruction) -> None:
        """A read and a write of one place at once; of floating-point additions the operation counts, too."""
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
                after = self._value(f"call i32 @ft.operation(ptr {self._levels()}, i32 {after})")
            self._store_level(value.type, pointer, size, after, 0)
            if one.result in self.carrying:
                self._same(self._level_name(one.result), "i32", before)
        self._emit(one.text)

    # ------------------------------------------------------------------------------------------ calls

    def _call(self, one: Instruction, label: str) -> None:
        name = one.callee[1:]
        kind = library.arithmetic(name)
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
        """A function of the mathematical library; a fused multiply-add is two operations."""
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
            self._counted_level(
                product, shadow, self._latest([self._level(operand) for operand in operands[:2]], shadow)
            )
            ready = self._latest([product, self._level(operands[2])], shadow)
            self._counted_level(self._level_name(one.result), shadow, ready)
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
        """A function of which only the call is seen."""
        self.block.call += 1
        if library.is_integer_intrinsic(name):
            self.block.call -= 1
            self.block.integer += self._lanes(one.type)
            self._emit(one.text)
            if one.result in self.carrying:
                self._integer_intrinsic(one)
            return
        if name in library.ALLOCATION and one.opcode == "call" and self.options.dependences:
            self._emit(one.text)
            self._fresh(one, library.ALLOCATION[name])
            return
        if name not in library.QUIET and name not in library.ALLOCATION and not name.startswith("llvm."):
            self.unseen.add(name)
        self._emit(one.text)

    def _integer_intrinsic(self, one: Instruction) -> None:
        shadow = self.types.shadow(one.type)
        levels = [self._level(operand) for operand in one.operands if self.types.shadow(operand.type) == shadow]
        if shadow.startswith("{"):
            level = self._latest([self._whole(operand) for operand in one.operands], "i32")
            self._joined(
                self._level_name(one.result), shadow, [(path, level) for path, _ in self.types.leaves(one.type)]
            )
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
            self.after_invoke[f"{label}\0{one.labels[0]}"] = [received]
        else:
            self.out.append(received)

    def _pass(self, operand: Operand, offset: int) -> None:
        if operand.type == "ptr" or offset + self._words(operand.type) > MOST_ARGUMENTS:
            return
        place = self._value(f"getelementptr i64, ptr @ft_arguments, i64 {offset}")
        self._emit(f"store {self.types.shadow(operand.type)} {self._level(operand)}, ptr {place}")

    # ------------------------------------------------------------------------------------------ edges

    def _write_edges(self) -> None:
        """Every edge that enters a loop, goes back in one or leaves one gets a block of its own."""
        for source, block in self.graph.blocks.items():
            terminator = block.terminator
            targets = terminator.labels[:1] if terminator.opcode == "invoke" else terminator.labels
            for target in dict.fromkeys(targets):
                if self._edge_work(source, target):
                    self._edge(source, target)

    def _edge_work(self, source: str, target: str) -> list[str]:
        """What happens on an edge, outer things last on the way out."""
        inner = self.graph.loop_of(source)
        outer = self.graph.loop_of(target)
        work = []
        for loop in inner.chain if inner else []:
            if target not in loop.blocks:
                work.append(f"leave {loop.index}")
        if outer is not None and outer.header == target:
            inside = source in outer.blocks
            work.append(f"{'back' if inside else 'enter'} {outer.index}")
        return work

    def _edge_text(self) -> list[str]:
        text = []
        for key, (number,) in self.edges.items():
            source, target = key.split("\0")
            text.append(f"ft.e{number}:")
            text += self.after_invoke.get(key, [])
            for work in self._edge_work(source, target):
                verb, index = work.split()
                text += getattr(self, f"_{verb}_text")(int(index), number, source)
            text.append(f"  br label %{target}")
        return text

    def _leave_text(self, index: int, number: str, source: str) -> list[str]:
        loop = self.graph.loops[index]
        trips = f"%ft.n{index}"
        name = f"%ft.c{index}.{number}"
        # A loop that tests before its body has run the head once more than the body.
        extra = 0 if source == loop.header and source not in loop.latches else 1
        return [f"  {name} = add i64 {trips}, {extra}", f"  call void @ft_leave(ptr %ft.f{index}, i64 {name})"]

    def _enter_text(self, index: int, number: str, source: str) -> list[str]:
        offset = INSTANCE_HEADER + len(self.graph.blocks) + self.sites + index
        frame = f"%ft.f{index}.{number}"
        return [
            f"  %ft.g{index}.{number} = getelementptr i64, ptr %ft.inst, i64 {offset}",
            f"  %ft.o{index}.{number} = load ptr, ptr %ft.g{index}.{number}",
            f"  {frame} = call ptr @ft_enter(ptr %ft.o{index}.{number})",
            f"  %ft.l{index}.{number} = load ptr, ptr {frame}",
            f"  %ft.j{index}.{number} = getelementptr ptr, ptr {frame}, i64 1",
            f"  %ft.i{index}.{number} = load ptr, ptr %ft.j{index}.{number}",
        ]

    def _back_text(self, index: int, number: str, source: str) -> list[str]:
        text = [f"  %ft.n{index}.{number} = add i64 %ft.n{index}, 1"]
        if self.options.dependences:
            text.append(f"  call void @ft.step(ptr %ft.i{index})")
        return text

    def _redirect(self, line: str, number: int) -> str:
        """Branches and phis go by the blocks of edges."""
        label = list(self.graph.blocks)[number]
        stripped = line.lstrip()
        if re.match(r"(br|switch|invoke) |\S+ = invoke ", stripped):
            for target in dict.fromkeys(self.graph.blocks[label].terminator.labels):
                key = f"{label}\0{target}"
                if key in self.edges:
                    own = f"%ft.e{self.edges[key][0]}"
                    line = re.sub(rf"label %{re.escape(target)}(?![-\w$.])", f"label {own}", line)
        elif re.match(r"\S+ = phi ", stripped) and "%ft.e" not in line:
            line = self._redirect_phi(line, label)
        return line

    def _redirect_phi(self, line: str, label: str) -> str:
        head, _, rest = line.partition(" [ ")
        seen = set()
        kept = []
        for entry in rest.rstrip().removesuffix(" ]").split(" ], [ "):
            value, _, source = entry.rpartition(", ")
            key = f"{source[1:]}\0{label}"
            if source[1:] not in self.graph.blocks:
                continue
            if key in self.edges:
                source = f"%ft.e{self.edges[key][0]}"
            if source in seen and key in self.edges:
                continue
            seen.add(source)
            kept.append(f"[ {value}, {source} ]")
        return f"{head} {', '.join(kept)}"


def _suffix(shadow: str) -> str:
    match = re.match(r"<(\d+) x i32>", shadow)
    return f"v{match.group(1)}i32" if match else "i32"


__all__ = ["FLOATING", "Counted", "FunctionWriter"]
