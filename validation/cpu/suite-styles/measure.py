"""Measures the suite `styles` without the command line: only Python with numpy, gcc and the probe's part of the core.

    PYTHONPATH=src python3 validation/cpu/suite-styles/measure.py FOLDER SECONDS [COMPILER]

FOLDER has machine.toml (`--probe` instead of SECONDS writes it). Recordings are made for `-O3 -march=native` at all
sizes, then for `-O2` and `-Ofast -march=native` at those of private caches. Half of the cores run one case each; of
cases in shared caches and memory, three at once on 16 cores. What a recording has is not measured again: a run that was
stopped goes on.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from foretell import machines
from foretell.uses.measure import Build, Earlier, Request, measure_cases, recording

if TYPE_CHECKING:
    from collections.abc import Sequence

    from foretell.uses.measure import Case

#: flags, levels, and the share of the time after which no samples of them are taken
_PLAN = (
    ("O3", "-O3 -march=native", ("L1", "L2", "L3", "memory"), 0.64),
    ("O2", "-O2", ("L1", "L2"), 0.82),
    ("Ofast", "-Ofast -march=native", ("L1", "L2"), 1.0),
)


def probe(folder: Path) -> None:
    """Probes this machine quickly."""
    from foretell.machines.probe import probe as probed

    (folder / "machine.toml").write_text(probed(quick=True), encoding="utf-8")


def measure(folder: Path, seconds: float, compiler: str) -> None:
    """Takes all measurements of the plan, as far as the time allows."""
    machine = machines.load(folder / "machine.toml")
    workers = max(1, min(8, len(os.sched_getaffinity(0)) // 2))
    begun = time.monotonic()
    for label, flags, levels, share in _PLAN:
        file = folder / f"{compiler}-{label}.toml"
        earlier = Earlier.read(file)
        left = share * seconds - (time.monotonic() - begun)
        if left < 1:
            print(f"{label} {' '.join(levels)}: no time left", flush=True)
            continue
        request = Request(
            machine, (Build(compiler, tuple(flags.split())),), threads=(1,), seconds=0.04, rounds=2, patience=10.0,
            suite="styles", workers=workers, done=earlier.undisturbed, budget=left, levels=frozenset(levels),
        )  # fmt: skip

        def write(cases: Sequence[Case], file: Path = file, earlier: Earlier = earlier) -> None:
            merged = earlier.merged(cases)
            partial = file.with_suffix(".part")
            partial.write_text(recording(merged, machine, "machine.toml"), encoding="utf-8")
            partial.replace(file)

        cases, refused = measure_cases(request, after_round=write)
        write(cases)
        disturbed = sum(case.disturbed for case in cases)
        print(f"{label} {' '.join(levels)}: {len(cases)} cases, {disturbed} disturbed, {len(refused)} refused, "
              f"{time.monotonic() - begun:.0f} s", flush=True)  # fmt: skip
        for one in refused[:20]:
            print(f"  {one.name}: {one.reason.splitlines()[-1]}", flush=True)


if __name__ == "__main__":
    if sys.argv[2] == "--probe":
        probe(Path(sys.argv[1]))
    else:
        measure(Path(sys.argv[1]), float(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else "gcc")
