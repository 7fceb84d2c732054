"""Encodes a function's instructions for the core simulator: their integer semantics, ports, issue slots and
registers."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from foretell.codegen.assembly.instruction import Register
from foretell.codegen.assembly.integer_semantics import Meaning, meaning
from foretell.models.cpu.incore.instruction_costs import NO_UNIT
from foretell.models.cpu.incore.loop_body import callee, indexed, issue_slots

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from foretell.codegen.assembly.instruction import Instruction, Memory
    from foretell.codegen.assembly.listing import Function
    from foretell.models.cpu.incore.instruction_costs import Cost, Costs

#: operands that are no register (`ooo_core::kMemory` and the like)
_PLACES = {"memory": -2, "constant": -1, "": -3}
NOWHERE = -3
#: operations whose second result goes to rdx
_WRITES_RDX = frozenset({"divide", "multiply_high", "multiply_high_signed"})
#: base address of the program's constants
_CONSTANTS = 1 << 45
#: and of its variables
_SYMBOLS, _APART = 1 << 42, 1 << 33
#: direction of a data-dependent jump
_EITHER, _NEVER, _ALWAYS = 0, 1, 2
_EQUALITY = {"je": _NEVER, "jz": _NEVER, "jne": _ALWAYS, "jnz": _ALWAYS}


@dataclass
class Tables:
    """One row per instruction, by the column names of `OooCore`; and the ports and registers that rows refer to."""

    costs: Costs
    rows: list[dict[str, int]] = field(default_factory=list)
    operations: list[str] = field(default_factory=list)
    conditions: list[str] = field(default_factory=list)
    slots: list[float] = field(default_factory=list)
    units: list[dict[str, float]] = field(default_factory=list)
    registers: list[int] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)
    ports: dict[str, int] = field(default_factory=dict)
    #: the first row of each block, and of each function
    starts: list[int] = field(default_factory=list)
    entries: dict[str, int] = field(default_factory=dict)
    #: address of each symbol that the code uses; None: all are taken as one place, as for constants
    symbols: dict[str, int] | None = None

    def register(self, name: str) -> int:
        """The index of a register."""
        return self.numbers.setdefault(name, len(self.numbers))

    def _place(self, name: str) -> int:
        return _PLACES[name] if name in _PLACES else self.register(name)

    def _listed(self, names: Iterable[str]) -> tuple[int, int]:
        start = len(self.registers)
        self.registers += [self.register(name) for name in sorted(names)]
        return start, len(self.registers)

    def _unit(self, ports: frozenset[str], busy: float, near: float, far: float) -> int:
        mask = sum(1 << self.ports.setdefault(name, len(self.ports)) for name in sorted(ports))
        self.units.append({"ports": float(mask), "busy": busy, "near": near, "far": far})
        return len(self.units) - 1

    def _memory_unit(self, cost: Cost) -> int:
        return self._unit(cost.ports, cost.gap * len(cost.ports), cost.latency, cost.latency)

    def _arithmetic(self, one: Instruction) -> tuple[int, int]:
        """The micro-operations of the operation itself, as a consecutive range."""
        start = len(self.units)
        if one.kind == "call":
            if self.costs.knows_call(callee(one)):
                gap = self.costs.call(callee(one)).gap
                self._unit(frozenset({"call"}), gap, gap, gap)
        elif one.kind == "jump" and self.costs.lists("jump_i64"):
            self._memory_unit(self.costs.of("jump", "i64", 0))
        elif one.kind not in NO_UNIT:
            cost = self.costs.instruction(one)
            near = max(1.0, cost.latency - len(cost.further))
            far = near + max(0.0, cost.far_latency - cost.latency)
            self._unit(cost.ports, cost.gap * len(cost.ports), near, far)
            for ports in cost.further:
                self._unit(ports, 1.0, 1.0, 1.0)
        return start, len(self.units)

    def _access(self, one: Instruction) -> dict[str, int]:
        """The ports of a load within a line, of one across two, of a store and of its address; -1 for none."""
        load = across = store = address = -1
        if _loads(one):
            load = self._memory_unit(self.costs.load(one.moved))
            across = self._memory_unit(self.costs.load_across(one.moved))
        if _stores(one):
            cost = self.costs.store(one.moved, indexed(one))
            store = self._memory_unit(cost)
            for ports in cost.further:
                address = self._unit(ports, 1.0, 1.0, 1.0)
        return {"load": load, "across": across, "store": store, "store_address": address}

    def _meaning(self, one: Instruction) -> Meaning:
        """The semantics of an instruction. A call of unknown time ends the simulation if reached."""
        unknown = one.kind == "call" and not self.costs.knows_call(callee(one))
        return Meaning("stop") if unknown else meaning(one)

    def _address(self, memory: Memory | None, bytes_: int) -> dict[str, int]:
        if memory is None or memory.gathers:
            return {"base": NOWHERE, "index": NOWHERE, "scale": 1, "displacement": 0, "bytes": 0}
        fixed = memory.base == "rip" or bool(memory.symbol)
        base = self.register(memory.base) if memory.base and not fixed else NOWHERE
        index = self.register(memory.index) if memory.index else NOWHERE
        shift = memory.displacement + (self._symbol(memory.symbol) if fixed else 0)
        return {
            "base": base, "index": index, "scale": memory.scale, "displacement": shift, "bytes": max(1, bytes_)
        }  # fmt: skip

    def _symbol(self, text: str) -> int:
        """The address of `name`, `name+8`, `name@GOTPCREL`; constants of the code itself are at one place."""
        name, sign, shift = re.fullmatch(r"([^+@-]*)(?:@\w+)?([+-]?)(\d*).*", text).groups()  # type: ignore[union-attr]
        if self.symbols is None or not name or name.startswith(".L"):
            return _CONSTANTS
        start = self.symbols.setdefault(name, _SYMBOLS + _APART * len(self.symbols) + 64 * len(self.symbols))
        return start + (int(shift) if shift else 0) * (-1 if sign == "-" else 1)

    def add(self, one: Instruction, target: int, chance: int) -> None:
        """Appends an instruction; `target` is the row that a jump goes to."""
        known, memory = self._meaning(one), one.memory
        of_address = {memory.base, memory.index} if memory is not None and one.kind != "lea" else set()
        units_from, units_to = self._arithmetic(one)
        access = self._access(one)
        last = self.register("rdx") if known.operation in _WRITES_RDX else known.constant
        to, a, b = (self._place(operand) for operand in (known.to, known.a, known.b))
        address = self._address(memory, one.moved)
        reads_from, reads_to = self._listed(one.reads - of_address)
        writes_from, writes_to = self._listed(one.writes)
        self.operations.append(known.operation)
        self.conditions.append(known.condition)
        self.rows.append(
            {
                "bits": known.bits, "to": to, "a": a, "b": b, "constant": last,
                "target": target, "chance": chance, **address, **access,
                "loads": int(_loads(one)), "stores": int(_stores(one)),
                "passed_on": int(one.kind == "move" and memory is None), "vector": int(_writes_vector(one)),
                "units_from": units_from, "units_to": units_to,
                "reads_from": reads_from, "reads_to": reads_to, "writes_from": writes_from, "writes_to": writes_to,
            }
        )  # fmt: skip

    def columns(self) -> dict[str, NDArray[np.int64]]:
        """The rows as one array per column."""
        return {name: np.array([row[name] for row in self.rows], dtype=np.int64) for name in self.rows[0]}


def _writes_vector(one: Instruction) -> bool:
    return any(isinstance(o, Register) and o.file == "vector" and o.name in one.writes for o in one.operands)


def _loads(one: Instruction) -> bool:
    return one.loads and one.memory is not None and not one.memory.gathers


def _stores(one: Instruction) -> bool:
    return one.stores and one.memory is not None and not one.memory.gathers


def tables(function: Function, costs: Costs, fuses: bool) -> Tables:
    """All instructions of a function, block after block."""
    return tables_of([function], costs, fuses)


def tables_of(
    functions: Sequence[Function],
    costs: Costs,
    fuses: bool,
    symbols: bool = False,
    block_costs: Mapping[tuple[str, int], Costs] = MappingProxyType({}),
) -> Tables:
    """All instructions of functions that may call each other, block after block. `symbols`: each variable of the code
    has an address of its own. `block_costs`: costs that differ, by function and number of the block."""
    made = Tables(costs, symbols={} if symbols else None)
    place = 0
    for function in functions:
        made.entries.setdefault(function.name, place)
        for block in function.blocks:
            made.starts.append(place)
            place += len(block.instructions)
    first = 0
    for function in functions:
        starts = made.starts[first : first + len(function.blocks)]
        first += len(function.blocks)
        for number, block in enumerate(function.blocks):
            made.costs = block_costs.get((function.name, number), costs)
            for one in block.instructions:
                target = starts[block.successors[0]] if one.target and block.successors else 0
                made.add(one, target, _chance(function, number, one))
        made.costs = costs
        made.slots += issue_slots([one for block in function.blocks for one in block.instructions], costs, fuses)
    return made


def _chance(function: Function, number: int, one: Instruction) -> int:
    """The direction of a data-dependent jump in a block: never to error handlers, nor to the NaN path; floating-point
    numbers that are compared for equality differ."""
    block = function.blocks[number]
    if one.mnemonic in ("jp", "jpe"):
        return _NEVER
    calls = [any(i.kind == "call" for i in function.blocks[place].instructions) for place in block.successors]
    if len(calls) == 2 and calls[0] != calls[1]:
        return _NEVER if calls[0] else _ALWAYS
    if one.mnemonic in _EQUALITY and _compares_floats(function, number):
        return _EQUALITY[one.mnemonic]
    return _EITHER


def _compares_floats(function: Function, number: int) -> bool:
    """Whether the jump at the end of a block follows a comparison of floating-point numbers, maybe after others."""
    for block in reversed(function.blocks[: number + 1]):
        for before in reversed(block.instructions):
            if before.kind != "jump":
                return before.mnemonic.lstrip("v").startswith(("ucomis", "comis"))
    return False
