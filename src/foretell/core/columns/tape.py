"""Lazy columns: arithmetic is recorded and evaluated at once, when the values are requested.

    n, m = columns([np.arange(1.0, 1e6), np.arange(1.0, 1e6)])
    time = np.maximum(3 * n * m, n + m) / 2e9       # nothing is computed yet
    np.asarray(time)                                # now, a few hundred points at a time

A closed form is some hundred numpy operations, each of which reads and writes whole columns; recorded first, all
intermediate results stay in the innermost caches, and common subexpressions are computed once. A `Column` replaces an
array of numbers: operations that it does not support are done by numpy on its values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from foretell import _core

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from foretell.core.columns.expression import Value

    Floats = NDArray[np.float64]

#: number of points below which recording costs more than it saves
_FEW = 4096
_NUMBERS = {name: number for number, name in enumerate(_core.tape_operations())}
_UFUNCS = {getattr(np, name): number for name, number in _NUMBERS.items() if hasattr(np, name)}
#: operations for which numpy treats two booleans differently from two numbers
_OF_NUMBERS = {
    *map(_NUMBERS.__getitem__, ("add", "subtract", "multiply", "minimum", "maximum", "negative", "select")),
    *map(_NUMBERS.__getitem__, ("floor_divide", "remainder")),
}
#: bitwise operations that are logical on booleans
_OF_TRUTHS = {np.bitwise_and: np.logical_and, np.bitwise_or: np.logical_or, np.invert: np.logical_not}


class _Tape:
    """The recorded operations, and the arrays they use."""

    __slots__ = ("_arrays", "_core", "_of", "points")

    def __init__(self, points: int) -> None:
        self.points = points
        self._core = _core.Tape(points)
        self._arrays: dict[int, Floats] = {}
        self._of: dict[int, int] = {}

    def node(self, value: object) -> int | None:
        """Returns the tape node of a number, a column or an array; None for anything else."""
        if type(value) is Column:
            return value.node if value.tape is self else self._array(value.values())
        if isinstance(value, float | int):
            return self._core.constant(float(value))
        if not isinstance(value, np.ndarray | np.generic) or value.dtype.kind not in "fiub":
            return None
        if value.size == 1:
            return self._core.constant(float(value.item()))
        return self._array(np.asarray(value)) if value.shape == (self.points,) else None

    def _array(self, values: NDArray[Any]) -> int:
        if id(values) in self._of and self._arrays[self._of[id(values)]] is values:
            return self._of[id(values)]
        whole = np.ascontiguousarray(values, dtype=np.float64)
        node = self._core.column(whole)
        if values.dtype.kind == "b":
            node = self._core.apply(_NUMBERS["not_equal"], node, self._core.constant(0.0))
        self._arrays[node] = whole
        if whole is values:
            self._of[id(values)] = node
        return node

    def column(self, values: NDArray[Any]) -> Column:
        return Column(self, self._array(values))

    def applied(self, operation: int, *operands: object) -> Column | None:
        """Records the operation; None where numpy has to do it."""
        nodes = [self.node(operand) for operand in operands]
        if None in nodes:
            return None
        known = cast("list[int]", nodes)
        if operation in _OF_NUMBERS and all(map(self._core.is_truth, known[-2:])):
            return None
        return Column(self, self._core.apply(operation, *known))

    def looked_up(self, table: tuple[float, float, Floats, Floats], at: Column) -> Column:
        return Column(self, self._core.apply(_NUMBERS["look_up"], at.node, self._core.table(*table)))

    def is_truth(self, node: int) -> bool:
        return self._core.is_truth(node)

    def values(self, node: int) -> Floats:
        if node not in self._arrays:
            out = np.empty(self.points)
            self._core.fill(node, out)
            self._arrays[node] = out
        return self._arrays[node]


class Column(np.lib.mixins.NDArrayOperatorsMixin):
    """One number per point, recorded on a tape."""

    __slots__ = ("node", "tape")
    ndim = 1

    def __init__(self, tape: _Tape, node: int) -> None:
        self.tape, self.node = tape, node

    @property
    def shape(self) -> tuple[int]:
        return (self.tape.points,)

    @property
    def size(self) -> int:
        return self.tape.points

    @property
    def dtype(self) -> np.dtype[Any]:
        return np.dtype(np.bool_ if self.tape.is_truth(self.node) else np.float64)

    def values(self) -> NDArray[Any]:
        """Returns the numbers, evaluated on first use."""
        values = self.tape.values(self.node)
        return values != 0 if self.tape.is_truth(self.node) else values

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.values(), dtype=dtype, copy=copy)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        if (out := options.get("out")) and out[0] is self:
            del options["out"]  # `a += b` makes a new column
        number = _UFUNCS.get(ufunc) if method == "__call__" and not options else None
        if ufunc in _OF_TRUTHS and number is None and all(map(_is_truth, inputs)):
            number = _UFUNCS[_OF_TRUTHS[ufunc]]
        recorded = None if number is None else self.tape.applied(number, *inputs)
        if recorded is not None:
            return recorded
        return getattr(ufunc, method)(*map(plain, inputs), **{k: plain(v) for k, v in options.items()})

    def __array_function__(
        self, function: Any, types: Sequence[type], args: Sequence[Any], options: Mapping[str, Any]
    ) -> Any:
        own = _FUNCTIONS.get(function)
        if own is not None and not options:
            return own(*args)
        return function(*map(plain, args), **{name: plain(value) for name, value in options.items()})

    def astype(self, kind: Any, **options: Any) -> Any:
        """Converts the type: booleans are already numbers, any other conversion is numpy's."""
        if self.tape.is_truth(self.node) and np.dtype(kind).kind in "fiu":
            return self.tape.applied(_NUMBERS["number"], self)
        return self.values().astype(kind, **options)

    def __len__(self) -> int:
        return self.tape.points

    def __getitem__(self, key: Any) -> Any:
        return self.values()[plain(key)]

    def __bool__(self) -> bool:
        return bool(self.values())

    def __pow__(self, exponent: Any) -> Any:
        return self.values() ** plain(exponent)


