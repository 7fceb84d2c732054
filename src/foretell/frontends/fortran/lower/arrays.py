"""Array references: elements, sections, vector subscripts, constructors, and the loops that array values imply."""

from __future__ import annotations

from itertools import chain, cycle, repeat
from typing import TYPE_CHECKING

from foretell.frontends.fortran.lower import arith
from foretell.frontends.fortran.lower.array_values import (
    ArrayValue,
    Dim,
    Indices,
    LoopIndex,
    Value,
    element_at,
    element_type,
)
from foretell.frontends.fortran.lower.expression_walk import names, replace_name
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


def bounds_of(expr: ir.Expr, rank: int = 0) -> tuple[Dim, ...]:
    """The dimensions of an array lvalue in Fortran's order; an undeclared extent is size(array, dimension).

    `rank` is for variables whose declaration is not understood."""
    kind = ir.type_of(expr)
    dims = kind.dims if isinstance(kind, ir.Array) else (ir.Extent(None, arith.ONE),) * rank
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

    def at(indices: Indices) -> ir.Expr:
        return ir.Index(expr, tuple(p.within(d) for p, d in zip(reversed(indices), reversed(dims), strict=False)))

    return ArrayValue(dims, at, element, whole=expr)


@record
class _Section:
    """lower:upper:step in one subscript; `full` for a plain `:`."""

    dim: Dim
    full: bool

    @property
    def dims(self) -> tuple[Dim, ...]:
        return (self.dim,)

    def at(self, indices: Indices) -> ir.Expr:
        return indices[0].within(self.dim)


_Subscript = ir.Expr | _Section | ArrayValue


def index(low: Lowering, expr: ir.Expr, arguments: Sequence[Node]) -> Value:
    """array(subscripts): an element, or a section as an array value."""
    if all(argument.type != "extent_specifier" for argument in arguments):
        values = [low.value(argument) for argument in arguments]
        if not any(isinstance(value, ArrayValue) for value in values):
            _check_rank(ir.type_of(expr), len(values))
            values.reverse()
            return ir.Index(expr, tuple(values))  # type: ignore[arg-type]  # no array values among them
    kind = ir.type_of(expr)
    _check_rank(kind, len(arguments))
    dims = bounds_of(expr, len(arguments))
    subscripts = [_subscript(low, argument, dim) for argument, dim in zip(arguments, dims, strict=True)]
    element = kind.element if isinstance(kind, ir.Array) else ir.Unknown()
    return ArrayValue(
        _dims(subscripts),
        lambda indices: ir.Index(expr, tuple(reversed(_indices(subscripts, indices)))),
        element,
        _leading(expr, subscripts),
        _first(expr, subscripts),
    )


def _check_rank(kind: ir.Type, count: int) -> None:
    if isinstance(kind, ir.Array) and len(kind.dims) != count:
        raise CannotLowerError(f"an array of rank {len(kind.dims)} has {count} subscripts")


def _subscript(low: Lowering, node: Node, bounds: Dim) -> _Subscript:
    if node.type == "keyword_argument":
        raise CannotLowerError(f"{text(node)!r} is not a subscript")
    if node.type != "extent_specifier":
        return low.value(node)
    lower_node, upper_node, step_node = split_extent(node)
    if lower_node is None and upper_node is None and step_node is None:
        return _Section(bounds, full=True)
    step = low.optional(step_node, arith.ONE)
    backwards = (arith.constant(step) or 1) < 0
    start, end = (bounds.upper, bounds.lower) if backwards else (bounds.lower, bounds.upper)
    known = bounds.known or (lower_node is not None and upper_node is not None)
    return _Section(Dim(low.optional(lower_node, start), low.optional(upper_node, end), step, known), full=False)


def _dims(subscripts: list[_Subscript]) -> tuple[Dim, ...]:
    """The dimensions of a section: one for each `:`, and those of vector subscripts."""
    return tuple(dim for s in subscripts if isinstance(s, _Section | ArrayValue) for dim in s.dims)


