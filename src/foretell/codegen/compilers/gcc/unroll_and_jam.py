"""gcc's unroll and jam: which nests it transforms at -O3, and by which factor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.codegen.compilers.gcc.vectorise import flat_subscript, is_plain, moved, references, targets
from foretell.codegen.ir.scalars import float_sums, live_out
from foretell.core.nest.statements import Store

if TYPE_CHECKING:
    from foretell.core.nest.loopnest import LoopNest
    from foretell.core.symbolic.poly import Poly


def jam_factor(nest: LoopNest) -> int:
    """Factor of gcc's unroll and jam (-O3): the loop around the innermost one is unrolled by two and its inner loops
    are fused, so that shared data is loaded and stored once; 1 where it is not.

    The conditions were found from gcc 12 (-fopt-info-loop-optimized): the innermost loop updates elements that the
    outer loop does not move, as in a matrix product that adds to a row; nothing else is written; its trip count does
    not depend on the outer loop, and it carries no sum. Rows of stencils that share elements are jammed too, but gcc
    then checks whether the rows that it writes overlap, and the cost of this is not modelled: they are not jammed here.
    """
    if not _can_be_joined(nest):
        return 1
    outer = nest.loops[-2]
    written = {target.array for target in targets(nest)}
    stays = False
    shared: dict[str, set[Poly | None]] = {}
    for reference in references(nest):
        flat = None if reference.loads else flat_subscript(nest, reference)
        still = flat is not None and moved(flat, outer.variable, outer.step) == 0
        stays |= still and reference.array in written
        if still or reference.array in written:  # iterations of the outer loop share elements of such an array
            shared.setdefault(reference.array, set()).add(flat)
    one_each = all(len(flats) == 1 and None not in flats for flats in shared.values())
    return 2 if stays and one_each else 1


def _can_be_joined(nest: LoopNest) -> bool:
    if len(nest.loops) - nest.shared < 2 or float_sums(nest) or live_out(nest):
        return False
    outer, inner = nest.loops[-2:]
    plain = is_plain(nest) and not any(isinstance(statement, Store) for statement in nest.levels[-2])
    even = not any(bound.depends_on([outer.variable]) for bound in (inner.lower, inner.upper, inner.trips))
    several = outer.trips.integer is None or outer.trips.integer >= 2
    return plain and several and even and inner.counted and outer.counted
