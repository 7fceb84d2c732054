"""Conditions as indicators: 1 where they hold, 0 where they do not, exact for integers."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from foretell.core.symbolic.poly import ONE, ZERO, Atom, Poly, at_least_zero, is_zero

if TYPE_CHECKING:
    from foretell.frontends.analysis.walk.state import State, Value


#: Conjunctions and disjunctions of more comparisons than this are not simplified.
MAX_BITS = 6


def truth(op: str, a: Value, b: Value) -> Poly | None:
    """The indicator of a comparison or connective; None where it depends on floating-point data."""
    known = [value.constant for value in (a, b) if isinstance(value, Poly)]
    if op == "&&" and 0 in known:
        return ZERO
    if op == "||" and any(known):
        return ONE
    if not isinstance(a, Poly) or not isinstance(b, Poly):
        return None
    match op:
        case "<" | "<=":
            return at_least_zero(b - a - (op == "<"))
        case ">" | ">=":
            return at_least_zero(a - b - (op == ">"))
        case "==" | "!=":
            return is_zero(a - b) if op == "==" else ONE - is_zero(a - b)
        case "&&":
            return nonzero(a) * nonzero(b)
        case "||":
            return ONE - (ONE - nonzero(a)) * (ONE - nonzero(b))
    return None


def nonzero(value: Poly) -> Poly:
    """The indicator that an integer is not zero; the value itself if it is an indicator."""
    return value if is_indicator(value) else ONE - is_zero(value)


def is_indicator(value: Poly) -> bool:
    """Whether a value is known to be 0 or 1."""
    constant = value.constant
    if constant is not None:
        return constant in (0, 1)
    atoms = sorted(value.atoms())
    if len(atoms) > MAX_BITS or not all(_is_bit(atom) for atom in atoms):
        return False
    return all(
        value.evaluate(dict(zip(atoms, bits, strict=True))) in (0, 1) for bits in product((0, 1), repeat=len(atoms))
    )


def _is_bit(atom: str) -> bool:
    return isinstance(atom, Atom) and (atom.op in ("ge", "eq") or (atom.op == "mod" and atom.args[1] == 2))


def decided(state: State, test: Value) -> bool | None:
    """The truth of a condition, if constants and the values given by the user determine it."""
    if not isinstance(test, Poly):
        return None
    known = test.substitute(state.given).constant if state.given else test.constant
    return None if known is None else bool(known)


def indicator(state: State, test: Value) -> Poly | None:
    """The indicator of a condition; None where it depends on the contents of memory or on unknown values."""
    if not isinstance(test, Poly) or has_element(test) or not test.symbols().isdisjoint(state.data):
        return None
    return nonzero(test)


def has_element(value: Poly) -> bool:
    """Whether a value contains a memory load."""
    atoms = (atom for atom in value.atoms() if isinstance(atom, Atom))
    return any(atom.op.endswith("[]") or any(map(has_element, atom.args)) for atom in atoms)
