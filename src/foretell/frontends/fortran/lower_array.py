"""References to arrays: elements, sections, vector subscripts, constructors, and the loops that array values imply."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from foretell.frontends import ir
from foretell.frontends.fortran import arith
from foretell.frontends.fortran.declarations import child, text
from foretell.frontends.fortran.lower_types import split_extent
from foretell.frontends.fortran.lowering import CannotLowerError, Lowering
from foretell.frontends.fortran.values import ArrayValue, Dim, Place, Places, Value

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from foretell.frontends.fortran.parse import Node

#: what implied loops call their variables, fastest dimension first
_LOOP_NAMES = "ijklmnopqrstuvw"


def bounds_of(expr: ir.Expr) -> tuple[Dim, ...]:
    """The dimensions of an array lvalue in Fortran's order; an extent not declared is size(array, dimension)."""
    kind = ir.type_of(expr)
    dims = kind.dims if isinstance(kind, ir.Array) else ()
    out: list[Dim] = []
    for number, extent in enumerate(reversed(dims), 1):
        lower = extent.lower or arith.ZERO
        size = extent.size or ir.Call("size", (expr, arith.integer(number)), ir.INT)
        upper = arith.add(arith.sub(size, arith.ONE), lower)
        out.append(Dim(lower, upper, known=extent.size is not None))
    return tuple(out)


def whole_array(expr: ir.Expr) -> ArrayValue:
    """All elements of an array lvalue."""
    kind = ir.type_of(expr)
    element = kind.element if isinstance(kind, ir.Array) else kind
    dims = bounds_of(expr)

    def at(places: Places) -> ir.Expr:
        return ir.Index(
            expr, tuple(p.within(d) for p, d in zip(reversed(places), reversed(dims), strict=False))
        )

    return ArrayValue(dims, at, element, whole=expr)


@dataclass(frozen=True, slots=True)
class _Section:
    """lower:upper:step in one subscript; `full` for a plain `:`."""

    dim: Dim
    full: bool


_Subscript = ir.Expr | _Section | ArrayValue


def index(low: Lowering, expr: ir.Expr, arguments: Sequence[Node]) -> Value:
    """array(subscripts): an element, or a section as an array value."""
    if all(argument.type != "extent_specifier" for argument in arguments):
        values = [low.value(argument) for argument in arguments]
        if not any(isinstance(value, ArrayValue) for value in values):
            _check_rank(low, expr, len(values))
            values.reverse()
            return ir.Index(expr, tuple(values))  # type: ignore[arg-type]  # no array values among them
    dims = bounds_of(expr)
    _check_rank(low, expr, len(arguments))
    subscripts = [
        _subscript(low, argument, dims[number] if number < len(dims) else Dim(arith.ONE, None))
        for number, argument in enumerate(arguments)
    ]
    return _section_value(expr, subscripts)


def _check_rank(low: Lowering, expr: ir.Expr, count: int) -> None:
    kind = ir.type_of(expr)
    if isinstance(kind, ir.Array) and len(kind.dims) != count:
        raise CannotLowerError(f"an array of rank {len(kind.dims)} has {count} subscripts")


def _subscript(low: Lowering, node: Node, bounds: Dim) -> _Subscript:
    if node.type == "keyword_argument":
        raise CannotLowerError(f"{text(node)!r} is not a subscript")
    if node.type != "extent_specifier":
        return low.value(node)
    lower_node, upper_node, step_node = split_extent(node)
    lower = low.scalar(lower_node) if lower_node is not None else None
    upper = low.scalar(upper_node) if upper_node is not None else None
    step = low.scalar(step_node) if step_node is not None else arith.ONE
    if lower is None and upper is None and step_node is None:
        return _Section(bounds, full=True)
    backwards = (arith.constant(step) or 1) < 0
    start, end = (bounds.upper, bounds.lower) if backwards else (bounds.lower, bounds.upper)
    known = (lower is not None or bounds.known) and (upper is not None or bounds.known)
    first = lower if lower is not None else start
    if first is None:
        raise CannotLowerError("a section needs the upper bound of an array whose size is not known")
    return _Section(Dim(first, upper if upper is not None else end, step, known), full=False)


