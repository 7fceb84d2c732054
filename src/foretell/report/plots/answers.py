"""Plots answers (PNG, SVG, PDF by file suffix), with matplotlib from the extra `plot`."""

from __future__ import annotations

import math
import warnings
from itertools import groupby
from typing import TYPE_CHECKING, Any

from foretell.core.machine import capacity
from foretell.errors import InputError, MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from foretell.core.answers.answers import Advice, Explanation, Predictions, Split, Validation
    from foretell.core.answers.exploration import Exploration
    from foretell.core.answers.prediction import Prediction
    from foretell.core.answers.tuning import Tuning
    from foretell.core.facets.trace import Schedule, StackDistances, Trace
    from foretell.core.machine.machine import Machine

#: panels per row
_MOST_COLUMNS = 3
_ENDINGS = (".png", ".svg", ".pdf")
#: points of the curve of misses per doubling of the capacity
_PER_OCTAVE = 8


def validation(item: Validation, path: Path) -> None:
    """Plots measured against predicted times, with the 20 % band."""
    figure, axes = _figure(1)
    for name, marker in (("tuning", "o"), ("report", "D")):
        points = [point for point in item.points if point.set == name]
        axes[0].scatter(
            [p.measured_s for p in points], [p.predicted_s for p in points], marker=marker, label=f"{name} set"
        )
    times = [time for point in item.points for time in (point.measured_s, point.predicted_s)]
    ends = [0.8 * min(times), 1.25 * max(times)]
    axes[0].plot(ends, ends, color="0.3", linewidth=1)
    for factor in (0.8, 1.2):
        axes[0].plot(ends, [factor * end for end in ends], color="0.6", linestyle="--", linewidth=1)
    axes[0].set(xscale="log", yscale="log", xlabel="measured [s]", ylabel="predicted [s]", title=item.title)
    axes[0].legend(title="dashed: ±20 %")
    _save(figure, path)


def predictions(item: Predictions, path: Path) -> None:
    """Plots a stacked bar of parts per prediction. Measured times are diamonds, hard bounds are lines."""
    figure, axes = _figure(1)
    several = len({entry.workload for entry in item.predictions}) > 1
    labels = [f"{e.workload}, {e.machine}" if several else e.machine for e in item.predictions]
    names = list(dict.fromkeys(part.name for entry in item.predictions for part in entry.parts))
    left = [0.0] * len(labels)
    for name in names:
        widths = [sum(max(p.time_s, 0.0) for p in entry.parts if p.name == name) for entry in item.predictions]
        if any(widths):
            axes[0].barh(range(len(labels)), widths, left=left, label=name)
            left = [start + width for start, width in zip(left, widths, strict=True)]
    known = [(n, item.measured[e.machine]) for n, e in enumerate(item.predictions) if e.machine in item.measured]
    if known:
        axes[0].scatter([time for _, time in known], [n for n, _ in known], marker="D", color="black", label="measured")
    _hard_bounds(axes[0], item)
    axes[0].set_yticks(range(len(labels)), labels)
    axes[0].invert_yaxis()
    axes[0].set(
        xlabel="time [s]", title="where the time goes" + ("" if several else f": {item.predictions[0].workload}")
    )
    axes[0].legend()
    _save(figure, path)


def _hard_bounds(axis: Any, item: Predictions) -> None:
    """Plots lower bounds for every version of the code, where a model provides them."""
    found = [(entry.details.get("hard_bound_s"), place) for place, entry in enumerate(item.predictions)]
    known = [(bound, place) for bound, place in found if isinstance(bound, float)]
    if known:
        axis.scatter(*zip(*known, strict=True), marker="|", s=300, color="red", label="hard bound")


def split(item: Split, path: Path) -> None:
    """Plots the shares of the devices, and the time of each way to divide the work."""
    figure, axes = _figure(2)
    axes[0].bar([entry.machine for entry in item.shares], [entry.share for entry in item.shares])
    axes[0].set(ylabel="share of the work", title=item.workload)
    ways = [("even", item.even_s), ("by cost", item.split_s), ("best alone", item.best_alone_s)]
    ways += [] if item.oracle_s is None else [("by measured", item.oracle_s)]
    axes[1].bar([name for name, _ in ways], [seconds for _, seconds in ways])
    axes[1].set(ylabel="time [s]", title="ways to divide it")
    _save(figure, path)


