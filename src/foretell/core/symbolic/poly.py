"""Exact polynomials over parameters, loop variables and opaque atoms: trip counts, subscripts, sizes.

    n = symbol("n")
    triangle = n * (n + 1) / 2
    triangle.evaluate({"n": 512})        # 131328; an array of n gives an array

A `Poly` maps monomials to rational coefficients. A monomial is a sorted tuple of atoms, repeated for powers; an atom is
its own text: a plain string is a symbol, an `Atom` is a string with an operator and arguments (`min`, `max`, `floor`,
`mod`, …, an array element `idx[i]`, or a sum without closed form). Equal text means equal value, which makes printing
canonical; `symbolic.text.parse` is its inverse.
"""

from __future__ import annotations

import hashlib
from fractions import Fraction
from functools import lru_cache, reduce
from math import lcm
from typing import TYPE_CHECKING, Any, Union

from foretell.core.symbolic.ops import OPERATORS, Monomial, Number, Value, as_floats, is_array
from foretell.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Set

#: Limit of terms: larger expressions are refused, which bounds the analysis of generated code.
MAX_TERMS = 4000
#: length limit of the text of an atom's arguments; a longer one is replaced by its hash
MAX_ATOM_TEXT = 400


class Atom(str):
    """An indivisible part of a polynomial; the text is the identity."""

    __slots__ = ("_symbols", "args", "op", "totals")
    op: str
    args: tuple[Poly, ...]
    _symbols: frozenset[str] | None
    #: of a `sum`: memoised values by the values of its symbols
    totals: dict[tuple[Value, ...], Value]

    def __new__(cls, text: str, op: str, args: tuple[Poly, ...]) -> Atom:
        self = super().__new__(cls, text)
        self.op = op
        self.args = args
        self._symbols = None
        self.totals = {}
        return self

    @property
    def symbols(self) -> frozenset[str]:
        """All plain symbols inside. Named values of equal name may differ in theirs, so each atom keeps its own."""
        if self._symbols is None:
            free = [argument.symbols() for argument in self.args]
            if self.op == "sum":
                free[0] -= free.pop(1)  # the variable is bound
            self._symbols = frozenset[str]().union(*free)
        return self._symbols

    def __reduce__(self) -> tuple[Any, ...]:
        return Atom, (str(self), self.op, self.args)


