"""The `Trace` facet: one run of a sequential program, independent of the machine (AutoMatch, section II-C).

Operations are dynamic floating-point operations; memory references are to lines of a few sizes. Every quantity of the
cost model is a small function here, so that a synthetic trace (written by hand) behaves like a measured one.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from foretell.core.workload import Facet
from foretell.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from foretell.core.columns.expression import Value

#: workload parameter with the number of cores that run the code; by default all of the machine
THREADS = "threads"

Verdict = Literal["parallel", "reduction", "sequential"]


@dataclass(frozen=True, slots=True)
class Operations:
    """Floating-point operations by kind. A fused multiply-add counts as a multiplication and an addition; a call of the
    mathematical library as one `function`; sign changes, conversions and moves are not counted."""

    add: int = 0  #: additions and subtractions
    multiply: int = 0
    divide: int = 0
    sqrt: int = 0
    compare: int = 0  #: comparisons, minimum, maximum
    function: int = 0

    @property
    def total(self) -> int:
        """W: all floating-point operations."""
        return sum(getattr(self, entry.name) for entry in fields(self))

    @property
    def mix(self) -> float:
        """f_im of equation (1); 1 where nothing is added or multiplied (AM-5)."""
        most = max(self.add, self.multiply)
        return (self.add + self.multiply) / (2 * most) if most else 1.0


@dataclass(frozen=True, slots=True)
class Instructions:
    """Instructions of the program other than floating-point operations."""

    integer: int = 0
    load: int = 0
    store: int = 0
    branch: int = 0
    call: int = 0
    convert: int = 0

    @property
    def total(self) -> int:
        """Number of all these instructions."""
        return sum(getattr(self, entry.name) for entry in fields(self))


@dataclass(frozen=True, slots=True)
class Width:
    """Number of schedule levels with this many operations each (a mean where levels were merged)."""

    operations: float
    levels: int


@dataclass(frozen=True, slots=True)
class Band:
    """A range of levels, for the parallelism profile: minimum, maximum and total operations of its levels."""

    first: int
    last: int
    least: int
    most: int
    operations: int


@dataclass(frozen=True, slots=True)
class Schedule:
    """The ASAP schedule: D levels. `widths` holds every level once, narrow ones first; `bands` holds them in order.

    Equation (3) is a sum over levels in any order, so `widths` suffices for it.
    """

    depth: int = 0
    widths: tuple[Width, ...] = ()
    bands: tuple[Band, ...] = ()

    @property
    def operations(self) -> float:
        """W, as the sum over the schedule."""
        return sum(width.operations * width.levels for width in self.widths)


@dataclass(frozen=True, slots=True)
class Reuse:
    """Number of references with a stack distance from `distance` up to and including `last` lines."""

    distance: int
    references: float
    last: int


@dataclass(frozen=True, slots=True)
class StackDistances:
    """LRU stack distances of all references to lines of `line` bytes: distinct other lines touched in between.

    A reference that crosses a line boundary counts once for each line. `cold` are the first touches. A `rate` below 1
    means that lines were sampled (SHARDS); counts are scaled up and `error` is the standard error of a miss ratio.
    """

    line: int
    cold: float
    bytes: float  #: total over all references
    reuses: tuple[Reuse, ...] = ()
    rate: float = 1.0
    error: float = 0.0

    @property
    def references(self) -> float:
        """Number of references, first touches included."""
        return self.cold + sum(reuse.references for reuse in self.reuses)

    def misses(self, lines: Value) -> Value:
        """Computes the misses of a fully associative LRU memory of this many lines: distance >= lines (AM-1).

        Distances are assumed uniform within a range that the capacity cuts, so the hits grow linearly from each range's
        first distance to one past its last.
        """
        import numpy as np

        ranges = sorted(self.reuses, key=lambda reuse: reuse.distance)
        capacities = [0.0] + [float(edge) for reuse in ranges for edge in (reuse.distance, reuse.last + 1)]
        served = [0.0]
        for reuse in ranges:
            served += [served[-1], served[-1] + reuse.references]
        return self.references - np.interp(lines, capacities, served)

    def hit_bytes(self, lines: Value) -> Value:
        """Computes the bytes of the references that hit, at the mean size of a reference."""
        if not self.references:
            return 0.0
        return (self.references - self.misses(lines)) * self.bytes / self.references


@dataclass(frozen=True, slots=True)
class Trips:
    """Executions of a loop with similar trip counts (the same number of bits): their number, mean trip count, and share
    of the loop's work."""

    entries: int
    trips: float
    share: float


@dataclass(frozen=True, slots=True)
class Chain:
    """Loop-carried dependency chain of one iteration of an innermost loop: dependent operations, other instructions and
    loads from the value of the previous iteration to the value for the next."""

    operations: Operations = Operations()
    integer: int = 0
    load: int = 0


