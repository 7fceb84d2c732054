"""How much memory a nest touches while its outer loops stand still, and what that means for a cache (LRU).

With d outer loops held fixed, the inner ones touch `bytes[d]` of an array. If everything touched during one iteration
of loop d fits a cache, what one iteration brought in is still there for the next: the cache then fetches each line
once for all iterations of that loop, and anew for every iteration of the loops outside (layer conditions, written
for any loop order). References that stand several iterations of a loop apart, as in u[i + 1] - u[i - 1], meet only
after so many: what these touch together must fit. Sizes and capacities may be numpy arrays.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from foretell.characterize.colours import staying
from foretell.characterize.moves import by_iteration
from foretell.core.loopnest import iterations
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from foretell.core.expression import Value
    from foretell.core.loopnest import Access, ArrayUse, Dim, LoopNest, Subscript
    from foretell.core.symbolic import Poly


#: of the interval that the age of a line is looked for in: one part of a million
_HALVINGS = 20
#: bytes of an array of unknown length
_ENDLESS = 1e30


@dataclass(frozen=True, slots=True)
class ArrayFootprint:
    """Bytes of whole lines that the nest touches of one array, with 0, 1, … outer loops held fixed."""

    name: str
    bytes: tuple[Value, ...]
    #: the same for all iterations of those loops together, where nothing stays from one to the next
    swept: tuple[Value, ...]
    read: bool
    written: bool
    #: bytes of an array that is accessed in no regular order (infinite where its size is not known); None for others
    scattered: Value | None = None
    #: with 0, 1, … outer loops held fixed: of its references that follow others to the same lines in later iterations
    #: of the last of these loops, the parts that are several behind, and the bytes of all arrays in such a stretch
    behind: tuple[tuple[tuple[float, Value], ...], ...] = ()

    def coming(self, depth: int, capacity: Value, kept: Value, anew: Value) -> Value:
        """What is `kept`, or comes `anew` for the part of the references that come when the lines of those before them
        have left the cache."""
        links = self.behind[depth] if self.behind else ()
        if not links:
            return kept
        lost = sum((part * np.greater(touched, capacity) for part, touched in links), 0.0)
        return kept + lost * (anew - kept)


@dataclass(frozen=True, slots=True)
class Footprints:
    """All arrays of a nest. `iterations[d]` is how often the body of the outer d loops runs in all."""

    arrays: tuple[ArrayFootprint, ...]
    iterations: tuple[Value, ...]
    assumptions: tuple[str, ...] = ()

    def together(self, depth: int) -> Value:
        """Bytes of all arrays with `depth` outer loops held fixed."""
        total: Value = 0.0
        for array in self.arrays:
            total = total + array.bytes[depth]
        return total

    def traffic(self, capacity: Value, warm: bool = True, ways: int | None = None) -> dict[str, Value]:
        """Bytes of each array that come into a cache of this capacity. `warm`: what fits is there already. `ways`: of a
        cache whose sets are chosen by where pages lie."""
        stays = [staying(self.together(depth) / capacity, ways) for depth in range(len(self.iterations))]
        volumes = {}
        for array in self.arrays:
            *inner, volume = array.swept
            kept = [0.0 if warm else array.bytes[0], *inner]
            for depth in reversed(range(len(stays))):
                coming = array.coming(depth, capacity, kept[depth], volume)
                volume = _mixed(stays[depth], coming, volume)
            volumes[array.name] = _real(volume)
        scattered = [array for array in self.arrays if array.scattered is not None]
        if scattered:
            streamed = sum((volumes[array.name] for array in self.arrays if array.scattered is None), 0.0)
            age = _age(scattered, streamed, capacity)
            for array in scattered:
                missed = array.swept[-1] * np.exp(-_met(array, age))
                volumes[array.name] = _real(_mixed(stays[0], np.multiply(array.bytes[0], 1.0 - warm), missed))
        return volumes


def _met(array: ArrayFootprint, part: Value) -> Value:
    """How often a line of a scattered array is met in a part of the nest."""
    return part * array.swept[-1] / _bytes(array)


def _age(scattered: Sequence[ArrayFootprint], streamed: Value, capacity: Value) -> Value:
    """The part of the nest after which a line that was not met again leaves the cache (Che's approximation of LRU):
    what streams past in that time, and what is met by chance, fills it together."""
    low, high = np.zeros(np.shape(capacity)), np.ones(np.shape(capacity))
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        filled = streamed * middle
        for array in scattered:
            filled = filled + _bytes(array) * -np.expm1(-_met(array, middle))
        low, high = np.where(filled < capacity, middle, low), np.where(filled < capacity, high, middle)
    return low


def _bytes(array: ArrayFootprint) -> Value:
    """Of a scattered array; very many where it has no known end."""
    return np.clip(1.0 if array.scattered is None else array.scattered, 1.0, _ENDLESS)


def footprints(
    nest: LoopNest, values: Mapping[str, Value], line: float, shared: int | None = None, threads: Value = 1.0
) -> Footprints:
    """The footprints of a nest at given sizes, in lines of `line` bytes: those of one thread, where `threads` of them
    have an equal part each of the loop at depth `shared`."""
    plan = _plan(nest)
    runs = tuple(
        _real(poly.evaluate(values)) / (threads if shared is not None and depth > shared else 1.0)
        for depth, poly in enumerate(plan.runs)
    )
    trips = {
        loop.variable: _ratio(runs[depth + 1], runs[depth]) for depth, loop in enumerate(nest.loops)
    }  # on average, where the bounds of a loop depend on outer ones
    sizes = _Sizes(trips, values, line)
    lines = [sizes.lines(box) * line for box in plan.boxes]
    stretches = {
        (depth, gap): _stretch(plan, depth, _Sizes(_shortened(trips, nest, depth, gap), values, line)) * line
        for depth, gap in plan.gaps
    }
    arrays = tuple(_array(array, runs, lines, stretches, values) for array in plan.arrays)
    return Footprints(arrays, runs, tuple(dict.fromkeys(sizes.notes)))


def _mixed(share: Value, one: Any, other: Any) -> Value:
    """So much of one and the rest of the other, element by element; either may be endless where it has no share."""
    if np.all((np.asarray(share) == 0.0) | (np.asarray(share) == 1.0)):
        return np.where(share, one, other)
    mixed: Value = np.where(share, one, 0.0) * share + np.where(np.less(share, 1.0), other, 0.0) * (
        1.0 - share
    )
    return mixed


def _shortened(trips: Mapping[str, Value], nest: LoopNest, depth: int, gap: int) -> dict[str, Value]:
    variable = nest.loops[depth - 1].variable
    return {**trips, variable: np.minimum(trips[variable], float(gap))}


def _stretch(plan: _Plan, depth: int, sizes: _Sizes) -> Value:
    """Lines of all arrays that some iterations of the loop around `depth` touch."""
    boxes = [(plan.boxes[box], times) for array in plan.arrays for box, times in array.boxes[depth - 1]]
    return sum((sizes.lines(box) * float(times) for box, times in boxes), 0.0)


def _array(
    touched: _Touched,
    runs: Sequence[Value],
    lines: Sequence[Value],
    stretches: Mapping[tuple[int, int], Value],
    values: Mapping[str, Value],
) -> ArrayFootprint:
    array = touched.array
    sizes = tuple(sum((lines[box] * float(times) for box, times in boxes), 0.0) for boxes in touched.boxes)
    swept = tuple(run * size for run, size in zip(runs, sizes, strict=True))
    name = f"{array.name}.{array.component}" if array.component else array.name
    scattered = _whole(array, values) if _irregular(array.accesses) else None
    behind = tuple(
        tuple((1 / len(gaps), stretches[depth, gap]) for gap in gaps if gap > 1)
        for depth, gaps in enumerate(touched.gaps)
    )
    return ArrayFootprint(name, sizes, swept, array.reads > 0, array.writes > 0, scattered, behind)


def _irregular(accesses: Sequence[Access]) -> bool:
    return any(one.index or one.opaque for access in accesses for one in access.subscripts)


def _sizes(array: ArrayUse) -> set[str]:
    """The parameters that the length of an array is written in."""
    return {name for dim in array.dims if dim.extent is not None for name in dim.extent.symbols()}


def _whole(array: ArrayUse, values: Mapping[str, Value]) -> Value:
    """Bytes of a whole array, as it is declared; infinite where it is not."""
    total: Value = float(array.type.size)
    for dim in array.dims:
        if dim.extent is None or not dim.extent.symbols() <= set(values):
            return np.inf
        total = total * _real(dim.extent.evaluate(values))
    return total


# -------------------------------------------------------------------------------------- what does not depend on sizes


@record
class _Side:
    """One dimension of a box: how far its references stand apart, and how each loop moves them."""

    dim: Dim
    apart: tuple[Poly, ...]
    moving: tuple[tuple[str, Poly], ...]


@record
class _Box:
    """What references that differ only by where they stand touch together while the `inner` loops run."""

    array: ArrayUse
    references: int
    inner: tuple[str, ...]
    sides: tuple[_Side, ...]
    irregular: bool


@record
class _Touched:
    """For each number of outer loops held fixed, the boxes that are touched of an array, and how many like each; and by
    how many iterations of the last of these loops its references follow each other to the same place."""

    array: ArrayUse
    boxes: tuple[tuple[tuple[int, int], ...], ...]
    gaps: tuple[tuple[int, ...], ...]


@record
class _Plan:
    """Everything about a nest that no size changes. `runs[d]` is how often the body of the outer d loops runs; boxes of
    one form, in whichever array, are counted once."""

    runs: tuple[Poly, ...]
    boxes: tuple[_Box, ...]
    arrays: tuple[_Touched, ...]

    @property
    def gaps(self) -> set[tuple[int, int]]:
        """Loops held fixed, and iterations, more than one."""
        return {
            (depth, gap)
            for array in self.arrays
            for depth, gaps in enumerate(array.gaps)
            for gap in gaps
            if gap > 1
        }


@lru_cache(maxsize=256)
def _plan(nest: LoopNest) -> _Plan:
    depths = range(len(nest.loops) + 1)
    known: dict[object, int] = {}
    boxes: list[_Box] = []
    arrays = []
    for array in by_iteration(nest):
        if array.dims:
            touched = tuple(_touched(nest, array, depth, known, boxes) for depth in depths)
            arrays.append(_Touched(array, touched, tuple(_gaps(nest, array, depth) for depth in depths)))
    return _Plan(tuple(iterations(nest.loops, depth) for depth in depths), tuple(boxes), tuple(arrays))


def _touched(
    nest: LoopNest, array: ArrayUse, depth: int, known: dict[object, int], boxes: list[_Box]
) -> tuple[tuple[int, int], ...]:
    """What the loops inside `depth` touch. References that differ only by where they stand in the moving dimensions
    and in the fastest one touch one common box; others touch boxes of their own."""
    forms: Counter[int] = Counter()
    for inner, accesses in _groups(nest, array, depth):
        form = _form(array, accesses, inner)
        if form not in known:
            known[form] = len(boxes)
            boxes.append(_box(nest, array, accesses, inner))
        forms[known[form]] += 1
    return tuple(forms.items())


def _groups(nest: LoopNest, array: ArrayUse, depth: int) -> list[tuple[frozenset[str], list[Access]]]:
    """The loops inside `depth` around them, and the references of each box."""
    groups: dict[tuple[frozenset[str], object], list[Access]] = defaultdict(list)
    for access in array.accesses:
        inner = frozenset(loop.variable for loop in nest.loops[depth : nest.blocks[access.block].depth])
        *rows, last = access.subscripts
        shape = (*(_shape(one, inner) for one in rows), _shape(last, inner, fastest=True))
        groups[inner, shape].append(access)
    return [(inner, accesses) for (inner, _), accesses in groups.items()]


def _gaps(nest: LoopNest, array: ArrayUse, depth: int) -> tuple[int, ...]:
    """How many iterations of the last of `depth` loops lie between references of a box that come to the same place one
    after the other. The innermost loop is left out: some of its iterations touch next to nothing."""
    if not 0 < depth < len(nest.loops) or _irregular(array.accesses):
        return ()
    variable = nest.loops[depth - 1].variable
    found: list[int] = []
    for _, accesses in _groups(nest, array, depth - 1):
        for subscripts in zip(*(access.subscripts for access in accesses), strict=True):
            step = dict(subscripts[0].coefficients).get(variable)
            places = {(one.offset - subscripts[0].offset).integer for one in subscripts}
            if step is None or not step.integer or None in places:
                continue
            order = sorted(place for place in places if place is not None)
            found += [max(1, (b - a) // abs(step.integer)) for a, b in pairwise(order)]
    return tuple(found)


def _box(nest: LoopNest, array: ArrayUse, accesses: Sequence[Access], inner: frozenset[str]) -> _Box:
    sides = []
    for dim, *subscripts in zip(array.dims, *(access.subscripts for access in accesses), strict=True):
        first = subscripts[0]
        apart = tuple(offset - first.offset for offset in dict.fromkeys(one.offset for one in subscripts))
        sides.append(_Side(dim, apart, tuple((n, c) for n, c in first.coefficients if n in inner)))
    variables = tuple(variable for variable in nest.variables if variable in inner)
    return _Box(array, len(accesses), variables, tuple(sides), _irregular(accesses))


def _form(array: ArrayUse, accesses: Sequence[Access], inner: frozenset[str]) -> object:
    """What two boxes must share to have equally many lines: how their dimensions lie in memory, how each subscript
    moves, and how far apart they stand. Irregular ones are an array's own."""
    whose = array.name if _irregular(accesses) else ""
    found: list[object] = [whose, array.type.size, inner, len(accesses)]
    for dim, *subscripts in zip(array.dims, *(access.subscripts for access in accesses), strict=True):
        first = subscripts[0]
        apart = frozenset(one.offset - first.offset for one in subscripts)
        moving = tuple((name, c) for name, c in first.coefficients if name in inner)
        found += [dim.stride, apart, moving]
    return tuple(found)


def _shape(one: Subscript, inner: frozenset[str], fastest: bool = False) -> object:
    """What two subscripts must share to belong to one box: everything where they stand still, else how they move. In
    the fastest dimension they may lie in one line."""
    moving = tuple((name, c) for name, c in one.coefficients if name in inner)
    fixed = tuple((name, c) for name, c in one.coefficients if name not in inner)
    irregular = bool(one.index) or one.opaque
    return (moving, fixed, one.offset) if irregular or not (moving or fastest) else (moving, fixed)


# -------------------------------------------------------------------------------------- at given sizes


class _Sizes:
    """Counts the lines of boxes at given sizes."""

    def __init__(self, trips: Mapping[str, Value], values: Mapping[str, Value], line: float) -> None:
        self._trips, self._values, self._line = trips, values, line
        self._known: dict[Poly, Value] = {}
        self.notes: list[str] = []

    def lines(self, box: _Box) -> Value:
        """Lines of one box: the product of its extents, the fastest in lines. Never more than one per access, nor than
        lie between its first and its last element: rows that follow each other share the lines at their ends."""
        everything: Value = float(box.references)
        for variable in box.inner:
            everything = everything * self._trips[variable]
        if box.irregular:
            return _lines_by_chance(box.array, everything, self._values, self._line, self.notes)
        size = box.array.type.size
        lines: Value = 1.0
        between: Value = 0.0  # elements from the first to the last
        for position, side in enumerate(box.sides):
            pitch = self._pitch(side.dim)
            fastest = position == len(box.sides) - 1
            lines_apart = (1.0 if pitch is None else pitch) * size / self._line if fastest else 1.0
            reach, moves = self._reach(side, lines_apart)
            lines = lines * np.minimum(reach * lines_apart + 1, moves)
            between = between + (np.where(reach > 0, np.inf, 0.0) if pitch is None else reach * pitch)
        between = between * (size / self._line) + 1
        return _real(np.minimum(np.minimum(lines, between), everything))

    def _pitch(self, dim: Dim) -> Value | None:
        """Elements from one index of a dimension to the next, where that is known."""
        if dim.stride is None or not dim.stride.symbols() <= set(self._values):
            return None
        return self._value(dim.stride)

    def _reach(self, side: _Side, apart: Value) -> tuple[Value, Value]:
        """How far it is from the least to the greatest value of the subscripts together, and how many different ones
        they take at most, or lines where neighbours are less than one `apart`: references that an iteration makes close
        to each other share them."""
        distances = [self._value(poly) for poly in side.apart]
        reach: Value = _extreme(np.maximum, distances) - _extreme(np.minimum, distances)
        different: Value = np.minimum(float(len(distances)), reach * apart + 1)
        for name, coefficient in side.moving:
            reach = reach + abs(self._value(coefficient)) * np.maximum(self._trips[name] - 1, 0)
            different = different * self._trips[name]
        return reach, different

    def _value(self, poly: Poly) -> Value:
        if poly not in self._known:
            self._known[poly] = _real(poly.evaluate(self._values))
        return self._known[poly]


def _lines_by_chance(
    array: ArrayUse, accesses: Value, values: Mapping[str, Value], line: float, notes: list[str]
) -> Value:
    """Different lines that so many accesses meet, each line as likely as any other."""
    whole = _whole(array, values)
    if np.all(np.isinf(whole)):
        unknown = ", ".join(sorted(_sizes(array) - set(values)))
        hint = f" (-D {unknown}=… tells better)" if unknown else ""
        notes.append(f"{array.name}: every irregular access is taken to touch another line{hint}")
        return accesses
    notes.append(
        f"{array.name}: irregular accesses are taken to meet each of its lines as often as any other"
    )
    lines = np.maximum(1.0, whole / line)
    return lines * -np.expm1(-accesses / lines)


def _extreme(pick: Callable[[Value, Value], Value], values: Sequence[Value]) -> Value:
    """The largest or the smallest; numbers stay numbers."""
    result = values[0]
    for value in values[1:]:
        result = pick(result, value)
    return result


def _ratio(above: Value, below: Value) -> Value:
    return _real(np.divide(above, np.maximum(below, 1e-300)))


def _real(value: Any) -> Value:
    """Fractions and whole numbers as floats; arrays as float arrays."""
    return np.asarray(value, dtype=np.float64) if np.ndim(value) else float(value)
