"""Computes the named bounds of one pass of an emitted loop on a machine."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from foretell.codegen.assembly.instruction import Immediate, Register
from foretell.models.cpu.incore import bounds
from foretell.models.cpu.incore.critical_path import carried_paths
from foretell.models.cpu.incore.instruction_costs import FREE, NO_UNIT, Cost, Costs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from foretell.codegen.assembly.instruction import Instruction
    from foretell.core.machine.machine import Machine

#: a taken jump ends the front end's fetch group
_TAKEN_BRANCHES_PER_CYCLE = 1.0
#: floating-point arithmetic: the units that consume the most power
_ARITHMETIC = frozenset(["add", "multiply", "fma", "accumulate", "divide", "sqrt", "reciprocal", "horizontal"])
#: instructions that set flags and fuse with the conditional jump right behind them (x86-64)
_FUSES = frozenset(["cmp", "test", "add", "sub", "inc", "dec", "and"])
_NO_RESULT = frozenset(["cmp", "test"])
#: loads and stores that take structures of two to four elements apart (AArch64)
_INTERLEAVED = re.compile(r"(?:ld|st)[234]")
_VECTOR = 16


@dataclass(frozen=True, eq=False)
class Body:
    """The instructions of a pass, each with its execution frequency per pass."""

    instructions: tuple[tuple[Instruction, float], ...]
    machine: Machine
    costs: Costs

    # ---- contents

    @cached_property
    def vector_bytes(self) -> int:
        """Width in bytes of the widest vector register in use."""
        return max((one.bytes for one, _ in self.instructions if one.kind not in FREE), default=0)

    @cached_property
    def arithmetic(self) -> tuple[int, float]:
        """The widest vectors of floating-point arithmetic, in bytes, and the number of such instructions."""
        computing = [(one.bytes, share) for one, share in self.instructions if _computes(one)]
        widest = max((width for width, _ in computing), default=0)
        return widest, sum(share for width, share in computing if width == widest)

    @cached_property
    def loads(self) -> float:
        return sum(share for one, share in self.instructions if one.loads)

    @cached_property
    def stores(self) -> float:
        return sum(share for one, share in self.instructions if one.stores)

    @cached_property
    def slots(self) -> float:
        """Issue slots of a pass."""
        fuses = self.machine.traits.get("target.isa") == "x86-64"
        each = issue_slots([one for one, _ in self.instructions], self.costs, fuses)
        return 2.0 * self.spilled + sum(
            share * slots.issued for slots, (_, share) in zip(each, self.instructions, strict=True)
        )

    @cached_property
    def spilled(self) -> int:
        """Spilled vectors, if the machine has fewer registers than the code uses: each is stored and reloaded in every
        pass."""
        if "cores.vector_registers" not in self.machine:
            return 0
        registers = {
            operand.name
            for one, _ in self.instructions
            for operand in one.operands
            if isinstance(operand, Register) and operand.file == "vector"
        }
        return max(0, len(registers) - int(self.machine.value("cores.vector_registers")))

    # ---- bounds

    def bounds(self, load_crossing: float, store_crossing: float) -> tuple[tuple[str, float], ...]:
        """Every bound of a pass, the largest first."""
        work = self._work(load_crossing, store_crossing)
        limits = [
            ("issue", self.slots / self.machine.value("cores.issue_width")),
            (
                "jumps",
                sum(s for instruction, s in self.instructions if instruction.kind == "jump")
                and 1 / _TAKEN_BRANCHES_PER_CYCLE,
            ),
            ("latency", self.latency),
        ]
        for name, parts in (("ports", work["unit"]), ("loads", work["load"]), ("stores", work["store"])):
            limits.append((name, bounds.port_pressure(parts)[0]))
        calls = sum(
            share * self.costs.call(callee(instruction)).gap
            for instruction, share in self.instructions
            if instruction.kind == "call"
        )
        limits.append(("calls", calls))
        limits.append(("ports", bounds.port_pressure(_merged(work))[0]))
        strongest: dict[str, float] = {}
        for name, cycles in limits:
            strongest[name] = max(cycles, strongest.get(name, 0.0))
        if strongest["ports"] <= max(strongest["loads"], strongest["stores"]):
            del strongest["ports"]
        return tuple(sorted((bound for bound in strongest.items() if bound[1] > 0), key=lambda bound: -bound[1]))

    def throughput(self) -> tuple[tuple[str, float], ...]:
        """Cycles of each resource, without latencies and without accesses that cross lines."""
        work = self._work(0.0, 0.0)
        found = [("issue", self.slots / self.machine.value("cores.issue_width"))]
        for name, parts in (("ports", work["unit"]), ("loads", work["load"]), ("stores", work["store"])):
            found.append((name, bounds.port_pressure(parts)[0]))
        return tuple(found)

    def _work(self, load_crossing: float, store_crossing: float) -> dict[str, Counter[frozenset[str]]]:
        """Cycles by the set of ports allowed: arithmetic units, loads, stores."""
        work: dict[str, Counter[frozenset[str]]] = {name: Counter() for name in ("unit", "load", "store")}

        def add(group: str, cost: Cost, share: float) -> None:
            for ports, cycles in cost.work():
                work[group][ports] += cycles * share  # type: ignore[assignment]

        if self.spilled:
            add("load", self.costs.load(self.vector_bytes), self.spilled)
            add("store", self.costs.store(self.vector_bytes), self.spilled)
        for instruction, share in self.instructions:
            if instruction.loads and instruction.kind != "gather":
                width, pieces = register_pieces(instruction)
                crossing = load_crossing if width > 8 and width == self.vector_bytes else 0.0
                add("load", self.costs.load(width), pieces * share * (1 - crossing))
                if crossing:
                    add("load", self.costs.load(width, across=True), pieces * share * crossing)
            if instruction.stores:
                width, pieces = register_pieces(instruction)
                crossing = store_crossing if width > 8 and width == self.vector_bytes else 0.0
                add("store", self.costs.store(width, indexed(instruction)), pieces * share * (1 + crossing))
            if instruction.kind not in NO_UNIT:
                add("unit", self.costs.instruction(instruction), share)
        return work

    @cached_property
    def latency(self) -> float:
        """Loop-carried latency of a pass in cycles."""
        return self._chain[0]

    def restarted_by(self, around: Body) -> bool:
        """Whether the chain restarts with every pass of the loop around."""
        written = {name for one, _ in around.instructions for name in one.writes}
        return bool(self._chain[1] & written)

    @cached_property
    def _chain(self) -> tuple[float, frozenset[str]]:
        """The latency, and the registers on the critical chain."""
        likely = [one for one, share in self.instructions if share >= 0.5]
        load = self.machine.cycles("level.L1.latency") if "level.L1.latency" in self.machine else 4.0
        forward = self._forward(load)
        paths = carried_paths(likely, self.costs, load, forward)
        cycles, at = bounds.carried_latency(paths)
        through = {name for name in {pair[0] for pair in paths} if paths.get((name, name), 0.0) >= cycles - 1e-9}
        return cycles, frozenset(through or at)

    def _forward(self, load: float) -> float:
        path = "pipeline.forward.latency"
        return self.machine.value(path) if path in self.machine else load


def _merged(work: dict[str, Counter[frozenset[str]]]) -> Counter[frozenset[str]]:
    total: Counter[frozenset[str]] = Counter()
    for parts in work.values():
        total.update(parts)
    return total


def register_pieces(one: Instruction) -> tuple[int, int]:
    """Bytes per register that is loaded or stored, and number of registers: a pair of vectors is two."""
    return one.moved // one.pieces, one.pieces


def _computes(one: Instruction) -> bool:
    """Whether it is vector floating-point arithmetic."""
    return one.bytes > 8 and one.element.startswith("f") and one.kind in _ARITHMETIC


def indexed(one: Instruction) -> bool:
    """Whether the address of a load or store has an index register."""
    return one.memory is not None and one.memory.index != ""


def callee(one: Instruction) -> str:
    """The function that an instruction calls."""
    text = one.text.split()
    return text[-1].lstrip("*%") if len(text) > 1 else "?"


@dataclass(frozen=True, slots=True)
class Slots:
    """Slots of an instruction when it is issued, and in a line of the micro-op cache."""

    issued: float = 0.0
    fetched: float = 0.0


def issue_slots(instructions: Sequence[Instruction], costs: Costs, fuses: bool) -> list[Slots]:
    """Slots of each instruction, with loads micro-fused to their operation; `fuses`: a jump macro-fuses with the
    comparison before it."""
    befores = (None, *instructions)[: len(instructions)]
    return [
        Slots() if fuses and fused(before, one) else _slots(one, costs)
        for before, one in zip(befores, instructions, strict=True)
    ]


def fused(one: Instruction | None, jump: Instruction | None) -> bool:
    """Whether a conditional jump becomes one with the instruction before it (x86-64); a comparison of memory with a
    constant does not."""
    if one is None or jump is None or one.mnemonic not in _FUSES or jump.kind != "jump" or not jump.reads:
        return False
    constant = any(isinstance(operand, Immediate) for operand in one.operands)
    return one.memory is None or (one.mnemonic in _NO_RESULT and not constant)


def _slots(instruction: Instruction, costs: Costs) -> Slots:
    if _INTERLEAVED.fullmatch(instruction.mnemonic):
        own = max(1, costs.interleaved * instruction.moved // _VECTOR)
        return Slots(own, own)
    if instruction.kind in FREE or instruction.kind in ("move", "load", "store", "jump", "return"):
        own = 1 + (instruction.loads and instruction.stores)
        return Slots(own, own)
    if instruction.kind == "call":
        own = costs.call(callee(instruction)).uops if costs.knows_call(callee(instruction)) else 1
        return Slots(own, own)
    own = costs.instruction(instruction).uops + (2 if instruction.loads and instruction.stores else 0)
    # Indexed loads un-laminate (x86-64) unless the operation overwrites one of its operands.
    splits = instruction.loads and indexed(instruction) and not instruction.stores
    splits = splits and (instruction.mnemonic.startswith("v") or instruction.mnemonic in _NO_RESULT)
    return Slots(own + (costs.indexed if splits else 0), own)
