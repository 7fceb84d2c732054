"""Full unrolling of innermost loops with constant trip counts before vectorisation, as gcc does at -O3: the loop around
them becomes the innermost one, which may be vectorised."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

from foretell.core.nest.statements import Branch, Inner, Op, Ref, Set, Store, Var, assigned_parts, rewritten
from foretell.core.symbolic.poly import number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from foretell.core.nest.loopnest import Loop, LoopNest
    from foretell.core.nest.statements import Expression, Statement
    from foretell.core.symbolic.poly import Poly

#: maximum trip count, and maximum operations and references of all iterations, for full unrolling (gcc's parameters
#: max-completely-peel-times and max-completely-peeled-insns)
_MOST_TIMES, _MOST_WORK = 16, 200


def written_out(nest: LoopNest) -> LoopNest:
    """Nest with its short innermost loops fully unrolled; the last remaining loop never is."""
    while len(nest.loops) - nest.shared > 1 and _fits(nest.loops[-1], nest.levels[-1]):
        loop, inside = nest.loops[-1], nest.levels[-1]
        around = [copy for one in nest.levels[-2] for copy in _unfolded(one, loop, inside)]
        nest = replace(nest, loops=nest.loops[:-1], levels=(*nest.levels[:-2], tuple(around)))
    return nest


def _fits(loop: Loop, inside: tuple[Statement, ...]) -> bool:
    trips, plain = loop.trips.integer, all(isinstance(statement, Store | Set) for statement in inside)
    if trips is None or not 0 < trips <= _MOST_TIMES or not plain or loop.step.integer is None:
        return False
    return trips * sum(isinstance(part, Op | Ref) for part in assigned_parts(inside)) <= _MOST_WORK


def _unfolded(statement: Statement, loop: Loop, inside: tuple[Statement, ...]) -> tuple[Statement, ...]:
    """A statement of the outer loop; the unrolled loop is replaced by its iterations."""
    if isinstance(statement, Branch):
        then, other = (
            tuple(copy for inner in arm for copy in _unfolded(inner, loop, inside))
            for arm in (statement.then, statement.other)
        )
        return (replace(statement, then=then, other=other),)
    if not isinstance(statement, Inner) or statement.elsewhere:
        return (statement,)
    times = range(loop.trips.integer or 0)
    return tuple(_at(copy, {loop.variable: loop.lower + loop.step * number(time)}) for time in times for copy in inside)


def _at(statement: Statement, values: Mapping[str, Poly]) -> Statement:
    """Statement with the loop variable substituted."""

    def change(part: Expression) -> Expression:
        match part:
            case Ref():
                return replace(part, subscripts=tuple(poly.substitute(values) for poly in part.subscripts))
            case Var() if part.value is not None:
                return replace(part, value=part.value.substitute(values))
        return part

    assert isinstance(statement, Store | Set)
    value = rewritten(statement.value, change)
    if isinstance(statement, Set):
        return replace(statement, value=value)
    return replace(statement, target=cast("Ref", rewritten(statement.target, change)), value=value)
