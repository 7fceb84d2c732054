"""Boxes that a nest touches: the part of footprints that does not depend on sizes.

With some outer loops held fixed, references to an array that differ only in their offsets touch one common box, or a
star where no single reference has offsets in several dimensions at once; others touch separate boxes.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import lru_cache
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

from foretell.characterize.layout.iteration_strides import by_iteration
from foretell.core.nest.loopnest import iterations
from foretell.core.symbolic.poly import ONE
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from foretell.core.nest.loopnest import Access, ArrayUse, Dim, LoopNest, Subscript
    from foretell.core.symbolic.poly import Poly


@record
class Side:
    """One dimension of a box: offsets of its references, and the stride of each loop."""

    dim: Dim
    apart: tuple[Poly, ...]
    moving: tuple[tuple[str, Poly], ...]
    #: moving loops that still move it with the slower sides fixed: none along a diagonal
    free: tuple[str, ...] = ()


@record
class Box:
    """Region that references which differ only in their offsets touch together while the `inner` loops run."""

    array: ArrayUse
    references: int
    inner: tuple[str, ...]
    sides: tuple[Side, ...]
    irregular: bool
    #: groups of sides in which single references have offsets (star); empty: all combinations, to the corners of the
    #: box
    arms: tuple[frozenset[int], ...] = ()
    #: whether sides are coupled, as in a[i + j][j]: not all pairs of their values occur
    coupled: bool = False
    #: where trip counts are uneven: the loops that move the box, and the runs of each with the outer loops but without
    #: those that do not move it; runs of the outer loops
    runs: tuple[tuple[str, Poly], ...] = ()
    around: Poly = ONE


@record
class Touched:
    """For each number of outer loops held fixed, the boxes of an array with their multiplicity; and the iterations of
    the last of these loops between references to the same location."""

    array: ArrayUse
    boxes: tuple[tuple[tuple[int, int], ...], ...]
    gaps: tuple[tuple[int, ...], ...]
    #: whether boxes may have lines in common
    overlapping: tuple[bool, ...]
    #: whether each loop moves no reference: all its iterations touch the same data
    still: tuple[bool, ...]
    #: loops around irregular accesses: those further in repeat none of them; of other arrays, all loops
    around: int = 0


@record
class Plan:
    """Size-independent description of a nest. `runs[d]` is the total number of executions of the body of the outer d
    loops; boxes of one form, in whichever array, are counted once."""

    runs: tuple[Poly, ...]
    boxes: tuple[Box, ...]
    arrays: tuple[Touched, ...]
    #: for each number of outer loops held fixed, those that the inner trip counts depend on; and the runs of the inner
    #: loops there
    uneven: tuple[tuple[str, ...], ...]
    inside: tuple[tuple[Poly, ...], ...]

    @property
    def gaps(self) -> set[tuple[int, int]]:
        """Pairs of (loops held fixed, reuse gap in iterations) with a gap above one."""
        return {
            (depth, gap) for array in self.arrays for depth, gaps in enumerate(array.gaps) for gap in gaps if gap > 1
        }


@lru_cache(maxsize=256)
def box_plan(nest: LoopNest) -> Plan:
    depths = range(len(nest.loops) + 1)
    known: dict[object, int] = {}
    boxes: list[Box] = []
    arrays = []
    for array in by_iteration(nest):
        if array.dims:
            touched = tuple(_touched(nest, array, depth, known, boxes) for depth in depths)
            gaps = tuple(_gaps(nest, array, depth) for depth in depths)
            overlapping = tuple(_overlapping(_groups(nest, array, depth)) for depth in depths)
            moved = {name for access in array.accesses for one in access.subscripts for name, _ in one.coefficients}
            still = tuple(name not in moved and not irregular(array.accesses) for name in nest.variables)
            around = _depth(nest, array.accesses) if irregular(array.accesses) else len(nest.loops)
            arrays.append(Touched(array, touched, gaps, overlapping, still, around))
    uneven = tuple(_uneven(nest, depth) for depth in depths)
    return Plan(
        tuple(iterations(nest.loops, depth) for depth in depths),
        tuple(boxes),
        tuple(arrays),
        uneven,
        tuple(_inside(nest, depth) if some else () for depth, some in enumerate(uneven)),
    )


def _uneven(nest: LoopNest, depth: int) -> tuple[str, ...]:
    """Loops outside `depth` that inner trip counts depend on, directly or through the bounds of these loops."""
    wanted: set[str] = set()
    for place, loop in reversed(list(enumerate(nest.loops))):
        if place >= depth:
            wanted |= loop.trips.symbols()
        if loop.variable in wanted:
            wanted |= loop.lower.symbols() | loop.upper.symbols()
    return tuple(loop.variable for loop in nest.loops[:depth] if loop.variable in wanted)


def _inside(nest: LoopNest, depth: int) -> tuple[Poly, ...]:
    inner = nest.loops[depth:]
    return tuple(iterations(inner, count) for count in range(len(inner) + 1))


def _touched(
    nest: LoopNest, array: ArrayUse, depth: int, known: dict[object, int], boxes: list[Box]
) -> tuple[tuple[int, int], ...]:
    """Boxes that the loops inside `depth` touch. References that differ only in their offsets in the moving dimensions
    and in the fastest one touch one common box; others touch separate boxes."""
    forms: Counter[int] = Counter()
    for inner, accesses in _groups(nest, array, depth):
        form = _form(nest, array, accesses, inner)
        if form not in known:
            known[form] = len(boxes)
            boxes.append(_box(nest, array, accesses, inner))
        forms[known[form]] += 1
    return tuple(forms.items())


def _groups(nest: LoopNest, array: ArrayUse, depth: int) -> list[tuple[frozenset[str], list[Access]]]:
    """Groups the references by box, each with the loops inside `depth` that surround it."""
    groups: dict[tuple[frozenset[str], object], list[Access]] = defaultdict(list)
    for access in array.accesses:
        inner = frozenset(loop.variable for loop in nest.loops[depth : nest.blocks[access.block].depth])
        *rows, last = access.subscripts
        shape = (*(_shape(one, inner) for one in rows), _shape(last, inner, fastest=True))
        groups[inner, shape].append(access)
    return [(inner, accesses) for (inner, _), accesses in groups.items()]


def _overlapping(groups: Sequence[tuple[frozenset[str], list[Access]]]) -> bool:
    """Whether two boxes may share lines: no dimension has a fixed but different subscript in both."""
    return any(
        not any(
            _disjoint(one, other, first_inner | second_inner)
            for one, other in zip(first[0].subscripts, second[0].subscripts, strict=True)
        )
        for (first_inner, first), (second_inner, second) in combinations(groups, 2)
    )


def _disjoint(first: Subscript, second: Subscript, inner: frozenset[str]) -> bool:
    if irregular_subscript(first) or irregular_subscript(second) or first.coefficients != second.coefficients:
        return False
    still = not any(name in inner for name, _ in first.coefficients)
    return still and bool((first.offset - second.offset).integer)


def _gaps(nest: LoopNest, array: ArrayUse, depth: int) -> tuple[int, ...]:
    """Iterations of the last of `depth` loops between consecutive references of a box to the same location. The
    innermost loop is left out: some of its iterations touch next to nothing."""
    if not 0 < depth < len(nest.loops) or irregular(array.accesses):
        return ()
    variable = nest.loops[depth - 1].variable
    gaps: list[int] = []
    for _, accesses in _groups(nest, array, depth - 1):
        for subscripts in zip(*(access.subscripts for access in accesses), strict=True):
            step = dict(subscripts[0].coefficients).get(variable)
            offsets = {(subscript.offset - subscripts[0].offset).integer for subscript in subscripts}
            if step is None or not step.integer or None in offsets:
                continue
            order = sorted(offset for offset in offsets if offset is not None)
            gaps += [max(1, (b - a) // abs(step.integer)) for a, b in pairwise(order)]
    return tuple(gaps)


def _box(nest: LoopNest, array: ArrayUse, accesses: Sequence[Access], inner: frozenset[str]) -> Box:
    sides: list[Side] = []
    fixed: set[str] = set()  # loops fixed by the slower sides
    for dim, *subscripts in zip(array.dims, *(access.subscripts for access in accesses), strict=True):
        first = subscripts[0]
        apart = tuple(offset - first.offset for offset in dict.fromkeys(subscript.offset for subscript in subscripts))
        moving = tuple((n, c) for n, c in first.coefficients if n in inner)
        free = tuple(n for n, _ in moving if n not in fixed)
        if any(_parallel(moving, slower.moving) for slower in sides):
            free = ()
        fixed |= set(free) if len(free) == 1 else set()
        sides.append(Side(dim, apart, moving, free))
    alone = irregular(accesses)
    running = nest.variables[: _depth(nest, accesses)] if alone else nest.variables
    variables = tuple(variable for variable in running if variable in inner)
    taken = Counter(name for side in sides for name in side.free)
    coupled = any(count > 1 for count in taken.values())
    around, runs = _own_runs(nest, sides, variables)
    return Box(array, len(accesses), variables, tuple(sides), alone, _arms(accesses), coupled, runs, around)


def _depth(nest: LoopNest, accesses: Sequence[Access]) -> int:
    """Loops around accesses: those further in do not repeat them."""
    return max(nest.blocks[access.block].depth for access in accesses)


def _own_runs(nest: LoopNest, sides: Sequence[Side], inner: Sequence[str]) -> tuple[Poly, tuple[tuple[str, Poly], ...]]:
    """Runs of the loops that move a box, so that their average trip counts do not depend on other loops."""
    if not any(loop.trips.depends_on(nest.variables) for loop in nest.loops):
        return ONE, ()
    wanted = {name for side in sides for name, _ in side.moving}
    for loop in reversed(nest.loops):
        if loop.variable in wanted:
            wanted |= loop.lower.symbols() | loop.upper.symbols()
    outer = tuple(loop for loop in nest.loops if loop.variable not in inner)
    outer = outer[: nest.variables.index(inner[0])] if inner else outer
    moving = tuple(loop for loop in nest.loops if loop.variable in inner and loop.variable in wanted)
    runs = tuple(
        (loop.variable, iterations((*outer, *moving[: count + 1]), len(outer) + count + 1))
        for count, loop in enumerate(moving)
    )
    return iterations(outer, len(outer)), runs


def _parallel(first: tuple[tuple[str, Poly], ...], second: tuple[tuple[str, Poly], ...]) -> bool:
    """Whether the loops' strides of one subscript are a multiple of those of the other."""
    if not first or tuple(name for name, _ in first) != tuple(name for name, _ in second):
        return False
    return all(a * second[0][1] == b * first[0][1] for (_, a), (_, b) in zip(first, second, strict=True))


