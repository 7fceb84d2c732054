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
    for instruction in instructions:
        step = _step(instruction)
        for name in instruction.writes:
            old = moved.get(name, 0)
            mine = step if step is not None and step[0] == name else None
            moved[name] = old + mine[1] if mine is not None and old is not None else None
        if instruction.memory is not None and instruction.memory.moves_base is not None:
            base = instruction.memory.base
            moved[base] = (moved.get(base) or 0) + instruction.memory.moves_base
    return moved


def _step(instruction: Instruction) -> tuple[str, int] | None:
    """(register, constant) where the instruction adds a constant to a register."""
    if not instruction.operands or not isinstance(instruction.operands[0], Register):
        return None
    name = instruction.operands[0].name
    sources = instruction.operands[1:]
    match instruction.mnemonic:
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
            return name, constant.value if instruction.mnemonic.startswith("add") else -constant.value
    return None


def moves_by_registers(instructions: Sequence[Instruction]) -> bool:
    """Whether an address moves in a pass by the value of a loop-invariant register."""
    written = {name for instruction in instructions for name in instruction.writes}
    moving = {
        instruction.operands[0].name
        for instruction in instructions
        if instruction.mnemonic in ("add", "sub", "lea", "adds", "subs")
        and isinstance(instruction.operands[0], Register)
        if instruction.operands[0].name in instruction.reads
        and _added(instruction) - {instruction.operands[0].name} - written
    }
    return any(
        instruction.memory is not None and {instruction.memory.base, instruction.memory.index} & moving
        for instruction in instructions
    )


def _added(instruction: Instruction) -> set[str]:
    """Registers that an instruction adds to its destination."""
    sources = instruction.operands[1:]
    named = {operand.name for operand in sources if isinstance(operand, Register)}
    return named.union(*({o.base, o.index} - {""} for o in sources if isinstance(o, Memory)))


def _movements(instructions: Sequence[Instruction]) -> dict[str, int | None]:
    """Constant that a pass adds to each register; a register set in every pass to a sum of others moves as they do."""
    moved = advances(instructions)
    sums: dict[str, set[int | None]] = {}
    for instruction in instructions:
        for name in instruction.writes:
            sums.setdefault(name, set()).add(_sum_of(instruction, name, moved))
    for name, steps in sums.items():
        if moved.get(name) is None and len(steps) == 1:
            moved[name] = steps.pop()
    return moved


def _sum_of(instruction: Instruction, name: str, moved: dict[str, int | None]) -> int | None:
    """Change per pass of a register that an instruction sets to a sum of other registers; None for anything else."""
    sources = instruction.operands[1:]
    if instruction.mnemonic == "lea" and isinstance(sources[0], Memory) and name not in instruction.reads:
        return address_step(sources[0], moved)
    if instruction.mnemonic != "add" or len(sources) != 2 or name in instruction.reads:
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
    addresses: list[int | None] = []
    for instruction in instructions:
        step = address_step(instruction.memory, moved) if instruction.memory is not None else None
        addresses.append(None if step is None or instruction.memory is None else instruction.memory.displacement + step)
        for name, by in advances([instruction]).items():
            old = moved.get(name, 0)
            moved[name] = None if old is None or by is None else old + by
    return addresses


def elements_per_pass(instructions: Sequence[Instruction], strides: Iterable[int], stored: int = 0) -> int | None:
    """Source iterations in a pass: the number that explains most address strides by the byte strides of the source's
    accesses; of several such, the one whose stores match `stored` bytes per iteration, else the smallest. Where no
    address has a constant stride, the stored bytes alone decide; None where they do not."""
    moved = _movements(instructions)
    known = {abs(stride) for stride in strides if stride}
    votes: Counter[int] = Counter()
    for instruction in instructions:
        step = (
            None
            if instruction.memory is None or not (instruction.loads or instruction.stores)
            else address_step(instruction.memory, moved)
        )
        if step:
            votes.update({abs(step) // stride for stride in known if abs(step) % stride == 0})
    writes = sum(
        instruction.moved
        for instruction in instructions
        if instruction.stores and not (instruction.memory is not None and instruction.memory.base in ("rsp", "sp"))
    )
    if not votes:
        return writes // stored or None if stored and writes % stored == 0 else None
    most = max(votes.values())
    likeliest = [number for number, count in votes.items() if count == most]
    return min([number for number in likeliest if stored and number * stored == writes] or likeliest)
