"""Compiles Triton kernels on the GPU that is here: modules and launches of them into FOLDER.

python3 compile_triton.py FOLDER
"""

import importlib.util
import sys
from pathlib import Path

import torch

HEAD = "import triton\nimport triton.language as tl\n\n\n@triton.jit\n"
MATMUL = """\
def NAME(a, b, c, n, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    y = tl.program_id(1) * M + tl.arange(0, M)
    x = tl.program_id(0) * N + tl.arange(0, N)
    k = tl.arange(0, K)
    left, right = a + y[:, None] * n + k[None, :], b + k[:, None] * n + x[None, :]
    total = tl.zeros((M, N), tl.float32)
    for _ in range(0, n, K):
        total = tl.dot(tl.load(left), tl.load(right), total)
        left += K
        right += K * n
    tl.store(c + y[:, None] * n + x[None, :], total.to(tl.float16))
"""
ATTENTION = """\
def NAME(queries, keys, values, out, n, M: tl.constexpr, N: tl.constexpr, D: tl.constexpr):
    head = tl.program_id(1) * n * D
    y, d, x = tl.program_id(0) * M + tl.arange(0, M), tl.arange(0, D), tl.arange(0, N)
    q = tl.load(queries + head + y[:, None] * D + d[None, :])
    most, total = tl.full((M,), -1e9, tl.float32), tl.zeros((M,), tl.float32)
    sums = tl.zeros((M, D), tl.float32)
    for k in range(0, n, N):
        p = tl.dot(q, tl.load(keys + head + (k + x)[None, :] * D + d[:, None]))
        high = tl.maximum(most, tl.max(p, 1))
        p = tl.exp2(p - high[:, None])
        scale = tl.exp2(most - high)
        total = total * scale + tl.sum(p, 1)
        v = tl.load(values + head + (k + x)[:, None] * D + d[None, :])
        sums = tl.dot(p.to(tl.float16), v, sums * scale[:, None])
        most = high
    tl.store(out + head + y[:, None] * D + d[None, :], (sums / total[:, None]).to(tl.float16))
"""
#: name, source, tile, warps, stages, sizes (n, heads)
KERNELS = (
    ("y_matmul_64", MATMUL, (64, 64, 32), 4, 3, ((1024, 0), (4096, 0))),
    ("y_matmul_128", MATMUL, (128, 128, 64), 8, 3, ((2048, 0), (8192, 0))),
    ("y_matmul_wide", MATMUL, (64, 256, 32), 4, 4, ((1024, 0), (4096, 0))),
    ("y_attention_64", ATTENTION, (64, 64, 64), 4, 2, ((1024, 16), (4096, 32))),
    ("y_attention_128", ATTENTION, (128, 64, 128), 8, 2, ((2048, 16), (4096, 32))),
)


def compiled(folder, name, source, tile, warps, stages, n, heads):
    path = folder / f"{name}.py"
    path.write_text(HEAD + source.replace("NAME", name))
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    count = 4 if heads else 3
    size = n * heads * tile[2] if heads else n * n
    arrays = [torch.rand(size, device="cuda").half() for _ in range(count)]
    grid = (n // tile[0], heads) if heads else (n // tile[1], n // tile[0])
    return getattr(module, name)[grid](*arrays, n, *tile, num_warps=warps, num_stages=stages), grid, count, size


def main(folder):
    text = ""
    for name, source, tile, warps, stages, sizes in KERNELS:
        for n, heads in sizes:
            kernel, grid, count, size = compiled(folder, name, source, tile, warps, stages, n, heads)
            (folder / f"{name}.cubin").write_bytes(kernel.asm["cubin"])
            args = ", ".join([f'"f16[{size}]"'] * count)
            text += (
                f'\n[[launch]]\nname = "{name}/{n}"\nkernel = "{name}"\ngrid = {list(grid)}\nblock = [{32 * warps}]\n'
            )
            text += f"shared = {kernel.metadata.shared}\n" if kernel.metadata.shared else ""
            text += f'args = [{args}, {n}, "i64:0", "i64:0"]\n'
    (folder / "triton.toml").write_text(text)


main(Path(sys.argv[1]))