def _indices(subscripts: list[_Subscript], indices: Indices) -> list[ir.Expr]:
    """The subscripts of one element of a section."""
    out: list[ir.Expr] = []
    for subscript in subscripts:
        if isinstance(subscript, _Section | ArrayValue):
            rank = len(subscript.dims)
            out.append(subscript.at(indices[:rank]))
            indices = indices[rank:]
        else:
            out.append(subscript)
    return out


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
    if isinstance(base.whole, ir.Name | ir.Member | ir.Deref):
        kind = ir.type_of(base.whole)
        if isinstance(kind, ir.Array) and len(kind.dims) == base.rank:
            return index(low, base.whole, arguments)
    if len(arguments) != base.rank:
        raise CannotLowerError(f"an array of rank {base.rank} has {len(arguments)} subscripts")
    bounds = [Dim(arith.ONE, dim.size, known=dim.known) for dim in base.dims]
    subscripts = [_subscript(low, argument, bound) for argument, bound in zip(arguments, bounds, strict=True)]

    def at(indices: Indices) -> ir.Expr:
        return base.at(tuple(LoopIndex(subscript, arith.ONE) for subscript in _indices(subscripts, indices)))

    dims = _dims(subscripts)
    return ArrayValue(dims, at, base.element) if dims else at(())


# ----------------------------------------------------------------------------------------- implied loops


def loop_nest(
    low: Lowering, dims: Sequence[Dim], body: Callable[[Indices], None], *, reverse: Sequence[bool] = ()
) -> None:
    """Emits loops over `dims` (fastest innermost); `body` emits the statements of one iteration."""
    variables = [low.fresh(name, ir.INT) for name, _ in zip(cycle(_LOOP_NAMES), dims, strict=False)]
    with low.collecting() as statements:
        body(tuple(LoopIndex(name, dim.lower, dim.step) for name, dim in zip(variables, dims, strict=True)))
    for dim, name, backwards in zip(dims, variables, chain(reverse, repeat(False)), strict=False):
        statements = [_loop(low, dim, name.id, tuple(statements), backwards)]
    low.sink += statements


def _loop(low: Lowering, dim: Dim, variable: str, body: tuple[ir.Stmt, ...], backwards: bool) -> ir.Loop:
    lower, upper, step = dim.lower, dim.upper, dim.step
    if backwards:
        last = upper if step == arith.ONE else arith.add(lower, arith.mul(arith.sub(dim.size, arith.ONE), step))
        lower, upper, step = last, lower, arith.mul(step, arith.integer(-1))
    return ir.Loop(variable, lower, upper, step, body, low.line, implied=True, local=True)


def materialize(low: Lowering, value: ArrayValue, display: str = "tmp") -> ArrayValue:
    """Stores the value in a temporary array, filled by a loop here."""
    copy = whole_array(low.temporary(display, value.kind))
    loop_nest(low, copy.dims, lambda indices: low.emit(ir.Assign(copy.at(indices), value.at(indices), low.line)))
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
    type_node = child(node, "intrinsic_type", "derived_type")
    element = low.type_of_node(type_node) if type_node is not None else element_type(values[0])
    return literal_array(low, "list", element, [value for value in values if not isinstance(value, ArrayValue)])


def literal_array(low: Lowering, display: str, element: ir.Type, values: Sequence[ir.Expr]) -> ArrayValue:
    """An array of few values: assigned one by one to a temporary."""
    temporary = low.temporary(display, vector_type(element, arith.integer(len(values))))
    for number, value in enumerate(values, 1):
        low.emit(ir.Assign(ir.Index(temporary, (arith.integer(number),)), value, low.line))
    return whole_array(temporary)


def vector_type(element: ir.Type, size: ir.Expr | None) -> ir.Array:
    return ir.Array(element, (ir.Extent(size, arith.ONE),))


