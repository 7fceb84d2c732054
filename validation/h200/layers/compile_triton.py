"""Compiles Triton kernels on the GPU that is here: modules and launches of them into FOLDER.

python3 compile_triton.py FOLDER
"""

import importlib.util
import sys
from pathlib import Path

HEAD = "import triton\nimport triton.language as tl\n\n\n@triton.jit\n"
PERSISTENT = """\
def NAME(a, b, c, n, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    across = n // N
    for tile in range(tl.program_id(0), across * (n // M), 132):
        y, x, k = tile // across * M + tl.arange(0, M), tile % across * N + tl.arange(0, N), tl.arange(0, K)
        left, right = a + y[:, None] * n + k[None, :], b + k[:, None] * n + x[None, :]
        total = tl.zeros((M, N), tl.float32)
        for _ in range(0, n, K):
            total = tl.dot(tl.load(left), tl.load(right), total)
            left += K
            right += K * n
        tl.store(c + y[:, None] * n + x[None, :], total.to(tl.float16))
"""
SPLIT = """\
def NAME(a, b, c, n, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    y, x = tl.program_id(0) * M + tl.arange(0, M), tl.program_id(1) * N + tl.arange(0, N)
    k = tl.program_id(2) * (n // 8) + tl.arange(0, K)
    left, right = a + y[:, None] * n + k[None, :], b + k[:, None] * n + x[None, :]
    total = tl.zeros((M, N), tl.float32)
    for _ in range(0, n // 8, K):
        total = tl.dot(tl.load(left), tl.load(right), total)
        left += K
        right += K * n
    tl.atomic_add(c + y[:, None] * n + x[None, :], total.to(tl.float16))
"""
FOUR_BITS = """\
def NAME(a, packed, c, n, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    y, x, k = tl.program_id(1) * M + tl.arange(0, M), tl.program_id(0) * N + tl.arange(0, N), tl.arange(0, K)
    left, right = a + y[:, None] * n + k[None, :], packed + (k[:, None] // 8) * n + x[None, :]
    total = tl.zeros((M, N), tl.float32)
    for _ in range(0, n, K):
        weight = (tl.load(right) >> (k[:, None] % 8 * 4)) & 15
        total = tl.dot(tl.load(left), (weight - 8).to(tl.float16), total)
        left += K
        right += K // 8 * n
    tl.store(c + y[:, None] * n + x[None, :], total.to(tl.float16))
"""
RESIDUAL_NORM = """\
def NAME(x, residual, weight, out, n, N: tl.constexpr):
    row, k = tl.program_id(0), tl.arange(0, N)
    v = tl.load(x + row * n + k).to(tl.float32) + tl.load(residual + row * n + k).to(tl.float32)
    tl.store(residual + row * n + k, v.to(tl.float16))
    v = v * tl.rsqrt(tl.sum(v * v, 0) / n + 1e-5) * tl.load(weight + k).to(tl.float32)
    tl.store(out + row * n + k, v.to(tl.float16))
"""
CROSS_ENTROPY = """\
def NAME(x, out, n, N: tl.constexpr):
    row = tl.program_id(0)
    most, total = -1e9, 0.0
    for first in range(0, n, N):
        k = first + tl.arange(0, N)
        v = tl.load(x + row * n + k, mask=k < n, other=-1e9).to(tl.float32)
        high = tl.maximum(most, tl.max(v, 0))
        total = total * tl.exp(most - high) + tl.sum(tl.exp(v - high), 0)
        most = high
    tl.store(out + row, (most + tl.log(total)).to(tl.float16))
"""
ROTARY = """\
def NAME(x, cosine, sine, out, n, H: tl.constexpr, D: tl.constexpr):
    t, h, d = tl.program_id(0), tl.arange(0, H), tl.arange(0, D)
    c, s = tl.load(cosine + t * D + d).to(tl.float32)[None, :], tl.load(sine + t * D + d).to(tl.float32)[None, :]
    at = t * n + h[:, None] * (2 * D) + d[None, :]
    u, v = tl.load(x + at).to(tl.float32), tl.load(x + at + D).to(tl.float32)
    tl.store(out + at, (u * c - v * s).to(tl.float16))
    tl.store(out + at + D, (v * c + u * s).to(tl.float16))
"""
DECODE = """\
def NAME(query, keys, values, out, n, N: tl.constexpr, D: tl.constexpr):
    head, d, x = tl.program_id(0) * n * D, tl.arange(0, D), tl.arange(0, N)
    q = tl.load(query + tl.program_id(0) * D + d).to(tl.float32)
    most, total, sums = -1e9, 0.0, tl.zeros((D,), tl.float32)
    for k in range(0, n, N):
        at = head + (k + x)[:, None] * D + d[None, :]
        p = tl.sum(tl.load(keys + at).to(tl.float32) * q[None, :], 1)
        high = tl.maximum(most, tl.max(p, 0))
        p, scale = tl.exp2(p - high), tl.exp2(most - high)
        total = total * scale + tl.sum(p, 0)
        sums = sums * scale + tl.sum(tl.load(values + at).to(tl.float32) * p[:, None], 0)
        most = high
    tl.store(out + tl.program_id(0) * D + d, (sums / total).to(tl.float16))
"""
CAUSAL = """\
def NAME(queries, keys, values, out, n, M: tl.constexpr, N: tl.constexpr, D: tl.constexpr):
    head = tl.program_id(1) * n * D
    first = (tl.num_programs(0) - 1 - tl.program_id(0)) * M
    y, d, x = first + tl.arange(0, M), tl.arange(0, D), tl.arange(0, N)
    q = tl.load(queries + head + y[:, None] * D + d[None, :])
    most, total = tl.full((M,), -1e9, tl.float32), tl.zeros((M,), tl.float32)
    sums = tl.zeros((M, D), tl.float32)
    for k in range(0, first + M, N):
        p = tl.dot(q, tl.load(keys + head + (k + x)[None, :] * D + d[:, None]))
        p = tl.where(y[:, None] >= (k + x)[None, :], p, -1e9)
        high = tl.maximum(most, tl.max(p, 1))
        p = tl.exp2(p - high[:, None])
        scale = tl.exp2(most - high)
        total = total * scale + tl.sum(p, 1)
        v = tl.load(values + head + (k + x)[:, None] * D + d[None, :])
        sums = tl.dot(p.to(tl.float16), v, sums * scale[:, None])
        most = high
    tl.store(out + head + y[:, None] * D + d[None, :], (sums / total[:, None]).to(tl.float16))
"""
SCAN = """\
def NAME(x, out, n, N: tl.constexpr):
    row, carry = tl.program_id(0), 0.0
    for first in range(0, n, N):
        k = first + tl.arange(0, N)
        v = tl.load(x + row * n + k).to(tl.float32)
        tl.store(out + row * n + k, (carry + tl.cumsum(v, 0)).to(tl.float16))
        carry += tl.sum(v, 0)
"""
SWISH = """\
def NAME(gate, up, out, n, N: tl.constexpr):
    k = tl.program_id(0).to(tl.int64) * N + tl.arange(0, N)
    g = tl.load(gate + k, mask=k < n, other=0).to(tl.float32)
    tl.store(out + k, (g * tl.sigmoid(g)).to(tl.float16) * tl.load(up + k, mask=k < n, other=0), mask=k < n)
"""
CONVOLVE = """\
def NAME(x, weight, out, n, T: tl.constexpr, C: tl.constexpr):
    t, c = tl.program_id(0) * T + tl.arange(0, T), tl.program_id(1) * C + tl.arange(0, C)
    total = tl.zeros((T, C), tl.float32)
    for k in range(4):
        v = tl.load(x + (t[:, None] - k) * n + c[None, :], mask=t[:, None] >= k, other=0).to(tl.float32)
        total += v * tl.load(weight + k * n + c[None, :]).to(tl.float32)
    tl.store(out + t[:, None] * n + c[None, :], total.to(tl.float16))
"""
#: name, source, tile, warps, stages, launches: n, grid, elements of the arrays (f16, or with i: i32)
KERNELS = (
    (
        "t_persistent_128", PERSISTENT, (128, 128, 64), 8, 3,
        ((2048, (132,), (1 << 22,) * 3), (4096, (132,), (1 << 24,) * 3)),
    ),
    ("t_persistent_64", PERSISTENT, (64, 128, 64), 4, 3, ((1024, (128,), (1 << 20,) * 3),)),
    ("t_split", SPLIT, (64, 64, 64), 4, 3, ((1024, (16, 16, 8), (1 << 20,) * 3), (2048, (32, 32, 8), (1 << 22,) * 3))),
    ("t_four_bits_16", FOUR_BITS, (16, 64, 64), 4, 3, ((4096, (64, 1), (1 << 16, "i", 1 << 21, 1 << 16)),)),
    ("t_four_bits_64", FOUR_BITS, (64, 128, 64), 4, 3, ((2048, (16, 32), (1 << 22, "i", 1 << 19, 1 << 22)),)),
    (
        "t_residual_norm", RESIDUAL_NORM, (4096,), 8, 1,
        ((4096, (4096,), (1 << 24, 1 << 24, 4096, 1 << 24)), (4096, (512,), (1 << 21, 1 << 21, 4096, 1 << 21))),
    ),
    (
        "t_cross_entropy", CROSS_ENTROPY, (4096,), 8, 1,
        ((32000, (1024,), (32768000, 1024)), (50257, (256,), (12865792, 256))),
    ),
    (
        "t_rotary", ROTARY, (32, 64), 4, 1,
        ((4096, (2048,), (1 << 23, 1 << 17, 1 << 17, 1 << 23)), (4096, (16384,), (1 << 26, 1 << 20, 1 << 20, 1 << 26))),
    ),
    (
        "t_decode", DECODE, (64, 128), 4, 2,
        ((2048, (256,), (1 << 15, 1 << 26, 1 << 26, 1 << 15)), (8192, (64,), (1 << 13, 1 << 26, 1 << 26, 1 << 13))),
    ),
    ("t_causal_64", CAUSAL, (64, 64, 64), 4, 3, ((2048, (32, 32), (1 << 22,) * 4),)),
    ("t_causal_128", CAUSAL, (128, 128, 64), 8, 2, ((1024, (8, 64), (1 << 22,) * 4), (4096, (32, 32), (1 << 23,) * 4))),
    ("t_scan_rows", SCAN, (1024,), 4, 1, ((8192, (1024,), (1 << 23,) * 2),)),
    ("t_swish", SWISH, (1024,), 4, 1, ((1 << 22, (4096,), (1 << 22,) * 3), (1 << 26, (65536,), (1 << 26,) * 3))),
    ("t_convolve", CONVOLVE, (64, 64), 4, 1, ((2048, (64, 32), (1 << 23, 8192, 1 << 23)),)),
)  # fmt: skip


