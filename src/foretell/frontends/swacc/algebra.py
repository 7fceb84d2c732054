"""Builds sizes and counts as text in the language of `core.expression`, from polynomials and from each other."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

from foretell.core.symbolic.poly import Atom

if TYPE_CHECKING:
    from foretell.core.nest.loopnest import Subscript
    from foretell.core.symbolic.poly import Poly

_NUMBER = re.compile(r"\d+")
_ATOMIC = re.compile(r"[\w.]+|(ceil|min|max)\([^()]*\)")


class UnknownSizeError(Exception):
    """A size that depends on data, or that expressions cannot represent."""


def text(poly: Poly) -> str:
    """The text of a polynomial; names become identifiers."""
    terms = [times(*(_atom(atom) for atom in mono), _fraction(coefficient)) for mono, coefficient in poly.terms.items()]
    return plus(*terms)


def _fraction(value: int | Fraction) -> str:
    if isinstance(value, Fraction) and value.denominator != 1:
        return f"({value.numerator}/{value.denominator})"
    return str(value) if value >= 0 else f"({value})"


def _atom(atom: str) -> str:
    if not isinstance(atom, Atom):
        return name(atom)
    if atom.op in ("min", "max") and len(atom.args) == 2:
        return f"{atom.op}({text(atom.args[0])},{text(atom.args[1])})"
    if atom.op in ("floor", "div") and len(atom.args) == 2:
        return f"floor(({text(atom.args[0])})/({text(atom.args[1])}))"
    raise UnknownSizeError(str(atom))


def anywhere(subscript: Subscript) -> bool:
    """Whether a subscript is data-dependent: indirect, not linear, or a value that a loop changes (which the analysis
    marks with an @)."""
    return bool(subscript.index) or subscript.opaque or any("@" in one for one in subscript.offset.symbols())


def name(symbol: str) -> str:
    """The parameter name of a source symbol: `p->n` and `grid%n` contain dots and signs."""
    return re.sub(r"\W", "_", symbol)


def times(*factors: str) -> str:
    """A product."""
    constant, others = 1, []
    for factor in factors:
        if _NUMBER.fullmatch(factor):
            constant *= int(factor)
        else:
            others.append(factor if _ATOMIC.fullmatch(factor) or _wrapped(factor) else f"({factor})")
    if constant == 0 or not others:
        return str(constant)
    return "*".join(others if constant == 1 else [str(constant), *others])


def plus(*terms: str) -> str:
    """A sum."""
    constant, others = 0, []
    for term in terms:
        if _NUMBER.fullmatch(term):
            constant += int(term)
        else:
            others.append(term)
    if constant or not others:
        others.append(str(constant))
    return " + ".join(others)


def ceiling(top: str, bottom: str) -> str:
    """top / bottom, rounded up."""
    return top if bottom == "1" else f"ceil(({top})/({bottom}))"


def when(condition: str, value: str) -> str:
    """`value` if the condition holds, otherwise 1."""
    return "1" if value == "1" else f"(1 + ({condition})*({value} - 1))"


def _wrapped(factor: str) -> bool:
    """Whether one pair of parentheses encloses the whole factor."""
    if not factor.startswith("(") or not factor.endswith(")"):
        return False
    depth = 0
    for place, letter in enumerate(factor):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if depth == 0 and place < len(factor) - 1:
            return False
    return True