@dataclass(frozen=True, slots=True)
class TracedLoop:
    """A loop in one calling context. Counts include everything inside the loop.

    `parent` is the index of the enclosing loop in `Trace.loops` (-1: none), also across calls. `entries` are executions
    of the loop, `iterations` the total of all its iterations.
    """

    function: str
    file: str
    line: int
    parent: int
    entries: int
    iterations: int
    least_trips: int
    most_trips: int
    verdict: Verdict
    reason: str = ""  #: cause of a sequential loop or a reduction, with source lines
    operations: Operations = Operations()
    vectorised: int = 0  #: operations in loops that the compiler's vectoriser accepts (W_vec)
    instructions: Instructions = Instructions()
    bytes: int = 0  #: total of loads and stores
    schedule: Schedule = Schedule()
    carried: tuple[str, ...] = ()  #: kinds of loop-carried memory dependences: RAW, and WAR, WAW where requested
    executions: tuple[Trips, ...] = ()  #: by increasing trip count
    chain: Chain = Chain()
    distances: tuple[StackDistances, ...] = ()  #: of its references, in ranges of 4 % where there are many
    scan: bool = False  #: carries only running sums or products: a parallel scan exists


@dataclass(frozen=True)
class Trace(Facet):
    """One run of the kernel. In `loops`, every loop follows its parent."""

    kernel: str
    operations: Operations
    vectorised: int
    schedule: Schedule
    sync_points: int
    instructions: Instructions = Instructions()
    distances: tuple[StackDistances, ...] = ()
    footprint: int = 0  #: bytes of the lines touched, smallest line size
    loops: tuple[TracedLoop, ...] = ()
    calls: int = 1  #: calls of the kernel
    sync_given: bool = False  #: the user marked where the program synchronises
    reassociated: Schedule | None = None  #: schedule with reductions as trees (AM-11), where requested
    command: tuple[str, ...] = ()  #: command line of the traced run
    seconds: float = 0.0  #: time of the traced run

    @property
    def symbols(self) -> frozenset[str]:
        return frozenset((THREADS,))

    @property
    def optional(self) -> frozenset[str]:
        return frozenset((THREADS,))

    @property
    def accesses(self) -> int:
        """Number of loads and stores."""
        return self.instructions.load + self.instructions.store

    @property
    def bytes(self) -> float:
        """Bytes moved by all loads and stores."""
        return self.distances[0].bytes if self.distances else 0.0

    @property
    def intensity(self) -> float | None:
        """Arithmetic intensity: operations per byte of loads and stores; None where there are none."""
        return self.operations.total / self.bytes if self.bytes else None

    @property
    def vector_share(self) -> float:
        """f_v of equation (2); 0 if there are no operations."""
        total = self.operations.total
        return self.vectorised / total if total else 0.0

    def distances_at(self, line: int) -> StackDistances:
        """Returns the stack distances for lines of this many bytes; InputError names the traced sizes."""
        for distances in self.distances:
            if distances.line == line:
                return distances
        have = ", ".join(str(distances.line) for distances in self.distances) or "none"
        raise InputError(
            f"{self.kernel}: stack distances for lines of {line} bytes were not traced (there are: {have})",
            hint=f"trace again with --line {line}",
        )

    @cached_property
    def phases(self) -> tuple[int, ...]:
        """Indices in `loops` of the outermost parallel loops inside a sequential loop."""
        return tuple(index for index in self._outermost if self.loops[index].parent >= 0)

    @property
    def _outermost(self) -> list[int]:
        """Indices of the parallel loops inside sequential ones only."""
        parallel = {index for index, loop in enumerate(self.loops) if loop.verdict != "sequential"}
        return [index for index in sorted(parallel) if parallel.isdisjoint(self.around(index))]

    @property
    def regions(self) -> int:
        """Number of parallel regions (fork and join): executions of the outermost parallel loops. A code without any,
        but with levels of several operations, has one region per level."""
        if self._outermost:
            return sum(self.loops[index].entries for index in self._outermost)
        return self.schedule.depth if self.schedule.operations > self.schedule.depth else 0

    @property
    def sync_by_trips(self) -> int:
        """Counts iterations of sequential loops that contain a parallel one: the prose of the paper (AM-7, `trip`)."""
        return sum(self.loops[index].iterations for index in self._around_phases)

    @property
    def sync_by_steps(self) -> int:
        """Counts the same iterations as `sync_by_trips`, but not the first of each execution (AM-7, `trip_minus_1`)."""
        return sum(self.loops[index].iterations - self.loops[index].entries for index in self._around_phases)

    def around(self, index: int) -> Iterator[int]:
        """Iterates over the enclosing loops, from the inside out."""
        while (index := self.loops[index].parent) >= 0:
            yield index

    @property
    def _around_phases(self) -> frozenset[int]:
        return frozenset(self.loops[index].parent for index in self.phases)


def sync_points(executions: int) -> int:
    """Computes S of AM-7: executions of the outermost parallel loops inside sequential ones, minus one."""
    return max(executions - 1, 0)
