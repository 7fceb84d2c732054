"""Array references: elements, sections, vector subscripts, constructors, and the loops that array values imply."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.frontends.fortran.lower import arith
from foretell.frontends.fortran.lower.array_values import ArrayValue, Dim, Place, Places, Value
from foretell.frontends.fortran.lower.expression_walk import parts as expression_parts
from foretell.frontends.fortran.lower.expression_walk import replace_name
from foretell.frontends.fortran.lower.state import CannotLowerError, Lowering
from foretell.frontends.fortran.scope.declarations import child, text
from foretell.frontends.fortran.scope.types import split_extent
from foretell.frontends.source import ir
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from foretell.frontends.fortran.text.parse import Node

#: names of the variables of implied loops, fastest dimension first
_LOOP_NAMES = "ijklmnopqrstuvw"


def bounds_of(expr: ir.Expr) -> tuple[Dim, ...]:
    """The dimensions of an array lvalue in Fortran's order; an undeclared extent is size(array, dimension)."""
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
        return ir.Index(expr, tuple(p.within(d) for p, d in zip(reversed(places), reversed(dims), strict=False)))

    return ArrayValue(dims, at, element, whole=expr)


@record
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
    """a(:, :, k) is a[k]: full sections followed by scalars only."""
    fixed = [s for s in subscripts if not isinstance(s, _Section | ArrayValue)]
    full = subscripts[: len(subscripts) - len(fixed)]
    if not all(isinstance(s, _Section) and s.full for s in full):
        return None
    return ir.Index(expr, tuple(reversed(fixed))) if fixed else expr


def _first(expr: ir.Expr, subscripts: list[_Subscript]) -> ir.Expr | None:
    """The first element of a contiguous section."""
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
    """Subscripts of an ASSOCIATE name or of another array value, relative to its own lower bound."""
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
            Place(remaining.pop(0).within(s.dim) if isinstance(s, _Section) else _element(s, remaining), arith.ONE)
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
    """Emits loops over `dims` (fastest innermost); `body` emits the statements of one iteration."""
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
            upper if step == arith.ONE else arith.add(lower, arith.mul(arith.sub(dim.size or upper, arith.ONE), step))
        )
        lower, upper, step = last, lower, arith.mul(step, arith.integer(-1))
    return ir.Loop(place.variable.id, lower, upper, step, body, low.line, implied=True, local=True)


def materialize(low: Lowering, value: ArrayValue, display: str = "tmp") -> ArrayValue:
    """Stores the value in a temporary array, filled by a loop here."""
    extents = tuple(ir.Extent(dim.size, arith.ONE) for dim in reversed(value.dims))
    temporary = low.fresh(display, ir.Array(value.element, extents))
    low.emit(ir.Declare(temporary.id, None, low.line))
    copy = whole_array(temporary)
    loop_nest(low, copy.dims, lambda places: low.emit(ir.Assign(copy.at(places), value.at(places), low.line)))
    return copy


# ------------------------------------------------------------------------------------------ constructors


def construct(low: Lowering, node: Node) -> Value:
    """[a, b, c] and [(expr, i = 1, n)]."""
    parts = [part for part in node.named_children if part.type not in ("intrinsic_type", "derived_type", "comment")]
    loops = [part for part in parts if part.type == "implied_do_loop_expression"]
    if loops and (len(parts) > 1 or len(loops[0].named_children) > 2 or child(loops[0], loops[0].type)):
        return _joined(low, parts)
    if loops:
        return _implied_do(low, loops[0])
    values = [low.value(part) for part in parts]
    if not values:
        raise CannotLowerError("an array constructor without values")
    if len(values) == 1 and isinstance(values[0], ArrayValue) and values[0].rank == 1:
        return values[0]
    if any(isinstance(value, ArrayValue) for value in values):
        return _joined(low, parts)
    return _literal_array(low, [value for value in values if not isinstance(value, ArrayValue)], node)


