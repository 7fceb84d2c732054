"""Counted while loops: their trip count and induction variable."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.core.symbolic.poly import ZERO, Poly, apply, floor_div, minimum, number
from foretell.frontends.analysis.loops import geometric
from foretell.frontends.analysis.walk.arithmetic import distance_between
from foretell.frontends.analysis.walk.expressions import evaluate
from foretell.frontends.analysis.walk.state import Address, State, Sub, Value
from foretell.frontends.source import ir
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator

_NOTHING = ir.Const(0, ir.INT)
_COMPARISONS = ("<", "<=", ">", ">=", "!=")


def comparisons(condition: ir.Expr) -> Iterator[ir.Binary]:
    """The comparisons that must all hold for the loop to continue; `while (n)` is n != 0."""
    if isinstance(condition, ir.Binary) and condition.op == "&&":
        yield from comparisons(condition.left)
        yield from comparisons(condition.right)
    elif isinstance(condition, ir.Binary) and condition.op in _COMPARISONS:
        yield condition
    elif isinstance(condition, ir.Name | ir.Index | ir.Member):
        yield ir.Binary("!=", condition, _NOTHING)


@record
class Count:
    """The trip count of a while loop: until the first analysable comparison fails."""

    test: ir.Binary
    trips: Poly
    #: whether another condition may end the loop earlier
    is_bound: bool


def count(state: State, loop: ir.While, counter: str) -> Count | None:
    """The iterations until the condition fails, if they can be determined."""
    tests = list(comparisons(loop.condition))
    known = [(test, n) for test in tests if (n := _trips(state, test, counter, loop.line)) is not None]
    if not known:
        return None
    is_bound = _parts(loop.condition) > len(known)
    return Count(known[0][0], minimum(*(n for _, n in known)), is_bound)


def _parts(condition: ir.Expr) -> int:
    if isinstance(condition, ir.Binary) and condition.op == "&&":
        return _parts(condition.left) + _parts(condition.right)
    return 1


def _trips(state: State, one: ir.Binary, counter: str, line: int) -> Poly | None:
    left, right = (evaluate(state, side, line)[1] for side in (one.left, one.right))
    op: str = one.op
    if isinstance(left, Poly) and isinstance(right, Poly):
        doubling = geometric.trips(op, left, right, counter)
        if doubling is not None:
            return doubling
        distance: Value = right - left
    else:
        distance = distance_between(left, right)
    if not isinstance(distance, Poly):
        return None
    if op in (">", ">="):
        distance = -distance
    linear = distance.coefficients((counter,))
    slope = linear[0].get(counter, ZERO).integer if linear is not None else None
    if linear is None:
        return _trips_of_square(distance, counter, strict=op in ("<", ">"))
    if not slope:
        return None
    start = linear[1]
    if op == "!=" and slope > 0:
        start, slope = -start, -slope
    return None if slope > 0 else floor_div(start if op in ("<=", ">=") else start - 1, -slope) + 1


def _trips_of_square(distance: Poly, counter: str, *, strict: bool) -> Poly | None:
    """The trip count of `i * i < n`: while c - b t - a t² is positive, or not negative, with a > 0 and b >= 0."""
    parts = [ZERO, ZERO, ZERO]
    for mono, value in distance.terms.items():
        rest = tuple(atom for atom in mono if atom != counter)
        power = len(mono) - len(rest)
        if power > 2 or Poly({rest: value}).depends_on((counter,)):
            return None
        parts[power] += Poly({rest: value})
    first, b, a = parts[0] - strict, (-parts[1]).integer, (-parts[2]).integer
    if a is None or b is None or a <= 0 or b < 0:
        return None
    root = apply("isqrt", (first * (4 * a) + b * b,))
    return floor_div(root - b, number(2 * a)) + 1


def substituted(value: Value, recount: dict[str, Poly]) -> Value:
    """A value, rewritten for another numbering of the iterations."""
    if isinstance(value, Poly):
        return value.substitute(recount)
    if isinstance(value, Address):
        path = tuple(
            Sub(part.value.substitute(recount), part.extent, part.lower, part.moved) if isinstance(part, Sub) else part
            for part in value.path
        )
        return Address(path, value.target)
    return value
