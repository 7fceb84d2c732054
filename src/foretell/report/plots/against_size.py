"""Time against the one parameter that varies: a curve per code and machine, with its interval."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

from foretell.report.plots import canvas

if TYPE_CHECKING:
    from collections.abc import Sequence

    from foretell.core.answers.prediction import Prediction


def varying(items: Sequence[Prediction]) -> str | None:
    """Returns the only parameter in which predictions of one code on one machine differ; None if there is none."""
    names = set.union(*(_varying(curve) for curve in curves(items).values()))
    return names.pop() if len(names) == 1 else None


def curves(items: Sequence[Prediction]) -> dict[tuple[str, str], list[Prediction]]:
    """The predictions by code and machine."""
    by_curve: dict[tuple[str, str], list[Prediction]] = {}
    for item in items:
        by_curve.setdefault((item.workload, item.machine), []).append(item)
    return by_curve


def _varying(items: Sequence[Prediction]) -> set[str]:
    return {name for name in items[0].parameters if len({item.parameters.get(name) for item in items}) > 1}


def draw(axis: Any, items: Sequence[Prediction], name: str) -> None:
    """Draws the curves on logarithmic axes; of a single one, also where the bottleneck changes."""
    by_curve = curves(items)
    codes, machines = ({key[side] for key in by_curve} for side in (0, 1))
    for (code, machine), curve in by_curve.items():
        ordered = sorted(curve, key=lambda item: item.parameters[name])
        label = ", ".join(word for word, many in ((code, codes), (machine, machines)) if len(many) > 1)
        _curve(axis, ordered, name, label or "predicted")
    axis.set(xscale="log", yscale="log", xlabel=name, ylabel="time")
    canvas.in_seconds(axis.yaxis)
    canvas.in_units(axis.xaxis, "")
    first = items[0]
    if len(by_curve) == 1:
        _regimes(axis, sorted(items, key=lambda item: item.parameters[name]), name)
    where = [first.workload] * (len(codes) == 1) + [f"on {first.machine}"] * (len(machines) == 1)
    sizes = canvas.sizes_text(first, without=name)
    canvas.title(axis, " ".join(where) + (f", {sizes}" if sizes else ""))
    canvas.legend_outside(axis)


def _curve(axis: Any, ordered: Sequence[Prediction], name: str, label: str) -> None:
    sizes = [item.parameters[name] for item in ordered]
    bound = any(item.at_least for item in ordered)
    (line,) = axis.plot(
        sizes,
        [item.time_s for item in ordered],
        label=f"{label}{' (at least)' * bound}",
        linestyle="--" if bound else "-",
        marker="." if len(sizes) < 20 else None,
    )
    if all(item.interval_s is not None for item in ordered):
        ends = [item.interval_s or (0.0, 0.0) for item in ordered]
        low, high = [end[0] for end in ends], [end[1] for end in ends]
        axis.fill_between(sizes, low, high, alpha=0.15, color=line.get_color(), linewidth=0)


def _regimes(axis: Any, ordered: Sequence[Prediction], name: str) -> None:
    """Marks where another bottleneck begins."""
    starts = [next(regime) for _, regime in groupby(ordered, key=lambda item: item.bottleneck.bound)]
    axis.fill_between([], [], [], alpha=0.15, color="tab:blue", label="interval")
    for number, item in enumerate(starts):
        at = item.parameters[name]
        label = f"{at:g}: {item.bottleneck.bound}"
        if number:
            axis.axvline(at, color=f"C{number % 9 + 1}", linestyle="--", linewidth=1, label=f"from {label}")
        else:
            axis.plot([], [], " ", label=f"from {label}")
