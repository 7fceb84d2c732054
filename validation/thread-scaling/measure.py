"""Times of the code blocks with 1, 2, 4, … threads: python3 measure.py RESULT.json SECONDS PROGRAM [PROGRAM …]

Needs nothing but Python. Each PROGRAM is blocks.c or further.c, compiled as compare.py says. Rounds begin until SECONDS
are over; the times of all of them are written.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

REPEATS = 1


def main(result: str, duration: float, programs: list[str]) -> None:
    """Writes the times and what machine they are from."""
    cores = len(os.sched_getaffinity(0))
    threads = [count for count in (1, 2, 4, 8, 16, 32, 64) if count <= cores]
    seconds: dict[str, dict[str, list[float]]] = {}
    rounds, end = 0, time.monotonic() + duration
    # one after the other, so that a disturbance does not hit all runs of one thread count
    while rounds == 0 or time.monotonic() < end:
        rounds += 1
        for program in programs:
            for count in threads:
                for name, once in timed(program, count).items():
                    seconds.setdefault(name, {}).setdefault(str(count), []).append(once)
    document = {
        "format": "foretell thread scaling 2",
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": {"processor": processor(), "cores": cores, "system": platform.platform()},
        "rounds": rounds,
        "seconds": seconds,
    }
    Path(result).write_text(json.dumps(document) + "\n")


def timed(program: str, threads: int) -> dict[str, float]:
    """Seconds of one execution of each block."""
    with tempfile.TemporaryDirectory() as folder:
        times = Path(folder) / "times"
        environment = {
            "FORETELL_TIMES": str(times),
            "OMP_NUM_THREADS": str(threads),
            "OMP_PROC_BIND": "close",
            "OMP_PLACES": "cores",
            "PATH": os.environ.get("PATH", ""),
        }
        subprocess.run([program, str(REPEATS)], env=environment, check=True)
        rows = [line.split() for line in times.read_text().splitlines()]
    return {row[3]: float(row[1]) / REPEATS for row in rows}


def processor() -> str:
    """Its name, as Linux gives it."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    wanted = ("model name", "cpu family", "model", "CPU part")
    fields: dict[str, str] = {}
    for line in lines:
        name, _, text = line.partition(":")
        if name.strip() in wanted:
            fields.setdefault(name.strip(), text.strip())
    return ", ".join(f"{name} {text}" for name, text in fields.items())


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]), sys.argv[3:])
