"""Conversions of 8-bit floating-point numbers in complete execution, against all 256 codes of the formats in numpy."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from foretell import files
from foretell.characterize.gpu import complete
from foretell.frontends.gpu.sass import listing

#: tests/data/fp8/fp8.cu by nvcc -arch=sm_90
LISTING = Path(__file__).parents[4] / "data" / "fp8" / "fp8.sass.xz"
SIZES = ((4, 1, 1), (64, 1, 1))
COUNT = 256


@cache
def program(name: str) -> complete.Program:
    _, *texts = files.read_text(LISTING).split(listing.HEADER)
    kernels = {kernel.name: kernel for kernel in (listing.read(listing.HEADER + text) for text in texts)}
    return complete.program_of(kernels[name])


def values(e5m2: bool) -> np.ndarray:
    """The number of each code (OCP 8-bit floating point 1.0): sign, exponent, fraction."""
    fraction, bias = (2, 15) if e5m2 else (3, 7)
    result = np.empty(256)
    for code in range(256):
        exponent, part = (code & 0x7F) >> fraction, code & ((1 << fraction) - 1)
        size = (part / (1 << fraction) + (exponent > 0)) * 2.0 ** (max(exponent, 1) - bias)
        if e5m2 and exponent == 31:
            size = np.nan if part else np.inf
        if not e5m2 and code & 0x7F == 0x7F:
            size = np.nan
        result[code] = -size if code & 0x80 else size
    return result


def nearest(number: float, e5m2: bool) -> int:
    """The code of the nearest number, of two the even one; too large ones become the largest."""
    if np.isnan(number):
        return 0x7F
    known = values(e5m2)[:128]
    finite = np.where(np.isfinite(known), known, -1.0)
    size = min(abs(float(number)), finite.max())
    gaps = np.where(finite >= 0, np.abs(finite - size), np.inf)
    best = np.flatnonzero(gaps == gaps.min())
    code = int(min(best, key=lambda item: item & 1))
    return code | (0x80 if np.signbit(number) else 0)


def numbers(kind: type) -> np.ndarray:
    """Of every size, with ties between codes, zeros, infinities and NaN."""
    generator = np.random.default_rng(7)
    wide = generator.standard_normal(4 * COUNT) * 2.0 ** generator.uniform(-20, 17, 4 * COUNT)
    codes = np.concatenate([known[np.isfinite(known)] for known in (values(False)[:127], values(True)[:124])])
    ties = (codes[1:] + codes[:-1]) / 2
    wide[: len(ties)] = ties
    wide[-6:] = [0.0, -0.0, np.inf, -np.inf, np.nan, 1e30]
    with np.errstate(over="ignore"):
        return wide.astype(kind)


def test_singles_become_the_nearest_numbers() -> None:
    given = numbers(np.float32)
    out = [np.zeros(4 * COUNT, np.uint8) for _ in range(2)]
    record = complete.run(program("four"), None, *SIZES, [given, *out, COUNT])
    assert record.error is None
    for result, e5m2 in zip(out, (False, True), strict=True):
        assert result.tolist() == [nearest(number, e5m2) for number in given]


def test_halves_become_the_nearest_numbers() -> None:
    given = numbers(np.float16)[-2 * COUNT :].copy()
    out = [np.zeros(2 * COUNT, np.uint8) for _ in range(2)]
    assert complete.run(program("halves"), None, *SIZES, [given, *out, COUNT]).error is None
    for result, e5m2 in zip(out, (False, True), strict=True):
        assert result.tolist() == [nearest(number, e5m2) for number in given]


def test_every_code_has_its_number() -> None:
    codes = np.tile(np.arange(256, dtype=np.uint8), 4)
    out = [np.zeros(4 * COUNT, np.float32) for _ in range(2)]
    assert complete.run(program("back"), None, *SIZES, [codes, codes.copy(), *out, COUNT]).error is None
    for result, e5m2 in zip(out, (False, True), strict=True):
        assert result == pytest.approx(np.tile(values(e5m2), 4), rel=0, abs=0, nan_ok=True)
