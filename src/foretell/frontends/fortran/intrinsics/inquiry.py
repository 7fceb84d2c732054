"""Inquiry functions: size, bounds and shape, kinds and the limits of numbers; folded to constants where possible."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from foretell.frontends.fortran.lower import arith
from foretell.frontends.fortran.lower.array_values import ArrayValue, Dim, Value
from foretell.frontends.fortran.lower.arrays import bounds_of, whole_array
from foretell.frontends.fortran.lower.calls import keyword, value_node
from foretell.frontends.fortran.lower.state import CannotLowerError, Lowering
from foretell.frontends.fortran.scope import kinds
from foretell.frontends.fortran.scope.declarations import text
from foretell.frontends.fortran.scope.types import integer_value
from foretell.frontends.source import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from foretell.frontends.fortran.text.parse import Node


def arguments_by_name(arguments: Sequence[Node], names: Sequence[str]) -> dict[str, Node]:
    """Positional and keyword arguments by the names of the intrinsic's dummies."""
    out: dict[str, Node] = {}
    for number, argument in enumerate(arguments):
        name = keyword(argument) or (names[number] if number < len(names) else "")
        if not name:
            raise CannotLowerError("an intrinsic has too many arguments")
        out[name] = value_node(argument)
    return out


def _array(low: Lowering, given: dict[str, Node]) -> ArrayValue:
    if "array" not in given:
        raise CannotLowerError("an inquiry function without its array")
    value = low.value(given["array"])
    if not isinstance(value, ArrayValue):
        raise CannotLowerError(f"{text(given['array'])[:30]!r} is not an array")
    return value


def _dimension(low: Lowering, given: dict[str, Node], rank: int) -> int | None:
    if "dim" not in given:
        return None
    number = integer_value(low, low.scalar(given["dim"]))
    if number is None or not 1 <= number <= rank:
        raise CannotLowerError("the DIM argument is not a constant within the rank")
    return number - 1


def _size(low: Lowering, arguments: Sequence[Node]) -> Value:
    given = arguments_by_name(arguments, ("array", "dim", "kind"))
    array = _array(low, given)
    dimension = _dimension(low, given, array.rank)
    dims = array.dims if dimension is None else (array.dims[dimension],)
    total: ir.Expr = arith.ONE
    for dim in dims:
        if dim.size is None:
            raise CannotLowerError("the size of this array is not known")
        total = arith.mul(total, dim.size)
    return total


def _bound(low: Lowering, arguments: Sequence[Node], *, upper: bool) -> Value:
    given = arguments_by_name(arguments, ("array", "dim", "kind"))
    array = _array(low, given)
    dimension = _dimension(low, given, array.rank)
    own = array.whole is not None and isinstance(array.whole, ir.Name | ir.Member | ir.Deref)
    if own and array.whole is not None:
        dims = bounds_of(array.whole)
    else:  # sections and expressions have lower bound 1, whatever the underlying array has
        dims = tuple(Dim(arith.ONE, dim.size, known=dim.known) for dim in array.dims)
    bounds = [dim.upper if upper else dim.lower for dim in dims]
    return _vector(low, bounds) if dimension is None else _known(bounds[dimension])


def _known(expr: ir.Expr | None) -> ir.Expr:
    if expr is None:
        raise CannotLowerError("the extents of this array are not known")
    return expr


def _vector(low: Lowering, values: Sequence[ir.Expr | None]) -> ArrayValue:
    """Bounds or extents of all dimensions, as a small array."""
    temporary = low.fresh("bounds", ir.Array(ir.INT, (ir.Extent(arith.integer(len(values)), arith.ONE),)))
    low.emit(ir.Declare(temporary.id, None, low.line))
    for number, value in enumerate(values, 1):
        low.emit(ir.Assign(ir.Index(temporary, (arith.integer(number),)), _known(value), low.line))
    return whole_array(temporary)


def _shape(low: Lowering, arguments: Sequence[Node]) -> Value:
    array = _array(low, arguments_by_name(arguments, ("array", "kind")))
    return _vector(low, [dim.size for dim in array.dims])


def _element(low: Lowering, arguments: Sequence[Node]) -> ir.Type:
    if len(arguments) != 1:
        raise CannotLowerError("an inquiry function takes one argument")
    value = low.value(value_node(arguments[0]))
    return value.element if isinstance(value, ArrayValue) else ir.type_of(value)


def _limits(low: Lowering, arguments: Sequence[Node], name: str) -> Value:
    kind = _element(low, arguments)
    if not isinstance(kind, ir.Scalar):
        raise CannotLowerError(f"{name} of something that is not a number")
    return ir.Const(limit(kind, name), kind)


def limit(kind: ir.Scalar, name: str) -> float | int:
    """huge, tiny or epsilon of a numeric type; of an integer type always the largest number."""
    if kind.kind == "int":
        return int(2 ** (8 * kind.size - 1) - 1)
    single = {"huge": 3.4028234663852886e38, "tiny": 1.1754943508222875e-38, "epsilon": 2.0**-23}
    double = {"huge": sys.float_info.max, "tiny": sys.float_info.min, "epsilon": sys.float_info.epsilon}
    return (single if kind.size <= 4 else double)[name]


def _kind(low: Lowering, arguments: Sequence[Node]) -> Value:
    kind = _element(low, arguments)
    if not isinstance(kind, ir.Scalar):
        return arith.ONE
    return arith.integer(kind.size // 2 if kind.kind == "complex" else kind.size)


def _numbers(low: Lowering, arguments: Sequence[Node], names: Sequence[str]) -> dict[str, int]:
    out: dict[str, int] = {}
    for name, node in arguments_by_name(arguments, names).items():
        value = integer_value(low, low.scalar(node))
        if value is None:
            raise CannotLowerError("a kind is asked for with something that is not constant")
        out[name] = value
    return out


def _selected_real_kind(low: Lowering, arguments: Sequence[Node]) -> Value:
    given = _numbers(low, arguments, ("p", "r", "radix"))
    return arith.integer(kinds.selected_real_kind(given.get("p", 0), given.get("r", 0)))


def _selected_int_kind(low: Lowering, arguments: Sequence[Node]) -> Value:
    return arith.integer(kinds.selected_int_kind(_numbers(low, arguments, ("r",)).get("r", 9)))


def _storage_size(low: Lowering, arguments: Sequence[Node]) -> Value:
    kind = _element(low, arguments[:1])
    return arith.integer(8 * kind.size if isinstance(kind, ir.Scalar) else 8)


INQUIRIES: dict[str, Callable[[Lowering, Sequence[Node]], Value]] = {
    "size": _size,
    "lbound": lambda low, arguments: _bound(low, arguments, upper=False),
    "ubound": lambda low, arguments: _bound(low, arguments, upper=True),
    "shape": _shape,
    "huge": lambda low, arguments: _limits(low, arguments, "huge"),
    "tiny": lambda low, arguments: _limits(low, arguments, "tiny"),
    "epsilon": lambda low, arguments: _limits(low, arguments, "epsilon"),
    "kind": _kind,
    "selected_real_kind": _selected_real_kind,
    "selected_int_kind": _selected_int_kind,
    "storage_size": _storage_size,
}
