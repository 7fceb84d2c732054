"""Plots answers (PNG, SVG, PDF by file suffix), with matplotlib from the extra `plot`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from foretell.errors import InputError, MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from foretell.core.answers.answers import Advice, Explanation, Predictions, Split, Validation
    from foretell.core.answers.exploration import Exploration
    from foretell.core.answers.prediction import Prediction
    from foretell.core.answers.tuning import Tuning
    from foretell.core.facets.trace import Trace
    from foretell.core.machine.machine import Machine

#: panels per row
_MOST_COLUMNS = 3
_ENDINGS = (".png", ".svg", ".pdf")


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
    from foretell.report.plots import cpu as cpu_plots

    several = len(items) > 1
    figure, axes = _figure(2 if several else 1)
    cpu_plots.roofline(axes[0], items, machine)
    if several:
        cpu_plots.against_size(axes[1], items)
    _save(figure, path)


def trace(item: Trace, machines: Sequence[Machine], path: Path) -> None:
    """Plots parallelism by level, and misses by capacity with the caches of some machines."""
    from foretell.report.plots import trace as trace_plots

    figure, axes = _figure(2)
    trace_plots.parallelism(axes[0], item)
    trace_plots.distances(axes[1], item, machines)
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
    """Plots predicted against simulated times of all variants."""
    from foretell.report.tunings import draw

    figure, axes = _figure(1)
    draw(item, axes[0])
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
        figure.savefig(path)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", file=path) from None
