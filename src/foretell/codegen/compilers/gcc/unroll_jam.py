"""Decides on gcc's unroll and jam (-O3): the loop around the innermost one is unrolled by two and its inner loops are
fused, so that shared data is loaded and stored once.

The conditions were found from gcc 12 (-fopt-info-loop-optimized): the innermost loop updates elements that the outer
loop does not move, as in a matrix product that adds to a row; nothing else is written; its trip count does not depend
on the outer loop, and it carries no sum. Rows of stencils that share elements are jammed too, but gcc then checks
whether the rows that it writes overlap, and the cost of this is not modelled: they are not jammed here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.codegen.compilers.gcc.vectorise import flat_place, is_straight, moved, references, targets
from foretell.codegen.ir.scalars import has_float_sum, live_out
from foretell.core.nest.statements import Inner, Set

if TYPE_CHECKING:
    from foretell.core.nest.loopnest import LoopNest
    from foretell.core.symbolic.poly import Poly

_TWO = 2


def jam_factor(nest: LoopNest) -> int:
    """Unroll factor of the loop around the innermost one; 1 where it is not jammed."""
    if not _can_be_joined(nest):
        return 1
    outer = nest.loops[-2]
    written = {one.array for one in targets(nest)}
    stays = False
    places: dict[str, set[Poly | None]] = {}
    for one in references(nest):
        flat = None if one.loads else flat_place(nest, one)
        still = flat is not None and moved(flat, outer.variable, outer.step) == 0
        stays |= still and one.array in written
        if still or one.array in written:  # iterations of the outer loop share elements of such an array
            places.setdefault(one.array, set()).add(flat)
    one_each = all(len(flats) == 1 and None not in flats for flats in places.values())
    return _TWO if stays and one_each else 1


def _can_be_joined(nest: LoopNest) -> bool:
    if len(nest.loops) - nest.shared < _TWO or has_float_sum(nest) or live_out(nest):
        return False
    outer, inner = nest.loops[-2:]
    around, inside = nest.levels[-2], nest.levels[-1]
    loops = [one for one in around if isinstance(one, Inner)]
    plain = len(loops) == 1 and not loops[0].elsewhere and all(isinstance(one, Inner | Set) for one in around)
    even = not any(bound.depends_on([outer.variable]) for bound in (inner.lower, inner.upper, inner.trips))
    several = outer.trips.integer is None or outer.trips.integer >= _TWO
    return plain and several and all(map(is_straight, inside)) and even and inner.counted and outer.counted