def _section_value(expr: ir.Expr, subscripts: list[_Subscript]) -> ArrayValue:
    dims: list[Dim] = []
    for subscript in subscripts:
        if isinstance(subscript, _Section):
            dims.append(subscript.dim)
        elif isinstance(subscript, ArrayValue):
            dims += subscript.dims

    def at(places: Places) -> ir.Expr:
        remaining = list(places)
        out: list[ir.Expr] = []
        for subscript in subscripts:
            if isinstance(subscript, _Section):
                out.append(remaining.pop(0).within(subscript.dim))
            elif isinstance(subscript, ArrayValue):
                taken = [remaining.pop(0) for _ in subscript.dims]
                out.append(subscript.at(tuple(taken)))
            else:
                out.append(subscript)
        return ir.Index(expr, tuple(reversed(out)))

    kind = ir.type_of(expr)
    element = kind.element if isinstance(kind, ir.Array) else ir.Unknown()
    return ArrayValue(tuple(dims), at, element, _leading(expr, subscripts), _first(expr, subscripts))


def _leading(expr: ir.Expr, subscripts: list[_Subscript]) -> ir.Expr | None:
    """a(:, :, k) is a[k]: full sections, then only scalars."""
    fixed = [s for s in subscripts if not isinstance(s, _Section | ArrayValue)]
    full = subscripts[: len(subscripts) - len(fixed)]
    if not all(isinstance(s, _Section) and s.full for s in full):
        return None
    return ir.Index(expr, tuple(reversed(fixed))) if fixed else expr


def _first(expr: ir.Expr, subscripts: list[_Subscript]) -> ir.Expr | None:
    """The first element of a section whose elements lie without gaps in memory."""
    out: list[ir.Expr] = []
    dense = True  # whether all faster dimensions are complete
    for subscript in subscripts:
        if isinstance(subscript, ArrayValue):
            return None
        if isinstance(subscript, _Section):
            if not dense or subscript.dim.step != arith.ONE:
                return None
            dense = subscript.full
            out.append(subscript.dim.lower)
        else:
            dense = False
            out.append(subscript)
    return ir.Index(expr, tuple(reversed(out)))


def index_value(low: Lowering, base: ArrayValue, arguments: Sequence[Node]) -> Value:
    """Subscripts of an ASSOCIATE name or of another array value, which starts at its own lower bound."""
    if base.whole is not None and isinstance(ir.type_of(base.whole), ir.Array):
        kind = ir.type_of(base.whole)
        if (
            isinstance(kind, ir.Array)
            and len(kind.dims) == base.rank
            and isinstance(base.whole, ir.Name | ir.Member | ir.Deref)
        ):
            return index(low, base.whole, arguments)
    if len(arguments) != base.rank:
        raise CannotLowerError(f"an array of rank {base.rank} has {len(arguments)} subscripts")
    bounds = [Dim(arith.ONE, dim.size, known=dim.known) for dim in base.dims]
    subscripts = [_subscript(low, argument, bound) for argument, bound in zip(arguments, bounds, strict=True)]
    if not any(isinstance(subscript, _Section | ArrayValue) for subscript in subscripts):
        return base.at(tuple(Place(s, arith.ONE) for s in subscripts))  # type: ignore[arg-type]
    dims = [s.dim for s in subscripts if isinstance(s, _Section)]

    def at(places: Places) -> ir.Expr:
        remaining = list(places)
        inner = [
            Place(
                remaining.pop(0).within(s.dim) if isinstance(s, _Section) else _element(s, remaining),
                arith.ONE,
            )
            for s in subscripts
        ]
        return base.at(tuple(inner))

    return ArrayValue(tuple(dims), at, base.element)


def _element(subscript: ir.Expr | ArrayValue, remaining: list[Place]) -> ir.Expr:
    if isinstance(subscript, ArrayValue):
        return subscript.at(tuple(remaining.pop(0) for _ in subscript.dims))
    return subscript


