"""Inquiry functions: size, bounds and shape, kinds and the limits of numbers; folded to constants where possible."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING

from foretell.frontends.fortran.lower import arith
from foretell.frontends.fortran.lower.array_values import ArrayValue, Dim, Value, element_type
from foretell.frontends.fortran.lower.arrays import bounds_of, literal_array
from foretell.frontends.fortran.lower.calls import keyword, value_node
from foretell.frontends.fortran.lower.state import CannotLowerError, Lowering
from foretell.frontends.fortran.scope import kinds
from foretell.frontends.fortran.scope.declarations import text
from foretell.frontends.fortran.scope.types import integer_value
from foretell.frontends.source import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

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


def dimension_argument(low: Lowering, given: Mapping[str, Value], rank: int) -> int | None:
    """The DIM argument, counted from 0; None where it is absent."""
    value = given.get("dim")
    if value is None:
        return None
    number = None if isinstance(value, ArrayValue) else integer_value(low, value)
    if number is None or not 1 <= number <= rank:
        raise CannotLowerError("the DIM argument is not a constant within the rank")
    return number - 1


def _inquired(low: Lowering, arguments: Sequence[Node], *names: str) -> tuple[ArrayValue, int | None]:
    """The array that an inquiry function is about, and its DIM argument."""
    nodes = arguments_by_name(arguments, names)
    given = {name: low.value(node) for name, node in nodes.items()}
    array = given.get("array")
    if not isinstance(array, ArrayValue):
        raise CannotLowerError(
            f"{text(nodes['array'])[:30]!r} is not an array" if array else "an inquiry function without its array"
        )
    return array, dimension_argument(low, given, array.rank)


def _size(low: Lowering, arguments: Sequence[Node]) -> Value:
    array, dimension = _inquired(low, arguments, "array", "dim", "kind")
    return array.count if dimension is None else array.dims[dimension].size


def _bound(low: Lowering, arguments: Sequence[Node], *, upper: bool) -> Value:
    array, dimension = _inquired(low, arguments, "array", "dim", "kind")
    if isinstance(array.whole, ir.Name | ir.Member | ir.Deref):
        dims = bounds_of(array.whole)
    else:  # sections and expressions have lower bound 1, whatever the underlying array has
        dims = tuple(Dim(arith.ONE, dim.size, known=dim.known) for dim in array.dims)
    bounds = [dim.upper if upper else dim.lower for dim in dims]
    return literal_array(low, "bounds", ir.INT, bounds) if dimension is None else bounds[dimension]


def _shape(low: Lowering, arguments: Sequence[Node]) -> Value:
    array, _ = _inquired(low, arguments, "array", "kind")
    return literal_array(low, "bounds", ir.INT, [dim.size for dim in array.dims])


def _element(low: Lowering, arguments: Sequence[Node]) -> ir.Type:
    if len(arguments) != 1:
        raise CannotLowerError("an inquiry function takes one argument")
    return element_type(low.value(value_node(arguments[0])))


def _limits(name: str, low: Lowering, arguments: Sequence[Node]) -> Value:
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


#: name → the function that lowers an intrinsic with these arguments
Intrinsics = dict[str, "Callable[[Lowering, Sequence[Node]], Value]"]

INQUIRIES: Intrinsics = {
    "size": _size,
    "lbound": partial(_bound, upper=False),
    "ubound": partial(_bound, upper=True),
    "shape": _shape,
    **{name: partial(_limits, name) for name in ("huge", "tiny", "epsilon")},
    "kind": _kind,
    "selected_real_kind": _selected_real_kind,
    "selected_int_kind": _selected_int_kind,
    "storage_size": _storage_size,
}
