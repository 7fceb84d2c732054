"""Exact simplifications of operators on polynomials: minima, floors, remainders, comparisons and bits."""

from __future__ import annotations

from math import lcm
from typing import TYPE_CHECKING

from foretell.core.symbolic.poly import SIMPLIFY, ZERO, Atom, Poly, atom_named, exact_quotient, number, tidy

if TYPE_CHECKING:
    from collections.abc import Callable

    from foretell.core.symbolic.ops import Monomial, Number


def _extreme(args: tuple[Poly, ...], pick: Callable[[Number, Number], Number], op: str) -> Poly | None:
    flat: list[Poly] = []
    for argument in args:
        inner = next(iter(argument.terms)) if len(argument.terms) == 1 else ()
        nested = inner[0] if len(inner) == 1 and argument.terms[inner] == 1 else ""
        flat.extend(nested.args if isinstance(nested, Atom) and nested.op == op else (argument,))
    kept: list[Poly] = []
    for argument in flat:
        for position, other in enumerate(kept):
            distance = (argument - other).constant
            if distance is not None:  # comparable: keep the one that `pick` prefers
                if pick(distance, 0) == distance:
                    kept[position] = argument
                break
        else:
            kept.append(argument)
    if len(kept) == 1:
        return kept[0]
    kept.sort(key=str)
    return None if tuple(kept) == args else Poly({(atom_named(op, tuple(kept)),): 1})


def _simplify_floor(args: tuple[Poly, ...]) -> Poly | None:
    """Extracts multiples of the divisor from the floor; symbols represent integers."""
    value, divisor = args
    by = divisor.constant
    if by is None:
        return exact_quotient(value, divisor)
    if by == 0:
        return None
    scaled = value / by
    whole: dict[Monomial, Number] = {mono: c for mono, c in scaled.terms.items() if isinstance(c, int)}
    rest = Poly({mono: c for mono, c in scaled.terms.items() if not isinstance(c, int)})
    offset = rest.terms.get((), 0)
    shift = offset.numerator // offset.denominator
    rest = rest - shift
    if rest.constant is not None:
        return Poly(whole) + shift
    scale = lcm(*(c.denominator for c in rest.terms.values()))
    if not whole and not shift and by == scale:
        return None
    return Poly(whole) + shift + Poly({(atom_named("floor", (rest * scale, number(scale))),): 1})


def _simplify_mod(args: tuple[Poly, ...]) -> Poly | None:
    value, divisor = args
    by = divisor.integer
    if by is None or by <= 0 or any(not isinstance(c, int) for c in value.terms.values()):
        return ZERO if value == divisor else None
    reduced = Poly({mono: tidy(c % by) for mono, c in value.terms.items() if c % by})
    if reduced.constant is not None:
        return reduced
    return None if reduced == value else Poly({(atom_named("mod", (reduced, divisor)),): 1})


def _simplify_div(args: tuple[Poly, ...]) -> Poly | None:
    """Simplifies integer division, which truncates in C and Fortran, where it is exact."""
    value, divisor = args
    a, b = value.integer, divisor.integer
    if a is not None and b:
        return number(abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1))
    if b and all(isinstance(c, int) and c % b == 0 for c in value.terms.values()):
        return value / b
    return exact_quotient(value, divisor) if b is None else None


def _simplify_rem(args: tuple[Poly, ...]) -> Poly | None:
    quotient = _simplify_div(args)
    return None if quotient is None else args[0] - quotient * args[1]


def _simplify_ge(args: tuple[Poly, ...]) -> Poly | None:
    value = args[0].constant
    return None if value is None else number(int(value >= 0))


def _simplify_eq(args: tuple[Poly, ...]) -> Poly | None:
    value = args[0].constant
    if value is not None:
        return number(int(value == 0))
    leading = min(args[0].terms)
    return None if args[0].terms[leading] > 0 else Poly({(atom_named("eq", (-args[0],)),): 1})


def _simplify_pow(args: tuple[Poly, ...]) -> Poly | None:
    exponent = args[1].integer
    return args[0] ** exponent if exponent is not None and 0 <= exponent <= 16 else None


def _integer_op(compute: Callable[[int, int], int]) -> Callable[[tuple[Poly, ...]], Poly | None]:
    def simplify(args: tuple[Poly, ...]) -> Poly | None:
        a, b = args[0].integer, args[1].integer
        return None if a is None or b is None else number(compute(a, b))

    return simplify


SIMPLIFY.update(
    {
        "min": lambda args: _extreme(args, min, "min"),
        "max": lambda args: _extreme(args, max, "max"),
        "floor": _simplify_floor,
        "mod": _simplify_mod,
        "div": _simplify_div,
        "rem": _simplify_rem,
        "ge": _simplify_ge,
        "eq": _simplify_eq,
        "pow": _simplify_pow,
        "xor": _integer_op(lambda a, b: a ^ b),
        "and": _integer_op(lambda a, b: a & b),
        "or": _integer_op(lambda a, b: a | b),
    }
)