# ----------------------------------------------------------------------------------------- implied loops


def loop_nest(
    low: Lowering, dims: Sequence[Dim], body: Callable[[Places], None], *, reverse: Sequence[bool] = ()
) -> None:
    """Emits loops over `dims` (fastest innermost); `body` emits what happens at one place."""
    places: list[Place] = []
    for number, dim in enumerate(dims):
        name = low.fresh(_LOOP_NAMES[number % len(_LOOP_NAMES)], ir.INT)
        places.append(Place(name, dim.lower, dim.step))
    with low.collecting() as statements:
        body(tuple(places))
    inner: tuple[ir.Stmt, ...] = tuple(statements)
    for number, (dim, place) in enumerate(zip(dims, places, strict=True)):
        backwards = number < len(reverse) and reverse[number]
        inner = (_loop(low, dim, place, inner, backwards),)
    for statement in inner:
        low.emit(statement)


def _loop(low: Lowering, dim: Dim, place: Place, body: tuple[ir.Stmt, ...], backwards: bool) -> ir.Loop:
    if dim.upper is None or not isinstance(place.variable, ir.Name):
        raise CannotLowerError("an array whose size is not known is used as a whole")
    lower, upper, step = dim.lower, dim.upper, dim.step
    if backwards:
        last = (
            upper
            if step == arith.ONE
            else arith.add(lower, arith.mul(arith.sub(dim.size or upper, arith.ONE), step))
        )
        lower, upper, step = last, lower, arith.mul(step, arith.integer(-1))
    return ir.Loop(place.variable.id, lower, upper, step, body, low.line, implied=True, local=True)


def materialize(low: Lowering, value: ArrayValue, display: str = "tmp") -> ArrayValue:
    """The value kept in a temporary array, filled by a loop here."""
    extents = tuple(ir.Extent(dim.size, arith.ONE) for dim in reversed(value.dims))
    temporary = low.fresh(display, ir.Array(value.element, extents))
    low.emit(ir.Declare(temporary.id, None, low.line))
    copy = whole_array(temporary)
    loop_nest(low, copy.dims, lambda places: low.emit(ir.Assign(copy.at(places), value.at(places), low.line)))
    return copy


# ------------------------------------------------------------------------------------------ constructors


def construct(low: Lowering, node: Node) -> Value:
    """[a, b, c] and [(expr, i = 1, n)]."""
    parts = [
        part for part in node.named_children if part.type not in ("intrinsic_type", "derived_type", "comment")
    ]
    if len(parts) == 1 and parts[0].type == "implied_do_loop_expression":
        return _implied_do(low, parts[0])
    values = [_implied_do(low, p) if p.type == "implied_do_loop_expression" else low.value(p) for p in parts]
    if not values:
        raise CannotLowerError("an array constructor without values")
    if len(values) == 1 and isinstance(values[0], ArrayValue):
        return values[0]
    if any(isinstance(value, ArrayValue) for value in values):
        return _joined(low, values)
    return _literal_array(low, [value for value in values if not isinstance(value, ArrayValue)], node)


def _literal_array(low: Lowering, values: list[ir.Expr], node: Node) -> ArrayValue:
    """Few values: assigned one by one to a temporary."""
    type_node = child(node, "intrinsic_type", "derived_type")
    element = low.type_of_node(type_node) if type_node is not None else ir.type_of(values[0])
    size = arith.integer(len(values))
    temporary = low.fresh("list", ir.Array(element, (ir.Extent(size, arith.ONE),)))
    low.emit(ir.Declare(temporary.id, None, low.line))
    for number, value in enumerate(values, 1):
        low.emit(ir.Assign(ir.Index(temporary, (arith.integer(number),)), value, low.line))
    return whole_array(temporary)


