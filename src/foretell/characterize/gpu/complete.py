"""Complete execution of kernels, in the compiled core: every warp of every block, all values, memory as real bytes."""

from __future__ import annotations

import math
import os
import struct
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from foretell import _core, limits
from foretell.characterize.gpu.complete_record import Fault, HeapCalls, LinkTraffic, Printing, Race, Record
from foretell.characterize.gpu.program import program_of as functional_program
from foretell.characterize.gpu.waits_for_others import waiting
from foretell.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from foretell.core.gpu.image import DeviceImage
    from foretell.core.gpu.launch import Dim3
    from foretell.core.gpu.sass import SassKernel

#: warp instructions of a launch
BUDGET = 10_000_000_000
#: threads of a block (CUDA programming guide, technical specifications), and bytes of shared memory far above any GPU
_MOST_THREADS, _MOST_SHARED = 1024, 1 << 24
_GRID_LIMITS = ((1 << 31) - 1, 65535, 65535)
#: bytes of local memory of a thread beyond the kernel's own frame: for calls whose depth is not known
_STACK_BYTES = 1 << 16
#: bytes of local memory that a thread can have (CUDA programming guide, technical specifications)
_MOST_STACK = 1 << 19
#: offsets in constant bank 0 (see characterize.gpu.functional)
_STACK, _LATER_STACK, _WINDOWS, _LATER_LOCAL_WINDOW = 0x28, 0x37C, 0x18, 0x2F8
#: the first architecture whose launch values are behind a reserved area
_LATER = 100
#: offsets of the upper and lower half of the pointer to the grid barrier of a cooperative launch, and its address
_GRID_PLACE, _EARLIER_GRID_PLACE, _GRID, _GRID_BYTES = 0x44, 0x8C, 0x7C00_0000_0000, 256
_BANK_BYTES = 0x1000
#: compute capability whose clusters, and copies of tiles, are executed
_WITH_CLUSTERS = 90
#: offset of the address of the parameters in memory, where tensor maps are read, and an address for them
_PARAMETERS_PLACE, _PARAMETERS = 0x198, 0x7B00_0000_0000
#: offsets of what a launch with clusters has: 1, sizes of a cluster in blocks, their reciprocals and the sizes of
#: the grid in clusters; blocks of a cluster
_CLUSTER_PLACE, _CLUSTER_BLOCKS_PLACE = 0x140, 0x188
#: blocks of a cluster (CUDA programming guide: 16 where the kernel allows it)
_MOST_BLOCKS = 16
#: memory for each word of global memory that is looked at for races: some accesses of it
_BYTES_FOR_A_WORD = 512
#: addresses below the first come from a null pointer (Linux maps nothing there); memory that is farther is not named
_NULL_PAGE, _NEAR = 1 << 16, 1 << 30
#: addresses of arrays that `run` chooses
_FIRST_ADDRESS, _ALIGNMENT = 0x7F00_0000_0000, 1 << 21


@dataclass(frozen=True, slots=True)
class Program:
    """A kernel decoded for complete execution. `refused` are instructions that it has and that cannot be executed."""

    kernel: SassKernel
    core: _core.CompleteKernel = field(repr=False, compare=False)

    @property
    def refused(self) -> tuple[str, ...]:
        return tuple(self.core.refused)


@dataclass(frozen=True, slots=True)
class Region:
    """Device memory from `address` on is memory of this process from `pointer` on."""

    address: int
    size: int
    pointer: int
    writable: bool = True
    name: str = ""
    #: memory of the host, which kernels reach over the link
    over_link: bool = False
    #: memory whose pages may be away
    managed: bool = False
    owner: object = field(default=None, repr=False, compare=False)

    @classmethod
    def of(cls, address: int, array: np.ndarray, *, writable: bool = True, name: str = "") -> Region:
        """An array as device memory; it is written in place."""
        if not array.flags.c_contiguous or (writable and not array.flags.writeable):
            raise InputError(f"the array {name or 'given'} is not contiguous and writable memory")
        return cls(address, array.nbytes, array.ctypes.data, writable, name, owner=array)


@dataclass(frozen=True, slots=True)
class ManagedPages:
    """Pages of 64 KiB from `address` on, each in a state: a launch marks those that it fetches."""

    address: int
    states: np.ndarray = field(repr=False)
    #: on the device or not managed, elsewhere, and elsewhere until this launch
    HERE: ClassVar[int] = 0
    AWAY: ClassVar[int] = 1
    FETCHED: ClassVar[int] = 2


