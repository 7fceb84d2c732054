"""Generates a C program that calls one function of a user's file repeatedly and records the times.

Calls are timed in chunks, as the probe times its loops: short compared with a time slice, so that a chunk ran either
uninterrupted or preempted. A call that is longer than a chunk is one chunk, and is marked when a thread was preempted.
Before and after each chunk every thread checks for SMT co-runners (`foretell_interference.h`), and in cases whose
arrays are in no cache also for memory traffic, by reading uncached data.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from foretell.core.nest.statements import Inner, Op, Ref, Var
from foretell.errors import InputError, UnsupportedError
from foretell.uses.measure.program_text import assembled

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from foretell.core.nest.functions import FunctionInfo
    from foretell.core.nest.loopnest import ArrayUse, LoopNest, Loops, Subscript
    from foretell.core.nest.statements import ElementType
    from foretell.core.symbolic.poly import Poly

#: values that a few additions or multiplications do not turn into 0 or infinity
_FLOAT = "0.7312"
#: value of an integer that no loop depends on: a weight, a threshold, a shift count
_WHOLE = 3
_HALF = 0.5
#: least number of elements of an array that no loop touches
_LEAST = 4096
_C_TYPES = {
    ("float", 4): "float",
    ("float", 8): "double",
    **{(kind, size): f"{kind}{8 * size}_t" for kind in ("int", "uint") for size in (1, 2, 4, 8)},
}

_BYTES = {c_type: size for (_, size), c_type in _C_TYPES.items()}


@dataclass(frozen=True, slots=True)
class Number:
    """A scalar argument."""

    name: str
    c_type: str
    value: str


@dataclass(frozen=True, slots=True)
class Array:
    """An array argument of this many elements; an index array holds numbers from `first` to below `below`."""

    name: str
    c_type: str
    elements: int
    first: int = 0
    below: int = 0

    @property
    def bytes(self) -> int:
        """Its size in memory."""
        return self.elements * _BYTES[self.c_type]


Argument = Number | Array


def bytes_of(given: Sequence[Argument]) -> int:
    """The total size of all arrays in memory."""
    return sum(item.bytes for item in given if isinstance(item, Array))


def arguments(loops: Loops, function: FunctionInfo, values: Mapping[str, float]) -> tuple[Argument, ...]:
    """Chooses the arguments of the function: sizes from `values`, arrays as large as its loops reach."""
    nests = [nest for nest in loops.nests if nest.function == function.name and nest.status != "refused"]
    if not nests:
        raise UnsupportedError(f"{function.name}: has no loop nest that is understood", line=function.line)
    types = {name: kind for nest in nests for name, kind in _scalars(nest)}
    sizes = {name for nest in nests for name in (*nest.parameters, *nest.address_parameters)}
    outside, whole = dict(function.arrays), {name: int(value) for name, value in values.items()}
    chosen: list[Argument] = []
    for name in function.parameters:
        uses = [(nest, array) for nest in nests for array in nest.arrays if name in _names(array)]
        if uses:
            chosen.append(_array(name, uses, nests, whole))
        elif name in outside:
            chosen.append(Array(name, _c_type(name, outside[name]), _LEAST))
        else:
            chosen.append(_number(name, types.get(name), values, is_size=name in sizes))
    # The extent of an array that is touched outside loops only is unknown: assume that of the others.
    most = max((item.elements for item in chosen if isinstance(item, Array)), default=_LEAST)
    used = {array.name for nest in nests for array in nest.arrays}
    return tuple(
        item if isinstance(item, Number) or item.name in used else replace(item, elements=most) for item in chosen
    )


def _number(name: str, kind: ElementType | None, values: Mapping[str, float], *, is_size: bool) -> Number:
    if is_size or (kind is not None and kind.kind in ("int", "uint")):
        if is_size and name not in values:
            hint = f"give each with -D, e.g. -D {name}=512"
            raise InputError(f"parameters without a value: {name}", hint=hint)
        return Number(name, "int64_t", str(int(values.get(name, _WHOLE))))
    c_type = "float" if kind is not None and kind.size == 4 else "double"
    return Number(name, c_type, repr(float(values.get(name, _HALF))))


def _c_type(name: str, kind: ElementType, plain: bool = True) -> str:
    c_type = _C_TYPES.get((kind.kind, kind.size)) if plain else None
    if c_type is None:
        raise UnsupportedError(
            f"array {name!r}: elements of type {kind.name} cannot be filled with numbers",
            hint="measure a function that takes arrays of numbers, and calls this one",
        )
    return c_type


def _names(array: ArrayUse) -> tuple[str, ...]:
    """Names of an array, and of the records that contain it."""
    return (array.name,) if array.member is None else (array.name, array.member.records)


def _plain(nest: LoopNest, array: ArrayUse) -> bool:
    """Whether an array holds numbers, and not records or, in C, pointers to rows."""
    by_pointers = nest.language == "c" and any(dim.stride is None for dim in array.dims)
    return not (array.component or array.member or by_pointers)


def _array(name: str, uses: list[tuple[LoopNest, ArrayUse]], nests: list[LoopNest], values: Mapping[str, int]) -> Array:
    kind = uses[0][1].type
    c_type = _c_type(name, kind, plain=all(_plain(nest, array) for nest, array in uses))
    elements = max(reach(nest, array, values) for nest, array in uses)
    targets = [
        (array, position)
        for nest in nests
        for array in nest.arrays
        for access in array.accesses
        for position, subscript in enumerate(access.subscripts)
        if subscript.index == name
    ]
    if not targets:
        return Array(name, c_type, elements)
    array, position = targets[0]
    dim = array.dims[position]
    first = int(dim.lower.evaluate(values))
    return Array(name, c_type, elements, first, first + _extent(array, position, values))


def reach(nest: LoopNest, array: ArrayUse, values: Mapping[str, int]) -> int:
    """Elements from the start of an array to the last one that the nest touches."""
    ranges = _ranges(nest, values)
    last = 0
    for access in array.accesses:
        position = 0
        for depth, (subscript, dim) in enumerate(zip(access.subscripts, array.dims, strict=True)):
            stride = int(dim.stride.evaluate(values)) if dim.stride is not None else 1
            low, high = _subscript(array, depth, subscript, ranges, values)
            lower = int(dim.lower.evaluate(values))
            if low < lower:
                raise UnsupportedError(f"{array.name!r} is touched before its first element", line=access.line)
            position += (high - lower) * stride
        last = max(last, position)
    return last + 1


def _subscript(
    array: ArrayUse, depth: int, subscript: Subscript, ranges: Mapping[str, tuple[int, int]], values: Mapping[str, int]
) -> tuple[int, int]:
    """The smallest and the largest value of a subscript."""
    if subscript.index or subscript.opaque:
        lower = int(array.dims[depth].lower.evaluate(values))
        return lower, lower + _extent(array, depth, values) - 1
    low = high = int(subscript.offset.evaluate(values))
    for name, coefficient in subscript.coefficients:
        ends = [int(coefficient.evaluate(values)) * end for end in ranges[name]]
        low, high = low + min(ends), high + max(ends)
    return low, high


def _extent(array: ArrayUse, depth: int, values: Mapping[str, int]) -> int:
    extent = array.dims[depth].extent
    if extent is None:
        raise UnsupportedError(
            f"array {array.name!r}: how far its irregular accesses reach is not known",
            hint=f"declare its size: {array.name}[n]",
        )
    return int(extent.evaluate(values))


def _ranges(nest: LoopNest, values: Mapping[str, int]) -> dict[str, tuple[int, int]]:
    """Computes the smallest and largest value of every loop variable, with bounds that depend on outer ones at their
    extremes. A loop that is empty there has no smaller values than its start."""
    ranges: dict[str, tuple[int, int]] = {}
    for loop in nest.loops:
        first, last = (list(_corners(bound, ranges, values)) for bound in (loop.lower, loop.upper))
        if loop.step.evaluate({**values, **{name: low for name, (low, _) in ranges.items()}}) > 0:
            ranges[loop.variable] = (min(first), max(*first, *last))
        else:
            ranges[loop.variable] = (min(*first, *last), max(first))
    return ranges


def _corners(poly: Poly, ranges: Mapping[str, tuple[int, int]], values: Mapping[str, int]) -> Iterator[int]:
    for side in (0, 1):
        yield int(poly.evaluate({**values, **{name: ends[side] for name, ends in ranges.items()}}))


def _scalars(nest: LoopNest) -> Iterator[tuple[str, ElementType]]:
    """Yields every scalar that a statement of the nest reads, with its type."""
    pending: list[object] = [statement for level in nest.levels for statement in level]
    while pending:
        item = pending.pop()
        if isinstance(item, Var):
            yield item.name, item.type
        elif isinstance(item, Op):
            pending += item.args
        elif not isinstance(item, Ref | Inner):
            pending += [getattr(item, name) for name in ("value", "condition") if hasattr(item, name)]
            for name in ("then", "other", "args"):
                pending += getattr(item, name, ())


def program(source: str, function: str, language: str, given: Sequence[Argument]) -> str:
    """Generates a program for arguments of these names and types; their sizes are given by `command_line`.

    It writes one line per chunk: elapsed and processor seconds of one call, whether a thread was preempted, and
    nanoseconds of the chain, of the wide spin and of reading memory (0: not read) of the interference check before and
    of the one after; of several threads the longest. A second file has checks of one thread, before others start.
    """
    declare = f'#include "{source}"' if language == "c" else f"void {function}_();"
    data = [
        f"static {f'volatile {item.c_type} ' if isinstance(item, Number) else f'{item.c_type} *'}"
        f"foretell_arg_{item.name};"
        for item in given
    ]
    return assembled(declare, data, _call(function, language, given), list(_fills(given)))


def command_line(given: Sequence[Argument]) -> list[str]:
    """The numbers that the program takes: a value, or elements, first and range of an array."""
    words = []
    for item in given:
        if isinstance(item, Number):
            words.append(item.value)
        else:
            words += [str(item.elements), str(item.first), str(item.below - item.first if item.below else 0)]
    return words


def _call(function: str, language: str, given: Sequence[Argument]) -> str:
    """Calls a C function through a volatile pointer: the compiler cannot propagate the call's constants into it."""
    number, array = ("", "(void *)") if language == "c" else ("(void *)&", "")
    names = ", ".join(f"{number if isinstance(item, Number) else array}foretell_arg_{item.name}" for item in given)
    if language == "c":
        return f"__typeof__(&{function}) volatile target = {function}; (void)target({names})"
    return f"{function}_({names})"


def _fills(given: Sequence[Argument]) -> Iterator[str]:
    for number, item in enumerate(given):
        name = f"foretell_arg_{item.name}"
        if isinstance(item, Number):
            convert = "atoll" if "int" in item.c_type else "atof"
            yield f"  {name} = {convert}(*given++);"
            continue
        yield "  {"
        yield "    const size_t count = (size_t)atoll(*given++);"
        yield "    const int64_t first = atoll(*given++), range = atoll(*given++);"
        yield f"    {name} = foretell_get(count * sizeof *{name}, {number});"
        if "int" in item.c_type:
            yield "    for (size_t k = 0; k < count; k++)"
            yield f"      {name}[k] = range ? first + (int64_t)(foretell_next() % (uint64_t)range) : (int64_t)(k & 15);"
        else:
            yield "    FORETELL_PARALLEL_FOR"
            yield f"    for (size_t k = 0; k < count; k++) {name}[k] = {_FLOAT};"
        yield "  }"
