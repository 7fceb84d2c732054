"""Computes the costs of every instruction in each executed shape: tables for the timing core."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from foretell.characterize.gpu.memory import LINE
from foretell.core.gpu import opcodes
from foretell.core.gpu.by_syntax import BySyntax
from foretell.core.gpu.sass import INSTRUCTION_BYTES
from foretell.models.gpu.costs.memory_costs import MemoryCosts, Row
from foretell.models.gpu.multiprocessor import BARRIER, ISSUE, L1, L2, MEMORY, NAMES, SHARED
from foretell.models.gpu.timing import INTS, KINDS, REALS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from foretell.characterize.gpu.functional import Execution
    from foretell.characterize.gpu.memory import Traffic
    from foretell.core.gpu.sass import SassInstruction, SassKernel
    from foretell.core.machine.machine import Machine
    from foretell.models.gpu.cache_levels import Levels
    from foretell.models.gpu.multiprocessor import Multiprocessor

_KIND = {name: number for number, name in enumerate(KINDS)}
_INT = {name: column for column, name in enumerate(INTS)}
_REAL = {name: column for column, name in enumerate(REALS)}
#: a sleep takes so many times what it is given: 0.97 to 1.5 (validation/h200/more-programs, clocks.csv)
_SLEPT = 1.2
_WARPGROUP_SHAPE = re.compile(r"(\d{1,3})x(\d{1,3})x(\d{1,3})", re.ASCII)
#: a property of the code, not of a machine: cycles that ptxas puts between an instruction of these units and its first
#: consumer (notes of h100.toml: minimum over 123,196 instructions); stall counts are scaled in proportion for a machine
#: with another latency
_ENCODED = {"fma": 4.0, "imad": 4.0, "alu": 4.0, "fp64": 8.0}


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
    warps: int,
    block: int | None = None,
) -> Ops:
    """Computes the tables of a kernel whose memory requests are distributed as in `traffic` and `served` and of which a
    multiprocessor has `warps`; with `block`, the index of an executed one, of the requests that this one makes."""
    places, text = np.asarray(execution.record.shape_instructions()), _text(kernel)
    executions = np.asarray(execution.record.executions())
    text_ints, text_reals = _rows(kernel, multiprocessor)
    ints, reals = text_ints[places], text_reals[places]
    ints[:, _INT["instruction"]] = places
    reals[:, _REAL["fetch"]] = (
        _fetch(executions, multiprocessor.machine, warps) * multiprocessor.gap[ISSUE]
        + _held(text, multiprocessor.machine)[places]
    )
    read = max(0, execution.record.constants_to - execution.record.constants_from)
    costs = MemoryCosts(traffic, served, multiprocessor, multiprocessors, read)
    wanted = None if block is None else execution.record.shapes_of_block(block)
    for number, shape in enumerate(execution.record.request_shapes(), len(executions)):
        if wanted is not None and not wanted[number]:
            continue
        place = shape.instruction
        costs.add(Row(kernel.instructions[place], place, shape, ints[number], reals[number]))
    _forget_unread(ints, reals, (executions > 0)[places])
    return Ops(ints, reals, {NAMES.index(name): multiprocessor.latency[name] for name in (L2, MEMORY)})


def busiest_unit(kernel: SassKernel, multiprocessor: Multiprocessor, executions: NDArray[np.float64]) -> float:
    """Cycles of the busiest unit, all sub-cores together, for so many executions of each instruction."""
    ints, reals = _rows(kernel, multiprocessor)
    busy = np.bincount(ints[:, _INT["unit"]], executions * reals[:, _REAL["gap"]])
    return float(busy.max(initial=0.0))


def _forget_unread(ints: NDArray[np.int32], reals: NDArray[np.float64], executed: NDArray[np.bool_]) -> None:
    """Zeroes numbers that the timing core never reads, so that machines that do not differ for a kernel have equal
    tables."""
    awaited = (ints[:, _INT["write"]] >= 0) | np.isin(ints[:, _INT["kind"]], (_KIND["product"], _KIND["fence"]))
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
            reals[selected, _REAL["busiest"]] *= factor
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
    the encoded stall count, work in units of one instruction, bytes of shared memory that a product of a warpgroup
    reads, the nanoseconds that it sleeps, and flags: 64-bit product, shuffle, match of lanes, barrier of a cluster,
    fence, vote at a barrier, jump through a table, access to global memory, textures or shared memory."""

    ints: NDArray[np.int32]
    unit: NDArray[np.intp]
    stall: NDArray[np.float64]
    work: NDArray[np.float64]
    operand_bytes: NDArray[np.float64]
    wide: NDArray[np.bool_]
    shuffles: NDArray[np.bool_]
    matches: NDArray[np.bool_]
    clusters: NDArray[np.bool_]
    fences: NDArray[np.bool_]
    sleeps: NDArray[np.float64]
    votes: NDArray[np.bool_]
    indexed: NDArray[np.bool_]
    globals: NDArray[np.bool_]
    textures: NDArray[np.bool_]
    shared: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class _Syntax:
    """The same of one instruction, as far as its syntax says it; `words` is the number of registers of an operand."""

    kind: int
    unit: int
    groups: int
    work: float
    operand_bytes: float
    wide: bool
    shuffles: bool
    matches: bool
    clusters: bool
    fences: bool
    sleeps: float
    votes: bool
    indexed: bool
    globals: bool
    textures: bool
    shared: bool
    words: int


