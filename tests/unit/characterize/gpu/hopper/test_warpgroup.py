"""Products of warpgroups (wgmma) in complete execution, against numpy on the same bytes of shared memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.support import hopper

PRODUCTS = sorted(name for name, case in hopper.CASES.items() if case.module == "warpgroup")
#: kernel: columns, type of A, of B, of D
SHAPES = {
    "half_kk": (64, "f2", "f2", "f4"), "half_tt": (64, "f2", "f2", "f4"), "half_kt": (64, "f2", "f2", "f4"),
    "half_n8": (8, "f2", "f2", "f4"), "half_n256": (256, "f2", "f2", "f4"), "half_minus": (24, "f2", "f2", "f4"),
    "half_half": (32, "f2", "f2", "f2"), "half_regs": (64, "f2", "f2", "f4"), "half_twice": (64, "f2", "f2", "f4"),
    "brain_kk": (64, "bf", "bf", "f4"), "brain_tt": (96, "bf", "bf", "f4"), "tensor_kk": (64, "tf", "tf", "f4"),
    "tensor_regs": (32, "tf", "tf", "f4"), "e4_e4": (64, "e4", "e4", "f4"), "e5_e4": (32, "e5", "e4", "f4"),
    "e4_e5_half": (32, "e4", "e5", "f2"), "e5_regs": (16, "e5", "e5", "f4"), "s8_s8": (64, "i1", "i1", "i4"),
    "u8_s8": (32, "u1", "i1", "i4"), "s8_u8_regs": (32, "i1", "u1", "i4"), "u8_satfinite": (32, "u1", "u1", "i4"),
}  # fmt: skip
SIZE = {"f2": 2, "bf": 2, "tf": 4, "e4": 1, "e5": 1, "i1": 1, "u1": 1}


def small(codes: np.ndarray, fraction: int, bias: int) -> np.ndarray:
    """Numbers of 8 bits (OCP 8-bit floating point 1.0), without infinities."""
    exponent, part = (codes & 0x7F) >> fraction, codes & ((1 << fraction) - 1)
    size = (part / (1 << fraction) + (exponent > 0)) * 2.0 ** (np.maximum(exponent, 1).astype(float) - bias)
    return np.where(codes & 0x80, -size, size)


def numbers(data: np.ndarray, kind: str) -> np.ndarray:
    """Bytes of the last axis as numbers."""
    data = np.ascontiguousarray(data)
    if kind == "bf":
        return (data.view("<u2").astype(np.uint32) << 16).view(np.float32).astype(float)
    if kind == "tf":
        return (data.view("<u4") & 0xFFFFE000).view(np.float32).astype(float)
    if kind in ("e4", "e5"):
        return small(data, 3, 7) if kind == "e4" else small(data, 2, 15)
    return data.view(kind).astype(float)


def mixed(place: np.ndarray, mode: int, base: int) -> np.ndarray:
    """Swizzled addresses: bits 4 to 6 exclusive-or bits 7 to 9."""
    bits = {0: 0, 1: 7, 2: 3, 3: 1}[mode]
    return place ^ (((place >> 7) - base & bits) << 4)


def operand(tile: np.ndarray, word: int, rows: int, kind: str, across: bool) -> np.ndarray:
    """A matrix of `rows` rows and 32 bytes of k (PTX ISA, "Strides" of wgmma); across: neighbours are in one column."""
    start, leading, stride = ((word >> at & 0x3FFF) << 4 for at in (0, 16, 32))
    base, mode = word >> 49 & 7, word >> 62
    span = {0: 16, 1: 128, 2: 64, 3: 32}[mode]
    if not across:
        row, byte = np.arange(rows)[:, None], np.arange(32)[None, :]
        part = byte // 16 * (leading if mode == 0 else 16)
        return numbers(tile[mixed(start + row % 8 * span + row // 8 * stride + part + byte % 16, mode, base)], kind)
    k, byte = np.arange(16)[:, None], np.arange(2 * rows)[None, :]
    if mode == 0:
        place = start + byte // 16 * stride + k % 8 * 16 + k // 8 * leading + byte % 16
    else:
        place = start + byte // span * leading + k % 8 * span + k // 8 * stride + byte % span
    return numbers(tile[mixed(place, mode, base)], kind).T


def registers(words: np.ndarray, kind: str) -> np.ndarray:
    """A of four registers of 128 threads: word r of thread 32 w + 4 g + t is row 16 w + g + 8 (r mod 2)."""
    data = words.view(np.uint8).reshape(4, 4, 8, 4, 4)  # r, warp, g, t, byte
    result = np.empty((4, 2, 8, 2, 4, 4), np.uint8)  # warp, r mod 2, g, r // 2, t, byte
    for r in range(4):
        result[:, r % 2, :, r // 2] = data[r]
    return numbers(result.reshape(64, 32), kind)


def accumulators(words: np.ndarray, columns: int, kind: str) -> np.ndarray:
    """D of the registers of 128 threads: register 4 j + 2 h + i of thread 32 w + 4 g + t is row 16 w + g + 8 h, column
    8 j + 2 t + i; halves are packed."""
    if kind == "f2":
        data = words.view("<f2").reshape(columns // 8, 2, 4, 8, 4, 2).transpose(2, 1, 3, 0, 4, 5)
    else:
        data = words.view("<" + kind).reshape(columns // 8, 2, 2, 4, 8, 4).transpose(3, 1, 4, 0, 5, 2)
    return data.reshape(64, columns)


def expected(case: Any) -> tuple[np.ndarray, np.ndarray]:
    """The exact result, and the size of its largest term."""
    columns, a_kind, b_kind, d_kind = SHAPES[case.kernel]
    inputs, c, _ = case.made()
    tile = inputs.view(np.uint8)
    a_word, b_word, scale = case.arguments[3][1], case.arguments[4][1], case.arguments[6][1]
    across = case.kernel.endswith("tt")
    if case.kernel.endswith("regs"):
        a = registers(tile[:2048].view(np.uint32), a_kind)
    else:
        a = operand(tile, a_word, 64, a_kind, across)
    b = operand(tile, b_word, columns, b_kind, across or case.kernel in ("half_kt", "half_regs"))
    sign = -1 if case.kernel in ("half_minus", "half_half", "e5_regs") else 1
    start = accumulators(c, columns, d_kind).astype(float) if scale else np.zeros((64, columns))
    rounds = 2 if case.kernel == "half_twice" else 1
    result = start + rounds * sign * (a @ b.T)
    largest = np.maximum(np.abs(a)[:, None] * np.abs(b)[None], 0).max(axis=2)
    return result, np.maximum(largest, np.abs(start))


@pytest.mark.parametrize("name", PRODUCTS)
def test_products_are_those_of_numpy(name: str) -> None:
    case = hopper.CASES[name]
    columns, _, _, kind = SHAPES[case.kernel]
    arrays, record = hopper.execute(name)
    assert record.error is None
    result = accumulators(arrays[2], columns, kind).astype(float)
    wanted, largest = expected(case)
    if kind == "i4":
        whole = np.clip(wanted, -(2.0**31), 2.0**31 - 1) if "sat" in name else (wanted + 2.0**31) % 2.0**32 - 2.0**31
        assert (result == whole).all()
        return
    tolerance = {"f4": 2.0**-20, "f2": 2.0**-10}[kind]
    if case.kernel.startswith(("e4", "e5")):
        tolerance = max(tolerance, 2.0**-9)
    if kind == "f2":  # what is too large is infinite
        too_large = np.abs(wanted) > 66000
        assert np.isinf(result[too_large]).all()
        result, wanted = (np.where(np.abs(wanted) < 65000, item, 0) for item in (result, wanted))
    assert (np.abs(result - wanted) <= tolerance * np.maximum(largest, np.abs(wanted))).all()
