"""Computes the costs of every instruction in each executed shape: tables for the timing core."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from foretell.characterize.gpu.memory import PIECE_SECTORS, through_l1
from foretell.core.gpu import opcodes
from foretell.core.gpu.sass import INSTRUCTION_BYTES
from foretell.models.gpu.multiprocessor import BARRIER, ISSUE, L1, L2, MEMORY, NAMES, SHARED
from foretell.models.gpu.timing import INTS, KINDS, REALS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from foretell.characterize.gpu.functional import Execution, Shape
    from foretell.characterize.gpu.memory import Traffic
    from foretell.core.gpu.sass import SassInstruction, SassKernel
    from foretell.core.machine.machine import Machine
    from foretell.models.gpu.cache_levels import Levels
    from foretell.models.gpu.multiprocessor import Multiprocessor

_KIND = {name: number for number, name in enumerate(KINDS)}
_INT = {name: column for column, name in enumerate(INTS)}
_REAL = {name: column for column, name in enumerate(REALS)}
#: a property of the code, not of a machine: cycles that ptxas puts between an instruction of these units and its first
#: consumer (notes of h100.toml: minimum over 123,196 instructions); stall counts are scaled in proportion for a machine
#: with another latency
_ENCODED = {"fma": 4.0, "imad": 4.0, "alu": 4.0, "fp64": 8.0}

#: a line is hot if it has this many times the mean updates of a line, and so many in the sample
_HOT, _HOT_UPDATES = 3, 32


@dataclass(frozen=True, slots=True, eq=False)
class Ops:
    """One row for each shape: see `INTS` and `REALS`."""

    ints: NDArray[np.int32]
    reals: NDArray[np.float64]
    beyond: dict[int, float]  # latencies of L2 and memory, by resource index

    @property
    def key(self) -> bytes:
        """A hash key; equal for equal tables."""
        return self.ints.tobytes() + self.reals.tobytes()


def op_tables(
    kernel: SassKernel,
    execution: Execution,
    traffic: Traffic,
    served: Levels,
    multiprocessor: Multiprocessor,
    multiprocessors: float,
) -> Ops:
    """Computes the tables of a kernel whose memory requests are distributed as in `traffic` and `served`."""
    places, text = np.asarray(execution.record.shape_instructions()), _text(kernel)
    executions = np.asarray(execution.record.executions())
    text_ints, text_reals = _rows(kernel, multiprocessor)
    ints, reals = text_ints[places], text_reals[places]
    ints[:, _INT["instruction"]] = places
    reals[:, _REAL["fetch"]] = (
        _fetch(executions, multiprocessor.machine) * multiprocessor.gap[ISSUE]
        + _held(text, multiprocessor.machine)[places]
    )
    for number, shape in enumerate(execution.record.request_shapes(), len(executions)):
        _memory(
            kernel.instructions[shape.instruction],
            shape.instruction,
            shape,
            ints[number],
            reals[number],
            traffic,
            served,
            multiprocessor,
            multiprocessors,
        )
    _forget_unread(ints, reals, (executions > 0)[places])
    return Ops(ints, reals, {NAMES.index(name): multiprocessor.latency[name] for name in (L2, MEMORY)})


def _forget_unread(ints: NDArray[np.int32], reals: NDArray[np.float64], executed: NDArray[np.bool_]) -> None:
    """Zeroes numbers that the timing core never reads, so that machines that do not differ for a kernel have equal
    tables."""
    awaited = (ints[:, _INT["write"]] >= 0) | (ints[:, _INT["kind"]] == _KIND["product"])
    reals[~awaited & (reals[:, _REAL["path"]] == 0), _REAL["latency"]] = 0.0
    reals[ints[:, _INT["read"]] < 0, _REAL["read_latency"]] = 0.0
    reals[reals[:, _REAL["far_misses"]] == 0, _REAL["far_sectors"]] = 0.0
    reals[~executed] = 0.0


def scaled(ops: Ops, places: NDArray[np.intp], resource: int, limit: str, factor: float) -> Ops:
    """The same tables with the latency or the gap of one resource scaled for some instructions of the text."""
    reals = ops.reals.copy()
    selected = np.isin(ops.ints[:, _INT["instruction"]], places)
    unit = selected & (ops.ints[:, _INT["unit"]] == resource)
    path = selected & (ops.ints[:, _INT["path_name"]] == resource) & (reals[:, _REAL["path"]] > 0)
    if limit == "gap":
        reals[unit, _REAL["gap"]] *= factor
        reals[path, _REAL["path"]] *= factor
        if resource == NAMES.index(L2):
            reals[selected, _REAL["sectors"]] *= factor
            reals[selected, _REAL["written"]] *= factor
            reals[selected, _REAL["serial"]] *= factor
        if resource == NAMES.index(MEMORY):
            reals[selected, _REAL["far_sectors"]] *= factor
    else:
        fixed = unit & (reals[:, _REAL["stall"]] > 1)
        reals[fixed, _REAL["stall"]] *= factor
        reals[unit | path, _REAL["latency"]] *= factor
        if resource in (NAMES.index(L2), NAMES.index(MEMORY)):
            reals[selected & (reals[:, _REAL["misses"]] > 0), _REAL["more_latency"]] += (factor - 1) * ops.beyond[
                resource
            ]
    return Ops(ops.ints, reals, ops.beyond)


# ------------------------------------------------------------------------------------------ one instruction


@dataclass(frozen=True, slots=True, eq=False)
class _Text:
    """Properties of every instruction that depend on the code alone: a row of integers, its unit (an index in NAMES),
    the encoded stall count, work in units of one instruction, and flags: 64-bit product, shuffle, vote at a barrier,
    access to global memory, textures or shared memory."""

    ints: NDArray[np.int32]
    unit: NDArray[np.intp]
    stall: NDArray[np.float64]
    work: NDArray[np.float64]
    wide: NDArray[np.bool_]
    shuffles: NDArray[np.bool_]
    votes: NDArray[np.bool_]
    globals: NDArray[np.bool_]
    textures: NDArray[np.bool_]
    shared: NDArray[np.bool_]


@lru_cache(maxsize=8)
def _text(kernel: SassKernel) -> _Text:
    items = kernel.instructions
    unit = [NAMES.index(_unit(item)) for item in items]
    columns = {
        "kind": [_KIND[_kind(item)] for item in items],
        "unit": unit,
        "wait": [item.control.wait_mask for item in items],
        "write": [_counter(item.control.write_barrier) for item in items],
        "read": [_counter(item.control.read_barrier) for item in items],
        "groups": [_groups_left(item) for item in items],
    }
    ints = np.zeros((len(items), len(_INT)), np.int32)
    for name, values in columns.items():
        ints[:, _INT[name]] = values
    ints[:, [_INT["even_ports"], _INT["odd_ports"]]] = _ports(kernel)
    shuffles = np.array([item.opcode in ("SHFL", "MATCH") for item in items])
    votes = np.array([item.opcode == "B2R" and "RESULT" in item.modifiers for item in items])
    textures = np.array([item.opcode in opcodes.TEXTURES for item in items])
    shared = np.array([item.opcode in opcodes.SHARED for item in items])
    ints[shuffles, _INT["path_name"]] = NAMES.index("lsu")
    ints[textures, _INT["path_name"]] = NAMES.index(L1)
    ints[shared, _INT["path_name"]] = NAMES.index(SHARED)
    ints[votes, _INT["path_name"]] = NAMES.index(BARRIER)
    return _Text(
        ints=ints,
        unit=np.array(unit, np.intp),
        stall=np.array([float(item.control.stall) for item in items]),
        work=np.array([_work(item) for item in items]),
        wide=np.array([_wide(item) for item in items]),
        shuffles=shuffles,
        votes=votes,
        globals=np.array([item.opcode in opcodes.GLOBAL for item in items]),
        textures=textures,
        shared=shared,
    )


def _on(machine: Machine, text: _Text) -> _Text:
    """The text with the units of a machine: integer products may share the pipe of FP32 (GV100, TU10x, GA100: the only
    FMA pipe has 16 lanes; from GA10x on a second one has no integer products; Nsight Compute, metrics decoder)."""
    pipe = machine.traits.get("pipeline.imad.ports", "imad")
    if pipe not in NAMES or pipe == "imad":
        return text
    unit = np.where(text.unit == NAMES.index("imad"), NAMES.index(pipe), text.unit)
    ints = text.ints.copy()
    ints[:, _INT["unit"]] = unit
    return replace(text, ints=ints, unit=unit)


def _counter(number: int | None) -> int:
    return -1 if number is None else number


def _rows(kernel: SassKernel, multiprocessor: Multiprocessor) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """A row for every instruction of the text, with its costs without memory requests."""
    machine = multiprocessor.machine
    text = _on(machine, _text(kernel))
    address_gap = machine.cycles("pipeline.address.gap")
    texels = machine.value("occupancy.warp") / machine.value("pipeline.texture.lanes")  # issue cycles of a warp
    work = np.where(text.wide, machine.value("issue.wide_work"), text.work)
    latency = np.array([multiprocessor.latency.get(name, 0.0) for name in NAMES])
    gap = np.array([multiprocessor.gap.get(name, 1.0) for name in NAMES])
    stretch = np.array([multiprocessor.latency[name] / _ENCODED[name] if name in _ENCODED else 1.0 for name in NAMES])
    reals = np.zeros((len(text.unit), len(_REAL)), np.float64)
    long = text.stall > 1
    reals[:, _REAL["stall"]] = np.maximum(1.0, np.where(long, text.stall * stretch[text.unit], 1.0))
    waits = text.unit != NAMES.index("lsu")
    reals[:, _REAL["gap"]] = np.where(waits, gap[text.unit] * work, 1.0)
    reals[:, _REAL["latency"]] = latency[text.unit]
    reals[:, _REAL["read_latency"]] = machine.cycles("lsu.operand_read")
    reals[text.shuffles, _REAL["path"]] = 1.0
    reals[text.votes, _REAL["path"]] = machine.cycles("sync.vote")
    reals[text.textures, _REAL["path"]] = texels * multiprocessor.gap[L1]
    reals[text.shared, _REAL["path"]] = multiprocessor.gap[
        SHARED
    ]  # also where all lanes are predicated off (t_normalise)
    reals[text.shuffles, _REAL["latency"]] = machine.cycles("pipeline.shuffle.latency") - address_gap - 1
    reals[text.textures, _REAL["latency"]] = multiprocessor.latency[L1] - address_gap - 1  # assumed to hit in L1
    return text.ints, reals


def _fetch(executions: NDArray[np.uint64], machine: Machine) -> float:
    """Cycles to fetch an instruction: more than one if the hot code exceeds the instruction caches."""
    loop_bytes = int((executions > 2 * max(1, int(executions[0]))).sum()) * INSTRUCTION_BYTES
    for size, miss in (("icache.outer_size", "icache.outer_miss"), ("icache.size", "icache.miss")):
        if loop_bytes >= machine.value(size):
            return machine.cycles(miss)
    return 1.0


def _held(text: _Text, machine: Machine) -> NDArray[np.float64]:
    """Cycles that the sub-core is blocked after each instruction, if its operands take more than one."""
    address = np.where(text.globals, machine.cycles("issue.wide_address"), 0.0)
    return np.where(text.wide, machine.cycles("issue.wide_product"), address)


def _wide(item: SassInstruction) -> bool:
    """Whether it is a 64-bit product, or its upper half."""
    return item.opcode == "IMAD" and bool({"WIDE", "HI"} & set(item.modifiers))


def _unit(item: SassInstruction) -> str:
    """The unit of an instruction. HFMA2.MMA is the FMA pipe's version of HFMA2."""
    return "fma" if item.opcode == "HFMA2" and "MMA" in item.modifiers else opcodes.unit(item.opcode)


