"""Computes reuse between nests that share an outer loop: data that earlier nests fetched in an iteration of the common
loop hit in later ones, if all of it fits."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from foretell.characterize.footprints.footprints import footprints
from foretell.characterize.simulate.addresses import label

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from foretell.characterize.footprints.footprints import Footprints
    from foretell.core.columns.expression import Value
    from foretell.core.nest.loopnest import LoopNest, Subscript
    from foretell.models.cpu.parallel import Split


@dataclass(frozen=True, slots=True)
class Inherited:
    """For each array, the fraction of a nest's footprint in an iteration of the common loop that earlier nests have
    touched; the arrays that they have written; and the joint footprint in bytes."""

    shares: Mapping[str, Value] = field(default_factory=dict)
    written: frozenset[str] = frozenset()
    together: Value = 0.0

    def there(self, array: str, capacity: Value) -> Value:
        """The fraction of an array's lines that hit in a cache of this capacity."""
        if array not in self.shares:  # fast path: most nests have no predecessor, and there may be a million capacities
            return 0.0
        return np.where(self.together <= capacity, self.shares[array], 0.0)


def inherited(
    nest: LoopNest, ahead: Sequence[LoopNest], values: Mapping[str, Value], line: float, split: Split
) -> Inherited:
    """Computes what the nests `ahead` leave cached for a nest; all have its `shared` outermost loops in common."""
    if not ahead:
        return Inherited()
    depth = nest.shared
    shapes = [shape_of(earlier, values, line, split) for earlier in (*ahead, nest)]
    largest: dict[str, Value] = {}
    for shape in shapes:
        for array in shape.arrays:
            largest[array.name] = np.maximum(array.bytes[depth], largest.get(array.name, 0.0))
    brought: dict[str, Value] = {}
    for earlier, shape in zip(ahead, shapes, strict=False):
        met = places(earlier, depth)
        for array in shape.arrays:
            if met[array.name] & places(nest, depth).get(array.name, frozenset()):
                brought[array.name] = np.maximum(array.bytes[depth], brought.get(array.name, 0.0))
    shares = {
        array.name: np.minimum(1.0, brought[array.name] / np.maximum(array.bytes[depth], 1.0))
        for array in shapes[-1].arrays
        if array.name in brought
    }
    written = frozenset(label(array) for earlier in ahead for array in earlier.arrays if array.writes)
    return Inherited(shares, written, sum(largest.values(), 0.0))


def shape_of(nest: LoopNest, values: Mapping[str, Value], line: float, split: Split) -> Footprints:
    """The footprints of a nest; one without the loop that threads divide runs as a whole."""
    divided = split.depth is not None and split.depth < len(nest.loops)
    return footprints(nest, values, line, split.depth if divided else None, split.threads if divided else 1.0)


def places(nest: LoopNest, depth: int) -> dict[str, frozenset[object]]:
    """Locations of accesses in an iteration of the outer loops: two accesses with a common location touch the same or
    adjacent parts of an array there."""
    common = {loop.variable for loop in nest.loops[:depth]}
    positions: dict[str, frozenset[object]] = {}
    for array in nest.arrays:
        own = frozenset(_place(access.subscripts, common) for access in array.accesses)
        positions[label(array)] = positions.get(label(array), frozenset()) | own
    return positions


def _place(subscripts: Sequence[Subscript], common: set[str]) -> object:
    """Coefficients of subscripts in the common loops, and constants where no other loop moves them."""
    fixed = []
    for one in subscripts:
        moves = any(name not in common for name, _ in one.coefficients)
        own = tuple((name, factor) for name, factor in one.coefficients if name in common)
        fixed.append((own, one.index, None if moves else one.offset))
    return tuple(fixed)
