"""Delinearises flat subscripts: `(k*ny + j)*nx + i` is [k][j][i].

The coefficients of the loop variables are reduced to *strides*: one is a multiple of another by a number (a step or a
skew inside one dimension) or by a symbol (a new dimension). The remaining constant part is divided by the strides
from the largest down, rounded to the nearest whole number for numeric strides, so that 129 in a row of 130 is (+1, -1).
The result is exact by construction: the sum of subscripts times strides is the flat subscript.
"""

from __future__ import annotations

from collections.abc import Callable
from math import gcd
from typing import TYPE_CHECKING

from foretell.core.symbolic.ops import Monomial, Number
from foretell.core.symbolic.poly import ONE, Atom, Poly, atom_symbols, exact_quotient, monomial_quotient, number
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Rows shorter than this are assumed to be a step (a[4*i + 1]) unless the inner loop's range contradicts.
SMALLEST_ROW = 5

Terms = dict[Monomial, Number]
#: coefficients of loop variables
Movement = dict[str, Poly]
Bounds = Callable[[str], "tuple[int, int] | None"]


@record
class Shape:
    """Strides of the recovered dimensions, slowest first; the last is 1, or the width of an interleaved element."""

    strides: tuple[Poly, ...]
    #: components of an interleaved element (hand-written array of structures), 1 for none
    components: int = 1


def delinearise(
    flats: Sequence[Poly], variables: Sequence[str], bounds: Bounds = lambda _: None
) -> tuple[Shape, list[tuple[Poly, ...]]] | None:
    """Strides and subscripts for the flat subscripts of one array; None where one is not linear.

    `bounds` gives the range of a loop variable, where known.
    """
    parts = _decomposed(flats, dict.fromkeys(variables))
    if parts is None:
        return None
    movements, rests = parts
    strides = [_primitive(one, rests) for one in _strides(_distinct(movements), variables, bounds)]
    components = _components(movements, rests, strides)
    if components == 1:  # a numeric last stride is a step inside the row
        strides = [*(strides[:-1] if strides and strides[-1].constant is not None else strides), ONE]
    while True:
        splitter = _Splitter(strides if components == 1 else [*strides, ONE], components, bounds)
        found = list(map(splitter.split, movements, rests))
        overrun = _overrun(strides, found, bounds)
        if overrun is None:
            return Shape(tuple(strides), components), found
        strides.remove(overrun)


def _overrun(strides: list[Poly], indices: list[tuple[Poly, ...]], bounds: Bounds) -> Poly | None:
    """A numeric stride that is not a row length: the subscripts inside it take more values than it has elements, so
    that two of them would alias."""
    for position in range(1, len(strides)):
        outer, inner = strides[position - 1].integer, strides[position].integer
        if outer is None or inner is None:
            continue
        ranges = [_range(value, bounds) for value in {one[position] for one in indices}]
        known = [one for one in ranges if one is not None]
        if len(known) == len(ranges) and max(b for _, b in known) - min(a for a, _ in known) >= outer // inner:
            return strides[position - 1]
    return None


def _range(value: Poly, bounds: Bounds) -> tuple[int, int] | None:
    """The range of a subscript; None where a symbol in it has no known bounds."""
    low = high = 0
    for mono, factor in value.terms.items():
        ends = (1, 1) if not mono else bounds(mono[0]) if len(mono) == 1 else None
        if ends is None:
            return None
        low += int(min(factor * ends[0], factor * ends[1]))
        high += int(max(factor * ends[0], factor * ends[1]))
    return low, high


def split_by(flats: Sequence[Poly], variables: Sequence[str], strides: list[Poly]) -> list[tuple[Poly, ...]] | None:
    """Subscripts for known strides, slowest first and ending in 1."""
    parts = _decomposed(flats, dict.fromkeys(variables))
    return None if parts is None else list(map(_Splitter(strides, 1, lambda _: None).split, *parts))


# ---------------------------------------------------------------------------------------------- decomposition


def _decomposed(flats: Sequence[Poly], variables: dict[str, None]) -> tuple[list[Movement], list[Terms]] | None:
    """Splits each subscript into its coefficients of loop variables and the rest. The references of a stencil have
    equal coefficients and differ in the rest: equal coefficients are one object."""
    positions: dict[Monomial, int | None] = {}
    known: dict[frozenset[tuple[Monomial, Number]], Movement] = {}
    movements: list[Movement] = []
    rests: list[Terms] = []
    for flat in flats:
        moving = []
        rest = {}
        for mono, value in flat.terms.items():
            if mono not in positions:
                position = positions[mono] = _variable_position(mono, variables)
                if position is None:
                    return None
            if positions[mono] == _NO_VARIABLE:
                rest[mono] = value
            else:
                moving.append((mono, value))
        key = frozenset(moving)
        if key not in known:
            known[key] = _movement(moving, positions)
        movements.append(known[key])
        rests.append(rest)
    return movements, rests


_NO_VARIABLE = -1