class _Parsed(NamedTuple):
    """`sources`: the registers that an instruction reads in each slot of operands."""

    syntax: _Syntax
    sources: tuple[int, ...]


#: opcodes of which operands tell more than which registers are read
_TOLD_BY_OPERANDS = frozenset({"DEPBAR", "WARPGROUP", "NANOSLEEP"})
#: what opcodes with their modifiers say of all other instructions
_OF_OPCODES: dict[tuple[str, tuple[str, ...]], _Syntax] = {}


def _parsed(item: SassInstruction) -> _Parsed:
    if item.opcode in _TOLD_BY_OPERANDS or opcodes.unit(item.opcode) == "tensor" or _warpgroup_scoreboard(item):
        return _Parsed(_syntax(item), _sources(item))
    key = item.opcode, item.modifiers
    known = _OF_OPCODES.get(key)
    if known is None:
        known = _OF_OPCODES[key] = _syntax(item)
    return _Parsed(known, _sources(item))


def _syntax(item: SassInstruction) -> _Syntax:
    opcode = item.opcode
    return _Syntax(
        kind=_KIND[_kind(item)],
        unit=NAMES.index(_unit(item)),
        groups=_groups_left(item),
        work=_work(item),
        operand_bytes=_operand_bytes(item),
        wide=_wide(item),
        shuffles=opcode in ("SHFL", "MATCH"),
        matches=matches_lanes(item),
        clusters=opcode == "UCGABAR_WAIT",
        fences=_fences(item),
        sleeps=_sleeps(item),
        votes=opcode == "B2R" and "RESULT" in item.modifiers,
        indexed=opcode in ("BRX", "BRXU"),
        globals=opcode in opcodes.GLOBAL,
        textures=opcode in opcodes.TEXTURES,
        shared=opcode in opcodes.SHARED,
        words=2 if opcodes.unit(opcode) == "fp64" else 1,
    )


#: cycles of a match of lanes for each different value among them: of its latency, and of the path that all warps share
#: (validation/h200/launch-costs, costs.csv: 38.4 cycles with one value and 11.0 more for each other; eight warps 64.1
#: a warp, with 32 values)
_MATCH_LATENCY, _MATCH_PATH = 11.0, 2.0
#: how many values are assumed: 32 digits of four bits at random have 16 (1 - (15/16)^32) of them
MATCHED_VALUES = 14
MATCHED_NOTE = f"lanes that are matched have {MATCHED_VALUES} different values (digits of four bits at random)"


