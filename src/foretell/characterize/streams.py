"""The accesses of a nest as the cache simulator takes them: the exact addresses, in the order of the program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.characterize.cachesim import Bound, Loop, Nest, Reference
from foretell.errors import UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from foretell.core.loopnest import Access, ArrayUse, LoopNest
    from foretell.core.symbolic import Poly

_PAGE = 4096
#: arrays do not start at the same place of a page
_APART = 448


def stream(nest: LoopNest, values: Mapping[str, int]) -> Nest:
    """The nest at these sizes. Arrays lie one behind the other; what is not affine is refused by name."""
    variables = [loop.variable for loop in nest.loops]
    loops = []
    for depth, loop in enumerate(nest.loops):
        if not loop.counted:
            raise UnsupportedError(
                f"the trips of the loop over {loop.variable!r} depend on data", line=loop.line
            )
        step = int(loop.step.evaluate(values))
        past = 1 if step > 0 else -1
        upper = _bound(loop.upper, variables[:depth], values)
        end = Bound(upper.constant + past, upper.coefficients)
        loops.append(Loop(_bound(loop.lower, variables[:depth], values), end, step))
    references = []
    start = _PAGE
    for number, array in enumerate(nest.arrays):
        made = [one for access in array.accesses for one in _references(array, access, variables, values)]
        lowest, highest = _reach(made, loops)
        base = start + _APART * number - lowest
        references += [Reference(r.name, r.base + base, r.strides, r.kind, r.bytes) for r in made]
        start += ((highest - lowest) // _PAGE + 2) * _PAGE
    loads_first = sorted(references, key=lambda one: one.kind == "store")
    if not loads_first:
        raise UnsupportedError("the nest touches no array", line=nest.line)
    return Nest(tuple(loops), tuple(loads_first))


def _references(
    array: ArrayUse, access: Access, variables: Sequence[str], values: Mapping[str, int]
) -> list[Reference]:
    strides = dict.fromkeys(variables, 0)
    base = 0
    size = array.type.size
    for one, dim in zip(access.subscripts, array.dims, strict=True):
        if one.index or one.opaque or dim.stride is None:
            raise UnsupportedError(f"the addresses of {array.name!r} depend on data", line=access.line)
        step = int(dim.stride.evaluate(values)) * size
        base += (int(one.offset.evaluate(values)) - int(dim.lower.evaluate(values))) * step
        for name, coefficient in one.coefficients:
            strides[name] += int(coefficient.evaluate(values)) * step
    label = f"{array.name}.{array.component}" if array.component else array.name
    kinds = ["load"] * bool(access.reads) + ["store"] * bool(access.writes)
    return [
        Reference(f"{label}:{access.line}:{kind}:{base}", base, tuple(strides.values()), kind, size)  # type: ignore[arg-type]
        for kind in kinds
    ]


def _bound(poly: Poly, outer: Sequence[str], values: Mapping[str, int]) -> Bound:
    """A bound as a constant and a coefficient for each loop around; others are refused."""
    split = poly.coefficients(outer)
    if split is None or not all(part.symbols() <= set(values) for part in (*split[0].values(), split[1])):
        raise UnsupportedError(f"the bound {poly} is not a sum of multiples of the loops around it")
    coefficients, constant = split
    numbers = {name: int(part.evaluate(values)) for name, part in coefficients.items()}
    return Bound(int(constant.evaluate(values)), tuple(numbers.get(name, 0) for name in outer))


def _reach(references: Sequence[Reference], loops: Sequence[Loop]) -> tuple[int, int]:
    """The lowest and the highest address, with the loops taken as a box."""
    ranges: list[tuple[int, int]] = []
    for loop in loops:
        corners = [_corner(bound, ranges, side) for bound in (loop.first, loop.end) for side in (0, 1)]
        ranges.append((min(corners), max(corners)))
    lows, highs = [], []
    for one in references:
        spans = [sorted((s * low, s * high)) for s, (low, high) in zip(one.strides, ranges, strict=True)]
        lows.append(one.base + sum(span[0] for span in spans))
        highs.append(one.base + sum(span[1] for span in spans) + one.bytes)
    return min(lows), max(highs)


def _corner(bound: int | Bound, ranges: Sequence[tuple[int, int]], side: int) -> int:
    if isinstance(bound, int):
        return bound
    return bound.constant + sum(c * span[side] for c, span in zip(bound.coefficients, ranges, strict=False))
