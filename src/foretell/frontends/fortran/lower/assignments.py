"""Array assignments and WHERE: loops over elements that keep Fortran's rule «the right-hand side first»."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.frontends.fortran.lower import arith
from foretell.frontends.fortran.lower.array_values import ArrayValue, Dim, Place, Places, Value
from foretell.frontends.fortran.lower.arrays import loop_nest, materialize, whole_array
from foretell.frontends.fortran.lower.expression_walk import children, parts
from foretell.frontends.fortran.lower.state import CannotLowerError, Lowering
from foretell.frontends.source import ir

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def assign(low: Lowering, target: Value, value: Value, condition: Value | None = None) -> None:
    """target = value, for scalars and arrays; `condition` is the mask of a WHERE."""
    if not isinstance(target, ArrayValue):
        if isinstance(value, ArrayValue):
            assign(low, _as_array(target, value.rank), value, condition)
            return
        low.emit(ir.Assign(target, value, low.line, compound=False))
        return
    if isinstance(value, ArrayValue) and value.rank != target.rank:
        raise CannotLowerError(f"an array of rank {value.rank} is assigned to one of rank {target.rank}")
    order = _order(low, target, value, condition)
    if order is None:
        value = materialize(low, value) if isinstance(value, ArrayValue) else value
        order = ()
    dims = _driving(target, value)

    def body(places: Places) -> None:
        element = value.at(places) if isinstance(value, ArrayValue) else value
        store = ir.Assign(target.at(places), element, low.line)
        chosen = condition.at(places) if isinstance(condition, ArrayValue) else condition
        low.emit(store if chosen is None else ir.If(chosen, (store,), (), low.line))

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
    first = target.at((Place(dim.lower, dim.lower, dim.step),))
    base = first.base if isinstance(first, ir.Index) else first
    if any(part == base for item in items for part in parts(item)):
        return False
    for number, item in enumerate(items):
        place = Place(arith.add(dim.lower, arith.mul(arith.integer(number), dim.step)), dim.lower, dim.step)
        low.emit(ir.Assign(target.at((place,)), item, low.line))
    return True


def _driving(target: ArrayValue, value: Value) -> tuple[Dim, ...]:
    """The iteration space: the target's own indices, unless only the value's extents are known."""
    if not isinstance(value, ArrayValue):
        return target.dims
    pairs = zip(target.dims, value.dims, strict=True)
    return tuple(theirs if theirs.known and not ours.known else _plain(ours, theirs) for ours, theirs in pairs)


def _plain(ours: Dim, theirs: Dim) -> Dim:
    """Numbers elements of a strided target and a value of another stride from zero, so that no division is needed."""
    size = ours.size
    if ours.step in (arith.ONE, theirs.step) or size is None:
        return ours
    return Dim(arith.ZERO, arith.sub(size, arith.ONE))


# ------------------------------------------------------------------------------------------ dependences


def _order(low: Lowering, target: ArrayValue, value: Value, condition: Value | None) -> tuple[bool, ...] | None:
    """The direction of each loop (True: downwards) that reads every element before it is overwritten.

    None: no direction does, the value must be stored first."""
    if not isinstance(value, ArrayValue) and not isinstance(condition, ArrayValue):
        return ()
    sample = tuple(Place(ir.Name(f"\0{number}", ir.INT), dim.lower, dim.step) for number, dim in enumerate(target.dims))
    with low.trial():
        store = target.at(sample)
        reads = [v.at(sample) for v in (value, condition) if isinstance(v, ArrayValue)]
    if isinstance(value, ArrayValue) and value.costly:
        return None if _mentions(low, store, value) else ()
    signs: list[set[int]] = [set() for _ in target.dims]
    for read in reads:
        for reference in _same_array(store, read):
            if not _note_signs(store, reference, signs):
                return None
    if any({1, -1} <= sign for sign in signs):
        return None
    return tuple(-1 in sign for sign in signs)


def _mentions(low: Lowering, store: ir.Expr, value: ArrayValue) -> bool:
    """Whether computing an element of a costly value reads the assigned array."""
    sample = tuple(Place(ir.Name(f"\0{n}", ir.INT), dim.lower, dim.step) for n, dim in enumerate(value.dims))
    with low.trial() as statements:
        value.at(sample)
    base = store.base if isinstance(store, ir.Index) else store
    return any(base == part for statement in statements for part in _all_parts(statement))


def _all_parts(statement: ir.Stmt) -> Iterator[ir.Expr]:
    match statement:
        case ir.Assign(target, value):
            yield from parts(target)
            yield from parts(value)
        case ir.Loop(body=body):
            for inner in body:
                yield from _all_parts(inner)
        case ir.If(condition, then, other):
            yield from parts(condition)
            for inner in (*then, *other):
                yield from _all_parts(inner)
        case _:
            return


def _same_array(store: ir.Expr, read: ir.Expr) -> Iterator[ir.Expr]:
    """References in `read` to the array that `store` writes; a bare name counts as one."""
    base = store.base if isinstance(store, ir.Index) else store
    stack = [read]
    while stack:
        part = stack.pop()
        if isinstance(part, ir.Index) and part.base == base:
            yield part
            stack.extend(part.subscripts)
        elif part == base:
            yield part
        elif isinstance(part, ir.Call) and part.function == "size":
            continue
        else:
            stack.extend(children(part))


def _note_signs(store: ir.Expr, read: ir.Expr, signs: list[set[int]]) -> bool:
    """Adds the sign of the dependence distance in each loop dimension; False if it is not constant."""
    if not isinstance(read, ir.Index) or not isinstance(store, ir.Index):
        return False
    if len(read.subscripts) != len(store.subscripts):
        return False
    for mine, theirs in zip(store.subscripts, read.subscripts, strict=True):
        if mine == theirs:
            continue
        distance = arith.constant(arith.sub(theirs, mine))
        if distance is None:
            return False
        if distance == 0:
            continue
        moving = [n for n in range(len(signs)) if ir.Name(f"\0{n}", ir.INT) in set(parts(mine))]
        if len(moving) != 1:
            return not moving  # another plane of the same array: never overwritten here
        signs[moving[0]].add(1 if distance > 0 else -1)
    return True
