"""Loop-carried register values: inductions, reductions, recurrences; and updates of memory (a += …)."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from foretell.core.facets.trace import Chain
from foretell.frontends.trace.instrument import library
from foretell.frontends.trace.instrument.critical_path import longest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from foretell.core.llvm.syntax import Instruction
    from foretell.frontends.trace.cfg import Flow, Loop

#: instruction -> operator of a reduction; subtraction only from the accumulator
_OPERATORS = {
    "fadd": "+",
    "fsub": "+",
    "add": "+",
    "sub": "+",
    "fmul": "*",
    "mul": "*",
    "and": "&",
    "or": "|",
    "xor": "^",
}
#: step instructions of an induction: a closed form gives the value of every iteration
_STEPS = frozenset({"add", "sub", "mul", "shl", "lshr", "ashr", "getelementptr", "udiv", "sdiv"})
_SIGN_FREE = frozenset({"trunc", "zext", "sext", "freeze"})


@dataclass(slots=True)
class Carried:
    """The loop-carried register values of one loop."""

    recurrence: Instruction | None = None  #: a phi that makes the loop sequential
    reductions: list[Instruction] = field(default_factory=list)
    members: set[str] = field(default_factory=set)  #: accumulators of floating-point sums and products
    scan: bool = False  #: every recurrence is a prefix sum or product whose partial results are used
    chain: Chain = field(default_factory=Chain)  #: of an innermost loop, through registers
    memory_chain: Chain = field(default_factory=Chain)  #: of an innermost loop, from a load to a store


@dataclass(slots=True)
class Scalars:
    """The results for a function: one per loop, by index; and the loads and stores that update memory."""

    loops: list[Carried]
    updates: set[int]  #: id() of loads and stores


class Uses:
    """Def-use chains of a function."""

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.definition: dict[str, Instruction] = {}
        self.block: dict[int, str] = {}
        self.users: dict[str, list[Instruction]] = defaultdict(list)
        for label, block in flow.blocks.items():
            for instruction in block.instructions:
                self.block[id(instruction)] = label
                if instruction.result:
                    self.definition[instruction.result] = instruction
                for name in dict.fromkeys(operand.text for operand in instruction.operands if operand.is_local):
                    self.users[name].append(instruction)

    def inside(self, instruction: Instruction, loop: Loop) -> bool:
        """Whether a loop contains an instruction."""
        return self.block[id(instruction)] in loop.blocks

    def users_inside(self, name: str, loop: Loop) -> Iterator[Instruction]:
        """The users of a value inside a loop."""
        return (one for one in self.users[name] if self.inside(one, loop))

    def invariant(self, name: str, loop: Loop) -> bool:
        """Whether a value is loop-invariant."""
        defined = self.definition.get(name)
        return not name.startswith("%") or defined is None or not self.inside(defined, loop)


def scalars(flow: Flow) -> Scalars:
    """The loop-carried register values of a function's loops."""
    uses = Uses(flow)
    found = [_carried(loop, uses) for loop in flow.loops]
    return Scalars(found, _updates(uses))


def _carried(loop: Loop, uses: Uses) -> Carried:
    carried = Carried()
    carrying: dict[str, list[str]] = {}  # phi -> its values from the previous iteration
    scans = []
    for phi in uses.flow.blocks[loop.header].phis:
        back = _back(phi, loop)
        if _induction(phi, back, loop, uses):
            continue
        reached = _reached(phi.result, loop, uses)
        if not any(name in reached for name in back):
            if any(_stored(name, loop, uses) for name in back):
                carried.recurrence = carried.recurrence or phi  # a store that the compiler forwards to a later load
            continue
        carrying[phi.result] = back
        members = _reduction(phi, reached, loop, uses)
        if members is None:
            carried.recurrence = phi
            steps = _scan(phi, back, reached, loop, uses)
            scans.append(bool(steps))
            carried.members |= steps
        else:
            carried.reductions.append(phi)
            if phi.type in ("double", "float"):
                carried.members |= members
    carried.scan = bool(scans) and all(scans)
    if not any(other.parent is loop for other in uses.flow.loops):
        _chains(carried, carrying, loop, uses)
    return carried


def _back(phi: Instruction, loop: Loop) -> list[str]:
    """The value of a loop-header phi from the previous iteration."""
    pairs = zip(phi.operands, phi.labels, strict=True)
    return [operand.text for operand, label in pairs if label in loop.blocks]


def _chains(carried: Carried, carrying: dict[str, list[str]], loop: Loop, uses: Uses) -> None:
    ends = [name for back in carrying.values() for name in back]
    carried.chain = longest(ends, frozenset(carrying), loop, uses)
    inside = [instruction for label in loop.blocks for instruction in uses.flow.blocks[label].instructions]
    loads = frozenset(instruction.result for instruction in inside if instruction.opcode == "load")
    stored = [instruction.operands[0].text for instruction in inside if instruction.opcode == "store"]
    through = longest(stored, loads, loop, uses)
    carried.memory_chain = Chain(through.operations, through.integer, through.load + 1)


