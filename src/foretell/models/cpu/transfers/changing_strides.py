"""Nests whose outermost loop changes the strides of the loops in it: the passes of a transform, the primes of a sieve.

What one iteration of that loop moves depends on the iteration: neighbours share lines in the first passes of a
transform and are lines apart in the last ones. Each is evaluated as a nest of its own, with the variable of that loop
given; of many, some that lie as far apart as their variable grows, each for its neighbours.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from foretell.characterize.layout.iteration_strides import by_iteration
from foretell.core.columns.tape import plain, real
from foretell.core.nest.loopnest import iterations
from foretell.core.symbolic.poly import ONE, ZERO, symbol

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from foretell.core.columns.expression import Value
    from foretell.core.nest.loopnest import ArrayUse, LoopNest, Subscript

#: iterations that are evaluated one by one, and how many are of a longer loop
_EACH, _SAMPLES = 24, 12


@lru_cache(maxsize=256)
def strides_change(nest: LoopNest) -> bool:
    """Whether the outermost of several loops changes by how much the inner ones move some reference."""
    outer, *inner = nest.loops
    if not inner or not outer.counted or outer.directives:
        return False
    names = {loop.variable for loop in inner}
    return any(
        name in names and factor.depends_on((outer.variable,))
        for array in by_iteration(nest)
        for access in array.accesses
        for subscript in access.subscripts
        for name, factor in subscript.coefficients
    )


@lru_cache(maxsize=64)
def one_iteration(nest: LoopNest) -> LoopNest:
    """One iteration of the outermost loop: its variable is a parameter."""
    outer, *inner = nest.loops
    name = outer.variable
    once = replace(outer, variable=f"{name}~once", lower=ZERO, upper=ZERO, step=ONE, trips=ONE)
    loops = (once, *inner)
    arrays = tuple(_at(array, name) for array in nest.arrays)
    blocks = tuple(replace(block, executions=iterations(loops, block.depth)) for block in nest.blocks)
    return replace(nest, loops=loops, arrays=arrays, blocks=blocks, total=None)


def _at(array: ArrayUse, name: str) -> ArrayUse:
    """The array with a loop variable as part of the offsets of its subscripts."""

    def given(one: Subscript) -> Subscript:
        factors = dict(one.coefficients)
        if name not in factors:
            return one
        offset = one.offset + factors.pop(name) * symbol(name)
        return replace(one, coefficients=tuple(factors.items()), offset=offset)

    accesses = tuple(
        replace(access, subscripts=tuple(given(one) for one in access.subscripts)) for access in array.accesses
    )
    return replace(array, accesses=accesses)


def outer_iterations(nest: LoopNest, values: Mapping[str, Value]) -> Iterator[tuple[dict[str, Value], Value]]:
    """Values with the variable of the outermost loop, and the iterations that each stands for."""
    outer = nest.loops[0]
    first, step, trips = (real(plain(one.evaluate(values))) for one in (outer.lower, outer.step, outer.trips))
    trips = np.maximum(0.0, trips)
    ends = _ends(trips)
    for begin, end in pairwise(ends):
        middle = np.floor(np.sqrt((begin + 1.0) * np.maximum(end, begin + 1.0)) - 1.0)
        yield {**values, outer.variable: first + step * middle}, end - begin


def _ends(trips: Value) -> list[Value]:
    """Bounds between the iterations that are evaluated together: each alone, or a constant factor apart."""
    most = float(np.max(trips))
    if most <= _EACH:
        return [np.minimum(float(number), trips) for number in range(int(most) + 1)]
    return [np.power(trips + 1.0, part / _SAMPLES) - 1.0 for part in range(_SAMPLES + 1)]
