"""Flat subscripts back to dimensions: `(k*ny + j)*nx + i` is [k][j][i].

The coefficients of the loop variables are reduced to *strides*: one is a multiple of another by a number (a step or a
skew inside one dimension) or by a symbol (a new dimension). What is left, the constant part, is divided by the strides
from the largest down, to the nearest whole number for numeric strides, so that 129 in a row of 130 is (+1, -1).
The result is exact by construction: subscripts times strides give the flat subscript back.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from math import gcd
from typing import TYPE_CHECKING

from foretell.core.symbolic import ONE, ZERO, Atom, Poly, exact_quotient, monomial_quotient, number
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from fractions import Fraction

#: Rows shorter than this are taken for a step (a[4*i + 1]) unless the inner loop's range says otherwise.
SMALLEST_ROW = 5


@record
class Shape:
    """Strides of the recovered dimensions, slowest first; the last is 1, or the width of an interleaved element."""

    strides: tuple[Poly, ...]
    #: elements that lie together (array of structures written out by hand), 1 for none
    components: int = 1


def delinearise(
    flats: Sequence[Poly], variables: Sequence[str], span: Callable[[str], int | None] = lambda _: None
) -> tuple[Shape, list[tuple[Poly, ...]]] | None:
    """Strides and subscripts for flat subscripts that one array is accessed with; None where one is not linear.

    `span` gives the number of different values of a loop variable, where that is known.
    """
    meanings = tuple(
        atom.args
        for flat in flats
        for atom in flat.atoms()
        if isinstance(atom, Atom) and atom.op.endswith(":=")
    )
    return _delinearised(tuple(flats), tuple(variables), tuple(map(span, variables)), meanings)


@lru_cache(maxsize=4096)  # the arrays of one nest are mostly accessed alike
def _delinearised(
    flats: tuple[Poly, ...],
    variables: tuple[str, ...],
    spans: tuple[int | None, ...],
    meanings: tuple[tuple[Poly, ...], ...],  # of named values: their names alone do not tell them apart
) -> tuple[Shape, list[tuple[Poly, ...]]] | None:
    span = dict(zip(variables, spans, strict=True)).get
    wanted = dict.fromkeys(variables)
    parts = [flat.coefficients(wanted) for flat in flats]
    if any(part is None for part in parts):
        return None
    linear = [part for part in parts if part is not None]
    strides = [_primitive(stride, linear) for stride in _strides(linear, variables, span)]
    components = _components(linear, strides)
    if components == 1:  # a numeric last stride is a step inside the row
        strides = [*(strides[:-1] if strides and strides[-1].constant is not None else strides), ONE]
    splitter = _Splitter(strides if components == 1 else [*strides, ONE], components)
    return Shape(tuple(strides), components), [splitter.split(*part) for part in linear]


def _strides(
    parts: list[tuple[dict[str, Poly], Poly]], variables: Sequence[str], span: Callable[[str], int | None]
) -> list[Poly]:
    """The generators of all coefficients, slowest first."""
    order = {name: depth for depth, name in enumerate(variables)}
    depth_of: dict[Poly, int] = {}
    inner_span: dict[Poly, int | None] = {}
    movers = Counter((name, factor) for coefficients, _ in parts for name, factor in coefficients.items())
    for (name, factor), times in movers.items():
        positive = _positive(factor)
        depth_of[positive] = max(depth_of.get(positive, -1), order[name])
        extent = span(name)
        known = inner_span.get(positive, 0)
        inner_span[positive] = None if extent is None or known is None else known + extent * times
    numeric = sorted((c for c in depth_of if c.constant is not None), key=lambda c: c.constant or 0)
    kept = _numeric_strides(numeric, inner_span)
    symbolic = sorted(
        (c for c in depth_of if c.constant is None),
        key=lambda c: (_degree(c), len(c.terms), -depth_of[c], str(c)),
    )
    for candidate in symbolic:
        if not _generated(candidate, kept):
            kept.append(candidate)
    kept.sort(key=lambda c: (-_degree(c), depth_of.get(c, 99), -(c.constant or 0)))
    return kept


def _primitive(stride: Poly, parts: list[tuple[dict[str, Poly], Poly]]) -> Poly:
    """2*nx is two rows of nx, where some reference is an odd number of rows away (a coarse and a fine grid)."""
    content = gcd(*(int(value) for value in stride.terms.values()))
    if stride.constant is not None or content == 1:
        return stride
    lead = max(stride.terms, key=lambda mono: (len(mono), mono))
    odd = any(rest.terms.get(lead, 0) % stride.terms[lead] for _, rest in parts)
    return stride / content if odd else stride


def _positive(poly: Poly) -> Poly:
    lead = max(poly.terms, key=lambda mono: (len(mono), mono))
    return -poly if poly.terms[lead] < 0 else poly


def _degree(poly: Poly) -> int:
    return max((len(mono) for mono in poly.terms), default=0)


def _numeric_strides(numeric: list[Poly], spans: dict[Poly, int | None]) -> list[Poly]:
    """Numeric coefficients that are rows of their own; the others are steps inside a row."""
    kept: list[Poly] = []
    for candidate in numeric:
        value = int(candidate.constant or 1)
        if not kept:
            kept.append(candidate)
            continue
        below = int(kept[-1].constant or 1)
        reach = spans.get(kept[-1])
        row = value // below
        if value % below == 0 and (row >= reach if reach else row >= SMALLEST_ROW):
            kept.append(candidate)
    return kept


def _generated(candidate: Poly, kept: list[Poly]) -> bool:
    """Whether a coefficient is a sum of whole numbers of the strides at hand (a step or a skew)."""
    rest = candidate
    for stride in sorted(kept, key=lambda c: (-_degree(c), -len(c.terms))):
        if stride.constant is not None:
            continue
        ratio = _numeric_ratio(rest, stride)
        rest = rest - stride * ratio
    return rest.constant is not None


def _numeric_ratio(value: Poly, stride: Poly) -> int:
    lead = max(stride.terms, key=lambda mono: (len(mono), mono))
    top = value.terms.get(lead, 0)
    ratio = top / stride.terms[lead] if top else 0
    return int(ratio) if ratio == int(ratio) else 0


def _components(parts: list[tuple[dict[str, Poly], Poly]], strides: list[Poly]) -> int:
    """The width of a hand-written structure: 5 in u[5*(…) + m], where every stride is a multiple of it."""
    if len(strides) < 2:
        return 1
    width = strides[-1].integer
    if width is None or width < 2:
        return 1
    if any(exact_quotient(stride, number(width)) is None for stride in strides):
        return 1
    for _, rest in parts:
        left = rest
        for stride in strides[:-1]:
            left = left - stride * _quotient(left, stride)
        if (
            left.integer is None
            and exact_quotient(left, number(width)) is None
            and not _constant_inside(left, width)
        ):
            return 1
        if left.integer is None and not _constant_inside(left, width):
            return 1
    return width


def _constant_inside(value: Poly, width: int) -> bool:
    return all(c % width == 0 if mono else True for mono, c in value.terms.items() if isinstance(c, int))


class _Splitter:
    """Flat subscripts as subscripts for given strides, of which the last is 1.

    The references of a stencil move alike and differ in their constant parts, so movements are remembered."""

    def __init__(self, strides: list[Poly], components: int) -> None:
        self._strides = strides[:-1]
        self._components = components
        self._moving: dict[tuple[tuple[str, Poly], ...], list[Poly]] = {}

    def split(self, coefficients: dict[str, Poly], rest: Poly) -> tuple[Poly, ...]:
        key = tuple(coefficients.items())
        moving = self._moving.get(key)
        if moving is None:
            moving = self._moving[key] = self._movements(coefficients)
        found: list[Poly] = []
        for position, stride in enumerate(self._strides):
            share = _quotient(rest, stride)
            left = rest - share * stride if share.terms else rest
            if self._components > 1 and position == len(self._strides) - 1:  # a component is 0 … width - 1
                share = share + left.terms.get((), 0) // self._components
                left = rest - share * stride
            rest = left
            found.append(moving[position] + share)
        found.append(moving[-1] + rest)
        return tuple(found)

    def _movements(self, coefficients: dict[str, Poly]) -> list[Poly]:
        """What the loop variables add to each subscript."""
        left = dict(coefficients)
        found: list[Poly] = []
        for stride in self._strides:
            value = ZERO
            for name, coefficient in list(left.items()):
                share = _share(coefficient, stride)
                left[name] = coefficient - share * stride
                value = value + share * Poly({(name,): 1})
            found.append(value)
        last = ZERO
        for name, coefficient in left.items():
            last = last + coefficient * Poly({(name,): 1})
        return [*found, last]


def _share(coefficient: Poly, stride: Poly) -> Poly:
    """How many strides a loop variable moves per step: only whole numbers make it part of that dimension."""
    exact = exact_quotient(coefficient, stride)
    if exact is not None:
        return exact
    if stride.constant is not None:
        return ZERO if coefficient.constant is None else _quotient(coefficient, stride)
    return number(_numeric_ratio(coefficient, stride))


def _quotient(rest: Poly, stride: Poly) -> Poly:
    """The part of a constant that belongs to a dimension."""
    by = stride.integer
    if by is not None:
        return _numeric_quotient(rest, by)
    lead = max(stride.terms, key=lambda mono: (len(mono), mono))
    top = stride.terms[lead]
    quotient: dict[tuple[str, ...], Fraction | int] = {}
    for mono, value in rest.terms.items():
        part = monomial_quotient(mono, lead) if len(mono) >= len(lead) else None
        if part is not None and value % top == 0:
            quotient[part] = value // top
    return Poly(quotient)


def _numeric_quotient(rest: Poly, by: int) -> Poly:
    """Symbols by whole multiples, the number to the nearest."""
    if by == 1:
        return rest
    quotient = Poly({mono: int(c) // by for mono, c in rest.terms.items() if mono and c % by == 0})
    constant = rest.terms.get((), 0)
    nearest = (2 * int(constant) + by) // (2 * by)
    return quotient + nearest


def split_by(
    flats: Sequence[Poly], variables: Sequence[str], strides: list[Poly]
) -> list[tuple[Poly, ...]] | None:
    """Subscripts for strides that are known, slowest first and ending in 1."""
    wanted = dict.fromkeys(variables)
    splitter = _Splitter(strides, 1)
    found: list[tuple[Poly, ...]] = []
    for flat in flats:
        part = flat.coefficients(wanted)
        if part is None:
            return None
        found.append(splitter.split(*part))
    return found
