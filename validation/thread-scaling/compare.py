"""Thread scaling predicted from a profile of one thread, against measured times.

    gcc -O3 -march=x86-64-v3 -fopenmp -I$(foretell profile --include) blocks.c -lm -o blocks
    OMP_NUM_THREADS=1 foretell profile --with valgrind --curve -o profile.json -- ./blocks 1
    python3 measure.py ./blocks times.json                 on the machine
    python compare.py profile.json times.json machine.toml [RESULT.json]

The counts are those of one thread under valgrind, the time of one thread is measured; the model predicts the others.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING

import foretell
from foretell import machines
from foretell.core.counts import CodeBlock, Count, Counts
from foretell.core.workload import Workload
from foretell.frontends.counters import read_profile

if TYPE_CHECKING:
    from foretell.core.machine import Machine

TEXT = (
    "{block:24}{threads:3} threads  measured {measured_s:.2e} s  predicted {predicted_s:.2e} s  {error:+.1%}"
)


def main(profile: Path, times: Path, machine_file: Path, result: Path | None) -> None:
    """Prints predicted and measured times of every block and thread count, and the errors at full threads."""
    measured = json.loads(times.read_text())
    machine = machines.load(machine_file)
    counts = read_profile([profile]).facet(Counts)
    rows = []
    for block in counts.blocks:
        if block.name in measured["seconds"]:
            rows += compare(block, counts, machine, measured["seconds"][block.name])
    for row in rows:
        print(TEXT.format(**row))
    most = max(row["threads"] for row in rows)
    errors = [abs(row["error"]) for row in rows if row["threads"] == most]
    summary = {
        "threads": most,
        "mean_error": fmean(errors),
        "worst_error": max(errors),
        "blocks": len(errors),
    }
    print(", ".join(f"{name} {value:.3g}" for name, value in summary.items()))
    if result is not None:
        document = {
            "machine": measured["machine"],
            "date": measured["date"],
            "summary": summary,
            "rows": rows,
        }
        result.write_text(json.dumps(document, indent=1) + "\n")


def compare(
    block: CodeBlock, counts: Counts, machine: Machine, seconds: dict[str, float]
) -> list[dict[str, float]]:
    """One block at every number of threads but one; that one is the baseline."""
    events = {name: count for name, count in block.events.items() if name != "time"}
    events["time_s"] = Count(seconds["1"], "counter", "measured with one thread")
    one = replace(
        counts, blocks=(replace(block, events=events),), cores=1, threads_per_core=1, machine=machine
    )
    workload = Workload(block.name, (one,))
    rows = []
    for threads, measured in seconds.items():
        if threads == "1":
            continue
        found = foretell.predict(workload, machine, parameters={"threads": float(threads)})
        rows.append(
            {
                "block": block.name,
                "threads": int(threads),
                "measured_s": measured,
                "predicted_s": found.time_s,
                "error": found.time_s / measured - 1,
            }
        )
    return rows


if __name__ == "__main__":
    paths = [Path(argument) for argument in sys.argv[1:]]
    main(paths[0], paths[1], paths[2], paths[3] if len(paths) > 3 else None)
