"""Array intrinsics: reductions as accumulation loops, matrix products, shifts and rearrangements."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from foretell.frontends.fortran.intrinsics.inquiry import Intrinsics, arguments_by_name, dimension_argument, limit
from foretell.frontends.fortran.lower import arith
from foretell.frontends.fortran.lower.array_values import (
    ArrayValue,
    Dim,
    Indices,
    LoopIndex,
    Value,
    element_at,
    element_type,
    elementwise,
)
from foretell.frontends.fortran.lower.arrays import literal_items, loop_nest, materialize, vector_type, whole_array
from foretell.frontends.fortran.lower.calls import keyword, value_node
from foretell.frontends.fortran.lower.state import CannotLowerError, Lowering
from foretell.frontends.fortran.scope import kinds
from foretell.frontends.source import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from foretell.frontends.fortran.text.parse import Node

    Combine = Callable[[ir.Expr, ir.Expr], ir.Expr]


def _arguments(low: Lowering, arguments: Sequence[Node], *names: str) -> dict[str, Value]:
    return {name: low.value(node) for name, node in arguments_by_name(arguments, names).items()}


def _array(low: Lowering, given: Mapping[str, Value], name: str) -> ArrayValue:
    value = given.get(name)
    if not isinstance(value, ArrayValue):
        raise CannotLowerError(f"the {name.upper()} argument of an array intrinsic is not an array")
    return materialize(low, value) if value.costly else value


# ------------------------------------------------------------------------------------------- reductions


def _start(name: str, element: ir.Type) -> ir.Const:
    kind = element if isinstance(element, ir.Scalar) else ir.DOUBLE
    number: float | int | bool = {"product": 1, "all": True, "any": False}.get(name, 0)
    if name in ("maxval", "minval"):
        number = limit(kind, "huge") * (-1 if name == "maxval" else 1)
    if kind.kind == "float":
        number = float(number)
    return ir.Const(number, kind)


def _combine(name: str, kind: ir.Type) -> Combine:
    if name in ("maxval", "minval"):
        return lambda total, item: ir.Call(name[:3], (total, item), kind)
    op: ir.BinaryOp = {"sum": "+", "product": "*", "any": "||", "all": "&&", "count": "+"}[name]  # type: ignore[assignment]
    return lambda total, item: ir.Binary(op, total, item)


def _reduced(low: Lowering, name: str, array: ArrayValue, mask: Value | None = None) -> ir.Expr:
    """Emits the accumulation loops; returns the variable that holds the result."""
    element: ir.Type = ir.INT if name == "count" else kinds.LOGICAL if name in ("any", "all") else array.element
    total = low.fresh(name, element)
    low.emit(ir.Assign(total, _start(name, element), low.line))
    combine = _combine(name, element)

    def body(indices: Indices) -> None:
        item, chosen = array.at(indices), None if mask is None else element_at(mask, indices)
        if name == "count":
            item, chosen = arith.ONE, item
        step = ir.Assign(total, combine(total, item), low.line, compound=True)
        low.emit(step if chosen is None else ir.If(chosen, (step,), (), low.line))

    loop_nest(low, array.dims, body)
    return total


def _reduction(name: str, low: Lowering, arguments: Sequence[Node]) -> Value:
    names = ("mask", "dim") if name in ("count", "any", "all") else ("array", "dim", "mask")
    given = _arguments(low, arguments, *names)
    if names[0] == "array" and "dim" in given and _is_logical(given["dim"]):
        given["mask"] = given.pop("dim")  # sum(a, a > 0)
    array = _array(low, given, names[0])
    mask = given.get("mask") if names[0] == "array" else None
    dimension = dimension_argument(low, given, array.rank)
    if dimension is None or array.rank == 1:
        return _reduced(low, name, array, mask)
    return _along(low, name, array, mask, dimension)


def _is_logical(value: Value) -> bool:
    kind = element_type(value)
    return isinstance(kind, ir.Scalar) and kind.kind == "bool"


def _along(low: Lowering, name: str, array: ArrayValue, mask: Value | None, dimension: int) -> ArrayValue:
    """A reduction along one dimension: one loop for every element of the result."""
    kept = array.dims[:dimension] + array.dims[dimension + 1 :]

    def at(indices: Indices) -> ir.Expr:
        def line(value: ArrayValue) -> ArrayValue:
            """The elements along the reduced dimension."""
            return ArrayValue(
                (array.dims[dimension],),
                lambda inner: value.at((*indices[:dimension], *inner, *indices[dimension:])),
                value.element,
            )

        return _reduced(low, name, line(array), line(mask) if isinstance(mask, ArrayValue) else mask)

    element: ir.Type = ir.INT if name == "count" else array.element
    return ArrayValue(kept, at, element, costly=True)


def _dot_product(low: Lowering, arguments: Sequence[Node]) -> Value:
    given = _arguments(low, arguments, "vector_a", "vector_b")
    left, right = _array(low, given, "vector_a"), _array(low, given, "vector_b")
    if isinstance(left.element, ir.Scalar) and left.element.kind == "complex":
        conjugated = elementwise(lambda a: ir.Call("conj", (a,), ir.type_of(a)), left)
        left = conjugated if isinstance(conjugated, ArrayValue) else left
    product = elementwise(lambda a, b: ir.Binary("*", a, b), left, right)
    if not isinstance(product, ArrayValue):
        raise CannotLowerError("dot_product of something that is not an array")
    return _reduced(low, "sum", product)


def _norm2(low: Lowering, arguments: Sequence[Node]) -> Value:
    array = _array(low, _arguments(low, arguments, "array"), "array")
    square = ArrayValue(array.dims, lambda p: ir.Binary("*", array.at(p), array.at(p)), array.element)
    return ir.Call("sqrt", (_reduced(low, "sum", square),), array.element)


def _matmul(low: Lowering, arguments: Sequence[Node]) -> Value:
    given = _arguments(low, arguments, "matrix_a", "matrix_b")
    left, right = _array(low, given, "matrix_a"), _array(low, given, "matrix_b")
    if left.rank + right.rank not in (3, 4) or max(left.rank, right.rank) > 2:
        raise CannotLowerError("matmul needs a matrix and a matrix or vector")
    inner = left.dims[-1] if left.dims[-1].known else right.dims[0]
    dims = (*left.dims[:-1], *right.dims[1:])
    element = ir.type_of(ir.Binary("*", ir.Name("", left.element), ir.Name("", right.element)))

    def at(indices: Indices) -> ir.Expr:
        rows, columns = indices[: left.rank - 1], indices[left.rank - 1 :]
        product = ArrayValue(
            (inner,), lambda k: ir.Binary("*", left.at((*rows, k[0])), right.at((k[0], *columns))), element
        )
        return _reduced(low, "sum", product)

    return ArrayValue(dims, at, element, costly=True)


# --------------------------------------------------------------------------------------- rearrangements


def _transpose(low: Lowering, arguments: Sequence[Node]) -> Value:
    array = _array(low, _arguments(low, arguments, "matrix"), "matrix")
    if array.rank != 2:
        raise CannotLowerError("transpose needs a matrix")
    return ArrayValue((array.dims[1], array.dims[0]), lambda p: array.at((p[1], p[0])), array.element)


def _shift(name: str, low: Lowering, arguments: Sequence[Node]) -> Value:
    names = ("array", "shift", "dim") if name == "cshift" else ("array", "shift", "boundary", "dim")
    given = _arguments(low, arguments, *names)
    array = _array(low, given, "array")
    shift = given.get("shift")
    if shift is None or isinstance(shift, ArrayValue):
        raise CannotLowerError(f"{name} with a shift that is not a scalar is not supported")
    dimension = dimension_argument(low, given, array.rank) or 0
    if name == "cshift":
        low.say("cshift is modelled as a shifted access; the elements that wrap around the edge are not", note=True)
    own = array.dims[dimension]
    moved = Dim(arith.add(own.lower, shift), arith.add(own.upper, shift), own.step)
    boundary = given.get("boundary", _start("sum", array.element))

    def at(indices: Indices) -> ir.Expr:
        inside = LoopIndex(indices[dimension].within(moved), own.lower, own.step)
        element = array.at((*indices[:dimension], inside, *indices[dimension + 1 :]))
        if name == "cshift" or isinstance(boundary, ArrayValue):
            return element
        return ir.Select(_within(inside.variable, own, arith.constant(shift)), element, boundary)

    return ArrayValue(array.dims, at, array.element)


def _within(index: ir.Expr, dim: Dim, shift: int | None) -> ir.Expr:
    """Whether a shifted index is within the array; one comparison suffices where the direction is known."""
    below, above = ir.Binary("<=", index, dim.upper), ir.Binary(">=", index, dim.lower)
    if shift is None:
        return ir.Binary("&&", above, below)
    return below if shift >= 0 else above


def _spread(low: Lowering, arguments: Sequence[Node]) -> Value:
    given = _arguments(low, arguments, "source", "dim", "ncopies")
    copies = given.get("ncopies")
    source = given.get("source")
    if copies is None or isinstance(copies, ArrayValue) or source is None:
        raise CannotLowerError("spread needs a source and a number of copies")
    new = Dim(arith.ONE, copies)
    if not isinstance(source, ArrayValue):
        return ArrayValue((new,), lambda indices: source, ir.type_of(source))
    dimension = dimension_argument(low, given, source.rank + 1) or 0
    dims = (*source.dims[:dimension], new, *source.dims[dimension:])
    return ArrayValue(dims, lambda p: source.at((*p[:dimension], *p[dimension + 1 :])), source.element)


def _location(name: str, low: Lowering, arguments: Sequence[Node]) -> Value:
    """maxloc, minloc of a vector: a loop that compares and stores the position."""
    given = _arguments(low, arguments, "array", "dim", "mask")
    array = _array(low, given, "array")
    if array.rank != 1 or "mask" in given:
        raise CannotLowerError(f"{name} is supported for vectors without a mask only")
    best = low.fresh(name, array.element)
    where = low.fresh("at", ir.INT)
    low.emit(ir.Assign(best, _start("maxval" if name == "maxloc" else "minval", array.element), low.line))
    low.emit(ir.Assign(where, arith.ZERO, low.line))

    def body(indices: Indices) -> None:
        item = array.at(indices)
        position = indices[0].within(Dim(arith.ONE, array.dims[0].size))
        better = ir.Binary(">" if name == "maxloc" else "<", item, best)
        keep = (ir.Assign(best, item, low.line), ir.Assign(where, position, low.line))
        low.emit(ir.If(better, keep, (), low.line))

    loop_nest(low, array.dims, body)
    return where if "dim" in given else ArrayValue((Dim(arith.ONE, arith.ONE),), lambda indices: where, ir.INT)


def _reshape(low: Lowering, arguments: Sequence[Node]) -> Value:
    """The elements in array element order, in other dimensions."""
    named = {keyword(argument) or str(number): value_node(argument) for number, argument in enumerate(arguments)}
    if not named.keys() <= {"0", "1", "source", "shape"}:
        raise CannotLowerError("reshape with ORDER or PAD is not supported")
    node = named.get("shape", named.get("1"))
    sizes = literal_items(low, node) if node is not None else None
    if not sizes:
        raise CannotLowerError("reshape to a shape that is not written out is not supported")
    dims = tuple(Dim(arith.ONE, size) for size in sizes)
    source = _array(low, _arguments(low, arguments, "source", "shape"), "source")

    def at(indices: Indices) -> ir.Expr:
        position: ir.Expr = arith.ZERO
        for loop_index, dim in zip(reversed(indices), reversed(dims), strict=True):
            position = arith.add(arith.mul(position, dim.size), arith.sub(loop_index.within(dim), dim.lower))
        return source.at(_unravelled(position, source.dims))

    return ArrayValue(dims, at, source.element)


def _unravelled(position: ir.Expr, dims: tuple[Dim, ...]) -> Indices:
    """The subscripts of the element at a linear position."""
    indices: list[LoopIndex] = []
    for dim in dims[:-1]:
        indices.append(LoopIndex(ir.Binary("%", position, dim.size), arith.ZERO))
        position = arith.div(position, dim.size)
    return (*indices, LoopIndex(position, arith.ZERO))


def _pack(low: Lowering, arguments: Sequence[Node]) -> Value:
    """The elements selected by a mask, in a temporary: a loop that copies and counts."""
    given = _arguments(low, arguments, "array", "mask", "vector")
    mask = given.get("mask")
    if mask is None or "vector" in given:
        raise CannotLowerError("pack without a mask, or with a vector behind it, is not supported")
    array = _array(low, given, "array")
    packed = low.temporary("packed", vector_type(array.element, array.count))
    count = low.fresh("count", ir.INT)
    low.emit(ir.Assign(count, arith.ZERO, low.line))

    def body(indices: Indices) -> None:
        step = ir.Assign(count, ir.Binary("+", count, arith.ONE), low.line, compound=True)
        copy = ir.Assign(ir.Index(packed, (count,)), array.at(indices), low.line)
        low.emit(ir.If(element_at(mask, indices), (step, copy), (), low.line))

    loop_nest(low, array.dims, body)
    return ArrayValue((Dim(arith.ONE, count, known=False),), whole_array(packed).at, array.element)


def _unsupported(name: str, low: Lowering, arguments: Sequence[Node]) -> Value:
    raise CannotLowerError(f"{name} is not supported")


REDUCTIONS: Intrinsics = {
    **{name: partial(_reduction, name) for name in ("sum", "product", "maxval", "minval", "count", "any", "all")},
    **{name: partial(_shift, name) for name in ("cshift", "eoshift")},
    **{name: partial(_location, name) for name in ("maxloc", "minloc")},
    **{name: partial(_unsupported, name) for name in ("unpack", "transfer")},
    "dot_product": _dot_product,
    "norm2": _norm2,
    "matmul": _matmul,
    "transpose": _transpose,
    "spread": _spread,
    "reshape": _reshape,
    "pack": _pack,
}
