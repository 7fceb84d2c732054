"""ExaSAT's plane model: how many planes of a grid a sweep moves for each plane that it updates.

A plane is what the loops inside the outermost one touch of one array. Section 4.3 of the specification has the
rules, with the capacities that reproduce the report's regimes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from foretell.errors import UnsupportedError

if TYPE_CHECKING:
    from foretell.core.columns.expression import Value
    from foretell.core.nest.loopnest import LoopNest
    from foretell.core.symbolic.poly import Poly


@dataclass(frozen=True, slots=True)
class ArrayPlanes:
    """One array in a sweep: planes from its lowest to its highest offset, different offsets, and those read."""

    name: str
    span: int
    offsets: int
    read_offsets: int
    written: bool

    @property
    def read(self) -> bool:
        return self.read_offsets > 0


@dataclass(frozen=True, slots=True)
class Planes:
    """The arrays of a sweep that move with its outermost loop."""

    arrays: tuple[ArrayPlanes, ...]

    def working_set(self, write_allocate: bool = True) -> int:
        """Planes that must stay in the cache for every plane to be moved once only."""
        return sum(array.span for array in self.arrays if array.read or write_allocate)

    @property
    def writes(self) -> int:
        return sum(array.written for array in self.arrays)

    def reads(self, write_allocate: bool = True) -> int:
        """Planes read for each plane updated when the working set fits: one per array, and one for each array
        that is only written, because its lines are fetched first."""
        return sum(array.read or write_allocate for array in self.arrays)

    def allocated(self, write_allocate: bool = True) -> int:
        """Planes read only because they are about to be written."""
        return sum(not array.read for array in self.arrays) if write_allocate else 0

    def most_reads(self, write_allocate: bool = True) -> int:
        """Planes read when nothing stays in the cache from one plane to the next."""
        return sum(array.read_offsets for array in self.arrays) + self.allocated(write_allocate)

    def reads_in(self, cached_planes: Value, write_allocate: bool = True) -> Value:
        """Planes read when so many planes fit: each one that does not fit is read again (an empirical rule, EX-9)."""
        dropped = np.maximum(0, self.working_set(write_allocate) - cached_planes)
        reads: Value = np.minimum(self.most_reads(write_allocate), self.reads(write_allocate) + dropped)
        return reads


def planes(nest: LoopNest) -> Planes:
    """The planes of a nest's arrays along its outermost loop; arrays that do not move with it take none."""
    outer = nest.loops[0].variable
    found: dict[str, tuple[set[Poly], set[Poly]]] = {}
    for array in nest.arrays:
        reads, writes = found.setdefault(array.label, (set(), set()))
        for access in array.accesses:
            for subscript in access.subscripts:
                if dict(subscript.coefficients).get(outer) is not None:
                    if access.reads:
                        reads.add(subscript.offset)
                    if access.writes:
                        writes.add(subscript.offset)
    rows = [_array(name, reads, writes) for name, (reads, writes) in found.items() if reads or writes]
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
    """Planes of a multigrid cycle in planes of the finest level: each level has an eighth of the points of the
    one above, so its planes count 1/8."""
    return per_sweep * sum(8.0**-level for level in range(levels))
