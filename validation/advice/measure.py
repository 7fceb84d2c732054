"""Compiles and times the pairs that `pairs.py` wrote; needs Python and gcc alone.

python measure.py FOLDER [SECONDS [AT_ONCE]]     # FOLDER/asm/NEST__VERSION.s, FOLDER/times.jsonl: a line for each run

All versions run once, then all again on another core, until the seconds are over: a disturbed moment or a busy
neighbour meets one run of a version, and the shortest counts. Checksums of two versions of a nest must agree to 1e-9,
since sums may be in another order. Assembly that is there is not made anew: what was recorded is measured again.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

FLAGS = ("-O3", "-march=native", "-std=gnu11", "-w")
TURNS = 8
#: programs at once, each on a core with caches of its own; an odd number, so that turns meet other cores
AT_ONCE_MOST = 3
ROUNDS = 3
Version = tuple[str, str, str]


def versions(folder: Path) -> list[Version]:
    """Nest, version and its further flags."""
    jobs = json.loads((folder / "jobs.json").read_text())
    every: list[Version] = []
    for job in jobs:
        every += [(job["nest"], "before", ""), (job["nest"], job["version"], job["flags"])]
    return list(dict.fromkeys(every))


def build(folder: Path, version: Version) -> None:
    """The program is linked from the assembly that is kept."""
    nest, name, flags = version
    assembly = folder / "asm" / f"{nest}__{name}.s"
    own = [word for word in flags.split() if not word.startswith("-I")]
    source = folder / f"{nest}__{name}.c"
    if not assembly.exists():
        subprocess.run(["gcc", *FLAGS, *own, "-g1", "-S", str(source), "-o", str(assembly)], check=True)
    main = [f"-DROUNDS={ROUNDS}", str(folder / f"{nest}.main.c")]
    program = str(folder / f"{nest}__{name}")
    subprocess.run(["gcc", *FLAGS, *main, str(assembly), "-o", program, "-lm"], check=True)


def timed(folder: Path, version: Version, core: int) -> tuple[float, float]:
    program = (folder / f"{version[0]}__{version[1]}").resolve()
    command = ["taskset", "-c", str(core), str(program)]  # one core, whose caches stay its own
    said = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout
    seconds, checksum = map(float, said.split())
    return seconds, checksum


def main() -> None:
    folder, limit = Path(sys.argv[1]), float([*sys.argv[2:], "80"][0])
    at_once = min(AT_ONCE_MOST, int([*sys.argv[3:], "1"][0]))
    (folder / "asm").mkdir(exist_ok=True)
    every, started = versions(folder), time.monotonic()
    with ThreadPoolExecutor(16) as pool:
        list(pool.map(lambda version: build(folder, version), every))
    print(f"compiled in {time.monotonic() - started:.0f} s", flush=True)
    sums: dict[str, float] = {}
    for turn in range(TURNS):
        with ThreadPoolExecutor(at_once) as pool:
            parts = [
                pool.submit(turned, folder, every[(part + turn) % at_once :: at_once], part, turn, started + limit)
                for part in range(at_once)
            ]
            runs = [run for part in parts for run in part.result()]
        write(folder, turn, runs, sums)
        print(f"turn {turn}: {time.monotonic() - started:.0f} s", flush=True)
        if len(runs) < len(every):
            print("out of time")
            return


def turned(folder: Path, some: list[Version], part: int, turn: int, end: float) -> list[tuple[Version, float, float]]:
    """Times some versions on a core that no other part of this turn has, and that they did not have in the turn
    before."""
    cores = sorted(os.sched_getaffinity(0))[1::2]
    core = cores[(part + AT_ONCE_MOST * turn) % len(cores)]
    return [(version, *timed(folder, version, core)) for version in some if time.monotonic() < end]


def write(folder: Path, turn: int, runs: list[tuple[Version, float, float]], sums: dict[str, float]) -> None:
    with (folder / "times.jsonl").open("a") as file:
        for (nest, version, _), seconds, checksum in runs:
            single = "float" in (folder / f"{nest}__before.c").read_text()
            near = 1e-5 if single else 1e-9
            same = math.isclose(checksum, sums.setdefault(nest, checksum), rel_tol=near)
            entry = {"nest": nest, "version": version, "turn": turn, "time_s": seconds, "same": same}
            file.write(json.dumps(entry) + "\n")


if __name__ == "__main__":
    main()
