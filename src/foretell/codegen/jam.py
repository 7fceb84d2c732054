"""Unroll and jam, which gcc does at -O3: some iterations of the loop around the innermost one become one, whose inner
loops are fused, so that what two of them touch is loaded once.

When it does so was found from gcc 12 (-fopt-info-loop-optimized): the loop around holds nothing that writes beside the
innermost one, which is as long for each of its iterations and hands no sum on. Two references are (a, b) apart if the
second one touches what the first did a iterations of the outer and b of the inner loop before. It pays where some are
(a, 0) apart: then a + 1 iterations are joined. Where some are (a, b) apart with b below 0, no more than a can be.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from foretell.codegen.habits import flat_place, is_straight, references, targets
from foretell.codegen.scalars import has_float_sum, live_out
from foretell.core.loopnest import Inner, Set
from foretell.core.symbolic import ZERO, number, symbol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from foretell.core.loopnest import Loop, LoopNest
    from foretell.core.symbolic import Poly

#: iterations that are joined at most (gcc's parameter unroll-jam-max-unroll)
_MOST = 4


def jam_factor(nest: LoopNest) -> int:
    """Iterations of the loop around the innermost one that become one; 1 where gcc leaves them."""
    if not _can_be_joined(nest):
        return 1
    most, wanted = _MOST, 1
    for apart in _distances(nest):
        if apart is None:
            return 1
        outer, inner = apart
        if outer and not inner:
            wanted = max(wanted, outer + 1)
        elif outer and inner < 0:
            most = min(most, outer)
    trips = nest.loops[-2].trips.integer
    return min(most, wanted, trips or _MOST)


def _can_be_joined(nest: LoopNest) -> bool:
    if len(nest.loops) - nest.shared < 2 or has_float_sum(nest) or live_out(nest):
        return False
    outer, inner = nest.loops[-2:]
    around, inside = nest.levels[-2], nest.levels[-1]
    loops = [one for one in around if isinstance(one, Inner)]
    plain = len(loops) == 1 and not loops[0].elsewhere and all(isinstance(one, Inner | Set) for one in around)
    even = not any(bound.depends_on([outer.variable]) for bound in (inner.lower, inner.upper, inner.trips))
    return plain and all(map(is_straight, inside)) and even and inner.counted and outer.counted


def _distances(nest: LoopNest) -> Iterator[tuple[int, int] | None]:
    """How far references to one array are apart, the second one later; None where gcc would not know."""
    written = {(one.array, flat_place(nest, one)) for one in targets(nest)}
    places: dict[str, set[Poly | None]] = {}
    for one in references(nest):
        places.setdefault(one.array, set()).add(None if one.loads else flat_place(nest, one))
    for array, flats in places.items():
        writes = any(name == array for name, _ in written)
        for flat in flats:
            if flat is None:
                yield None if writes else (0, 0)
            elif (array, flat) in written and _step(flat, nest.loops[-2]) == ZERO:
                yield (1, 0)  # each iteration of the outer loop goes on with what the one before has left
        known = [flat for flat in flats if flat is not None]
        for one, other in combinations(known, 2):
            yield _distance(nest, one, other, writes)


def _distance(nest: LoopNest, one: Poly, other: Poly, writes: bool) -> tuple[int, int] | None:
    outer, inner = _step(one, nest.loops[-2]), _step(one, nest.loops[-1])
    if (_step(other, nest.loops[-2]), _step(other, nest.loops[-1])) != (outer, inner):
        return None if writes else (0, 0)
    if outer == ZERO:  # every iteration of the outer loop meets both
        return None
    for apart in range(-_MOST, _MOST + 1):
        along = _times(one - other - outer * number(apart), inner)
        if along is not None:
            if apart and outer.integer is None and len(nest.loops) < 3:
                return None  # gcc loses rows of unknown length in the outermost loop
            return (apart, along) if apart > 0 else (-apart, -along)
    return None if writes else (0, 0)


def _times(whole: Poly, part: Poly) -> int | None:
    """How often one distance goes into another, where that is a whole number."""
    if whole == ZERO:
        return 0
    total, step = whole.integer, part.integer
    return total // step if total is not None and step and total % step == 0 else None


def _step(flat: Poly, loop: Loop) -> Poly:
    """How far an address moves in one iteration of a loop."""
    return flat.substitute({loop.variable: symbol(loop.variable) + loop.step}) - flat
