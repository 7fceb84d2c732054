"""Offsets of struct members: C's layout, each member at a multiple of its alignment."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from foretell.core.nest.loopnest import Dim, Member
from foretell.core.symbolic.poly import number
from foretell.frontends.analysis.walk.state import Sub, constant_size, extent, path_text, size_of
from foretell.frontends.source import ir
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from foretell.core.symbolic.poly import Poly
    from foretell.frontends.analysis.walk.state import Path


class Field(str):
    """A member on a path, «.mass», with its byte offset in its record and the record's size."""

    offset: int
    whole: int


def field_of(name: str, kind: ir.Type) -> str:
    """The path element of a record member; a plain name where the layout is unknown."""
    offsets = _offsets(kind) if isinstance(kind, ir.Record) else {}
    if name not in offsets:
        return f".{name}"
    part = Field(f".{name}")
    part.offset, part.whole = offsets[name], size_of(kind)
    return part


@lru_cache(maxsize=1024)
def _offsets(kind: ir.Record) -> dict[str, int]:
    """Offsets of a record's members; none if it is incomplete or its size differs: unions, bit fields, packed."""
    offsets: dict[str, int] = {}
    end = 0
    for name, part in kind.fields:
        size, alignment = extent(part)
        offsets[name] = -(-end // alignment) * alignment
        end = offsets[name] + size
    known = all(_is_known(part) for _, part in kind.fields)
    whole = size_of(kind)
    return offsets if known and whole and kind.size in (0, whole) else {}


def _is_known(kind: ir.Type) -> bool:
    """Whether the size of a member is known."""
    match kind:
        case ir.Record():
            return bool(_offsets(kind))
        case ir.Array(element, dims):
            return _is_known(element) and all(constant_size(dim) is not None for dim in dims)
        case ir.Pointer(target):  # to an array: Fortran's descriptor
            return not isinstance(target, ir.Array)
    return isinstance(kind, ir.Scalar | ir.Procedure)


@record
class InRecords:
    """The layout of an array inside records: the distance in elements between consecutive indices, where these count
    records; the dimensions of the enclosing records; and its offset in an array of records."""

    apart: int = 1
    outer: tuple[Dim, ...] = ()
    member: Member | None = None


def in_records(path: Path, element: int, outer: int, display: Mapping[str, str]) -> InRecords:
    """The layout of an array with elements of `element` bytes; `outer` of its subscripts precede other members."""
    unknown = (Dim(None),) * outer
    start = 1 + max((at for at, part in enumerate(path) if part == "*"), default=0)
    subs = [at for at in range(start, len(path)) if isinstance(path[at], Sub)]
    if not subs:
        return InRecords(outer=unknown)
    own = [part for part in path[subs[-1] + 1 :] if isinstance(part, str)]
    apart = _whole(own, element)
    if apart is None:
        return InRecords(outer=unknown)
    around = _around(path, subs, element)
    if len(around) != outer or any(dim.stride is None for dim in around):
        return InRecords(apart, unknown)
    fields = [part for part in path[subs[0] + 1 :] if isinstance(part, Field)]
    if not fields:
        return InRecords(apart, around)
    offset = sum(part.offset for part in fields)
    if offset % element:
        return InRecords(outer=unknown)
    return InRecords(apart, around, Member(path_text(path[: subs[0]], display), fields[0].whole, offset))


def _whole(members: Sequence[str], element: int) -> int | None:
    """The size of the record after the last subscript in elements: 1 without a record; None where unknown."""
    if not members:
        return 1
    fields = [part for part in members if isinstance(part, Field)]
    return fields[0].whole // element if len(fields) == len(members) and not fields[0].whole % element else None


def _around(path: Path, subs: Sequence[int], element: int) -> tuple[Dim, ...]:
    """The dimensions of the subscripts before the last consecutive run."""
    run = subs[-1]
    while isinstance(path[run - 1], Sub):
        run -= 1
    dims: list[Dim] = []
    unit: Poly | None = None
    for part in reversed(path[subs[0] : run]):
        if isinstance(part, Sub):
            dims.insert(0, Dim(unit, part.extent, part.lower))
            unit = None if unit is None or part.extent is None else unit * part.extent
        else:
            fits = isinstance(part, Field) and part.whole % element == 0
            unit = number(part.whole // element) if isinstance(part, Field) and fits else None
    return tuple(dims)
