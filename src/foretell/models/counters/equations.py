"""Section 3 of the Raexplore paper, evaluated by the compiled core."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from foretell import _core

if TYPE_CHECKING:
    from foretell.models.base import Settings

Rules = _core.CountersRules
Curve = _core.CountersCurve
Column = NDArray[np.float64]  # broadcasts to the box of points
SQUARE_ROOT = Curve()


def analysis(events: dict[str, float], base: dict[str, float], rules: Rules) -> dict[str, float]:
    """Analyses one block's baseline; times in cycles of the baseline."""
    return _core.counters_analysis(events, base, rules)


def terms(
    events: dict[str, float], curve: Curve, base: dict[str, float], target: dict[str, Column], rules: Rules
) -> dict[str, float]:
    """Every term of one block on the target; times in cycles of the target, infinite where it cannot run."""
    return _core.counters_terms(events, curve, base, target, rules)


def times(
    blocks: list[dict[str, float]],
    curves: list[Curve],
    base: dict[str, float],
    target: dict[str, Column],
    rules: Rules,
    shape: tuple[int, ...],
) -> NDArray[np.float64]:
    """Seconds at every design point of a box; arrays in `target` broadcast to its shape."""
    result: NDArray[np.float64] = _core.counters_times(shape, blocks, curves, base, target, rules)
    return result.reshape(shape)


def rules(settings: Settings, middle: str, out_of_order: bool = False) -> Rules:
    """Encodes the options for the compiled core; `middle` is the role of a level between L1 and LLC."""
    result = Rules()
    result.out_of_order = out_of_order
    result.core_ratio = settings["core_ratio"] == "scaled"
    result.count_threads = settings["one_thread"] == "fewer_threads"
    result.queue_threads = settings["core_threads"] == "queued"
    result.queue_memory = settings["bandwidth"] == "queued"
    result.floors = settings["parallelism"] == "floor"
    result.cap_ipc = settings["ipc"] == "capped"
    result.local_miss_rates = settings["miss_rates"] == "local"
    result.target_line = settings["traffic_line"] == "target"
    result.scale_traffic = settings["traffic"] == "scaled"
    result.clamp_overlap = settings["overlap"] == "clamped"
    result.calibrate = settings["baseline"] == "calibrated"
    result.middle = getattr(_core.Middle, middle)
    return result