def _is_truth(value: Any) -> bool:
    return isinstance(value, bool) or getattr(value, "dtype", None) == np.bool_


def plain(value: Any) -> Any:
    """Evaluates a column, also those in a list; returns anything else unchanged."""
    if type(value) is Column:
        return value.values()
    return type(value)(map(plain, value)) if type(value) in (list, tuple) else value


def columns(arrays: Mapping[str, NDArray[np.float64]]) -> dict[str, Any]:
    """Makes lazy columns on one tape from arrays of very many points; returns them unchanged if there are fewer points
    or several dimensions."""
    lengths = {array.shape for array in arrays.values() if array.size > 1}
    if len(lengths) != 1 or len(shape := lengths.pop()) != 1 or shape[0] < _FEW:
        return dict(arrays)
    tape = _Tape(shape[0])
    return {name: tape.column(array) if array.size > 1 else float(array.item()) for name, array in arrays.items()}


def is_column(value: object) -> bool:
    return type(value) is Column


def real(value: Any) -> Value:
    """Converts fractions and integers to floats, arrays to float arrays."""
    if type(value) is float:  # most are
        return value
    if type(value) is Column:
        return cast("Value", value.astype(np.float64) if value.tape.is_truth(value.node) else value)
    return np.asarray(value, dtype=np.float64) if np.ndim(value) else float(value)


def blended(share: Any, left: Any, right: Any) -> Value | None:
    """Computes the weighted mean of two values, where one of the three operands is a column."""
    return cast("Value | None", _applied("blend", share, left, right))


def looked_up(at: Value, start: float, per_step: float, heights: Floats, rises: Floats) -> Value:
    """Interpolates a table linearly at the values of a column."""
    column = cast("Column", at)
    return cast("Value", column.tape.looked_up((start, per_step, heights, rises), column))


def _applied(operation: str, *operands: Any) -> Column | None:
    """Records an operation of which some operand is a column; None where none is, or numpy has to do it."""
    first = next((value for value in operands if type(value) is Column), None)
    return None if first is None else first.tape.applied(_NUMBERS[operation], *operands)


def _where(*operands: Any) -> Any:
    recorded = _applied("select", *operands) if len(operands) == 3 else None
    return np.where(*map(plain, operands)) if recorded is None else recorded


_FUNCTIONS: dict[Any, Callable[..., Any]] = {
    np.where: _where,
    np.clip: lambda value, least, most: np.minimum(np.maximum(value, least), most),
    np.ndim: lambda value: value.ndim,
    np.shape: lambda value: value.shape,
    np.size: lambda value: value.size,
}
