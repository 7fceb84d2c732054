"""Plots predictions on a CPU: time against a size with the regimes marked, and the roofline."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from foretell.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from foretell.core.answers.prediction import Prediction
    from foretell.core.machine.machine import Machine


def against_size(axis: Any, items: Sequence[Prediction]) -> None:
    """Plots time over the one varying parameter, with its interval and the points where the bottleneck changes."""
    name = varying(items)
    ordered = sorted(items, key=lambda item: item.parameters[name])
    sizes = [item.parameters[name] for item in ordered]
    axis.plot(sizes, [item.time_s for item in ordered], color="tab:blue", label="predicted")
    if all(item.interval_s is not None for item in ordered):
        ends = [item.interval_s or (0.0, 0.0) for item in ordered]
        axis.fill_between(sizes, [low for low, _ in ends], [high for _, high in ends], alpha=0.2, label="interval")
    for before, after in pairwise(ordered):
        if before.bottleneck.bound != after.bottleneck.bound:
            axis.axvline(after.parameters[name], color="0.6", linestyle="--", linewidth=1)
    for first, item in regimes(ordered, name):
        axis.annotate(item, (first, axis.get_ylim()[0]), rotation=90, fontsize=7, va="bottom", color="0.4")
    axis.set(xscale="log", yscale="log", xlabel=name, ylabel="time [s]")
    axis.set_title(f"{ordered[0].workload} on {ordered[0].machine}")
    axis.legend()


def varying(items: Sequence[Prediction]) -> str:
    """Returns the only parameter in which the predictions differ."""
    names = [name for name in items[0].parameters if len({item.parameters.get(name) for item in items}) > 1]
    if len(names) != 1 or len({item.machine for item in items}) > 1:
        raise InputError("a plot against size needs one -D range and one machine")
    return names[0]


def regimes(ordered: Sequence[Prediction], name: str) -> list[tuple[float, str]]:
    """Returns the start of each regime (range with one bottleneck), and its bottleneck."""
    found: list[tuple[float, str]] = []
    for item in ordered:
        if not found or found[-1][1] != item.bottleneck.bound:
            found.append((item.parameters[name], item.bottleneck.bound))
    return found


def roofline(axis: Any, items: Sequence[Prediction], machine: Machine) -> None:
    """Plots operations per second over operations per byte from memory, below the machine's bandwidths and peak."""
    peak, slopes = roofs(machine, float(items[0].parameters.get("threads", 1.0)))
    lows = [peak / slope for slope in slopes.values()]
    left, right = min(lows) / 30, max(lows) * 30
    axis.plot([left, right], [peak, peak], color="0.3", linewidth=1)
    axis.annotate("peak", (right, peak), ha="right", va="bottom", fontsize=8)
    for name, slope in slopes.items():
        axis.plot([left, peak / slope], [left * slope, peak], color="0.5", linewidth=1)
        axis.annotate(name, (left, left * slope), fontsize=8, color="0.4")
    reached = []
    for item in items:
        flops, per_byte = item.details.get("flops"), item.details.get("flop_per_byte")
        if isinstance(flops, float) and isinstance(per_byte, float) and flops > 0 and item.time_s > 0:
            reached.append((per_byte, flops / item.time_s))
    if reached:
        axis.scatter(*zip(*reached, strict=True), color="tab:blue", zorder=3)
    axis.set(xscale="log", yscale="log", xlabel="operations per byte from memory", ylabel="operations per second")
    axis.set_title(f"{items[0].workload} on {machine.name}")


def roofs(machine: Machine, threads: float) -> tuple[float, dict[str, float]]:
    """Returns the peak of this number of cores, and the bandwidth of every level that has one, in bytes per second."""
    alone = "peak.core" if "peak.core" in machine else "peak.double"
    peak = machine.value(alone) * threads / (1.0 if alone == "peak.core" else machine.value("cores.count"))
    slopes = {}
    for name in (*machine.levels, "memory"):
        path = f"{name if name == 'memory' else f'level.{name}'}.bandwidth"
        core = path.replace(".bandwidth", ".core_bandwidth")
        if path in machine:
            drawn = _per_second(machine, core) * threads if core in machine else math.inf
            slopes[name] = min(_per_second(machine, path), drawn)
    return peak, slopes


def _per_second(machine: Machine, path: str) -> float:
    in_cycles = machine[path].unit == "B/cycle"
    return machine.value(path) * (machine.value("clock.frequency") if in_cycles else 1.0)
