"""Extracts the code of one loop iteration from LLVM IR: instructions along the most expensive path.

Loop-invariant code is left out; addresses with a constant stride are pointers (strength reduction), which cost one
addition a pass each; a product that is only added is fused.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from foretell.core.control_flow import natural_loops
from foretell.core.llvm.module import Module

if TYPE_CHECKING:
    from foretell.core.llvm.syntax import Instruction

_FLOATING = frozenset(
    ["fadd", "fsub", "fmul", "fneg", "fcmp", "fptosi", "fptoui", "sitofp", "uitofp", "fpext", "fptrunc"]
)
_FREE = frozenset({"trunc", "zext", "bitcast", "ptrtoint", "inttoptr", "freeze", "ret", "getelementptr"})
_SIMPLE_CALLS = frozenset(
    ["fabs", "minnum", "maxnum", "minimum", "maximum", "fma", "fmuladd", "copysign", "floor", "ceil", "trunc",
     "round", "rint"]
)  # fmt: skip
#: floating-point instructions of a library function (exp, sin, pow …): range reduction, a polynomial, reconstruction
CALL_INSTRUCTIONS = 25
_BYTES = {"double": 8, "float": 4, "i64": 8, "i32": 4, "i16": 2, "i8": 1}

#: a linear combination of values, and a constant
_Linear = tuple[dict[str, int], int]


@dataclass(frozen=True, slots=True)
class Operation:
    """An instruction of an iteration: its result, and its operands. `kind` is floating, fixed, scratchpad, divsqrt,
    branch, call or free; `address` is the pointer of a load or store."""

    name: str
    opcode: str
    operands: tuple[str, ...]
    kind: str
    address: str = ""


def _operation(instruction: Instruction) -> Operation:
    address = instruction.operands[-1].text if instruction.opcode in ("load", "store") else ""
    return Operation(instruction.result, instruction.opcode, instruction.names, _kind(instruction), address)


def _kind(instruction: Instruction) -> str:
    match instruction.opcode:
        case "load" | "store":
            return "scratchpad"
        case "br" | "switch":
            return "branch"
        case "fdiv" | "frem" | "sdiv" | "udiv" | "srem" | "urem":
            return "divsqrt"
        case "call":
            return _called(instruction.callee)
        case "select":
            return "floating" if instruction.type in ("float", "double") else "fixed"
        case opcode if opcode in _FLOATING:
            return "floating"
        case opcode if opcode in _FREE:
            return "free"
    return "fixed"


def _called(callee: str) -> str:
    name = callee.strip('@"').removeprefix("llvm.").split(".")[0]
    if name.removesuffix("f") == "sqrt":
        return "divsqrt"
    if name in _SIMPLE_CALLS or name.removesuffix("f") in ("fabs", "fmin", "fmax"):
        return "floating"
    return "fixed" if name in ("abs", "smax", "smin", "umax", "umin") else "call"


class Function:
    """The blocks of a function by label, in order, and the blocks of each natural loop by the label of its header."""

    def __init__(self, text: str) -> None:
        first = next(iter(Module(text).functions.values()))
        self.blocks = {block.label: block.instructions for block in first.blocks}
        self.following = {block.label: block.terminator.labels for block in first.blocks}
        loops = natural_loops(self.following, first.blocks[0].label).loops
        self.loops = {loop.header: frozenset(loop.blocks) for loop in loops}

    def loop(self, head: str) -> frozenset[str]:
        """The blocks of the loop with this header."""
        return self.loops.get(head, frozenset([head] if head in self.blocks else []))


@dataclass
class Iteration:
    """One iteration of a loop: executed instructions, loop-carried values, and the number of moving pointers."""

    instructions: list[Operation] = field(default_factory=list)
    carried: dict[str, str] = field(default_factory=dict)
    #: address of a load or store → (stream, displacement); absent if it has to be computed
    addresses: dict[str, tuple[object, int]] = field(default_factory=dict)
    #: address of a load or store → its array
    arrays: dict[str, str] = field(default_factory=dict)

    @property
    def pointers(self) -> int:
        return len({stream for stream, _ in self.addresses.values()})


def iteration(function: Function, depth: int) -> Iteration:
    """The code of the loop at a depth, without the loops inside it."""
    head = f"for{depth}.head"
    inside = function.loop(head)
    inner_head = f"for{depth + 1}.head"
    inner = function.loop(inner_head) if inner_head in inside else frozenset()
    path = _dearest(function, head, inside, inner, inner_head)
    return _Reader(function, head, path, inside).read()


def _dearest(
    function: Function, head: str, inside: frozenset[str], inner: frozenset[str], inner_head: str
) -> list[str]:
    """The most expensive path from the header back to it; inner loops are skipped."""
    memo: dict[str, tuple[float, list[str]]] = {}

    def after(label: str) -> list[str]:
        targets = function.following[label]
        leaving = [t for b in inner for t in function.following[b] if t not in inner]
        return [t for target in targets for t in (leaving if target == inner_head else [target])]

    def cost(label: str) -> tuple[float, list[str]]:
        if label not in memo:
            memo[label] = (0.0, [label])
            rest = [cost(t) for t in after(label) if t in inside and t != head and t not in inner]
            best = max(rest, key=lambda found: found[0], default=(0.0, []))
            own = sum(_WEIGHT[_kind(instruction)] for instruction in function.blocks[label])
            memo[label] = (own + best[0], [label, *best[1]])
        return memo[label]

    return cost(head)[1]


#: rough stall cycles of each kind of instruction, only to compare paths
_WEIGHT = {"floating": 9.0, "fixed": 1.0, "scratchpad": 3.0, "divsqrt": 34.0, "branch": 1.0, "call": 200.0, "free": 0.0}


class _Reader:
    """Tracks values through one iteration."""

    def __init__(self, function: Function, head: str, path: list[str], inside: frozenset[str]) -> None:
        self.head = head
        self.path = path
        self.made: dict[str, Instruction] = {}
        self.values: dict[str, Operation] = {}
        self.alias: dict[str, str] = {}
        self.order: list[Operation] = []
        self.carried: dict[str, str] = {}
        self.steps: dict[str, int] = {}
        for position, label in enumerate(path):
            for instruction in function.blocks[label]:
                self._take(instruction, label, path[position - 1] if position else "", inside)

    def _take(self, instruction: Instruction, label: str, before: str, inside: frozenset[str]) -> None:
        if instruction.opcode != "phi":
            self.order.append(_operation(instruction))
            if instruction.result:
                self.made[instruction.result], self.values[instruction.result] = instruction, self.order[-1]
            return
        pairs = {block: value.text for value, block in zip(instruction.operands, instruction.labels, strict=True)}
        if label == self.head:
            self.carried[instruction.result] = next((v for b, v in pairs.items() if b in inside), "")
        elif before in pairs and pairs[before].startswith("%"):
            self.alias[instruction.result] = pairs[before]

    def resolved(self, name: str) -> str:
        while name in self.alias:
            name = self.alias[name]
        return name

    def read(self) -> Iteration:
        result = Iteration()
        for phi, back in self.carried.items():
            step = self._step(phi, back)
            if step is not None:
                self.steps[phi] = step
        result.carried = {
            phi: self.resolved(back)
            for phi, back in self.carried.items()
            if phi not in self.steps and back.startswith("%")
        }
        live = self._live(result)
        kept = [instruction for instruction in self.order if id(instruction) in live and instruction.kind != "free"]
        result.instructions = _fused([self._cleaned(instruction, result) for instruction in kept])
        return result

    def _cleaned(self, operation: Operation, result: Iteration) -> Operation:
        return replace(operation, operands=tuple(self._through(value) for value in self._needed(operation, result)))

    def _through(self, value: str) -> str:
        """The value that is really waited for, behind conversions that cost nothing."""
        value = self.resolved(value)
        operation = self.values.get(value)
        while operation is not None and operation.kind == "free" and operation.operands:
            value = self.resolved(operation.operands[-1])
            operation = self.values.get(value)
        return value

    def _step(self, phi: str, back: str) -> int | None:
        instruction = self.made.get(self.resolved(back))
        if instruction is None or instruction.opcode != "add" or instruction.operands[0].text != phi:
            return None
        return _integer(instruction.operands[1].text)

    def _invariant(self, value: str) -> bool:
        value = self.resolved(value)
        if value in self.steps or value in self.carried:
            return False
        operation = self.values.get(value)
        if operation is None:
            return True  # an argument, a constant, or defined in an outer or inner loop
        return operation.opcode not in ("load", "call") and all(self._invariant(v) for v in operation.operands)

    def _live(self, result: Iteration) -> set[int]:
        """Live instructions: those with an effect, and those that they need."""
        stored = {self._root(operation.address) for operation in self.order if operation.opcode == "store"}
        live: set[int] = set()
        pending = [
            operation for operation in self.order if operation.opcode in ("store", "call") or self._decides(operation)
        ]
        pending += [self.values[v] for v in result.carried.values() if v in self.values]
        while pending:
            operation = pending.pop()
            if id(operation) in live:
                continue
            if (
                operation.opcode == "load"
                and self._root(operation.address) not in stored
                and self._invariant(operation.address)
            ):
                continue  # loop-invariant load
            if operation.opcode != "load" and operation.name and self._invariant(operation.name):
                continue
            live.add(id(operation))
            for value in self._needed(operation, result):
                source = self.values.get(self.resolved(value))
                if source is not None:
                    pending.append(source)
        return live

    def _decides(self, operation: Operation) -> bool:
        """Whether it is a branch inside the iteration; that of the loop itself is counted with the induction
        variable."""
        if operation.opcode not in ("br", "switch") or not operation.operands:
            return False
        condition = self.values.get(self.resolved(operation.operands[0]))
        return condition is None or not self._counter(condition)

    def _counter(self, condition: Operation) -> bool:
        return condition.opcode == "icmp" and any(self.resolved(v) in self.steps for v in condition.operands)

    def _needed(self, operation: Operation, result: Iteration) -> tuple[str, ...]:
        """Operands that are waited for: none for an address with a constant stride."""
        if operation.opcode not in ("load", "store"):
            return operation.operands
        result.arrays[operation.address] = self._root(operation.address)
        linear = self._linear(operation.address)
        if linear is None:
            return operation.operands
        terms, displacement = linear
        result.addresses[operation.address] = (frozenset(terms.items()), displacement)
        return operation.operands[:-1]

    def _root(self, address: str) -> str:
        operation = self.values.get(self.resolved(address))
        while operation is not None and operation.opcode == "getelementptr":
            address = operation.operands[0]
            operation = self.values.get(self.resolved(address))
        return self.resolved(address)

    def _linear(self, value: str) -> _Linear | None:
        """A value as a linear combination of induction variables and loop-invariant values; None if it is none."""
        value = self.resolved(value)
        instruction = self.made.get(value)
        if value in self.steps or instruction is None or self._invariant(value):
            return None if value in self.carried and value not in self.steps else ({value: 1}, 0)
        match instruction.opcode:
            case "getelementptr":
                return self._sum(instruction, _BYTES.get(instruction.extra, 1))
            case "add" | "sub" | "or":
                return self._sum(instruction, -1 if instruction.opcode == "sub" else 1)
            case "sext" | "zext" | "trunc":
                return self._linear(instruction.names[0])
            case "mul" | "shl":
                return self._scaled(instruction)
        return None

    def _sum(self, instruction: Instruction, factor: int) -> _Linear | None:
        return _added(self._term(instruction.operands[0].text), self._term(instruction.operands[-1].text), factor)

    def _scaled(self, instruction: Instruction) -> _Linear | None:
        factor = _integer(instruction.operands[1].text)
        if factor is None or factor < 0:
            return None
        return _added(
            ({}, 0), self._term(instruction.operands[0].text), factor if instruction.opcode == "mul" else 1 << factor
        )

    def _term(self, text: str) -> _Linear | None:
        number = _integer(text)
        if number is not None:
            return {}, number
        return self._linear(text) if text.startswith("%") else None


def _integer(text: str) -> int | None:
    return int(text) if text.removeprefix("-").isdigit() else None


def _added(left: _Linear | None, right: _Linear | None, factor: int) -> _Linear | None:
    if left is None or right is None:
        return None
    terms = dict(left[0])
    for name, count in right[0].items():
        terms[name] = terms.get(name, 0) + factor * count
    return terms, left[1] + factor * right[1]


def _fused(instructions: list[Operation]) -> list[Operation]:
    """Fuses products into the addition that is their only use."""
    uses: dict[str, int] = {}
    for operation in instructions:
        for value in operation.operands:
            uses[value] = uses.get(value, 0) + 1
    products = {
        operation.name: operation
        for operation in instructions
        if operation.opcode == "fmul" and uses.get(operation.name) == 1
    }
    gone: set[str] = set()
    result = []
    for operation in instructions:
        product = (
            next((v for v in operation.operands if v in products), None)
            if operation.opcode in ("fadd", "fsub")
            else None
        )
        if product is not None:
            gone.add(product)
            others = [v for v in operation.operands if v != product]
            operation = Operation(operation.name, "fma", (*products[product].operands, *others), "floating")
        result.append(operation)
    return [operation for operation in result if operation.name not in gone]