def program_of(kernel: SassKernel) -> Program:
    """Decodes a kernel, once for its launches."""
    return Program(kernel, _core.CompleteKernel(functional_program(kernel)))


def execute(
    program: Program,
    *,
    grid: Dim3,
    block: Dim3,
    parameters: bytes = b"",
    memory: Sequence[Region] = (),
    banks: Mapping[int, bytes] | None = None,
    dynamic_shared: int = 0,
    shared_unit: int = 1,
    cluster: Dim3 = (1, 1, 1),
    cooperative: bool = False,
    threads: int = 0,
    budget: int = BUDGET,
    memory_file: int = -1,
    heap: tuple[int, int] = (0, 0),
    check_races: bool = False,
    clock_ghz: float = 1.0,
    managed: ManagedPages | None = None,
) -> Record:
    """Executes a launch; what goes wrong in it is the record's `error`. Results do not depend on `threads`. LimitError:
    it occupies more memory than the limit; `memory_file` is the file behind the regions, whose pages count as well.
    `heap` is address and size of memory for malloc in kernels, among the regions; it is zero at first, and what it
    holds lives on. `check_races` looks for accesses without an order between them, in one thread.
    A block gets, and may access, whole units of `shared_unit` bytes of shared memory.
    `clock_ghz`: cycles of the clock for a nanosecond of the timer. `managed`: pages of which some are not on the
    device."""
    kernel = program.kernel
    _check(kernel, grid, block, parameters, dynamic_shared, cluster)
    launch = _core.CompleteLaunch()
    launch.grid, launch.block, launch.cluster = list(grid), list(block), list(cluster)
    launch.shared_bytes = -(-(kernel.shared_bytes + dynamic_shared) // shared_unit) * shared_unit
    launch.local_bytes = local = _STACK_BYTES + -(-kernel.stack_bytes // 16) * 16
    launch.heap_address, launch.heap_bytes = heap
    launch.threads = 1 if heap[1] and _calls_system(kernel) else threads or os.cpu_count() or 1
    launch.budget, launch.cooperative, launch.clock_ghz = budget, cooperative, clock_ghz
    launch.memory_bytes, launch.memory_file = limits.memory_bytes(), memory_file
    in_clusters = cluster != (1, 1, 1)  # what blocks of a cluster do to each other is not looked at
    launch.check_races = check_races and not in_clusters
    launch.race_words = limits.memory_bytes() // _BYTES_FOR_A_WORD
    first = _parameter_bank(kernel, grid, block, parameters, local, cooperative=cooperative)
    struct.pack_into("<I", first, kernel.layout.dynamic_shared, dynamic_shared)
    if kernel.arch == _WITH_CLUSTERS:
        _add_cluster(first, grid, cluster)
    launch.set_bank(0, bytes(first))
    for bank, data in (banks if banks is not None else dict(kernel.constants)).items():
        launch.set_bank(bank, bytes(data))
    own = _own_regions(kernel, parameters, cooperative=cooperative)
    regions = sorted([*memory, *own], key=lambda region: region.address)
    _add_regions(launch, regions)
    if managed is not None:
        launch.set_managed(managed.address, managed.states.size, managed.states.ctypes.data)
    record = _record(program, regions, grid, block, program.core.execute(launch))
    return replace(record, races_limited=True) if check_races and in_clusters else record


def _calls_system(kernel: SassKernel) -> bool:
    """Whether a kernel may call malloc, whose addresses depend on the order of calls."""
    return any(item.opcode == "CALL" and "ABS" in item.modifiers for item in kernel.instructions)


def _own_regions(kernel: SassKernel, parameters: bytes, *, cooperative: bool) -> list[Region]:
    """Memory of the launch itself: the grid barrier, and the parameters (tensor maps are read there)."""
    result = []
    if cooperative:
        result.append(Region.of(_GRID, np.zeros(_GRID_BYTES, np.uint8), name="grid barrier"))
    if kernel.arch == _WITH_CLUSTERS and parameters:
        passed = np.frombuffer(parameters, np.uint8)
        result.append(Region.of(_PARAMETERS, passed, writable=False, name="the parameters"))
    return result


def _check(kernel: SassKernel, grid: Dim3, block: Dim3, parameters: bytes, dynamic_shared: int, cluster: Dim3) -> None:
    """Refuses a launch that cannot be."""
    if min(*grid, *block, *cluster) < 1 or math.prod(block) > _MOST_THREADS:
        raise InputError(f"a block of {block} threads in a grid of {grid} cannot be launched")
    if any(size > most for size, most in zip(grid, _GRID_LIMITS, strict=True)):
        raise InputError(f"a grid of {grid} blocks cannot be launched")
    if cluster != (1, 1, 1):
        _check_cluster(kernel, grid, cluster)
    if not 0 <= dynamic_shared <= _MOST_SHARED - kernel.shared_bytes:
        fixed = f"{kernel.shared_bytes} bytes of shared memory"
        raise InputError(f"a block cannot have {fixed} and {dynamic_shared} of dynamic shared memory")
    if kernel.stack_bytes > _MOST_STACK:
        raise InputError(f"a thread cannot have {kernel.stack_bytes} bytes of local memory")
    wanted = max((item.offset + item.size for item in kernel.parameters), default=0)
    if len(parameters) < wanted:
        raise InputError(f"the parameters of {kernel.name} have {wanted} bytes, {len(parameters)} are given")


def _check_cluster(kernel: SassKernel, grid: Dim3, cluster: Dim3) -> None:
    if kernel.arch != _WITH_CLUSTERS:
        raise InputError(f"clusters are executed in code of sm_90, not of sm_{kernel.arch}")
    if math.prod(cluster) > _MOST_BLOCKS or any(size % own for size, own in zip(grid, cluster, strict=True)):
        raise InputError(f"clusters of {cluster} blocks in a grid of {grid} cannot be launched")


def _add_cluster(bank: bytearray, grid: Dim3, cluster: Dim3) -> None:
    """What kernels read of their cluster: sizes, and reciprocals that are not too small, so that products with them are
    cut to the right quotients."""
    across = [size // own for size, own in zip(grid, cluster, strict=True)]
    reciprocals = [np.float32(1 / own) for own in cluster]
    above = [
        value if value * own >= 1 else np.nextafter(value, np.float32(1))
        for value, own in zip(reciprocals, cluster, strict=True)
    ]
    struct.pack_into("<4I3f3I", bank, _CLUSTER_PLACE, cluster != (1, 1, 1), *cluster, *above, *across)
    struct.pack_into("<I", bank, _CLUSTER_BLOCKS_PLACE, math.prod(cluster))


def _parameter_bank(
    kernel: SassKernel, grid: Dim3, block: Dim3, parameters: bytes, local: int, *, cooperative: bool
) -> bytearray:
    """Constant bank 0: the launch values, and the parameters."""
    layout = kernel.layout
    bank = bytearray(max(_BANK_BYTES, layout.parameters + len(parameters)))
    struct.pack_into("<3I", bank, layout.block_dim, *block)
    struct.pack_into("<3I", bank, layout.grid_dim, *grid)
    shared_window, local_window = _core.functional_windows()
    if kernel.arch >= _LATER:
        struct.pack_into("<I", bank, _LATER_STACK, local)
        struct.pack_into("<Q", bank, _LATER_LOCAL_WINDOW, local_window)
    else:
        struct.pack_into("<I", bank, _STACK, local)
        struct.pack_into("<2Q", bank, _WINDOWS, shared_window, local_window)
        if cooperative:  # the upper half comes first
            place = _GRID_PLACE if kernel.arch >= 90 else _EARLIER_GRID_PLACE
            struct.pack_into("<2I", bank, place, _GRID >> 32, _GRID & 0xFFFF_FFFF)
    if kernel.arch == _WITH_CLUSTERS:
        struct.pack_into("<Q", bank, _PARAMETERS_PLACE, _PARAMETERS)
    bank[layout.parameters : layout.parameters + len(parameters)] = parameters
    return bank


def _add_regions(launch: _core.CompleteLaunch, regions: list[Region]) -> None:
    end, before = 0, ""
    for region in regions:
        if region.address < end:
            raise InputError(f"the memory {region.name or hex(region.address)} overlaps {before}")
        if region.size:
            kinds = (region.over_link, region.managed)
            launch.add_region(region.address, region.size, region.pointer, region.writable, *kinds)
        end, before = region.address + region.size, region.name or hex(region.address)


def _record(program: Program, regions: list[Region], grid: Dim3, block: Dim3, result: _core.CompleteRecord) -> Record:
    executions = result.executions()
    opcodes: Counter[str] = Counter()
    for item, count in zip(program.kernel.instructions, executions.tolist(), strict=True):
        if count:
            opcodes[item.opcode] += count
    fault = result.fault
    error = None
    if fault.kind == _core.CompleteFaultKind.memory:
        raise limits.too_much(f"a launch of {program.kernel.name} occupies")
    if fault.kind != _core.CompleteFaultKind.none:
        error = _fault(program.kernel, regions, grid, block, fault)
    return Record(
        instructions=result.instructions,
        opcodes=dict(opcodes),
        executions=executions,
        printed="".join(result.printed),
        error=error,
        threads=result.threads,
        waited=result.waited,
        longest_wait=result.longest_wait,
        link=_link_traffic(result.link),
        waiting=waiting(program.kernel, executions),
        faults_in_turn=result.faults_in_turn,
        printing=_printing(result.printing),
        heap=_heap_calls(result.heap),
        races=tuple(_race(program.kernel, grid, block, race) for race in result.races),
        races_limited=result.races_limited,
    )


def _link_traffic(link: _core.CompleteLinkTraffic) -> LinkTraffic | None:
    """None where no memory of the host was used."""
    if not (link.sectors or link.runs or link.updates):
        return None
    return LinkTraffic(
        link.lines, link.sectors, link.written, link.runs, link.updates, link.rounds, link.longest_rounds
    )


def _printing(printing: _core.CompletePrinting) -> Printing | None:
    """None where nothing was printed."""
    return Printing(printing.calls, printing.lines, printing.longest) if printing.calls else None


def _heap_calls(heap: _core.CompleteHeapCalls) -> HeapCalls | None:
    """None where the heap was not used."""
    return HeapCalls(heap.taken, heap.given, heap.longest) if heap.longest else None


def _race(kernel: SassKernel, grid: Dim3, block: Dim3, race: _core.CompleteRace) -> Race:
    sides = (race.first, race.second)
    items = [kernel.instructions[side.instruction] for side in sides]
    first, second = (
        f"{'write' if side.writes else 'read'} at {item.offset:#x}"
        + (f", line {item.line}" if item.line else "")
        + f" by thread {_three(side.thread, block)} of block {_three(side.block, grid)}"
        for side, item in zip(sides, items, strict=True)
    )
    space = "shared" if race.shared else "global"
    more = f" ({race.count} times at these instructions)" if race.count > 1 else ""
    return Race(
        message=f"race in {space} memory at {race.address:#x}: {first}, and {second}, without an order between{more}",
        offsets=(items[0].offset, items[1].offset),
        lines=(items[0].line or 0, items[1].line or 0),
        shared=race.shared,
        count=race.count,
    )


def _three(number: int, sizes: Dim3) -> Dim3:
    """The place of a number in a block or grid."""
    x, y, _ = sizes
    return number % x, number // x % y, number // x // y


def _fault(kernel: SassKernel, regions: list[Region], grid: Dim3, block: Dim3, fault: _core.CompleteFault) -> Fault:
    item = kernel.instructions[min(fault.instruction, len(kernel.instructions) - 1)]
    place, thread = _three(fault.block, grid), _three(fault.thread, block)
    kind = fault.kind.name.replace("_", " ")
    waits = tuple(f"warp {warp}: {_located(kernel, text)}" for warp, text in fault.waits)
    where = f"{kernel.name} {item.offset:#x}" + (f", line {item.line}" if item.line else "")
    message = f"{_problem(kind, fault, regions)} at {where} by thread {thread} of block {place}"
    return Fault(
        kind, message, item.full_opcode, item.offset, item.line, place, thread, fault.address, fault.size, waits
    )


def _located(kernel: SassKernel, text: str) -> str:
    """Where a warp waits: the core gives the number of the instruction."""
    what, _, number = text.rpartition("@")
    item = kernel.instructions[min(int(number), len(kernel.instructions) - 1)]
    return f"{what} at {item.offset:#x}" + (f", line {item.line}" if item.line else "")


def _problem(kind: str, fault: _core.CompleteFault, regions: list[Region]) -> str:
    """What went wrong, in words."""
    if kind in ("out of bounds", "misaligned", "read only"):
        action = "write" if fault.is_store else "read"
        text = f"{kind}: {fault.space} {action} of {fault.size} bytes at {fault.address:#x}"
        return text + (_nearest(fault.address, regions) if fault.space == "global" else "")
    words = {
        "deadlock": "deadlock: all warps of the block wait",
        "budget": "the budget of instructions is used up (--limit-time raises this limit)",
        "trap": "the kernel trapped",
        "unsupported": f"unsupported: {fault.detail}",
        "assertion": f"assertion failed: {fault.detail}",
    }
    return words.get(kind, f"{kind}: {fault.detail}")


def _nearest(address: int, regions: list[Region]) -> str:
    """The memory that an address is near to, as compute-sanitizer tells it."""
    if address < _NULL_PAGE:
        return ", which is a null pointer" + (f" and {address} bytes" if address else "")
    known = [region for region in regions if region.size]
    if not known:
        return ""
    best = min(known, key=lambda region: max(region.address - address, address - region.address - region.size + 1, 0))
    name = best.name or f"the allocation at {best.address:#x}"
    if not best.address - _NEAR < address < best.address + best.size + _NEAR:
        return ", far from all memory of the program"
    if address < best.address:
        return f", {best.address - address} bytes before {name}"
    if address >= best.address + best.size:
        distance = address - best.address - best.size + 1
        return f", {distance} byte{'s' if distance > 1 else ''} after {name} of {best.size} bytes"
    return f", in {name}"


def run(
    program: Program,
    image: DeviceImage | None,
    grid: Dim3,
    block: Dim3,
    arguments: Sequence[np.ndarray | float | bytes],
    *,
    dynamic_shared: int = 0,
    cooperative: bool = False,
    threads: int = 0,
    budget: int = BUDGET,
    module_memory: np.ndarray | None = None,
    check_races: bool = False,
    memory_file: int = -1,
) -> Record:
    """Executes a kernel with numpy arrays, which are written in place, and numbers.

    `module_memory` keeps the module's variables from launch to launch; without it they are as the image has them.
    `memory_file` is the file behind the arrays, where they are mapped.
    """
    kernel = program.kernel
    if len(arguments) != len(kernel.parameters):
        raise InputError(f"{kernel.name} has {len(kernel.parameters)} parameters, {len(arguments)} are given")
    memory, parameters, address = [], bytearray(), _FIRST_ADDRESS
    for parameter, argument in zip(kernel.parameters, arguments, strict=True):
        if parameter.offset < len(parameters):
            raise InputError(f"the parameters of {kernel.name} overlap")
        parameters.extend(bytes(parameter.offset - len(parameters)))
        if isinstance(argument, np.ndarray):
            memory.append(Region.of(address, argument, name=f"argument {parameter.ordinal}"))
            parameters += struct.pack("<Q", address)
            address += -(-argument.nbytes // _ALIGNMENT) * _ALIGNMENT + _ALIGNMENT
        else:
            parameters += _number(argument, parameter.size)
    banks = None
    if image is not None:
        banks = image.banks(kernel.name, address)
        own = np.frombuffer(bytearray(image.contents(address)), np.uint8) if module_memory is None else module_memory
        if image.size:
            memory.append(Region.of(address, own, name="the module's variables"))
    return execute(
        program, grid=grid, block=block, parameters=bytes(parameters), memory=memory, banks=banks,
        dynamic_shared=dynamic_shared, cooperative=cooperative, threads=threads, budget=budget,
        check_races=check_races,
        memory_file=memory_file,
    )  # fmt: skip


def _number(value: object, size: int) -> bytes:
    """A number in the bytes of its parameter: numpy's types keep theirs, Python's take the size."""
    if isinstance(value, bytes):
        data = value
    elif isinstance(value, np.generic):
        data = value.tobytes()
    elif isinstance(value, float):
        data = struct.pack({2: "<e", 4: "<f"}.get(size, "<d"), value)
    elif isinstance(value, int):
        data = value.to_bytes(16, "little", signed=True)[:size]
    else:
        raise InputError(f"{value!r} is neither an array nor a number")
    if len(data) != size:
        raise InputError(f"a parameter has {size} bytes, {len(data)} are given")
    return data
