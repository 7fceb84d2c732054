"""Evaluates opaque atoms of polynomials: operators on integers and arrays, and Faulhaber's sums of powers."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache, reduce
from math import comb, inf, isqrt
from typing import TYPE_CHECKING, Any

from foretell.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

#: exponent limit up to which a power of integers is computed as an integer
_MOST_BITS = 1024
#: an integer, a fraction, or an array of them
Value = Any
#: a coefficient; a product of atoms
Number = int | Fraction
Monomial = tuple[str, ...]


def is_array(value: Value) -> bool:
    """Whether this is a numpy array, without importing numpy."""
    return hasattr(value, "ndim") and value.ndim > 0


def as_floats(values: Mapping[str, Value]) -> dict[str, Value]:
    """Converts integer arrays to floats, which do not overflow."""
    return {
        name: value.astype("float64") if is_array(value) and value.dtype.kind in "iu" else value
        for name, value in values.items()
    }


def _truncated(a: Value, b: Value) -> Value:
    if is_array(a) or is_array(b):
        import numpy as np

        return np.sign(a) * np.sign(b) * (np.abs(a) // np.abs(b))
    _nonzero(b)
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _nonzero(value: Value) -> None:
    if not is_array(value) and value == 0:
        raise InputError("a size or bound divides by zero at these parameters")


def _floored(a: Value, b: Value) -> Value:
    _nonzero(b)
    return a // b


def _modulo(a: Value, b: Value) -> Value:
    _nonzero(b)
    return a % b


def _fold(pair: Callable[[Value, Value], Value], array: str) -> Callable[..., Value]:
    def choose(a: Value, b: Value) -> Value:
        if not (is_array(a) or is_array(b)):
            return pair(a, b)
        import numpy as np

        return getattr(np, array)(a, b)

    return lambda *args: reduce(choose, args)


def _whole_logarithm(value: Value, base: Value) -> Value:
    """Computes the largest t with base**t <= value; -1 where there is none, so that a loop has trip count 0."""
    powers = [1]
    while powers[-1] <= 2**62:
        powers.append(powers[-1] * int(base))
    if is_array(value):
        import numpy as np

        return np.searchsorted(np.array(powers, dtype=np.float64), value, side="right") - 1
    return sum(power <= value for power in powers) - 1


def _whole_root(value: Value) -> Value:
    """Computes the integer part of a square root; that of a negative number is 0."""
    if is_array(value):
        import numpy as np

        return np.floor(np.sqrt(np.maximum(value, 0)))
    return isqrt(int(value)) if value > 0 else 0


def _integer(value: Value) -> Value:
    return value.astype("int64") if is_array(value) else int(value)


def _of_bits(compute: Callable[[Value, Value], Value]) -> Callable[[Value, Value], Value]:
    """Wraps an operator on integers for sizes given as floats. Beside columns of 64 bits, masks as `~(size_t)7` have
    their bits: such a number is as negative as in C."""

    def apply(a: Value, b: Value) -> Value:
        a, b = _integer(a), _integer(b)
        return compute(_in_64_bits(a), _in_64_bits(b)) if is_array(a) or is_array(b) else compute(a, b)

    return apply


def _in_64_bits(value: Value) -> Value:
    return value if is_array(value) else (value + 2**63) % 2**64 - 2**63


def _power(base: Value, exponent: Value) -> Value:
    """Computes an integer power: 0 for a negative exponent, like a shift or an integer division; infinite where it
    exceeds a float, since an exact integer would exhaust memory first."""
    if is_array(base) or is_array(exponent):
        import numpy as np

        with np.errstate(over="ignore"):
            return np.where(exponent < 0, 0, base ** np.maximum(exponent, 0))
    if exponent < 0:
        return 0
    try:
        return base**exponent if abs(exponent) < _MOST_BITS else float(base) ** exponent
    except OverflowError:
        return inf


OPERATORS: dict[str, Callable[..., Value]] = {
    "min": _fold(min, "minimum"),
    "max": _fold(max, "maximum"),
    "floor": _floored,
    "mod": _modulo,
    "div": _truncated,
    "rem": lambda a, b: a - _truncated(a, b) * b,
    "ge": lambda a: _integer(a >= 0),
    "eq": lambda a: _integer(a == 0),
    "pow": _power,
    "ilog": _whole_logarithm,
    "isqrt": _whole_root,
    "rounds": lambda most, leaves: (1 - (1 - float(leaves)) ** most) / float(leaves),
    "xor": _of_bits(lambda a, b: a ^ b),
    "and": _of_bits(lambda a, b: a & b),
    "or": _of_bits(lambda a, b: a | b),
    "shr": _of_bits(lambda a, b: a >> b),
    "abs": abs,
}


@lru_cache(maxsize=64)
def faulhaber(power: int) -> tuple[Fraction, ...]:
    """Computes coefficients c[0…power+1] such that the sum of x**power for x = 1…n is the sum of c[m] n**m."""
    rows = power + 2
    # n**(m+1) - (n-1)**(m+1) telescopes: solve for the coefficient vector from the top down
    left = [Fraction(0)] * rows
    target = [Fraction(0)] * rows
    target[power] = Fraction(1)
    for m in range(power + 1, 0, -1):
        left[m] = target[m - 1] / m
        for r in range(m):  # difference of n**m: sum of C(m, r) (-1)**(m-r+1) n**r
            target[r] -= left[m] * comb(m, r) * (-1) ** (m - r + 1)
    return tuple(left)
