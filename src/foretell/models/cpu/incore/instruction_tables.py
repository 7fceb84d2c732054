"""Encodes a function's instructions for the core simulator: their integer semantics, ports, issue slots and
registers."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from foretell.codegen.assembly.instruction import Immediate, Register, wrapped
from foretell.codegen.assembly.meaning import Meaning, Steps
from foretell.models.cpu.incore.critical_path import addend_of
from foretell.models.cpu.incore.instruction_costs import NO_UNIT
from foretell.models.cpu.incore.loop_body import callee, fused, indexed, issue_slots

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from foretell.codegen.assembly.instruction import Instruction, Memory
    from foretell.codegen.assembly.listing import Block, Function, JumpTable
    from foretell.models.cpu.incore.instruction_costs import Cost, Costs
    from foretell.models.cpu.incore.loop_body import Slots

#: operands that are no register (`ooo_core::kMemory` and the like)
CONSTANT, _MEMORY, NOWHERE = -1, -2, -3
_PLACES = {"memory": _MEMORY, "constant": CONSTANT, "": NOWHERE}
#: base address of the program's constants
_CONSTANTS = 1 << 45
#: and of its variables
_SYMBOLS, _APART = 1 << 42, 1 << 33
#: an instruction's address as it stands in a table of jump targets (`ooo_core::kCodeAddress`), and those of tables:
#: the two are less than 2 GiB apart, as entries of 4 bytes hold their difference
_CODE, _TABLES, _TABLE_BYTES = 1 << 44, (1 << 44) + (1 << 28), 1 << 18
#: bits of a jump's constant that count the entries of its table (`ooo_core::kTableBits`)
TABLE_BITS = 16
#: what gcc calls the first of the variables that it addresses from one register
_ANCHOR = ".LANCHOR"
_NUMBER = re.compile(r"[+-]?\d+")
#: the product of a fused multiply-add whose addend is needed later, and a port for additions that take none
_PRODUCT, _FORWARDED = Meaning(to="product"), "forwarded"
#: the elements of a gather, before they are merged into its destination
_GATHERED = Meaning(to="gathered")
#: additions of constants that cores with `cores.immediate_adds` do when they rename registers: mnemonics, and the
#: largest constant (loops of `lea` and `add`, constants up to 1000)
_RENAMED, _SMALL = frozenset({"add", "sub", "inc", "dec", "lea"}), 1024
#: direction of a data-dependent jump
_EITHER, NEVER, ALWAYS = 0, 1, 255  # `kNever` and `kAlways` in the core; shares are between
#: the chance of a jump of which it is known when it ends its loop: neither never nor always
BETWEEN = (NEVER + ALWAYS) // 2
_EQUALITY = {"je": NEVER, "jz": NEVER, "jne": ALWAYS, "jnz": ALWAYS, "b.eq": NEVER, "b.ne": ALWAYS}


@dataclass
class Tables:
    """Rows by the column names of `OooCore`, and the ports and registers that they refer to. An instruction has one row
    for each of its operations; that of the main one has its time."""

    costs: Costs
    rows: list[dict[str, int]] = field(default_factory=list)
    operations: list[str] = field(default_factory=list)
    conditions: list[str] = field(default_factory=list)
    slots: list[float] = field(default_factory=list)
    units: list[dict[str, float]] = field(default_factory=list)
    registers: list[int] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)
    ports: dict[str, int] = field(default_factory=dict)
    #: the rows of each instruction: the first, the main one, and the first of the next instruction
    spans: list[tuple[int, int, int]] = field(default_factory=list)
    #: the first row of each block, and of each function
    starts: list[int] = field(default_factory=list)
    entries: dict[str, int] = field(default_factory=dict)
    #: rows that jumps through tables go to; words of these tables in memory, and their addresses by label
    targets: list[int] = field(default_factory=list)
    table_words: list[tuple[int, int]] = field(default_factory=list)
    table_at: dict[str, int] = field(default_factory=dict)
    #: address of each symbol that the code uses; None: all are taken as one place, as for constants
    symbols: dict[str, int] | None = None
    #: the jump that is one micro-operation with the instruction before it, as of the instruction that is added now
    joined: Instruction | None = None

    def register(self, name: str) -> int:
        """The index of a register."""
        return self.numbers.setdefault(name, len(self.numbers))

    def _place(self, name: str) -> int:
        return _PLACES[name] if name in _PLACES else self.register(name)

    def _listed(self, names: Iterable[str]) -> tuple[int, int]:
        start = len(self.registers)
        self.registers += [self.register(name) for name in sorted(names)]
        return start, len(self.registers)

    def _unit(self, ports: frozenset[str], busy: float, near: float, far: float, wait: float = 0.0) -> int:
        mask = sum(1 << self.ports.setdefault(name, len(self.ports)) for name in sorted(ports))
        self.units.append({"ports": float(mask), "busy": busy, "near": near, "far": far, "wait": wait})
        return len(self.units) - 1

    def _memory_unit(self, cost: Cost, pieces: int = 1) -> int:
        return self._unit(cost.ports, pieces * cost.gap * len(cost.ports), cost.latency, cost.latency)

    def _arithmetic(self, instruction: Instruction) -> tuple[int, int]:
        """The micro-operations of the operation itself, as a consecutive range."""
        start = len(self.units)
        if instruction.kind == "call":
            if self.costs.knows_call(callee(instruction)):
                gap = self.costs.call(callee(instruction)).gap
                self._unit(frozenset({"call"}), gap, gap, gap)
        elif (instruction.kind == "jump" and instruction is not self.joined) or self._joins(instruction):
            if self.costs.lists("jump_i64"):
                self._memory_unit(self.costs.of("jump", "i64", 0))
        elif instruction.kind not in NO_UNIT and not self._renames(instruction):
            cost = self.costs.instruction(instruction)
            near = max(1.0, cost.latency - len(cost.further))
            far = near + max(0.0, cost.far_latency - cost.latency)
            self._unit(cost.ports, cost.gap * len(cost.ports), near, far)
            for ports in cost.further:
                self._unit(ports, 1.0, 1.0, 1.0)
        return start, len(self.units)

    def _joins(self, one: Instruction) -> bool:
        """Whether an instruction runs in the units of jumps, as one micro-operation with the jump behind it."""
        return self.joined is not None and one is not self.joined

    def _access(self, instruction: Instruction) -> dict[str, int]:
        """The ports of a load within a line, of one across two, of a store and of its address; -1 for none."""
        load = across = store = address = -1
        if _loads(instruction):
            each = instruction.moved // instruction.pieces
            load = self._memory_unit(self.costs.load(each, general=not _writes_vector(instruction)), instruction.pieces)
            across = self._memory_unit(self.costs.load_across(each), instruction.pieces)
        if _stores(instruction):
            cost = self.costs.store(instruction.moved // instruction.pieces, indexed(instruction))
            store = self._memory_unit(cost, instruction.pieces)
            for ports in cost.further:
                address = self._unit(ports, 1.0, 1.0, 1.0)
        return {"load": load, "across": across, "store": store, "store_address": address}

    def steps(self, one: Instruction) -> Steps:
        """The semantics of an instruction. A call of unknown time ends the simulation if reached."""
        unknown = one.kind == "call" and not self.costs.knows_call(callee(one))
        steps = Steps(Meaning("stop")) if unknown else self.costs.instruction_set.steps(one)
        if one.kind == "gather" and _writes_vector(one):
            return replace(steps, before=(_GATHERED,))
        return replace(steps, before=(_PRODUCT,)) if self._accumulates(one) else steps

    def block_steps(self, instructions: Sequence[Instruction]) -> list[Steps]:
        """The semantics of the instructions of a block."""
        together = self.costs.instruction_set.in_block(instructions)
        return [together.get(place) or self.steps(one) for place, one in enumerate(instructions)]

    def _renames(self, one: Instruction) -> bool:
        """Whether the renamer adds a constant to a register: no unit, no latency."""
        if one.mnemonic not in _RENAMED or not self.costs.renames_additions or one.loads or one.stores:
            return False
        if not one.operands:  # of a text that is cut off
            return False
        into, *others = one.operands
        if not (isinstance(into, Register) and into.bytes >= 4):
            return False
        if one.memory is not None:  # lea
            base = bool(one.memory.base) and one.memory.base != "rip"
            plain = base and not one.memory.index and not one.memory.symbol
            return plain and abs(one.memory.displacement) <= _SMALL
        return all(isinstance(o, Immediate) and o.value is not None and abs(o.value) <= _SMALL for o in others)

    def _accumulates(self, one: Instruction) -> bool:
        """Whether a fused multiply-add needs its addend later than its factors."""
        if not addend_of(one) or one.loads:
            return False
        late = self.costs.of("accumulate", one.element, one.bytes)
        return late.latency < self.costs.instruction(one).latency

    def _address(self, memory: Memory | None, bytes_: int) -> dict[str, int]:
        if memory is None or memory.gathers:
            return {"base": NOWHERE, "index": NOWHERE, "scale": 1, "displacement": 0, "bytes": 0}
        fixed = memory.base == "rip" or bool(memory.symbol)
        base = self.register(memory.base) if memory.base and memory.base != "rip" else NOWHERE
        index = self.register(memory.index) if memory.index else NOWHERE
        shift = wrapped(memory.displacement + (self._symbol(memory.symbol) if fixed else 0))
        return {
            "base": base, "index": index, "scale": memory.scale, "displacement": shift, "bytes": max(1, bytes_)
        }  # fmt: skip

    def _symbol(self, text: str) -> int:
        """The address of `name`, `name+8`, `8+name`, `name@GOTPCREL`; constants of the code itself are at one place."""
        names = [part for part in re.findall(r"[+-]?[^+-]+", text) if not _NUMBER.fullmatch(part)]
        shift = sum(int(part) for part in re.findall(r"[+-]?[^+-]+", text) if _NUMBER.fullmatch(part))
        name = names[0].lstrip("+").partition("@")[0] if names else ""
        if name in self.table_at:
            return self.table_at[name] + shift
        if self.symbols is None or not name or (name.startswith(".L") and not name.startswith(_ANCHOR)):
            return _CONSTANTS
        start = self.symbols.setdefault(name, _SYMBOLS + _APART * len(self.symbols) + 64 * len(self.symbols))
        return start + shift

    def join(self, one: Instruction, behind: Instruction | None, fuses: bool) -> None:
        """Says before an instruction is added whether it is one micro-operation with the jump behind it, which then
        takes no unit of its own; an addition at renaming leaves the unit to the jump."""
        if one is not self.joined:
            joins = fuses and fused(one, behind) and self.costs.lists("jump_i64") and not self._renames(one)
            self.joined = behind if joins else None

    def add(self, instruction: Instruction, target: int, chance: int, steps: Steps | None = None) -> None:
        """Appends an instruction; `target` is the row that a jump goes to."""
        steps = steps or self.steps(instruction)
        first = len(self.rows)
        if _PRODUCT in steps.before:
            self._add_fma(instruction)
        elif _GATHERED in steps.before:
            self._add_gather(instruction, steps.main)
        else:
            for meaning in steps.before:
                self._add_operation(meaning, free=True)
            self._add_main(instruction, steps.main, target, chance)
        main = len(self.rows) - 1
        for meaning in steps.after:
            self._add_operation(meaning, free=meaning.memory is not None)
        self.spans.append((first, main, len(self.rows)))

    def _add_main(self, one: Instruction, known: Meaning, target: int, chance: int) -> None:
        memory = known.memory or one.memory
        of_address = {memory.base, memory.index} if memory is not None and not one.kind.startswith("lea") else set()
        if memory is not one.memory and one.memory is not None:
            of_address |= {one.memory.index}
        moved = {memory.base} if memory is not None and memory.moves_base is not None else set()
        units_from, units_to = self._arithmetic(one)
        access, address = self._access(one), self._address(memory, one.moved)
        self._append(
            known, one.reads - of_address, one.writes - moved,
            target=target, chance=chance, **address, **access, loads=int(_loads(one)), stores=int(_stores(one)),
            passed_on=int((one.kind == "move" and memory is None) or self._renames(one) or one is self.joined),
            vector=int(_writes_vector(one)),
            sets_flags=int(self.costs.instruction_set.flags in one.writes), units_from=units_from, units_to=units_to,
        )  # fmt: skip

    def _add_fma(self, one: Instruction) -> None:
        """Appends a multiply-add as its product, which takes a port, and the addition of the addend, which takes none.
        The addend waits as the factors do, unless another such addition forwards it (accumulator forwarding)."""
        cost, late = self.costs.instruction(one), self.costs.of("accumulate", one.element, one.bytes).latency
        start = len(self.units)
        self._unit(cost.ports, cost.gap * len(cost.ports), 0.0, 0.0)
        addend = addend_of(one)
        factors = {operand.name for operand in one.operands[1:3] if isinstance(operand, Register)}
        plain = {**self._address(None, 0), "load": -1, "across": -1, "store": -1, "store_address": -1}
        plain |= dict.fromkeys(("target", "chance", "loads", "stores", "passed_on", "vector", "sets_flags"), 0)
        self._append(_PRODUCT, factors, {_PRODUCT.to}, **plain, units_from=start, units_to=len(self.units))
        start = len(self.units)
        self._unit(frozenset({_FORWARDED}), 0.0, late, late, cost.latency - late)
        plain |= {"vector": 1, "units_from": start, "units_to": len(self.units)}
        self._append(Meaning(), {_PRODUCT.to, addend}, one.writes, **plain)

    def _add_gather(self, one: Instruction, known: Meaning) -> None:
        """Appends a gather as its loads, and their merging into the destination, which waits for its old value."""
        into = {o.name for o in one.operands[:1] if isinstance(o, Register)}
        units_from, units_to = self._arithmetic(one)
        plain = {**self._address(None, 0), "load": -1, "across": -1, "store": -1, "store_address": -1}
        plain |= dict.fromkeys(("target", "chance", "loads", "stores", "passed_on", "vector", "sets_flags"), 0)
        self._append(
            known, one.reads - into, (one.writes - into) | {_GATHERED.to}, **plain,
            units_from=units_from, units_to=units_to,
        )  # fmt: skip
        start = len(self.units)
        self._memory_unit(self.costs.of("blend", "i64", one.bytes))
        plain |= {"vector": 1, "units_from": start, "units_to": len(self.units)}
        self._append(Meaning(), into | {_GATHERED.to}, into, **plain)

    def _add_operation(self, known: Meaning, free: bool) -> None:
        """Appends a further operation of an instruction: `free`, or the addition that moves a base register. It has no
        issue slot; a temporary register is ready when its source is."""
        reads = {name for name in (known.a, known.b) if name not in _PLACES}
        writes = {known.to} - {*_PLACES} if known.memory is None else set()
        start = len(self.units)
        if not free:
            self._memory_unit(self.costs.of("add", "i64", 0))
        size = known.bits // 8 if known.memory is not None else 0
        self._append(
            known, reads, writes,
            target=0, chance=0, **self._address(known.memory, size), load=-1, across=-1, store=-1, store_address=-1,
            loads=0, stores=0, passed_on=int(free), vector=0, sets_flags=0, units_from=start, units_to=len(self.units),
        )  # fmt: skip

    def _append(self, known: Meaning, reads: Iterable[str], writes: Iterable[str], **columns: int) -> None:
        """Appends a row with an operation, and the registers that its time depends on."""
        constant = known.constant + (self._symbol(known.symbol) if known.symbol else 0)
        last = self.register(known.second) if known.second else constant
        to, a, b = (self._place(operand) for operand in (known.to, known.a, known.b))
        reads_from, reads_to = self._listed(reads)
        writes_from, writes_to = self._listed(writes)
        self.operations.append(known.operation)
        self.conditions.append(known.condition)
        self.rows.append(
            {
                "bits": known.bits, "to": to, "a": a, "b": b, "constant": last, "fetched": 0, **columns,
                "reads_from": reads_from, "reads_to": reads_to, "writes_from": writes_from, "writes_to": writes_to,
            }
        )  # fmt: skip

    def jumps_to(self, block: Block) -> int:
        """Where the address stands that an indirect jump at the end of a block goes to: a register, or memory."""
        registers = [one.name for one in block.instructions[-1].operands if isinstance(one, Register)]
        return self.register(registers[0]) if registers else _PLACES["memory"]

    def add_table(self, table: JumpTable, starts: Sequence[int]) -> int:
        """Adds a table of jump targets and its words in memory; the number that a jump through it has. Entries of 4
        bytes are distances from the table, those of 8 are addresses; others are not known."""
        first, place = len(self.targets), self.table_at[table.label]
        self.targets += (rows := [starts[block] for block in table.blocks])
        if table.width in (4, 8):
            base = place if table.width == 4 else 0
            self.table_words += [(place + table.width * k, _CODE + row - base) for k, row in enumerate(rows)]
        return first << TABLE_BITS | len(rows)

    def add_slots(self, slots: Sequence[Slots]) -> None:
        """Appends the slots of the instructions that were added last: those of their main rows."""
        for (first, main, end), each in zip(self.spans[-len(slots) :], slots, strict=True):
            self.slots += [each.issued if row == main else 0.0 for row in range(first, end)]
            self.rows[main]["fetched"] = int(each.fetched)

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
    jumps = [block.table.label for function in functions for block in function.blocks if block.table]
    made.table_at = {label: _TABLES + _TABLE_BYTES * k for k, label in enumerate(dict.fromkeys(jumps))}
    steps = [made.block_steps(block.instructions) for function in functions for block in function.blocks]
    row = 0
    for function in functions:
        made.entries.setdefault(function.name, row)
        for _ in function.blocks:
            row += sum(1 + len(each.before) + len(each.after) for each in steps[len(made.starts)])
            made.starts.append(row)
    made.starts[:] = [0, *made.starts[:-1]]
    first = 0
    for function in functions:
        starts = made.starts[first : first + len(function.blocks)]
        for number, block in enumerate(function.blocks):
            made.costs = block_costs.get((function.name, number), costs)
            target = starts[block.successors[0]] if block.successors else 0
            after = (*block.instructions[1:], None)
            for one, behind, each in zip(block.instructions, after, steps[first + number], strict=True):
                made.join(one, behind, fuses)
                made.add(one, target if one.target else 0, _chance(function, number, one), each)
            made.joined = None
            if block.table is not None:
                made.operations[-1] = "jump_table"
                made.rows[-1] |= {"constant": made.add_table(block.table, starts), "a": made.jumps_to(block)}
        first += len(function.blocks)
        made.costs = costs
        made.add_slots(issue_slots([one for block in function.blocks for one in block.instructions], costs, fuses))
    return made


#: a compare-and-swap succeeds at once: the jump that tries again
_AGAIN = {"jne": NEVER, "b.ne": NEVER, "bne": NEVER, "je": ALWAYS, "b.eq": ALWAYS, "beq": ALWAYS}
_RARE = re.compile(r"_M_realloc_|\bsqrt[fl]?\b")
_SWAPS = re.compile(r"(?:lock )?cmpxchg|cas[alp]*[bh]?$")


def _chance(function: Function, number: int, one: Instruction) -> int:
    """The direction of a data-dependent jump in a block: never to a call that is rare, nor to the NaN path; an atomic
    update succeeds at once; floating-point numbers that are compared for equality differ."""
    block = function.blocks[number]
    if one.mnemonic in ("jp", "jpe", "b.vs"):
        return NEVER
    if one.mnemonic in _AGAIN and any(_SWAPS.match(before.mnemonic) for before in block.instructions):
        return _AGAIN[one.mnemonic]
    rare = [any(map(_is_rare, function.blocks[place].instructions)) for place in block.successors]
    if len(rare) == 2 and rare[0] != rare[1]:
        return NEVER if rare[0] else ALWAYS
    if one.mnemonic in _EQUALITY and _compares_floats(function, number):
        return _EQUALITY[one.mnemonic]
    return _EITHER


def _is_rare(one: Instruction) -> bool:
    """Whether an instruction calls what is rarely needed: a full vector moves to more memory, for one element in as
    many as it holds; the root of a negative number sets errno (others are computed by an instruction)."""
    return one.kind == "call" and _RARE.search(one.text) is not None


def _compares_floats(function: Function, number: int) -> bool:
    """Whether the jump at the end of a block follows a comparison of floating-point numbers, maybe after others."""
    for block in reversed(function.blocks[: number + 1]):
        for before in reversed(block.instructions):
            if before.kind != "jump":
                return before.mnemonic.lstrip("v").startswith(("ucomis", "comis", "fcmp"))
    return False