def cpu(items: Sequence[Prediction], machine: Machine, path: Path) -> None:
    """Plots the roofline, and time against size where one was varied."""
    several = len(items) > 1
    figure, axes = _figure(2 if several else 1)
    _roofline(axes[0], items, machine)
    if several:
        _against_size(axes[1], items)
    _save(figure, path)


def trace(item: Trace, machines: Sequence[Machine], path: Path) -> None:
    """Plots parallelism by level, and misses by capacity with the caches of some machines."""
    figure, axes = _figure(2)
    _parallelism(axes[0], item)
    _distances(axes[1], item, machines)
    _save(figure, path)


def explanation(item: Explanation, path: Path) -> None:
    """Plots elasticities as a tornado, and the curve of each analysed change."""
    curves = [advice for advice in item.advice if advice.curve]
    figure, axes = _figure(1 + len(curves))
    entries = [entry for entry in item.sensitivities if entry.elasticity][:12][::-1]
    colors = ["tab:red" if (entry.elasticity or 0) > 0 else "tab:blue" for entry in entries]
    axes[0].barh([entry.parameter for entry in entries], [entry.elasticity or 0 for entry in entries], color=colors)
    axes[0].axvline(0, color="0.3", linewidth=1)
    axes[0].set(
        xlabel="% of time for 1 % of the parameter", title=f"{item.prediction.workload} on {item.prediction.machine}"
    )
    for axis, advice in zip(axes[1:], curves, strict=True):
        _curve(axis, advice)
        axis.axhline(item.prediction.time_s, color="0.6", linestyle="--", linewidth=1)
    _save(figure, path)


def _curve(axis: Any, advice: Advice) -> None:
    """Plots the predicted curve, and the simulated points with their time breakdown."""
    axis.plot([x for x, _ in advice.curve], [time for _, time in advice.curve], label="predicted")
    if advice.confirmed:
        at = [point.x for point in advice.confirmed]
        axis.plot(at, [point.simulated_s for point in advice.confirmed], "o", label="simulated")
        for number, (name, _) in enumerate(advice.confirmed[0].parts):
            parts = [point.parts[number][1] for point in advice.confirmed]
            if any(parts):
                axis.plot(at, parts, ":", linewidth=1, label=f"simulated: {name}")
        axis.legend()
    axis.set(
        xlabel=advice.curve_label,
        ylabel="time [s]",
        xscale="log" if "bytes" in advice.curve_label else "linear",
        title=f"{advice.title} (dashed: as it is)",
    )


def tuning(item: Tuning, path: Path) -> None:
    """Plots predicted against judged times, or the predicted ones in order; for GPU kernels also the best time over the
    order of the search, and how much each parameter matters."""
    from foretell.report.plots import tuning

    panels = tuning.panels(item)
    figure, axes = _figure(len(panels))
    for axis, draw in zip(axes, panels, strict=True):
        draw(axis)
    _save(figure, path)


def exploration(item: Exploration, path: Path) -> None:
    """Plots all available panels: scaling bars, trade-off, front, tornado."""
    from foretell.report.plots.exploration import panels

    drawn = panels(item)
    if not drawn:
        raise InputError("there is nothing to draw: no scaling table, no trade-off and fewer than two objectives")
    figure, axes = _figure(len(drawn))
    for axis, draw in zip(axes, drawn, strict=True):
        draw(axis)
    _save(figure, path)


def _against_size(axis: Any, items: Sequence[Prediction]) -> None:
    """Plots time over the one varying parameter, with its interval and the points where the bottleneck changes."""
    name = _varying(items)
    ordered = sorted(items, key=lambda item: item.parameters[name])
    sizes = [item.parameters[name] for item in ordered]
    axis.plot(sizes, [item.time_s for item in ordered], color="tab:blue", label="predicted")
    if all(item.interval_s is not None for item in ordered):
        ends = [item.interval_s or (0.0, 0.0) for item in ordered]
        axis.fill_between(sizes, [low for low, _ in ends], [high for _, high in ends], alpha=0.2, label="interval")
    starts = [next(regime) for _, regime in groupby(ordered, key=lambda item: item.bottleneck.bound)]
    for item in starts[1:]:
        axis.axvline(item.parameters[name], color="0.6", linestyle="--", linewidth=1)
    for item in starts:
        corner = (item.parameters[name], axis.get_ylim()[0])
        axis.annotate(item.bottleneck.bound, corner, rotation=90, fontsize=7, va="bottom", color="0.4")
    axis.set(xscale="log", yscale="log", xlabel=name, ylabel="time [s]")
    axis.set_title(f"{ordered[0].workload} on {ordered[0].machine}")
    axis.legend()


