"""Innermost loops that gcc leaves as they are, and LLVM vectorises.

As gcc 12 and 13 do with -O3 for CPUs with AVX-512: each rule is one that -fopt-info-vec-missed names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.core.loopnest import Store
from foretell.core.symbolic import ZERO, Poly

if TYPE_CHECKING:
    from foretell.core.loopnest import LoopNest


def stays_scalar(nest: LoopNest, overlapping: bool) -> bool:
    """Whether a pass does one iteration. `overlapping`: gcc does not know that the arrays are apart; it keeps what is
    added up in memory there then."""
    steps = [_step(nest, statement) for statement in _stores(nest)]
    in_place = overlapping and any(step == ZERO for step in steps)
    return in_place or any(step.integer is None for step in steps)


def _stores(nest: LoopNest) -> list[Store]:
    return [one for one in nest.levels[-1] if isinstance(one, Store)] if nest.levels else []


def _step(nest: LoopNest, statement: Store) -> Poly:
    """Elements that the address of a store moves in an iteration; where that is known only at run time, gcc writes no
    scattered vectors."""
    inner = nest.loops[-1].variable
    use = next((one for one in nest.arrays if one.name == statement.target.array), None)
    total = ZERO
    for part, dim in zip(statement.target.subscripts, use.dims if use else (), strict=False):
        split = part.coefficients((inner,))
        if split is not None and dim.stride is not None and inner in split[0]:
            total = total + split[0][inner] * dim.stride
    return total