class Poly:
    """An immutable polynomial with rational coefficients."""

    __slots__ = ("_hash", "_text", "terms")

    def __init__(self, terms: dict[Monomial, Number]) -> None:
        self.terms = terms
        self._hash: int | None = None
        self._text: str | None = None

    # ---- arithmetic

    def __add__(self, other: PolyLike) -> Poly:
        if not isinstance(other, Poly):
            other = number(other)
        if not other.terms:
            return self
        if not self.terms:
            return other
        terms = dict(self.terms)
        for mono, coefficient in other.terms.items():
            total = terms.get(mono, 0) + coefficient
            if total:
                terms[mono] = total
            else:
                del terms[mono]
        return Poly(terms)

    __radd__ = __add__

    def __neg__(self) -> Poly:
        return Poly({mono: -coefficient for mono, coefficient in self.terms.items()})

    def __sub__(self, other: PolyLike) -> Poly:
        if not isinstance(other, Poly):
            return self + number(-other)
        if not other.terms:
            return self
        terms = dict(self.terms)
        for mono, coefficient in other.terms.items():
            total = terms.get(mono, 0) - coefficient
            if total:
                terms[mono] = total
            else:
                del terms[mono]
        return Poly(terms)

    def __rsub__(self, other: PolyLike) -> Poly:
        return as_poly(other) - self

    def __mul__(self, other: PolyLike) -> Poly:
        if not isinstance(other, Poly):
            other = number(other)
        if len(other.terms) == 1 and () in other.terms:
            return self._scaled(other.terms[()])
        if len(self.terms) == 1 and () in self.terms:
            return other._scaled(self.terms[()])
        if len(other.terms) * len(self.terms) > MAX_TERMS:
            raise TooLargeError("an expression grows beyond what is worth keeping exact")
        terms: dict[Monomial, Number] = {}
        shared = indicators(self) & indicators(other)
        for left, a in self.terms.items():
            for right, b in other.terms.items():
                # an indicator is 0 or 1: its powers are itself
                factor = _without(right, shared.intersection(left)) if shared else right
                mono = tuple(sorted(left + factor)) if left and factor else left or factor
                terms[mono] = terms.get(mono, 0) + a * b
        return Poly({mono: tidy(coefficient) for mono, coefficient in terms.items() if coefficient})

    __rmul__ = __mul__

    def _scaled(self, factor: Number) -> Poly:
        if factor == 1:
            return self
        return Poly({mono: tidy(value * factor) for mono, value in self.terms.items()})

    def __truediv__(self, other: Number) -> Poly:
        return self._scaled(1 / Fraction(other))

    def __pow__(self, exponent: int) -> Poly:
        return reduce(lambda product, _: product * self, range(exponent), ONE)

    # ---- comparison

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Poly):
            return self.terms == other.terms
        return isinstance(other, int | Fraction) and self.terms == as_poly(other).terms

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self.terms.items()))
        return self._hash

    def __reduce__(self) -> tuple[Any, ...]:
        return Poly, (self.terms,)

    # ---- questions

    @property
    def constant(self) -> Number | None:
        """The value, if the polynomial is a constant."""
        if not self.terms:
            return 0
        return self.terms.get(()) if len(self.terms) == 1 else None

    @property
    def integer(self) -> int | None:
        """The value, if the polynomial is an integer constant."""
        value = self.constant
        return value if isinstance(value, int) else None

    def atoms(self) -> set[str]:
        """Returns the atoms of all monomials, not those inside opaque ones."""
        return {atom for mono in self.terms for atom in mono}

    def symbols(self) -> set[str]:
        """Returns all plain symbols, also those inside opaque atoms; the variable of a sum is bound."""
        return set[str]().union(*map(atom_symbols, self.atoms()))

    def depends_on(self, names: Iterable[str]) -> bool:
        """Whether any of `names` occurs, also inside opaque atoms."""
        wanted = names if isinstance(names, set | frozenset | dict) else set(names)
        return any(
            atom in wanted or (isinstance(atom, Atom) and not atom.symbols.isdisjoint(wanted))
            for mono in self.terms
            for atom in mono
        )

    def coefficients(self, names: Iterable[str]) -> tuple[dict[str, Poly], Poly] | None:
        """Decomposes self = sum of coefficient * name + rest, linear in `names`; None if it is not linear in them."""
        wanted = names if isinstance(names, set | frozenset | dict) else set(names)
        parts: dict[str, dict[Monomial, Number]] = {}
        rest: dict[Monomial, Number] = {}
        for mono, value in self.terms.items():
            hit = -1
            for position, atom in enumerate(mono):
                if isinstance(atom, Atom) and not atom_symbols(atom).isdisjoint(wanted):
                    return None
                if atom in wanted:
                    if hit >= 0:
                        return None
                    hit = position
            if hit < 0:
                rest[mono] = value
            else:
                parts.setdefault(mono[hit], {})[mono[:hit] + mono[hit + 1 :]] = value
        return {name: Poly(terms) for name, terms in parts.items()}, Poly(rest)

    # ---- substitution, evaluation

    def substitute(self, values: Mapping[str, Poly]) -> Poly:
        """Replaces symbols (or whole atoms), also inside opaque atoms."""
        if not values or not self.depends_on(values):
            return self
        return self.mapped(lambda atom: _substituted(atom, values))

    def mapped(self, value: Callable[[str], Poly]) -> Poly:
        """Replaces every factor by its value under a function."""
        result = ZERO
        for mono, coefficient in self.terms.items():
            product = number(coefficient)
            for atom in mono:
                product = product * value(atom)
            result = result + product
        return result

    def evaluate(self, values: Mapping[str, Value], known: dict[str, Value] | None = None) -> Value:
        """Evaluates at given symbols (to an array, where a value is an array); exact for integers. `known` memoises
        atoms at these values: most occur in several terms and in each other."""
        total: Value = 0
        known = {} if known is None else known
        for mono, coefficient in self.terms.items():
            product: Value = coefficient
            for atom in mono:
                factor = _atom_value(atom, values, known)
                if isinstance(product, Fraction) and is_array(factor) and factor.dtype.kind in "fiu":
                    # numpy has no fractions: integers over a common denominator are exact and a hundred times as fast
                    whole = lcm(*(value.denominator for value in self.terms.values()))
                    if whole > 1:
                        return self._scaled(whole).evaluate(as_floats(values)) / whole
                    product = float(product)  # of an atom that contains no array
                product = product * factor
            total = total + product
        return tidy(total) if isinstance(total, Fraction) else total

    def __repr__(self) -> str:
        return f"Poly({self})"

    def __str__(self) -> str:
        if self._text is None:
            self._text = _rendered(self.terms)
        return self._text


PolyLike = Union[Poly, int, Fraction]  # noqa: UP007  (a forward reference cannot be used with | at run time)


