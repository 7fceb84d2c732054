"""Full unrolling of innermost loops with constant trip counts before vectorisation, as gcc does at -O3: the loop around
them becomes the innermost one, which may be vectorised."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, overload

from foretell.core.nest.statements import Branch, Inner, Op, Ref, Set, Store, Var, parts
from foretell.core.symbolic.poly import number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from foretell.core.nest.loopnest import Loop, LoopNest
    from foretell.core.nest.statements import Expression, Statement
    from foretell.core.symbolic.poly import Poly

#: maximum trip count, and maximum operations and references of all iterations, for full unrolling (gcc's parameters
#: max-completely-peel-times and max-completely-peeled-insns)
MOST_TIMES, _MOST_WORK = 16, 200


def written_out(nest: LoopNest) -> LoopNest:
    """Nest with its short innermost loops fully unrolled; the last remaining loop never is."""
    while len(nest.loops) - nest.shared > 1 and _fits(nest.loops[-1], nest.levels[-1]):
        loop, inside = nest.loops[-1], nest.levels[-1]
        around = [copy for one in nest.levels[-2] for copy in _unfolded(one, loop, inside)]
        nest = replace(nest, loops=nest.loops[:-1], levels=(*nest.levels[:-2], tuple(around)))
    return nest


def _fits(loop: Loop, inside: tuple[Statement, ...]) -> bool:
    trips, plain = loop.trips.integer, all(isinstance(one, Store | Set) for one in inside)
    if trips is None or not 0 < trips <= MOST_TIMES or not plain or loop.step.integer is None:
        return False
    work = sum(isinstance(part, Op | Ref) for one in inside for part in parts(one.value))  # type: ignore[union-attr]
    return trips * work <= _MOST_WORK


def _unfolded(one: Statement, loop: Loop, inside: tuple[Statement, ...]) -> tuple[Statement, ...]:
    """A statement of the outer loop; the unrolled loop is replaced by its iterations."""
    if isinstance(one, Branch):
        then, other = (
            tuple(copy for each in arm for copy in _unfolded(each, loop, inside)) for arm in (one.then, one.other)
        )
        return (replace(one, then=then, other=other),)
    if not isinstance(one, Inner) or one.elsewhere:
        return (one,)
    times = loop.trips.integer or 0
    values = [{loop.variable: loop.lower + loop.step * number(time)} for time in range(times)]
    return tuple(_statement(copy, value) for value in values for copy in inside)


def _statement(one: Statement, values: Mapping[str, Poly]) -> Statement:
    match one:
        case Store():
            return replace(one, target=_value(one.target, values), value=_value(one.value, values))
        case Set():
            return replace(one, value=_value(one.value, values))
    return one


@overload
def _value(one: Ref, values: Mapping[str, Poly]) -> Ref: ...
@overload
def _value(one: Expression, values: Mapping[str, Poly]) -> Expression: ...
def _value(one: Expression, values: Mapping[str, Poly]) -> Expression:
    """Expression with the loop variable substituted."""
    match one:
        case Ref():
            subscripts = tuple(poly.substitute(values) for poly in one.subscripts)
            return replace(one, subscripts=subscripts, loads=tuple(_value(load, values) for load in one.loads))
        case Op():
            return replace(one, args=tuple(_value(argument, values) for argument in one.args))
        case Var() if one.value is not None:
            return replace(one, value=one.value.substitute(values))
    return one