def _kind(item: SassInstruction) -> str:
    if item.opcode == "BAR" and "ARV" not in item.modifiers:
        return "barrier"
    if _warpgroup_scoreboard(item):
        return "products" if item.opcode == "WARPGROUP" else "product"
    return {"EXIT": "exit", "LDGDEPBAR": "commit", "DEPBAR": "drain"}.get(item.opcode, "plain")


def _warpgroup_scoreboard(item: SassInstruction) -> bool:
    """Whether it ends a group of products of a warpgroup (HGMMA … gsb0) or waits for some (WARPGROUP.DEPBAR gsb0)."""
    return any(operand.text.startswith("gsb") for operand in item.operands)


def _groups_left(item: SassInstruction) -> int:
    """Outstanding groups that a wait allows: DEPBAR.LE SB0,0x2 waits until two are left; others wait for all."""
    if item.opcode not in ("DEPBAR", "WARPGROUP"):
        return 0
    numbers = [operand.value for operand in item.operands if operand.kind == "immediate"]
    return min(255, max(0, numbers[-1])) if numbers else 255


def _work(item: SassInstruction) -> float:
    """Matrix products in units of m16n8k16 in half precision; other instructions count one. m16n8k8 of TF32 takes as
    long (validation/h200/tensor, x_peak_tf32). m8n8k4 in double precision has 256 products at 32 a cycle and sub-core
    (67 Tflop/s of the H100 and H200), so 8 cycles, where the unit takes 6.6; warpgroup products run at 512 a cycle and
    sub-core (989 Tflop/s), so m16n8k16 takes 4 cycles there."""
    if opcodes.unit(item.opcode) != "tensor":
        return 1.0
    shapes = {"16816": 1.0, "1688": 0.5, "16832": 1.0, "16864": 1.0, "8816": 0.5, "884": 8 / 6.6}
    if "TF32" in item.modifiers and "1688" in item.modifiers:
        return 1.0
    for modifier in item.modifiers:
        if modifier in shapes:
            return shapes[modifier]
        if modifier.count("x") == 2:  # 64x128x16 of a warpgroup
            m, n, k = (int(part) for part in modifier.split("x"))
            return m * n * k / 4 / (16 * 8 * 16) * (4 / 6.6)
    return 1.0


