"""Array intrinsics: reductions as accumulation loops, matrix products, shifts and rearrangements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.frontends.fortran.intrinsics.inquiry import arguments_by_name, limit
from foretell.frontends.fortran.intrinsics.rearrange import new_shape, packed, reshaped
from foretell.frontends.fortran.lower import arith
from foretell.frontends.fortran.lower.array_values import ArrayValue, Dim, Place, Places, Value, elementwise
from foretell.frontends.fortran.lower.arrays import loop_nest, materialize
from foretell.frontends.fortran.lower.state import CannotLowerError, Lowering
from foretell.frontends.fortran.scope import kinds
from foretell.frontends.fortran.scope.types import integer_value
from foretell.frontends.source import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from foretell.frontends.fortran.text.parse import Node

    Combine = Callable[[ir.Expr, ir.Expr], ir.Expr]


def _arguments(low: Lowering, arguments: Sequence[Node], names: Sequence[str]) -> dict[str, Value]:
    return {name: low.value(node) for name, node in arguments_by_name(arguments, names).items()}


def _array(low: Lowering, given: dict[str, Value], name: str) -> ArrayValue:
    value = given.get(name)
    if not isinstance(value, ArrayValue):
        raise CannotLowerError(f"the {name.upper()} argument of an array intrinsic is not an array")
    return materialize(low, value) if value.costly else value


def _constant(low: Lowering, given: dict[str, Value], name: str, rank: int) -> int | None:
    value = given.get(name)
    if value is None:
        return None
    number = None if isinstance(value, ArrayValue) else integer_value(low, value)
    if number is None or not 1 <= number <= rank:
        raise CannotLowerError(f"the {name.upper()} argument is not a constant within the rank")
    return number - 1


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


def reduce(
    low: Lowering,
    name: str,
    array: ArrayValue,
    mask: Value | None,
    dims: Sequence[Dim],
    build: Callable[[Places], Places],
) -> ir.Expr:
    """Emits the accumulation loops over `dims`; returns the variable that holds the result.

    `build` merges the indices of the reduced dimensions with those of the others."""
    element: ir.Type = ir.INT if name == "count" else kinds.LOGICAL if name in ("any", "all") else array.element
    total = low.fresh(name, element)
    low.emit(ir.Assign(total, _start(name, element), low.line))
    combine = _combine(name, element)

    def body(inner: Places) -> None:
        places = build(inner)
        if name == "count":
            step = ir.Assign(total, ir.Binary("+", total, arith.ONE), low.line, compound=True)
            low.emit(ir.If(array.at(places), (step,), (), low.line))
            return
        chosen = mask.at(places) if isinstance(mask, ArrayValue) else mask
        step = ir.Assign(total, combine(total, array.at(places)), low.line, compound=True)
        low.emit(step if chosen is None else ir.If(chosen, (step,), (), low.line))

    loop_nest(low, dims, body)
    return total


def _reduction(name: str) -> Callable[[Lowering, Sequence[Node]], Value]:
    names = ("mask", "dim") if name in ("count", "any", "all") else ("array", "dim", "mask")

    def lower(low: Lowering, arguments: Sequence[Node]) -> Value:
        given = _arguments(low, arguments, names)
        if name not in ("count", "any", "all") and "dim" in given and _is_logical(given["dim"]):
            given["mask"] = given.pop("dim")  # sum(a, a > 0)
        array = _array(low, given, names[0])
        mask = given.get("mask") if names[0] == "array" else None
        dimension = _constant(low, given, "dim", array.rank)
        if dimension is None or array.rank == 1:
            return reduce(low, name, array, mask, array.dims, lambda places: places)
        return _along(low, name, array, mask, dimension)

    return lower


def _is_logical(value: Value) -> bool:
    kind = value.element if isinstance(value, ArrayValue) else ir.type_of(value)
    return isinstance(kind, ir.Scalar) and kind.kind == "bool"


def _along(low: Lowering, name: str, array: ArrayValue, mask: Value | None, dimension: int) -> ArrayValue:
    """A reduction along one dimension: one loop for every element of the result."""
    kept = array.dims[:dimension] + array.dims[dimension + 1 :]

    def at(places: Places) -> ir.Expr:
        def build(inner: Places) -> Places:
            return (*places[:dimension], inner[0], *places[dimension:])

        return reduce(low, name, array, mask, (array.dims[dimension],), build)

    element: ir.Type = ir.INT if name == "count" else array.element
    return ArrayValue(kept, at, element, costly=True)


def _dot_product(low: Lowering, arguments: Sequence[Node]) -> Value:
    given = _arguments(low, arguments, ("vector_a", "vector_b"))
    left, right = _array(low, given, "vector_a"), _array(low, given, "vector_b")
    if isinstance(left.element, ir.Scalar) and left.element.kind == "complex":
        conjugated = elementwise(lambda a: ir.Call("conj", (a,), ir.type_of(a)), left)
        left = conjugated if isinstance(conjugated, ArrayValue) else left
    product = elementwise(lambda a, b: ir.Binary("*", a, b), left, right)
    if not isinstance(product, ArrayValue):
        raise CannotLowerError("dot_product of something that is not an array")
    return reduce(low, "sum", product, None, product.dims, lambda places: places)


def _norm2(low: Lowering, arguments: Sequence[Node]) -> Value:
    array = _array(low, _arguments(low, arguments, ("array",)), "array")
    square = ArrayValue(array.dims, lambda p: ir.Binary("*", array.at(p), array.at(p)), array.element)
    total = reduce(low, "sum", square, None, array.dims, lambda places: places)
    return ir.Call("sqrt", (total,), array.element)


def _matmul(low: Lowering, arguments: Sequence[Node]) -> Value:
    given = _arguments(low, arguments, ("matrix_a", "matrix_b"))
    left, right = _array(low, given, "matrix_a"), _array(low, given, "matrix_b")
    if left.rank + right.rank not in (3, 4) or max(left.rank, right.rank) > 2:
        raise CannotLowerError("matmul needs a matrix and a matrix or vector")
    inner = left.dims[-1] if left.dims[-1].known else right.dims[0]
    dims = (*left.dims[:-1], *right.dims[1:])
    element = ir.type_of(ir.Binary("*", ir.Name("", left.element), ir.Name("", right.element)))

    def at(places: Places) -> ir.Expr:
        rows, columns = places[: left.rank - 1], places[left.rank - 1 :]
        product = ArrayValue(
            (inner,), lambda k: ir.Binary("*", left.at((*rows, k[0])), right.at((k[0], *columns))), element
        )
        return reduce(low, "sum", product, None, (inner,), lambda k: k)

    return ArrayValue(dims, at, element, costly=True)


# --------------------------------------------------------------------------------------- rearrangements


def _transpose(low: Lowering, arguments: Sequence[Node]) -> Value:
    array = _array(low, _arguments(low, arguments, ("matrix",)), "matrix")
    if array.rank != 2:
        raise CannotLowerError("transpose needs a matrix")
    return ArrayValue((array.dims[1], array.dims[0]), lambda p: array.at((p[1], p[0])), array.element)


def _shift(name: str) -> Callable[[Lowering, Sequence[Node]], Value]:
    names = ("array", "shift", "dim") if name == "cshift" else ("array", "shift", "boundary", "dim")

    def lower(low: Lowering, arguments: Sequence[Node]) -> Value:
        given = _arguments(low, arguments, names)
        array = _array(low, given, "array")
        shift = given.get("shift")
        if shift is None or isinstance(shift, ArrayValue):
            raise CannotLowerError(f"{name} with a shift that is not a scalar is not supported")
        dimension = _constant(low, given, "dim", array.rank) or 0
        if name == "cshift":
            low.say("cshift is taken as a shifted access; the elements that wrap around the edge are not", note=True)
        own = array.dims[dimension]
        moved = Dim(arith.add(own.lower, shift), None, own.step)
        boundary = given.get("boundary", _start("sum", array.element))

        def at(places: Places) -> ir.Expr:
            inside = Place(places[dimension].within(moved), own.lower, own.step)
            element = array.at((*places[:dimension], inside, *places[dimension + 1 :]))
            if name == "cshift" or isinstance(boundary, ArrayValue) or own.upper is None:
                return element
            return ir.Select(_within(inside.variable, own, own.upper, arith.constant(shift)), element, boundary)

        return ArrayValue(array.dims, at, array.element)

    return lower


def _within(place: ir.Expr, dim: Dim, upper: ir.Expr, shift: int | None) -> ir.Expr:
    """Whether a shifted index is within the array; one comparison suffices where the direction is known."""
    below, above = ir.Binary("<=", place, upper), ir.Binary(">=", place, dim.lower)
    if shift is None:
        return ir.Binary("&&", above, below)
    return below if shift >= 0 else above


def _spread(low: Lowering, arguments: Sequence[Node]) -> Value:
    given = _arguments(low, arguments, ("source", "dim", "ncopies"))
    copies = given.get("ncopies")
    source = given.get("source")
    if copies is None or isinstance(copies, ArrayValue) or source is None:
        raise CannotLowerError("spread needs a source and a number of copies")
    new = Dim(arith.ONE, copies)
    if not isinstance(source, ArrayValue):
        return ArrayValue((new,), lambda places: source, ir.type_of(source))
    dimension = _constant(low, given, "dim", source.rank + 1) or 0
    dims = (*source.dims[:dimension], new, *source.dims[dimension:])
    return ArrayValue(dims, lambda p: source.at((*p[:dimension], *p[dimension + 1 :])), source.element)


def _location(name: str) -> Callable[[Lowering, Sequence[Node]], Value]:
    """maxloc, minloc of a vector: a loop that compares and stores the position."""

    def lower(low: Lowering, arguments: Sequence[Node]) -> Value:
        given = _arguments(low, arguments, ("array", "dim", "mask"))
        array = _array(low, given, "array")
        if array.rank != 1 or "mask" in given:
            raise CannotLowerError(f"{name} is supported for vectors without a mask only")
        best = low.fresh(name, array.element)
        where = low.fresh("at", ir.INT)
        low.emit(ir.Assign(best, _start("maxval" if name == "maxloc" else "minval", array.element), low.line))
        low.emit(ir.Assign(where, arith.ZERO, low.line))

        def body(places: Places) -> None:
            item = array.at(places)
            position = places[0].within(Dim(arith.ONE, None))
            better = ir.Binary(">" if name == "maxloc" else "<", item, best)
            keep = (ir.Assign(best, item, low.line), ir.Assign(where, position, low.line))
            low.emit(ir.If(better, keep, (), low.line))

        loop_nest(low, array.dims, body)
        if "dim" in given:
            return where
        return ArrayValue((Dim(arith.ONE, arith.ONE),), lambda places: where, ir.INT)

    return lower


def _reshape(low: Lowering, arguments: Sequence[Node]) -> Value:
    dims = new_shape(low, arguments)
    return reshaped(_array(low, _arguments(low, arguments, ("source", "shape")), "source"), dims)


def _pack(low: Lowering, arguments: Sequence[Node]) -> Value:
    given = _arguments(low, arguments, ("array", "mask", "vector"))
    mask = given.get("mask")
    if mask is None or "vector" in given:
        raise CannotLowerError("pack without a mask, or with a vector behind it, is not supported")
    return packed(low, _array(low, given, "array"), mask)


def _unsupported(name: str) -> Callable[[Lowering, Sequence[Node]], Value]:
    def lower(low: Lowering, arguments: Sequence[Node]) -> Value:
        raise CannotLowerError(f"{name} is not supported")

    return lower


REDUCTIONS: dict[str, Callable[[Lowering, Sequence[Node]], Value]] = {
    **{name: _reduction(name) for name in ("sum", "product", "maxval", "minval", "count", "any", "all")},
    "dot_product": _dot_product,
    "norm2": _norm2,
    "matmul": _matmul,
    "transpose": _transpose,
    "cshift": _shift("cshift"),
    "eoshift": _shift("eoshift"),
    "spread": _spread,
    "maxloc": _location("maxloc"),
    "minloc": _location("minloc"),
    "reshape": _reshape,
    "pack": _pack,
    "unpack": _unsupported("unpack"),
    "transfer": _unsupported("transfer"),
}
