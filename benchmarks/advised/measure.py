"""Compiles and times what `emit.py` wrote; needs Python and gcc alone.

python measure.py FOLDER [SECONDS]     # prints a line for each kernel, then the geometric mean; writes times.json

The assembly of each kernel is kept beside it. Both programs of a kernel run in turn, three times; the shortest of all
their rounds counts. Checksums must agree to 1e-9, since sums may be added up in another order.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

FLAGS = ("-O3", "-march=native", "-std=gnu11", "-w")
SIDES = ("before", "after")
TURNS = 3


def build(folder: Path, job: dict[str, Any], side: str) -> Path:
    program = folder / f"{job['kernel']}.{side}"
    own = [word for word in job["flags"].split() if not word.startswith("-I")] if side == "after" else []
    main = folder / f"{job['kernel']}.main.c"
    subprocess.run(["gcc", *FLAGS, *own, f"{program}.c", str(main), "-o", str(program), "-lm"], check=True)
    subprocess.run(["gcc", *FLAGS, *own, "-S", f"{program}.c", "-o", f"{program}.s"], check=True)
    return program


def timed(program: Path) -> tuple[float, float]:
    said = subprocess.run([str(program.resolve())], check=True, capture_output=True, text=True, timeout=60).stdout
    seconds, checksum = map(float, said.split())
    return seconds, checksum


def measured(folder: Path, job: dict[str, Any]) -> dict[str, Any]:
    programs = {side: folder / f"{job['kernel']}.{side}" for side in SIDES}
    runs = {side: [] for side in SIDES}
    for _ in range(TURNS):
        for side, program in programs.items():
            runs[side].append(timed(program))
    times = {side: min(seconds for seconds, _ in runs[side]) for side in SIDES}
    one, two = (runs[side][0][1] for side in SIDES)
    same = abs(one - two) <= 1e-9 * max(abs(one), abs(two)) or one == two
    return {**job, **times, "gain": times["before"] / times["after"], "same": same, "checksums": [one, two]}


def shown(result: dict[str, Any]) -> str:
    """A line of the table."""
    times = f"{1e3 * result['before']:9.3f} ms → {1e3 * result['after']:9.3f} ms  {result['gain']:5.2f} ×"
    same = "same" if result["same"] else "OTHER RESULTS"
    return (
        f"{result['kernel']:12} {times}  predicted {result['predicted']:5.2f} ×  {same}  {'; '.join(result['steps'])}"
    )


def main() -> None:
    folder, limit = Path(sys.argv[1]), float([*sys.argv[2:], "150"][0])
    jobs = [job for job in json.loads((folder / "jobs.json").read_text()) if "refused" not in job]
    started, results = time.monotonic(), []
    with ThreadPoolExecutor(16) as pool:
        list(pool.map(lambda pair: build(folder, *pair), [(job, side) for job in jobs for side in SIDES]))
    for job in jobs:
        if time.monotonic() - started > limit:
            print("out of time")
            break
        try:
            results.append(measured(folder, job))
        except (subprocess.SubprocessError, ValueError) as error:
            print(job["kernel"], error)
            continue
        print(shown(results[-1]), flush=True)
        (folder / "times.json").write_text(json.dumps(results, indent=1))
    gains = [one["gain"] for one in results]
    print(f"{len(gains)} kernels, geometric mean {math.exp(math.fsum(map(math.log, gains)) / len(gains)):.2f} ×")


if __name__ == "__main__":
    main()
