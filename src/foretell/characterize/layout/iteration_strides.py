"""Strides of a nest's subscripts per iteration of each of its loops.

Subscripts are written in the variables of the source. One iteration of a loop changes its variable by its step, and
with it every inner variable whose bounds depend on it: in a tiled loop, `for (i = ii; i < ii + 64; i++)`, `i` moves
with `ii`; in a triangular one, `for (j = i; j < n; j++)`, the middle of the range of `j` moves half as far as `i`.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from foretell.core.columns.tape import real
from foretell.core.symbolic.poly import ZERO, Atom

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from foretell.core.columns.expression import Value
    from foretell.core.nest.loopnest import Access, ArrayUse, Loop, LoopNest, Subscript
    from foretell.core.symbolic.poly import Poly

#: per variable, its change per iteration of each loop
Moves = dict[str, dict[str, "Poly"]]


@lru_cache(maxsize=256)
def by_iteration(nest: LoopNest) -> tuple[ArrayUse, ...]:
    """Arrays of a nest with the coefficients of their subscripts per iteration of each loop."""
    moves, nested = _moves(nest.loops), _nested(nest.loops)
    return tuple(
        replace(
            array,
            accesses=tuple(
                replace(access, subscripts=tuple(_moved(access.subscripts, moves, nested))) for access in array.accesses
            ),
        )
        for array in nest.arrays
    )


def bytes_apart(array: ArrayUse, access: Access, variable: str, values: Mapping[str, Value]) -> Value | None:
    """Byte stride of an access of `by_iteration` per iteration of a loop; None where unknown."""
    apart: Value = 0.0
    for subscript, dim in zip(access.subscripts, array.dims, strict=True):
        if subscript.index or subscript.opaque:
            return None
        factor = dict(subscript.coefficients).get(variable)
        if factor is None:
            continue
        if dim.stride is None or not (factor * dim.stride).symbols() <= set(values):
            return None
        apart = apart + real((factor * dim.stride).evaluate(values))
    return np.abs(apart) * array.type.size


def byte_offset(array: ArrayUse, access: Access, values: Mapping[str, Value]) -> Value | None:
    """Byte offset of an access in its array with all loop variables at 0; None where unknown."""
    offset: Value = 0.0
    for subscript, dim in zip(access.subscripts, array.dims, strict=True):
        if subscript.index or subscript.opaque or dim.stride is None:
            return None
        at = (subscript.offset - dim.lower) * dim.stride
        if not at.symbols() <= set(values):
            return None
        offset = offset + real(at.evaluate(values))
    return offset * array.type.size


def _moves(loops: Sequence[Loop]) -> Moves:
    moves: Moves = {}
    for loop in loops:
        own = {loop.variable: loop.step}
        for outer, slope in _middle(loop, moves).items():
            own = _sum(own, moves[outer], slope)
        moves[loop.variable] = own
    return moves


def _nested(loops: Sequence[Loop]) -> set[tuple[str, str]]:
    """Pairs of (variable with nested ranges, loop that moves one end of them): rows of a triangle. Other ranges shift
    as a whole: tiles, bands."""
    pairs: set[tuple[str, str]] = set()
    outer: dict[str, object] = {}
    for loop in loops:
        low, high = (_slopes(bound, outer) for bound in (loop.lower, loop.upper))
        for name in {*low, *high}:
            if _is_nested(low.get(name, ZERO), high.get(name, ZERO)):
                pairs |= {(loop.variable, name), *((loop.variable, of) for inner, of in pairs if inner == name)}
        outer[loop.variable] = loop
    return pairs


def _is_nested(low: Poly, high: Poly) -> bool:
    """Whether one end is fixed, or both move in opposite directions."""
    product = (low * high).constant
    return product is not None and product <= 0


def _middle(loop: Loop, outer: Mapping[str, object]) -> dict[str, Poly]:
    """Coefficients of the outer variables in the midpoint of a loop's range."""
    total: dict[str, Poly] = {}
    for bound in (loop.lower, loop.upper):
        for name, slope in _slopes(bound, outer).items():
            total[name] = total.get(name, ZERO) + slope / 2
    return total


def _slopes(bound: Poly, outer: Mapping[str, object]) -> dict[str, Poly]:
    """Coefficients of the outer variables in a bound; empty where unknown. Of the arguments of `min` and `max`, the one
    that varies is used: the other ends the last tile."""
    linear = bound.coefficients(outer)
    if linear is not None:
        return linear[0]
    ends = (atom for atom in bound.atoms() if isinstance(atom, Atom) and atom.op in ("min", "max"))
    moving: dict[str, Poly] = {
        end: next((argument for argument in end.args if argument.depends_on(outer)), end.args[0]) for end in ends
    }
    return _slopes(bound.substitute(moving), outer) if moving else {}


def _moved(subscripts: Sequence[Subscript], moves: Moves, nested: set[tuple[str, str]]) -> Iterator[Subscript]:
    """Subscripts of one access per iteration. A loop that moves a slower subscript does not move a faster one as well:
    rows of a triangle are different rows wherever they begin. Where it only moves the ends of nested ranges, the
    longest ranges of each dimension are combined."""
    taken = {name for subscript in subscripts for name, _ in subscript.coefficients}
    for subscript in subscripts:
        total: dict[str, Poly] = {}
        for name, coefficient in subscript.coefficients:
            total = _sum(total, moves[name], coefficient)
        own = {name for name, _ in subscript.coefficients}
        kept = {name: c for name, c in total.items() if c != ZERO and (name in own or name not in taken)}
        taken |= {name for name in kept for mine in own if name in moves[mine] and (mine, name) not in nested}
        yield replace(subscript, coefficients=tuple(kept.items()))


def _sum(total: Mapping[str, Poly], more: Mapping[str, Poly], factor: Poly) -> dict[str, Poly]:
    result = dict(total)
    for name, value in more.items():
        result[name] = result.get(name, ZERO) + value * factor
    return result