def _arms(accesses: Sequence[Access]) -> tuple[frozenset[int], ...]:
    """Groups of dimensions in which references of one box have offsets: one per axis for a star. Empty where they reach
    all corners."""
    offsets = [tuple(subscript.offset for subscript in access.subscripts) for access in accesses]
    middle = [Counter(along).most_common(1)[0][0] for along in zip(*offsets, strict=True)]
    off = {
        frozenset(k for k, (at, usual) in enumerate(zip(offset, middle, strict=True)) if at != usual)
        for offset in offsets
    }
    every = frozenset().union(*off)
    if every in off or len(every) < 2:
        return ()
    parts = {frozenset(part) for arm in off for size in range(1, len(arm) + 1) for part in combinations(arm, size)}
    return tuple(sorted(parts, key=sorted))


def _form(nest: LoopNest, array: ArrayUse, accesses: Sequence[Access], inner: frozenset[str]) -> object:
    """Key of boxes with equally many lines: memory layout of the dimensions, strides and offsets of each subscript.
    Irregular boxes are keyed by array and the loops around."""
    whose = (array.name, _depth(nest, accesses)) if irregular(accesses) else ()
    key: list[object] = [whose, array.type.size, inner, len(accesses), _arms(accesses)]
    for dim, *subscripts in zip(array.dims, *(access.subscripts for access in accesses), strict=True):
        first = subscripts[0]
        apart = frozenset(subscript.offset - first.offset for subscript in subscripts)
        moving = tuple((name, c) for name, c in first.coefficients if name in inner)
        key += [dim.stride, apart, moving]
    return tuple(key)


def _shape(subscript: Subscript, inner: frozenset[str], fastest: bool = False) -> object:
    """Key of subscripts that belong to one box: the whole subscript where it is fixed, else its strides. In the fastest
    dimension subscripts may share a line."""
    moving = tuple((name, c) for name, c in subscript.coefficients if name in inner)
    fixed = tuple((name, c) for name, c in subscript.coefficients if name not in inner)
    alone = irregular_subscript(subscript) or not (moving or fastest)
    return (moving, fixed, subscript.offset) if alone else (moving, fixed)


def irregular(accesses: Sequence[Access]) -> bool:
    """Whether references have non-affine subscripts (gather or scatter)."""
    return any(irregular_subscript(subscript) for access in accesses for subscript in access.subscripts)


def irregular_subscript(subscript: Subscript) -> bool:
    return bool(subscript.index) or subscript.opaque