def _varying(items: Sequence[Prediction]) -> str:
    """Returns the only parameter in which the predictions differ."""
    names = [name for name in items[0].parameters if len({item.parameters.get(name) for item in items}) > 1]
    if len(names) != 1 or len({item.machine for item in items}) > 1:
        raise InputError("a plot against size needs one -D range and one machine")
    return names[0]


def _roofline(axis: Any, items: Sequence[Prediction], machine: Machine) -> None:
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


def _parallelism(axis: Any, item: Trace) -> None:
    """Plots the operations of each level, with the band from minimum to maximum (AutoMatch, Fig. 7)."""
    _levels(axis, item.schedule, "as written")
    if item.reassociated is not None and item.reassociated != item.schedule:
        _levels(axis, item.reassociated, "reductions as trees")
    axis.set(xscale="log", yscale="log", xlabel="level", ylabel="operations", title=f"{item.kernel}: parallelism")
    if item.schedule.bands:
        axis.legend(title="mean, fewest to most")


def _levels(axis: Any, schedule: Schedule, label: str) -> None:
    if not schedule.bands:
        return
    levels, mean, least, most = [], [], [], []
    for band in schedule.bands:
        levels += [band.first, band.last + 1]
        mean += [band.operations / (band.last - band.first + 1)] * 2
        least += [max(band.least, 0.5)] * 2  # levels without operations stay visible on the logarithmic axis
        most += [band.most] * 2
    (line,) = axis.plot(levels, mean, label=label)
    axis.fill_between(levels, least, most, color=line.get_color(), alpha=0.25, linewidth=0)


def _distances(axis: Any, item: Trace, machines: Sequence[Machine]) -> None:
    """Plots the miss ratio over capacity, with the caches of machines marked (Fig. 8)."""
    for one in item.distances:
        sizes = _sizes(one)
        misses = [one.misses(size / one.line) / one.references for size in sizes]
        axis.plot(sizes, misses, label=f"lines of {one.line} B")
    styles = (":", "--", "-.")
    for number, machine in enumerate(machines):
        style = styles[number % len(styles)]
        for level in machine.levels:
            size = float(capacity.alone(machine, level))
            axis.axvline(size, color="0.4", linestyle=style, linewidth=1)
            axis.annotate(f"{level} {machine.name}", (size, 1.0), rotation=90, va="top", ha="right", fontsize=7)
    axis.set(xscale="log", xlabel="size of the memory [B]", ylabel="misses / references", title=f"{item.kernel}: reuse")
    axis.set_ylim(0, 1)
    if item.distances:
        axis.legend()


def _sizes(one: StackDistances) -> list[float]:
    """Returns capacities from one line to beyond the largest stack distance."""
    last = max((reuse.last for reuse in one.reuses), default=1) + 2
    sizes, lines = [], 1.0
    while lines < 2 * last:
        sizes.append(lines * one.line)
        lines *= 2 ** (1 / _PER_OCTAVE)
    return sizes


def _figure(panels: int) -> tuple[Any, list[Any]]:
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtraError("matplotlib", "plot") from None
    columns = min(panels, _MOST_COLUMNS)
    rows = -(-panels // columns)
    figure = Figure(figsize=(6.4 * columns, 4.8 * rows), layout="constrained")
    axes = list(figure.subplots(rows, columns, squeeze=False).ravel())
    for unused in axes[panels:]:
        unused.set_axis_off()
    return figure, axes[:panels]


def _save(figure: Any, path: Path) -> None:
    if path.suffix.lower() not in _ENDINGS:
        raise InputError(f"a plot ends in {', '.join(_ENDINGS)}", file=path)
    try:
        with warnings.catch_warnings():  # on a busy machine: finding the best place of a legend took a second
            warnings.filterwarnings("ignore", message="Creating legend")
            figure.savefig(path)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", file=path) from None
