"""Plots an exploration: bars for each application, trade-off, front, tornado."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from foretell.report.plots import canvas
from foretell.report.sections.exploration import show

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from foretell.core.answers.exploration import Exploration, Scaling, TradeoffTable

    Draw = Callable[[Any], None]

_MAX_SCALING = 6


def panels(item: Exploration) -> list[Draw]:
    """Returns a plot function for each panel with data."""
    drawn: list[Draw] = [partial(_scaling_bars, table) for table in item.scaling[:_MAX_SCALING] if _times(table)]
    if item.tradeoff is not None:
        drawn.append(partial(_tradeoff_bars, item.tradeoff))
    if len(item.objectives) > 1 and item.front:
        drawn.append(partial(_front, item))
    if any(_times(table) for table in item.scaling):
        drawn.append(partial(_tornado, item.scaling))
    return drawn


def _times(table: Scaling) -> list[float]:
    return [row.mean_s for row in table.rows if row.mean_s is not None]


def _scaling_bars(table: Scaling, axis: Any) -> None:
    """Plots the time of each application for each factor, baseline first (Figures 14-18 of the Raexplore paper)."""
    rows = sorted(table.rows, key=lambda row: (row.factor != 1, row.factor))
    series = [("baseline" if row.factor == 1 else f"{row.factor:g}x", dict(row.times_s)) for row in rows]
    _grouped(axis, series)
    axis.set(ylabel="time relative to the baseline")
    canvas.title(axis, f"{table.label} scaled alone")


def _tradeoff_bars(table: TradeoffTable, axis: Any) -> None:
    """Plots the time of each application for each option (Figure 20 of the Raexplore paper)."""
    series = []
    for row in table.rows:
        values = [show(value, unit) for value, unit in zip(row.values, table.units, strict=True)]
        series.append((f"({', '.join(values)})" + (" now" if row.is_baseline else ""), dict(row.times_s)))
    _grouped(axis, series)
    axis.set(ylabel="time relative to the baseline")
    canvas.title(axis, f"{table.labels[0]}, {table.labels[1]} at {table.keep} = {table.total:g}")


def _grouped(axis: Any, series: Sequence[tuple[str, dict[str, float | None]]]) -> None:
    """Plots grouped bars per application, relative to the first series and labelled with the change."""
    names = list(series[0][1])
    width = 0.8 / len(series)
    for index, (label, times) in enumerate(series):
        heights = [_share(times[name], series[0][1][name]) for name in names]
        spots = [position + (index - (len(series) - 1) / 2) * width for position in range(len(names))]
        axis.bar(spots, heights, width, label=label)
        for spot, height in zip(spots, heights, strict=True):
            if index and height > 0:
                axis.annotate(f"{height - 1:+.0%}", (spot, height), ha="center", va="bottom", fontsize=6)
    axis.set_xticks(range(len(names)), names)
    axis.axhline(1, color="tab:blue", linewidth=1)
    canvas.legend_outside(axis)


def _share(time: float | None, base: float | None) -> float:
    return time / base if time is not None and base else 0.0


def _front(item: Exploration, axis: Any) -> None:
    """Plots the front in its first two objectives; a third one is the colour."""
    first, second, *others = item.objectives
    x = [design.objectives[first.name] for design in item.front]
    y = [design.objectives[second.name] for design in item.front]
    color = [design.objectives[others[0].name] for design in item.front] if others else None
    drawn = axis.scatter(x, y, c=color, s=30, zorder=3, label="front")
    if color:
        axis.figure.colorbar(drawn, ax=axis, label=_label(others[0].name, others[0].unit))
    else:
        axis.step(*zip(*sorted(zip(x, y, strict=True)), strict=True), where="post", color="0.6", linewidth=1)
    if item.baseline is not None:
        own = item.baseline.objectives
        axis.scatter([own[first.name]], [own[second.name]], marker="*", s=90, color="tab:red", label="baseline")
    scale = "log" if min(x) > 0 and max(x) > 10 * min(x) else "linear"
    axis.set(
        xlabel=_label(first.name, first.unit), ylabel=_label(second.name, second.unit), xscale=scale, title="front"
    )
    if first.unit == "s":
        canvas.in_seconds(axis.xaxis)
    canvas.legend_outside(axis)


def _tornado(tables: Sequence[Scaling], axis: Any) -> None:
    """Plots the range of the mean time over the factors of each parameter."""
    rows = []
    for table in tables:
        now = next((row.mean_s for row in table.rows if row.factor == 1), None)
        if now and _times(table):
            rows.append((table.label, min(_times(table)) / now - 1, max(_times(table)) / now - 1))
    rows.sort(key=lambda row: row[2] - row[1])
    labels = [row[0] for row in rows]
    axis.barh(labels, [row[1] for row in rows], color="tab:blue")
    axis.barh(labels, [row[2] for row in rows], color="tab:red")
    axis.axvline(0, color="0.3", linewidth=1)
    axis.set(xlabel="change of the mean time", title="what matters: each parameter over its factors")


def _label(name: str, unit: str) -> str:
    return f"{name} [{unit}]" if unit else name