def _scan(phi: Instruction, back: list[str], reached: set[str], loop: Loop, uses: Uses) -> set[str]:
    """The accumulators of a prefix sum or product: used elsewhere, but only the next step continues the recurrence."""
    members, operators = {phi.result}, set()
    stack = list(back) if phi.type in ("double", "float") else []
    while stack:
        name = stack.pop()
        step = uses.definition.get(name)
        running = [one.text for one in step.operands if one.text in reached] if step else []
        operator = _operator(step, running[0]) if step and len(running) == 1 else None
        if not operator or step is None or step.opcode in ("phi", "select"):
            return set()
        operators.add(operator)
        members.add(name)
        if running[0] not in members:
            stack.append(running[0])
    return members if operators and len(operators) == 1 else set()


def _induction(phi: Instruction, back: list[str], loop: Loop, uses: Uses) -> bool:
    """Whether a phi is an induction variable: its next value is one step with loop-invariant operands."""
    return all(_steps_from(name, phi.result, loop, uses) for name in back)


def _steps_from(name: str, start: str, loop: Loop, uses: Uses) -> bool:
    steps = 0
    while name != start:
        defined = uses.definition.get(name)
        if defined is None or not uses.inside(defined, loop):
            return False
        varying = [operand.text for operand in defined.operands if not uses.invariant(operand.text, loop)]
        if len(varying) != 1 or defined.opcode not in _STEPS | _SIGN_FREE:
            return False
        steps += defined.opcode in _STEPS
        name = varying[0]
        if steps > 8:
            return False
    return True


def _reached(start: str, loop: Loop, uses: Uses) -> set[str]:
    """All values of the loop that depend on a value within one iteration."""
    reached, stack = {start}, [start]
    while stack:
        for user in uses.users_inside(stack.pop(), loop):
            at_header = user.opcode == "phi" and uses.block[id(user)] == loop.header
            if user.result and user.result not in reached and not at_header:
                reached.add(user.result)
                stack.append(user.result)
    return reached


def _stored(name: str, loop: Loop, uses: Uses) -> bool:
    return any(user.opcode == "store" and user.operands[0].text == name for user in uses.users_inside(name, loop))


def _reduction(phi: Instruction, reached: set[str], loop: Loop, uses: Uses) -> set[str] | None:
    """The accumulators of a reduction, if every use of one in the loop is a step with the same operator."""
    members = {phi.result}
    operators: set[str] = set()
    stack = [phi.result]
    while stack:
        name = stack.pop()
        for user in uses.users_inside(name, loop):
            if _is_choice(user, name, uses):  # select of a minimum or maximum
                operators.add("<")
                continue
            operator = _operator(user, name)
            if operator is None or _joins_itself(user, name, reached):
                return None
            operators.add(operator)
            if user.result not in members:
                members.add(user.result)
                stack.append(user.result)
    return members if len(operators - {""}) <= 1 else None


def _operator(user: Instruction, name: str) -> str | None:
    """The operator by which an instruction continues an accumulator; '' for a move."""
    if user.opcode == "phi":
        return ""
    if user.opcode == "select":
        return "" if user.operands[0].text != name else None
    if user.opcode in ("sub", "fsub") and user.operands[0].text != name:
        return None
    if user.opcode in _OPERATORS:
        return _OPERATORS[user.opcode]
    if user.opcode == "call":
        kind = library.arithmetic(user.callee[1:])
        if kind == "fma" and user.operands[2].text == name:
            return "+"
        if kind == "compare" or user.callee.startswith(("@llvm.smax", "@llvm.smin", "@llvm.umax", "@llvm.umin")):
            return "<"
    return None


def _joins_itself(user: Instruction, name: str, reached: set[str]) -> bool:
    """Whether the other operand of a step depends on the accumulator, too."""
    if user.opcode in ("phi", "select"):
        return False
    others = [operand.text for operand in user.operands]
    others.remove(name)
    return any(text in reached for text in others)


def _is_choice(user: Instruction, name: str, uses: Uses) -> bool:
    """Whether a comparison only selects one of its two operands."""
    if user.opcode not in ("fcmp", "icmp"):
        return False
    pair = {operand.text for operand in user.operands}
    choices = uses.users[user.result]
    return bool(choices) and all(
        one.opcode == "select" and {operand.text for operand in one.operands[1:]} == pair for one in choices
    )


def _updates(uses: Uses) -> set[int]:
    """Load and store pairs of one address connected by one operator: a[i] += x."""
    updates: dict[str, list[tuple[str, int, int]]] = defaultdict(list)
    for load in uses.definition.values():
        if load.opcode != "load" or load.type == "ptr":
            continue
        operator, store = _update_store(load, uses)
        if store is not None:
            updates[load.operands[0].text].append((operator, id(load), id(store)))
    result = set()
    for entries in updates.values():
        if len({operator for operator, _, _ in entries}) == 1:
            result |= {number for _, *pair in entries for number in pair}
    return result


def _update_store(load: Instruction, uses: Uses) -> tuple[str, Instruction | None]:
    name, operator = load.result, ""
    for _ in range(64):
        users = uses.users[name]
        if len(users) != 1:
            return "", None
        user = users[0]
        if user.opcode == "store":
            same = user.operands[1].text == load.operands[0].text and user.operands[0].text == name
            return operator, user if same and operator else None
        step = _operator(user, name)
        if not step or (operator and step != operator) or uses.block[id(user)] != uses.block[id(load)]:
            return "", None
        operator, name = step, user.result
    return "", None
