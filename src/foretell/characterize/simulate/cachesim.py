"""Cache simulation, access by access: traffic of a loop nest or an address list between memory levels.

The rules, for every level from the inside out:

* A load or store that misses is requested from the next level and fills this one (write-allocate). It evicts the least
  recently used line, which is written to the next level if it is dirty; inner levels may keep it (non-inclusive).
* A write-back from inside fills the line whole, without a fetch, unless the lines of this level are longer.
* An access that spans several lines is one access for each line.

Hits and misses are those of loads and stores; write-backs are counted separately.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeVar

import numpy as np

from foretell import _core
from foretell.errors import InputError
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

Access = Literal["load", "store"]

#: accesses: some seconds to a minute of simulation
DEFAULT_LIMIT = 4_000_000_000
_MAX_LINES = 1 << 28  # per level: 16 GiB with lines of 64 bytes
_INT64 = 2**63
_Number = TypeVar("_Number", np.uint8, np.uint32)


@record
class CacheLevel:
    """One LRU cache level. `ways = None` is fully associative; lines and sets need not be powers of two."""

    name: str
    size: int
    line: int = 64
    ways: int | None = None

    @property
    def lines(self) -> int:
        """Capacity in lines."""
        return self.size // self.line

    @property
    def sets(self) -> int:
        """Number of sets."""
        return 1 if self.ways is None else self.lines // self.ways


@record
class Bound:
    """Affine bound: `constant` plus the sum of `coefficients` times the variables of the outer loops (outermost
    first). Of a bound with `others` the tightest counts, as in loops over a tile: k < min(k_tile + 32, n)."""

    constant: int
    coefficients: tuple[int, ...] = ()
    others: tuple[Bound, ...] = ()

    @property
    def each(self) -> tuple[Bound, ...]:
        """This bound and the others."""
        return (self, *(bound for other in self.others for bound in other.each))


@record
class Loop:
    """Loop for (v = first; v < end; v += step), or v > end where the step is negative."""

    first: int | Bound
    end: int | Bound
    step: int = 1


@record
class Reference:
    """Reference at byte address base + sum(strides × loop variables); one stride in bytes for each loop."""

    name: str
    base: int
    strides: tuple[int, ...]
    kind: Access = "load"
    bytes: int = 8


@record
class Nest:
    """Perfect loop nest, outermost loop first; each iteration executes its references in the order given."""

    loops: tuple[Loop, ...]
    references: tuple[Reference, ...]


@record
class Counts:
    """Event counts of one level."""

    hits: int = 0
    misses: int = 0
    evictions: int = 0
    writebacks: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.hits + other.hits,
            self.misses + other.misses,
            self.evictions + other.evictions,
            self.writebacks + other.writebacks,
        )


@record
class ReferenceCounts:
    """Event counts of one reference at each level, and the lines that it moved from and to memory."""

    name: str
    levels: tuple[Counts, ...]
    memory_reads: int
    memory_writes: int


@record
class CacheCounts:
    """Counts of all references together, and of each. `dirty`: lines still to be written back at the end."""

    accesses: int
    levels: tuple[Counts, ...]
    dirty: tuple[int, ...]
    memory_reads: int
    memory_writes: int
    references: tuple[ReferenceCounts, ...]


@dataclass
class Simulation:
    """Stateful cache hierarchy: every `run` starts from the contents that the previous one left."""

    levels: tuple[CacheLevel, ...]
    names: tuple[str, ...]
    vectors: bool = True  # SIMD where the processor has it: the counts are the same
    _accesses: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        _check_levels(self.levels)
        if not self.names:
            raise InputError("a cache simulation needs at least one reference")
        geometry = [
            _core.CacheGeometry(sets=level.sets, ways=level.lines // level.sets, line=level.line)
            for level in self.levels
        ]
        self._core = _core.CacheSimulator(geometry, len(self.names), self.vectors)

    def run(self, nest: Nest, limit: int = DEFAULT_LIMIT) -> None:
        """Simulates the accesses of a nest; its references are counted under their names."""
        _check_nest(nest)
        first = self._position(nest.references)
        loops = [
            _core.CacheLoop(first=_core_bound(loop.first), end=_core_bound(loop.end), step=loop.step)
            for loop in nest.loops
        ]
        references = [
            _core.CacheReference(
                base=item.base, strides=item.strides, bytes=item.bytes, kind=_core.CacheAccess[item.kind]
            )
            for item in nest.references
        ]
        try:
            self._accesses += self._core.run_nest(loops, references, first, limit)
        except IndexError:
            raise InputError("a reference of the nest has a negative address") from None
        except ValueError as error:
            hint = "simulate a part of the iteration space"
            raise InputError(f"cache simulation: {error} ({limit:g})", hint=hint) from None

    def run_addresses(
        self, addresses: ArrayLike, kinds: ArrayLike = 0, references: ArrayLike = 0, size: int = 8
    ) -> None:
        """Simulates a list of accesses. `kinds` (0 load, 1 store) and `references` (indices into
        `names`) are arrays of that length, or one value for all."""
        where = np.ascontiguousarray(addresses, dtype=np.uint64)
        if where.ndim != 1 or size <= 0:
            raise InputError("addresses must be a list, and an access at least one byte")
        kind, who = _column(kinds, np.uint8, where.shape), _column(references, np.uint32, where.shape)
        try:
            self._core.run_addresses(where, kind, who, size)
        except IndexError:
            raise InputError("addresses must be below 2^62, where no memory ends") from None
        except ValueError as error:
            raise InputError(f"cache simulation: {error}") from None
        self._accesses += len(where)

    def counts(self) -> CacheCounts:
        """Counts since the start."""
        depth = range(len(self.levels))
        references = tuple(
            ReferenceCounts(
                name,
                tuple(Counts(**self._core.counts(position, level)) for level in depth),
                **self._core.memory(position),
            )
            for position, name in enumerate(self.names)
        )
        return CacheCounts(
            accesses=self._accesses,
            levels=tuple(sum((item.levels[level] for item in references), Counts()) for level in depth),
            dirty=tuple(self._core.dirty_lines(level) for level in depth),
            memory_reads=sum(item.memory_reads for item in references),
            memory_writes=sum(item.memory_writes for item in references),
            references=references,
        )

    def _position(self, references: Sequence[Reference]) -> int:
        wanted = tuple(item.name for item in references)
        for first in range(len(self.names) - len(wanted) + 1):
            if self.names[first : first + len(wanted)] == wanted:
                return first
        raise InputError(f"the simulation does not count the references {', '.join(wanted)} in this order")


def simulate(levels: Sequence[CacheLevel], nests: Sequence[Nest], *, limit: int = DEFAULT_LIMIT) -> CacheCounts:
    """Simulates the nests one after the other, on initially empty caches."""
    names = tuple(item.name for nest in nests for item in nest.references)
    simulation = Simulation(tuple(levels), names)
    for nest in nests:
        simulation.run(nest, limit)
    return simulation.counts()


def _column(values: ArrayLike, kind: type[_Number], shape: tuple[int, ...]) -> NDArray[_Number] | None:
    """One value for each access; None where all are 0."""
    if isinstance(values, int) and values == 0:
        return None
    return np.ascontiguousarray(np.broadcast_to(np.asarray(values, dtype=kind), shape))


def as_bound(bound: int | Bound) -> Bound:
    """A number as a bound without variables."""
    return Bound(bound) if isinstance(bound, int) else bound


def _core_bound(bound: int | Bound) -> _core.CacheBound:
    first, *others = as_bound(bound).each
    return _core.CacheBound(
        constant=first.constant, coefficients=first.coefficients, others=[_core_bound(other) for other in others]
    )


def _check_levels(levels: Sequence[CacheLevel]) -> None:
    if not levels:
        raise InputError("a cache simulation needs at least one level")
    for inner, level in zip((None, *levels), levels, strict=False):
        if problem := _level_problem(inner, level):
            raise InputError(f"cache level {level.name}: {problem}")


def _level_problem(inner: CacheLevel | None, level: CacheLevel) -> str | None:
    if level.line <= 0 or level.size < level.line or level.size % level.line:
        return f"a size of {level.size} is not a positive multiple of its line of {level.line} bytes"
    if level.lines > _MAX_LINES:
        return f"{level.lines} lines are more than the simulator holds ({_MAX_LINES})"
    if level.ways is not None and (level.ways <= 0 or level.lines % level.ways):
        return f"{level.lines} lines cannot be divided into sets of {level.ways} ways"
    if inner is not None and level.line % inner.line:
        return f"its line ({level.line} B) is not a multiple of the inner level's ({inner.line} B)"
    return None


def _check_nest(nest: Nest) -> None:
    if not nest.loops or not nest.references:
        raise InputError("a nest needs at least one loop and one reference")
    for depth, loop in enumerate(nest.loops):
        if loop.step == 0:
            raise InputError(f"loop {depth} has a step of 0")
        for bound in (*as_bound(loop.first).each, *as_bound(loop.end).each):
            if len(bound.coefficients) > depth:
                raise InputError(f"loop {depth} has a bound with {len(bound.coefficients)} outer variables")
            if not all(-_INT64 <= number < _INT64 for number in (bound.constant, *bound.coefficients)):
                raise InputError(f"loop {depth} has a bound that does not fit 64 bits")
    for item in nest.references:
        if len(item.strides) != len(nest.loops):
            raise InputError(f"reference {item.name} needs {len(nest.loops)} strides")
        if not 0 < item.bytes < 1 << 20 or item.kind not in ("load", "store"):
            raise InputError(f"reference {item.name}: {item.bytes} bytes, {item.kind!r}")
        if _extent(nest, item) >= _INT64 // 4:
            raise InputError(f"reference {item.name} has addresses that do not fit 64 bits")


def _extent(nest: Nest, item: Reference) -> float:
    """Upper bound of the addresses, over the rectangular hull of the loops (in floating point: it may be huge)."""
    hulls: list[float] = []
    for loop in nest.loops:
        bounds = (*as_bound(loop.first).each, *as_bound(loop.end).each)
        hulls.append(max(_magnitude(bound, hulls) for bound in bounds))
    return abs(item.base) + math.fsum(abs(float(s)) * h for s, h in zip(item.strides, hulls, strict=True))


def _magnitude(bound: Bound, hulls: Sequence[float]) -> float:
    return abs(bound.constant) + sum(abs(k) * hull for k, hull in zip(bound.coefficients, hulls, strict=False))