def _variable_position(mono: Monomial, variables: dict[str, None]) -> int | None:
    """The index of the loop variable in a monomial, or _NO_VARIABLE; None where the monomial is not linear in them."""
    positions = [position for position, atom in enumerate(mono) if atom in variables]
    if len(positions) > 1:
        return None
    inside = (
        not atom_symbols(atom).isdisjoint(variables)
        for atom in mono
        if isinstance(atom, Atom) and atom not in variables
    )
    return None if any(inside) else positions[0] if positions else _NO_VARIABLE


def _movement(moving: list[tuple[Monomial, Number]], positions: dict[Monomial, int | None]) -> Movement:
    parts: dict[str, Terms] = {}
    for mono, value in moving:
        at = positions[mono]
        assert at is not None
        parts.setdefault(mono[at], {})[mono[:at] + mono[at + 1 :]] = value
    return {name: Poly(terms) for name, terms in parts.items()}


def _distinct(movements: list[Movement]) -> list[Movement]:
    return list({id(one): one for one in movements}.values())


# ---------------------------------------------------------------------------------------------- strides


def _strides(movements: list[Movement], variables: Sequence[str], bounds: Bounds) -> list[Poly]:
    """The generators of all coefficients, slowest first."""
    order = {name: depth for depth, name in enumerate(variables)}
    depth_of: dict[Poly, int] = {}
    for movement in movements:
        for name, factor in movement.items():
            positive = _positive(factor)
            depth_of[positive] = max(depth_of.get(positive, -1), order[name])
    numeric = sorted(value for c in depth_of if (value := c.integer))
    kept = _numeric_strides(numeric, movements, bounds)
    symbolic = sorted(
        (c for c in depth_of if c.constant is None), key=lambda c: (_degree(c), len(c.terms), -depth_of[c], str(c))
    )
    for candidate in symbolic:
        if not _generated(candidate, kept):
            kept.append(candidate)
    kept.sort(key=lambda c: (-_degree(c), depth_of.get(c, 99), -(c.constant or 0)))
    return kept


def _primitive(stride: Poly, rests: list[Terms]) -> Poly:
    """Halves a stride of 2*nx to nx, where some reference is an odd number of rows away (a coarse and a fine grid)."""
    content = gcd(*(int(value) for value in stride.terms.values()))
    if stride.constant is not None or content == 1:
        return stride
    lead = _lead(stride)
    odd = any(rest.get(lead, 0) % stride.terms[lead] for rest in rests)
    return stride / content if odd else stride


def _lead(poly: Poly) -> Monomial:
    return max(poly.terms, key=lambda mono: (len(mono), mono))


def _positive(poly: Poly) -> Poly:
    return -poly if poly.terms[_lead(poly)] < 0 else poly


def _degree(poly: Poly) -> int:
    return max((len(mono) for mono in poly.terms), default=0)


def _numeric_strides(numeric: list[int], movements: list[Movement], bounds: Bounds) -> list[Poly]:
    """Numeric coefficients, sorted, that are row lengths; the others are steps inside a row."""
    kept: list[int] = []
    for row in numeric:
        if not kept:
            kept.append(row)
        elif row % kept[-1] == 0:
            reach = _reach(row, movements, bounds)
            if row >= reach if reach is not None else row // kept[-1] >= SMALLEST_ROW:
                kept.append(row)
    return [number(value) for value in kept]


def _reach(row: int, movements: list[Movement], bounds: Bounds) -> int | None:
    """The maximum number of elements that loops with steps shorter than a row cover; None where unknown."""
    reach = 1
    for movement in movements:
        steps = [(name, step) for name, c in movement.items() if (step := c.constant) is not None]
        inside = Poly({(name,): step for name, step in steps if -row < step < row})
        ends = _range(inside, bounds)
        if ends is None:
            return None
        reach = max(reach, 1 + ends[1] - ends[0])
    return reach


def _generated(candidate: Poly, kept: list[Poly]) -> bool:
    """Whether a coefficient is an integer combination of the existing strides (a step or a skew)."""
    rest = candidate
    for stride in sorted(kept, key=lambda c: (-_degree(c), -len(c.terms))):
        if stride.constant is None:
            rest = rest - stride * _numeric_ratio(rest, stride)
    return rest.constant is not None


def _numeric_ratio(value: Poly, stride: Poly) -> int:
    lead = _lead(stride)
    top = value.terms.get(lead, 0)
    ratio = top / stride.terms[lead] if top else 0
    return int(ratio) if ratio == int(ratio) else 0


def _components(movements: list[Movement], rests: list[Terms], strides: list[Poly]) -> int:
    """The width of a hand-written structure: 5 in u[5*(…) + m], where every stride and step is a multiple of it."""
    width = strides[-1].integer if len(strides) > 1 else None
    if width is None or width < 2:
        return 1
    steps = [coefficient for movement in _distinct(movements) for coefficient in movement.values()]
    if any(exact_quotient(one, number(width)) is None for one in (*strides, *steps)):
        return 1
    dimensions = [_Dimension(stride) for stride in strides[:-1]]
    for rest in rests:
        left = rest
        for dimension in dimensions:
            left = dimension.without(left, dimension.share(left))
        if any(mono and isinstance(value, int) and value % width for mono, value in left.items()):
            return 1
    return width


