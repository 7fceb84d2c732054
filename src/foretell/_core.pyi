"""
Compiled inner loops of foretell; use the Python modules that wrap them.
"""

from collections.abc import Sequence
import enum
from typing import Annotated

import numpy
from numpy.typing import NDArray


class CacheAccess(enum.Enum):
    load = 0

    store = 1

class CacheGeometry:
    def __init__(self, *, sets: int, ways: int, line: int) -> None: ...

class CacheBound:
    def __init__(self, *, constant: int, coefficients: Sequence[int], others: Sequence[CacheBound]) -> None: ...

class CacheLoop:
    def __init__(self, *, first: CacheBound, end: CacheBound, step: int) -> None: ...

class CacheReference:
    def __init__(self, *, base: int, strides: Sequence[int], bytes: int, kind: CacheAccess) -> None: ...

class CacheSimulator:
    def __init__(self, levels: Sequence[CacheGeometry], references: int, vectors: bool) -> None: ...

    def run_nest(self, loops: Sequence[CacheLoop], references: Sequence[CacheReference], first: int, limit: int) -> int:
        """The accesses of a loop nest; returns how many they were."""

    def run_addresses(self, addresses: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], kinds: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, references: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, bytes: int) -> None:
        """
        One access after the other; without kinds they are loads, without references all of the first.
        """

    def counts(self, reference: int, level: int) -> dict[str, int]:
        """Hits, misses, evictions and write-backs."""

    def memory(self, reference: int) -> dict[str, int]:
        """Lines read from and written to memory."""

    def dirty_lines(self, level: int) -> int:
        """Modified lines that a level still holds."""

def line_lifetimes(streamed: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], capacity: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], arrays: Sequence[tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]]], parts: int, points: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """
    Fraction of the nest, a multiple of 1 / parts, after which an unreferenced line is evicted.
    """

def clang_tree(library: str, file: str, arguments: Sequence[str], max_nodes: int) -> dict[str, object]:
    """A C file parsed by libclang, as flat columns."""

class CompleteFaultKind(enum.Enum):
    none = 0

    out_of_bounds = 1

    misaligned = 2

    read_only = 3

    illegal = 4

    unsupported = 5

    deadlock = 6

    budget = 7

    memory = 8

    trap = 9

    assertion = 10

class CompleteLaunch:
    def __init__(self) -> None: ...

    @property
    def grid(self) -> list[int]: ...

    @grid.setter
    def grid(self, arg: Sequence[int], /) -> None: ...

    @property
    def block(self) -> list[int]: ...

    @block.setter
    def block(self, arg: Sequence[int], /) -> None: ...

    @property
    def cluster(self) -> list[int]: ...

    @cluster.setter
    def cluster(self, arg: Sequence[int], /) -> None: ...

    @property
    def shared_bytes(self) -> int: ...

    @shared_bytes.setter
    def shared_bytes(self, arg: int, /) -> None: ...

    @property
    def local_bytes(self) -> int: ...

    @local_bytes.setter
    def local_bytes(self, arg: int, /) -> None: ...

    @property
    def threads(self) -> int: ...

    @threads.setter
    def threads(self, arg: int, /) -> None: ...

    @property
    def budget(self) -> int: ...

    @budget.setter
    def budget(self, arg: int, /) -> None: ...

    @property
    def clock_ghz(self) -> float: ...

    @clock_ghz.setter
    def clock_ghz(self, arg: float, /) -> None: ...

    @property
    def memory_bytes(self) -> int: ...

    @memory_bytes.setter
    def memory_bytes(self, arg: int, /) -> None: ...

    @property
    def memory_file(self) -> int: ...

    @memory_file.setter
    def memory_file(self, arg: int, /) -> None: ...

    @property
    def heap_address(self) -> int: ...

    @heap_address.setter
    def heap_address(self, arg: int, /) -> None: ...

    @property
    def heap_bytes(self) -> int: ...

    @heap_bytes.setter
    def heap_bytes(self, arg: int, /) -> None: ...

    @property
    def cooperative(self) -> bool: ...

    @cooperative.setter
    def cooperative(self, arg: bool, /) -> None: ...

    @property
    def check_races(self) -> bool: ...

    @check_races.setter
    def check_races(self, arg: bool, /) -> None: ...

    @property
    def race_words(self) -> int: ...

    @race_words.setter
    def race_words(self, arg: int, /) -> None: ...

    def set_bank(self, arg0: int, arg1: bytes, /) -> None: ...

    def add_region(self, address: int, size: int, pointer: int, writable: bool, over_link: bool = False, managed: bool = False) -> None: ...

    def set_managed(self, address: int, count: int, states: int) -> None: ...

class CompleteFault:
    @property
    def kind(self) -> CompleteFaultKind: ...

    @property
    def instruction(self) -> int: ...

    @property
    def block(self) -> int: ...

    @property
    def thread(self) -> int: ...

    @property
    def address(self) -> int: ...

    @property
    def size(self) -> int: ...

    @property
    def is_store(self) -> bool: ...

    @property
    def space(self) -> str: ...

    @property
    def detail(self) -> str: ...

    @property
    def waits(self) -> list[tuple[int, str]]: ...

class CompleteRaceSide:
    @property
    def block(self) -> int: ...

    @property
    def thread(self) -> int: ...

    @property
    def instruction(self) -> int: ...

    @property
    def writes(self) -> bool: ...

class CompleteRace:
    @property
    def first(self) -> CompleteRaceSide: ...

    @property
    def second(self) -> CompleteRaceSide: ...

    @property
    def address(self) -> int: ...

    @property
    def shared(self) -> bool: ...

    @property
    def count(self) -> int: ...

class CompleteLinkTraffic:
    @property
    def lines(self) -> int: ...

    @property
    def sectors(self) -> int: ...

    @property
    def written(self) -> int: ...

    @property
    def runs(self) -> int: ...

    @property
    def updates(self) -> int: ...

    @property
    def rounds(self) -> int: ...

    @property
    def longest_rounds(self) -> int: ...

class CompletePrinting:
    @property
    def calls(self) -> int: ...

    @property
    def lines(self) -> int: ...

    @property
    def longest(self) -> int: ...

class CompleteHeapCalls:
    @property
    def taken(self) -> int: ...

    @property
    def given(self) -> int: ...

    @property
    def longest(self) -> int: ...

