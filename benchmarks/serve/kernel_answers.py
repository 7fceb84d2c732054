"""From a changed CUDA kernel to its answer, and what of that is nvcc.

python -m benchmarks.serve.kernel_answers [EDITS]
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.serve.started import Server

KERNEL = """__global__ void stencil(float *out, const float *in, int n) {
  __shared__ float part[258];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) part[threadIdx.x + 1] = in[i];
  __syncthreads();
  if (i < n) out[i] = 0.EDITf * (part[threadIdx.x] + part[threadIdx.x + 1] + part[threadIdx.x + 2]);
}
"""


def question(edit: int) -> dict[str, object]:
    return {
        "code": {"name": "code.cu", "text": KERNEL.replace("EDIT", str(edit))}, "on": "h200", "grid": "4096",
        "block": "256", "args": ["out=f32[1048576]", "in=f32[1048576]", "n=1048576"],
    }  # fmt: skip


def compiled(folder: Path, edit: int) -> float:
    file = folder / f"{edit}.cu"
    file.write_text(KERNEL.replace("EDIT", str(edit)))
    began = time.monotonic()
    subprocess.run(["nvcc", "-arch=sm_90", "-cubin", "-lineinfo", "-o", folder / "x.cubin", file], check=True)
    return time.monotonic() - began


def main(edits: int) -> None:
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder) / "data", 1) as server:
        server.ask("POST", "/live/annotate", question(0))
        times, alone = [], []
        before = server.processor_seconds()
        for edit in range(1, edits + 1):
            began = time.monotonic()
            status, answer = server.ask("POST", "/live/annotate", question(edit))
            times.append(time.monotonic() - began)
            assert status == 200, answer
            alone.append(compiled(Path(folder), 100 + edit))
        after = server.processor_seconds()
    whole, nvcc = statistics.median(times), statistics.median(alone)
    spent = [1000 * (b - a) / edits for a, b in zip(before, after, strict=True)]
    print(f"median of {edits} edits: {whole:.2f} s, nvcc alone {nvcc:.2f} s, beyond it {whole - nvcc:.2f} s; "
          f"processor time: {spent[0]:.0f} ms server, {spent[1]:.0f} ms workers, nvcc, disassembler")  # fmt: skip


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10)