# ---------------------------------------------------------------------------------------------- splitting


class _Dimension:
    """One stride and its division of constant parts. Few different monomials occur, so results are cached."""

    def __init__(self, stride: Poly) -> None:
        self.stride = stride
        self._by = stride.integer
        self._lead = _lead(stride)
        self._top = stride.terms[self._lead]
        self._quotients: dict[Monomial, Monomial | None] = {}
        self._multiples: dict[Monomial, list[tuple[Monomial, Number]]] = {}

    def share(self, rest: Terms, centre: int = 0) -> Terms:
        """The part of a constant that belongs to this dimension: whole multiples for symbols; a number is rounded so
        that the remainder is nearest to the middle of a row, which is half of `centre`."""
        if self._by is not None:
            return self._numeric(rest, self._by, centre)
        shared: Terms = {}
        for mono, value in rest.items():
            if mono not in self._quotients:
                self._quotients[mono] = monomial_quotient(mono, self._lead)
            part = self._quotients[mono]
            if part is not None and value % self._top == 0:
                shared[part] = value // self._top
        return shared

    def _numeric(self, rest: Terms, by: int, centre: int = 0) -> Terms:
        if by == 1:
            return rest
        found: Terms = {mono: int(c) // by for mono, c in rest.items() if mono and c % by == 0}
        nearest = (2 * int(rest.get((), 0)) + centre + by) // (2 * by)
        if nearest:
            found[()] = nearest
        return found

    def without(self, rest: Terms, share: Terms) -> Terms:
        """The remainder of a constant after subtracting this dimension's share."""
        if not share:
            return rest
        left = dict(rest)
        for part, count in share.items():
            if part not in self._multiples:
                self._multiples[part] = list((Poly({part: 1}) * self.stride).terms.items())
            for mono, factor in self._multiples[part]:
                value = left.get(mono, 0) - count * factor
                if value:
                    left[mono] = value
                else:
                    del left[mono]
        return left

    def moved(self, coefficient: Poly) -> Poly:
        """The strides that a loop variable advances per step: only whole numbers belong to that dimension."""
        exact = exact_quotient(coefficient, self.stride)
        if exact is not None:
            return exact
        if self._by is None:
            return number(_numeric_ratio(coefficient, self.stride))
        return Poly(self._numeric(coefficient.terms, self._by)) if coefficient.constant is not None else Poly({})


class _Splitter:
    """Splits flat subscripts into subscripts for given strides, of which the last is 1."""

    def __init__(self, strides: list[Poly], components: int, bounds: Bounds) -> None:
        self._dimensions = [_Dimension(stride) for stride in strides[:-1]]
        self._components = components
        self._bounds = bounds
        self._moving: dict[int, list[_Sums]] = {}
        #: twice the middle of the range that the loops cover below each dimension, for the first reference
        self._first: list[int] | None = None

    def split(self, movement: Movement, rest: Terms) -> tuple[Poly, ...]:
        moving = self._moving.get(id(movement))
        if moving is None:
            moving = self._moving[id(movement)] = self._sums(movement)
        subscripts: list[Poly] = []
        for dimension, sums in zip(self._dimensions, moving, strict=False):
            share = dimension.share(rest, sums.centre)
            left = dimension.without(rest, share)
            if self._components > 1 and dimension is self._dimensions[-1]:  # a component is 0 … width - 1
                whole = left.get((), 0) // self._components
                share = (Poly(share) + whole).terms
                left = dimension.without(rest, share)
            rest = left
            subscripts.append(sums.plus(share))
        subscripts.append(moving[-1].plus(rest))
        return tuple(subscripts)

    def _sums(self, movement: Movement) -> list[_Sums]:
        """The contribution of the loop variables to each subscript."""
        left = dict(movement)
        sums: list[Poly] = []
        middles: list[int] = []
        for dimension in self._dimensions:
            shares = {name: dimension.moved(coefficient) for name, coefficient in left.items()}
            left = {name: coefficient - shares[name] * dimension.stride for name, coefficient in left.items()}
            sums.append(_moving(shares))
            middles.append(sum(_range(_moving(left), self._bounds) or (0, 0)))
        if self._first is None:
            self._first = middles
        centres = [here - first for here, first in zip(middles, self._first, strict=True)]
        return [_Sums(value, centre) for value, centre in zip([*sums, _moving(left)], [*centres, 0], strict=True)]


def _moving(coefficients: Movement) -> Poly:
    """Σ coefficient · variable."""
    return sum((factor * Poly({(name,): 1}) for name, factor in coefficients.items()), Poly({}))


class _Sums:
    """Cached sums of one polynomial with constants."""

    def __init__(self, value: Poly, centre: int) -> None:
        self._value = value
        self.centre = centre
        self._known: dict[tuple[tuple[Monomial, Number], ...], Poly] = {}

    def plus(self, terms: Terms) -> Poly:
        key = tuple(terms.items())
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._value + Poly(terms)
        return found
