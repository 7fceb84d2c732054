"""The code of one loop iteration: instructions along the dearest path, read from LLVM IR.

What a compiler moves out of a loop is left out; addresses that move by a fixed step are pointers, which cost one
addition a pass each; a product that is only added is fused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property

_VALUE = re.compile(r'%(?:"[^"]+"|[\w.]+)')
_LABEL = re.compile(r"^([\w.]+):", re.MULTILINE)
_PHI = re.compile(r"\[ ([^,]+), %([\w.]+) \]")
_CONSTANT_STEP = re.compile(r"add .*?(%[\w.]+), (-?\d+)$")
_FLOATING = frozenset(
    {
        "fadd",
        "fsub",
        "fmul",
        "fneg",
        "fcmp",
        "fptosi",
        "fptoui",
        "sitofp",
        "uitofp",
        "fpext",
        "fptrunc",
        "fma",
    }
)
_FREE = frozenset({"trunc", "zext", "bitcast", "ptrtoint", "inttoptr", "freeze", "ret", "getelementptr"})
_SIMPLE_CALLS = frozenset(
    {
        "fabs",
        "minnum",
        "maxnum",
        "minimum",
        "maximum",
        "fma",
        "fmuladd",
        "copysign",
        "floor",
        "ceil",
        "trunc",
        "round",
        "rint",
    }
)
#: floating-point instructions of a library function (exp, sin, pow …): range reduction, a polynomial, reconstruction
CALL_INSTRUCTIONS = 25


@dataclass(frozen=True, slots=True)
class Instruction:
    """One line of IR. `kind` is floating, fixed, scratchpad, divsqrt, branch, call or free; `address` is the pointer of
    a load or store."""

    name: str
    opcode: str
    operands: tuple[str, ...]
    text: str
    address: str = ""

    @property
    def kind(self) -> str:
        return _kind(self)


def _kind(one: Instruction) -> str:
    match one.opcode:
        case "load" | "store":
            return "scratchpad"
        case "br" | "switch":
            return "branch"
        case "fdiv" | "frem" | "sdiv" | "udiv" | "srem" | "urem":
            return "divsqrt"
        case "call":
            return _called(one.text)
        case "select":
            return "floating" if re.search(r", (float|double) ", one.text) else "fixed"
        case opcode if opcode in _FLOATING:
            return "floating"
        case opcode if opcode in _FREE:
            return "free"
    return "fixed"


def _called(text: str) -> str:
    found = re.search(r'@"?(?:llvm\.)?(\w+)', text)
    name = found[1] if found else ""
    if name.removesuffix("f") == "sqrt":
        return "divsqrt"
    if name in _SIMPLE_CALLS or name.removesuffix("f") in ("fabs", "fmin", "fmax"):
        return "floating"
    return "fixed" if name in ("abs", "smax", "smin", "umax", "umin") else "call"


@dataclass(frozen=True)
class Function:
    """The blocks of a function by label, in order."""

    blocks: dict[str, tuple[Instruction, ...]]

    @cached_property
    def following(self) -> dict[str, tuple[str, ...]]:
        return {
            label: tuple(re.findall(r"label %([\w.]+)", block[-1].text)) if block else ()
            for label, block in self.blocks.items()
        }

    def loop(self, head: str) -> frozenset[str]:
        """The blocks of the loop with this head."""
        if head not in self.blocks:
            return frozenset()
        around = self._reachable_without(head)
        before: dict[str, list[str]] = {}
        for label, targets in self.following.items():
            for target in targets:
                before.setdefault(target, []).append(label)
        inside, pending = {head}, [label for label in before.get(head, ()) if label not in around]
        while pending:
            label = pending.pop()
            if label not in inside:
                inside.add(label)
                pending += before.get(label, ())
        return frozenset(inside)

    def _reachable_without(self, head: str) -> set[str]:
        """Blocks that can be reached around a block: all others are dominated by it."""
        found: set[str] = set()
        pending = [next(iter(self.blocks))]
        while pending:
            label = pending.pop()
            if label not in found and label != head:
                found.add(label)
                pending += self.following[label]
        return found


def parse(text: str) -> Function:
    """The first function of a module."""
    body = text[text.index("{\n", text.index("define ")) + 2 :]
    body = body[: body.index("\n}")]
    blocks = {}
    parts = _LABEL.split("\n" + body)
    for label, lines in zip(parts[1::2], parts[2::2], strict=True):
        blocks[label] = tuple(_instruction(line) for line in lines.splitlines() if line.startswith("  "))
    return Function(blocks)


def _instruction(line: str) -> Instruction:
    line = re.sub(r"(, ![\w.]+ !\d+)+$", "", line.strip())
    name, _, rest = line.partition(" = ") if re.match(r"%\S+ = |%\"[^\"]+\" = ", line) else ("", "", line)
    words = rest.split()
    opcode = "call" if words[0] in ("tail", "musttail", "notail") else words[0]
    shown = re.sub(r"label %[\w.]+", "", rest) if opcode in ("br", "switch") else rest
    operands = tuple(_VALUE.findall(shown))
    return Instruction(name, opcode, operands, rest, operands[-1] if opcode in ("load", "store") else "")


@dataclass
class Iteration:
    """One iteration of a loop: what is executed, what is carried to the next, and how many pointers move."""

    instructions: list[Instruction] = field(default_factory=list)
    carried: dict[str, str] = field(default_factory=dict)
    #: address of a load or store → (stream, displacement); absent if it has to be computed
    addresses: dict[str, tuple[object, int]] = field(default_factory=dict)
    #: address of a load or store → the array it is in
    arrays: dict[str, str] = field(default_factory=dict)

    @property
    def pointers(self) -> int:
        return len({stream for stream, _ in self.addresses.values()})


def iteration(function: Function, depth: int) -> Iteration:
    """The code of the loop at a depth that is not in a loop inside it."""
    head = f"for{depth}.head"
    inside = function.loop(head)
    inner_head = f"for{depth + 1}.head"
    inner = function.loop(inner_head) if inner_head in inside else frozenset()
    path = _dearest(function, head, inside, inner, inner_head)
    return _Reader(function, head, path, inside).read()


def _dearest(
    function: Function, head: str, inside: frozenset[str], inner: frozenset[str], inner_head: str
) -> list[str]:
    """The path from the head back to it that costs most; an inner loop is passed over."""
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
            own = sum(_WEIGHT[one.kind] for one in function.blocks[label])
            memo[label] = (own + best[0], [label, *best[1]])
        return memo[label]

    return cost(head)[1]


#: only to compare paths: how long each kind of instruction keeps the next waiting, roughly
_WEIGHT = {
    "floating": 9.0,
    "fixed": 1.0,
    "scratchpad": 3.0,
    "divsqrt": 34.0,
    "branch": 1.0,
    "call": 200.0,
    "free": 0.0,
}


class _Reader:
    """Follows values through one iteration."""

    def __init__(self, function: Function, head: str, path: list[str], inside: frozenset[str]) -> None:
        self.head = head
        self.path = path
        self.values: dict[str, Instruction] = {}
        self.alias: dict[str, str] = {}
        self.order: list[Instruction] = []
        self.carried: dict[str, str] = {}
        self.steps: dict[str, int] = {}
        for place, label in enumerate(path):
            for one in function.blocks[label]:
                self._take(one, label, path[place - 1] if place else "", inside)

    def _take(self, one: Instruction, label: str, before: str, inside: frozenset[str]) -> None:
        if one.opcode != "phi":
            self.values[one.name or f"effect {len(self.order)}"] = one
            self.order.append(one)
            return
        pairs = {block: value for value, block in _PHI.findall(one.text)}
        if label == self.head:
            self.carried[one.name] = next((v for b, v in pairs.items() if b in inside), "")
        elif before in pairs and pairs[before].startswith("%"):
            self.alias[one.name] = pairs[before]

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

    def _cleaned(self, one: Instruction, result: Iteration) -> Instruction:
        operands = tuple(self._through(value) for value in self._needed(one, result))
        return Instruction(one.name, one.opcode, operands, one.text, one.address)

    def _through(self, value: str) -> str:
        """The value that is really waited for: conversions that cost nothing are looked through."""
        value = self.resolved(value)
        one = self.values.get(value)
        while one is not None and one.kind == "free" and one.operands:
            value = self.resolved(one.operands[-1])
            one = self.values.get(value)
        return value

    def _step(self, phi: str, back: str) -> int | None:
        one = self.values.get(self.resolved(back))
        found = _CONSTANT_STEP.search(one.text) if one is not None else None
        return int(found[2]) if found and found[1] == phi else None

    def _invariant(self, value: str) -> bool:
        value = self.resolved(value)
        if value in self.steps or value in self.carried:
            return False
        one = self.values.get(value)
        if one is None:
            return True  # an argument, a constant, or from a loop around or inside
        return one.opcode not in ("load", "call") and all(self._invariant(v) for v in one.operands)

    def _live(self, result: Iteration) -> set[int]:
        """Instructions that have an effect, or that something needs which has one."""
        stored = {self._root(one.address) for one in self.order if one.opcode == "store"}
        live: set[int] = set()
        pending = [one for one in self.order if one.opcode in ("store", "call") or self._decides(one)]
        pending += [self.values[v] for v in result.carried.values() if v in self.values]
        while pending:
            one = pending.pop()
            if id(one) in live:
                continue
            if (
                one.opcode == "load"
                and self._root(one.address) not in stored
                and self._invariant(one.address)
            ):
                continue  # loaded once, before the loop
            if one.opcode != "load" and one.name and self._invariant(one.name):
                continue
            live.add(id(one))
            for value in self._needed(one, result):
                found = self.values.get(self.resolved(value))
                if found is not None:
                    pending.append(found)
        return live

    def _decides(self, one: Instruction) -> bool:
        """Branches inside the iteration; the one of the loop itself is counted with the counter."""
        if one.opcode not in ("br", "switch") or not one.operands:
            return False
        condition = self.values.get(self.resolved(one.operands[0]))
        return condition is None or not self._counter(condition)

    def _counter(self, condition: Instruction) -> bool:
        return condition.opcode == "icmp" and any(self.resolved(v) in self.steps for v in condition.operands)

    def _needed(self, one: Instruction, result: Iteration) -> tuple[str, ...]:
        """Operands that are waited for: of an address that moves by a fixed step, none."""
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

    def _linear(self, value: str) -> tuple[dict[str, int], int] | None:
        """A sum of multiples of steps and of values that the loop does not change, and a constant; None if not."""
        value = self.resolved(value)
        one = self.values.get(value)
        if value in self.steps or one is None or self._invariant(value):
            return None if value in self.carried and value not in self.steps else ({value: 1}, 0)
        match one.opcode:
            case "getelementptr":
                return self._pointer(one)
            case "add" | "sub" | "or":
                return self._sum(one)
            case "sext" | "zext" | "trunc":
                return self._linear(one.operands[0])
            case "mul" | "shl":
                return self._scaled(one)
        return None

    def _pointer(self, one: Instruction) -> tuple[dict[str, int], int] | None:
        size = {"double": 8, "float": 4, "i64": 8, "i32": 4, "i16": 2, "i8": 1}
        kind = re.search(r"getelementptr(?: \w+)* (\w+), ptr", one.text)
        scale = size.get(kind[1], 1) if kind else 1
        return _added(self._linear(one.operands[0]), self._operand(one, 1), scale)

    def _sum(self, one: Instruction) -> tuple[dict[str, int], int] | None:
        return _added(self._operand(one, 0), self._operand(one, 1), -1 if one.opcode == "sub" else 1)

    def _scaled(self, one: Instruction) -> tuple[dict[str, int], int] | None:
        factor = re.search(r", (\d+)$", one.text)
        inner = self._operand(one, 0)
        if factor is None or inner is None:
            return None
        by = int(factor[1]) if one.opcode == "mul" else 1 << int(factor[1])
        return _added(({}, 0), inner, by)

    def _operand(self, one: Instruction, place: int) -> tuple[dict[str, int], int] | None:
        text = one.text.rsplit(",", 1)[1] if place else one.text.rsplit(",", 1)[0]
        word = text.split()[-1]
        if re.fullmatch(r"-?\d+", word):
            return {}, int(word)
        value = _VALUE.findall(text)
        return self._linear(value[-1]) if value else None


def _added(
    left: tuple[dict[str, int], int] | None, right: tuple[dict[str, int], int] | None, factor: int
) -> tuple[dict[str, int], int] | None:
    if left is None or right is None:
        return None
    terms = dict(left[0])
    for name, count in right[0].items():
        terms[name] = terms.get(name, 0) + factor * count
    return terms, left[1] + factor * right[1]


def _fused(instructions: list[Instruction]) -> list[Instruction]:
    """Products that one addition alone uses go into it."""
    uses: dict[str, int] = {}
    for one in instructions:
        for value in one.operands:
            uses[value] = uses.get(value, 0) + 1
    products = {one.name: one for one in instructions if one.opcode == "fmul" and uses.get(one.name) == 1}
    gone: set[str] = set()
    result = []
    for one in instructions:
        product = (
            next((v for v in one.operands if v in products), None) if one.opcode in ("fadd", "fsub") else None
        )
        if product is not None:
            gone.add(product)
            others = [v for v in one.operands if v != product]
            one = Instruction(one.name, "fma", (*products[product].operands, *others), one.text)
        result.append(one)
    return [one for one in result if one.name not in gone]
