"""Prints polynomials in one canonical form."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

Number = int | Fraction
Monomial = tuple[str, ...]


def render(terms: Mapping[Monomial, Number]) -> str:
    """Highest degree first, then alphabetical; `2*i + n - 1`, `n**2/2`."""
    if not terms:
        return "0"
    parts: list[str] = []
    for mono in sorted(terms, key=lambda m: (-len(m), m)):
        value = terms[mono]
        sign = "-" if value < 0 else "+"
        text = _render_term(mono, -value if value < 0 else value)
        parts.append(f" {sign} {text}" if parts else f"-{text}" if value < 0 else text)
    return "".join(parts)


def _render_term(mono: Monomial, value: Number) -> str:
    top, bottom = (value.numerator, value.denominator) if isinstance(value, Fraction) else (value, 1)
    factors = [str(top)] if top != 1 or not mono else []
    for atom in dict.fromkeys(mono):
        power = mono.count(atom)
        factors.append(str(atom) if power == 1 else f"{atom}**{power}")
    return "*".join(factors) + (f"/{bottom}" if bottom != 1 else "")
