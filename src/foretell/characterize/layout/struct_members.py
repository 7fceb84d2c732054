"""Merges accesses to members of one array of structs, since they share lines.

Lines also hold unused members, and all used members are loaded together. So the members of one array of records become
one array with an additional last dimension of pieces of a record; the strides stay the same.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from functools import lru_cache
from math import gcd
from typing import TYPE_CHECKING

from foretell.core.nest.loopnest import Dim, Subscript
from foretell.core.nest.statements import ElementType
from foretell.core.symbolic.poly import ONE, ZERO, number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from foretell.core.nest.loopnest import Access, ArrayUse, LoopNest
    from foretell.core.symbolic.poly import Poly


@lru_cache(maxsize=256)
def whole_records(nest: LoopNest) -> LoopNest:
    """Nest with several members of one array of records merged into one array."""
    families: dict[str, list[ArrayUse]] = defaultdict(list)
    for array in nest.arrays:
        if array.member is not None:
            families[array.member.records].append(array)
    joined = {}
    for name, members in families.items():
        if len(members) > 1 and (whole := _joined(name, members)) is not None:
            joined.update(dict.fromkeys(members, whole))
    if not joined:
        return nest
    arrays = dict.fromkeys(joined.get(array, array) for array in nest.arrays)
    return replace(nest, arrays=tuple(arrays))


def _joined(name: str, members: Sequence[ArrayUse]) -> ArrayUse | None:
    """One array of pieces whose size divides that of all members; None where they are not indexed alike."""
    first = members[0]
    assert first.member is not None
    size = first.member.size
    piece = gcd(size, *(use.type.size for use in members), *(use.member.offset for use in members if use.member))
    dims = _dims(first, piece)
    if any(_dims(use, piece) != dims for use in members):
        return None
    accesses: list[Access] = []
    for use in members:
        for access in use.accesses:
            index = _piece_index(use, access, piece)
            if index is None:
                return None
            kept = tuple(access.subscripts[at] for at in _of_records(use))
            accesses.append(replace(access, subscripts=(*kept, index)))
    return replace(
        first,
        name=name,
        component="",
        type=ElementType("uint", piece),
        dims=(*dims, Dim(ONE, number(size // piece))),
        accesses=tuple(accesses),
        member=None,
    )


def _of_records(array: ArrayUse) -> tuple[int, ...]:
    """Dimensions that index records; the others index elements inside one."""
    assert array.member is not None
    own = array.member.size // array.type.size
    inside = (
        dim.stride is not None and dim.stride.integer is not None and dim.stride.integer < own for dim in array.dims
    )
    return tuple(at for at, so in enumerate(inside) if not so)


def _dims(array: ArrayUse, piece: int) -> tuple[Dim, ...]:
    return tuple(
        dim if dim.stride is None else replace(dim, stride=dim.stride * (array.type.size // piece))
        for dim in (array.dims[at] for at in _of_records(array))
    )


def _piece_index(array: ArrayUse, access: Access, piece: int) -> Subscript | None:
    """Offset in pieces from the start of a record; None where it depends on data."""
    assert array.member is not None
    offset: Poly = number(array.member.offset // piece)
    moving: dict[str, Poly] = {}
    records = _of_records(array)
    for at, (subscript, dim) in enumerate(zip(access.subscripts, array.dims, strict=True)):
        if at in records:
            continue
        if subscript.index or subscript.opaque or dim.stride is None:
            return None
        step = dim.stride * (array.type.size // piece)
        offset = offset + (subscript.offset - dim.lower) * step
        for name, coefficient in subscript.coefficients:
            moving[name] = moving.get(name, ZERO) + coefficient * step
    return Subscript(tuple(moving.items()), offset)