def _joined(low: Lowering, values: Sequence[Value]) -> ArrayValue:
    """[a, 1.0, b(:)]: written one behind the other to a temporary."""
    size: ir.Expr | None = arith.ZERO
    for value in values:
        own: ir.Expr | None = arith.ONE
        for dim in value.dims if isinstance(value, ArrayValue) else ():
            own = None if own is None or dim.size is None else arith.mul(own, dim.size)
        size = None if size is None or own is None else arith.add(size, own)
    element = next(v.element if isinstance(v, ArrayValue) else ir.type_of(v) for v in values)
    temporary = low.fresh("list", ir.Array(element, (ir.Extent(size, arith.ONE),)))
    place = low.fresh("at", ir.INT)
    low.emit(ir.Declare(temporary.id, None, low.line))
    low.emit(ir.Assign(place, arith.ONE, low.line))

    def append(item: ir.Expr) -> None:
        low.emit(ir.Assign(ir.Index(temporary, (place,)), item, low.line))
        low.emit(ir.Assign(place, ir.Binary("+", place, arith.ONE), low.line, compound=True))

    for value in values:
        if isinstance(value, ArrayValue):
            loop_nest(low, value.dims, lambda places, source=value: append(source.at(places)))  # type: ignore[misc]
        else:
            append(value)
    return whole_array(temporary)


def literal_items(low: Lowering, node: Node) -> list[ir.Expr] | None:
    """The values of a constructor that holds nothing but scalars; None for any other expression."""
    if (
        node.type != "array_literal"
        or child(node, "implied_do_loop_expression", "intrinsic_type") is not None
    ):
        return None
    values = [low.value(part) for part in node.named_children if part.type != "comment"]
    if any(isinstance(v, ArrayValue) for v in values):
        return None
    return [v for v in values if not isinstance(v, ArrayValue)]


def _implied_do(low: Lowering, node: Node) -> ArrayValue:
    control = child(node, "loop_control_expression")
    items = [part for part in node.named_children if part.type != "loop_control_expression"]
    if control is None or len(items) != 1:
        raise CannotLowerError("an implied DO with more than one item is not supported")
    parts = control.named_children
    name = low.value(parts[0])
    lower, upper = low.scalar(parts[1]), low.scalar(parts[2])
    step = low.scalar(parts[3]) if len(parts) > 3 else arith.ONE
    nested = items[0].type == "implied_do_loop_expression"
    value = _implied_do(low, items[0]) if nested else low.value(items[0])
    if not isinstance(name, ir.Name):
        raise CannotLowerError("an implied DO needs a scalar variable")
    dim = Dim(lower, upper, step)
    if isinstance(value, ArrayValue):
        inner = value
        return ArrayValue(
            (*inner.dims, dim),
            lambda p: replace_name(inner.at(p[:-1]), name.id, p[-1].within(dim)),
            inner.element,
        )
    return ArrayValue(
        (dim,), lambda places: replace_name(value, name.id, places[0].within(dim)), ir.type_of(value)
    )


def replace_name(expr: ir.Expr, identifier: str, new: ir.Expr) -> ir.Expr:
    """`expr` with every use of a variable replaced."""

    def walk(part: ir.Expr) -> ir.Expr:
        match part:
            case ir.Name(name):
                return new if name == identifier else part
            case ir.Index(base, subscripts):
                return ir.Index(walk(base), tuple(walk(s) for s in subscripts))
            case ir.Member(base, name, kind):
                return ir.Member(walk(base), name, kind)
            case ir.Deref(pointer):
                return ir.Deref(walk(pointer))
            case ir.AddressOf(target):
                return ir.AddressOf(walk(target))
            case ir.Binary(op, left, right):
                return ir.Binary(op, walk(left), walk(right))
            case ir.Unary(op, operand):
                return ir.Unary(op, walk(operand))
            case ir.Select(condition, then, other):
                return ir.Select(walk(condition), walk(then), walk(other))
            case ir.Cast(kind, operand):
                return ir.Cast(kind, walk(operand))
            case ir.Call(function, args, kind, target):
                return ir.Call(function, tuple(walk(a) for a in args), kind, target)
            case _:
                return part

    return walk(expr)
