"""Plots a trace: parallelism and stack distances."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from foretell.core.machine import capacity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from foretell.core.facets.trace import Schedule, StackDistances, Trace
    from foretell.core.machine.machine import Machine

#: points of the curve per doubling of the capacity
_PER_OCTAVE = 8


def parallelism(axis: Any, item: Trace) -> None:
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


def distances(axis: Any, item: Trace, machines: Sequence[Machine]) -> None:
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
