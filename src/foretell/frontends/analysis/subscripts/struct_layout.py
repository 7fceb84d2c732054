"""Offsets of struct members: C's layout, each member at a multiple of its alignment."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from foretell.core.nest.loopnest import Dim, Member
from foretell.core.symbolic.poly import number
from foretell.frontends.analysis.walk.state import Sub, path_text
from foretell.frontends.source import ir
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from foretell.core.symbolic.poly import Poly
    from foretell.frontends.analysis.walk.state import Path

_POINTER = 8


class Field(str):
    """A member on a path, «.mass», with its byte offset in its record and the record's size."""

    offset: int
    whole: int


def field_of(name: str, kind: ir.Type) -> str:
    """The path element of a record member; a plain name where the layout is unknown."""
    known = _layout(kind) if isinstance(kind, ir.Record) else None
    if known is None or name not in known.offsets:
        return f".{name}"
    part = Field(f".{name}")
    part.offset, part.whole = known.offsets[name], known.size
    return part


@record
class _Layout:
    offsets: dict[str, int]
    size: int
    alignment: int


@lru_cache(maxsize=1024)
def _layout(kind: ir.Record) -> _Layout | None:
    """The layout of a record; None for incomplete ones and those whose size differs: unions, bit fields, packed."""
    offsets: dict[str, int] = {}
    end, alignment = 0, 1
    for name, part in kind.fields:
        known = _extent(part)
        if known is None:
            return None
        size, needed = known
        offsets[name] = -(-end // needed) * needed
        end, alignment = offsets[name] + size, max(alignment, needed)
    whole = -(-end // alignment) * alignment
    return _Layout(offsets, whole, alignment) if whole and kind.size in (0, whole) else None


def _extent(kind: ir.Type) -> tuple[int, int] | None:
    """Size and alignment of a member in bytes."""
    match kind:
        case ir.Scalar("complex", size):
            return size, size // 2
        case ir.Scalar(_, size):
            return size, size
        case ir.Pointer(ir.Array()):  # Fortran: a descriptor
            return None
        case ir.Pointer() | ir.Procedure():
            return _POINTER, _POINTER
        case ir.Record():
            known = _layout(kind)
            return None if known is None else (known.size, known.alignment)
        case ir.Array(element, dims):
            known_element = _extent(element)
            if known_element is None:
                return None
            size, alignment = known_element
            for dim in dims:
                if not isinstance(dim.size, ir.Const) or not isinstance(dim.size.value, int):
                    return None
                size *= dim.size.value
            return size, alignment
    return None


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
    place = sum(part.offset for part in fields)
    if place % element:
        return InRecords(outer=unknown)
    name = path_text(path[: subs[0]], dict(display))
    return InRecords(apart, around, Member(name, fields[0].whole, place))


def _whole(members: Sequence[str], element: int) -> int | None:
    """The size of the record after the last subscript in elements: 1 without a record; None where unknown."""
    if not members:
        return 1
    first = members[0]
    known = all(isinstance(part, Field) for part in members)
    return first.whole // element if known and isinstance(first, Field) and first.whole % element == 0 else None


def _around(path: Path, subs: Sequence[int], element: int) -> tuple[Dim, ...]:
    """The dimensions of the subscripts before the last consecutive run."""
    run = subs[-1]
    while isinstance(path[run - 1], Sub):
        run -= 1
    found: list[Dim] = []
    unit: Poly | None = None
    for at in range(run - 1, subs[0] - 1, -1):
        part = path[at]
        if isinstance(part, Sub):
            found.insert(0, Dim(unit, part.extent, part.lower))
            unit = None if unit is None or part.extent is None else unit * part.extent
        else:
            fits = isinstance(part, Field) and part.whole % element == 0
            unit = number(part.whole // element) if isinstance(part, Field) and fits else None
    return tuple(found)
