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


def _operation(one: Instruction) -> Operation:
    address = one.operands[-1].text if one.opcode in ("load", "store") else ""
    return Operation(one.result, one.opcode, one.names, _kind(one), address)


def _kind(one: Instruction) -> str:
    match one.opcode:
        case "load" | "store":
            return "scratchpad"
        case "br" | "switch":
            return "branch"
        case "fdiv" | "frem" | "sdiv" | "udiv" | "srem" | "urem":
            return "divsqrt"
        case "call":
            return _called(one.callee)
        case "select":
            return "floating" if one.type in ("float", "double") else "fixed"
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
            own = sum(_WEIGHT[_kind(one)] for one in function.blocks[label])
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
        for place, label in enumerate(path):
            for one in function.blocks[label]:
                self._take(one, label, path[place - 1] if place else "", inside)

    def _take(self, one: Instruction, label: str, before: str, inside: frozenset[str]) -> None:
        if one.opcode != "phi":
            self.order.append(_operation(one))
            if one.result:
                self.made[one.result], self.values[one.result] = one, self.order[-1]
            return
        pairs = {block: value.text for value, block in zip(one.operands, one.labels, strict=True)}
        if label == self.head:
            self.carried[one.result] = next((v for b, v in pairs.items() if b in inside), "")
        elif before in pairs and pairs[before].startswith("%"):
            self.alias[one.result] = pairs[before]

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
        kept = [one for one in self.order if id(one) in live and one.kind != "free"]
        result.instructions = _fused([self._cleaned(one, result) for one in kept])
        return result

    def _cleaned(self, one: Operation, result: Iteration) -> Operation:
        return replace(one, operands=tuple(self._through(value) for value in self._needed(one, result)))

    def _through(self, value: str) -> str:
        """The value that is really waited for, behind conversions that cost nothing."""
        value = self.resolved(value)
        one = self.values.get(value)
        while one is not None and one.kind == "free" and one.operands:
            value = self.resolved(one.operands[-1])
            one = self.values.get(value)
        return value

    def _step(self, phi: str, back: str) -> int | None:
        one = self.made.get(self.resolved(back))
        if one is None or one.opcode != "add" or one.operands[0].text != phi:
            return None
        return _integer(one.operands[1].text)

    def _invariant(self, value: str) -> bool:
        value = self.resolved(value)
        if value in self.steps or value in self.carried:
            return False
        one = self.values.get(value)
        if one is None:
            return True  # an argument, a constant, or defined in an outer or inner loop
        return one.opcode not in ("load", "call") and all(self._invariant(v) for v in one.operands)

    def _live(self, result: Iteration) -> set[int]:
        """Live instructions: those with an effect, and those that they need."""
        stored = {self._root(one.address) for one in self.order if one.opcode == "store"}
        live: set[int] = set()
        pending = [one for one in self.order if one.opcode in ("store", "call") or self._decides(one)]
        pending += [self.values[v] for v in result.carried.values() if v in self.values]
        while pending:
            one = pending.pop()
            if id(one) in live:
                continue
            if one.opcode == "load" and self._root(one.address) not in stored and self._invariant(one.address):
                continue  # loop-invariant load
            if one.opcode != "load" and one.name and self._invariant(one.name):
                continue
            live.add(id(one))
            for value in self._needed(one, result):
                found = self.values.get(self.resolved(value))
                if found is not None:
                    pending.append(found)
        return live

    def _decides(self, one: Operation) -> bool:
        """Whether it is a branch inside the iteration; that of the loop itself is counted with the induction
        variable."""
        if one.opcode not in ("br", "switch") or not one.operands:
            return False
        condition = self.values.get(self.resolved(one.operands[0]))
        return condition is None or not self._counter(condition)

    def _counter(self, condition: Operation) -> bool:
        return condition.opcode == "icmp" and any(self.resolved(v) in self.steps for v in condition.operands)

    def _needed(self, one: Operation, result: Iteration) -> tuple[str, ...]:
        """Operands that are waited for: none for an address with a constant stride."""
        if one.opcode not in ("load", "store"):
            return one.operands
        result.arrays[one.address] = self._root(one.address)
        linear = self._linear(one.address)
        if linear is None:
            return one.operands
        terms, displacement = linear
        result.addresses[one.address] = (frozenset(terms.items()), displacement)
        return one.operands[:-1]

    def _root(self, address: str) -> str:
        one = self.values.get(self.resolved(address))
        while one is not None and one.opcode == "getelementptr":
            address = one.operands[0]
            one = self.values.get(self.resolved(address))
        return self.resolved(address)

    def _linear(self, value: str) -> _Linear | None:
        """A value as a linear combination of induction variables and loop-invariant values; None if it is none."""
        value = self.resolved(value)
        one = self.made.get(value)
        if value in self.steps or one is None or self._invariant(value):
            return None if value in self.carried and value not in self.steps else ({value: 1}, 0)
        match one.opcode:
            case "getelementptr":
                return self._sum(one, _BYTES.get(one.extra, 1))
            case "add" | "sub" | "or":
                return self._sum(one, -1 if one.opcode == "sub" else 1)
            case "sext" | "zext" | "trunc":
                return self._linear(one.names[0])
            case "mul" | "shl":
                return self._scaled(one)
        return None

    def _sum(self, one: Instruction, factor: int) -> _Linear | None:
        return _added(self._term(one.operands[0].text), self._term(one.operands[-1].text), factor)

    def _scaled(self, one: Instruction) -> _Linear | None:
        factor = _integer(one.operands[1].text)
        if factor is None or factor < 0:
            return None
        return _added(({}, 0), self._term(one.operands[0].text), factor if one.opcode == "mul" else 1 << factor)

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
    for one in instructions:
        for value in one.operands:
            uses[value] = uses.get(value, 0) + 1
    products = {one.name: one for one in instructions if one.opcode == "fmul" and uses.get(one.name) == 1}
    gone: set[str] = set()
    result = []
    for one in instructions:
        product = next((v for v in one.operands if v in products), None) if one.opcode in ("fadd", "fsub") else None
        if product is not None:
            gone.add(product)
            others = [v for v in one.operands if v != product]
            one = Operation(one.name, "fma", (*products[product].operands, *others), "floating")
        result.append(one)
    return [one for one in result if one.name not in gone]