class CompleteRecord:
    @property
    def instructions(self) -> int: ...

    @property
    def fault(self) -> CompleteFault: ...

    @property
    def printed(self) -> list[str]: ...

    @property
    def threads(self) -> int: ...

    @property
    def waited(self) -> int: ...

    @property
    def longest_wait(self) -> int: ...

    @property
    def link(self) -> CompleteLinkTraffic: ...

    @property
    def faults_in_turn(self) -> int: ...

    @property
    def printing(self) -> CompletePrinting: ...

    @property
    def heap(self) -> CompleteHeapCalls: ...

    @property
    def races(self) -> list[CompleteRace]: ...

    @property
    def races_limited(self) -> bool: ...

    def executions(self) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]: ...

class CompleteKernel:
    def __init__(self, program: FunctionalProgram) -> None: ...

    @property
    def refused(self) -> list[str]: ...

    @property
    def order_free(self) -> bool: ...

    def execute(self, launch: CompleteLaunch) -> CompleteRecord:
        """Executes every warp of every block; memory is written in place."""

class Middle(enum.Enum):
    none = 0

    buffer = 1

    cache = 2

class CountersRules:
    def __init__(self) -> None: ...

    @property
    def core_ratio(self) -> bool: ...

    @core_ratio.setter
    def core_ratio(self, arg: bool, /) -> None: ...

    @property
    def count_threads(self) -> bool: ...

    @count_threads.setter
    def count_threads(self, arg: bool, /) -> None: ...

    @property
    def queue_threads(self) -> bool: ...

    @queue_threads.setter
    def queue_threads(self, arg: bool, /) -> None: ...

    @property
    def out_of_order(self) -> bool: ...

    @out_of_order.setter
    def out_of_order(self, arg: bool, /) -> None: ...

    @property
    def queue_memory(self) -> bool: ...

    @queue_memory.setter
    def queue_memory(self, arg: bool, /) -> None: ...

    @property
    def floors(self) -> bool: ...

    @floors.setter
    def floors(self, arg: bool, /) -> None: ...

    @property
    def cap_ipc(self) -> bool: ...

    @cap_ipc.setter
    def cap_ipc(self, arg: bool, /) -> None: ...

    @property
    def local_miss_rates(self) -> bool: ...

    @local_miss_rates.setter
    def local_miss_rates(self, arg: bool, /) -> None: ...

    @property
    def target_line(self) -> bool: ...

    @target_line.setter
    def target_line(self, arg: bool, /) -> None: ...

    @property
    def scale_traffic(self) -> bool: ...

    @scale_traffic.setter
    def scale_traffic(self, arg: bool, /) -> None: ...

    @property
    def clamp_overlap(self) -> bool: ...

    @clamp_overlap.setter
    def clamp_overlap(self, arg: bool, /) -> None: ...

    @property
    def calibrate(self) -> bool: ...

    @calibrate.setter
    def calibrate(self, arg: bool, /) -> None: ...

    @property
    def middle(self) -> Middle: ...

    @middle.setter
    def middle(self, arg: Middle, /) -> None: ...

class CountersCurve:
    """
    Misses of a block against the size of a cache; without points: the square-root law.
    """

    def __init__(self, *, points: Sequence[tuple[float, float]] = (), loop_bytes: float = 0.0, loop_misses: float = 0.0) -> None: ...

def counters_analysis(events: dict[str, float], base: dict[str, float], rules: CountersRules) -> dict[str, float]:
    """The baseline of one code block, times in cycles."""

def counters_terms(events: dict[str, float], curve: CountersCurve, base: dict[str, float], target: dict[str, Annotated[NDArray[numpy.float64], dict(device='cpu', writable=False)]], rules: CountersRules) -> dict[str, float]:
    """
    All terms of the counter model of one code block, times in cycles of the target.
    """

def counters_times(shape: Sequence[int], events: Sequence[dict[str, float]], curves: Sequence[CountersCurve], base: dict[str, float], target: dict[str, Annotated[NDArray[numpy.float64], dict(device='cpu', writable=False)]], rules: CountersRules) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """Seconds of all code blocks at every design point of a box, in one row."""

def demangle(name: str) -> str:
    """The signature behind a mangled name; empty for what is none."""

class EmulateInstruction:
    def __init__(self, *, resource: int, region: int, cached: int, transactions: float, miss_rate: float, after: Sequence[int]) -> None: ...

class EmulateProgram:
    def __init__(self, text: Sequence[EmulateInstruction], order: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

class EmulateMachine:
    def __init__(self, *, resources: int, latency: Sequence[float], gap: Sequence[float], schedulers: int, issue_width: int) -> None: ...

class EmulateRules:
    def __init__(self) -> None: ...

    @property
    def clock_never_falls(self) -> bool: ...

    @clock_never_falls.setter
    def clock_never_falls(self, arg: bool, /) -> None: ...

    @property
    def all_instructions(self) -> bool: ...

    @all_instructions.setter
    def all_instructions(self, arg: bool, /) -> None: ...

    @property
    def misses_to_memory(self) -> bool: ...

    @misses_to_memory.setter
    def misses_to_memory(self, arg: bool, /) -> None: ...

    @property
    def oldest(self) -> bool: ...

    @oldest.setter
    def oldest(self, arg: bool, /) -> None: ...

class EmulateEvent:
    @property
    def warp(self) -> int: ...

    @property
    def instruction(self) -> int: ...

    @property
    def resource(self) -> int: ...

    @property
    def issue(self) -> float: ...

    @property
    def start(self) -> float: ...

    @property
    def finish(self) -> float: ...

    @property
    def admit(self) -> float: ...

class EmulateResult:
    @property
    def cycles(self) -> float: ...

    @property
    def instructions(self) -> float: ...

    @property
    def requests(self) -> list[float]: ...

    @property
    def busy(self) -> list[float]: ...

    @property
    def printed_busy(self) -> list[float]: ...

    @property
    def printed_busy_unbounded(self) -> list[float]: ...

    @property
    def trace(self) -> list[EmulateEvent]: ...

def emulate_run(program: EmulateProgram, machine: EmulateMachine, rules: EmulateRules, *, warps: int, warps_per_block: int, blocks: int, trace: bool, most_steps: int) -> EmulateResult:
    """Algorithm 1 for the warps of one multiprocessor."""

def emulate_critical_path(program: EmulateProgram, machine: EmulateMachine) -> tuple[float, list[float]]:
    """The longest dependence chain of one warp, and each resource's part."""

def pareto_front(objectives: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]]) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]:
    """
    Points that no other point dominates, ascending; all objectives are minimised.
    """

