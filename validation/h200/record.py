"""Turns what measure.sh left into the recording that `foretell validate gpu` replays, and into listings of what ran.

python validation/h200/record.py RESULTS [SET]    # times.jsonl, ncu-warm.csv, cubins.tgz, about.txt
"""

from __future__ import annotations

import hashlib
import json
import re
import statistics
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any

from foretell import files
from foretell.core.gpu.launch import Launch, Pointer
from foretell.frontends.counters.readers.lines import Lines
from foretell.frontends.counters.readers.ncu import launches
from foretell.frontends.gpu.launch import read_launches
from foretell.frontends.gpu.sass import kernels, listing

RECORDED = Path(__file__).parents[2] / "src" / "foretell" / "uses" / "recorded"
#: not shipped: launches to choose mechanisms by, and a second set that was not seen
_NAMES = (
    "gpu-tuning", "gpu-wider", "gpu-opcodes", "gpu-sweeps", "gpu-blind", "gpu-uneven", "gpu-tensor", "gpu-steered",
    "gpu-pipelines", "gpu-everyday", "gpu-layers", "gpu-styles", "gpu-loops", "gpu-suites",
    "gpu-further", "gpu-waits", "gpu-kinds", "gpu-collected",
)  # fmt: skip
APART = dict.fromkeys(_NAMES, Path(__file__).parent)
#: names in the recording, and the counters that add up to them
COUNTS = {
    "instructions": ("smsp__inst_executed.sum",),
    "global_sectors": tuple(f"l1tex__t_sectors_pipe_lsu_mem_global_op_{op}.sum" for op in ("ld", "st", "red", "atom")),
    "local_sectors": tuple(f"l1tex__t_sectors_pipe_lsu_mem_local_op_{op}.sum" for op in ("ld", "st")),
    "shared_wavefronts": tuple(f"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{op}.sum" for op in ("ld", "st")),
    "l2_sectors": ("lts__t_sectors_srcunit_tex.sum",),
    "dram_bytes": ("dram__bytes_read.sum", "dram__bytes_write.sum"),
}  # fmt: skip
HEADER = """\
# Measured on an NVIDIA H200 (driver {driver}, nvcc {nvcc}, {clock:.0f} MHz) by validation/h200/measure.sh, written by
# record.py.
# Times: median of 21 repeats, one of several launches in a row, so that the L2 cache holds what the launch before left.
# Counts: Nsight Compute, without flushing the caches.
title = "{title}"
beside = ["paper"]
"""
#: the recordings: their titles, and what else their heads say
TITLES = {
    "gpu": "Kernels on an H200, times by CUDA events",
    "gpu-held-out": "Kernels on an H200 that the model's authors had not seen",
    "gpu-tuning": "Kernels on an H200 that mechanisms of the model were chosen by",
    "gpu-wider": "Further kernels on an H200 that mechanisms of the model were chosen by",
    "gpu-opcodes": "Single instructions and requests on an H200",
    "gpu-sweeps": "Sweeps on an H200 that each change one thing",
    "gpu-blind": "A second set of kernels on an H200 that the model's authors had not seen",
    "gpu-uneven": "Uneven and data-steered launches on an H200",
    "gpu-tensor": "Tensor cores, bulk copies and mbarriers on an H200",
    "gpu-steered": "Factorisations, diagonals, graphs and searches on an H200",
    "gpu-pipelines": "Warpgroups, tensor maps, clusters and kernels by Triton on an H200",
    "gpu-layers": "Layers of networks, ragged rows, queues, bins and clusters on an H200",
    "gpu-styles": "Graphs, queues, texts, solvers, pipelines and clusters on an H200, in other people's styles",
    "gpu-loops": "Loops on an H200 that each differ in one thing",
    "gpu-suites": "Kernels on an H200 in the manner of public suites and samples",
    "gpu-further": "Further kernels on an H200 in the manner of samples, libraries and suites",
    "gpu-kinds": "Kernels of many kinds on an H200, as programs of collections, samples and libraries have them",
    "gpu-collected": "Further kernels on an H200 as public collections have them",
    "gpu-waits": "Loops on an H200 whose warps wait for tables in constant memory, or at barriers",
    "gpu-everyday": "Reductions, scans, sorts, stencils, images, networks, particles and graphs on an H200",
}
#: held out: written and fixed before anything was predicted for them
SETS = {
    "gpu": "tie = 0.005  # medians of the block sizes, measured in six orders, repeat within 0.4 %\n",
    "gpu-held-out": 'set = "report"\n',
    "gpu-blind": 'set = "report"\n',
    "gpu-tuning": 'set = "tuning"\n',
    "gpu-wider": 'set = "tuning"\n',
    "gpu-opcodes": 'set = "tuning"\n',
    "gpu-sweeps": 'set = "tuning"\n',
    "gpu-loops": 'set = "tuning"\n',
    "gpu-waits": 'set = "tuning"\n',
}
CASE = """\
[case."{case}"]
workload = "{set}/{kernel}.sass.xz"
launch = "{set}/cases.toml"
kernel = "{kernel}"
machine = "h200"
measured = "{time:.5g} us"
counts = {{ {counts} }}
"""
#: Nsight Compute runs a kernel many times and restores its arrays in between: what those leave in the L2 cache (60 MB)
#: says nothing about one launch after another, so bytes from memory are recorded for larger arrays only
LARGE = 120e6
#: a GPU at its power limit lowers its clock: cases after which it was below this fraction of the median are disturbed
SLOWED = 0.97
ORDERS = """
# Figs. 1 and 2 of the paper: block sizes and coarsening of a matrix product; then its tiles
[order.block-size]
{block_sizes}
[order.coarsening]
1 = ["matmul_coarse_1/128"]
2 = ["matmul_coarse_2/128"]
4 = ["matmul_coarse_4/128"]
8 = ["matmul_coarse_8/128"]

[order.tile]
8 = ["matmul_tiled_8/2048"]
16 = ["matmul_tiled_16/2048"]
32 = ["matmul_tiled_32/2048"]

# Section 6.1: a contraction in four versions
[order.contraction]
plain = ["contract_plain/16"]
swapped = ["contract_swapped/16"]
known = ["contract_known/16"]
split = ["contract_split/16"]

# Section 6.2: four stencils in three grades of fusion
[order.fusion]
four-kernels = ["fusion_one/256", "fusion_one/256", "fusion_one/256", "fusion_one/256"]
two-kernels = ["fusion_two/256", "fusion_two/256"]
one-kernel = ["fusion_four/256"]

[order.transpose]
naive = ["transpose_naive/DRAM"]
shared = ["transpose_shared/DRAM"]
padded = ["transpose_padded/DRAM"]
"""


