"""A PyTorch program of everyday operations, for the recorder."""

import torch
from torch.nn import functional

torch.manual_seed(0)
x = torch.randn(256, 1024, device="cuda")
w = torch.randn(1024, device="cuda")
index = torch.randint(0, 256, (2048,), device="cuda")
for _ in range(3):
    y = torch.relu(x + 1.0)
    y = functional.layer_norm(y, (1024,), w)
    y = torch.softmax(y, dim=-1)
    z = y[index]
    s = z.sum(dim=0)
    t = s * w - s.mean()
    c = torch.cumsum(x, dim=1)
    o = torch.sort(index).values
    g = functional.gelu(y) * x
    d = torch.where(x > 0, x, -x)
    e = functional.embedding(index, y)
torch.cuda.synchronize()
print("torch", torch.__version__, float(t.abs().sum()))