def pareto_survivors(objectives: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]], rivals: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]]) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]:
    """Points that none of the few rivals dominates, ascending."""

def summary_bins(bits: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], shift: int) -> tuple[int, list[int]]:
    """
    The least of the numbers shifted to the right, and how often it and each one after it occurs.
    """

class OperandKind(enum.Enum):
    none = 0

    reg = 1

    ureg = 2

    pred = 3

    upred = 4

    immediate = 5

    real = 6

    constant = 7

    memory = 8

    special = 9

class ArrayContents(enum.Enum):
    unknown = 0

    random = 1

    normal = 2

    constant = 3

    iota = 4

    permutation = 5

    offsets = 6

    extents = 7

    data = 8

class ArrayType(enum.Enum):
    integer = 0

    f16 = 1

    bf16 = 2

    f32 = 3

    f64 = 4

class FunctionalOperand:
    def __init__(self) -> None: ...

    @property
    def kind(self) -> OperandKind: ...

    @kind.setter
    def kind(self, arg: OperandKind, /) -> None: ...

    @property
    def index(self) -> int: ...

    @index.setter
    def index(self, arg: int, /) -> None: ...

    @property
    def uniform(self) -> int: ...

    @uniform.setter
    def uniform(self, arg: int, /) -> None: ...

    @property
    def value(self) -> int: ...

    @value.setter
    def value(self, arg: int, /) -> None: ...

    @property
    def real(self) -> float: ...

    @real.setter
    def real(self, arg: float, /) -> None: ...

    @property
    def bank(self) -> int: ...

    @bank.setter
    def bank(self, arg: int, /) -> None: ...

    @property
    def scale(self) -> int: ...

    @scale.setter
    def scale(self, arg: int, /) -> None: ...

    @property
    def half(self) -> int: ...

    @half.setter
    def half(self, arg: int, /) -> None: ...

    @property
    def byte(self) -> int: ...

    @byte.setter
    def byte(self, arg: int, /) -> None: ...

    @property
    def marks(self) -> int: ...

    @marks.setter
    def marks(self, arg: int, /) -> None: ...

    @property
    def negated(self) -> bool: ...

    @negated.setter
    def negated(self, arg: bool, /) -> None: ...

    @property
    def absolute(self) -> bool: ...

    @absolute.setter
    def absolute(self, arg: bool, /) -> None: ...

    @property
    def inverted(self) -> bool: ...

    @inverted.setter
    def inverted(self, arg: bool, /) -> None: ...

    @property
    def wide(self) -> bool: ...

    @wide.setter
    def wide(self, arg: bool, /) -> None: ...

    @property
    def wide_uniform(self) -> bool: ...

    @wide_uniform.setter
    def wide_uniform(self, arg: bool, /) -> None: ...

class FunctionalInstruction:
    def __init__(self) -> None: ...

    @property
    def opcode(self) -> str: ...

    @opcode.setter
    def opcode(self, arg: str, /) -> None: ...

    @property
    def modifiers(self) -> list[str]: ...

    @modifiers.setter
    def modifiers(self, arg: Sequence[str], /) -> None: ...

    @property
    def guard(self) -> int: ...

    @guard.setter
    def guard(self, arg: int, /) -> None: ...

    @property
    def guard_uniform(self) -> bool: ...

    @guard_uniform.setter
    def guard_uniform(self, arg: bool, /) -> None: ...

    @property
    def guard_negated(self) -> bool: ...

    @guard_negated.setter
    def guard_negated(self, arg: bool, /) -> None: ...

    @property
    def guard_never(self) -> bool: ...

    @guard_never.setter
    def guard_never(self, arg: bool, /) -> None: ...

    @property
    def destinations(self) -> int: ...

    @destinations.setter
    def destinations(self, arg: int, /) -> None: ...

    @property
    def written(self) -> list[int]: ...

    @written.setter
    def written(self, arg: Sequence[int], /) -> None: ...

    @property
    def written_uniform(self) -> list[int]: ...

    @written_uniform.setter
    def written_uniform(self, arg: Sequence[int], /) -> None: ...

    @property
    def written_predicates(self) -> list[int]: ...

    @written_predicates.setter
    def written_predicates(self, arg: Sequence[int], /) -> None: ...

    @property
    def written_uniform_predicates(self) -> list[int]: ...

    @written_uniform_predicates.setter
    def written_uniform_predicates(self, arg: Sequence[int], /) -> None: ...

    @property
    def operands(self) -> list[FunctionalOperand]: ...

    @operands.setter
    def operands(self, arg: Sequence[FunctionalOperand], /) -> None: ...

class FunctionalLaunch:
    def __init__(self) -> None: ...

    @property
    def grid(self) -> list[int]: ...

    @grid.setter
    def grid(self, arg: Sequence[int], /) -> None: ...

    @property
    def block(self) -> list[int]: ...

    @block.setter
    def block(self, arg: Sequence[int], /) -> None: ...

    @property
    def cluster(self) -> list[int]: ...

    @cluster.setter
    def cluster(self, arg: Sequence[int], /) -> None: ...

    @property
    def shared_bytes(self) -> int: ...

    @shared_bytes.setter
    def shared_bytes(self, arg: int, /) -> None: ...

    @property
    def budget(self) -> int: ...

    @budget.setter
    def budget(self, arg: int, /) -> None: ...

    @property
    def extent(self) -> int: ...

    @extent.setter
    def extent(self, arg: int, /) -> None: ...

    @property
    def enough(self) -> int: ...

    @enough.setter
    def enough(self, arg: int, /) -> None: ...

    @property
    def anyway(self) -> list[int]: ...

    @anyway.setter
    def anyway(self, arg: Sequence[int], /) -> None: ...

    @property
    def most_lines(self) -> int: ...

    @most_lines.setter
    def most_lines(self, arg: int, /) -> None: ...

    @property
    def block_lines(self) -> int: ...

    @block_lines.setter
    def block_lines(self, arg: int, /) -> None: ...

    @property
    def in_full(self) -> bool: ...

    @in_full.setter
    def in_full(self, arg: bool, /) -> None: ...

    @property
    def recorded(self) -> bool: ...

    @recorded.setter
    def recorded(self, arg: bool, /) -> None: ...

    @property
    def assertion(self) -> int: ...

    @assertion.setter
    def assertion(self, arg: int, /) -> None: ...

    def override(self, instruction: int, share: float, rounds: int) -> None: ...

    def set_constants(self, arg0: int, arg1: bytes, /) -> None: ...

    def add_array(self, *, base: int, bytes: int, element: int, type: ArrayType, contents: ArrayContents, low: int, high: int, mean: float, scale: float) -> None: ...

    def add_data(self, arg0: int, arg1: int, arg2: int, arg3: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], /) -> None: ...

    def add_encoded_map(self, address: int, data: bytes) -> bool:
        """
        Adds a tensor map of two dimensions as the driver encodes it; false for others.
        """

    def add_tensor_map(self, *, address: int, base: int, rows: int, columns: int, element: int, tile_rows: int, tile_columns: int) -> None: ...

