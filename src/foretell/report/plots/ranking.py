"""A bar per prediction, as long as its time, with its interval."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from foretell.report.plots import canvas

if TYPE_CHECKING:
    from foretell.core.answers.answers import Predictions
    from foretell.core.answers.prediction import Prediction

#: times that are further apart are drawn on a logarithmic axis
_MOST_LINEAR = 30.0
_LOWER_BOUND = "0.75"


def draw(axis: Any, item: Predictions) -> None:
    """Draws the bars, fastest first; measured times are diamonds, hard bounds are lines, lower bounds are grey."""
    entries = item.predictions
    times = [entry.time_s for entry in entries]
    far_apart = max(times) > _MOST_LINEAR * min(times) > 0
    if far_apart:
        axis.set_xscale("log")
        _plain_bars(axis, entries)
    else:
        _stacked_bars(axis, entries)
    _intervals(axis, entries)
    _marks(axis, item)
    _names(axis, entries)
    axis.set_xlabel("time")
    highest = max(max(entry.time_s, *(entry.interval_s or (0.0, 0.0))) for entry in entries)
    axis.set_xlim(min(times) / 2 if far_apart else 0.0, highest * (8.0 if far_apart else 1.25))
    canvas.in_seconds(axis.xaxis)
    canvas.legend_outside(axis, None if far_apart else "parts of the time")


def _plain_bars(axis: Any, entries: tuple[Prediction, ...]) -> None:
    """One colour for each bottleneck: on a logarithmic axis parts cannot be added up."""
    names = list(dict.fromkeys(entry.bottleneck.resource for entry in entries))
    for name in names:
        those = [(row, entry) for row, entry in enumerate(entries) if entry.bottleneck.resource == name]
        colors = [_LOWER_BOUND if entry.at_least else f"C{names.index(name) % 10}" for _, entry in those]
        axis.barh(
            [row for row, _ in those], [entry.time_s for _, entry in those], color=colors, label=f"bound by {name}"
        )


def _stacked_bars(axis: Any, entries: tuple[Prediction, ...]) -> None:
    """Parts in proportion: overlap is taken from all of them, so that a bar is as long as the time."""
    names = list(dict.fromkeys(part.name for entry in entries for part in entry.parts if part.time_s > 0))
    left = [0.0] * len(entries)
    for number, name in enumerate(names):
        widths = [_share(entry, name) for entry in entries]
        if any(widths):
            colors = [_LOWER_BOUND if entry.at_least else f"C{number % 10}" for entry in entries]
            axis.barh(range(len(entries)), widths, left=left, color=colors, label=name)
            left = [start + width for start, width in zip(left, widths, strict=True)]


def _share(entry: Prediction, name: str) -> float:
    positive = sum(part.time_s for part in entry.parts if part.time_s > 0)
    own = sum(part.time_s for part in entry.parts if part.name == name and part.time_s > 0)
    return own * entry.time_s / positive if positive else 0.0


def _intervals(axis: Any, entries: tuple[Prediction, ...]) -> None:
    known = [(row, entry.time_s, entry.interval_s or (0.0, 0.0)) for row, entry in _with_interval(entries)]
    if known:
        below = [max(time - ends[0], 0.0) for _, time, ends in known]
        above = [max(ends[1] - time, 0.0) for _, time, ends in known]
        axis.errorbar(
            [time for _, time, _ in known], [row for row, _, _ in known], xerr=[below, above], fmt="none",
            ecolor="black", elinewidth=1, capsize=3, label="interval",
        )  # fmt: skip


def _with_interval(entries: tuple[Prediction, ...]) -> list[tuple[int, Prediction]]:
    return [(row, entry) for row, entry in enumerate(entries) if entry.interval_s and not entry.at_least]


def _marks(axis: Any, item: Predictions) -> None:
    """Measured times, and lower bounds for every version of the code where a model provides them."""
    measured = [(item.measured[e.machine], n) for n, e in enumerate(item.predictions) if e.machine in item.measured]
    bounds = [(entry.details.get("hard_bound_s"), row) for row, entry in enumerate(item.predictions)]
    known = [(bound, row) for bound, row in bounds if isinstance(bound, float)]
    if measured:
        axis.scatter(*zip(*measured, strict=True), marker="D", color="black", zorder=3, label="measured")
    if known:
        axis.scatter(*zip(*known, strict=True), marker="|", s=300, color="red", zorder=3, label="hard bound")


def _names(axis: Any, entries: tuple[Prediction, ...]) -> None:
    """Machines (or codes) beside the bars, times behind them."""
    codes, machines = ({getattr(entry, name) for entry in entries} for name in ("workload", "machine"))
    labels = [
        ", ".join(word for word, many in ((e.workload, codes), (e.machine, machines)) if len(many) > 1) or e.machine
        for e in entries
    ]
    canvas.rows_of_bars(axis, labels)
    for row, entry in enumerate(entries):
        end = entry.time_s if entry.at_least else max(entry.time_s, (entry.interval_s or (0.0, 0.0))[1])
        text = f"  {'at least ' * entry.at_least}{canvas.seconds(entry.time_s)}"
        axis.annotate(text, (end, row), va="center", fontsize=8)
    first = entries[0]
    where = [first.workload] * (len(codes) == 1) + [f"on {first.machine}"] * (len(machines) == 1)
    sizes = canvas.sizes_text(first)
    canvas.title(axis, " ".join(where) + (f", {sizes}" if sizes else ""))