def _joined(low: Lowering, items: Sequence[Node]) -> ArrayValue:
    """[a, 1.0, b(:), (c(i), i = 1, n)]: stored consecutively in a temporary."""
    kinds: list[ir.Type] = []
    with low.trial():  # for the size and the type
        size = _append_items(low, items, lambda into, item: kinds.append(ir.type_of(item)))
    element = kinds[0] if kinds else ir.Unknown()
    temporary = low.temporary("list", vector_type(element, size))
    position = low.fresh("at", ir.INT)
    low.emit(ir.Assign(position, arith.ONE, low.line))

    def append(into: Lowering, item: ir.Expr) -> None:
        into.emit(ir.Assign(ir.Index(temporary, (position,)), item, low.line))
        into.emit(ir.Assign(position, ir.Binary("+", position, arith.ONE), low.line, compound=True))

    _append_items(low, items, append)
    return whole_array(temporary)


def _append_items(low: Lowering, items: Sequence[Node], append: Callable[[Lowering, ir.Expr], None]) -> ir.Expr | None:
    """Emits the stores of the items; returns their number, if known."""
    total: ir.Expr | None = arith.ZERO
    for item in items:
        count: ir.Expr | None = arith.ONE
        if item.type == "implied_do_loop_expression":
            count = _append_loop(low, item, append)
        elif isinstance(value := low.value(item), ArrayValue):
            loop_nest(low, value.dims, lambda indices, array=value: append(low, array.at(indices)))  # type: ignore[misc]
            count = value.count
        else:
            append(low, value)
        total = None if total is None or count is None else arith.add(total, count)
    return total


def _append_loop(low: Lowering, node: Node, append: Callable[[Lowering, ir.Expr], None]) -> ir.Expr | None:
    """(items, i = lower, upper, step) as a loop over a separate variable."""
    name, dim, items = loop_control(low, node)
    inner = low.inner_name(text(name))
    variable = inner.scalar_name(text(name))
    with inner.collecting() as statements:
        count = _append_items(inner, items, append)
    low.emit(_loop(low, dim, variable.id, tuple(statements), backwards=False))
    return None if count is None or variable.id in names(count) else arith.mul(count, dim.size)


def loop_control(low: Lowering, node: Node) -> tuple[Node, Dim, list[Node]]:
    """Variable, range and items of an implied DO."""
    control = child(node, "loop_control_expression")
    if control is None or len(control.named_children) < 3:
        raise CannotLowerError("an implied DO without its control")
    name, lower, upper, *step = control.named_children
    dim = Dim(low.scalar(lower), low.scalar(upper), low.scalar(step[0]) if step else arith.ONE)
    return name, dim, [part for part in node.named_children if part.type != "loop_control_expression"]


def literal_items(low: Lowering, node: Node) -> list[ir.Expr] | None:
    """The values of a constructor of scalars only; None for any other expression."""
    if node.type != "array_literal" or child(node, "implied_do_loop_expression", "intrinsic_type") is not None:
        return None
    values = [low.value(part) for part in node.named_children if part.type != "comment"]
    scalars = [value for value in values if not isinstance(value, ArrayValue)]
    return scalars if len(scalars) == len(values) else None


def _implied_do(low: Lowering, node: Node) -> ArrayValue:
    name_node, dim, items = loop_control(low, node)
    name = low.value(name_node)
    if len(items) != 1:
        raise CannotLowerError("an implied DO with more than one item is not supported")
    nested = items[0].type == "implied_do_loop_expression"
    value = _implied_do(low, items[0]) if nested else low.value(items[0])
    if not isinstance(name, ir.Name):
        raise CannotLowerError("an implied DO needs a scalar variable")
    dims = (*value.dims, dim) if isinstance(value, ArrayValue) else (dim,)
    return ArrayValue(
        dims, lambda p: replace_name(element_at(value, p[:-1]), name.id, p[-1].within(dim)), element_type(value)
    )