class FunctionalBeyond:
    @property
    def instruction(self) -> int: ...

    @property
    def array(self) -> int: ...

    @property
    def offset(self) -> int: ...

    @property
    def lanes(self) -> int: ...

    @property
    def whole_warp(self) -> bool: ...

    @property
    def in_file(self) -> bool: ...

class FunctionalCounters:
    @property
    def executions(self) -> int: ...

    @property
    def active_lanes(self) -> int: ...

    @property
    def requests(self) -> int: ...

    @property
    def sectors(self) -> int: ...

    @property
    def lines(self) -> int: ...

    @property
    def wavefronts(self) -> int: ...

    @property
    def serial(self) -> int: ...

    @property
    def unknown_addresses(self) -> int: ...

    @property
    def taken(self) -> int: ...

    @property
    def unknown_branches(self) -> int: ...

    @property
    def unknown_guards(self) -> int: ...

class FunctionalShape:
    @property
    def instruction(self) -> int: ...

    @property
    def lanes(self) -> int: ...

    @property
    def sectors(self) -> int: ...

    @property
    def lines(self) -> int: ...

    @property
    def wavefronts(self) -> int: ...

    @property
    def serial(self) -> int: ...

class FunctionalResult:
    @property
    def counters(self) -> list[FunctionalCounters]: ...

    @property
    def budget_exceeded(self) -> bool: ...

    @property
    def left_out(self) -> int: ...

    @property
    def stuck(self) -> bool: ...

    @property
    def awaits_others(self) -> bool: ...

    @property
    def shared_end(self) -> int: ...

    @property
    def constants_from(self) -> int: ...

    @property
    def constants_to(self) -> int: ...

    @property
    def failed_assertion(self) -> int: ...

    @property
    def asked_other_blocks(self) -> bool: ...

    @property
    def queued(self) -> bool: ...

    @property
    def took_for_ordinary(self) -> bool: ...

    @property
    def beyond(self) -> list[FunctionalBeyond]: ...

    @property
    def not_executed(self) -> list[int]: ...

    def shape_instructions(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """
        The instruction of each shape: those of the text, then those of memory requests.
        """

    def request_shapes(self) -> list[FunctionalShape]:
        """The shapes of memory requests."""

    def executions(self) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]:
        """Executions of each instruction."""

    def counts(self) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]:
        """
        Of each instruction executions, active lanes, requests, sectors, lines, wavefronts, serial, taken, unknown addresses, branches and guards.
        """

    def updates(self, instruction: int, least: int) -> tuple[int, int, list[tuple[int, int, int]]]:
        """
        Sectors that an atomic updated, lines that have them, and of each line with at least so many: sectors, its number, lanes of its busiest word; the most first.
        """

    def longest_warps(self) -> list[int]:
        """Instructions of the longest warp of each block."""

    def shapes_of_block(self, block: int) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]:
        """Whether a block executes each shape."""

    def shape_counts(self, block: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """How often a block executes each shape."""

    def block_numbers(self) -> list[int]: ...

    def block_instructions(self) -> list[int]: ...

    def block_sectors(self) -> list[int]: ...

    def block_requested(self) -> list[int]: ...

    def block_lines(self, block: int) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]:
        """Lines of global memory that a block requested: number << 4 | sectors."""

    def trace(self, block: int) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]:
        """Instructions of a block's warp of median length, in order."""

def functional_windows() -> tuple[int, int]:
    """Where generic addresses of shared and local memory begin."""

class FunctionalProgram:
    def __init__(self, instructions: Sequence[FunctionalInstruction]) -> None: ...

    def needed(self, contents: bool = False) -> list[bool]:
        """
        Whether the result of each instruction steers branches, guards or addresses.
        """

    def run(self, launch: FunctionalLaunch, blocks: Sequence[int]) -> FunctionalResult:
        """Executes sampled blocks of a kernel lane by lane."""

    def count(self, launch: FunctionalLaunch, blocks: Sequence[int], most: int, enough: int) -> list[FunctionalCount]:
        """
        Counts the work of blocks, each executed alone; further ones are left out after `enough` instructions.
        """

class FunctionalCount:
    @property
    def number(self) -> int: ...

    @property
    def instructions(self) -> int: ...

    @property
    def executed(self) -> int: ...

    @property
    def longest_warp(self) -> int: ...

    @property
    def requested(self) -> int: ...

    @property
    def complete(self) -> bool: ...

def guard_start(program: bytes, command: Sequence[bytes], environment: Sequence[bytes], *, folder: bytes, streams: tuple[int, int, int], cpu_seconds: int, memory_bytes: int, file_bytes: int, stack_bytes: int, processes: int, confined: bool, network: bool, writable: Sequence[bytes]) -> tuple[int, int, int]:
    """
    Starts a program under a supervisor: its process id, the pipe that ends it when closed, and that of its report.
    """

def guard_die_with_parent(parent: int) -> None:
    """This process is killed when its parent ends."""

def guard_confine(readable: Sequence[str], writable: Sequence[str]) -> bool:
    """
    This thread, and what it starts, sees only these files; False where the kernel cannot do this.
    """

def guard_report(data: bytes) -> tuple[int, int, int, float, float]:
    """Cause, status, what is lacking, processor seconds, elapsed seconds."""