def _ports(kernel: SassKernel) -> list[tuple[int, int]]:
    """Operands that each instruction reads from even and odd register banks, without those in the reuse cache (marked
    by the instruction before in the same slot)."""
    ports = []
    held: dict[int, int] = {}
    for item in kernel.instructions:
        slots = [
            operand.registers[0].index
            for operand in item.operands[item.destinations :]
            if operand.kind == "register" and operand.space == "R" and operand.registers and operand.registers[0]
        ]
        wide = 2 if opcodes.unit(item.opcode) == "fp64" else 1
        read = {index + k for slot, index in enumerate(slots) if held.get(slot) != index for k in range(wide)}
        odd = sum(index & 1 for index in read)
        ports.append((len(read) - odd, odd))
        held = {slot: index for slot, index in enumerate(slots) if item.control.reuse >> slot & 1}
    return ports


# ------------------------------------------------------------------------------------------ memory


def _memory(
    item: SassInstruction,
    position: int,
    shape: Shape,
    ints: NDArray[np.int32],
    reals: NDArray[np.float64],
    traffic: Traffic,
    served: Levels,
    multiprocessor: Multiprocessor,
    multiprocessors: float,
) -> None:
    """Adds the costs of one request: its wavefronts on the shared path, and its fractions that go on to L2 and to
    memory."""
    if item.opcode == "SYNCS":
        _of_mbarrier(item, shape, ints, reals, multiprocessor)
        return
    if item.opcode in opcodes.SHARED or not shape.lines:  # generic accesses to shared memory request no line
        _shared(item, shape, ints, reals, multiprocessor)
        return
    machine = multiprocessor.machine
    before = machine.cycles("pipeline.address.gap") + 1
    stores = opcodes.writes_memory(item.opcode)
    ints[_INT["kind"]] = _KIND["store" if stores else "load"]
    ints[_INT["path_name"]] = NAMES.index(L1)
    ints[_INT["copies"]] = item.opcode == "LDGSTS"
    if item.opcode == "UBLKCP":
        ints[_INT["object"]], ints[_INT["amount"]] = shape.serial, shape.sectors
    turns = max(shape.wavefronts, machine.value("lsu.load_line" if shape.lines == 1 else "lsu.load_lines"))
    if not shape.wavefronts:  # except for global loads, only lines and bytes are known
        turns = max(float(shape.lines), shape.sectors / 4, lane_bytes(item) * shape.lanes / 128, 1)
    if item.opcode == "STL" and shape.lines > 1:
        turns *= machine.value("lsu.local_store")
    elif stores and shape.lines > machine.value("lsu.narrow_store"):
        turns *= 2
    reals[_REAL["path"]] = turns * multiprocessor.gap[L1]
    reals[_REAL["latency"]] = multiprocessor.latency[L1] - before
    reals[_REAL["lines"]] = shape.lines
    asked = traffic.requests.get(position)
    if item.opcode in opcodes.LOCAL:  # L1 is write-through
        reals[_REAL["misses"]] = 1.0 if stores else served.local.misses
        _beyond(item, shape, 1.0, reals, machine)
        reals[_REAL["far_misses"]], reals[_REAL["far_sectors"]] = served.local.far, shape.sectors
    if asked is None or not asked.sectors:
        return
    missed = asked.missed_sectors / asked.sectors
    group = traffic.groups[asked.group]
    if through_l1(item):  # fills from L2 are written into L1
        filled = asked.misses * shape.sectors * missed
        reals[_REAL["path"]] += filled * machine.value("lsu.fill_sector") * multiprocessor.gap[L1]
    reals[_REAL["misses"]] = asked.misses
    reals[_REAL["joins"]] = asked.joins
    _beyond(item, shape, missed, reals, machine)
    far = served.far[position]
    reals[_REAL["sectors"]] *= served.alone[position]
    reals[_REAL["far_misses"]] = min(1.0, far)
    scattered = multiprocessor.scattered * (PIECE_SECTORS if stores else 1.0) if group.scattered else 1.0
    reals[_REAL["far_sectors"]] = shape.sectors * missed * max(1.0, far) * scattered
    if item.opcode in opcodes.STORES and group.wave_write:
        turn = shape.lines * multiprocessor.store_cycles(group.wave_write / 4, multiprocessors)
        reals[_REAL["serial"]] = max(0.0, turn - reals[_REAL["sectors"]] * multiprocessor.gap[L2])
    if item.opcode in opcodes.ATOMICS:
        floating = any(modifier.startswith("F") for modifier in item.modifiers)
        hot = _hot_lines(traffic.updates.get(position, ()), group.wave_write / 4)
        turn = multiprocessor.atomic_cycles(group.wave_write / 4, multiprocessors, floating=floating, hot=hot)
        reals[_REAL["serial"]] = shape.sectors * turn
        reals[_REAL["latency"]] = machine.cycles("atomic.latency") - before - multiprocessor.latency[L2]


