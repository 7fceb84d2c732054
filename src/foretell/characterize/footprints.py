"""How much memory a nest touches while its outer loops stand still, and what that means for a cache (LRU).

With d outer loops held fixed, the inner ones touch `bytes[d]` of an array. If everything touched during one iteration
of loop d fits a cache, what one iteration brought in is still there for the next: the cache then fetches each line
once for all iterations of that loop, and anew for every iteration of the loops outside (layer conditions, written
for any loop order). Sizes and capacities may be numpy arrays.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from foretell.characterize.moves import by_iteration
from foretell.core.loopnest import iterations

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from foretell.core.expression import Value
    from foretell.core.loopnest import Access, ArrayUse, LoopNest, Subscript


#: of the interval that the age of a line is looked for in: one part of a million
_HALVINGS = 20
#: bytes of an array of unknown length
_ENDLESS = 1e30


@dataclass(frozen=True, slots=True)
class ArrayFootprint:
    """Bytes of whole lines that the nest touches of one array, with 0, 1, … outer loops held fixed."""

    name: str
    bytes: tuple[Value, ...]
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
            whole = np.multiply(array.bytes[0], 0.0 if warm else 1.0)
            inner = [self.iterations[d - 1] * array.bytes[d - 1] for d in range(1, len(self.iterations))]
            volumes[array.name] = _first(reached, [whole, *inner], self._each(array))
        scattered = [array for array in self.arrays if array.scattered is not None]
        if scattered:
            streamed = sum((volumes[array.name] for array in self.arrays if array.scattered is None), 0.0)
            age = self._age(scattered, streamed, capacity)
            for array in scattered:
                missed = self._each(array) * np.exp(-self._met(array, age))
                volumes[array.name] = _first(reached[:1], [np.multiply(array.bytes[0], 1.0 - warm)], missed)
        return volumes

    def _each(self, array: ArrayFootprint) -> Value:
        """Bytes of lines that an array is asked for, if none is ever met again."""
        return self.iterations[-1] * array.bytes[-1]

    def _met(self, array: ArrayFootprint, part: Value) -> Value:
        """How often a line of a scattered array is met in a part of the nest."""
        return part * self._each(array) / _bytes(array)

    def _age(self, scattered: Sequence[ArrayFootprint], streamed: Value, capacity: Value) -> Value:
        """The part of the nest after which a line that was not met again leaves the cache (Che's approximation of LRU):
        what streams past in that time, and what is met by chance, fills it together."""
        low, high = np.zeros(np.shape(capacity)), np.ones(np.shape(capacity))
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            filled = streamed * middle
            for array in scattered:
                filled = filled + _bytes(array) * -np.expm1(-self._met(array, middle))
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
    notes: list[str] = []
    arrays = tuple(_array(nest, one, trips, values, line, notes) for one in by_iteration(nest) if one.dims)
    return Footprints(arrays, runs, tuple(dict.fromkeys(notes)))


def _first(conditions: Sequence[Any], choices: Sequence[Any], default: Any) -> Value:
    """The choice of the first condition that holds, element by element."""
    result = np.select(np.broadcast_arrays(*conditions), np.broadcast_arrays(*choices), default)
    return float(result) if np.ndim(result) == 0 else result


def _array(
    nest: LoopNest,
    array: ArrayUse,
    trips: Mapping[str, Value],
    values: Mapping[str, Value],
    line: float,
    notes: list[str],
) -> ArrayFootprint:
    sizes = tuple(
        _touched(nest, array, depth, trips, values, line, notes) for depth in range(len(nest.loops) + 1)
    )
    name = f"{array.name}.{array.component}" if array.component else array.name
    scattered = _whole(array, values) if _irregular(array.accesses) else None
    return ArrayFootprint(name, sizes, array.reads > 0, array.writes > 0, scattered)


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


def _touched(
    nest: LoopNest,
    array: ArrayUse,
    depth: int,
    trips: Mapping[str, Value],
    values: Mapping[str, Value],
    line: float,
    notes: list[str],
) -> Value:
    """Bytes of whole lines touched by the loops inside `depth`. References that differ only by where they stand in
    the moving dimensions touch one common box; others touch boxes of their own."""
    boxes: dict[object, list[Access]] = defaultdict(list)
    for access in array.accesses:
        inner = {loop.variable for loop in nest.loops[depth : nest.blocks[access.block].depth]}
        boxes[tuple(_shape(one, inner) for one in access.subscripts), frozenset(inner)].append(access)
    lines: Value = 0.0
    for (_, inner), accesses in boxes.items():  # type: ignore[misc]
        lines = lines + _lines(array, accesses, {v: trips[v] for v in inner}, values, line, notes)
    return lines * line


def _shape(one: Subscript, inner: set[str]) -> object:
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
    reach: Value = 0.0
    for position, dim in enumerate(array.dims):
        extent, moves = _extent([access.subscripts[position] for access in accesses], trips, values)
        known = dim.stride is not None and dim.stride.symbols() <= set(values)
        pitch = _real(dim.stride.evaluate(values)) if known and dim.stride is not None else np.inf
        reach = reach + np.where(extent > 1, np.maximum(extent - 1, 1e-300) * pitch, 0.0)
        if position == len(array.dims) - 1:
            stride = array.dims[-1].stride
            step = _real(stride.evaluate(values)) if stride is not None else 1.0
            span = np.maximum(extent - 1, 0) * step * array.type.size / line + 1
            lines = lines * np.minimum(span, moves)
        else:
            lines = lines * np.minimum(extent, moves)
    between = reach * array.type.size / line + 1
    return _real(np.minimum(np.minimum(lines, between), everything))


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


def _extent(
    subscripts: Sequence[Subscript], trips: Mapping[str, Value], values: Mapping[str, Value]
) -> tuple[Value, Value]:
    """How far the subscripts reach together, and how many different values they take at most."""
    offsets = {one.offset for one in subscripts}
    first = subscripts[0].offset
    distances = [_real((offset - first).evaluate(values)) for offset in offsets]
    reach: Value = _extreme(np.maximum, distances) - _extreme(np.minimum, distances)
    different: Value = float(len(offsets))
    for name, coefficient in subscripts[0].coefficients:
        if name in trips:
            reach = reach + abs(_real(coefficient.evaluate(values))) * np.maximum(trips[name] - 1, 0)
            different = different * trips[name]
    return _real(reach + 1), different


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
