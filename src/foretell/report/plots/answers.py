"""Plots answers (PNG, SVG, PDF by file suffix), with matplotlib from the extra `plot`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from foretell.core.answers.answers import Predictions
from foretell.core.answers.description import KernelList
from foretell.core.machine import capacity
from foretell.errors import InputError
from foretell.report.plots import against_size, canvas, ranking, roofline
from foretell.report.plots.canvas import in_seconds, new_figure, save, title

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from foretell.core.answers.answers import Advice, Explanation, Split, Validation
    from foretell.core.answers.description import Description, KernelDescription, KernelSummary
    from foretell.core.answers.exploration import Exploration
    from foretell.core.answers.prediction import Prediction
    from foretell.core.answers.tuning import Tuning
    from foretell.core.facets.trace import Schedule, StackDistances, Trace
    from foretell.core.machine.machine import Machine

#: points of the curve of misses per doubling of the capacity
_PER_OCTAVE = 8


def validation(item: Validation, path: Path) -> None:
    """Plots measured against predicted times, with the 20 % band."""
    figure, axes = new_figure(1)
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
    axes[0].set(xscale="log", yscale="log", xlabel="measured", ylabel="predicted", xlim=ends, ylim=ends, aspect="equal")
    title(axes[0], item.title)
    in_seconds(axes[0].xaxis)
    in_seconds(axes[0].yaxis)
    axes[0].tick_params(axis="x", rotation=45)
    axes[0].legend(title="dashed: ±20 %", loc="upper left")
    save(figure, path)


def predictions(item: Predictions, path: Path) -> None:
    """Plots a bar per prediction, as long as its time."""
    height = max(4.8, 1.2 + 0.35 * len(item.predictions))
    figure, (axis,) = new_figure(1, 8.0, height)
    ranking.draw(axis, item)
    save(figure, path)


def split(item: Split, path: Path) -> None:
    """Plots the shares of the devices, and the time of each way to divide the work."""
    figure, axes = new_figure(2)
    bars = axes[0].bar([entry.machine for entry in item.shares], [entry.share for entry in item.shares])
    axes[0].bar_label(bars, [f"{entry.share:.1%}" for entry in item.shares])
    axes[0].set(ylabel="share of the work", ylim=(0, 1.1))
    title(axes[0], item.workload)
    ways = [("even", item.even_s), ("by cost", item.split_s), ("best alone", item.best_alone_s)]
    ways += [] if item.oracle_s is None else [("by measured", item.oracle_s)]
    bars = axes[1].bar([name for name, _ in ways], [seconds for _, seconds in ways])
    axes[1].bar_label(bars, [canvas.seconds(time) for _, time in ways])
    axes[1].set(ylabel="time", title="ways to divide it")
    axes[1].margins(y=0.1)
    in_seconds(axes[1].yaxis)
    save(figure, path)


def predicted(items: Sequence[Prediction], machines: Sequence[Machine], path: Path) -> None:
    """Plots the roofline of one machine; of several points, the time against size, or a bar for each."""
    varying = against_size.varying(items)
    panels: list[Callable[[Any], None]] = []
    if len(machines) == 1:
        panels.append(lambda axis: roofline.draw(axis, items, machines[0]))
    if varying is not None:
        panels.append(lambda axis: against_size.draw(axis, items, varying))
    elif len(items) > 1:
        panels.append(lambda axis: ranking.draw(axis, Predictions(tuple(items))))
    figure, axes = new_figure(len(panels), 8.0)
    for axis, panel in zip(axes, panels, strict=True):
        panel(axis)
    save(figure, path)


def loops(item: Description, path: Path) -> None:
    """Plots what each loop nest does per iteration, and what it touches at known sizes."""
    from foretell.report.plots import nests

    drawn = nests.panels(item)
    if not drawn:
        raise InputError("there is nothing to draw: no loop nest was understood")
    figure, axes = new_figure(len(drawn), 8.0)
    for axis, panel in zip(axes, drawn, strict=True):
        panel(axis)
    save(figure, path)


def kernels(item: KernelList, path: Path) -> None:
    """Plots the occupancy of each kernel against the threads of a block."""
    known = [entry for entry in item.kernels if entry.occupancy]
    if not known:
        raise InputError("there is nothing to draw: no GPU of this architecture is in the library; name one with --on")
    figure, (axis,) = new_figure(1, 8.0)
    for number, entry in enumerate(known):  # equal curves lie on each other: the first are broader
        sizes, shares = [row.threads for row in entry.occupancy], [100 * row.share for row in entry.occupancy]
        axis.plot(sizes, shares, marker="o", linewidth=min(1.5 * (len(known) - number), 9.0), label=entry.name)
    axis.set(xlabel="threads of a block", ylabel="occupancy [%]", ylim=(0, 105))
    axis.set_xscale("log", base=2)
    axis.set_xticks(sizes_of(known), [str(size) for size in sizes_of(known)])
    title(axis, f"{item.file} on {known[0].machine}")
    canvas.legend_outside(axis)
    save(figure, path)


def sizes_of(known: Sequence[KernelSummary]) -> list[int]:
    """All sizes of blocks, in their order."""
    return sorted({row.threads for entry in known for row in entry.occupancy})


def kernel(item: KernelDescription, path: Path) -> None:
    """Plots the occupancy of one kernel."""
    kernels(KernelList(item.summary.name, (item.summary,)), path)


def trace(item: Trace, machines: Sequence[Machine], path: Path) -> None:
    """Plots parallelism by level, and misses by capacity with the caches of some machines."""
    figure, axes = new_figure(2)
    _parallelism(axes[0], item)
    _distances(axes[1], item, machines)
    save(figure, path)


def explanation(item: Explanation, path: Path) -> None:
    """Plots elasticities as a tornado, and the curve of each analysed change."""
    curves = [advice for advice in item.advice if advice.curve]
    figure, axes = new_figure(1 + len(curves))
    entries = [entry for entry in item.sensitivities if entry.elasticity][:12][::-1]
    colors = ["tab:red" if (entry.elasticity or 0) > 0 else "tab:blue" for entry in entries]
    axes[0].barh([entry.parameter for entry in entries], [entry.elasticity or 0 for entry in entries], color=colors)
    axes[0].axvline(0, color="0.3", linewidth=1)
    axes[0].set(xlabel="% of time for 1 % of the parameter")
    title(axes[0], f"{item.prediction.workload} on {item.prediction.machine}: {canvas.seconds(item.prediction.time_s)}")
    for axis, advice in zip(axes[1:], curves, strict=True):
        _curve(axis, advice)
        axis.axhline(item.prediction.time_s, color="0.6", linestyle="--", linewidth=1)
    save(figure, path)


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
    axis.set(xlabel=advice.curve_label, ylabel="time", xscale="log" if "bytes" in advice.curve_label else "linear")
    title(axis, f"{advice.title} (dashed: as it is)")
    in_seconds(axis.yaxis)


def tuning(item: Tuning, path: Path) -> None:
    """Plots predicted against judged times, or the predicted ones in order; for GPU kernels also the best time over the
    order of the search, and how much each parameter matters."""
    from foretell.report.plots import tuning

    panels = tuning.panels(item)
    figure, axes = new_figure(len(panels))
    for axis, draw in zip(axes, panels, strict=True):
        draw(axis)
    save(figure, path)


def exploration(item: Exploration, path: Path) -> None:
    """Plots all available panels: scaling bars, trade-off, front, tornado."""
    from foretell.report.plots.exploration import panels

    drawn = panels(item)
    if not drawn:
        raise InputError("there is nothing to draw: no scaling table, no trade-off and fewer than two objectives")
    figure, axes = new_figure(len(drawn))
    for axis, draw in zip(axes, drawn, strict=True):
        draw(axis)
    save(figure, path)


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
