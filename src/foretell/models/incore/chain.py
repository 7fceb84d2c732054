"""The chain of values that one pass of a loop hands to the next, with its latencies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.codegen.assembly.induction import address_step, advances, displacements
from foretell.codegen.assembly.instruction import Register
from foretell.models.incore.costs import FREE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from foretell.codegen.assembly.instruction import Instruction, Memory
    from foretell.models.incore.costs import Costs


def carried_paths(
    instructions: Sequence[Instruction], costs: Costs, load_latency: float, forward_latency: float
) -> dict[tuple[str, str], float]:
    """`paths[a, b]`: the longest latency from what register a holds when a pass begins to what b holds at its end.

    A stored value that a later pass loads is a register of its own: its old value comes with the load."""
    kept = _kept_in_memory(instructions)
    written = {name for one in instructions for name in one.writes} | set(kept.values())
    read_first = _read_before_written(instructions) | set(kept.values())
    carried = written & read_first
    paths: dict[tuple[str, str], float] = {}
    for start in sorted(carried):
        ready = {start: 0.0}
        for number, one in enumerate(instructions):
            _step(one, number, ready, costs, load_latency, forward_latency, kept)
        for end in carried:
            if end in ready:
                paths[start, end] = ready[end]
    return paths


def _step(
    one: Instruction,
    number: int,
    ready: dict[str, float],
    costs: Costs,
    load_latency: float,
    forward_latency: float,
    kept: Mapping[int, str],
) -> None:
    """When the results of an instruction are ready, where they depend on the start."""
    memory = {name for name in (one.memory.base, one.memory.index) if name} if one.memory is not None else set()
    address = [ready[name] + load_latency for name in memory if name in ready] if one.loads else []
    if one.loads and number in kept and kept[number] in ready:
        address.append(ready[kept[number]] + forward_latency)
    direct = {name: ready[name] for name in one.reads - memory if name in ready}
    direct |= {name: ready[name] for name in memory if name in ready and not (one.loads or one.stores)}
    times = [time + latency(one, costs, name) for name, time in direct.items()]
    own = latency(one, costs, "")
    times += [time + (0 if one.kind in ("move", "load") else own) for time in address]
    if one.stores and number in kept:
        stored = [time for name, time in direct.items()]
        _put(ready, kept[number], max(stored) if stored else None)
    for name in one.writes:
        if one.memory is not None and one.memory.moves_base is not None and name == one.memory.base:
            if name in ready:
                ready[name] += 1.0
            continue
        _put(ready, name, max(times) if times else None)


def _put(ready: dict[str, float], name: str, time: float | None) -> None:
    if time is None:
        ready.pop(name, None)
    else:
        ready[name] = time


def latency(one: Instruction, costs: Costs, operand: str) -> float:
    """Cycles from an operand to the result. A sum's old value may come late: `accumulate` says how late."""
    if one.kind in FREE or one.kind in ("jump", "call", "return", "load", "store"):
        return 0.0
    if one.kind == "move":
        return 0.0
    target = one.operands[0] if one.operands else None
    adds_to = isinstance(target, Register) and target.name == operand and one.mnemonic.endswith(_ADDS_TO)
    if one.kind == "fma" and adds_to:
        return costs.of("accumulate", one.element, one.bytes).latency
    return costs.instruction(one).latency


#: forms whose destination is the addend
_ADDS_TO = ("231pd", "231ps", "231sd", "231ss", "fmla", "fmls")


def _read_before_written(instructions: Sequence[Instruction]) -> set[str]:
    found: set[str] = set()
    written: set[str] = set()
    for one in instructions:
        found |= one.reads - written
        written |= one.writes
    return found


def _kept_in_memory(instructions: Sequence[Instruction]) -> dict[int, str]:
    """Stores whose bytes the next pass loads, and those loads: place in the pass → a name for the value."""
    moved = advances(instructions)
    places = displacements(instructions)
    found: dict[int, str] = {}
    for number, store in enumerate(instructions):
        if not store.stores or store.memory is None or places[number] is None:
            continue
        step = address_step(store.memory, moved)
        for other, load in enumerate(instructions):
            if not load.loads or load.memory is None or places[other] is None:
                continue
            apart = (places[number] or 0) - (places[other] or 0)
            if step is not None and apart == step and _same_place(store.memory, load.memory):
                found[number] = found[other] = f"memory {store.memory.base} {places[number]}"
    return found


def _same_place(a: Memory, b: Memory) -> bool:
    """Addresses that differ in their displacement at most."""
    return (a.base, a.index, a.scale, a.symbol) == (b.base, b.index, b.scale, b.symbol)