def function_of(folder, name, source):
    path = folder / f"{name}.py"
    path.write_text(HEAD + source.replace("NAME", name))
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, name)


def arrays_of(sizes):
    """Kind and elements of each array: `i` before a number makes it one of integers."""
    kinds = ["i32" if k and sizes[k - 1] == "i" else "f16" for k in range(len(sizes))]
    return [(kind, size) for kind, size in zip(kinds, sizes, strict=True) if size != "i"]


def compiled(function, tile, warps, stages, n, grid, sizes):
    import torch

    arrays = [
        torch.rand(size, device="cuda").half() if kind == "f16" else torch.zeros(size, dtype=torch.int32, device="cuda")
        for kind, size in arrays_of(sizes)
    ]
    return function[grid](*arrays, n, *tile, num_warps=warps, num_stages=stages)


def main(folder):
    text = ""
    for name, source, tile, warps, stages, launches in KERNELS:
        for n, grid, sizes in launches:
            try:
                kernel = compiled(function_of(folder, name, source), tile, warps, stages, n, grid, sizes)
            except Exception as error:
                print(name, n, "not compiled:", str(error)[:300])
                continue
            (folder / f"{name}.cubin").write_bytes(kernel.asm["cubin"])
            args = ", ".join(f'"{kind}[{size}]"' for kind, size in arrays_of(sizes))
            case = f"{name}/{n}" if len({launch[0] for launch in launches}) == len(launches) else f"{name}/{grid[0]}"
            text += f'\n[[launch]]\nname = "{case}"\nkernel = "{name}"\ngrid = {list(grid)}\nblock = [{32 * warps}]\n'
            text += f"shared = {kernel.metadata.shared}\n" if kernel.metadata.shared else ""
            text += f'args = [{args}, {n}, "i64:0", "i64:0"]\n'
    (folder / "triton.toml").write_text(text)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
