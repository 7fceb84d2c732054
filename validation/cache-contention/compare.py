"""The power law of the counter model against a simulated cache: eight kernels with a half and a quarter of the L1.

python compare.py          needs gcc and valgrind with its headers
"""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path
from statistics import median

from foretell.core.counts import Counts
from foretell.frontends.counters import read_profile
from foretell.uses.profile import include_folder

#: (bytes, ways) of the L1: whole, half, quarter; the last level is never the limit
CACHES = ((49152, 12), (24576, 6), (12288, 3))


def main() -> None:
    """Prints a row for each kernel and share, and the medians."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = Path(__file__).parent / "kernels.c"
        program = folder / "kernels"
        build = [
            "gcc",
            "-O2",
            "-fno-tree-vectorize",
            f"-I{include_folder()}",
            str(source),
            "-o",
            str(program),
        ]
        subprocess.run(build, check=True)
        rates = [simulate(program, size, ways, folder) for size, ways in CACHES]
    misses, hits = [], []
    for kernel, whole in rates[0].items():
        for share, found in ((2, rates[1][kernel]), (4, rates[2][kernel])):
            law = min(1.0, whole * share**0.5)
            misses.append(abs(law - found) / found)
            hits.append(abs(law - found) / (1 - found))
            print(
                f"{kernel:10} 1/{share}  simulated {found:.4f}  power law {law:.4f}  error {misses[-1]:6.1%}"
            )
    print(f"median error of the miss rate {median(misses):.1%}, of the hit rate {median(hits):.1%}")


def simulate(program: Path, size: int, ways: int, folder: Path) -> dict[str, float]:
    """L1 miss rates of the marked regions."""
    output = folder / f"callgrind.{size}"
    options = ["--tool=callgrind", "--cache-sim=yes", "--combine-dumps=yes", f"--callgrind-out-file={output}"]
    caches = ["--I1=32768,8,64", f"--D1={size},{ways},64", "--LL=33554432,16,64"]
    environment = {"PATH": "/usr/bin:/bin", "FORETELL_TIMES": str(folder / "times")}
    subprocess.run(["valgrind", "-q", *options, *caches, str(program)], check=True, env=environment)
    blocks = read_profile([output]).facet(Counts).blocks
    return {b.name: b.value("missesL1") / b.value("numAccess") for b in blocks if b.name != "outside"}


if __name__ == "__main__":
    main()