def _literal_array(low: Lowering, values: list[ir.Expr], node: Node) -> ArrayValue:
    """A constructor of few values: assigned one by one to a temporary."""
    type_node = child(node, "intrinsic_type", "derived_type")
    element = low.type_of_node(type_node) if type_node is not None else ir.type_of(values[0])
    size = arith.integer(len(values))
    temporary = low.fresh("list", ir.Array(element, (ir.Extent(size, arith.ONE),)))
    low.emit(ir.Declare(temporary.id, None, low.line))
    for number, value in enumerate(values, 1):
        low.emit(ir.Assign(ir.Index(temporary, (arith.integer(number),)), value, low.line))
    return whole_array(temporary)


def _joined(low: Lowering, items: Sequence[Node]) -> ArrayValue:
    """[a, 1.0, b(:), (c(i), i = 1, n)]: stored consecutively in a temporary."""
    kinds: list[ir.Type] = []
    with low.trial():  # for the size and the type
        size = _append_items(low, items, lambda into, item: kinds.append(ir.type_of(item)))
    element = kinds[0] if kinds else ir.Unknown()
    temporary = low.fresh("list", ir.Array(element, (ir.Extent(size, arith.ONE),)))
    place = low.fresh("at", ir.INT)
    low.emit(ir.Declare(temporary.id, None, low.line))
    low.emit(ir.Assign(place, arith.ONE, low.line))

    def append(into: Lowering, item: ir.Expr) -> None:
        into.emit(ir.Assign(ir.Index(temporary, (place,)), item, low.line))
        into.emit(ir.Assign(place, ir.Binary("+", place, arith.ONE), low.line, compound=True))

    _append_items(low, items, append)
    return whole_array(temporary)


def _append_items(low: Lowering, items: Sequence[Node], append: Callable[[Lowering, ir.Expr], None]) -> ir.Expr | None:
    """Emits the stores of the items; returns their number, if known."""
    total: ir.Expr | None = arith.ZERO
    for item in items:
        if item.type == "implied_do_loop_expression":
            count = _append_loop(low, item, append)
        else:
            value = low.value(item)
            count = arith.ONE
            if isinstance(value, ArrayValue):
                array = value
                loop_nest(low, array.dims, lambda places, array=array: append(low, array.at(places)))  # type: ignore[misc]
                count = _elements(array)
            else:
                append(low, value)
        total = None if total is None or count is None else arith.add(total, count)
    return total


def _elements(array: ArrayValue) -> ir.Expr | None:
    total: ir.Expr = arith.ONE
    for dim in array.dims:
        if dim.size is None:
            return None
        total = arith.mul(total, dim.size)
    return total


def _append_loop(low: Lowering, node: Node, append: Callable[[Lowering, ir.Expr], None]) -> ir.Expr | None:
    """(items, i = lower, upper, step) as a loop over a separate variable."""
    control = child(node, "loop_control_expression")
    if control is None or len(control.named_children) < 3:
        raise CannotLowerError("an implied DO without its control")
    parts = control.named_children
    dim = Dim(low.scalar(parts[1]), low.scalar(parts[2]), low.scalar(parts[3]) if len(parts) > 3 else arith.ONE)
    inner = low.inner_name(text(parts[0]))
    variable = inner.scalar_name(text(parts[0]))
    with inner.collecting() as statements:
        items = [part for part in node.named_children if part.type != "loop_control_expression"]
        count = _append_items(inner, items, append)
    if dim.upper is None:
        raise CannotLowerError("an implied DO without its control")
    low.emit(
        ir.Loop(variable.id, dim.lower, dim.upper, dim.step, tuple(statements), low.line, implied=True, local=True)
    )
    names = {part.id for part in expression_parts(count) if isinstance(part, ir.Name)} if count is not None else set()
    return None if count is None or dim.size is None or variable.id in names else arith.mul(count, dim.size)


def literal_items(low: Lowering, node: Node) -> list[ir.Expr] | None:
    """The values of a constructor of scalars only; None for any other expression."""
    if node.type != "array_literal" or child(node, "implied_do_loop_expression", "intrinsic_type") is not None:
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
            (*inner.dims, dim), lambda p: replace_name(inner.at(p[:-1]), name.id, p[-1].within(dim)), inner.element
        )
    return ArrayValue((dim,), lambda places: replace_name(value, name.id, places[0].within(dim)), ir.type_of(value))
