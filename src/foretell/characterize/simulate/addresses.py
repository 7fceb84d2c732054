"""Accesses of a nest for the cache simulator: exact addresses, in program order."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from foretell.characterize.simulate.cachesim import Bound, Loop, Nest, Reference, as_bound
from foretell.core.nest.averages import elements_in
from foretell.core.symbolic.poly import Atom, Poly, atom_symbols, symbol
from foretell.errors import UnsupportedError
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from foretell.core.nest.loopnest import Access, ArrayUse, LoopNest

_PAGE = 4096
#: offset of consecutive arrays within a page
_APART = 448
#: distance of arrays with unknown length
_FAR_APART = 1 << 40
#: bounds of a loop of which the tightest counts: tiles of tiles have three, sums of minima twice as many with each
_MOST_BOUNDS = 16


def stream(nest: LoopNest, values: Mapping[str, int]) -> Nest:
    """Simulator input of a nest at these sizes. Arrays are placed one after the other; non-affine bounds and subscripts
    are refused by name."""
    variables = [loop.variable for loop in nest.loops]
    loops = bounds(nest, values)
    references = []
    start = _PAGE
    for number, array in enumerate(nest.arrays):
        made = [reference for access in array.accesses for reference in _references(array, access, variables, values)]
        lowest, highest = _reach(made, loops)
        base = start + _APART * number - lowest
        references += [Reference(r.name, r.base + base, r.strides, r.kind, r.bytes) for r in made]
        start += ((highest - lowest) // _PAGE + 2) * _PAGE
    loads_first = sorted(references, key=lambda reference: reference.kind == "store")
    if not loads_first:
        raise UnsupportedError("the nest touches no array", line=nest.line)
    return Nest(tuple(loops), tuple(loads_first))


def bounds(nest: LoopNest, values: Mapping[str, int]) -> list[Loop]:
    """Loops of a nest at these sizes; data-dependent trip counts are refused."""
    variables = [loop.variable for loop in nest.loops]
    loops = []
    for depth, loop in enumerate(nest.loops):
        if not loop.counted:
            raise UnsupportedError(f"the trips of the loop over {loop.variable!r} depend on data", line=loop.line)
        if not loop.step.symbols().isdisjoint(variables):
            raise UnsupportedError(f"the step of the loop over {loop.variable!r} changes", line=loop.line)
        step = int(loop.step.evaluate(values))
        first_of, end_of, past = ("max", "min", 1) if step > 0 else ("min", "max", -1)
        first = _bound(loop.lower, variables[:depth], values, first_of)
        loops.append(Loop(first, _bound(loop.upper + past, variables[:depth], values, end_of), step))
    return loops


@record
class Addresses:
    """Sequence of accesses; `arrays` are indices into those of the nest."""

    where: NDArray[np.uint64]
    stores: NDArray[np.uint8]
    arrays: NDArray[np.uint32]


def addresses(nest: LoopNest, values: Mapping[str, int], loops: Sequence[Loop]) -> Addresses:
    """Accesses of a part of a nest, computed iteration by iteration: subscripts may be any function of the loop
    variables. Data-dependent ones are refused by name."""
    variables = _every(loops)
    inside = {**values, **dict(zip((loop.variable for loop in nest.loops), variables, strict=True))}
    columns, stores, arrays = [], [], []
    for number, array in enumerate(nest.arrays):
        start = (number + 1) * _FAR_APART + _APART * number
        for access in array.accesses:
            address = start + _offset(array, access, inside)
            for store in [False] * bool(access.reads) + [True] * bool(access.writes):
                columns.append(np.broadcast_to(address, variables[0].shape))
                stores.append(store)
                arrays.append(number)
    if not columns:
        raise UnsupportedError("the nest touches no array", line=nest.line)
    order = np.argsort(stores, kind="stable")  # loads first
    rows = np.stack([columns[k] for k in order], axis=1)
    return Addresses(
        rows.astype(np.uint64).ravel(),
        np.tile(np.array(stores, dtype=np.uint8)[order], len(rows)),
        np.tile(np.array(arrays, dtype=np.uint32)[order], len(rows)),
    )


def _every(loops: Sequence[Loop]) -> list[NDArray[np.int64]]:
    """Loop variables of all iterations, in order."""
    columns: list[NDArray[np.int64]] = []
    for loop in loops:
        upwards = loop.step > 0
        first, end = _values(loop.first, columns, not upwards), _values(loop.end, columns, upwards)
        trips = np.maximum(0, -((first - end) // loop.step))
        which = np.repeat(np.arange(len(trips)), trips)
        passed = np.arange(len(which)) - np.repeat(np.cumsum(trips) - trips, trips)
        columns = [column[which] for column in columns] + [first[which] + loop.step * passed]
    return columns


def _values(bound: int | Bound, outer: Sequence[NDArray[np.int64]], smallest: bool) -> NDArray[np.int64]:
    totals = []
    for one in as_bound(bound).each:
        total = np.full(len(outer[0]) if outer else 1, one.constant, dtype=np.int64)
        for coefficient, column in zip(one.coefficients, outer, strict=False):
            total += coefficient * column
        totals.append(total)
    tightest: NDArray[np.int64] = np.min(totals, axis=0) if smallest else np.max(totals, axis=0)
    return tightest


def _offset(array: ArrayUse, access: Access, inside: Mapping[str, Any]) -> NDArray[np.int64]:
    """Byte offset from the start of an array."""
    total = np.zeros(1, dtype=np.int64)
    for subscript, dim in zip(access.subscripts, array.dims, strict=True):
        value = subscript.offset
        for name, coefficient in subscript.coefficients:
            value = value + coefficient * symbol(name)
        of_data = subscript.index or any(elements_in(value))
        if of_data or dim.stride is None or not value.symbols() <= set(inside):
            raise UnsupportedError(f"the addresses of {array.name!r} depend on data", line=access.line)
        step = int(dim.stride.evaluate(inside)) * array.type.size
        total = total + (value - dim.lower).evaluate(inside) * step
    return total


def label(array: ArrayUse) -> str:
    """Name under which an array is counted."""
    return array.label


def _references(
    array: ArrayUse, access: Access, variables: Sequence[str], values: Mapping[str, int]
) -> list[Reference]:
    strides = dict.fromkeys(variables, 0)
    base = 0
    size = array.type.size
    for subscript, dim in zip(access.subscripts, array.dims, strict=True):
        moving = subscript.opaque or not subscript.offset.symbols().isdisjoint(variables)
        if subscript.index or moving or dim.stride is None or any(elements_in(subscript.offset)):
            raise UnsupportedError(f"the addresses of {array.name!r} depend on data", line=access.line)
        step = int(dim.stride.evaluate(values)) * size
        base += (int(subscript.offset.evaluate(values)) - int(dim.lower.evaluate(values))) * step
        for name, coefficient in subscript.coefficients:
            strides[name] += int(coefficient.evaluate(values)) * step
    kinds = ["load"] * bool(access.reads) + ["store"] * bool(access.writes)
    return [
        Reference(f"{array.label}:{access.line}:{kind}:{base}", base, tuple(strides.values()), kind, size)  # type: ignore[arg-type]
        for kind in kinds
    ]


def _bound(poly: Poly, outer: Sequence[str], values: Mapping[str, int], tightest: str) -> Bound:
    """Bound as a constant and a coefficient for each outer loop, or the `tightest` (min, max) of such; others are
    refused."""
    first, *others = (_affine_bound(one, outer, values) for one in _alternatives(poly, set(outer), tightest))
    return replace(first, others=tuple(others))


def _alternatives(poly: Poly, outer: set[str], tightest: str) -> list[Poly]:
    """Sums whose minimum (maximum) a bound is: min(k_tile + 32, n) - 1 is that of k_tile + 31 and n - 1. A bound of
    very many stays as it is."""
    waiting: list[Poly] = [poly]
    found: list[Poly] = []
    while waiting:
        if len(waiting) + len(found) > _MOST_BOUNDS:
            return [poly]
        one = waiting.pop()
        parts = _parts(one, outer, tightest)
        waiting += reversed(parts)
        found += [] if parts else [one]
    return found


def _parts(poly: Poly, outer: set[str], tightest: str) -> list[Poly]:
    """A sum with a minimum (maximum) in it as those of its arguments; none if it has none."""
    for monomial, coefficient in poly.terms.items():
        atom = monomial[0] if len(monomial) == 1 and coefficient == 1 else None
        if isinstance(atom, Atom) and atom.op == tightest and not atom_symbols(atom).isdisjoint(outer):
            rest = poly - Poly({monomial: coefficient})
            return [part + rest for part in atom.args]
    return []


def _affine_bound(poly: Poly, outer: Sequence[str], values: Mapping[str, int]) -> Bound:
    split = poly.coefficients(outer)
    if split is None or not all(part.symbols() <= set(values) for part in (*split[0].values(), split[1])):
        raise UnsupportedError(f"the bound {poly} is not a sum of multiples of the loops around it")
    coefficients, constant = split
    numbers = {name: int(part.evaluate(values)) for name, part in coefficients.items()}
    return Bound(int(constant.evaluate(values)), tuple(numbers.get(name, 0) for name in outer))


def _reach(references: Sequence[Reference], loops: Sequence[Loop]) -> tuple[int, int]:
    """Lowest and highest address, over the bounding box of the loops."""
    ranges: list[tuple[int, int]] = []
    for loop in loops:
        corners = [_corner(bound, ranges, side) for bound in (loop.first, loop.end) for side in (0, 1)]
        ranges.append((min(corners), max(corners)))
    lows, highs = [], []
    for reference in references:
        spans = [sorted((s * low, s * high)) for s, (low, high) in zip(reference.strides, ranges, strict=True)]
        lows.append(reference.base + sum(span[0] for span in spans))
        highs.append(reference.base + sum(span[1] for span in spans) + reference.bytes)
    return min(lows), max(highs)


def _corner(bound: int | Bound, ranges: Sequence[tuple[int, int]], side: int) -> int:
    """A bound with the outer variables at one side of their ranges; others only make loops shorter."""
    bound = as_bound(bound)
    return bound.constant + sum(c * span[side] for c, span in zip(bound.coefficients, ranges, strict=False))
