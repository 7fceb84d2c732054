"""Miss rates of threads that share an L1: predicted from a profile of one thread, against a simulation of all.

python compare.py [RESULT.json]          needs gcc and valgrind with its headers

The prediction is what the counter model does: the curve of misses that `foretell profile --curve` makes, at a
thread's share of the cache; beside it, the square-root law of the paper. The simulation runs the threads in turns
through the whole cache.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

import numpy as np

from foretell.core.facets.counts import Counts
from foretell.frontends.counters import read_profile
from foretell.uses.profiling.profile import include_folder

SIZE, WAYS, LINE = 49152, 12, 64
PARTS = (1, 2, 4, 8)
THREADS = (2, 4)


def main(result: Path | None) -> None:
    """Prints a row for each kernel and number of threads, and the medians."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        program = build(folder)
        alone = {part: simulate(program, 1, SIZE // part, folder) for part in PARTS}
        shared = {threads: simulate(program, threads, SIZE, folder) for threads in THREADS}
    rows = [
        compare(kernel, threads, [alone[part][kernel] for part in PARTS], shared[threads][kernel])
        for kernel in alone[1]
        for threads in THREADS
    ]
    for row in rows:
        print(
            "{kernel:16}{threads:2} threads  simulated {simulated:.4f}  curve {curve:.4f}  law {law:.4f}".format(**row)
        )
    summary = {
        f"{rule}_{rate}": median(error(row, rule, rate) for row in rows)
        for rule in ("curve", "law")
        for rate in ("miss", "hit")
    }
    print(", ".join(f"median error of {name.replace('_', ', ')} rate {value:.1%}" for name, value in summary.items()))
    if result is not None:
        result.write_text(json.dumps({"cache": [SIZE, WAYS, LINE], "summary": summary, "rows": rows}, indent=1) + "\n")


def compare(kernel: str, threads: int, curve: list[float], simulated: float) -> dict[str, float | str]:
    """The curve is a power law between two of its points, as in the model."""
    sizes = np.log([SIZE / part for part in reversed(PARTS)])
    rates = np.log(np.maximum(curve[::-1], 1e-9))
    at_share = float(np.exp(np.interp(np.log(SIZE / threads), sizes, rates)))
    return {
        "kernel": kernel,
        "threads": threads,
        "simulated": simulated,
        "curve": at_share,
        "law": min(1.0, curve[0] * threads**0.5),
    }


def error(row: dict[str, float | str], rule: str, rate: str) -> float:
    """Relative error of the miss rate or of the hit rate."""
    found, true = float(row[rule]), float(row["simulated"])
    return abs(found - true) / (true if rate == "miss" else 1 - true)


def build(folder: Path) -> Path:
    """The kernels, as a compiler leaves them without vectors."""
    program = folder / "kernels"
    source = Path(__file__).parent / "kernels.c"
    options = ["-O2", "-fno-tree-vectorize", f"-I{include_folder()}"]
    subprocess.run(["gcc", *options, str(source), "-o", str(program)], check=True)
    return program


def simulate(program: Path, threads: int, size: int, folder: Path) -> dict[str, float]:
    """L1 miss rates of the marked regions; a smaller cache has fewer sets, as `foretell profile --curve` takes it."""
    output = folder / f"callgrind.{threads}.{size}"
    options = ["--tool=callgrind", "--cache-sim=yes", "--combine-dumps=yes", f"--callgrind-out-file={output}"]
    caches = [f"--I1=32768,8,{LINE}", f"--D1={size},{WAYS},{LINE}", f"--LL=33554432,16,{LINE}"]
    environment = {"PATH": "/usr/bin:/bin", "FORETELL_TIMES": str(folder / "times")}
    command = ["valgrind", "-q", *options, *caches, str(program), str(threads)]
    subprocess.run(command, check=True, env=environment)
    blocks = read_profile([output]).facet(Counts).blocks
    return {b.name: b.value("missesL1") / b.value("numAccess") for b in blocks if b.name != "outside"}


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
