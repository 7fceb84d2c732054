"""Samples of the unit cube by index: point i is independent of earlier requests and of the machine."""

from __future__ import annotations

from functools import lru_cache, reduce
from operator import xor
from typing import TYPE_CHECKING

import numpy as np

from foretell.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Uints = NDArray[np.uint64]
    Floats = NDArray[np.float64]

#: primitive polynomials (degree, inner coefficients) and first direction numbers of dimensions 2 to 16, from S. Joe and
#: F. Kuo, "Constructing Sobol sequences with better two-dimensional projections", SIAM J. Sci. Comput. 30, 2008
_JOE_KUO: tuple[tuple[int, int, tuple[int, ...]], ...] = (
    (1, 0, (1,)),
    (2, 1, (1, 3)),
    (3, 1, (1, 3, 1)),
    (3, 2, (1, 1, 1)),
    (4, 1, (1, 1, 3, 3)),
    (4, 4, (1, 3, 5, 13)),
    (5, 2, (1, 1, 5, 5, 17)),
    (5, 4, (1, 1, 5, 5, 5)),
    (5, 7, (1, 1, 7, 11, 19)),
    (5, 11, (1, 1, 5, 1, 1)),
    (5, 13, (1, 1, 1, 3, 11)),
    (5, 14, (1, 3, 5, 5, 31)),
    (6, 1, (1, 3, 3, 9, 7, 49)),
    (6, 13, (1, 1, 1, 15, 21, 21)),
    (6, 16, (1, 3, 1, 13, 27, 49)),
)
SOBOL_DIMENSIONS = len(_JOE_KUO) + 1
SOBOL_POINTS = 2**32
_BITS = 32
_TABLE_BITS = 16
_TABLE = 1 << _TABLE_BITS
#: random points per batch: few enough to stay in the inner caches
_AT_ONCE = 1 << 13


def sobol(start: int, stop: int, dimension: int, shift: int = 0) -> Floats:
    """Computes coordinate `dimension` (from 0) of points `start` to `stop` - 1 of the Sobol sequence, in [0, 1).

    The order is that of the Gray code, as usual. `shift` is a digital shift (32 bits): it moves the whole sequence and
    keeps its uniformity.
    """
    if not 0 <= dimension < SOBOL_DIMENSIONS:
        raise InputError(f"Sobol samples have at most {SOBOL_DIMENSIONS} axes", hint='use method = "random"')
    result = np.empty(stop - start, dtype=np.float64)
    # The map from index to point is linear over bits: a table for the low bits, one number for the high ones.
    for high in range(start // _TABLE, -(-stop // _TABLE)):
        first, last = max(start, high * _TABLE), min(stop, (high + 1) * _TABLE)
        rest = np.uint32(_sobol_bits(high << _TABLE_BITS, dimension) ^ shift)
        table = _low_table(dimension)[first - high * _TABLE : last - high * _TABLE]
        result[first - start : last - start] = table ^ rest
    result *= 2.0**-_BITS
    return result


def uniform(start: int, stop: int, dimension: int, seed: int = 0) -> Floats:
    """Computes coordinate `dimension` of independent uniform random points in [0, 1)."""
    result = np.empty(stop - start, dtype=np.float64)
    for first in range(start, stop, _AT_ONCE):
        last = min(first + _AT_ONCE, stop)
        bits = hashed(np.arange(first, last, dtype=np.uint64), dimension, seed)
        bits >>= np.uint64(11)
        np.multiply(bits, 2.0**-53, out=result[first - start : last - start])
    return result


def hashed(index: Uints, dimension: int, seed: int) -> Uints:
    """Computes 64 random bits per index: the SplitMix64 finaliser over a counter, so that points are independent."""
    stream = _mix(np.array([(seed * 0x9E3779B97F4A7C15 + dimension + 1) % 2**64], dtype=np.uint64))
    bits = index * np.uint64(0x9E3779B97F4A7C15)
    bits += stream
    return _mix(bits)


def digital_shift(dimension: int, seed: int) -> int:
    """Computes the digital shift of a Sobol sequence; seed 0 is the unshifted sequence."""
    return int(hashed(np.zeros(1, dtype=np.uint64), dimension, seed)[0] >> np.uint64(32)) if seed else 0


def _mix(x: Uints) -> Uints:
    """Applies the SplitMix64 finaliser in place."""
    x ^= x >> np.uint64(30)
    x *= np.uint64(0xBF58476D1CE4E5B9)
    x ^= x >> np.uint64(27)
    x *= np.uint64(0x94D049BB133111EB)
    x ^= x >> np.uint64(31)
    return x


@lru_cache(maxsize=SOBOL_DIMENSIONS)
def _low_table(dimension: int) -> NDArray[np.uint32]:
    index = np.arange(_TABLE, dtype=np.uint32)
    gray = index ^ (index >> np.uint32(1))
    table = np.zeros_like(index)
    for bit, direction in enumerate(_directions(dimension)[: _TABLE_BITS + 1]):
        table[(gray >> np.uint32(bit) & np.uint32(1)) == 1] ^= np.uint32(direction)
    return table


def _sobol_bits(index: int, dimension: int) -> int:
    gray = index ^ (index >> 1)
    return reduce(xor, (direction for bit, direction in enumerate(_directions(dimension)) if gray >> bit & 1), 0)


@lru_cache(maxsize=SOBOL_DIMENSIONS)
def _directions(dimension: int) -> tuple[int, ...]:
    """Computes the direction numbers v_1 … v_32 of one dimension, as 32-bit fractions."""
    if dimension == 0:
        return tuple(1 << (_BITS - 1 - k) for k in range(_BITS))
    degree, inner, start = _JOE_KUO[dimension - 1]
    v = [m << (_BITS - 1 - k) for k, m in enumerate(start)]
    for k in range(degree, _BITS):
        value = v[k - degree] ^ (v[k - degree] >> degree)
        for j in range(1, degree):
            if inner >> (degree - 1 - j) & 1:
                value ^= v[k - j]
        v.append(value)
    return tuple(v)
