"""Decides by isl whether linear inequalities have a solution in whole numbers: what elimination over fractions
(`feasible`) cannot tell, since loops take steps and subscripts have quotients and remainders.

    i, j = symbol("i"), symbol("j")
    has_integer_point([i - j - 1, j - i + 1], [(i, 4), (j, 4)])     # i = j + 1, both multiples of 4: False

A product of symbols counts as a separate symbol, so «no» is always right; «yes» is said where isl is not installed, or
gives up.
"""

from __future__ import annotations

import importlib.util
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

from foretell.core.symbolic.poly import Atom

if TYPE_CHECKING:
    from collections.abc import Iterable

    from foretell.core.symbolic.poly import Poly

#: isl gives up after this many steps
_MOST_OPERATIONS = 100_000
_QUOTIENTS, _REMAINDERS = ("floor", "div"), ("mod", "rem")


@cache
def is_installed() -> bool:
    """Whether islpy is there, of the extra `loops`."""
    return importlib.util.find_spec("islpy") is not None


def is_quotient(atom: str) -> bool:
    """Whether an atom is a quotient or remainder by a positive number, of plain symbols. Those of C (`div`, `rem`) are
    rounded towards zero: isl's are the same where they are not negative."""
    if not isinstance(atom, Atom) or atom.op not in (*_QUOTIENTS, *_REMAINDERS):
        return False
    return (atom.args[1].integer or 0) > 0 and not any(isinstance(one, Atom) for one in atom.args[0].atoms())


def has_integer_point(at_least_zero: Iterable[Poly], multiples: Iterable[tuple[Poly, int]] = ()) -> bool:
    """Whether whole numbers make every polynomial at least 0, and these polynomials multiples of their numbers."""
    if not is_installed():
        return True
    names: dict[object, str] = {}
    conditions = [f"{_written(one, names)} >= 0" for one in at_least_zero]
    conditions += [f"({_written(one, names)}) mod {by} = 0" for one, by in multiples]
    listed = ", ".join(names.values())
    return _has_points(f"{{ [{listed}] : {' and '.join(conditions) or 'true'} }}")


def _written(poly: Poly, names: dict[object, str]) -> str:
    """A polynomial in isl's syntax; what is not linear has a name of its own."""
    scale = 1
    for value in poly.terms.values():
        scale *= value.denominator if isinstance(value, Fraction) else 1
    terms = [
        f"{value * scale}*{_term(mono, names)}" if mono else str(value * scale) for mono, value in poly.terms.items()
    ]
    return " + ".join(terms) or "0"


def _term(mono: tuple[str, ...], names: dict[object, str]) -> str:
    atom = mono[0]
    if len(mono) == 1 and isinstance(atom, Atom) and is_quotient(atom):
        inner, by = _written(atom.args[0], names), atom.args[1].integer
        return f"(({inner}) mod {by})" if atom.op in _REMAINDERS else f"floor(({inner})/{by})"
    return names.setdefault(mono, f"v{len(names)}")


def _has_points(text: str) -> bool:
    import islpy

    context: Any = islpy.Context()
    context.set_max_operations(_MOST_OPERATIONS)
    try:
        return not islpy.Set.read_from_str(context, text).is_empty()
    except islpy.Error:
        return True
