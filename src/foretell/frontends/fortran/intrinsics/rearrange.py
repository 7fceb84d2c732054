"""reshape and pack: the same elements in another order or shape."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.frontends.fortran.lower import arith
from foretell.frontends.fortran.lower.array_values import ArrayValue, Dim, Place, Places
from foretell.frontends.fortran.lower.arrays import literal_items, loop_nest, whole_array
from foretell.frontends.fortran.lower.calls import keyword, value_node
from foretell.frontends.fortran.lower.state import CannotLowerError, Lowering
from foretell.frontends.source import ir

if TYPE_CHECKING:
    from collections.abc import Sequence

    from foretell.frontends.fortran.text.parse import Node


def new_shape(low: Lowering, arguments: Sequence[Node]) -> tuple[Dim, ...]:
    """The dimensions that RESHAPE requests."""
    named = {keyword(argument) or str(number): value_node(argument) for number, argument in enumerate(arguments)}
    if not named.keys() <= {"0", "1", "source", "shape"}:
        raise CannotLowerError("reshape with ORDER or PAD is not supported")
    node = named.get("shape", named.get("1"))
    sizes = literal_items(low, node) if node is not None else None
    if not sizes:
        raise CannotLowerError("reshape to a shape that is not written out is not supported")
    return tuple(Dim(arith.ONE, size) for size in sizes)


def reshaped(source: ArrayValue, dims: tuple[Dim, ...]) -> ArrayValue:
    """The elements of a value in array element order, in other dimensions."""

    def at(places: Places) -> ir.Expr:
        position: ir.Expr = arith.ZERO
        for place, dim in zip(reversed(places), reversed(dims), strict=True):
            inside = arith.sub(place.within(dim), dim.lower)
            position = arith.add(arith.mul(position, _size(dim)), inside)
        return source.at(_unravelled(position, source.dims))

    return ArrayValue(dims, at, source.element)


def _unravelled(position: ir.Expr, dims: tuple[Dim, ...]) -> Places:
    """The subscripts of the element at a linear position."""
    places: list[Place] = []
    for dim in dims[:-1]:
        places.append(Place(ir.Binary("%", position, _size(dim)), arith.ZERO))
        position = arith.div(position, _size(dim))
    return (*places, Place(position, arith.ZERO))


def _size(dim: Dim) -> ir.Expr:
    if dim.size is None:
        raise CannotLowerError("an array whose size is not known is used as a whole")
    return dim.size


def packed(low: Lowering, array: ArrayValue, mask: ArrayValue | ir.Expr) -> ArrayValue:
    """The elements selected by a mask, in a temporary: a loop that copies and counts."""
    total: ir.Expr = arith.ONE
    for dim in array.dims:
        total = arith.mul(total, _size(dim))
    kept = low.fresh("packed", ir.Array(array.element, (ir.Extent(total, arith.ONE),)))
    count = low.fresh("count", ir.INT)
    low.emit(ir.Declare(kept.id, None, low.line))
    low.emit(ir.Assign(count, arith.ZERO, low.line))

    def body(places: Places) -> None:
        step = ir.Assign(count, ir.Binary("+", count, arith.ONE), low.line, compound=True)
        copy = ir.Assign(ir.Index(kept, (count,)), array.at(places), low.line)
        low.emit(ir.If(mask.at(places) if isinstance(mask, ArrayValue) else mask, (step, copy), (), low.line))

    loop_nest(low, array.dims, body)
    return ArrayValue((Dim(arith.ONE, count, known=False),), whole_array(kept).at, array.element)
