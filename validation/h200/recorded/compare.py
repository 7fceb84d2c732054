"""Predicts the launches of captures, and compares them with the times that were measured where they were recorded.

    python compare.py FOLDER        # prints CSV: capture, kernel, launches, predicted and measured seconds

Of launches of a kernel that differ, at most `MOST` are predicted; the captures are not kept here (README.md).
"""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path

from foretell import api, machines
from foretell.errors import ForetellError
from foretell.frontends.gpu.binary.cubin import plain_name
from foretell.frontends.gpu.capture import Capture, read_workloads

MOST = 6
#: CUPTI's times begin later than those of Nsight Compute, which our predictions are like: the median difference over
#: 74 kernels and grids that were measured by both (../programs/launches.csv) is 0.77 us
START_S = 0.77e-6


def compared(path: Path, machine: str = "h200") -> list[tuple[str, int, float, float]]:
    """By kernel: predicted launches, their predicted and their measured time."""
    known = machines.completed(machines.load(machine))
    launches = Capture(path).index.launches
    totals: dict[str, list[float]] = defaultdict(lambda: [0, 0.0, 0.0])
    for item, workload in zip(launches, read_workloads(path), strict=True):
        row = totals[plain_name(item.kernel)]
        if item.measured_s is None or row[0] >= MOST:
            continue
        try:
            time = api.prepare(workload, known).predict().time_s
        except ForetellError as error:
            print(f"{path.stem} {item.kernel}: {error.message}", file=sys.stderr)
            continue
        row[0] += 1
        row[1] += time
        row[2] += item.measured_s + START_S
    return [(name, int(count), predicted, measured) for name, (count, predicted, measured) in totals.items() if count]


def main() -> None:
    print("capture,kernel,launches,predicted_s,measured_s,error")
    for path in sorted(Path(sys.argv[1]).glob("*.capture")):
        for name, count, predicted, measured in compared(path):
            error = predicted / measured - 1
            print(f"{path.stem},{name},{count},{predicted:.4g},{measured:.4g},{error:+.3f}", flush=True)


if __name__ == "__main__":
    main()
