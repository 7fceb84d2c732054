"""Ranges of bounds and trip counts over the iteration space of the outer loops: a loop may be empty.

Closed forms of sums are valid for non-negative trip counts. An inner loop whose trip count depends on an outer variable
(`for (j = i; j < m; j++)`) may be empty for some outer iterations; unless that is excluded, its sum is multiplied
by the indicator that it runs. Loops whose trip counts depend on parameters alone are assumed to run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.core.symbolic.poly import ONE, ZERO, Atom, Poly, at_least_zero, maximum
from foretell.core.symbolic.sums import sum_over, trip_count

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from foretell.frontends.analysis.walk.state import LoopItem

#: Alternatives of min and max that are examined before a proof is abandoned.
MAX_CASES = 64
_UNDERSTOOD = ("min", "max", "floor", "mod", "div", "rem")


def trips(count: Poly, around: Sequence[LoopItem]) -> Poly:
    """A trip count, clamped to 0 where the variables of the outer loops may make it negative."""
    return count if _runs(count, around) else maximum(ZERO, count)


def summed(body: Poly, loop: LoopItem, around: Sequence[LoopItem]) -> Poly:
    """`body` summed over the iterations of a loop."""
    if not loop.counted:
        return body * loop.trips
    total = sum_over(body, loop.variable, loop.lower, loop.upper, loop.step)
    count = trip_count(loop.lower, loop.upper, loop.step)
    safe = _runs(count, around) and (not _chooses(body, loop.variable) or _is_positive(count, around))
    return total if safe else total * at_least_zero(count - 1)


def _chooses(body: Poly, variable: str) -> bool:
    """Whether an equality selects one iteration, which an empty loop does not have."""
    return any(isinstance(atom, Atom) and atom.op == "eq" and _uses(atom, (variable,)) for atom in body.atoms())


def _runs(count: Poly, around: Sequence[LoopItem]) -> bool:
    """Whether a trip count is never negative, or its sign cannot be analysed."""
    variables = tuple(loop.variable for loop in around)
    if not count.depends_on(variables) or not _understood(count, variables):
        return True
    return _Proof(around).holds(count)


def _is_positive(count: Poly, around: Sequence[LoopItem]) -> bool:
    """Whether a loop has at least one iteration, or its trip count cannot be analysed."""
    variables = tuple(loop.variable for loop in around)
    return not _understood(count, variables) or _Proof(around).holds(count - 1)


def _uses(atom: Atom, variables: Iterable[str]) -> bool:
    return any(argument.depends_on(variables) for argument in atom.args)


def _understood(value: Poly, variables: tuple[str, ...]) -> bool:
    """Whether loop variables occur only in polynomials, minima, maxima and quotients, not in subscripts."""
    for atom in value.atoms():
        if not isinstance(atom, Atom) or not _uses(atom, variables):
            continue
        if atom.op not in _UNDERSTOOD or not all(_understood(arg, variables) for arg in atom.args):
            return False
    return True


class _Proof:
    """Proves that a value is not negative, for arbitrarily large parameters."""

    def __init__(self, around: Sequence[LoopItem]) -> None:
        self._around = around
        self._cases = 0

    def holds(self, value: Poly) -> bool:
        self._cases += 1
        if self._cases > MAX_CASES:
            return False
        for atom in value.atoms():
            if isinstance(atom, Atom) and atom.op in _UNDERSTOOD:
                parts = value.coefficients((atom,))
                times = parts[0].get(atom, ZERO).constant if parts is not None else None
                if not times:
                    return False
                chosen = [value.substitute({atom: bound}) for bound in _bounds(atom, rising=times > 0)]
                is_all = (atom.op == "min") == (times > 0)
                return bool(chosen) and (all if is_all else any)(map(self.holds, chosen))
        return self._eliminated(value)

    def _eliminated(self, value: Poly) -> bool:
        """The value with every loop variable at the end of its range that minimises it, inner loops first."""
        for loop in reversed(self._around):
            if not value.depends_on((loop.variable,)):
                continue
            parts = value.coefficients((loop.variable,))
            slope = parts[0][loop.variable].constant if parts is not None else None
            upwards = (loop.step.constant or 1) > 0
            if slope is None or not loop.counted:
                return False
            end = loop.lower if (slope > 0) == upwards else loop.upper
            return self.holds(value.substitute({loop.variable: end}))
        grows = [value.terms[mono] for mono in value.terms if mono]
        return all(term > 0 for term in grows) if grows else (value.constant or 0) >= 0


def _bounds(atom: Atom, *, rising: bool) -> list[Poly]:
    """Lower bounds of an atom (upper bounds if its coefficient is negative): all or any of these."""
    if atom.op in ("min", "max"):
        return list(atom.args)
    value, divisor = atom.args
    by = divisor.integer
    if by is None or by <= 0:
        return []
    if atom.op == "floor":
        return [(value - by + 1) / by if rising else value / by]
    if atom.op == "div":  # truncates towards zero
        return [(value - by + 1) / by if rising else (value + by - 1) / by]
    below = ZERO if atom.op == "mod" else ONE - by
    return [below if rising else ONE * (by - 1)]
