"""
Compiled inner loops of foretell; use the Python modules that wrap them.
"""

from collections.abc import Sequence
import enum
from typing import Annotated

import numpy
from numpy.typing import NDArray


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

def counters_analysis(events: Sequence[float], base: Sequence[float], rules: CountersRules) -> dict[str, float]:
    """The baseline of one code block, times in cycles."""

def counters_terms(events: Sequence[float], base: Sequence[float], target: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]], rules: CountersRules) -> dict[str, float]:
    """
    All terms of the counter model of one code block, times in cycles of the target.
    """

def counters_times(points: int, events: Sequence[Sequence[float]], base: Sequence[float], target: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]], rules: CountersRules) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """Seconds of all code blocks at every design point."""

def pareto_front(objectives: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]]) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]:
    """
    Points that no other point dominates, ascending; all objectives are minimised.
    """

def pareto_survivors(objectives: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]], rivals: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]]) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]:
    """Points that none of the few rivals dominates, ascending."""

def clang_tree(library: str, file: str, arguments: Sequence[str], max_nodes: int) -> dict[str, object]:
    """A C file parsed by libclang, as flat columns."""
