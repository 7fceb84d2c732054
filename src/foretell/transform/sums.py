"""Sums, whose additions may come in any order: what only adds to a scalar or to elements of an array keeps no loops
from being moved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.core.nest.statements import Branch, Inner, Invoke, Op, Ref, Set, Store, Var, parts
from foretell.transform.program import RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from foretell.core.nest.statements import ElementType, Expression, Statement
    from foretell.transform.directions import Ordered, Vector
    from foretell.transform.program import Region

#: what the user has to accept of sums of floating-point numbers
REORDERED = "the order of additions may change"


def check_order(region: Region, depth: int, reason: Callable[[Ordered, Vector], str]) -> tuple[str, ...]:
    """Refuses where a dependence over `depth` loops would not be kept, for the reason that is given for its vector;
    returns the conditions under which those of sums may be left out."""
    reordered = set[str]()
    sums = _sums(region)
    for dependence in region.dependences(depth):
        if why := next(filter(None, (reason(dependence, vector) for vector in dependence.vectors)), ""):
            if dependence.first.name not in sums:
                raise RefusedError(f"{dependence.text} {why}")
            reordered.add(dependence.first.name)
    return (REORDERED,) if any(sums[name].kind not in ("int", "uint") for name in reordered) else ()


def _sums(region: Region) -> dict[str, ElementType]:
    """Names that all statements only add to, and their types."""
    statements = [one for nest in region.nests for level in nest.levels for one in level]
    return dict(_added(statements, {one.name for one in region.references if one.write}))


def _added(statements: list[Statement], written: Iterable[str]) -> Iterator[tuple[str, ElementType]]:
    every = list(_flat(statements))
    for name in written:
        types = {_added_type(one, name) for one in every if _mentions(one, name)}
        only = types.pop() if len(types) == 1 else None
        if only is not None:
            yield name, only


def _flat(statements: Iterable[Statement]) -> Iterator[Statement | Expression]:
    """Assignments and calls, also those under conditions, and the conditions themselves."""
    for one in statements:
        if isinstance(one, Branch):
            yield one.condition
            yield from _flat((*one.then, *one.other))
        else:
            yield one


def _mentions(one: Statement | Expression, name: str) -> bool:
    match one:
        case Store(target, value):
            return target.array == name or any(_reads(part, name) for part in (value, *target.loads))
        case Set(target, value):
            return target == name or _reads(value, name)
        case Invoke(_, args):
            return any(_reads(part, name) for part in args)
        case Inner(_, _, reads):
            return name in reads
        case Branch():
            return True
        case _:
            return _reads(one, name)


def _reads(value: Expression, name: str) -> bool:
    return any(
        part.array == name if isinstance(part, Ref) else isinstance(part, Var) and part.name == name
        for part in parts(value)
    )


def _added_type(one: Statement | Expression, name: str) -> ElementType | None:
    """The type of what a statement adds something to; none where it uses the name for anything else. A scalar that
    counts is left: it may be in subscripts, which are polynomials."""
    match one:
        case Store(Ref(array, _, kind, loads), value) if array == name:
            return kind if not any(_reads(load, name) for load in loads) and _is_sum(value, one.target) else None
        case Set(target, value, kind) if target == name and kind.kind == "float":
            return kind if _is_sum(value, name) else None
    return None


def _is_sum(value: Expression, target: Ref | str) -> bool:
    """Whether a value is the target and further terms."""
    if isinstance(value, Ref):
        return value == target
    if isinstance(value, Var):
        return value.name == target
    name = target.array if isinstance(target, Ref) else target
    if not isinstance(value, Op) or value.op not in ("+", "-") or len(value.args) != 2:
        return False
    holding = [part for part in value.args if _reads(part, name)]
    allowed = value.args if value.op == "+" else value.args[:1]
    return len(holding) == 1 and any(part is holding[0] for part in allowed) and _is_sum(holding[0], target)
