"""Array assignments and WHERE: loops over elements that keep Fortran's rule «the right-hand side first»."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from foretell.frontends.fortran.lower import arith
from foretell.frontends.fortran.lower.array_values import ArrayValue, Dim, Indices, LoopIndex, Value, element_at
from foretell.frontends.fortran.lower.arrays import loop_nest, materialize, whole_array
from foretell.frontends.fortran.lower.expression_walk import children, names, parts
from foretell.frontends.fortran.lower.state import CannotLowerError, Lowering
from foretell.frontends.source import ir

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def assign(low: Lowering, target: Value, value: Value, condition: Value | None = None) -> None:
    """target = value, for scalars and arrays; `condition` is the mask of a WHERE."""
    if not isinstance(target, ArrayValue):
        if isinstance(value, ArrayValue):
            assign(low, _as_array(target, value.rank), value, condition)
        else:
            low.emit(ir.Assign(target, value, low.line))
        return
    if isinstance(value, ArrayValue) and value.rank != target.rank:
        raise CannotLowerError(f"an array of rank {value.rank} is assigned to one of rank {target.rank}")
    order = _order(low, target, value, condition)
    if order is None:
        value = materialize(low, value) if isinstance(value, ArrayValue) else value
        order = ()
    dims = _driving(target, value)

    def body(indices: Indices) -> None:
        element = element_at(value, indices)
        store = ir.Assign(target.at(indices), element, low.line)
        low.emit(store if condition is None else ir.If(element_at(condition, indices), (store,), (), low.line))

    loop_nest(low, dims, body, reverse=order)


def _as_array(target: ir.Expr, rank: int) -> ArrayValue:
    """An undeclared variable that an array is assigned to, as an array."""
    if not isinstance(ir.type_of(target), ir.Unknown):
        raise CannotLowerError("an array is assigned to a scalar")
    kind = ir.Array(ir.type_of(target), tuple(ir.Extent(None, arith.ONE) for _ in range(rank)))
    if isinstance(target, ir.Member):
        return whole_array(ir.Member(target.base, target.name, kind))
    return whole_array(ir.Deref(ir.Cast(ir.Pointer(kind), ir.AddressOf(target))))


def store_items(low: Lowering, target: ArrayValue, items: Sequence[ir.Expr]) -> bool:
    """vector = [a, b, …], one assignment per value; False if the values read the target."""
    dim = target.dims[0]
    base = _base(target.at((LoopIndex(dim.lower, dim.lower, dim.step),)))
    if any(part == base for item in items for part in parts(item)):
        return False
    for number, item in enumerate(items):
        loop_index = LoopIndex(arith.add(dim.lower, arith.mul(arith.integer(number), dim.step)), dim.lower, dim.step)
        low.emit(ir.Assign(target.at((loop_index,)), item, low.line))
    return True


def _driving(target: ArrayValue, value: Value) -> tuple[Dim, ...]:
    """The iteration space: the target's own indices, unless only the value's extents are known."""
    if not isinstance(value, ArrayValue):
        return target.dims
    pairs = zip(target.dims, value.dims, strict=True)
    return tuple(theirs if theirs.known and not ours.known else _plain(ours, theirs) for ours, theirs in pairs)


def _plain(ours: Dim, theirs: Dim) -> Dim:
    """Numbers elements of a strided target and a value of another stride from zero, so that no division is needed."""
    return ours if ours.step in (arith.ONE, theirs.step) else Dim(arith.ZERO, arith.sub(ours.size, arith.ONE))


# ------------------------------------------------------------------------------------------ dependences


def _order(low: Lowering, target: ArrayValue, value: Value, condition: Value | None) -> tuple[bool, ...] | None:
    """The direction of each loop (True: downwards) that reads every element before it is overwritten.

    None: no direction does, the value must be stored first."""
    if not isinstance(value, ArrayValue) and not isinstance(condition, ArrayValue):
        return ()
    with low.trial():
        store = target.at(_sample(target))
        reads = [v.at(_sample(target)) for v in (value, condition) if isinstance(v, ArrayValue)]
    if isinstance(value, ArrayValue) and value.costly:
        with low.trial() as statements:
            value.at(_sample(value))
        mentioned = any(part == _base(store) for statement in statements for part in _all_parts(statement))
        return None if mentioned else ()
    signs: list[set[int]] = [set() for _ in target.dims]
    for read in reads:
        for reference in _same_array(store, read):
            if not _note_signs(store, reference, signs):
                return None
    if any({1, -1} <= sign for sign in signs):
        return None
    return tuple(-1 in sign for sign in signs)


def _sample(value: ArrayValue) -> Indices:
    """Indices in variables of their own, which stand for those of any element."""
    return tuple(LoopIndex(ir.Name(f"\0{n}", ir.INT), dim.lower, dim.step) for n, dim in enumerate(value.dims))


def _base(store: ir.Expr) -> ir.Expr:
    return store.base if isinstance(store, ir.Index) else store


def _all_parts(statement: ir.Stmt) -> Iterator[ir.Expr]:
    match statement:
        case ir.Assign(target, value):
            yield from (*parts(target), *parts(value))
        case ir.Loop(body=body):
            yield from chain.from_iterable(map(_all_parts, body))
        case ir.If(condition, then, other):
            yield from chain(parts(condition), *map(_all_parts, (*then, *other)))


def _same_array(store: ir.Expr, read: ir.Expr) -> Iterator[ir.Expr]:
    """References in `read` to the array that `store` writes; a bare name counts as one."""
    base = _base(store)
    stack = [read]
    while stack:
        part = stack.pop()
        if isinstance(part, ir.Index) and part.base == base:
            yield part
            stack.extend(part.subscripts)
        elif part == base:
            yield part
        elif not (isinstance(part, ir.Call) and part.function == "size"):
            stack.extend(children(part))


def _note_signs(store: ir.Expr, read: ir.Expr, signs: list[set[int]]) -> bool:
    """Adds the sign of the dependence distance in each loop dimension; False if it is not constant."""
    if not isinstance(read, ir.Index) or not isinstance(store, ir.Index):
        return False
    if len(read.subscripts) != len(store.subscripts):
        return False
    for mine, theirs in zip(store.subscripts, read.subscripts, strict=True):
        distance = 0 if mine == theirs else arith.constant(arith.sub(theirs, mine))
        if distance is None:
            return False
        if distance == 0:
            continue
        moving = [n for n in range(len(signs)) if f"\0{n}" in names(mine)]
        if len(moving) != 1:
            return not moving  # another plane of the same array: never overwritten here
        signs[moving[0]].add(1 if distance > 0 else -1)
    return True