class TooLargeError(InputError):
    """An expression has more terms than the limit for exact arithmetic."""


ZERO = Poly({})
ONE = Poly({(): 1})
#: cached constants that are frequent in source code: -1, 0, 1, …
_SMALL = (Poly({(): -1}), ZERO, ONE, *(Poly({(): value}) for value in range(2, 65)))


def tidy(value: Number) -> Number:
    """Converts an integral fraction to an integer."""
    if isinstance(value, Fraction) and value.denominator == 1:
        return value.numerator
    return value


def number(value: Number) -> Poly:
    """Makes a constant."""
    if isinstance(value, int) and -1 <= value < len(_SMALL) - 1:
        return _SMALL[value + 1]
    return Poly({(): tidy(value)}) if value else ZERO


@lru_cache(maxsize=65536)
def symbol(name: str) -> Poly:
    """Makes a parameter or loop variable."""
    return Poly({(str(name),): 1})


def as_poly(value: PolyLike) -> Poly:
    """Converts a constant to a polynomial; returns a polynomial unchanged."""
    return value if isinstance(value, Poly) else number(value)


def same_powers(names: Iterable[str], polys: Iterable[Poly]) -> tuple[tuple[str, ...], ...]:
    """Groups symbols that have the same power in every monomial, and so occur only as their product."""
    monomials = [mono for poly in polys for mono in _monomials(poly)]
    groups: dict[tuple[int, ...], list[str]] = {}
    for name in names:
        powers = tuple(mono.count(name) for mono in monomials)
        if any(powers):
            groups.setdefault(powers, []).append(name)
    return tuple(tuple(group) for group in groups.values() if len(group) > 1)


def _monomials(poly: Poly) -> Iterator[Monomial]:
    """Yields the monomials of a polynomial and of the arguments of its opaque atoms."""
    for mono in poly.terms:
        yield mono
        for atom in mono:
            if isinstance(atom, Atom):
                for arg in atom.args:
                    yield from _monomials(arg)


def atom_symbols(atom: str) -> frozenset[str]:
    return atom.symbols if isinstance(atom, Atom) else frozenset((atom,))


#: simplification rules by operator: op(args) simplified, or None; registered by `simplify`
SIMPLIFY: dict[str, Callable[[tuple[Poly, ...]], Poly | None]] = {}
#: operators that bind a variable: functions that substitute into and evaluate an atom; `sums` registers "sum"
SUBSTITUTE: dict[str, Callable[[Atom, Mapping[str, Poly]], Poly]] = {}
EVALUATE: dict[str, Callable[[Atom, Mapping[str, Value]], Value]] = {}


def indicators(value: Poly) -> set[Atom]:
    """The factors that are 0 or 1: whether a condition holds."""
    return {atom for mono in value.terms for atom in mono if isinstance(atom, Atom) and atom.op in ("ge", "eq")}


def _without(mono: Monomial, left_out: Set[str]) -> Monomial:
    return tuple(atom for atom in mono if atom not in left_out) if left_out else mono


def _substituted(atom: str, values: Mapping[str, Poly]) -> Poly:
    if atom in values:
        return values[atom]
    if not isinstance(atom, Atom) or atom_symbols(atom).isdisjoint(values):
        return Poly({(atom,): 1})
    if atom.op in SUBSTITUTE:
        return SUBSTITUTE[atom.op](atom, values)
    return apply(atom.op, tuple(argument.substitute(values) for argument in atom.args))


# ---------------------------------------------------------------------------------------------- opaque atoms


def apply(op: str, args: tuple[Poly, ...]) -> Poly:
    """Applies an operator: simplified where that is exact, else an opaque atom."""
    simplified = SIMPLIFY[op](args) if op in SIMPLIFY else None
    return Poly({(atom_named(op, args),): 1}) if simplified is None else simplified


def atom_named(op: str, args: tuple[Poly, ...]) -> Atom:
    if op.endswith(":="):
        return Atom(op[:-2], op, args)
    opening, closing = "[]" if op.endswith("[]") else "()"
    inside = ", ".join(map(str, args))
    if len(inside) > MAX_ATOM_TEXT:
        # The text of nested atoms would grow exponentially, so it is hashed; the arguments are kept.
        inside = hashlib.blake2b(inside.encode(), digest_size=6).hexdigest()
    return Atom(f"{op.removesuffix('[]')}{opening}{inside}{closing}", op, args)


def minimum(*args: PolyLike) -> Poly:
    return apply("min", tuple(map(as_poly, args)))


