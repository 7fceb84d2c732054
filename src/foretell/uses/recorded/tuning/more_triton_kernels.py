"""Further Triton kernels of the recorded tuning spaces, in other orders and widths than those of triton_kernels.py."""

# mypy: ignore-errors
# ruff: noqa: N803
from __future__ import annotations

import triton
import triton.language as tl


@triton.jit
def triton_dense(  # pragma: no cover
    a, b, bias, c, rows, columns, depth, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr
):
    """C = max(A B' + bias, 0) in half precision; both arrays are read along the depth."""
    across, down, number = tl.cdiv(columns, BN), tl.cdiv(rows, BM), tl.program_id(0)
    first = number // (GROUP * across) * GROUP
    height = min(down - first, GROUP)
    tile_y, tile_x = first + number % (GROUP * across) % height, number % (GROUP * across) // height
    y, x, k = tile_y * BM + tl.arange(0, BM), tile_x * BN + tl.arange(0, BN), tl.arange(0, BK)
    left, right = a + y[:, None] * depth + k[None, :], b + x[None, :] * depth + k[:, None]
    total = tl.zeros((BM, BN), tl.float32)
    for _ in range(0, depth, BK):
        total = tl.dot(tl.load(left), tl.load(right), total)
        left += BK
        right += BK
    total = tl.maximum(total + tl.load(bias + x)[None, :].to(tl.float32), 0.0)
    tl.store(c + y[:, None] * columns + x[None, :], total.to(tl.float16))


@triton.jit
def triton_norm(given, weights, out, columns, ROWS: tl.constexpr, BLOCK: tl.constexpr):  # pragma: no cover
    """Rows of halves less their mean, over their deviation, weighted: sums in one pass; the last block is masked."""
    y, x = tl.program_id(0) * ROWS + tl.arange(0, ROWS), tl.arange(0, BLOCK)
    total, squares = tl.zeros((ROWS, BLOCK), tl.float32), tl.zeros((ROWS, BLOCK), tl.float32)
    for k in range(0, columns, BLOCK):
        inside = (k + x < columns)[None, :]
        values = tl.load(given + y[:, None] * columns + (k + x)[None, :], mask=inside, other=0.0).to(tl.float32)
        total += values
        squares += values * values
    mean = tl.sum(total, 1) / columns
    scale = tl.rsqrt(tl.sum(squares, 1) / columns - mean * mean + 1e-5)
    for k in range(0, columns, BLOCK):
        inside = k + x < columns
        values = tl.load(given + y[:, None] * columns + (k + x)[None, :], mask=inside[None, :], other=0.0)
        weight = tl.load(weights + k + x, mask=inside, other=0.0).to(tl.float32)
        result = (values.to(tl.float32) - mean[:, None]) * scale[:, None] * weight[None, :]
        tl.store(out + y[:, None] * columns + (k + x)[None, :], result.to(tl.float16), mask=inside[None, :])


@triton.jit
def triton_big_heads(  # pragma: no cover
    queries, keys, values, out, n, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr, STABLE: tl.constexpr
):
    """Attention of heads with D columns; without STABLE no maximum is kept."""
    head = tl.program_id(1) * n * D
    y, d, x = tl.program_id(0) * BM + tl.arange(0, BM), tl.arange(0, D), tl.arange(0, BN)
    q = tl.load(queries + head + y[:, None] * D + d[None, :])
    highest, total = tl.full((BM,), -1e30, tl.float32), tl.zeros((BM,), tl.float32)
    sums = tl.zeros((BM, D), tl.float32)
    for k in range(0, n, BN):
        p = tl.dot(q, tl.load(keys + head + (k + x)[None, :] * D + d[:, None])) * 0.0884
        if STABLE:
            higher = tl.maximum(highest, tl.max(p, 1))
            scale = tl.exp2(highest - higher)
            p = tl.exp2(p - higher[:, None])
            total = total * scale
            sums = sums * scale[:, None]
            highest = higher
        else:
            p = tl.exp2(p)
        total += tl.sum(p, 1)
        sums = tl.dot(p.to(tl.float16), tl.load(values + head + (k + x)[:, None] * D + d[None, :]), sums)
    tl.store(out + head + y[:, None] * D + d[None, :], (sums / total[:, None]).to(tl.float16))


@triton.jit
def triton_losses(given, labels, out, columns, ROWS: tl.constexpr, BLOCK: tl.constexpr):  # pragma: no cover
    """Cross entropy of rows: logarithm of the sum of exponentials less the number at the label, in one pass."""
    y, x = tl.program_id(0) * ROWS + tl.arange(0, ROWS), tl.arange(0, BLOCK)
    highest, total = tl.full((ROWS, BLOCK), -1e30, tl.float32), tl.zeros((ROWS, BLOCK), tl.float32)
    for k in range(0, columns, BLOCK):
        values = tl.load(given + y[:, None] * columns + (k + x)[None, :])
        higher = tl.maximum(highest, values)
        total = total * tl.exp(highest - higher) + tl.exp(values - higher)
        highest = higher
    most = tl.max(highest, 1)
    whole = tl.log(tl.sum(total * tl.exp(highest - most[:, None]), 1)) + most
    tl.store(out + y, whole - tl.load(given + y * columns + tl.load(labels + y)))
