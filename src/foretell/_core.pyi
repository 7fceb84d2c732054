"""
Compiled inner loops of foretell; use the Python modules that wrap them.
"""

from collections.abc import Sequence
import enum
from typing import Annotated

import numpy
from numpy.typing import NDArray


class EmulateInstruction:
    def __init__(self, resource: int, region: int, cached: int, transactions: float, miss_rate: float, after: Sequence[int]) -> None: ...

class EmulateProgram:
    def __init__(self, text: Sequence[EmulateInstruction], order: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

class EmulateMachine:
    def __init__(self, resources: int, latency: Sequence[float], gap: Sequence[float], schedulers: int, issue_width: int) -> None: ...

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

def emulate_run(program: EmulateProgram, machine: EmulateMachine, rules: EmulateRules, warps: int, warps_per_block: int, trace: bool) -> EmulateResult:
    """Algorithm 1 for the warps of one multiprocessor."""

def emulate_critical_path(program: EmulateProgram, machine: EmulateMachine) -> tuple[float, list[float]]:
    """The longest dependence chain of one warp, and each resource's part."""

class Rounding(enum.Enum):
    none = 0

    floor = 1

    round = 2

    ceil = 3

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

def sunway_terms(machine: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]], work: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]], dma: Sequence[tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Sequence[tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]]]]], gload: Sequence[tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Sequence[tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]]]]], rules: SunwayRules) -> dict[str, float]:
    """
    All terms of the SW26010 model at one design point, times in cycles but time_s.
    """

def sunway_times(points: int, machine: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]], work: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]], dma: Sequence[tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Sequence[tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]]]]], gload: Sequence[tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Sequence[tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]]]]], rules: SunwayRules) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """Seconds of every design point."""
