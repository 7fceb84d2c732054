"""Exact sums of polynomials over loops: trip counts of triangles, tiles, conditions and sparse rows.

    sum_over(n - symbol("i"), "i", number(0), n - 1)      # n**2/2 + n/2

Closed forms hold where the trip count is >= 0 (the loop runs, or ends just before it starts). A sum without closed form
remains a `sum` atom, which is exact when evaluated.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate, repeat
from operator import mul
from typing import TYPE_CHECKING

from foretell.core.symbolic.ops import faulhaber, is_array
from foretell.core.symbolic.poly import (
    EVALUATE,
    ONE,
    SUBSTITUTE,
    ZERO,
    Atom,
    Poly,
    PolyLike,
    as_poly,
    at_least_zero,
    atom_named,
    atom_symbols,
    floor_div,
    is_zero,
    maximum,
    minimum,
    number,
    symbol,
    tidy,
    unnamed,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from foretell.core.symbolic.ops import Monomial, Number, Value

#: maximum number of memoised values of a sum
_KEPT = 1 << 14


def _power_sum(power: int, upper: Poly) -> Poly:
    powers = accumulate(repeat(upper, power + 1), mul, initial=ONE)
    return sum((value * number(factor) for value, factor in zip(powers, faulhaber(power), strict=True) if factor), ZERO)


def trip_count(lower: Poly, upper: Poly, step: Poly) -> Poly:
    """Computes the trip count of `lower … upper` by `step`, valid where it is not negative (see `LoopNest.guards`); 0
    where the bounds are known to have crossed."""
    count = upper - lower + 1 if step == ONE else floor_div(upper - lower, step) + 1
    known = count.constant
    return ZERO if known is not None and known < 0 else count


def sum_over(body: Poly, variable: str, lower: Poly, upper: Poly, step: PolyLike = 1) -> Poly:
    """Sums `body` over variable = lower, lower + step, … up to upper.

    Exact where the trip count is >= 0 (the loop runs, or ends just before it starts). A body with the variable inside
    an opaque atom gives an opaque `sum`, which is still exact when evaluated.
    """
    step = as_poly(step)
    trips = trip_count(lower, upper, step)
    if trips == ZERO or not body.depends_on((variable,)):
        return body * trips
    by_power = _powers(body, variable)
    if by_power is None:
        return _opaque_sum(body, variable, lower, upper, step)
    if step != 1:  # variable = lower + step * t
        hidden = "t'"
        moved = body.substitute({variable: lower + step * symbol(hidden)})
        return sum_over(moved, hidden, ZERO, trips - 1)
    total = ZERO
    for power, coefficient in by_power.items():
        total = total + coefficient * (_power_sum(power, upper) - _power_sum(power, lower - 1))
    return total


def _powers(body: Poly, variable: str) -> dict[int, Poly] | None:
    """Decomposes body by powers of the variable; None where the variable is inside an opaque atom."""
    found: dict[int, dict[Monomial, Number]] = {}
    for mono, value in body.terms.items():
        rest = tuple(atom for atom in mono if atom != variable)
        if any(isinstance(atom, Atom) and variable in atom_symbols(atom) for atom in rest):
            return None
        found.setdefault(len(mono) - len(rest), {})[rest] = value
    return {power: Poly(terms) for power, terms in found.items()}


def _opaque_sum(body: Poly, variable: str, lower: Poly, upper: Poly, step: Poly) -> Poly:
    """Sums a body with the variable inside atoms: in closed form for tiles and conditions, else opaque."""
    written_out = unnamed(body, variable)
    if written_out is not body:  # the name of a value that changes in the loop is undefined outside it
        return sum_over(written_out, variable, lower, upper, step)
    tiled = _tiled(body, variable, lower, upper, step)
    if tiled is not None:
        return tiled
    if step == 1:
        chosen, rest = _conditional(body, variable, lower, upper)
        if chosen is not None:
            return chosen + (sum_over(rest, variable, lower, upper) if rest.terms else ZERO)
    return _telescoped(body, variable, lower, upper, step)


def _tiled(body: Poly, variable: str, lower: Poly, upper: Poly, step: Poly) -> Poly | None:
    """min(v + B, end) - v summed over the tiles v = lower, lower + B, … is end - lower."""
    for atom in body.atoms():
        if not isinstance(atom, Atom) or atom.op != "min" or len(atom.args) != 2:
            continue
        for near, far in (atom.args, atom.args[::-1]):
            shift = near - symbol(variable) - step
            if shift.depends_on((variable,)) or far - shift != upper + 1:
                continue
            parts = body.coefficients((atom,))
            if parts is None or parts[0][atom].depends_on((variable,)):
                continue
            times = parts[0][atom]
            rest = parts[1] + (symbol(variable) + shift) * times
            whole = times * (upper + 1 - lower)
            return whole + (sum_over(rest, variable, lower, upper, step) if rest.terms else ZERO)
    return None


def _conditional(body: Poly, variable: str, lower: Poly, upper: Poly) -> tuple[Poly | None, Poly]:
    """Sums the terms whose conditions involve only the variable; returns that sum and the other terms."""
    counted: Poly | None = None
    others: dict[Monomial, Number] = {}
    for mono, value in body.terms.items():
        part = _conditional_term(mono, value, variable, lower, upper) if _hidden(mono, variable) else None
        if part is None:
            others[mono] = value
        else:
            counted = part if counted is None else counted + part
    return counted, Poly(others)


def _conditional_term(mono: Monomial, value: Number, variable: str, lower: Poly, upper: Poly) -> Poly | None:
    """Sums a power of the variable where a product of comparisons of it holds; valid where the loop runs at all."""
    rest = number(value)
    power = 0
    low, high = [lower], [upper]
    equal: list[Poly] = []
    for atom in mono:
        if atom == variable:
            power += 1
            continue
        if not isinstance(atom, Atom) or variable not in atom_symbols(atom):
            rest = rest * Poly({(atom,): 1})
            continue
        linear = atom.args[0].coefficients((variable,)) if atom.op in ("ge", "eq") else None
        slope = linear[0].get(variable, ZERO).constant if linear is not None else None
        if linear is None or slope not in (1, -1):
            return None
        edge = -linear[1] if slope == 1 else linear[1]  # value of the variable where the argument is 0
        (equal if atom.op == "eq" else low if slope == 1 else high).append(edge)
    if not equal:
        return rest * _narrowed(power, maximum(*low), minimum(*high))
    point = equal[0]
    rest = rest * point**power
    for edge in equal[1:]:
        rest = rest * is_zero(point - edge)
    if point not in (lower, upper):
        rest = rest * at_least_zero(point - lower) * at_least_zero(upper - point)
    for edge in low[1:]:
        rest = rest * at_least_zero(point - edge)
    for edge in high[1:]:
        rest = rest * at_least_zero(edge - point)
    return rest


def _narrowed(power: int, low: Poly, high: Poly) -> Poly:
    """Sums a power over a range that may be empty."""
    if not power:
        return maximum(ZERO, high - low + 1)
    return (_power_sum(power, high) - _power_sum(power, low - 1)) * at_least_zero(high - low)


def _telescoped(body: Poly, variable: str, lower: Poly, upper: Poly, step: Poly) -> Poly:
    """ptr[i+1] - ptr[i] summed over i is ptr[upper+1] - ptr[lower] (the rows of a sparse matrix)."""
    if step == 1:
        shifted = {variable: symbol(variable) + 1}
        for mono, value in body.terms.items():
            if len(mono) != 1 or value != 1 or not isinstance(mono[0], Atom) or not mono[0].op.endswith("[]"):
                continue
            ahead = Poly({mono: 1})
            behind = next(
                (Poly({m: 1}) for m, c in body.terms.items() if c == -1 and Poly({m: 1}).substitute(shifted) == ahead),
                None,
            )
            if behind is not None:
                ends = ahead.substitute({variable: upper}) - behind.substitute({variable: lower})
                return ends + sum_over(body - ahead + behind, variable, lower, upper, step)
    easy = Poly({m: c for m, c in body.terms.items() if not _hidden(m, variable)})
    hard = body - easy
    closed = sum_over(easy, variable, lower, upper, step) if easy.terms else ZERO
    return closed + Poly({(atom_named("sum", (hard, symbol(variable), lower, upper, step)),): 1})


def _hidden(mono: Monomial, variable: str) -> bool:
    return any(isinstance(atom, Atom) and variable in atom_symbols(atom) for atom in mono)


def _sum_substituted(atom: Atom, values: Mapping[str, Poly]) -> Poly:
    inner, variable, *bounds = atom.args
    free = {name: value for name, value in values.items() if name != str(variable)}
    low, high, step = (bound.substitute(values) for bound in bounds)
    return sum_over(inner.substitute(free), str(variable), low, high, step)


def sum_value(atom: Atom, values: Mapping[str, Value]) -> Value:
    """Evaluates a `sum` atom at given symbols, term by term."""
    inner, variable, low, high, step = atom.args
    name = str(variable)
    bounds = (low.evaluate(values), high.evaluate(values), step.evaluate(values))
    if any(map(is_array, bounds)) or any(map(is_array, values.values())):
        return _sum_values(atom, values)
    import numpy as np

    first, last, by = (int(bound) for bound in bounds)
    points = np.arange(first, last + (1 if by > 0 else -1), by, dtype=np.int64)
    if not points.size:
        return 0
    terms = inner.evaluate({**values, name: points})
    total = terms.sum() if is_array(terms) else terms * points.size
    return tidy(total) if isinstance(total, Fraction) else int(total)


def _sum_values(atom: Atom, values: Mapping[str, Value]) -> Value:
    """Evaluates a sum at arrays of parameters, exactly and once per distinct point."""
    import numpy as np

    used = {name: v for name, v in values.items() if name in atom.symbols or not (is_array(v) and name.isidentifier())}
    arrays = {name: value for name, value in used.items() if is_array(value)}
    if not arrays:
        return sum_value(atom, used)
    fixed = {name: value for name, value in used.items() if name not in arrays}
    shaped = np.broadcast_arrays(*arrays.values())
    points, where = np.unique([array.ravel() for array in shaped], axis=1, return_inverse=True)
    totals = [_total(atom, {**fixed, **dict(zip(arrays, point, strict=True))}) for point in points.T.tolist()]
    return np.array(totals)[where.ravel()].reshape(shaped[0].shape)


def _total(atom: Atom, values: Mapping[str, Value]) -> Value:
    """Evaluates a sum at one point, memoised for other expressions that contain it."""
    key = (*values, *values.values())
    if key not in atom.totals:
        if len(atom.totals) >= _KEPT:
            atom.totals.clear()
        atom.totals[key] = sum_value(atom, values)
    return atom.totals[key]


SUBSTITUTE["sum"], EVALUATE["sum"] = _sum_substituted, sum_value