def maximum(*args: PolyLike) -> Poly:
    return apply("max", tuple(map(as_poly, args)))


def floor_div(left: PolyLike, right: PolyLike) -> Poly:
    return apply("floor", (as_poly(left), as_poly(right)))


def modulo(left: PolyLike, right: PolyLike) -> Poly:
    """Non-negative remainder for a positive divisor: `x & 1` is modulo(x, 2)."""
    return apply("mod", (as_poly(left), as_poly(right)))


def parity(value: Poly) -> Poly:
    """Returns a polynomial with the same last bit and no xor: a ^ b and a + b agree there."""
    for atom in value.atoms():
        if isinstance(atom, Atom) and atom.op == "xor":
            return parity(value.substitute({atom: atom.args[0] + atom.args[1]}))
    return value


def element(name: str, subscripts: Iterable[Poly]) -> Poly:
    """Makes an integer array element of unknown value: `idx[i]`."""
    return apply(f"{name}[]", tuple(subscripts))


def named(name: str, value: Poly) -> Poly:
    """Names a value after its variable: prints as the name, depends on the symbols of the value."""
    return apply(f"{name}:=", (value,))


def unnamed(poly: Poly, variable: str | None = None) -> Poly:
    """Expands named values: all, or those that depend on a variable."""
    while True:
        names = [atom for atom in poly.atoms() if isinstance(atom, Atom) and atom.op.endswith(":=")]
        values: dict[str, Poly] = {atom: atom.args[0] for atom in names if variable is None or variable in atom.symbols}
        if not values:
            return poly
        poly = poly.substitute(values)


def at_least_zero(value: Poly) -> Poly:
    """1 where value >= 0, else 0."""
    return apply("ge", (value,))


def is_zero(value: Poly) -> Poly:
    """1 where value == 0, else 0."""
    return apply("eq", (value,))


def exact_quotient(value: Poly, divisor: Poly) -> Poly | None:
    """Computes value / divisor where that is a polynomial with integer coefficients; None otherwise."""
    if not divisor.terms:
        return None
    lead = max(divisor.terms, key=_grade)
    rest, quotient = value, ZERO
    for _ in range(len(value.terms) * 4 + 1):
        if not rest.terms:
            return quotient
        top = max(rest.terms, key=_grade)
        part = monomial_quotient(top, lead)
        if part is None:
            return None
        ratio, left = divmod(rest.terms[top], divisor.terms[lead])
        if left:
            return None
        step = Poly({part: ratio})
        quotient = quotient + step
        rest = rest - step * divisor
    return None


def monomial_quotient(top: Monomial, divisor: Monomial) -> Monomial | None:
    """Computes top / divisor as a monomial, or None."""
    left = list(top)
    for atom in divisor:
        if atom not in left:
            return None
        left.remove(atom)
    return tuple(left)


def _grade(mono: Monomial) -> tuple[int, Monomial]:
    return (len(mono), mono)


# ---------------------------------------------------------------------------------------------- text and value


def _rendered(terms: Mapping[Monomial, Number]) -> str:
    """Prints the highest degree first, then alphabetically; `2*i + n - 1`, `n**2/2`."""
    parts: list[str] = []
    for mono in sorted(terms, key=lambda m: (-len(m), m)):
        value = Fraction(terms[mono])
        factors = [str(abs(value.numerator))] if abs(value.numerator) != 1 or not mono else []
        for atom in dict.fromkeys(mono):
            power = mono.count(atom)
            factors.append(str(atom) if power == 1 else f"{atom}**{power}")
        sign = (" - " if parts else "-") if value < 0 else (" + " if parts else "")
        parts.append(sign + "*".join(factors) + (f"/{value.denominator}" if value.denominator != 1 else ""))
    return "".join(parts) or "0"


def _atom_value(atom: str, values: Mapping[str, Value], known: dict[str, Value]) -> Value:
    if atom in values:
        return values[atom]
    if atom not in known:
        known[atom] = _computed(atom, values, known)
    return known[atom]


def _computed(atom: str, values: Mapping[str, Value], known: dict[str, Value]) -> Value:
    if not isinstance(atom, Atom):
        raise InputError(f"no value is given for {atom}", hint=f"give it with -D {atom}=…")
    if atom.op in EVALUATE:
        return EVALUATE[atom.op](atom, values)
    if atom.op.endswith(":="):
        return atom.args[0].evaluate(values, known)
    compute = OPERATORS.get(atom.op)
    if compute is None:
        raise InputError(f"{atom} depends on data, not on parameters", hint="it can only be estimated")
    return compute(*(argument.evaluate(values, known) for argument in atom.args))
