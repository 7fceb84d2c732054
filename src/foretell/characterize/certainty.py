"""Where the closed form is certain: where what it leaves open does not matter.

It leaves three things open. A cache has sets, and lines do not fill them evenly, so what is about as large as the
cache may stay in it or not. Where inner loops are of uneven length, they may fit at some places of the outer ones and
not at others. And references of one array that move differently may touch the same lines or others. Each is taken at
its best and at its worst; where the traffic of the two differs by more than the accuracy that is aimed at, there is a
doubt.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from foretell.characterize.footprints import Footprints

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

#: of the traffic, or of a twentieth of all data where less moves: the accuracy that is aimed at
_AIM = 0.03
_LEAST_SHARE = 0.05
#: how much more or less of a level than its size may be of use
_SETS = 0.2
#: of all iterations: places that count
_NOTED = 0.02


def doubts(shape: Footprints, capacity: float, warm: bool) -> Iterator[str]:
    """What the closed form leaves open that matters for a cache of this capacity, at single sizes."""
    closed = _total(shape, capacity, warm)
    allowed = _AIM * max(closed, _LEAST_SHARE * float(shape.together(0)))
    if _total(_worst(shape), capacity * (1 - _SETS), warm) - _total(_best(shape), capacity * (1 + _SETS), warm) <= allowed:
        return
    if _total(shape, capacity * (1 - _SETS), warm) - _total(shape, capacity * (1 + _SETS), warm) > allowed:
        nearest = min((float(shape.together(d)) / capacity for d in range(len(shape.iterations))), key=lambda r: abs(r - 1))
        yield f"a loop touches {nearest:.2g} of its size, and sets do not fill evenly"
    if _total(_longest(shape), capacity, warm) - _total(_shortest(shape), capacity, warm) > allowed:
        yield "loops of uneven length fit at some places of the outer ones"
    if closed - _total(_joined(shape), capacity, warm) > allowed:
        yield "references that move differently may touch the same lines"


def _total(shape: Footprints, capacity: float, warm: bool) -> float:
    return float(sum(shape.traffic(capacity, warm).values()))


def _best(shape: Footprints) -> Footprints:
    return _shortest(_joined(shape))


def _worst(shape: Footprints) -> Footprints:
    return _longest(shape)


def _shortest(shape: Footprints) -> Footprints:
    return _at_one_place(shape, min)


def _longest(shape: Footprints) -> Footprints:
    return _at_one_place(shape, max)


def _at_one_place(shape: Footprints, pick: Callable[[Iterable[float]], float]) -> Footprints:
    """As if the inner loops went everywhere as far as where they go least, or most."""
    uneven = tuple(
        ((pick([float(size) for size, share in places if float(share) > _NOTED]), 1.0),) if places else ()
        for places in shape.uneven
    )
    return replace(shape, uneven=uneven)


def _joined(shape: Footprints) -> Footprints:
    """As if all references that may touch the same lines did."""
    arrays = tuple(
        replace(
            array,
            bytes=array.least,
            swept=tuple(run * size for run, size in zip(shape.iterations, array.least, strict=True)),
        )
        for array in shape.arrays
    )
    return replace(shape, arrays=arrays)
