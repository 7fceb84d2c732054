"""The whole `foretell explore` on a quiet machine: python benchmarks/explore/explore_speed.py OUT.json (2 minutes).

Five code blocks and eight axes, as a user runs it: space file, objectives, constraint, front, journal. Beside it the
sweep alone, the same equations in chunked numpy, the front of a million points, and the cache simulator.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import test_cachesim
import test_counters
from five_blocks import OBJECTIVES, study

from foretell.api import sweep
from foretell.characterize.simulate.cachesim import simulate
from foretell.uses import explore, pareto
from foretell.uses.explore import evaluate

if TYPE_CHECKING:
    from collections.abc import Callable


def main(out: Path) -> None:
    """Measures everything and writes it down."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        found = {"cpus": os.cpu_count(), **_designs(), **_fronts(), **_accesses()}
        found["command"] = _command()
    out.write_text(json.dumps(found, indent=1))


def _designs() -> dict[str, float]:
    """Million designs a second: a block of each set of objectives, the sweep of random axes, and numpy."""
    found = {}
    for objectives in OBJECTIVES:
        chosen = study(objectives)
        packed = evaluate.pack(chosen)
        evaluate.work(packed, 0)
        first, last = chosen.block(1)
        seconds = _cpu(lambda packed=packed: evaluate.work(packed, 1))  # type: ignore[misc]
        found[f"explore {objectives} M/s"] = (last - first) / seconds / 1e6
    columns, points = test_counters.random_columns(), test_counters.POINTS
    found["sweep of random axes M/s"] = points / _cpu(lambda: sweep(chosen.cases[0], columns)) / 1e6
    found["numpy M/s"] = points / _cpu(lambda: test_counters.numpy_times(columns)) / 1e6
    return found


def _fronts() -> dict[str, float]:
    """Seconds for a million points of four objectives: random ones, and all on the front."""
    rng = np.random.default_rng(1)
    directions = np.abs(rng.normal(size=(4, 1_000_000)))
    sphere = [np.ascontiguousarray(1 - row) for row in directions / np.sqrt((directions**2).sum(axis=0))]
    cube = list(rng.random((4, 1_000_000)))
    return {
        "front of 1e6 random points s": _cpu(lambda: pareto.front(cube)),
        "front of 1e6 points, all on it s": _cpu(lambda: pareto.front(sphere)),
    }


def _accesses() -> dict[str, float]:
    """Million accesses a second in the cache simulator."""
    found = {}
    for name, nest in test_cachesim.NESTS.items():
        counts = simulate(test_cachesim.LEVELS, [nest])
        seconds = _cpu(lambda nest=nest: simulate(test_cachesim.LEVELS, [nest]), 3)  # type: ignore[misc]
        found[f"cache simulator, {name} M/s"] = counts.accesses / seconds / 1e6
    return found


def _command() -> dict[str, float]:
    """The command line on one core, 10^8 designs with journal."""
    study(OBJECTIVES[2], "command.toml", bandwidths=4)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "foretell", "explore", "command.toml", "--engine", "serial", "--no-progress"]
    start = time.perf_counter()
    subprocess.run([*command, "--journal", "journal", "--format", "json"], check=True, stdout=subprocess.DEVNULL)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    size = explore.prepare_study("command.toml").space.size
    return {"designs": size, "cpu_s": cpu, "wall_s": wall, "M/s of CPU": size / cpu / 1e6}


def _cpu(work: Callable[[], object], times: int = 7) -> float:
    found = []
    for _ in range(times):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return min(found)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