class CallResult:
    """A whole call: executions and cycles of each instruction."""

    @property
    def counts(self) -> list[float]: ...

    @property
    def cycles(self) -> list[float]: ...

    @property
    def iterations(self) -> list[float]: ...

    @property
    def arguments(self) -> list[float]: ...

    @property
    def misses(self) -> list[float]: ...

    @property
    def open_jumps(self) -> list[int]: ...

    @property
    def updates(self) -> list[int]: ...

    @property
    def repeating(self) -> list[float]: ...

    @property
    def exits(self) -> list[float]: ...

    @property
    def steered(self) -> list[int]: ...

    @property
    def held_exits(self) -> list[int]: ...

    @property
    def accesses(self) -> float: ...

    @property
    def executed(self) -> int: ...

    @property
    def timed(self) -> int: ...

    @property
    def sampled(self) -> bool: ...

    @property
    def entries(self) -> list[float]: ...

    @property
    def places(self) -> list[int]: ...

    @property
    def spans(self) -> list[int]: ...

    @property
    def strides(self) -> list[list[int]]: ...

    @property
    def irregular(self) -> list[bool]: ...

    @property
    def failure(self) -> str: ...

class OooCore:
    """Machine code on an out-of-order core."""

    def __init__(self, *, operations: Sequence[str], conditions: Sequence[str], table: dict[str, Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]], slots: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], units: dict[str, Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]], registers: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], targets: Sequence[int], core: dict[str, float], count: int, stack: int, flags: int, pushed: int) -> None: ...

    def follow_call(self, *, values: Sequence[tuple[int, int]], words: Sequence[tuple[int, int]], series: Sequence[dict[str, float]], loop_at: Sequence[int], heads: Sequence[int], parents: Sequence[int], instructions: int = 2000000, strides: bool = False, surprises: float = 0.5, remembered: bool = False, chooses: bool = False, ends_known: bool = False, ends: Sequence[tuple[int, float]] = [], caches: Sequence[tuple[int, float]] = [], beyond: float = 0.0, lines: int = 0, objects: Sequence[tuple[int, int]] = [], steered: Sequence[int] = [], total: float = 0.0, sampled: bool = False) -> CallResult:
        """Follows a call to its end: executions and cycles of each instruction."""

    def follow(self, *, values: Sequence[tuple[int, int]], words: Sequence[tuple[int, int]], marks: Sequence[int], runs: int, most: int, beside_at: int = -1, beside_slots: int = 0, rounds: int = 0) -> tuple[list[float], list[Annotated[NDArray[numpy.float64], dict(shape=(None,))]], float]:
        """
        From registers and words with these values: cycles at which each run of the code ended, cycles at which each marked instruction was issued, and the share of the time in which the innermost cache is busy.
        """

class ProbeRun:
    @property
    def amount(self) -> float: ...

    @property
    def start(self) -> list[float]: ...

    @property
    def seconds(self) -> list[float]: ...

    @property
    def cycle(self) -> list[float]: ...

    @property
    def interference(self) -> float: ...

    def as_dict(self) -> dict[str, object]: ...

class ProbeVariant:
    """Kernels of one vector width."""

    @property
    def name(self) -> str: ...

    @property
    def bytes(self) -> int: ...

    @property
    def operations(self) -> list[str]: ...

    @property
    def streams(self) -> list[str]: ...

def probe_variants() -> list[ProbeVariant]:
    """Variants that this processor runs."""

def probe_vector_bytes() -> int:
    """Bytes of the widest vector register."""

def probe_rotate_buffers(count: int) -> None:
    """
    Large arrays rotate over this many allocations until they are released.
    """

def probe_release() -> None:
    """Frees the memory kept for further streams and pointer chases."""

def probe_cpus() -> list[int]:
    """The CPUs this process may run on."""

def probe_start_at(cpu: int, used: int) -> None:
    """
    How many CPUs are used, and the one that the first thread is pinned to from now on.
    """

def probe_pinning_order() -> list[int]:
    """The CPUs that threads are pinned to, one after the other."""

def probe_interference(threads: int) -> float:
    """
    The interference, at this moment, of the one of so many threads that has the most.
    """

def probe_time_operation(variant: str, name: str, chunks: int) -> ProbeRun:
    """
    Operations of a chunk, its chunks, and the seconds of a cycle after each.
    """

def probe_run_operation(variant: str, name: str, threads: int, seconds: float) -> list[ProbeRun]:
    """
    For each thread: operations of a chunk, and start and duration of every chunk in turn.
    """

def probe_run_stream(variant: str, name: str, *, bytes: int, threads: int, seconds: float, paired: bool, through: bool, from_kept: bool) -> list[ProbeRun]:
    """
    For each thread: bytes of one array that a chunk goes through, and its chunks.
    """

def probe_run_alternating(variant: str, names: Sequence[str], bytes: int, seconds: float) -> list[ProbeRun]:
    """
    For each stream: bytes of one array that a chunk goes through, its chunks and the clock after each.
    """

def probe_chase(*, bytes: int, line: int, window: int, seconds: float, paired: bool, together: bool = False, keep: bool = False, number: int = 0) -> ProbeRun:
    """Loads of a chunk, its chunks, and the seconds of a cycle after each."""

def probe_barrier(threads: int, seconds: float) -> list[ProbeRun]:
    """For each thread: barriers of a chunk, and its chunks."""

def probe_regions(threads: int, seconds: float, llvm: bool) -> ProbeRun:
    """
    OpenMP regions of a chunk, and the chunks. The runtime's threads spin until the process ends.
    """

def interpolation_around(sizes: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], steps: Sequence[int], period: int, alike: int, lanes: int) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))]]:
    """
    The sampled sizes below and above each size, and the weight of the upper one.
    """

def interpolation_corners(sides: Sequence[tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]]], points: int) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))]]:
    """
    The different combinations of sampled sizes among the corners of all points, and the number of each corner's.
    """

def interpolation_sums(sides: Sequence[tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]]], numbers: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], costs: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """
    Columns of costs at the corners of each point, by their weights; one column behind the other.
    """

class Rounding(enum.Enum):
    none = 0

    floor = 1

    round = 2

    ceil = 3

class Overlap(enum.Enum):
    virtual_groups = 0

    queue = 1

