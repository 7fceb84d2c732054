"""How often inner loops are entered that stand under conditions on data.

Footprints are those of nests whose loops always run. A loop that a condition of the loop around it guards, as in
`if (!done[i]) for (j …)`, moves its lines as often as the condition holds; a condition in its body hardly saves any, as
others of the same line hold.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from foretell.core.columns.tape import real
from foretell.core.nest.loopnest import iterations

if TYPE_CHECKING:
    from collections.abc import Mapping

    from foretell.core.columns.expression import Value
    from foretell.core.nest.loopnest import ArrayUse, LoopNest
    from foretell.core.symbolic.poly import Poly


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
