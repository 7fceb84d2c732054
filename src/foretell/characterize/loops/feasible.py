"""Decides the feasibility of linear inequalities by Fourier-Motzkin elimination, sufficient for a few loops.

    i, j = symbol("i"), symbol("j")
    feasible([j - i - 1, i - j])        # j > i and i >= j: False

Each polynomial represents «not negative». A product of symbols counts as a separate symbol and solutions are rational,
so «no» is always right; «yes» may be wrong where only fractions fit.
"""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING, Any

from foretell.core.symbolic.poly import Atom, Poly

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from foretell.core.nest.loopnest import Loop
    from foretell.core.symbolic.ops import Monomial, Number

#: Systems that grow beyond this are assumed feasible.
MAX_CONSTRAINTS = 300

#: coefficients without the constant, which is stored separately: of two rows that differ only in it, the smaller one is
#: the tighter
_Row = tuple[tuple[tuple[str, ...], Any], ...]


def feasible(constraints: Iterable[Poly]) -> bool:
    """Whether some values of the symbols make every polynomial at least 0."""
    rows: dict[_Row, Number] = {}
    if not all(_keep(rows, one) for one in constraints):
        return False
    while rows:
        if len(rows) > MAX_CONSTRAINTS:
            return True
        unknown = _cheapest(rows)
        above: list[tuple[Poly, Number]] = []
        below: list[tuple[Poly, Number]] = []
        rest: dict[_Row, Number] = {}
        for row, constant in rows.items():
            factor = dict(row).get(unknown)
            if factor:
                (above if factor > 0 else below).append((Poly(dict(row)) + constant, abs(factor)))
            else:
                rest[row] = constant
        rows = rest
        if not all(_keep(rows, p * b + q * a) for p, a in above for q, b in below):
            return False
    return True


def _keep(rows: dict[_Row, Number], poly: Poly) -> bool:
    """Adds an inequality, tightened for integers; False if it cannot hold."""
    terms = {mono: value for mono, value in poly.terms.items() if mono}
    constant = poly.terms.get((), 0)
    if not terms:
        return constant >= 0
    if all(isinstance(value, int) for value in terms.values()):
        divisor = gcd(*(int(value) for value in terms.values()))
        terms = {mono: value // divisor for mono, value in terms.items()}
        constant = constant // divisor
    row = tuple(sorted(terms.items()))
    rows[row] = min(rows.get(row, constant), constant)
    return True


def _cheapest(rows: dict[_Row, Number]) -> Monomial:
    """The unknown whose elimination adds the fewest inequalities."""
    signs: dict[Monomial, list[int]] = {}
    for row in rows:
        for mono, factor in row:
            signs.setdefault(mono, [0, 0])[factor > 0] += 1
    return min(signs, key=lambda mono: (signs[mono][0] * signs[mono][1], mono))


def inside(loop: Loop) -> Iterator[Poly]:
    """Constraints on the variable of a loop inside its body."""
    step = loop.step.integer
    if not step or not loop.counted:
        return
    variable = Poly({(loop.variable,): 1})
    low, high = (loop.lower, loop.upper) if step > 0 else (loop.upper, loop.lower)
    for bound in alternatives(low, "max"):
        yield variable - bound
    for bound in alternatives(high, "min"):
        yield bound - variable


def alternatives(bound: Poly, op: str) -> list[Poly]:
    """Arguments of a bound that hold simultaneously: of max(a, b) + c as a lower bound, or of min as an upper one."""
    for atom in bound.atoms():
        if isinstance(atom, Atom) and atom.op == op and bound.terms.get((atom,)) == 1:
            rest = bound - Poly({(atom,): 1})
            return [argument + rest for argument in atom.args]
    return [bound]
