"""Finds induction registers and addresses: the constant that one pass of a loop adds to each."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from foretell.codegen.assembly.instruction import Immediate, Memory, Register

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from foretell.codegen.assembly.instruction import Instruction


def advances(instructions: Sequence[Instruction]) -> dict[str, int | None]:
    """Constant that a pass adds to each register it writes; None where it is not a constant."""
    moved: dict[str, int | None] = {}
    for one in instructions:
        step = _step(one)
        for name in one.writes:
            old = moved.get(name, 0)
            mine = step if step is not None and step[0] == name else None
            moved[name] = old + mine[1] if mine is not None and old is not None else None
        if one.memory is not None and one.memory.moves_base is not None:
            base = one.memory.base
            moved[base] = (moved.get(base) or 0) + one.memory.moves_base
    return moved


def _step(one: Instruction) -> tuple[str, int] | None:
    """(register, constant) where the instruction adds a constant to a register."""
    if not one.operands or not isinstance(one.operands[0], Register):
        return None
    name = one.operands[0].name
    sources = one.operands[1:]
    match one.mnemonic:
        case "inc":
            return name, 1
        case "dec":
            return name, -1
        case "lea" if isinstance(sources[0], Memory):
            memory = sources[0]
            return (name, memory.displacement) if memory.base == name and not memory.index else None
        case "add" | "sub" | "adds" | "subs":
            constant = sources[-1]
            if not isinstance(constant, Immediate) or constant.value is None:
                return None
            if len(sources) == 2 and not (isinstance(sources[0], Register) and sources[0].name == name):
                return None
            return name, constant.value if one.mnemonic.startswith("add") else -constant.value
    return None


def moves_by_registers(instructions: Sequence[Instruction]) -> bool:
    """Whether an address moves in a pass by the value of a loop-invariant register."""
    written = {name for one in instructions for name in one.writes}
    moving = {
        one.operands[0].name
        for one in instructions
        if one.mnemonic in ("add", "sub", "lea", "adds", "subs") and isinstance(one.operands[0], Register)
        if one.operands[0].name in one.reads and _added(one) - {one.operands[0].name} - written
    }
    return any(one.memory is not None and {one.memory.base, one.memory.index} & moving for one in instructions)


def _added(one: Instruction) -> set[str]:
    """Registers that an instruction adds to its destination."""
    sources = one.operands[1:]
    named = {operand.name for operand in sources if isinstance(operand, Register)}
    return named.union(*({o.base, o.index} - {""} for o in sources if isinstance(o, Memory)))


def _movements(instructions: Sequence[Instruction]) -> dict[str, int | None]:
    """Constant that a pass adds to each register; a register set in every pass to a sum of others moves as they do."""
    moved = advances(instructions)
    sums: dict[str, set[int | None]] = {}
    for one in instructions:
        for name in one.writes:
            sums.setdefault(name, set()).add(_sum_of(one, name, moved))
    for name, found in sums.items():
        if moved.get(name) is None and len(found) == 1:
            moved[name] = found.pop()
    return moved


def _sum_of(one: Instruction, name: str, moved: dict[str, int | None]) -> int | None:
    """Change per pass of a register that an instruction sets to a sum of other registers; None for anything else."""
    sources = one.operands[1:]
    if one.mnemonic == "lea" and isinstance(sources[0], Memory) and name not in one.reads:
        return address_step(sources[0], moved)
    if one.mnemonic != "add" or len(sources) != 2 or name in one.reads:
        return None
    steps = [moved.get(source.name, 0) for source in sources if isinstance(source, Register)]
    return None if None in steps or len(steps) != 2 else sum(step or 0 for step in steps)


def address_step(memory: Memory, moved: dict[str, int | None]) -> int | None:
    """Byte stride of an address per pass; None where it is not a constant."""
    base = moved.get(memory.base, 0) if memory.base else 0
    index = moved.get(memory.index, 0) if memory.index else 0
    if base is None or index is None or memory.gathers:
        return None
    return base + index * memory.scale


def displacements(instructions: Sequence[Instruction]) -> list[int | None]:
    """Displacement of each access relative to the register values at the start of the pass; None where registers
    changed otherwise, and for instructions without memory access."""
    moved: dict[str, int | None] = {}
    found: list[int | None] = []
    for one in instructions:
        step = address_step(one.memory, moved) if one.memory is not None else None
        found.append(None if step is None or one.memory is None else one.memory.displacement + step)
        for name, by in advances([one]).items():
            old = moved.get(name, 0)
            moved[name] = None if old is None or by is None else old + by
    return found


def elements_per_pass(instructions: Sequence[Instruction], strides: Iterable[int], stored: int = 0) -> int | None:
    """Source iterations in a pass: the number that explains most address strides by the byte strides of the source's
    accesses; of several such, the one whose stores match `stored` bytes per iteration, else the smallest. Where no
    address has a constant stride, the stored bytes alone decide; None where they do not."""
    moved = _movements(instructions)
    known = {abs(stride) for stride in strides if stride}
    votes: Counter[int] = Counter()
    for one in instructions:
        step = None if one.memory is None or not (one.loads or one.stores) else address_step(one.memory, moved)
        if step:
            votes.update({abs(step) // stride for stride in known if abs(step) % stride == 0})
    writes = sum(
        one.moved
        for one in instructions
        if one.stores and not (one.memory is not None and one.memory.base in ("rsp", "sp"))
    )
    if not votes:
        return writes // stored or None if stored and writes % stored == 0 else None
    most = max(votes.values())
    likeliest = [number for number, count in votes.items() if count == most]
    return min([number for number in likeliest if stored and number * stored == writes] or likeliest)
