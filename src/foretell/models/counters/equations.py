"""Section 3 of the Raexplore paper, evaluated by the compiled core."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from foretell import _core

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from foretell.core.expression import Value
    from foretell.models.base import Settings

Column = Any  # a float64 array that broadcasts to the box of points
Rules = _core.CountersRules


class Curve(NamedTuple):
    """Bytes and misses, by growing size; empty: the square-root law. And the bytes that a parallel loop touches, with
    the misses that are first accesses to them; none where that is not known."""

    points: tuple[tuple[float, float], ...] = ()
    loop_bytes: float = 0.0
    loop_misses: float = 0.0


SQUARE_ROOT = Curve()


def analysis(events: Sequence[float], base: Sequence[float], rules: Rules) -> dict[str, float]:
    """What the model finds in one block's baseline; times in cycles of the baseline."""
    result: dict[str, float] = _core.counters_analysis(list(events), list(base), rules)
    return result


def terms(
    events: Sequence[float], curve: Curve, base: Sequence[float], target: Sequence[Value], rules: Rules
) -> dict[str, float]:
    """Every term of one block on the target; times in cycles of the target, infinite where it cannot run."""
    columns = [_column(value) for value in target]
    result: dict[str, float] = _core.counters_terms(list(events), curve, list(base), columns, rules)
    return result


def times(
    blocks: Sequence[Sequence[float]],
    curves: Sequence[Curve],
    base: Sequence[float],
    target: Sequence[Value],
    rules: Rules,
    shape: tuple[int, ...],
) -> NDArray[np.float64]:
    """Seconds at every design point of a box; what is an array in `target` broadcasts to its shape."""
    columns = [_column(value) for value in target]
    events = [list(block) for block in blocks]
    result: NDArray[np.float64] = _core.counters_times(
        shape, events, list(curves), list(base), columns, rules
    )
    return result.reshape(shape)


def rules(settings: Settings, middle: str, out_of_order: bool = False) -> Rules:
    """The options as the core knows them; `middle` is the part of a level between L1 and LLC."""
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


def _column(value: Value) -> Column:
    return np.asarray(value, dtype=np.float64)
