"""A Triton program, for the recorder."""

import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(x, y, z, n, block: tl.constexpr):
    i = tl.program_id(0) * block + tl.arange(0, block)
    m = i < n
    tl.store(z + i, tl.load(x + i, mask=m) + tl.load(y + i, mask=m), mask=m)


@triton.jit
def softmax_kernel(x, y, columns, block: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, block)
    v = tl.load(x + row * columns + i, mask=i < columns, other=-float("inf"))
    v = tl.exp(v - tl.max(v, axis=0))
    tl.store(y + row * columns + i, v / tl.sum(v, axis=0), mask=i < columns)


@triton.jit
def gather_kernel(x, index, y, n, block: tl.constexpr):
    i = tl.program_id(0) * block + tl.arange(0, block)
    m = i < n
    tl.store(y + i, tl.load(x + tl.load(index + i, mask=m), mask=m), mask=m)


n = 1 << 16
x, y, z = (torch.randn(n, device="cuda") for _ in range(3))
index = torch.randperm(n, device="cuda", dtype=torch.int32)
a = torch.randn(512, 1000, device="cuda")
b = torch.empty_like(a)
for _ in range(3):
    add_kernel[(n // 1024,)](x, y, z, n, block=1024)
    add_kernel[(n // 256,)](x, y, z, n, block=256)
    softmax_kernel[(512,)](a, b, 1000, block=1024)
    gather_kernel[(n // 1024,)](x, index, z, n, block=1024)
torch.cuda.synchronize()
assert torch.allclose(b, torch.softmax(a, 1)), "softmax"
assert torch.equal(z, x[index.long()]), "gather"
print("triton", triton.__version__)