def _hot_lines(updates: tuple[int, ...], lines: float) -> tuple[float, ...]:
    """Fractions of the updates in lines that have far more of them than the others: of all lines, and of those that the
    sampled blocks update, which may be few."""
    total = sum(updates)
    usual = total / max(1.0, min(lines, len(updates)))
    return tuple(count / total for count in updates if count >= _HOT_UPDATES and count > _HOT * usual)


def _shared(
    item: SassInstruction,
    shape: Shape,
    ints: NDArray[np.int32],
    reals: NDArray[np.float64],
    multiprocessor: Multiprocessor,
) -> None:
    """Adds the costs of a shared-memory request. Atomics of lanes on one address are serialised; increments by one are
    counted and done together."""
    serial = 0 if "POPC" in item.modifiers else shape.serial
    wavefronts = max(shape.wavefronts, serial, 1)
    ints[_INT["kind"]], ints[_INT["path_name"]] = _KIND["shared"], NAMES.index(SHARED)
    reals[_REAL["path"]] = wavefronts * multiprocessor.gap[SHARED]
    reals[_REAL["latency"]] = multiprocessor.latency[SHARED] - (
        multiprocessor.machine.cycles("pipeline.address.gap") + 1
    )


def _of_mbarrier(
    item: SassInstruction, shape: Shape, ints: NDArray[np.int32], reals: NDArray[np.float64], there: Multiprocessor
) -> None:
    """Adds the costs of an operation on an mbarrier, and what it does to it (`Memory::synchronise` of the core)."""
    awaits = "PHASECHK" in item.modifiers
    ints[_INT["kind"]] = _KIND["await" if awaits else "arrive" if "ARRIVE" in item.modifiers else "begin"]
    ints[_INT["object"]], ints[_INT["lanes"]] = shape.serial, shape.lanes
    ints[_INT["amount"]] = shape.wavefronts if awaits else shape.sectors
    ints[_INT["path_name"]] = NAMES.index(SHARED)
    reals[_REAL["path"]] = there.gap[SHARED]
    reals[_REAL["latency"]] = there.latency[SHARED] - (there.machine.cycles("pipeline.address.gap") + 1)