def matches_lanes(item: SassInstruction) -> bool:
    """Whether the time of an instruction depends on how many different values the lanes have (__match_any_sync)."""
    return item.opcode == "MATCH" and "ANY" in item.modifiers


_PARSED = BySyntax(_parsed)
_FLAGS = ("wide", "shuffles", "matches", "clusters", "fences", "votes", "indexed", "globals", "textures", "shared")


@lru_cache(maxsize=8)
def _text(kernel: SassKernel) -> _Text:
    items = kernel.instructions
    parsed = _PARSED.of_all(items)
    told = [item.syntax for item in parsed]
    columns = {
        "kind": [item.kind for item in told],
        "unit": [item.unit for item in told],
        "wait": [item.control.wait_mask for item in items],
        "write": [_counter(item.control.write_barrier) for item in items],
        "read": [_counter(item.control.read_barrier) for item in items],
        "groups": [item.groups for item in told],
    }
    ints = np.zeros((len(items), len(_INT)), np.int32)
    for name, values in columns.items():
        ints[:, _INT[name]] = values
    ints[:, [_INT["even_ports"], _INT["odd_ports"]]] = _ports(items, parsed)
    flags = {name: np.array([getattr(item, name) for item in told]) for name in _FLAGS}
    for name, path in (("shuffles", "lsu"), ("textures", L1), ("shared", SHARED), ("votes", BARRIER)):
        ints[flags[name], _INT["path_name"]] = NAMES.index(path)
    return _Text(
        ints=ints,
        unit=np.array(columns["unit"], np.intp),
        stall=np.array([float(item.control.stall) for item in items]),
        work=np.array([item.work for item in told]),
        operand_bytes=np.array([item.operand_bytes for item in told]),
        sleeps=np.array([item.sleeps for item in told]),
        **flags,
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
    slept = text.sleeps * 1e-9 * machine.value("clock.frequency")
    reals[:, _REAL["stall"]] = np.maximum(reals[:, _REAL["stall"]], slept)
    reals[text.clusters, _REAL["more_latency"]] = machine.cycles("sync.cluster")
    waits = text.unit != NAMES.index("lsu")
    operands = text.operand_bytes * multiprocessor.gap[SHARED] / LINE
    reals[:, _REAL["gap"]] = np.maximum(np.where(waits, gap[text.unit] * work, 1.0), operands)
    reals[:, _REAL["latency"]] = latency[text.unit]
    reals[text.operand_bytes > 0, _REAL["latency"]] = machine.cycles("pipeline.warpgroup.latency")
    reals[text.fences, _REAL["latency"]] = machine.cycles("sync.fence")
    reals[text.fences, _REAL["more_latency"]] = machine.cycles("sync.fence_requests")
    reals[text.fences, _REAL["serial"]] = machine.cycles("sync.fence_gap")
    reals[:, _REAL["read_latency"]] = machine.cycles("lsu.operand_read")
    reals[text.shuffles, _REAL["path"]] = 1.0
    reals[text.indexed, _REAL["stall"]] = machine.cycles("issue.indexed")
    reals[text.indexed, _REAL["gap"]] = machine.cycles("issue.indexed_gap")
    reals[text.indexed, _REAL["again"]] = machine.cycles("issue.indexed_again")
    reals[text.votes, _REAL["path"]] = machine.cycles("sync.vote")
    reals[text.textures, _REAL["path"]] = texels * multiprocessor.gap[L1]
    reals[text.shared, _REAL["path"]] = multiprocessor.gap[
        SHARED
    ]  # also where all lanes are predicated off (t_normalise)
    reals[text.shuffles, _REAL["latency"]] = machine.cycles("pipeline.shuffle.latency") - address_gap - 1
    reals[text.matches, _REAL["path"]] = _MATCH_PATH * MATCHED_VALUES
    reals[text.matches, _REAL["latency"]] += _MATCH_LATENCY * (MATCHED_VALUES - 1)
    reals[text.textures, _REAL["latency"]] = multiprocessor.latency[L1] - address_gap - 1  # assumed to hit in L1
    return text.ints, reals


#: of a multiprocessor
_SUBCORES = 4


def _fetch(executions: NDArray[np.uint64], machine: Machine, warps: int) -> float:
    """Cycles to fetch an instruction: more than one if the hot code exceeds the instruction caches. Warps of a sub-core
    that are near each other share what is fetched, as if a root of their number went in step: loops of 64 and 128 KiB
    take 2.63, 1.89 and 1.34 cycles an instruction with 1, 4 and 16 warps (validation/h200/loops, l_code_4096)."""
    loop_bytes = int((executions > 2 * max(1, int(executions[0]))).sum()) * INSTRUCTION_BYTES
    for size, miss in (("icache.outer_size", "icache.outer_miss"), ("icache.size", "icache.miss")):
        if loop_bytes >= machine.value(size):
            return 1.0 + (machine.cycles(miss) - 1.0) / math.sqrt(max(1.0, warps / _SUBCORES))
    return 1.0


def _held(text: _Text, machine: Machine) -> NDArray[np.float64]:
    """Cycles that the sub-core is blocked after each instruction, if its operands take more than one: of double
    precision, one for each further operand that is read (validation/h200/loops, l_double_root: 31 cycles for 20
    instructions with 9 further operands; l_dfma_mad, whose operands are reused, 1.1 for each instruction)."""
    address = np.where(text.globals, machine.cycles("issue.wide_address"), 0.0)
    further = np.maximum(0.0, text.ints[:, _INT["even_ports"]] - 1.0)  # an operand is of both banks
    address = np.where(text.unit == NAMES.index("fp64"), further, address)
    return np.where(text.wide, machine.cycles("issue.wide_product"), address)


def _wide(item: SassInstruction) -> bool:
    """Whether it is a 64-bit product, or its upper half."""
    return item.opcode == "IMAD" and bool({"WIDE", "HI"} & set(item.modifiers))


def _unit(item: SassInstruction) -> str:
    """The unit of an instruction. HFMA2.MMA is the FMA pipe's version of HFMA2."""
    return "fma" if item.opcode == "HFMA2" and "MMA" in item.modifiers else opcodes.unit(item.opcode)


def _fences(item: SassInstruction) -> bool:
    """Whether it waits until other multiprocessors see what the warp has written."""
    return item.opcode == "MEMBAR" and bool({"GPU", "SYS", "VC"} & set(item.modifiers))


def _sleeps(item: SassInstruction) -> float:
    """Nanoseconds that NANOSLEEP is given: it may take from none to twice as many (PTX ISA, nanosleep). A number in a
    register, as of a loop that waits longer and longer, counts as none."""
    given = item.operands[0] if item.opcode == "NANOSLEEP" and item.operands else None
    return _SLEPT * int(given.text, 16) if given is not None and given.kind == "immediate" else 0.0


def _kind(item: SassInstruction) -> str:
    if item.opcode in ("BAR", "UCGABAR_WAIT"):
        return "pass" if "ARV" in item.modifiers else "barrier"
    if _fences(item):
        return "fence"
    if _warpgroup_scoreboard(item):
        return "products" if item.opcode == "WARPGROUP" else "product"
    return {"EXIT": "exit", "LDGDEPBAR": "commit", "DEPBAR": "drain"}.get(item.opcode, "plain")


def _warpgroup_scoreboard(item: SassInstruction) -> bool:
    """Whether it ends a group of products of a warpgroup (HGMMA … gsb0) or waits for some (WARPGROUP.DEPBAR gsb0)."""
    return any(operand.kind == "other" and operand.text.startswith("gsb") for operand in item.operands)


def _groups_left(item: SassInstruction) -> int:
    """Outstanding groups that a wait allows: DEPBAR.LE SB0,0x2 waits until two are left; others wait for all."""
    if item.opcode not in ("DEPBAR", "WARPGROUP"):
        return 0
    numbers = [operand.value for operand in item.operands if operand.kind == "immediate"]
    return min(255, max(0, numbers[-1])) if numbers else 255


def _work(item: SassInstruction) -> float:
    """Matrix products in units of m16n8k16 in half precision; other instructions count one. m16n8k8 of TF32 takes as
    long (validation/h200/tensor, x_peak_tf32). m8n8k4 in double precision has 256 products at 32 a cycle and sub-core
    (67 Tflop/s of the H100 and H200), so 8 cycles, where the unit takes 6.6; m16n8k16 of a warpgroup's product takes
    4.4 cycles (validation/h200/micro, mechanisms.jsonl: 70.5 for 64 by 128; 989 Tflop/s at 1830 MHz are 4)."""
    if opcodes.unit(item.opcode) != "tensor":
        return 1.0
    shapes = {"16816": 1.0, "1688": 0.5, "16832": 1.0, "16864": 1.0, "8816": 0.5, "884": 8 / 6.6}
    if "TF32" in item.modifiers and "1688" in item.modifiers:
        return 1.0
    for modifier in item.modifiers:
        if modifier in shapes:
            return shapes[modifier]
    shape = _warpgroup_shape(item)
    return math.prod(shape) / 4 / (16 * 8 * 16) * (4.4 / 6.6) if shape else 1.0


def _warpgroup_shape(item: SassInstruction) -> tuple[int, int, int] | None:
    """Rows, columns and depth of a product of a warpgroup (HGMMA.64x128x16); none where it names no such shape."""
    if opcodes.unit(item.opcode) != "tensor":
        return None
    shape = next(filter(None, map(_WARPGROUP_SHAPE.fullmatch, item.modifiers)), None)
    return (int(shape[1]), int(shape[2]), int(shape[3])) if shape else None


def _operand_bytes(item: SassInstruction) -> float:
    """Bytes that a product of a warpgroup reads from shared memory, m by n by k of 32 bytes: n rows, and m rows where
    the left operand is not in registers (HGMMA R24, R4, gdesc[UR8], R24)."""
    shape = _warpgroup_shape(item)
    if not shape:
        return 0.0
    m, n, _ = shape
    sources = item.operands[item.destinations :]
    return 32.0 * (n if sources and sources[0].kind == "register" else m + n)


def _sources(item: SassInstruction) -> tuple[int, ...]:
    """Registers that an instruction reads, by slot."""
    found = [
        operand.registers[0]
        for operand in item.operands[item.destinations :]
        if operand.space == "R" and operand.kind == "register" and operand.registers
    ]
    return tuple([register.index for register in found if register])


def _ports(items: Sequence[SassInstruction], parsed: Sequence[_Parsed]) -> list[tuple[int, int]]:
    """Operands that each instruction reads from even and odd register banks, without those in the reuse cache (marked
    by the instruction before in the same slot). Operands of double precision have a cache of their own: products of
    32 bits between them do not replace what it holds (validation/h200/loops, l_dfma_mad: 2.2 cycles for a pair)."""
    ports = []
    caches: dict[int, dict[int, int]] = {1: {}, 2: {}}  # by words of an operand
    for item, (syntax, slots) in zip(items, parsed, strict=True):
        held = caches[syntax.words]
        if not held and syntax.words == 1:
            read = set(slots)
        else:
            read = {
                index + k for slot, index in enumerate(slots) if held.get(slot) != index for k in range(syntax.words)
            }
        odd = sum(index & 1 for index in read)
        ports.append((len(read) - odd, odd))
        reuse = item.control.reuse
        caches[syntax.words] = {slot: index for slot, index in enumerate(slots) if reuse >> slot & 1} if reuse else {}
    return ports
