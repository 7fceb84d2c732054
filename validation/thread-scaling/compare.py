"""Thread scaling predicted from a profile of one thread, against measured times.

    gcc -O3 -march=x86-64-v3 -fopenmp -static -I$(foretell profile --include) blocks.c -lm -o blocks
    OMP_NUM_THREADS=1 foretell profile --measured-on machine.toml --with valgrind --curve -o profile.json -- ./blocks 1
    python3 measure.py times.json 60 ./blocks ./further    on the machine
    python compare.py profile.json machine.toml RESULT.json times.json [times.json …]

The counts are those of one thread under valgrind, the time of one thread is measured; the model predicts the others.
Times are medians: on a machine whose cores others use, too, the best of many rounds is luck, and more so with more
threads. Only the time of one thread is the shortest, where the machine file says that threads share cores when all of
them work (`cores.sharing`, which relates them to one that is alone): a neighbour that the model adds must not be there.
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

if TYPE_CHECKING:
    from foretell.core.machine import Machine

#: threads on the core of the slowest one that are two rather than one
_SHARED = 1.5
TEXT = (
    "{block:24}{threads:3} threads  measured {measured_s:.2e} s  predicted {predicted_s:.2e} s  {error:+.1%}"
)


def main(profile: Path, machine_file: Path, result: Path, times: list[Path]) -> None:
    """Prints predicted and measured times of every block and thread count, and the errors for each count."""
    documents = [json.loads(path.read_text()) for path in times]
    machine = machines.load(machine_file)
    counts = read_profile([profile]).facet(Counts)
    seconds = {block.name: typical(block.name, documents, machine) for block in counts.blocks}
    rows = [row for block in counts.blocks for row in compare(block, counts, machine, seconds[block.name])]
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


def typical(block: str, documents: list[dict[str, Any]], machine: Machine) -> dict[str, float]:
    """Of each number of threads, the middle of all rounds; of one thread where more of them share cores, the
    shortest."""
    rounds: dict[str, list[float]] = {}
    for document in documents:
        for threads, seconds in document["seconds"].get(block, {}).items():
            rounds.setdefault(threads, []).extend(seconds)
    shared = "cores.sharing" in machine and machine.value("cores.sharing") >= _SHARED
    return {
        threads: min(seconds) if shared and threads == "1" else median(seconds)
        for threads, seconds in rounds.items()
    }


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
    block: CodeBlock, counts: Counts, machine: Machine, seconds: dict[str, float]
) -> list[dict[str, Any]]:
    """One block at every number of threads but one; that one is the baseline. Nothing for what was not timed."""
    if not seconds:
        return []
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
    main(*paths[:3], paths[3:])