def _beyond(item: SassInstruction, shape: Shape, missed: float, reals: NDArray[np.float64], machine: Machine) -> None:
    """Sets the L2 cost of a request, in units of sequentially read sectors."""
    sectors, lines = shape.sectors * missed, shape.lines * missed
    reals[_REAL["sectors"]] = max(sectors, machine.value("level.L2.lone_sector") * lines)
    in_order = sectors >= machine.value("level.L2.ordered_sectors") * lines and not opcodes.writes_memory(item.opcode)
    reals[_REAL["crowds"]] = 0.0 if in_order else 1.0
    if item.opcode in opcodes.STORES:
        stored = (machine.value("level.L2.store_sector"), machine.value("level.L2.store_line"))
        path = (machine.value("level.L2.write_path_sector"), machine.value("level.L2.write_path_line"))
        reals[_REAL["sectors"]] = max(stored[0] * sectors, stored[1] * lines)
        reals[_REAL["written"]] = path[0] * sectors + path[1] * lines


def lane_bytes(item: SassInstruction) -> int:
    """Bytes of one lane."""
    sizes = {"128": 16, "64": 8, "U16": 2, "S16": 2, "16": 2, "U8": 1, "S8": 1, "8": 1}
    return next((sizes[modifier] for modifier in item.modifiers if modifier in sizes), 4)
