"""Turns measured pairs into the recording that `foretell validate advice` replays.

python validation/advice/record.py FOLDER     # jobs.txt, pairs.json, pairs/*.c, asm/*.s, c-times.jsonl (several may be
                                              # joined), cuda/: cases.toml, pairs.json, times.jsonl, pairs.cubin
"""

from __future__ import annotations

import json
import lzma
import re
import shutil
import sys
from pathlib import Path

from foretell.frontends.gpu.sass import kernels, listing

RECORDED = Path(__file__).parents[2] / "src" / "foretell" / "uses" / "recorded" / "advice"
HEADER = """\
# Pairs of versions of a code, before and after one change, written and fixed before anything was predicted.
# Loops: gcc 13.3.0 -O3 -march=native -g1 on 16 cores of an Intel Xeon (Emerald Rapids), the least of 9 or more samples;
# kernels: nvcc -O3 -arch=sm_90 on an NVIDIA H200, median of 21 repeats of launches in a row. A hash of the nest's name,
# or of the kernels' group, decides whether a pair may be used for choosing or is only reported.
machine = "machine.toml"
"""


def main(folder: Path) -> None:
    shutil.rmtree(RECORDED, ignore_errors=True)
    text = [HEADER, *loops(folder), *cuda(folder / "cuda")]
    (RECORDED / "pairs.toml").write_text("\n".join(text))
    shutil.copy(Path(__file__).parents[1] / "cpu" / "xeon-16-2026-11-16" / "machine.toml", RECORDED / "machine.toml")


def loops(folder: Path) -> list[str]:
    """A table for each version that was measured, and one for each pair."""
    times: dict[tuple[str, str], float] = {}
    for line in (folder / "c-times.jsonl").read_text().splitlines():
        entry = json.loads(line)
        key = entry["nest"], entry["version"]
        times[key] = min(times.get(key, float("inf")), entry["min"])
    pairs = [pair for pair in json.loads((folder / "pairs.json").read_text()) if (pair[0], pair[1]) in times]
    sizes = {nest: (size, threads) for nest, _, size, threads, _ in pairs}
    result = []
    for nest, version in dict.fromkeys((nest, name) for nest, name, *_ in pairs for name in ("before", name)):
        source = (folder / "pairs" / f"{nest}__{version}.c").read_text()
        target = RECORDED / "loops" / nest
        target.mkdir(parents=True, exist_ok=True)
        (target / f"{nest}__{version}.c").write_text(source)
        code = re.sub(r'"/[^"]*"', '"."', (folder / "asm" / f"{nest}__{version}.s").read_text())  # no folders of ours
        (target / f"{nest}__{version}.s.xz").write_bytes(lzma.compress(code.encode()))
        size, threads = sizes[nest]
        count = threads if "#pragma omp" in source else 1
        result.append(
            f'[loops."{nest}/{version}"]\nn = {size}\nthreads = {count}\ntime_s = {times[nest, version]:.5g}\n'
        )
    return result + [_pair("loops", nest, f"{nest}/before", f"{nest}/{version}") for nest, version, *_ in pairs]


def cuda(folder: Path) -> list[str]:
    """The same for kernels, with their machine code."""
    times = {entry["case"]: entry for entry in map(json.loads, (folder / "times.jsonl").read_text().splitlines())}
    target = RECORDED / "kernels"
    target.mkdir(parents=True)
    shutil.copy(folder / "cases.toml", target / "cases.toml")
    for kernel in kernels.decode_all((folder / "pairs.cubin").read_bytes()):
        (target / f"{kernel.name}.sass.xz").write_bytes(lzma.compress(listing.write(kernel).encode()))
    result = [f'[kernels."{name}"]\ntime_s = {entry["row"]["median_s"]:.5g}\n' for name, entry in times.items()]
    pairs = json.loads((folder / "pairs.json").read_text())
    return result + [_pair("kernels", group, before, after) for group, before, after in pairs]


def _pair(kind: str, group: str, before: str, after: str) -> str:
    return f'[[pair]]\nkind = "{kind}"\ngroup = "{group}"\nbefore = "{before}"\nafter = "{after}"\n'


if __name__ == "__main__":
    main(Path(sys.argv[1]))
