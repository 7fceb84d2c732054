"""How often inner loops are entered that stand under conditions on data, and how far they go where data end them.

Footprints are those of nests whose loops always run. A loop that a condition of the loop around it guards, as in
`if (!done[i]) for (j …)`, moves its lines as often as the condition holds; a condition in its body hardly saves any, as
others of the same line hold. A loop that data end moves the lines that it reaches in the mean.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from foretell.core.columns.tape import real
from foretell.core.nest.loopnest import TRIPS, iterations
from foretell.core.symbolic.poly import ONE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from foretell.core.columns.expression import Value
    from foretell.core.nest.loopnest import Access, ArrayUse, Loop, LoopNest
    from foretell.core.symbolic.poly import Poly

#: shares of counts are fractions of at most so many parts
_FINE = 1 << 20


def entered_shares(nest: LoopNest, values: Mapping[str, Value]) -> dict[str, Value]:
    """For each array, the share of its accesses that happen as far as conditions between the loops decide."""
    if nest.total is None or not set[str]().union(*(poly.symbols() for poly in _counts(nest))) <= set(values):
        return {}
    every = real(iterations(nest.loops, len(nest.loops)).evaluate(values))
    inside = np.minimum(1.0, real(nest.total.evaluate(values)) / np.maximum(every, 1.0))
    if np.all(inside == 1.0):
        return {}
    return {array.label: _share(array, nest, inside, values) for array in nest.arrays}


def _counts(nest: LoopNest) -> tuple[Poly, ...]:
    total = () if nest.total is None else (nest.total,)
    return (*total, iterations(nest.loops, len(nest.loops)), *(block.executions for block in nest.blocks))


def _share(array: ArrayUse, nest: LoopNest, inside: Value, values: Mapping[str, Value]) -> Value:
    """The mean over accesses, those of the innermost loop with their share, as often as they would be made."""
    every: Value = 0.0
    done: Value = 0.0
    for access in array.accesses:
        block = nest.blocks[access.block]
        share = inside if block.depth == len(nest.loops) else 1.0
        times = real(block.executions.evaluate(values)) * float(access.reads + access.writes)
        every, done = every + times / np.maximum(share, 1e-9), done + times
    return np.where(np.greater(every, 0.0), done / np.maximum(every, 1e-300), 1.0)


def ending_early(nest: LoopNest, ended: Mapping[int, float]) -> LoopNest:
    """A nest whose loops go as far as data let them in the mean: `ended` has the shares of their counts by line."""
    shares = tuple((loop.line, ended[loop.line]) for loop in nest.loops if ended.get(loop.line, 1.0) < 1.0)
    return _shortened(nest, shares) if shares else nest


@lru_cache(maxsize=256)
def _shortened(nest: LoopNest, ended: tuple[tuple[int, float], ...]) -> LoopNest:
    by_line = {line: Fraction(share).limit_denominator(_FINE) for line, share in ended}
    shares = [by_line.get(loop.line, Fraction(1)) for loop in nest.loops]
    loops = tuple(_shorter(loop, share) for loop, share in zip(nest.loops, shares, strict=True))
    blocks = tuple(replace(one, executions=one.executions * prod(shares[: one.depth])) for one in nest.blocks)
    total = None if nest.total is None else nest.total * prod(shares)
    arrays = tuple(_without_places(array, nest, by_line) for array in nest.arrays)
    return replace(nest, loops=loops, blocks=blocks, total=total, arrays=arrays)


def _shorter(loop: Loop, share: Fraction) -> Loop:
    trips = loop.trips * share
    return loop if share == 1 else replace(loop, trips=trips, upper=loop.lower + loop.step * (trips - ONE))


def _without_places(array: ArrayUse, nest: LoopNest, ended: Mapping[int, Fraction]) -> ArrayUse:
    """An array without the accesses outside of an ended loop at the place where it ended, as far as the loop accesses
    the array itself: their lines are there."""
    first = next(depth for depth, loop in enumerate(nest.loops, 1) if loop.line in ended)
    if not any(nest.blocks[access.block].depth >= first for access in array.accesses):
        return array
    names = {f"{TRIPS}{line}" for line in ended}
    kept = (one for one in array.accesses if nest.blocks[one.block].depth >= first or not _found(one) & names)
    return replace(array, accesses=tuple(kept))


def _found(access: Access) -> set[str]:
    """The symbols in the subscripts of an access, without the numbers of names that are met again."""
    names = set[str]().union(*(one.offset.symbols() for one in access.subscripts))
    return {name.partition("~")[0] for name in names}