class SunwayMachine:
    def __init__(self) -> None: ...

    @property
    def frequency(self) -> float | Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]: ...

    @frequency.setter
    def frequency(self, arg: float | Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], /) -> None: ...

    @property
    def bandwidth(self) -> float | Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]: ...

    @bandwidth.setter
    def bandwidth(self, arg: float | Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], /) -> None: ...

    @property
    def transaction(self) -> float | Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]: ...

    @transaction.setter
    def transaction(self, arg: float | Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], /) -> None: ...

    @property
    def base_latency(self) -> float | Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]: ...

    @base_latency.setter
    def base_latency(self, arg: float | Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], /) -> None: ...

    @property
    def delta_delay(self) -> float | Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]: ...

    @delta_delay.setter
    def delta_delay(self, arg: float | Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], /) -> None: ...

    @property
    def cores_per_group(self) -> float | Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]: ...

    @cores_per_group.setter
    def cores_per_group(self, arg: float | Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], /) -> None: ...

    @property
    def core_groups(self) -> float | Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]: ...

    @core_groups.setter
    def core_groups(self, arg: float | Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], /) -> None: ...

    @property
    def floating(self) -> float | Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]: ...

    @floating.setter
    def floating(self, arg: float | Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], /) -> None: ...

    @property
    def fixed(self) -> float | Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]: ...

    @fixed.setter
    def fixed(self, arg: float | Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], /) -> None: ...

    @property
    def scratchpad(self) -> float | Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]: ...

    @scratchpad.setter
    def scratchpad(self, arg: float | Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], /) -> None: ...

    @property
    def divsqrt(self) -> float | Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]: ...

    @divsqrt.setter
    def divsqrt(self, arg: float | Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], /) -> None: ...

class SunwayChunk:
    def __init__(self) -> None: ...

    @property
    def bytes(self) -> float | Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]: ...

    @bytes.setter
    def bytes(self, arg: float | Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], /) -> None: ...

    @property
    def count(self) -> float | Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]: ...

    @count.setter
    def count(self, arg: float | Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], /) -> None: ...

    @property
    def offset(self) -> float | Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]: ...

    @offset.setter
    def offset(self, arg: float | Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], /) -> None: ...

class SunwayWork:
    def __init__(self) -> None: ...

    @property
    def active_cores(self) -> float | Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]: ...

    @active_cores.setter
    def active_cores(self, arg: float | Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], /) -> None: ...

    @property
    def balance(self) -> float | Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]: ...

    @balance.setter
    def balance(self, arg: float | Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], /) -> None: ...

    @property
    def last(self) -> float | Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]: ...

    @last.setter
    def last(self, arg: float | Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], /) -> None: ...

    @property
    def floating(self) -> float | Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]: ...

    @floating.setter
    def floating(self, arg: float | Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], /) -> None: ...

    @property
    def fixed(self) -> float | Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]: ...

    @fixed.setter
    def fixed(self, arg: float | Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], /) -> None: ...

    @property
    def scratchpad(self) -> float | Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]: ...

    @scratchpad.setter
    def scratchpad(self, arg: float | Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], /) -> None: ...

    @property
    def divsqrt(self) -> float | Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]: ...

    @divsqrt.setter
    def divsqrt(self, arg: float | Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], /) -> None: ...

    @property
    def ilp(self) -> float | Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]: ...

    @ilp.setter
    def ilp(self, arg: float | Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], /) -> None: ...

    @property
    def block_cycles(self) -> float | Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]: ...

    @block_cycles.setter
    def block_cycles(self, arg: float | Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], /) -> None: ...

    @property
    def double_buffer(self) -> float | Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]: ...

    @double_buffer.setter
    def double_buffer(self, arg: float | Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], /) -> None: ...

    @property
    def dma(self) -> list[SunwayRequest]: ...

    @dma.setter
    def dma(self, arg: Sequence[SunwayRequest], /) -> None: ...

    @property
    def gload(self) -> list[SunwayRequest]: ...

    @gload.setter
    def gload(self, arg: Sequence[SunwayRequest], /) -> None: ...

class SunwayRules:
    def __init__(self) -> None: ...

    @property
    def mrp(self) -> Rounding: ...

    @mrp.setter
    def mrp(self, arg: Rounding, /) -> None: ...

    @property
    def groups(self) -> Rounding: ...

    @groups.setter
    def groups(self, arg: Rounding, /) -> None: ...

    @property
    def latency_floor_average(self) -> bool: ...

    @latency_floor_average.setter
    def latency_floor_average(self, arg: bool, /) -> None: ...

    @property
    def transactions_per_chunk(self) -> bool: ...

    @transactions_per_chunk.setter
    def transactions_per_chunk(self, arg: bool, /) -> None: ...

    @property
    def divide_unpipelined(self) -> bool: ...

    @divide_unpipelined.setter
    def divide_unpipelined(self, arg: bool, /) -> None: ...

    @property
    def double_buffer_consistent(self) -> bool: ...

    @double_buffer_consistent.setter
    def double_buffer_consistent(self, arg: bool, /) -> None: ...

    @property
    def core_groups_apart(self) -> bool: ...

    @core_groups_apart.setter
    def core_groups_apart(self, arg: bool, /) -> None: ...

    @property
    def overlap(self) -> Overlap: ...

    @overlap.setter
    def overlap(self, arg: Overlap, /) -> None: ...

class SunwayRequest:
    def __init__(self) -> None: ...

    @property
    def count(self) -> float | Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]: ...

    @count.setter
    def count(self, arg: float | Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], /) -> None: ...

    @property
    def chunks(self) -> list[SunwayChunk]: ...

    @chunks.setter
    def chunks(self, arg: Sequence[SunwayChunk], /) -> None: ...

    @property
    def out(self) -> bool: ...

    @out.setter
    def out(self, arg: bool, /) -> None: ...

def sunway_terms(machine: SunwayMachine, work: SunwayWork, rules: SunwayRules) -> dict[str, float]:
    """
    All terms of the SW26010 model at one design point, times in cycles but time_s.
    """

def sunway_times(points: int, machine: SunwayMachine, work: SunwayWork, rules: SunwayRules) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """Seconds of every design point."""

class SwsimMemory:
    """Controllers; times in cycles of a core."""

    def __init__(self) -> None: ...

    @property
    def service(self) -> float: ...

    @service.setter
    def service(self, arg: float, /) -> None: ...

    @property
    def latency(self) -> float: ...

    @latency.setter
    def latency(self, arg: float, /) -> None: ...

    @property
    def gap(self) -> float: ...

    @gap.setter
    def gap(self, arg: float, /) -> None: ...

    @property
    def controllers(self) -> int: ...

    @controllers.setter
    def controllers(self, arg: int, /) -> None: ...

class SwsimTransfer:
    """Transfers of one shape, spread evenly over the rounds of a program."""

    def __init__(self) -> None: ...

    @property
    def transactions(self) -> int: ...

    @transactions.setter
    def transactions(self, arg: int, /) -> None: ...

    @property
    def count(self) -> int: ...

    @count.setter
    def count(self, arg: int, /) -> None: ...

    @property
    def out(self) -> bool: ...

    @out.setter
    def out(self, arg: bool, /) -> None: ...

