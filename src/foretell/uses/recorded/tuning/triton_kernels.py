"""Triton kernels of the recorded tuning spaces: their constants are the axes."""

# mypy: ignore-errors
# ruff: noqa: N803
from __future__ import annotations

import triton
import triton.language as tl


@triton.jit
def triton_matmul(  # pragma: no cover
    a, b, c, rows, columns, depth, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr
):
    """C = A B in half precision; GROUP rows of tiles are computed side by side: they share columns of B in L2."""
    across, down, number = tl.cdiv(columns, BN), tl.cdiv(rows, BM), tl.program_id(0)
    first = number // (GROUP * across) * GROUP
    height = min(down - first, GROUP)
    tile_y, tile_x = first + number % (GROUP * across) % height, number % (GROUP * across) // height
    y, x, k = tile_y * BM + tl.arange(0, BM), tile_x * BN + tl.arange(0, BN), tl.arange(0, BK)
    left, right = a + y[:, None] * depth + k[None, :], b + k[:, None] * columns + x[None, :]
    total = tl.zeros((BM, BN), tl.float32)
    for _ in range(0, depth, BK):
        total = tl.dot(tl.load(left), tl.load(right), total)
        left += BK
        right += BK * columns
    tl.store(c + y[:, None] * columns + x[None, :], total.to(tl.float16))


@triton.jit
def triton_softmax(given, out, columns, ROWS: tl.constexpr, BLOCK: tl.constexpr):  # pragma: no cover
    """Softmax of rows in two passes, with the maximum and the sum in one."""
    y, x = tl.program_id(0) * ROWS + tl.arange(0, ROWS), tl.arange(0, BLOCK)
    highest, total = tl.full((ROWS,), -1e30, tl.float32), tl.zeros((ROWS,), tl.float32)
    for k in range(0, columns, BLOCK):
        values = tl.load(given + y[:, None] * columns + (k + x)[None, :])
        higher = tl.maximum(highest, tl.max(values, 1))
        total = total * tl.exp(highest - higher) + tl.sum(tl.exp(values - higher[:, None]), 1)
        highest = higher
    for k in range(0, columns, BLOCK):
        values = tl.load(given + y[:, None] * columns + (k + x)[None, :])
        tl.store(out + y[:, None] * columns + (k + x)[None, :], tl.exp(values - highest[:, None]) / total[:, None])


@triton.jit
def triton_attention(  # pragma: no cover
    queries, keys, values, out, n, BM: tl.constexpr, BN: tl.constexpr, EARLY: tl.constexpr, D: tl.constexpr
):
    """Attention of heads with D columns, without a mask; EARLY: values are loaded before the exponentials."""
    head = tl.program_id(1) * n * D
    y, d, x = tl.program_id(0) * BM + tl.arange(0, BM), tl.arange(0, D), tl.arange(0, BN)
    q = tl.load(queries + head + y[:, None] * D + d[None, :])
    highest, total = tl.full((BM,), -1e30, tl.float32), tl.zeros((BM,), tl.float32)
    sums = tl.zeros((BM, D), tl.float32)
    for k in range(0, n, BN):
        p = tl.dot(q, tl.load(keys + head + (k + x)[None, :] * D + d[:, None]))
        if EARLY:
            v = tl.load(values + head + (k + x)[:, None] * D + d[None, :])
        higher = tl.maximum(highest, tl.max(p, 1))
        p = tl.exp2(p - higher[:, None])
        scale = tl.exp2(highest - higher)
        total = total * scale + tl.sum(p, 1)
        if not EARLY:
            v = tl.load(values + head + (k + x)[:, None] * D + d[None, :])
        sums = tl.dot(p.to(tl.float16), v, sums * scale[:, None])
        highest = higher
    tl.store(out + head + y[:, None] * D + d[None, :], (sums / total[:, None]).to(tl.float16))
