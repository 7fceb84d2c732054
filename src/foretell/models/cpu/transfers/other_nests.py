"""What other loops of a function touch before a loop meets its data again: in later calls, and in later iterations of
the loops that they have in common."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from foretell.models.cpu.transfers.loop_reuse import places, shape_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from foretell.characterize.footprints.footprints import Footprints
    from foretell.core.columns.expression import Value
    from foretell.core.nest.loopnest import LoopNest
    from foretell.models.cpu.parallel import Split


def with_others(
    shape: Footprints,
    nest: LoopNest,
    others: Sequence[LoopNest],
    values: Mapping[str, Value],
    line: float,
    split: Split,
) -> Footprints:
    """The footprints of a nest, with what the others touch between two visits to an array. `others`: those of its
    function that run, in the order in which they come after the nest and before it comes again."""
    if not others:
        return shape
    common = [_common(nest, other) for other in others]
    shapes = [shape_of(other, values, line, split) for other in others]
    between: dict[str, list[Value]] = {array.name: [] for array in shape.arrays}
    for depth in range(max(common) + 1):
        inside = [at for at, shared in enumerate(common) if shared >= depth]
        own, met = places(nest, depth), [places(others[at], depth) for at in inside]
        for array in shape.arrays:
            which = own.get(array.name, frozenset())
            last = max((at for at, one in enumerate(met) if which & one.get(array.name, frozenset())), default=-1)
            behind = [shapes[at] for at in inside[last + 1 :]]
            between[array.name].append(_further(shape, shapes[inside[last]] if last >= 0 else None, behind, depth))
    return replace(shape, others={name: tuple(found) for name, found in between.items()})


def _common(nest: LoopNest, other: LoopNest) -> int:
    """The number of outer loops that two nests share."""
    shared = 0
    for left, right in zip(nest.loops, other.loops, strict=False):
        if left != right:
            break
        shared += 1
    return min(shared, len(nest.loops) - 1)


def _further(shape: Footprints, last: Footprints | None, between: Sequence[Footprints], depth: int) -> Value:
    """Bytes that come between two visits beside the nest's own: of the nests in between, and what the nest that visits
    the array before touches more than this one, since both go through it in the same order."""
    own = {array.name for array in shape.arrays}
    largest: dict[str, Value] = {}
    for one in between:
        for array in one.arrays:
            if array.name not in own:
                bytes_ = array.bytes[depth] * np.greater(one.iterations[-1], 0)
                largest[array.name] = np.maximum(bytes_, largest.get(array.name, 0.0))
    more: Value = sum(largest.values(), 0.0)
    if last is None:
        return more
    before = last.together(depth) * np.greater(last.iterations[-1], 0)
    return more + np.maximum(0.0, before - shape.together(depth))
