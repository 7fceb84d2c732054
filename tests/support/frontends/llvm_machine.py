"""A slow machine for LLVM IR that keeps, for every byte and every value, what the tracing runtime keeps by shortcuts.

Levels are stored with each byte. Each byte also remembers the whole stack of loops with their iterations at the time
it was written; a read compares that with the stack of now. Nothing here is shared with the instrumentation or the
runtime; only the reader of IR and the loop finder are those of the front end.
"""

from __future__ import annotations

import math
import re
import struct
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from foretell.frontends.trace.cfg import flow
from foretell.frontends.trace.instrument.loop_scalars import scalars
from foretell.frontends.trace.instrument.shadow_values import Types
from tests.support.frontends.llvm_arithmetic import Arithmetic
from tests.support.frontends.llvm_memory import FLOATS, Memory, Storage

if TYPE_CHECKING:
    from foretell.core.llvm.module import Function, Module
    from foretell.core.llvm.syntax import Instruction

_ARITHMETIC = {"fadd": "add", "fsub": "add", "fmul": "multiply", "fdiv": "divide", "frem": "function"}


@cache
def _analysed(module: Module) -> tuple[dict[str, Any], dict[str, Any]]:
    flows = {name: flow(one) for name, one in module.functions.items()}
    return flows, {name: scalars(one) for name, one in flows.items()}


@dataclass
class ActiveLoop:
    key: tuple[Any, ...]
    activation: int
    iteration: int = 0


@dataclass
class LoopRecord:
    entries: int = 0
    iterations: int = 0
    raw: bool = False
    reduction: bool = False


