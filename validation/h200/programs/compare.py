"""Runs the programs without a GPU, and compares the times of their kernels with those of an H200 (launches.csv).

    python compare.py FOLDER [PROGRAM …]   # CSV: program, kernel, launches, predicted and measured seconds, error
    SET=../suites python compare.py FOLDER

FOLDER has the executables. The last lines are the mean error over kernels, and the median over programs of the error of
the sum of their kernels. Of the suites, a hash puts half of the kernels aside: they have a summary, and no rows.
"""

from __future__ import annotations

import csv
import hashlib
import json
import os
import statistics
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

HERE = Path(__file__).parent / os.environ.get("SET", ".")


def measured() -> dict[tuple[str, str], tuple[int, float]]:
    """Launches and seconds by program and kernel."""
    totals: dict[tuple[str, str], tuple[int, float]] = defaultdict(lambda: (0, 0.0))
    with (HERE / "launches.csv").open(newline="") as lines:
        for row in csv.DictReader(lines):
            launches, seconds = totals[row["program"], row["kernel"]]
            totals[row["program"], row["kernel"]] = (
                launches + int(row["launches"]),
                seconds + int(row["total_ns"]) / 1e9,
            )
    return totals


def predicted(path: Path) -> dict[str, tuple[int, float]]:
    """Launches and seconds by kernel."""
    command = [sys.executable, "-m", "foretell", "run", "--on", "h200", "--format", "json", "--", str(path)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if not done.stdout.startswith("{"):
        print(f"{path.name}: {done.stderr.strip()[-300:]}", file=sys.stderr)
        return {}
    totals: dict[str, tuple[int, float]] = defaultdict(lambda: (0, 0.0))
    for row in json.loads(done.stdout)["devices"][0]["kernels"]:
        name = row["kernel"].partition("<")[0].rpartition("::")[2]
        launches, seconds = totals[name]
        totals[name] = launches + row["launches"], seconds + row["time_s"]
    return totals


def is_aside(program: str, kernel: str) -> bool:
    """Whether the kernel is of the half that is only reported."""
    return "SET" in os.environ and hashlib.sha256(f"{program}/{kernel}".encode()).digest()[-1] % 2 == 1


def told(what: str, errors: list[float]) -> None:
    if errors:
        print(
            f"# {len(errors)} kernels{what}: mean {statistics.mean(errors):.1%}, median {statistics.median(errors):.1%}"
        )


def main() -> None:
    known, sums = measured(), []
    errors: dict[bool, list[float]] = {False: [], True: []}
    names = sys.argv[2:] or sorted({program for program, _ in known})
    print("program,kernel,launches,predicted_s,measured_s,error")
    for program in names:
        own = {kernel: value for (name, kernel), value in known.items() if name == program}
        answer = predicted(Path(sys.argv[1]) / program)
        rows = [(kernel, *answer[kernel], own[kernel][1]) for kernel in answer if kernel in own]
        for kernel, launches, ours, theirs in rows:
            aside = is_aside(program, kernel)
            errors[aside].append(abs(ours / theirs - 1))
            error = f"{ours / theirs - 1:+.3f}"
            if not aside:
                print(f"{program},{kernel},{launches},{ours:.4g},{theirs:.4g},{error}", flush=True)
        if rows:
            sums.append(abs(sum(row[2] for row in rows) / sum(row[3] for row in rows) - 1))
    told("", errors[False])
    told(" put aside", errors[True])
    print(f"# {len(sums)} programs: median of the sum {statistics.median(sums):.1%}")


if __name__ == "__main__":
    main()
