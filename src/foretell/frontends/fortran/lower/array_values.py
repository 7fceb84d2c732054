"""Array values: a shape and a function from indices to elements; loops are emitted only where all are needed."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from foretell.frontends.fortran.lower import arith
from foretell.frontends.source import ir
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Callable


class CannotLowerError(Exception):
    """The IR cannot represent this construct; the statement around it becomes `Opaque` with the message as reason."""


@record
class Dim:
    """One dimension of a value: the indices lower, lower + step, … up to upper."""

    lower: ir.Expr
    upper: ir.Expr
    step: ir.Expr = arith.ONE
    #: false where the extent is only known at run time, as size(array, dimension)
    known: bool = True

    @property
    def size(self) -> ir.Expr:
        span = arith.sub(self.upper, self.lower)
        if self.step == arith.ONE:
            return arith.add(span, arith.ONE)
        return arith.div(arith.add(span, self.step), self.step)


@record
class LoopIndex:
    """The index of an implied loop in one dimension: its variable, and the dimension it iterates over."""

    variable: ir.Expr
    lower: ir.Expr
    step: ir.Expr = arith.ONE

    def within(self, dim: Dim) -> ir.Expr:
        """The index in `dim` that corresponds to this one."""
        if self.step == dim.step:
            return arith.add(self.variable, arith.sub(dim.lower, self.lower))
        count = arith.div(arith.sub(self.variable, self.lower), self.step)
        return arith.add(dim.lower, arith.mul(count, dim.step))


Indices = tuple[LoopIndex, ...]


@record
class ArrayValue:
    """An array-valued expression. `at` gives the element at one index per dimension, in Fortran's order."""

    dims: tuple[Dim, ...]
    at: Callable[[Indices], ir.Expr]
    element: ir.Type
    #: the lvalue of a whole array or a section that starts at its beginning, for use as an argument
    whole: ir.Expr | None = None
    #: the first element, where the elements are contiguous
    first: ir.Expr | None = None
    #: an element costs a loop: store the whole value rather than recomputing elements
    costly: bool = False

    @property
    def rank(self) -> int:
        return len(self.dims)

    @property
    def count(self) -> ir.Expr:
        """The number of elements."""
        empty: ir.Expr = arith.ONE
        return reduce(arith.mul, (dim.size for dim in self.dims), empty)

    @property
    def kind(self) -> ir.Array:
        """The type of an array of this shape, with lower bounds 1."""
        return ir.Array(self.element, tuple(ir.Extent(dim.size, arith.ONE) for dim in reversed(self.dims)))


Value = ir.Expr | ArrayValue


def element_type(value: Value) -> ir.Type:
    """The type of a scalar, or of the elements of an array."""
    return value.element if isinstance(value, ArrayValue) else ir.type_of(value)


def element_at(value: Value, indices: Indices) -> ir.Expr:
    """An element of an array; a scalar is the same everywhere."""
    return value.at(indices) if isinstance(value, ArrayValue) else value


def elementwise(combine: Callable[..., ir.Expr], *operands: Value) -> Value:
    """Lifts a scalar operation to scalars and arrays: scalars are broadcast."""
    arrays = [operand for operand in operands if isinstance(operand, ArrayValue)]
    if not arrays:
        return combine(*operands)
    lead = next((array for array in arrays if all(dim.known for dim in array.dims)), arrays[0])
    if any(array.rank != lead.rank for array in arrays):
        raise CannotLowerError("arrays of different rank stand in one expression")
    samples = [ir.Name("", o.element) if isinstance(o, ArrayValue) else o for o in operands]

    def at(indices: Indices) -> ir.Expr:
        return combine(*(element_at(operand, indices) for operand in operands))

    costly = any(array.costly for array in arrays)
    return ArrayValue(lead.dims, at, ir.type_of(combine(*samples)), costly=costly)
