"""What other loops of a function touch before a loop meets its data again: in later calls, and in later iterations of
the loops that they have in common."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from foretell.models.cpu.transfers.loop_reuse import places, shape_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from foretell.characterize.footprints.footprints import Footprints
    from foretell.core.columns.expression import Value
    from foretell.core.nest.loopnest import LoopNest
    from foretell.models.cpu.parallel import Split


class Other(NamedTuple):
    """Another nest of the function, and where it runs whenever the nest does."""

    nest: LoopNest
    runs: Value


def with_others(
    shape: Footprints, nest: LoopNest, others: Sequence[Other], values: Mapping[str, Value], line: float, split: Split
) -> Footprints:
    """The footprints of a nest, with what the others touch between two visits to an array. `others`: those of its
    function that run, in the order in which they come after the nest and before it comes again."""
    if not others:
        return shape
    shapes = {id(other.nest): shape_of(other.nest, values, line, split) for other in others}
    depths = max(_common(nest, other.nest) for other in others) + 1
    between: dict[str, list[Value]] = {array.name: [0.0] * depths for array in shape.arrays}
    for running, here in _by_point(others):
        for depth in range(depths):
            inside = [other for other in running if _common(nest, other) >= depth]
            found = _between(shape, nest, [(other, shapes[id(other)]) for other in inside], depth)
            for name, further in found.items():
                between[name][depth] = further if here is None else np.where(here, further, between[name][depth])
    return replace(shape, others={name: tuple(found) for name, found in between.items()})


def _by_point(others: Sequence[Other]) -> Iterator[tuple[list[LoopNest], Value | None]]:
    """The nests that run together, and at which points; None: at all."""
    runs = np.stack(np.broadcast_arrays(*(np.atleast_1d(other.runs) for other in others)))
    for together in np.unique(runs, axis=1).T:
        here = np.all(runs == together[:, None], axis=0)
        running = [other.nest for other, one in zip(others, together, strict=True) if one]
        yield running, None if here.all() else here


def _between(
    shape: Footprints, nest: LoopNest, inside: Sequence[tuple[LoopNest, Footprints]], depth: int
) -> dict[str, Value]:
    """For each array, the bytes that the nests `inside` an iteration of the outer loops put between two visits."""
    own, met = places(nest, depth), [places(other, depth) for other, _ in inside]
    found: dict[str, Value] = {}
    for array in shape.arrays:
        which = own.get(array.name, frozenset())
        last = max((at for at, one in enumerate(met) if which & one.get(array.name, frozenset())), default=-1)
        behind = [other for _, other in inside[last + 1 :]]
        found[array.name] = _further(shape, inside[last][1] if last >= 0 else None, behind, depth)
    return found


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
