"""Kernel Tuner's strategies on recorded spaces, in its simulation mode: the same configurations, the same budget.

Each strategy runs with some seeds, and no GPU: what it measures is looked up. Its first configuration is a random one.
"""

from __future__ import annotations

import contextlib
import io
import json
import math
import random
import warnings
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np

from foretell import files
from foretell.core.answers.answers import Refusal
from foretell.core.answers.replay import FIRST, WITHIN, Beside
from foretell.errors import ForetellError, MissingExtraError
from foretell.uses.tuning import replay as replays

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from foretell.core.answers.replay import Replay, SpaceReplay
    from foretell.uses.tuning.replay import Recorded

#: one of each kind: random, evolutionary, annealing, swarm, local search, a surrogate of the times
STRATEGIES = ("random_sample", "genetic_algorithm", "simulated_annealing", "pso", "greedy_ils", "bayes_opt")
MISSING = "strategies of Kernel Tuner are not shown: it is not installed (pip install 'foretell[kernel-tuner]')"
#: measured configurations, at most, and seeds of which the median is shown
BUDGET, SEEDS = 64, 7
#: seconds of one search, at most
_MOST_S = 5.0
#: configurations of a space, at least; strategies search without end for the last ones of a small one, so that they may
#: measure a part of it
LEAST, _PART = 64, 2
_SAID = (
    f"Kernel Tuner's strategies: the median of {SEEDS} seeds, at most {BUDGET} measured configurations; none on spaces "
    f"of fewer than {LEAST}"
)
_PARTS = ("compile_time", "verification_time", "benchmark_time", "strategy_time", "framework_time")


def with_strategies(answer: Replay, most: int | None, say: Callable[[str], None] = lambda _: None) -> Replay:
    """Replayed spaces with Kernel Tuner's strategies beside them; without the package, a sentence says so. `most`
    limits the configurations of a space, as for the replay."""
    if find_spec("kernel_tuner") is None:
        return replace(answer, beside=MISSING)
    spaces = []
    for space in answer.spaces:
        say(space.name)
        recorded = replays.read(space.name, answer.machine, most)
        spaces.append(_with_strategies(space, recorded) if len(recorded.configurations) >= LEAST else space)
    return replace(answer, spaces=tuple(spaces), beside=_SAID)


def _with_strategies(space: SpaceReplay, recorded: Recorded) -> SpaceReplay:
    with files.temporary_folder() as folder:
        cache = write_cache(recorded, Path(folder) / "cache.json")
        found = [strategy(recorded, cache, name) for name in STRATEGIES]
    return replace(
        space,
        beside=tuple(item for item in found if isinstance(item, Beside)),
        refused=tuple(item for item in found if isinstance(item, Refusal)),
    )


def strategy(recorded: Recorded, cache: Path, name: str, seeds: int = SEEDS) -> Beside | Refusal:
    """What a strategy reaches on a recorded space, in the median of some seeds, or what it raises there."""
    try:
        series = [measured(recorded, cache, name, seed) for seed in range(seeds)]
    except ForetellError:
        raise  # the package is not there: so for all strategies
    except Exception as error:  # whatever a strategy of another package raises, it is named with
        return Refusal(name, _said(error))
    best = min(recorded.seconds)
    needed = [next((k for k, time in enumerate(times, 1) if time <= WITHIN * best), math.inf) for times in series]
    runs = median(needed)
    return Beside(
        strategy=name,
        top={count: median(best / min([*times[:count], math.inf]) for times in series) for count in FIRST},
        runs=runs if math.isfinite(runs) else None,
    )


def _said(error: Exception) -> str:
    """The kind of an error of another package, and the first line of what it says."""
    lines = str(error).strip().splitlines()
    return ": ".join([type(error).__name__, *lines[:1]])


def measured(recorded: Recorded, cache: Path, name: str, seed: int) -> list[float]:
    """Seconds of the configurations that a strategy asks for, in their order."""
    try:
        import kernel_tuner
    except ImportError:
        raise MissingExtraError("kernel_tuner", "kernel-tuner") from None
    random.seed(seed)
    np.random.seed(seed)  # the state that its strategies use
    seconds = {_key(values): time for values, time in zip(recorded.configurations, recorded.seconds, strict=True)}
    names = list(recorded.configurations[0])

    def allowed(given: dict[str, Any]) -> bool:
        return tuple(float(given[axis]) for axis in names) in seconds

    with _quiet():
        results, _ = kernel_tuner.tune_kernel(
            recorded.space.name, "__global__ void k() {}", 1, [], _parameters(recorded), restrictions=allowed,
            strategy=name, strategy_options=_options(len(seconds)), cache=str(cache),
            simulation_mode=True, lang="CUDA", quiet=True,
        )  # fmt: skip
    asked = dict.fromkeys(tuple(float(result[axis]) for axis in names) for result in results)
    return [seconds[key] for key in asked]


def _options(configurations: int) -> dict[str, Any]:
    """When a strategy ends; some go on without end among what they know already."""
    return {"max_fevals": min(BUDGET, configurations // _PART), "time_limit": _MOST_S}


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """What the package says of parameters without its own names is of no use here."""
    with (
        warnings.catch_warnings(),
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
    ):
        warnings.simplefilter("ignore")
        yield


def _key(values: Any) -> tuple[float, ...]:
    return tuple(float(value) for value in values.values())


def _parameters(recorded: Recorded) -> dict[str, list[int]]:
    return {axis.name: [int(value) for value in axis.values] for axis in recorded.space.axes}


def write_cache(recorded: Recorded, path: Path) -> Path:
    """The recorded times as a cache file of Kernel Tuner."""
    entries = {}
    for values, seconds in zip(recorded.configurations, recorded.seconds, strict=True):
        plain = {axis.name: int(values[axis.name]) for axis in recorded.space.axes}
        time: float | str = seconds * 1e3 if math.isfinite(seconds) else "RuntimeFailedConfig"
        entries[",".join(map(str, plain.values()))] = {
            **plain, "time": time, "times": [time], **dict.fromkeys(_PARTS, 0),
            "timestamp": "2026-11-17 00:00:00+00:00",
        }  # fmt: skip
    document = {
        "device_name": "simulated", "kernel_name": recorded.space.name, "problem_size": [1],
        "tune_params_keys": [axis.name for axis in recorded.space.axes], "tune_params": _parameters(recorded),
        "cache": entries,
    }  # fmt: skip
    files.write_text(path, json.dumps(document))
    return path
