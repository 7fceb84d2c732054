"""Compiles Triton kernels on the GPU that is here: modules and launches of them into FOLDER.

python3 compile_triton.py FOLDER
"""

import importlib.util
import sys
from pathlib import Path

import torch

HEAD = "import triton\nimport triton.language as tl\n\n\n@triton.jit\n"
SOFTMAX = """\
def NAME(x, out, n, N: tl.constexpr):
    row, k = tl.program_id(0), tl.arange(0, N)
    v = tl.load(x + row * n + k, mask=k < n, other=-1e9).to(tl.float32)
    e = tl.exp(v - tl.max(v, 0))
    tl.store(out + row * n + k, (e / tl.sum(e, 0)).to(tl.float16), mask=k < n)
"""
LAYER_NORM = """\
def NAME(x, out, n, N: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros((N,), tl.float32)
    squares = tl.zeros((N,), tl.float32)
    for k in range(0, n, N):
        v = tl.load(x + row * n + k + tl.arange(0, N)).to(tl.float32)
        total += v
        squares += v * v
    mean = tl.sum(total, 0) / n
    scale = tl.rsqrt(tl.sum(squares, 0) / n - mean * mean + 1e-5)
    for k in range(0, n, N):
        v = tl.load(x + row * n + k + tl.arange(0, N)).to(tl.float32)
        tl.store(out + row * n + k + tl.arange(0, N), ((v - mean) * scale).to(tl.float16))
"""
GROUPED = """\
def NAME(a, b, c, n, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    across = n // N
    group = tl.program_id(0) // (8 * across)
    y0 = group * 8 + tl.program_id(0) % 8
    x0 = tl.program_id(0) % (8 * across) // 8
    y, x, k = y0 * M + tl.arange(0, M), x0 * N + tl.arange(0, N), tl.arange(0, K)
    left, right = a + y[:, None] * n + k[None, :], b + k[:, None] * n + x[None, :]
    total = tl.zeros((M, N), tl.float32)
    for _ in range(0, n, K):
        total = tl.dot(tl.load(left), tl.load(right), total)
        left += K
        right += K * n
    total = total * tl.sigmoid(total)
    tl.store(c + y[:, None] * n + x[None, :], total.to(tl.float16))
"""
CAUSAL = """\
def NAME(queries, keys, values, out, n, M: tl.constexpr, N: tl.constexpr, D: tl.constexpr):
    head = tl.program_id(1) * n * D
    y, d, x = tl.program_id(0) * M + tl.arange(0, M), tl.arange(0, D), tl.arange(0, N)
    q = tl.load(queries + head + y[:, None] * D + d[None, :])
    most, total = tl.full((M,), -1e9, tl.float32), tl.zeros((M,), tl.float32)
    sums = tl.zeros((M, D), tl.float32)
    for k in range(0, (tl.program_id(0) + 1) * M, N):
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
#: name, source, tile, warps, stages, launches: n, grid, elements of the arrays
KERNELS = (
    ("q_softmax_1024", SOFTMAX, (1024,), 4, 1, ((1024, (65536, 1), (1 << 26,) * 2),)),
    ("q_softmax_4096", SOFTMAX, (4096,), 8, 1, ((4096, (8192, 1), (1 << 25,) * 2),)),
    ("q_norm_1024", LAYER_NORM, (1024,), 4, 1, ((4096, (2048, 1), (1 << 23,) * 2), (8192, (8192, 1), (1 << 26,) * 2))),
    ("q_norm_256", LAYER_NORM, (256,), 1, 1, ((1024, (16384, 1), (1 << 24,) * 2),)),
    (
        "q_grouped_64",
        GROUPED,
        (64, 64, 64),
        4,
        3,
        ((1024, (256, 1), (1 << 20,) * 3), (2048, (1024, 1), (1 << 22,) * 3)),
    ),
    (
        "q_grouped_128",
        GROUPED,
        (128, 128, 32),
        4,
        4,
        ((2048, (256, 1), (1 << 22,) * 3), (4096, (1024, 1), (1 << 24,) * 3)),
    ),
    (
        "q_grouped_256",
        GROUPED,
        (128, 256, 64),
        8,
        3,
        ((2048, (128, 1), (1 << 22,) * 3), (4096, (512, 1), (1 << 24,) * 3)),
    ),
    ("q_causal_64", CAUSAL, (64, 64, 64), 4, 2, ((1024, (16, 32), (1 << 21,) * 4), (4096, (64, 16), (1 << 22,) * 4))),
    ("q_causal_128", CAUSAL, (128, 64, 128), 8, 2, ((2048, (16, 16), (1 << 22,) * 4),)),
)


def compiled(folder, name, source, tile, warps, stages, n, grid, sizes):
    path = folder / f"{name}.py"
    path.write_text(HEAD + source.replace("NAME", name))
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    arrays = [torch.rand(size, device="cuda").half() for size in sizes]
    return getattr(module, name)[grid](*arrays, n, *tile, num_warps=warps, num_stages=stages)


def main(folder):
    text = ""
    for name, source, tile, warps, stages, launches in KERNELS:
        for n, grid, sizes in launches:
            try:
                kernel = compiled(folder, name, source, tile, warps, stages, n, grid, sizes)
            except Exception as error:
                print(name, n, "not compiled:", str(error)[:300])
                continue
            (folder / f"{name}.cubin").write_bytes(kernel.asm["cubin"])
            args = ", ".join(f'"f16[{size}]"' for size in sizes)
            text += (
                f'\n[[launch]]\nname = "{name}/{n}"\nkernel = "{name}"\ngrid = {list(grid)}\nblock = [{32 * warps}]\n'
            )
            text += f"shared = {kernel.metadata.shared}\n" if kernel.metadata.shared else ""
            text += f'args = [{args}, {n}, "i64:0", "i64:0"]\n'
    (folder / "triton.toml").write_text(text)


main(Path(sys.argv[1]))
