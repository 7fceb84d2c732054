"""Writes gpu.toml and the listings beside it: published times of kernels on GPUs that we have not measured.

python validation/published/record.py     # needs nvcc 13

The kernels are our own, after the descriptions that the sources give (products.cu). A time is what a source states, or
the operations of the kernel over the rate that it states.
"""

from __future__ import annotations

import lzma
import subprocess
import sys
import tempfile
from pathlib import Path

from foretell.frontends.gpu.sass import kernels, listing

HERE = Path(__file__).resolve().parent
A6000 = "github.com/siboehm/SGEMM_CUDA, README.md: Gflop/s at 4092 on an A6000 (read as 4096)"
A100 = "a README beside kernels of github.com/siboehm/SGEMM_CUDA: Tflop/s at 4096 on «one A100 GPU» (K1 to K6)"
RTX4090 = "github.com/annanyapr/Fast-CUDA-Kernels, README.md: seconds at 4096 on an RTX 4090"
CUB_A100 = "github.com/NVIDIA/cccl, pull request 7019: BabelStream mul of bytes by cub::DeviceTransform, A100-SXM4-80GB"
CUB_5090 = "github.com/NVIDIA/cccl, pull request 9881: BabelStream triad of 128 bits by cub::DeviceTransform, RTX 5090"
OPERATIONS = 2 * 4096**3
#: architecture, rates in flop/s or times in seconds by kernel, source
PRODUCTS = {
    "a6000": (86, A6000, {
        "product_by_rows": OPERATIONS / 309e9, "product_by_columns": OPERATIONS / 1986.5e9,
        "product_shared": OPERATIONS / 2980.3e9, "product_column_of_eight": OPERATIONS / 8474.7e9,
        "product_eight_by_eight": OPERATIONS / 15971.7e9, "product_fours": OPERATIONS / 18237.3e9,
    }),
    "a100": (80, A100, {
        "product_by_rows": OPERATIONS / 0.29e12, "product_by_columns": OPERATIONS / 3.01e12,
        "product_shared": OPERATIONS / 5.44e12, "product_column_of_eight": OPERATIONS / 10.20e12,
        "product_eight_by_eight": OPERATIONS / 14.47e12, "product_fours": OPERATIONS / 15.37e12,
    }),
    "rtx-4090": (89, RTX4090, {
        "product_by_rows": 0.216326, "product_by_columns": 0.028121, "product_shared": 0.020849,
        "product_eight_by_eight": 0.003694,
    }),
}  # fmt: skip
BLOCKS = {
    "product_by_rows": ((128, 128), (32, 32)), "product_by_columns": ((128, 128), (1024,)),
    "product_shared": ((128, 128), (1024,)), "product_column_of_eight": ((64, 64), (512,)),
    "product_eight_by_eight": ((32, 32), (256,)), "product_fours": ((32, 32), (256,)),
}  # fmt: skip
ARRAYS = '4096, "f32:1.0", "f32[16777216]", "f32[16777216]", "f32:0.0", "f32[16777216]"'
#: kernel, machine, architecture, name, seconds, grid, arrays, pieces of 16 bytes, source; caches were empty
STREAMS = (
    ("scale_bytes", "a100", 80, "2^24", 31.874e-6, 4096, 2, 1 << 20, CUB_A100),
    ("scale_bytes", "a100", 80, "2^28", 362.559e-6, 65536, 2, 1 << 24, CUB_A100),
    ("triad_wide", "rtx-5090", 120, "2^24", 516.972e-6, 65536, 3, 1 << 24, CUB_5090),
    ("triad_wide", "rtx-5090", 120, "2^28", 8.192e-3, 1048576, 3, 1 << 28, CUB_5090),
)
HEAD = """\
# Published times of kernels on GPUs that we have not measured, written by record.py.
# Kernels: products.cu, compiled by nvcc {nvcc}.
title = "Published times on other GPUs"
set = "report"
"""


def compiled(arch: int, folder: Path) -> dict[str, str]:
    """Listings of all kernels by name, for an architecture."""
    cubin = folder / f"products_{arch}.cubin"
    subprocess.run(["nvcc", "-cubin", "-O3", f"-arch=sm_{arch}", "-o", cubin, HERE / "products.cu"], check=True)
    return {kernel.name: listing.write(kernel) for kernel in kernels.decode_all(cubin.read_bytes())}


def launch(name: str, kernel: str, grid: str, block: str, arguments: str, start: str = "") -> str:
    return (
        f'[[launch]]\nname = "{name}"\nkernel = "{kernel}"\ngrid = [{grid}]\nblock = [{block}]\n'
        f"args = [{arguments}]\n{start}"
    )


def case(name: str, kernel: str, arch: int, machine: str, seconds: float, source: str) -> str:
    return (
        f'# {source}\n[case."{name}"]\nworkload = "gpu/{kernel}.sm_{arch}.sass.xz"\nlaunch = "gpu/cases.toml"\n'
        f'kernel = "{kernel}"\nmachine = "{machine}"\nmeasured = "{seconds * 1e6:.6g} us"\n'
    )


def main() -> None:
    launches, cases, wanted = [], [], set()
    for machine, (arch, source, times) in PRODUCTS.items():
        for kernel, seconds in times.items():
            name = f"{kernel}/{machine}"
            grid, block = (", ".join(map(str, shape)) for shape in BLOCKS[kernel])
            launches.append(launch(name, kernel, grid, block, ARRAYS))
            cases.append(case(name, kernel, arch, machine, seconds, source))
            wanted.add((kernel, arch))
    for kernel, machine, arch, size, seconds, blocks, arrays, pieces, source in STREAMS:
        name = f"{kernel}/{machine}-{size}"
        arguments = ", ".join([f'"i32x4[{pieces}]"'] * arrays) + f", {pieces}"
        launches.append(launch(name, kernel, str(blocks), "256", arguments, 'start = "cold"\n'))
        cases.append(case(name, kernel, arch, machine, seconds, source))
        wanted.add((kernel, arch))
    (HERE / "gpu").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        texts = {arch: compiled(arch, Path(folder)) for arch in {arch for _, arch in wanted}}
    for kernel, arch in wanted:
        (HERE / "gpu" / f"{kernel}.sm_{arch}.sass.xz").write_bytes(lzma.compress(texts[arch][kernel].encode()))
    version = subprocess.run(["nvcc", "--version"], check=True, capture_output=True, text=True).stdout
    (HERE / "gpu.toml").write_text(HEAD.format(nvcc=version.split(" V")[1].split()[0]) + "\n" + "\n".join(cases))
    (HERE / "gpu" / "cases.toml").write_text(
        "# Launches of ../gpu.toml, written by ../record.py.\n\n" + "\n".join(launches)
    )


if __name__ == "__main__":
    sys.exit(main())