class SwsimProgram:
    """
    Rounds of transfers in, computation broken by direct loads, transfers out.
    """

    def __init__(self) -> None: ...

    @property
    def rounds(self) -> int: ...

    @rounds.setter
    def rounds(self, arg: int, /) -> None: ...

    @property
    def compute(self) -> float: ...

    @compute.setter
    def compute(self, arg: float, /) -> None: ...

    @property
    def direct_loads(self) -> int: ...

    @direct_loads.setter
    def direct_loads(self, arg: int, /) -> None: ...

    @property
    def transfers(self) -> list[SwsimTransfer]: ...

    @transfers.setter
    def transfers(self, arg: Sequence[SwsimTransfer], /) -> None: ...

class SwsimResult:
    """Times in cycles."""

    @property
    def cycles(self) -> float: ...

    @property
    def transactions(self) -> int: ...

    @property
    def busy(self) -> float: ...

    @property
    def compute(self) -> float: ...

    @property
    def transfer_wait(self) -> float: ...

    @property
    def load_wait(self) -> float: ...

    @property
    def followed(self) -> int: ...

    @property
    def exact(self) -> bool: ...

    @property
    def complete(self) -> bool: ...

    @property
    def finished(self) -> list[float]: ...

def swsim_run(memory: SwsimMemory, programs: Sequence[SwsimProgram], cores: Sequence[Sequence[int]], double_buffer: bool, most_transactions: int) -> SwsimResult:
    """
    Simulates cores that run programs one after another, each given by its number.
    """

def tape_operations() -> list[str]:
    """The names of all operations, in the order of their numbers."""

