"""Thread scaling predicted from a profile of one thread, against measured times.

    gcc -O3 -march=x86-64-v3 -fopenmp -static -I$(foretell profile --include) blocks.c -lm -o blocks
    OMP_NUM_THREADS=1 foretell profile --measured-on machine.toml --with valgrind --curve -o profile.json -- ./blocks 1
    sh run.sh FOLDER PYTHON ./blocks ./further             on the machine: two series and a probe between them
    python compare.py profile.json machine.toml RESULT.json series.txt [series.txt …]      or times.json

The counts are those of one thread under valgrind, the time of one thread is measured; the model predicts the others.
Times are medians of those that count (`series.py`), with one thread as with all.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

import series

import foretell
from foretell import machines
from foretell.core.facets.counts import CodeBlock, Count, Counts
from foretell.core.workload import Workload
from foretell.frontends.counters import read_profile

if TYPE_CHECKING:
    from foretell.core.machine.machine import Machine

TEXT = (
    "{block:24}{threads:3} threads  measured {measured_s:.2e} s  predicted {predicted_s:.2e} s  {error:+.1%}"
    "  ({samples} of one, {samples_together})"
)
#: a block with fewer times that count is not measured
FEWEST = 5


def main(profile: Path, machine_file: Path, result: Path, files: list[Path]) -> None:
    """Prints predicted and measured times of every block and thread count, and the errors for each count."""
    machine = machines.load(machine_file)
    run = series.read_run(files, machine)
    rows = compared(profile, machine, run.times)
    for row in rows:
        print(TEXT.format(**row))
    summary = [summarized(rows, threads) for threads in sorted({row["threads"] for row in rows})]
    for line in summary:
        print(", ".join(f"{name} {value:.3g}" for name, value in line.items()))
    document = {"series": run.series, "siblings": run.siblings, "summary": summary, "rows": rows}
    result.write_text(json.dumps(document, indent=1) + "\n")


def compared(profile: Path, machine: Machine, times: dict[str, dict[int, series.Time]]) -> list[dict[str, Any]]:
    """Every block that was measured, with every number of threads but one; `times` are medians of those that count."""
    counts = read_profile([profile]).facet(Counts)
    return [row for block in counts.blocks for row in of_block(block, counts, machine, times.get(block.name, {}))]


def of_block(block: CodeBlock, counts: Counts, machine: Machine, times: dict[int, series.Time]) -> list[dict[str, Any]]:
    """One block at every number of threads but one; that one is the baseline."""
    if 1 not in times or times[1].samples < FEWEST:
        return []
    events = {name: count for name, count in block.events.items() if name != "time"}
    events["time_s"] = Count(times[1].median_s, "counter", "measured with one thread")
    one = replace(counts, blocks=(replace(block, events=events),), cores=1, threads_per_core=1, machine=machine)
    workload = Workload(block.name, (one,))
    rows = []
    for threads, measured in times.items():
        if threads == 1 or measured.samples < FEWEST:
            continue
        predicted = foretell.predict(workload, machine, parameters={"threads": float(threads)}).time_s
        rows.append(
            {
                "block": block.name,
                "threads": threads,
                "samples": times[1].samples,
                "samples_together": measured.samples,
                "measured_s": measured.median_s,
                "predicted_s": predicted,
                "error": predicted / measured.median_s - 1,
            }
        )
    return rows


def summarized(rows: list[dict[str, Any]], threads: int) -> dict[str, float]:
    """The errors at one number of threads."""
    errors = [abs(row["error"]) for row in rows if row["threads"] == threads]
    return {"threads": threads, "mean_error": fmean(errors), "worst_error": max(errors), "blocks": len(errors)}


if __name__ == "__main__":
    paths = [Path(argument) for argument in sys.argv[1:]]
    main(*paths[:3], paths[3:])