@dataclass
class Machine(Storage, Arithmetic):
    """Runs functions of a module; inside the kernel it observes."""

    module: Module
    kernel: str
    output: str = ""
    objects: dict[int, Memory] = field(default_factory=dict)
    observing: int = 0
    stack: list[ActiveLoop] = field(default_factory=list)
    activations: int = 0
    levels: Counter[int] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    references: list[tuple[int, int]] = field(default_factory=list)
    loops: dict[tuple[Any, ...], LoopRecord] = field(default_factory=lambda: defaultdict(LoopRecord))

    def __post_init__(self) -> None:
        self.types = Types(self.module.types)
        self.flows, self.scalars = _analysed(self.module)
        self.globals: dict[str, int] = {f"@{name}": self.allocate(1) for name in self.module.functions}
        self.named = {address: name[1:] for name, address in self.globals.items()}
        for line in self.module.lines:
            match = re.match(
                r"(@[\w.$]+|@\"[^\"]+\") = .*?(?:constant|global) (.*?)(?:, align \d+)?(?:, section.*)?$", line
            )
            if match and not match.group(1).startswith("@llvm."):
                self.globals[match.group(1)] = self._global(match.group(2))

    # -------------------------------------------------------------------------------------------- observation

    def _now(self) -> tuple[tuple[int, int], ...]:
        return tuple((one.activation, one.iteration) for one in self.stack)

    def _read_levels(self, address: int, type_: str, update: bool) -> Any:
        parts = self.types.parts(type_)
        if parts is not None:
            pairs = zip(self.offsets(type_), parts, strict=True)
            return [self._read_levels(address + offset, part, update) for offset, part in pairs]
        memory, at = self._place(address)
        size = self.types.size(type_)
        latest = 0
        for byte in range(at, at + size):
            latest = max(latest, memory.levels[byte])
        # The newest write decides which loop carries the value.
        newest = max((memory.written[byte] for byte in range(at, at + size) if memory.written[byte]), default=None)
        if newest is not None and self.observing:
            self._dependence(newest, update)
        return latest if type_ != "ptr" else 0

    def _dependence(self, written: tuple[tuple[tuple[int, int], ...], bool], update: bool) -> None:
        for loop, then in zip(self.stack, written[0], strict=False):
            if loop.activation != then[0]:
                return
            if loop.iteration != then[1]:
                record = self.loops[loop.key]
                if update and written[1]:
                    record.reduction = True
                else:
                    record.raw = True
                return

    def _write_levels(self, address: int, type_: str, levels: Any, update: bool) -> None:
        parts = self.types.parts(type_)
        if parts is not None:
            for offset, part, level in zip(self.offsets(type_), parts, levels, strict=True):
                self._write_levels(address + offset, part, level, update)
            return
        memory, at = self._place(address)
        now = (self._now(), update)
        for byte in range(at, at + self.types.size(type_)):
            memory.levels[byte] = levels
            memory.written[byte] = now

    def _refer(self, address: int, size: int) -> None:
        if self.observing:
            self.references.append((address, size))

    def _operation(self, kind: str, levels: list[Any]) -> Any:
        if isinstance(levels[0], list):
            return [self._operation(kind, list(lane)) for lane in zip(*levels, strict=True)]
        level = 1 + max(levels)
        if self.observing:
            self.levels[level] += 1
            self.kinds[kind] += 1
            return level
        return 0

    # -------------------------------------------------------------------------------------------- execution

    def call(self, name: str, arguments: list[tuple[Any, Any]]) -> tuple[Any, Any]:
        """Calls a function with values and their levels."""
        kernel = name == self.kernel
        self.observing += kernel
        depth = len(self.stack)
        try:
            return self._body(self.module.functions[name], arguments)
        finally:
            self.observing -= kernel
            del self.stack[depth:]

    def _body(self, function: Function, arguments: list[tuple[Any, Any]]) -> tuple[Any, Any]:
        frame = {one.text: given for one, given in zip(function.parameters, arguments, strict=True)}
        graph = self.flows[function.name]
        context = tuple(one.key for one in self.stack[-1:])
        label, before = function.blocks[0].label, ""
        while True:
            block = graph.blocks[label]
            self._phis(block.phis, before, frame)
            for one in block.instructions:
                if one.opcode == "ret":
                    given = one.operands[0] if one.operands else None
                    return self._operand(frame, given.type, given.text) if given else (None, 0)
                if one.opcode in ("br", "switch", "invoke"):
                    target = self._branch(one, frame, function.name)
                    break
                if one.opcode != "phi":
                    self._execute(one, frame, function.name)
            else:
                raise AssertionError(f"no way on from {label}")
            self._move(graph, function.name, context, label, target)
            before, label = label, target

    def _move(self, graph: Any, name: str, context: tuple[Any, ...], source: str, target: str) -> None:
        inner, outer = graph.loop_of(source), graph.loop_of(target)
        for loop in inner.chain if inner else []:
            if target not in loop.blocks:
                gone = self.stack.pop()
                extra = 0 if source == loop.header and source not in loop.latches else 1
                if self.observing:
                    self.loops[gone.key].iterations += gone.iteration + extra
        if outer is not None and outer.header == target:
            if source in outer.blocks:
                self.stack[-1].iteration += 1
            else:
                self.activations += 1
                key = (*context, (name, outer.index))
                self.stack.append(ActiveLoop(key, self.activations))
                if self.observing:
                    self.loops[key].entries += 1

    def _phis(self, phis: list[Instruction], before: str, frame: dict[str, Any]) -> None:
        new = {}
        for one in phis:
            operand = one.operands[one.labels.index(before)]
            new[one.result] = self._operand(frame, one.type, operand.text)
        frame.update(new)

    def _branch(self, one: Instruction, frame: dict[str, Any], name: str) -> str:
        if one.opcode == "invoke":
            self._execute(one, frame, name)
            return one.labels[0]
        if not one.operands:
            return one.labels[0]
        value = self._operand(frame, one.operands[0].type, one.operands[0].text)[0]
        if one.opcode == "br":
            return one.labels[0 if value else 1]
        cases = re.findall(r"(-?\d+|true|false), label %([-\w$.]+|\"[^\"]+\")", one.text[one.text.index("[") :])
        mask = (1 << self.bits(one.operands[0].type)) - 1
        for number, label in cases:
            if int(number) & mask == value:
                return label
        return one.labels[0]

    def constant(self, type_: str, text: str) -> Any:
        parts = self.types.parts(type_)
        if text in ("zeroinitializer", "undef", "poison", "null", "none"):
            if parts is not None:
                return [self.constant(part, text) for part in parts]
            return 0.0 if type_ in FLOATS else 0
        if parts is not None:
            from foretell.core.llvm.syntax import Cursor, split

            if text.startswith("splat"):
                inner = Cursor(text[text.index("(") + 1 : -1]).operand()
                return [self.constant(inner.type, inner.text)] * len(parts)
            operands = [Cursor(part).operand() for part in split(text[1:-1])]
            return [self._operand({}, one.type, one.text)[0] for one in operands]
        if type_ in FLOATS:
            if text.startswith("0x"):
                return struct.unpack(">d", bytes.fromhex(text[2:].rjust(16, "0")))[0]
            return float(text)
        if text in ("true", "false"):
            return int(text == "true")
        return int(text) & ((1 << self.bits(type_)) - 1)

    def _operand(self, frame: dict[str, Any], type_: str, text: str) -> tuple[Any, Any]:
        if text.startswith("%"):
            return frame[text]
        if text.startswith("@"):
            return self.globals.get(text, text), 0
        if text.startswith("getelementptr"):
            return self._address(text[text.index("(") + 1 : -1], frame), 0
        return self.constant(type_, text), self._zero(type_)

    def _zero(self, type_: str) -> Any:
        parts = self.types.parts(type_)
        return 0 if parts is None else [self._zero(part) for part in parts]

    def _address(self, text: str, frame: dict[str, Any]) -> int:
        from foretell.core.llvm.syntax import Cursor, split

        first, *rest = split(text)
        type_ = Cursor(first).type()
        operands = [Cursor(part).operand() for part in rest]
        address = self._operand(frame, "ptr", operands[0].text)[0]
        for number, one in enumerate(operands[1:]):
            index = self._signed(one.type, self._operand(frame, one.type, one.text)[0])
            if number == 0:
                address += index * self.size(type_)
                continue
            parts = self.types.parts(type_)
            assert parts is not None
            if self.types.resolve(type_).startswith(("{", "<{")):
                address += self.offsets(type_)[index]
                type_ = parts[index]
            else:
                type_ = parts[0] if parts else self.types.resolve(type_).split(" x ", 1)[1][:-1]
                address += index * self.size(type_)
        return address

    def _signed(self, type_: str, value: int) -> int:
        bits = self.bits(type_)
        return value - (1 << bits) if value >> (bits - 1) else value

    def _execute(self, one: Instruction, frame: dict[str, Any], name: str) -> None:
        opcode = one.opcode
        if opcode in ("call", "invoke"):
            result = self._call(one, frame)
            if one.result:
                frame[one.result] = result
            return
        if opcode == "alloca":
            type_ = one.extra.split(",")[0]
            frame[one.result] = (self.allocate(max(self.size(type_), 1)), 0)
            return
        if opcode == "getelementptr":
            text = one.text.split("getelementptr", 1)[1]
            while re.match(r"\s*(inbounds|nuw|nusw|inrange\([^)]*\))", text):
                text = re.sub(r"^\s*(inbounds|nuw|nusw|inrange\([^)]*\))", "", text)
            frame[one.result] = (self._address(text.strip(), frame), 0)
            return
        given = [self._operand(frame, operand.type, operand.text) for operand in one.operands]
        values, levels = [pair[0] for pair in given], [pair[1] for pair in given]
        if opcode == "load":
            self._refer(values[0], self.types.size(one.type))
            update = id(one) in self.scalars[name].updates
            level = self._read_levels(values[0], one.type, update)
            frame[one.result] = (self._get(values[0], one.type), level)
        elif opcode == "store":
            self._refer(values[1], self.types.size(one.operands[0].type))
            self._put(values[1], one.operands[0].type, values[0])
            if self.observing:
                update = id(one) in self.scalars[name].updates
                self._write_levels(values[1], one.operands[0].type, levels[0], update)
        elif one.result:
            frame[one.result] = self._compute(one, values, levels)

    def _compute(self, one: Instruction, values: list[Any], levels: list[Any]) -> tuple[Any, Any]:
        opcode, type_ = one.opcode, one.operands[0].type
        if opcode in _ARITHMETIC or opcode == "fcmp":
            kind = "compare" if opcode == "fcmp" else _ARITHMETIC[opcode]
            return self._lanes(one, values, type_), self._operation(kind, levels)
        if opcode in ("extractvalue", "insertvalue"):
            return self._member(one, values, levels)
        if opcode == "extractelement":
            return values[0][values[1]], levels[0][values[1]]
        if opcode == "insertelement":
            where = values[2]
            return (
                [*values[0][:where], values[1], *values[0][where + 1 :]],
                [*levels[0][:where], levels[1], *levels[0][where + 1 :]],
            )
        if opcode == "select":
            return values[1] if values[0] else values[2], _join(
                levels if not isinstance(levels[1], list) else levels[1:]
            )
        if opcode in ("ptrtoint", "inttoptr"):
            return values[0], 0
        return self._lanes(one, values, type_), _join(levels)

    def _member(self, one: Instruction, values: list[Any], levels: list[Any]) -> tuple[Any, Any]:
        path = [int(number) for number in one.extra.split(",")]
        if one.opcode == "extractvalue":
            value, level = values[0], levels[0]
            for index in path:
                value, level = value[index], level[index]
            return value, level
        assert len(path) == 1
        value, level = list(values[0]), list(levels[0])
        value[path[0]], level[path[0]] = values[1], levels[1]
        return value, level

    def _lanes(self, one: Instruction, values: list[Any], type_: str) -> Any:
        if isinstance(values[0], list):
            inner = (self.types.parts(type_) or [""])[0]
            return [self._scalar(one, list(lane), inner) for lane in zip(*values, strict=True)]
        return self._scalar(one, values, type_)

    def _scalar(self, one: Instruction, v: list[Any], type_: str) -> Any:
        opcode = one.opcode
        result = one.type if not one.type.startswith("<") else one.type.split(" x ")[1][:-1]
        if opcode in _ARITHMETIC:
            return _rounded(_float(opcode, v[0], v[1]), type_)
        if opcode == "fneg":
            return -v[0]
        if opcode == "fcmp":
            return _fcmp(one.extra, v[0], v[1])
        mask = (1 << self.bits(result)) - 1
        if opcode == "icmp":
            return self._icmp(one.extra, type_, v)
        if opcode in ("sitofp", "uitofp"):
            number = self._signed(type_, v[0]) if opcode == "sitofp" else v[0]
            return _rounded(float(number), result)
        if opcode in ("fptosi", "fptoui"):
            return int(v[0]) & mask
        if opcode in ("fptrunc", "fpext"):
            return _rounded(v[0], result)
        if opcode == "sext":
            return self._signed(type_, v[0]) & mask
        if opcode in ("zext", "trunc", "freeze"):
            return v[0] if isinstance(v[0], float) else v[0] & mask
        if opcode == "bitcast":
            raw = self._pack(type_, v[0])
            return struct.unpack("<" + FLOATS[result], raw)[0] if result in FLOATS else int.from_bytes(raw, "little")
        return self._integer(opcode, type_, v) & mask

    # -------------------------------------------------------------------------------------------- calls

    def _call(self, one: Instruction, frame: dict[str, Any]) -> tuple[Any, Any]:
        name = one.callee[1:] if one.callee.startswith("@") else ""
        if re.match(r"llvm\.(dbg|lifetime|assume|experimental|stack)", name):
            return None, 0
        given = [self._operand(frame, operand.type, operand.text) for operand in one.operands]
        if not name:
            name = self.named[frame[one.callee][0]]
        if name in self.module.functions:
            return self.call(name, given)
        values, levels = [pair[0] for pair in given], [pair[1] for pair in given]
        return self._library(one, name, values, levels)

    def _library(self, one: Instruction, name: str, v: list[Any], levels: list[Any]) -> tuple[Any, Any]:
        base = name.split(".")[1] if name.startswith("llvm.") else name
        if base in ("memcpy", "memmove"):
            self._copy(v[0], v[1], v[2])
            return v[0], 0
        if base == "memset":
            for at in range(v[2]):
                self._put(v[0] + at, "i8", v[1])
                if self.observing:
                    self._write_levels(v[0] + at, "i8", 0, False)
            for at in range(0, v[2], 8):
                self._refer(v[0] + at, min(8, v[2] - at))
            return v[0], 0
        if base in ("fmuladd", "fma"):
            product = self._operation("multiply", levels[:2])
            value = _rounded(math.fma(v[0], v[1], v[2]) if hasattr(math, "fma") else v[0] * v[1] + v[2], one.type)
            return value, self._operation("add", [product, levels[2]])
        if base in ("sqrt", "exp", "sin", "cos", "pow", "log"):
            kind = "sqrt" if base == "sqrt" else "function"
            return _rounded(getattr(math, base)(*v), one.type), self._operation(kind, levels)
        if base in ("minnum", "maxnum", "fmin", "fmax"):
            return (min if "min" in base else max)(v), self._operation("compare", levels)
        if base == "fabs":
            return abs(v[0]), levels[0]
        if base in ("smax", "smin", "umax", "umin", "abs", "cttz", "ctlz"):
            return self._integer_call(base, one.type, v), _join(levels)
        return self._system(one, name, v), 0

    def _integer_call(self, base: str, type_: str, v: list[int]) -> int:
        if base == "abs":
            return abs(self._signed(type_, v[0])) & ((1 << self.bits(type_)) - 1)
        if base in ("cttz", "ctlz"):
            text = f"{v[0]:0{self.bits(type_)}b}"
            return len(text) - len(text.rstrip("0") if base == "cttz" else text.lstrip("0"))
        key = (lambda value: self._signed(type_, value)) if base.startswith("s") else (lambda value: value)
        return (max if base.endswith("max") else min)(v, key=key)

    def _copy(self, target: int, source: int, size: int) -> None:
        data = [self._get(source + at, "i8") for at in range(size)]
        levels = [self._read_levels(source + at, "i8", False) for at in range(size)]
        for at in range(size):
            self._put(target + at, "i8", data[at])
            if self.observing:
                self._write_levels(target + at, "i8", levels[at], False)
        for at in range(0, size, 8):
            self._refer(source + at, min(8, size - at))
            self._refer(target + at, min(8, size - at))

    def _system(self, one: Instruction, name: str, v: list[Any]) -> Any:
        if name in ("malloc", "_Znwm"):
            return self.allocate(v[0])
        if name == "calloc":
            return self.allocate(v[0] * v[1])
        if name == "aligned_alloc":
            return self.allocate(v[1])
        if name == "strtol":
            return int(self._text(v[0])) & ((1 << 64) - 1)
        if name == "printf":
            return 0
        if name in ("free", "clock_gettime", "_ZdlPvm", "_ZdlPv", "llvm.trap"):
            return 0
        raise AssertionError(f"the machine does not know {name}")

    def _text(self, address: int) -> str:
        memory, at = self._place(address)
        return bytes(memory.data[at:]).split(b"\0")[0].decode()

    def main(self, arguments: list[str]) -> None:
        """Runs the program."""
        texts = [b"program\0", *(one.encode() + b"\0" for one in arguments)]
        table = self.allocate(8 * (len(texts) + 1))
        for number, text in enumerate(texts):
            place = self.allocate(len(text))
            self._place(place)[0].data[:] = text
            self._put(table + 8 * number, "ptr", place)
        function = self.module.functions["main"]
        given = [(len(texts), 0), (table, 0)][: len(function.parameters)]
        self.call("main", given)


def _join(levels: list[Any]) -> Any:
    if isinstance(levels[0], list):
        return [_join(list(lane)) for lane in zip(*levels, strict=True)]
    return max(levels)


def _rounded(value: float, type_: str) -> float:
    return struct.unpack("f", struct.pack("f", value))[0] if type_ == "float" else value


def _float(opcode: str, a: float, b: float) -> float:
    if opcode == "fadd":
        return a + b
    if opcode == "fsub":
        return a - b
    if opcode == "fmul":
        return a * b
    if opcode == "frem":
        return math.fmod(a, b)
    return a / b if b else math.copysign(math.inf, a) if a else math.nan


def _fcmp(predicate: str, a: float, b: float) -> int:
    unordered = a != a or b != b
    if predicate in ("ord", "uno"):
        return int(unordered == (predicate == "uno"))
    if unordered:
        return int(predicate.startswith("u"))
    return int({"eq": a == b, "ne": a != b, "gt": a > b, "ge": a >= b, "lt": a < b, "le": a <= b}[predicate[-2:]])
