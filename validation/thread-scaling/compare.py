"""Thread scaling predicted from a profile of one thread, against measured times.

    gcc -O3 -march=x86-64-v3 -fopenmp -static -I$(foretell profile --include) blocks.c -lm -o blocks
    OMP_NUM_THREADS=1 foretell profile --measured-on machine.toml --with valgrind --curve -o profile.json -- ./blocks 1
    python3 measure.py times.json 60 ./blocks ./further    on the machine
    python compare.py profile.json machine.toml RESULT.json times.json [times.json …]

The counts are those of one thread under valgrind, the time of one thread is measured; the model predicts the others.
Times are medians: on a machine whose cores others use, too, the best of many rounds is luck, and more so with more
threads. Only where the model puts a neighbour on the core of the slowest thread (`cores.sharing` of the machine file,
which relates all threads to one that is alone), the time of one thread is the shortest: one without that neighbour.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from statistics import fmean, median
from typing import TYPE_CHECKING, Any

import foretell
from foretell import machines
from foretell.core.counts import CodeBlock, Count, Counts
from foretell.core.workload import Workload
from foretell.frontends.counters import read_profile
from foretell.models.base import growing_share

if TYPE_CHECKING:
    from foretell.core.machine import Machine

TEXT = (
    "{block:24}{threads:3} threads  measured {measured_s:.2e} s  predicted {predicted_s:.2e} s  {error:+.1%}"
)


def main(profile: Path, machine_file: Path, result: Path, times: list[Path]) -> None:
    """Prints predicted and measured times of every block and thread count, and the errors for each count."""
    documents = [json.loads(path.read_text()) for path in times]
    machine = machines.load(machine_file)
    counts = read_profile([profile]).facet(Counts)
    rows = [
        row
        for block in counts.blocks
        for row in compare(block, counts, machine, rounds(block.name, documents))
    ]
    for row in rows:
        print(TEXT.format(**row))
    summary = [summarized(rows, threads) for threads in sorted({row["threads"] for row in rows})]
    for line in summary:
        print(", ".join(f"{name} {value:.3g}" for name, value in line.items()))
    document = {
        "machine": documents[0]["machine"],
        "date": documents[0]["date"],
        "rounds": sum(one["rounds"] for one in documents),
        "summary": summary,
        "rows": rows,
    }
    result.write_text(json.dumps(document, indent=1) + "\n")


def rounds(block: str, documents: list[dict[str, Any]]) -> dict[str, list[float]]:
    """All times of a block with each number of threads."""
    found: dict[str, list[float]] = {}
    for document in documents:
        for threads, seconds in document["seconds"].get(block, {}).items():
            found.setdefault(threads, []).extend(seconds)
    return found


def summarized(rows: list[dict[str, Any]], threads: int) -> dict[str, float]:
    """The errors at one number of threads."""
    errors = [abs(row["error"]) for row in rows if row["threads"] == threads]
    return {
        "threads": threads,
        "mean_error": fmean(errors),
        "worst_error": max(errors),
        "blocks": len(errors),
    }


def compare(
    block: CodeBlock, counts: Counts, machine: Machine, seconds: dict[str, list[float]]
) -> list[dict[str, Any]]:
    """One block at every number of threads but one; that one is the baseline. Nothing for what was not timed."""
    rows = []
    for threads in (int(name) for name in seconds if name != "1"):
        alone = min(seconds["1"]) if neighbours(machine, threads) else median(seconds["1"])
        events = {name: count for name, count in block.events.items() if name != "time"}
        events["time_s"] = Count(alone, "counter", "measured with one thread")
        one = replace(
            counts, blocks=(replace(block, events=events),), cores=1, threads_per_core=1, machine=machine
        )
        workload, measured = Workload(block.name, (one,)), median(seconds[str(threads)])
        found = foretell.predict(workload, machine, parameters={"threads": float(threads)})
        rows.append(
            {
                "block": block.name,
                "threads": threads,
                "measured_s": measured,
                "predicted_s": found.time_s,
                "error": found.time_s / measured - 1,
            }
        )
    return rows


def neighbours(machine: Machine, threads: int) -> bool:
    """Whether there is rather one than none on the core of the slowest of so many threads."""
    if "cores.sharing" not in machine:
        return False
    return float(growing_share(machine.value("cores.sharing"), threads, machine.value("cores.count"))) >= 1.5


if __name__ == "__main__":
    paths = [Path(argument) for argument in sys.argv[1:]]
    main(*paths[:3], paths[3:])
