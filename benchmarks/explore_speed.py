"""The whole `foretell explore` on a quiet machine: python benchmarks/explore_speed.py OUT.json (about 2 minutes).

Five code blocks and eight axes, as a user runs it: space file, objectives, constraint, front, journal. Beside it the
sweep alone, the same equations in chunked numpy, the front of a million points, the cache simulator, and two workers on
pairs of processors beside two independent numpy processes on the same pairs.
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
from typing import TYPE_CHECKING, Any

import numpy as np
import test_cachesim
import test_counters

from foretell.characterize.cachesim import simulate
from foretell.door import sweep
from foretell.uses import explore, pareto
from foretell.uses.explore import engine, evaluate

if TYPE_CHECKING:
    from collections.abc import Callable

SPACE = """machine = "blue-gene-q"
[[application]]
code = "five.json"
[names]
cores = "cores.count"
llc_MiB = { path = "level.LLC.size", unit = "MiB" }
[axes]
cores = { from = 8, to = 64, count = 15 }
"clock.frequency" = { from = "1 GHz", to = "3 GHz", count = 9 }
"level.L1.size" = { from = "8 KiB", to = "96 KiB", count = 18 }
llc_MiB = { from = 4, to = 64, count = 16 }
"level.LLC.latency" = { from = "20 cycle", to = "60 cycle", count = 9 }
"memory.bandwidth" = { from = "10 GB/s", to = "200 GB/s", count = 40 }
"memory.latency" = { from = "100 cycle", to = "900 cycle", count = 18 }
threads_per_core = [1, 2, 3, 4]
[objectives]
minimise = OBJECTIVES
constraints = ["cores + llc_MiB <= 96"]
"""
OBJECTIVES = ('["time"]', '["time", "area"]', '["time", "area", "power"]')
PEER = """import time, numpy
x = numpy.random.default_rng(1).random(60000)
start = time.perf_counter()
for _ in range(6000):
    numpy.sqrt(x * x + 1.0) / x
print(time.perf_counter() - start)"""
#: blocks of about four million designs each
BLOCKS = 40


def main(out: Path) -> None:
    """Measures everything and writes it down."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        found = {"cpus": os.cpu_count(), **_designs(), **_fronts(), **_accesses(), "two_workers": _pairs()}
        found["command"] = _command()
    out.write_text(json.dumps(found, indent=1))


def _study(objectives: str, file: str = "five.toml", bandwidths: int = 40) -> Any:
    regions = [
        {"name": f"block {n}", "events": {**test_counters.EVENTS, "time": 1e9 * (1 + 0.1 * n)}}
        for n in range(5)
    ]
    profile = {"format": "foretell-profile", "version": 1, "name": "five", "machine": "blue-gene-q"}
    Path("five.json").write_text(
        json.dumps({**profile, "cores": 16, "threads_per_core": 1, "regions": regions})
    )
    text = SPACE.replace("OBJECTIVES", objectives).replace("count = 40", f"count = {bandwidths}")
    Path(file).write_text(text)
    return explore.prepare_study(file)


def _designs() -> dict[str, float]:
    """Million designs a second: a block of each set of objectives, the sweep of random axes, and numpy."""
    found = {}
    for objectives in OBJECTIVES:
        study = _study(objectives)
        packed = evaluate.pack(study)
        evaluate.work(packed, 0)
        first, last = study.block(1)
        seconds = _cpu(lambda packed=packed: evaluate.work(packed, 1))  # type: ignore[misc]
        found[f"explore {objectives} M/s"] = (last - first) / seconds / 1e6
    columns, points = test_counters.random_columns(), test_counters.POINTS
    found["sweep of random axes M/s"] = points / _cpu(lambda: sweep(study.cases[0], columns)) / 1e6
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


def _pairs() -> list[dict[str, Any]]:
    study = _study(OBJECTIVES[1])
    found = []
    everything = os.sched_getaffinity(0)
    for pair in ((0, 1), (0, 2), (0, len(everything) // 2), (4, 12)):
        if not set(pair) <= everything or pair[0] == pair[1]:
            continue
        os.sched_setaffinity(0, pair)
        one, two = _workers(study, 1), _workers(study, 2)
        alone, both = _independent(pair[:1]), _independent(pair)
        found.append(
            {"cpus": pair, "one_s": one, "two_s": two, "times": one / two, "two_numpy": 2 * alone / both}
        )
        os.sched_setaffinity(0, everything)
    return found


def _workers(study: Any, workers: int) -> float:
    start = time.perf_counter()
    for _ in engine.compute(study, range(BLOCKS), engine.processes(workers)):
        pass
    return time.perf_counter() - start


def _independent(cpus: tuple[int, ...]) -> float:
    runs = [
        subprocess.Popen(
            ["taskset", "-c", str(cpu), sys.executable, "-c", PEER], stdout=subprocess.PIPE, text=True
        )
        for cpu in cpus
    ]
    return max(float(run.communicate()[0]) for run in runs)


def _command() -> dict[str, float]:
    """The command line on one core, 10^8 designs with journal."""
    _study(OBJECTIVES[2], "command.toml", bandwidths=4)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [
        sys.executable,
        "-m",
        "foretell",
        "explore",
        "command.toml",
        "--engine",
        "serial",
        "--no-progress",
    ]
    start = time.perf_counter()
    subprocess.run(
        [*command, "--journal", "journal", "--format", "json"], check=True, stdout=subprocess.DEVNULL
    )
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
