"""Panels of a search: times, the best over the order of the search, importance of parameters."""

from __future__ import annotations

import math
from functools import partial
from itertools import accumulate
from statistics import fmean, pvariance
from typing import TYPE_CHECKING, Any

from foretell.report.plots.canvas import in_seconds, title

if TYPE_CHECKING:
    from collections.abc import Callable

    from foretell.core.answers.tuning import Tuning


def panels(item: Tuning) -> list[Callable[[Any], None]]:
    """The panels that the results allow."""
    if item.judge == "simulated":
        return [partial(_times, item)]
    return [partial(_times, item), partial(_progress, item), partial(_importance, item)]


def _times(item: Tuning, axis: Any) -> None:
    """Predicted against judged times; without any judged, the predicted ones in order."""
    times = [(v.judged_s, v.predicted_s) for v in item.variants if v.predicted_s is not None]
    both = [(judged, predicted) for judged, predicted in times if judged is not None]
    if both:
        axis.scatter(*zip(*both, strict=True), s=12)
        ends = [min(map(min, both)), max(map(max, both))]
        axis.plot(ends, ends, color="0.3", linewidth=1)
        axis.set(xscale="log", yscale="log", xlabel=item.judge, ylabel="predicted")
        in_seconds(axis.xaxis)
    else:
        axis.plot(range(1, len(times) + 1), sorted(predicted for _, predicted in times), marker=".")
        axis.set(xlabel="variants, best first", ylabel="predicted", yscale="log")
        axis.xaxis.get_major_locator().set_params(integer=True)
    in_seconds(axis.yaxis)
    chosen = ", ".join(f"{name}={_number(value)}" for name, value in item.best.parameters.items())
    title(axis, f"{item.workload} on {item.machine}, best: {chosen}")


def _progress(item: Tuning, axis: Any) -> None:
    """The time of each variant in the order of the search, and the best so far."""
    times = [item.variants[number].time_s for number in item.order]
    numbers = range(1, len(times) + 1)
    known = [(number, time) for number, time in zip(numbers, times, strict=True) if math.isfinite(time)]
    axis.scatter(*zip(*known, strict=True), s=6, color="0.6")
    best = [(number, time) for number, time in zip(numbers, accumulate(times, min), strict=True) if math.isfinite(time)]
    axis.plot(*zip(*best, strict=True), color="tab:blue")
    axis.set(xlabel="order of the search", ylabel="time", yscale="log", title="best so far")
    in_seconds(axis.yaxis)


def _importance(item: Tuning, axis: Any) -> None:
    shares = importance(item)
    axis.barh(list(shares), list(shares.values()))
    axis.set(xlabel="share of the variance of log time", title="importance of parameters")


def importance(item: Tuning) -> dict[str, float]:
    """Share of the variance of log time that each parameter explains alone (first-order index of Sobol), least
    first."""
    able = [variant for variant in item.variants if math.isfinite(variant.time_s) and variant.time_s > 0]
    logs = [math.log(variant.time_s) for variant in able]
    total = pvariance(logs)
    shares = {}
    for name in able[0].parameters:
        groups: dict[float | str, list[float]] = {}
        for variant, value in zip(able, logs, strict=True):
            groups.setdefault(variant.parameters[name], []).append(value)
        centre = fmean(logs)
        between = sum(len(group) * (fmean(group) - centre) ** 2 for group in groups.values()) / len(logs)
        shares[name] = between / total if total > 0 else 0.0
    return dict(sorted(shares.items(), key=lambda pair: pair[1]))


def _number(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
