"""ExaSAT's plane model: planes of a grid moved per plane updated by a sweep.

A plane is the part of one array that the loops inside the outermost one touch. Section 4.3 of the specification has the
rules, with the capacities that reproduce the report's regimes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from foretell.errors import UnsupportedError
from foretell.records import record

if TYPE_CHECKING:
    from foretell.core.columns.expression import Value
    from foretell.core.nest.loopnest import LoopNest
    from foretell.core.symbolic.poly import Poly


@record
class ArrayPlanes:
    """Planes of one array in a sweep: span from lowest to highest offset, distinct offsets, and distinct offsets
    read."""

    name: str
    span: int
    offsets: int
    read_offsets: int
    written: bool

    @property
    def read(self) -> bool:
        return self.read_offsets > 0


@record
class Planes:
    """The arrays of a sweep that move with its outermost loop."""

    arrays: tuple[ArrayPlanes, ...]

    def working_set(self, write_allocate: bool = True) -> int:
        """Planes that must stay in the cache so that each plane is moved only once."""
        return sum(array.span for array in self.arrays if array.read or write_allocate)

    @property
    def writes(self) -> int:
        return sum(array.written for array in self.arrays)

    def reads(self, write_allocate: bool = True) -> int:
        """Planes read per plane updated when the working set fits: one per array, including write-allocate fills of
        arrays that are only written."""
        return sum(array.read or write_allocate for array in self.arrays)

    def allocated(self, write_allocate: bool = True) -> int:
        """Planes read only because of write-allocate."""
        return sum(not array.read for array in self.arrays) if write_allocate else 0

    def most_reads(self, write_allocate: bool = True) -> int:
        """Planes read when no plane is reused."""
        return sum(array.read_offsets for array in self.arrays) + self.allocated(write_allocate)

    def reads_in(self, cached_planes: Value, write_allocate: bool = True) -> Value:
        """Planes read when `cached_planes` fit: each one that does not fit is read again (an empirical rule, EX-9)."""
        dropped = np.maximum(0, self.working_set(write_allocate) - cached_planes)
        reads: Value = np.minimum(self.most_reads(write_allocate), self.reads(write_allocate) + dropped)
        return reads


def planes(nest: LoopNest) -> Planes:
    """Planes of a nest's arrays along its outermost loop; arrays that do not move with it have none."""
    outer = nest.loops[0].variable
    offsets: dict[str, tuple[set[Poly], set[Poly]]] = {}
    for array in nest.arrays:
        reads, writes = offsets.setdefault(array.label, (set(), set()))
        for access in array.accesses:
            for subscript in access.subscripts:
                if dict(subscript.coefficients).get(outer) is not None:
                    if access.reads:
                        reads.add(subscript.offset)
                    if access.writes:
                        writes.add(subscript.offset)
    rows = [_array(name, reads, writes) for name, (reads, writes) in offsets.items() if reads or writes]
    if not rows:
        raise UnsupportedError(f"{nest.function}, line {nest.line}: no array moves with the outermost loop {outer!r}")
    return Planes(tuple(rows))


def _array(name: str, reads: set[Poly], writes: set[Poly]) -> ArrayPlanes:
    offsets = reads | writes
    first = next(iter(offsets))
    distances = [(offset - first).integer for offset in offsets]
    if None in distances:
        raise UnsupportedError(f"array {name!r}: the distance of its planes depends on a parameter")
    whole = [distance for distance in distances if distance is not None]
    return ArrayPlanes(name, max(whole) - min(whole) + 1, len(offsets), len(reads), bool(writes))


def cycle_planes(per_sweep: float, levels: int) -> float:
    """Planes of a multigrid cycle in planes of the finest level: each coarser level has an eighth of the points, so its
    planes count 1/8."""
    return per_sweep * sum(8.0**-level for level in range(levels))