class Tape:
    """Arithmetic on columns, written down first and done at once."""

    def __init__(self, points: int) -> None: ...

    def constant(self, value: float) -> int:
        """The node of a number."""

    def column(self, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> int:
        """The node of a column, which the caller keeps."""

    def table(self, from_: float, per_step: float, heights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], rises: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> int:
        """
        The number of a table of heights at even places, for operation look_up.
        """

    def apply(self, op: int, a: int, b: int = -1, c: int = -1) -> int:
        """The node of an operation."""

    def is_truth(self, node: int) -> bool:
        """Whether a node is yes or no, as 1 and 0."""

    def fill(self, node: int, out: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None:
        """All values of a node into a column, which the caller keeps."""

def timing_kinds() -> list[str]:
    """Kinds of ops, by number."""

def timing_ints() -> list[str]:
    """Columns of the table of whole numbers."""

def timing_reals() -> list[str]:
    """Columns of the table of real numbers."""

class TimingServer:
    def __init__(self) -> None: ...

    @property
    def gap(self) -> float: ...

    @gap.setter
    def gap(self, arg: float, /) -> None: ...

    @property
    def latency(self) -> float: ...

    @latency.setter
    def latency(self, arg: float, /) -> None: ...

    @property
    def crowding(self) -> float: ...

    @crowding.setter
    def crowding(self, arg: float, /) -> None: ...

    @property
    def longest_wait(self) -> float: ...

    @longest_wait.setter
    def longest_wait(self, arg: float, /) -> None: ...

    @property
    def window(self) -> float: ...

    @window.setter
    def window(self, arg: float, /) -> None: ...

    @property
    def credit(self) -> float: ...

    @credit.setter
    def credit(self, arg: float, /) -> None: ...

    @property
    def spread(self) -> list[tuple[float, float]]: ...

    @spread.setter
    def spread(self, arg: Sequence[tuple[float, float]], /) -> None: ...

class TimingMachine:
    def __init__(self) -> None: ...

    @property
    def address_gap(self) -> float: ...

    @address_gap.setter
    def address_gap(self, arg: float, /) -> None: ...

    @property
    def backlog(self) -> float: ...

    @backlog.setter
    def backlog(self, arg: float, /) -> None: ...

    @property
    def beside(self) -> float: ...

    @beside.setter
    def beside(self, arg: float, /) -> None: ...

    @property
    def barrier_latency(self) -> float: ...

    @barrier_latency.setter
    def barrier_latency(self, arg: float, /) -> None: ...

    @property
    def barrier_gap(self) -> float: ...

    @barrier_gap.setter
    def barrier_gap(self, arg: float, /) -> None: ...

    @property
    def branch(self) -> float: ...

    @branch.setter
    def branch(self, arg: float, /) -> None: ...

    @property
    def cold_fetch(self) -> float: ...

    @cold_fetch.setter
    def cold_fetch(self, arg: float, /) -> None: ...

    @property
    def operand_wait(self) -> float: ...

    @operand_wait.setter
    def operand_wait(self, arg: float, /) -> None: ...

    @property
    def arrival_path(self) -> float: ...

    @arrival_path.setter
    def arrival_path(self, arg: float, /) -> None: ...

    @property
    def release_path(self) -> float: ...

    @release_path.setter
    def release_path(self, arg: float, /) -> None: ...

    @property
    def block_start(self) -> float: ...

    @block_start.setter
    def block_start(self, arg: float, /) -> None: ...

    @property
    def block_turn(self) -> float: ...

    @block_turn.setter
    def block_turn(self, arg: float, /) -> None: ...

    @property
    def constant_lines(self) -> float: ...

    @constant_lines.setter
    def constant_lines(self, arg: float, /) -> None: ...

    @property
    def l2_name(self) -> int: ...

    @l2_name.setter
    def l2_name(self, arg: int, /) -> None: ...

    @property
    def memory_name(self) -> int: ...

    @memory_name.setter
    def memory_name(self, arg: int, /) -> None: ...

    @property
    def barrier_name(self) -> int: ...

    @barrier_name.setter
    def barrier_name(self, arg: int, /) -> None: ...

    @property
    def issue_name(self) -> int: ...

    @issue_name.setter
    def issue_name(self, arg: int, /) -> None: ...

    @property
    def ports_name(self) -> int: ...

    @ports_name.setter
    def ports_name(self, arg: int, /) -> None: ...

    @property
    def start_name(self) -> int: ...

    @start_name.setter
    def start_name(self, arg: int, /) -> None: ...

    @property
    def resources(self) -> int: ...

    @resources.setter
    def resources(self, arg: int, /) -> None: ...

    @property
    def queue(self) -> int: ...

    @queue.setter
    def queue(self, arg: int, /) -> None: ...

    @property
    def partition_run(self) -> int: ...

    @partition_run.setter
    def partition_run(self, arg: int, /) -> None: ...

    @property
    def l2(self) -> TimingServer: ...

    @l2.setter
    def l2(self, arg: TimingServer, /) -> None: ...

    @property
    def memory(self) -> TimingServer: ...

    @memory.setter
    def memory(self, arg: TimingServer, /) -> None: ...

class MemoryQuestion:
    def __init__(self) -> None: ...

    @property
    def l1_outstanding(self) -> float: ...

    @l1_outstanding.setter
    def l1_outstanding(self, arg: float, /) -> None: ...

    @property
    def lockstep_throttled(self) -> float: ...

    @lockstep_throttled.setter
    def lockstep_throttled(self, arg: float, /) -> None: ...

    @property
    def lockstep_first_wave(self) -> float: ...

    @lockstep_first_wave.setter
    def lockstep_first_wave(self, arg: float, /) -> None: ...

    @property
    def lockstep_later_waves(self) -> float: ...

    @lockstep_later_waves.setter
    def lockstep_later_waves(self, arg: float, /) -> None: ...

    @property
    def grid(self) -> list[int]: ...

    @grid.setter
    def grid(self, arg: Sequence[int], /) -> None: ...

    @property
    def middle(self) -> int: ...

    @middle.setter
    def middle(self, arg: int, /) -> None: ...

    @property
    def neighbour(self) -> list[int]: ...

    @neighbour.setter
    def neighbour(self, arg: Sequence[int], /) -> None: ...

    @property
    def wave(self) -> int: ...

    @wave.setter
    def wave(self, arg: int, /) -> None: ...

    @property
    def stride(self) -> int: ...

    @stride.setter
    def stride(self, arg: int, /) -> None: ...

    @property
    def resident(self) -> int: ...

    @resident.setter
    def resident(self, arg: int, /) -> None: ...

    @property
    def warm(self) -> bool: ...

    @warm.setter
    def warm(self, arg: bool, /) -> None: ...

    @property
    def weights(self) -> list[float]: ...

    @weights.setter
    def weights(self, arg: Sequence[float], /) -> None: ...

    @property
    def l1_lines(self) -> int: ...

    @l1_lines.setter
    def l1_lines(self, arg: int, /) -> None: ...

    @property
    def l1_ways(self) -> int: ...

    @l1_ways.setter
    def l1_ways(self, arg: int, /) -> None: ...

    @property
    def cached(self) -> list[int]: ...

    @cached.setter
    def cached(self, arg: Sequence[int], /) -> None: ...

    @property
    def leaves(self) -> list[int]: ...

    @leaves.setter
    def leaves(self, arg: Sequence[int], /) -> None: ...

    @property
    def writes(self) -> list[int]: ...

    @writes.setter
    def writes(self, arg: Sequence[int], /) -> None: ...

    @property
    def waits(self) -> list[int]: ...

    @waits.setter
    def waits(self, arg: Sequence[int], /) -> None: ...

    @property
    def counters(self) -> list[int]: ...

    @counters.setter
    def counters(self, arg: Sequence[int], /) -> None: ...

    @property
    def back(self) -> list[int]: ...

    @back.setter
    def back(self, arg: Sequence[int], /) -> None: ...

    @property
    def empties(self) -> list[int]: ...

    @empties.setter
    def empties(self, arg: Sequence[int], /) -> None: ...

    @property
    def by_data(self) -> list[int]: ...

    @by_data.setter
    def by_data(self, arg: Sequence[int], /) -> None: ...

    @property
    def arrays(self) -> list[tuple[int, int]]: ...

    @arrays.setter
    def arrays(self, arg: Sequence[tuple[int, int]], /) -> None: ...

class TimingResult:
    @property
    def cycles(self) -> float: ...

    @property
    def issued(self) -> float: ...

    @property
    def busy(self) -> list[float]: ...

    @property
    def idle(self) -> list[float]: ...

    @property
    def tail(self) -> float: ...

    @property
    def executions(self) -> list[float]: ...

    def waiting(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

class TimingKinds:
    def __init__(self, result: FunctionalResult, least: int, uneven: bool) -> None:
        """
        Executed blocks; of a loop that is cut short `least` rounds are kept. `uneven`: also of loops whose rounds differ.
        """

    @property
    def uneven(self) -> bool: ...

    def folded(self, keep: float) -> TimingFolded:
        """The blocks with loops cut to this share of their rounds."""

class TimingFolded:
    @property
    def length(self) -> float: ...

    def run(self, ints: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], reals: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], machine: TimingMachine, order: Sequence[int], resident: int) -> TimingResult: ...

def timing_last_end(alone: Sequence[float], demand: Sequence[float], multiprocessors: int, resident: int) -> float:
    """Time at which the last of the blocks ends, by list scheduling."""

class MemoryRequests:
    @property
    def executions(self) -> float: ...

    @property
    def sectors(self) -> float: ...

    @property
    def block_sectors(self) -> float: ...

    @property
    def first_sectors(self) -> float: ...

    @property
    def joins(self) -> float: ...

    @property
    def misses(self) -> float: ...

    @property
    def missed_sectors(self) -> float: ...

    @property
    def group(self) -> int: ...

class MemoryGroup:
    @property
    def array(self) -> int: ...

    @property
    def even(self) -> bool: ...

    @property
    def ordered(self) -> bool: ...

    @property
    def common(self) -> bool: ...

    @property
    def block_read(self) -> float: ...

    @property
    def wave_read(self) -> float: ...

    @property
    def wave_write(self) -> float: ...

    @property
    def wave(self) -> float: ...

    @property
    def launch_read(self) -> float: ...

    @property
    def launch_write(self) -> float: ...

    @property
    def launch(self) -> float: ...

    @property
    def reach(self) -> float: ...

    @property
    def reread(self) -> float: ...

class MemoryAnswer:
    @property
    def instructions(self) -> list[MemoryRequests]: ...

    @property
    def groups(self) -> list[MemoryGroup]: ...

def memory_analyse(executed: FunctionalResult, question: MemoryQuestion) -> MemoryAnswer:
    """Where the requests of a launch are served."""

def memory_alike_beside(executed: FunctionalResult, middle: int, neighbours: Sequence[int]) -> bool:
    """
    Whether the blocks beside the middle one make the same requests, shifted by whole sectors.
    """
