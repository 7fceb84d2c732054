"""One code, two instruction sets: times of the one predicted from a profile of the other, with and without the
instruction counts of both.

    python compare.py ../thread-scaling/results/profile.json x86-64.json times.json results.json
    python compare.py neoverse-n1/xeon.json neoverse-n1/counts.csv neoverse-n1/times-1.json neoverse-n1/results-1.json

The first two are profiles of the same blocks, compiled for two instruction sets; times.json has the seconds of each
block in both, and may name the machine and the number of threads of the second. The naive model of Section 4.4 of the
Raexplore paper (times by the ratio of instructions) is beside it.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

import foretell
from foretell import files, machines
from foretell.core.facets.counts import CodeBlock, Count, Counts
from foretell.core.workload import Workload
from foretell.frontends.counters import read_profile

if TYPE_CHECKING:
    from foretell.core.machine.machine import Machine


def main(source: Path, target: Path, times: Path, result: Path) -> None:
    """Prints and writes the errors of every block."""
    document = json.loads(files.read_text(times))
    counts, other = (read_profile([path]).facet(Counts) for path in (source, target))
    there = {block.name: block for block in other.blocks}
    rows = []
    for block in counts.blocks:
        if block.name in document["from"]:
            rows.append(compare(block, there[block.name], counts, document))
            print(rows[-1])
    summary = {name: fmean(abs(row[name]) for row in rows) for name in ("without", "with", "naive")}
    print({name: f"{value:.1%}" for name, value in summary.items()})
    result.write_text(json.dumps({**document, "mean_errors": summary, "rows": rows}, indent=1) + "\n")


def compare(block: CodeBlock, other: CodeBlock, counts: Counts, document: dict[str, Any]) -> dict[str, float]:
    """Relative errors of one block."""
    before, after = document["from"][block.name], document["to"][block.name]
    events = {**block.events, "time_s": Count(before, "counter", "measured")}
    machine: Machine | None = machines.load(document["on"]) if "on" in document else counts.machine
    assert machine is not None
    threads = {"threads": float(document["threads"])} if "threads" in document else {}
    one = Workload(block.name, (replace(counts, blocks=(replace(block, events=events),)),))
    beta, gamma = (max(1.0, other.value(n)) / max(1.0, block.value(n)) for n in ("instInt", "instFP"))
    plain = foretell.predict(one, machine, parameters=threads)
    corrected = foretell.predict(one, machine, parameters={**threads, "beta": beta, "gamma": gamma})
    naive = corrected.details["naive_time_s"]
    assert isinstance(naive, float)
    found = {"without": plain.time_s, "with": corrected.time_s, "naive": naive}
    return {"block": block.name, **{name: value / after - 1 for name, value in found.items()}}  # type: ignore[dict-item]


if __name__ == "__main__":
    main(*(Path(argument) for argument in sys.argv[1:5]))
