"""Lengths of irregularly accessed arrays that nobody has told: the values that their index can take, how far other
nests of the function reach, or else the iterations of the longest loop."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

import numpy as np

from foretell.core.columns.tape import real
from foretell.core.nest.loopnest import iterations
from foretell.core.symbolic.poly import Atom

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from foretell.core.columns.expression import Value
    from foretell.core.nest.loopnest import ArrayUse, Loop, LoopNest
    from foretell.core.symbolic.poly import Poly

#: largest index elements, in bytes, of which an array may have one element for each value
_SMALL = 2


def assumed_lengths(
    nest: LoopNest, values: Mapping[str, Value], others: Sequence[LoopNest] = ()
) -> tuple[dict[str, Value], list[str]]:
    """Values of the length parameters that are not given (`x_length`), and how they were assumed. `others`: further
    nests of the function, which may go through the same array in order."""
    lengths: dict[str, Value] = {}
    notes: list[str] = []
    for array in nest.arrays:
        name = f"{array.name}_length"
        if name in values or name in lengths or not _is_open(array, name):
            continue
        most = _index_values(nest, array)
        if most is not None:
            lengths[name] = float(most)
            notes.append(f"{array.name}: assumed to have {most} elements, as many as its index has values")
        elif reached := [end for other in others for end in _reached(other, array.name, values)]:
            lengths[name] = reduce(np.maximum, reached)
            notes.append(f"{array.name}: assumed to be as long as other loops of the function reach")
        else:
            lengths[name] = _longest_loop(nest, values)
            notes.append(
                f"{array.name}: assumed to have as many elements as the longest loop has iterations "
                f"(-D {name}=… tells better)"
            )
    return lengths, notes


def _is_open(array: ArrayUse, name: str) -> bool:
    return bool(array.dims) and array.dims[0].extent is not None and array.dims[0].extent.symbols() == {name}


def _reached(nest: LoopNest, name: str, values: Mapping[str, Value]) -> Iterator[Value]:
    """Elements of an array of one dimension up to the last that a nest touches in order."""
    ends = {loop.variable: _last(loop, values) for loop in nest.loops}
    for array in nest.arrays:
        if array.name != name or len(array.dims) != 1:
            continue
        for access in array.accesses:
            (subscript,) = access.subscripts
            parts = [(coefficient, ends.get(variable)) for variable, coefficient in subscript.coefficients]
            known = all(end is not None and part.symbols() <= set(values) for part, end in parts)
            if subscript.index or subscript.opaque or not parts or not known:
                continue
            if subscript.offset.symbols() <= set(values):
                moved = (real(part.evaluate(values)) * end for part, end in parts if end is not None)
                yield sum(moved, real(subscript.offset.evaluate(values))) + 1.0


def _last(loop: Loop, values: Mapping[str, Value]) -> Value | None:
    """The last value of a loop's variable; None where it depends on other loops."""
    if not loop.lower.symbols() | loop.trips.symbols() | loop.step.symbols() <= set(values):
        return None
    first, trips, step = (real(poly.evaluate(values)) for poly in (loop.lower, loop.trips, loop.step))
    return np.maximum(first, first + (trips - 1.0) * step)


def _longest_loop(nest: LoopNest, values: Mapping[str, Value]) -> Value:
    """Iterations of the longest loop: those of the whole nest over those of the loops around it."""
    longest: Value = 1.0
    before: Value = 1.0
    for depth in range(1, len(nest.loops) + 1):
        trips = real(iterations(nest.loops, depth).evaluate(values))
        longest = np.maximum(longest, trips / np.maximum(before, 1.0))
        before = trips
    return longest


def _index_values(nest: LoopNest, array: ArrayUse) -> int | None:
    """The number of values that the irregular subscripts can take, where all are bounded."""
    sizes = {f"{one.name}[]": one.type.size for one in nest.arrays if one.type.kind == "uint"}
    bounds = [
        _values(subscript.offset, sizes)
        for access in array.accesses
        for subscript in access.subscripts[:1]
        if subscript.index or subscript.opaque
    ]
    known = [bound for bound in bounds if bound is not None]
    return max(known) if known and len(known) == len(bounds) else None


def _values(index: Poly, sizes: Mapping[str, int]) -> int | None:
    """How many values an index from 0 on can take: by a mask, a remainder, or the type of what it was loaded from."""
    constant, atoms = index.constant, list(index.terms.items())
    if constant is not None:
        return int(constant) + 1
    total = 1
    for mono, factor in atoms:
        if not mono:
            total += max(0, int(factor))
            continue
        most = _most(mono[0], sizes) if len(mono) == 1 else None
        if most is None or factor < 0:
            return None
        total += int(most * factor)
    return total


def _most(atom: str, sizes: Mapping[str, int]) -> int | None:
    """The largest value of an atom."""
    if not isinstance(atom, Atom):
        return None
    if atom.op in sizes:
        return (1 << 8 * sizes[atom.op]) - 1 if sizes[atom.op] <= _SMALL else None
    if atom.op not in ("and", "mod", "rem"):
        return None
    limits = [int(argument.constant) for argument in atom.args if argument.constant is not None]
    limits = [limit for limit in limits if limit >= 0]
    return min(limits) - (atom.op != "and") if limits else None
