"""Computes the loop-carried dependency chain of a loop, with its latencies."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from foretell.codegen.assembly.induction import address_step, advances, displacements
from foretell.codegen.assembly.instruction import Register
from foretell.models.cpu.incore.instruction_costs import NO_UNIT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from foretell.codegen.assembly.instruction import Instruction, Memory
    from foretell.models.cpu.incore.instruction_costs import Costs


def carried_paths(
    instructions: Sequence[Instruction], costs: Costs, load_latency: float, forward_latency: float
) -> dict[tuple[str, str], float]:
    """`paths[a, b]`: the longest latency from register a at the start of a pass to register b at its end.

    A stored value that a later pass loads is treated as a register: store-to-load forwarding carries its old value.
    """
    kept = _kept_in_memory(instructions)
    written = {name for instruction in instructions for name in instruction.writes} | set(kept.values())
    read_first = _read_before_written(instructions) | set(kept.values())
    carried = written & read_first
    paths: dict[tuple[str, str], float] = {}
    latencies = [
        latencies_of(instruction, costs, crowded(instruction, instructions, costs)) for instruction in instructions
    ]
    for start in sorted(carried):
        ready = {start: 0.0}
        for number, instruction in enumerate(instructions):
            _step(instruction, number, ready, latencies[number], load_latency, forward_latency, kept)
        for end in carried:
            if end in ready:
                paths[start, end] = ready[end]
    return paths


def _step(
    instruction: Instruction,
    number: int,
    ready: dict[str, float],
    own: Latencies,
    load_latency: float,
    forward_latency: float,
    kept: Mapping[int, str],
) -> None:
    """Computes when the results of an instruction are ready, where they depend on the start."""
    memory = (
        {name for name in (instruction.memory.base, instruction.memory.index) if name}
        if instruction.memory is not None
        else set()
    )
    address = [ready[name] + load_latency for name in memory if name in ready] if instruction.loads else []
    if instruction.loads and number in kept and kept[number] in ready:
        address.append(ready[kept[number]] + forward_latency)
    direct = {name: ready[name] for name in instruction.reads - memory if name in ready}
    direct |= {name: ready[name] for name in memory if name in ready and not (instruction.loads or instruction.stores)}
    times = [time + (own.addend if name == own.target else own.result) for name, time in direct.items()]
    times += [time + own.result for time in address]
    if instruction.stores and number in kept:
        stored = [time for name, time in direct.items()]
        _put(ready, kept[number], max(stored) if stored else None)
    for name in instruction.writes:
        if (
            instruction.memory is not None
            and instruction.memory.moves_base is not None
            and name == instruction.memory.base
        ):
            if name in ready:
                ready[name] += 1.0
            continue
        _put(ready, name, max(times) if times else None)


def _put(ready: dict[str, float], name: str, time: float | None) -> None:
    if time is None:
        ready.pop(name, None)
    else:
        ready[name] = time


@dataclass(frozen=True, slots=True)
class Latencies:
    """Cycles from an operand to the result; from the accumulator (`target` is also the addend) it may be fewer."""

    result: float
    addend: float
    target: str


def latencies_of(instruction: Instruction, costs: Costs, is_crowded: bool) -> Latencies:
    """The latencies of an instruction. Results are forwarded to another port if others compete for the same ports."""
    if instruction.kind in NO_UNIT:
        return Latencies(0.0, 0.0, "")
    cost = costs.instruction(instruction)
    result = cost.far_latency if is_crowded else cost.latency
    target = instruction.operands[0] if instruction.operands else None
    if addend := addend_of(instruction):
        return Latencies(result, costs.of("accumulate", instruction.element, instruction.bytes).latency, addend)
    if instruction.kind == "gather" and isinstance(target, Register):  # the old value is merged last
        return Latencies(result, 1.0, target.name)
    return Latencies(result, result, "")


def crowded(instruction: Instruction, instructions: Sequence[Instruction], costs: Costs) -> bool:
    """Whether every port of this instruction is wanted by other work that has no alternative port."""
    if instruction.kind in NO_UNIT:
        return False
    ports = costs.instruction(instruction).ports
    wanted: set[str] = set()
    for other in instructions:
        if other.kind != instruction.kind and other.kind not in NO_UNIT:
            its = costs.instruction(other).ports
            wanted |= its if its < ports or len(its) == 1 == len(ports) else set()
    return wanted == ports


#: forms whose destination is the addend, and those with the addend as fourth operand
_ADDS_TO = re.compile(r"vf\w+231[ps][sd]|f?ml[as]|[su]ml[as]l2?")
_FOUR = frozenset({"fmadd", "fmsub", "fnmadd", "fnmsub"})


def addend_of(one: Instruction) -> str:
    """The vector register that a multiply-add adds to its product; empty where it is none, or in memory."""
    place = 0 if _ADDS_TO.fullmatch(one.mnemonic) else 3 if one.mnemonic in _FOUR else -1
    if not 0 <= place < len(one.operands):
        return ""
    operand = one.operands[place]
    return operand.name if isinstance(operand, Register) and operand.file == "vector" else ""


def _read_before_written(instructions: Sequence[Instruction]) -> set[str]:
    found: set[str] = set()
    written: set[str] = set()
    for one in instructions:
        found |= one.reads - written
        written |= one.writes
    return found


def _kept_in_memory(instructions: Sequence[Instruction]) -> dict[int, str]:
    """Stores whose bytes the next pass loads, and those loads: index in the pass → a name for the value."""
    moved = advances(instructions)
    places = displacements(instructions)
    kept: dict[int, str] = {}
    for number, store in enumerate(instructions):
        if not store.stores or store.memory is None or places[number] is None:
            continue
        step = address_step(store.memory, moved)
        for other, load in enumerate(instructions):
            if not load.loads or load.memory is None or places[other] is None:
                continue
            apart = (places[number] or 0) - (places[other] or 0)
            if step is not None and apart == step and _same_place(store.memory, load.memory):
                kept[number] = kept[other] = f"memory {store.memory.base} {places[number]}"
    return kept


def _same_place(a: Memory, b: Memory) -> bool:
    """Whether two addresses differ at most in their displacement."""
    return (a.base, a.index, a.scale, a.symbol) == (b.base, b.index, b.scale, b.symbol)