def main(results: Path, which: str = "gpu") -> None:
    times = {entry["case"]: entry for entry in map(json.loads, files.read_text(results / "times.jsonl").splitlines())}
    folder = APART.get(which, RECORDED)
    launches_ = read_launches(folder / which / "cases.toml")
    counters = read_counters(results / "ncu-warm.csv", [launch.name for launch in launches_])
    write_listings(results / "cubins.tgz", {launch.kernel for launch in launches_}, version(results), folder / which)
    head = header(results, which, times) + SETS.get(which, "")
    usual = statistics.median(entry["clock_Hz"] for entry in times.values())
    cases = [
        case(which, launch, times[launch.name], counters[launch.name])
        + ("disturbed = true\n" if times[launch.name]["clock_Hz"] < SLOWED * usual else "")
        for launch in launches_
    ]
    text = "\n".join([head, *cases])
    (folder / f"{which}.toml.xz").write_bytes(files.pack(text + orders() if which == "gpu" else text))


def version(results: Path) -> str:
    return re.findall(r"V(\d+\.\d+\.\d+)", (results / "about.txt").read_text())[0]


def header(results: Path, which: str, times: dict[str, Any]) -> str:
    about = (results / "about.txt").read_text()
    clock = sorted(entry["clock_Hz"] for entry in times.values())[len(times) // 2] * 1e-6
    driver = re.findall(r"NVIDIA H200, ([\d.]+)", about)[0]
    return HEADER.format(driver=driver, nvcc=version(results), clock=clock, title=TITLES[which])


def case(which: str, launch: Launch, measured: dict[str, Any], counted: dict[str, float]) -> str:
    if sum(item.bytes for item in launch.arguments if isinstance(item, Pointer)) < LARGE:
        del counted["dram_bytes"]
    return CASE.format(
        case=launch.name,
        set=which,
        kernel=launch.kernel,
        time=measured["row"]["median_s"] * 1e6,
        counts=", ".join(f"{key} = {value:.10g}" for key, value in counted.items()),
    )


def orders() -> str:
    sizes = "".join(f'{n} = ["matmul_naive/{n}"]\n' for n in (32, 64, 128, 256, 512, 1024))
    return ORDERS.format(block_sizes=sizes)


def read_counters(path: Path, names: list[str]) -> dict[str, dict[str, float]]:
    """Every case was profiled once, in the order of the cases; each part of them has its own header."""
    found: list[dict[str, float]] = []
    with tempfile.TemporaryDirectory() as folder:
        for number, part in enumerate(re.split(r'(?m)^(?="ID")', path.read_text())[1:]):
            piece = Path(folder) / f"{number}.csv"
            piece.write_text(part)
            for launch in launches(Lines(piece)):
                found.append({name: value for name, (value, _) in launch.metrics.items()})
    if len(found) != len(names):
        raise SystemExit(f"{len(found)} profiled launches, {len(names)} cases")
    return {
        name: {key: sum(metrics[part] for part in parts) for key, parts in COUNTS.items() if set(parts) <= set(metrics)}
        for name, metrics in zip(names, found, strict=True)
    }


def write_listings(archive: Path, wanted: set[str | None], nvcc: str, folder: Path) -> None:
    with tarfile.open(archive) as tar:
        for member in sorted(tar.getnames()):
            file = tar.extractfile(member)
            assert file is not None
            cubin = file.read()
            digest = hashlib.sha256(cubin).hexdigest()
            for kernel in kernels.decode_all(cubin):
                if kernel.name in wanted:
                    first, _, rest = listing.write(kernel).partition("\n")
                    made = f"# {member.removesuffix('.cubin')}.cu by nvcc {nvcc}, cubin sha256:{digest}"
                    packed = files.pack(f"{first}\n{made}\n{rest}")
                    (folder / f"{kernel.name}.sass.xz").write_bytes(packed)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
