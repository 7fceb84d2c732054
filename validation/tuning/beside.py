"""Kernel Tuner's strategies on the recorded spaces, in its simulation mode: the same configurations, the same budget.

python beside.py [SPACE…]     needs pip install 'foretell[kernel-tuner]'; prints one line a space and strategy

Each strategy runs with some seeds. Printed: the share of the optimum that the best of its first 1, 5 and 16 runs
reaches (median of the seeds), and the runs until one is within 5 % of the optimum (median; of those that do not reach
it within the budget, more than the budget).
"""

from __future__ import annotations

import contextlib
import io
import json
import math
import random
import statistics
import sys
import tempfile
from pathlib import Path

import kernel_tuner
import numpy as np

from foretell.uses.tuning import replay

STRATEGIES = ("random_sample", "genetic_algorithm", "simulated_annealing", "pso", "greedy_ils", "bayes_opt")
BUDGET, FIRST, SEEDS, WITHIN = 64, (1, 5, 16), 15, 1.05


def cache_file(recorded: replay.Recorded, folder: Path) -> Path:
    """The recorded times as a cache file."""
    names = [axis.name for axis in recorded.space.axes]
    entries = {}
    for values, seconds in zip(recorded.configurations, recorded.seconds, strict=True):
        plain = {name: int(values[name]) for name in names}
        time: float | str = seconds * 1e3 if math.isfinite(seconds) else "RuntimeFailedConfig"
        parts = ("compile_time", "verification_time", "benchmark_time", "strategy_time", "framework_time")
        entries[",".join(map(str, plain.values()))] = {
            **plain, "time": time, "times": [time], **dict.fromkeys(parts, 0), "timestamp": "2026-11-17 00:00:00+00:00",
        }  # fmt: skip
    document = {
        "device_name": "simulated", "kernel_name": recorded.space.name, "problem_size": [1], "tune_params_keys": names,
        "tune_params": {axis.name: [int(value) for value in axis.values] for axis in recorded.space.axes},
        "cache": entries,
    }  # fmt: skip
    path = folder / "cache.json"
    path.write_text(json.dumps(document))
    return path


def runs(recorded: replay.Recorded, cache: Path, strategy: str, seed: int) -> list[float]:
    """The seconds of the configurations that a strategy asks for, in their order."""
    random.seed(seed)
    np.random.seed(seed)
    names = [axis.name for axis in recorded.space.axes]
    seconds = {
        tuple(int(values[name]) for name in names): time
        for values, time in zip(recorded.configurations, recorded.seconds, strict=True)
    }

    def allowed(given: dict[str, int]) -> bool:
        return tuple(int(given[name]) for name in names) in seconds

    with contextlib.redirect_stdout(io.StringIO()):
        results, _ = kernel_tuner.tune_kernel(
            recorded.space.name, "__global__ void k() {}", 1, [],
            {axis.name: [int(value) for value in axis.values] for axis in recorded.space.axes},
            restrictions=allowed,
            strategy=strategy, strategy_options={"max_fevals": BUDGET}, cache=str(cache), simulation_mode=True,
            lang="CUDA", quiet=True,
        )  # fmt: skip
    asked = dict.fromkeys(tuple(int(result[name]) for name in names) for result in results)
    return [seconds[key] for key in asked]


def line(name: str, strategy: str, recorded: replay.Recorded, series: list[list[float]]) -> str:
    best = min(recorded.seconds)
    shares = [statistics.median(best / min([*times[:count], math.inf]) for times in series) for count in FIRST]
    needed = [next((k for k, time in enumerate(times, 1) if time <= WITHIN * best), BUDGET + 1) for times in series]
    to_within = statistics.median(needed)
    shown = f"> {BUDGET}" if to_within > BUDGET else f"{to_within:g}"
    return f"{name},{strategy}," + ",".join(f"{share:.3f}" for share in shares) + f",{shown}"


def main(spaces: list[str]) -> None:
    print("space,strategy,1,5,16,runs to 5 %")
    for name in spaces or replay.names():
        recorded = replay.read(name, "h200")
        with tempfile.TemporaryDirectory() as folder:
            cache = cache_file(recorded, Path(folder))
            for strategy in STRATEGIES:
                try:
                    series = [runs(recorded, cache, strategy, seed) for seed in range(SEEDS)]
                except Exception as error:  # one strategy less
                    print(f"# {name} {strategy}: {error!r}"[:300], flush=True)
                    continue
                print(line(name, strategy, recorded, series), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
