"""Predicts captures as programs, and compares the times of kernels with those measured where they were recorded.

    python compare.py FOLDER        # prints CSV: capture, kernel, launches, predicted and measured seconds, error

The captures are not kept here (README.md).
"""

from __future__ import annotations

import sys
from pathlib import Path

from foretell import machines
from foretell.errors import ForetellError
from foretell.uses.program_run.replay import predict_capture

#: CUPTI's times begin later than those of Nsight Compute, which our predictions are like: the median difference over
#: 74 kernels and grids that were measured by both (../programs/launches.csv) is 0.77 us
START_S = 0.77e-6


def compared(path: Path, machine: str = "h200") -> list[tuple[str, int, float, float]]:
    """By kernel: launches, their predicted and their measured time."""
    (device,) = predict_capture(path, [machines.load(machine)]).devices
    return [
        (row.kernel, row.launches, row.time_s, row.measured_s + START_S * row.launches)
        for row in device.kernels
        if row.measured_s is not None
    ]


def main() -> None:
    print("capture,kernel,launches,predicted_s,measured_s,error")
    for path in sorted(Path(sys.argv[1]).glob("*.capture")):
        try:
            rows = compared(path)
        except ForetellError as error:
            print(f"{path.stem}: {error}", file=sys.stderr)
            continue
        for name, count, predicted, measured in rows:
            shown, relative = name.replace(",", ";").replace(" ", "_"), predicted / measured - 1
            print(f"{path.stem},{shown},{count},{predicted:.4g},{measured:.4g},{relative:+.3f}", flush=True)


if __name__ == "__main__":
    main()
