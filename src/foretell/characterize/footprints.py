"""How much memory a nest touches while its outer loops stand still, and what that means for a cache (LRU).

With d outer loops held fixed, the inner ones touch `bytes[d]` of an array. If everything touched during one iteration
of loop d fits a cache, what one iteration brought in is still there for the next: the cache then fetches each line
once for all iterations of that loop, and anew for every iteration of the loops outside (layer conditions, written
for any loop order). Sizes and capacities may be numpy arrays.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from foretell.characterize.moves import by_iteration
from foretell.core.loopnest import iterations

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from foretell.core.expression import Value
    from foretell.core.loopnest import Access, ArrayUse, Dim, LoopNest, Subscript


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

    def traffic(self, capacity: Value, warm: bool = True) -> dict[str, Value]:
        """Bytes of each array that come into a cache of this capacity. `warm`: what fits is there already."""
        reached = [self.together(depth) <= capacity for depth in range(len(self.iterations))]
        volumes = {}
        for array in self.arrays:
            whole = array.bytes[0] * (0.0 if warm else 1.0)
            *inner, each = array.swept
            volumes[array.name] = _first(reached, [whole, *inner], each)
        scattered = [array for array in self.arrays if array.scattered is not None]
        if scattered:
            streamed = sum((volumes[array.name] for array in self.arrays if array.scattered is None), 0.0)
            age = _age(scattered, streamed, capacity)
            for array in scattered:
                missed = array.swept[-1] * np.exp(-_met(array, age))
                volumes[array.name] = _first(reached[:1], [np.multiply(array.bytes[0], 1.0 - warm)], missed)
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
    runs = tuple(
        _real(iterations(nest.loops, depth).evaluate(values))
        / (threads if shared is not None and depth > shared else 1.0)
        for depth in range(len(nest.loops) + 1)
    )
    trips = {
        loop.variable: _ratio(runs[depth + 1], runs[depth]) for depth, loop in enumerate(nest.loops)
    }  # on average, where the bounds of a loop depend on outer ones
    boxes = _Boxes(nest, trips, values, line)
    arrays = tuple(_array(nest, array, runs, boxes) for array in by_iteration(nest) if array.dims)
    return Footprints(arrays, runs, tuple(dict.fromkeys(boxes.notes)))


def _first(conditions: Sequence[Any], choices: Sequence[Any], default: Any) -> Value:
    """The choice of the first condition that holds, element by element."""
    result: Value = default
    for condition, choice in zip(reversed(conditions), reversed(choices), strict=True):
        result = np.where(condition, choice, result)
    return _real(result)


def _array(nest: LoopNest, array: ArrayUse, runs: Sequence[Value], boxes: _Boxes) -> ArrayFootprint:
    sizes = tuple(boxes.touched(array, depth) for depth in range(len(nest.loops) + 1))
    swept = tuple(run * size for run, size in zip(runs, sizes, strict=True))
    name = f"{array.name}.{array.component}" if array.component else array.name
    scattered = _whole(array, boxes.values) if _irregular(array.accesses) else None
    return ArrayFootprint(name, sizes, swept, array.reads > 0, array.writes > 0, scattered)


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


class _Boxes:
    """What references touch together, at given sizes. Boxes of one form, in whichever array, are counted once."""

    def __init__(
        self, nest: LoopNest, trips: Mapping[str, Value], values: Mapping[str, Value], line: float
    ) -> None:
        self.nest, self.trips, self.values, self.line = nest, trips, values, line
        self.notes: list[str] = []
        self._counted: dict[object, Value] = {}

    def touched(self, array: ArrayUse, depth: int) -> Value:
        """Bytes of whole lines touched by the loops inside `depth`. References that differ only by where they stand in
        the moving dimensions touch one common box; others touch boxes of their own."""
        boxes: dict[object, list[Access]] = defaultdict(list)
        for access in array.accesses:
            inner = frozenset(
                loop.variable for loop in self.nest.loops[depth : self.nest.blocks[access.block].depth]
            )
            boxes[inner, tuple(_shape(one, inner) for one in access.subscripts)].append(access)
        forms: Counter[object] = Counter()
        for (inner, _), accesses in boxes.items():  # type: ignore[misc]
            form = _form(array, accesses, inner)
            forms[form] += 1
            if form not in self._counted:
                moving = {variable: self.trips[variable] for variable in inner}
                self._counted[form] = (
                    _lines(array, accesses, moving, self.values, self.line, self.notes) * self.line
                )
        return sum((self._counted[form] * float(times) for form, times in forms.items()), 0.0)


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


def _shape(one: Subscript, inner: frozenset[str]) -> object:
    """What two subscripts must share to belong to one box: everything where they stand still, else how they move."""
    moving = tuple((name, c) for name, c in one.coefficients if name in inner)
    fixed = tuple((name, c) for name, c in one.coefficients if name not in inner)
    irregular = bool(one.index) or one.opaque
    return (moving, fixed, one.offset) if not moving or irregular else (moving, fixed)


def _lines(
    array: ArrayUse,
    accesses: Sequence[Access],
    trips: Mapping[str, Value],
    values: Mapping[str, Value],
    line: float,
    notes: list[str],
) -> Value:
    """Lines of one box: the product of its extents, the fastest in lines. Never more than one per access, nor than lie
    between its first and its last element: rows that follow each other share the lines at their ends."""
    everything: Value = float(len(accesses))
    for count in trips.values():
        everything = everything * count
    if _irregular(accesses):
        return _lines_by_chance(array, everything, values, line, notes)
    lines: Value = 1.0
    between: Value = 0.0  # elements from the first to the last
    for position, dim in enumerate(array.dims):
        reach, moves = _reach([access.subscripts[position] for access in accesses], trips, values)
        pitch = _pitch(dim, values)
        if position < len(array.dims) - 1:
            lines = lines * np.minimum(reach + 1, moves)
        else:
            lines_apart = (1.0 if pitch is None else pitch) * array.type.size / line
            lines = lines * np.minimum(reach * lines_apart + 1, moves)
        between = between + (np.where(reach > 0, np.inf, 0.0) if pitch is None else reach * pitch)
    between = between * (array.type.size / line) + 1
    return _real(np.minimum(np.minimum(lines, between), everything))


def _pitch(dim: Dim, values: Mapping[str, Value]) -> Value | None:
    """Elements from one index of a dimension to the next, where that is known."""
    if dim.stride is None or not dim.stride.symbols() <= set(values):
        return None
    return _real(dim.stride.evaluate(values))


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


def _reach(
    subscripts: Sequence[Subscript], trips: Mapping[str, Value], values: Mapping[str, Value]
) -> tuple[Value, Value]:
    """How far it is from the least to the greatest value of the subscripts together, and how many different ones they
    take at most."""
    offsets = {one.offset for one in subscripts}
    first = subscripts[0].offset
    distances = [_real((offset - first).evaluate(values)) for offset in offsets]
    reach: Value = _extreme(np.maximum, distances) - _extreme(np.minimum, distances)
    different: Value = float(len(offsets))
    for name, coefficient in subscripts[0].coefficients:
        if name in trips:
            reach = reach + abs(_real(coefficient.evaluate(values))) * np.maximum(trips[name] - 1, 0)
            different = different * trips[name]
    return reach, different


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
