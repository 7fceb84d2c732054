"""Rooflines: work per second over work per byte, for every level of memory (hierarchical roofline).

Work is what the model counts: floating-point operations of CPU code; warp instructions of GPU kernels (Ding and
Williams, "An Instruction Roofline Model for GPUs", 2019); floating-point instructions of the SW26010.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from foretell import units
from foretell.records import record
from foretell.report.plots import canvas

if TYPE_CHECKING:
    from collections.abc import Sequence

    from foretell.core.answers.prediction import Prediction
    from foretell.core.machine.machine import Machine

_COLORS = ("tab:purple", "tab:green", "tab:orange", "tab:brown", "tab:pink")
_MEMORY_COLOR, _PEAK_COLOR = "tab:blue", "0.2"
#: kinds of bandwidth, and how many bytes really move for one that is counted as in STREAM: where stores read their
#: line first, and otherwise; the roof is the highest of all kinds, so that no mix of traffic exceeds it
_KINDS = {
    "read_": (1.0, 1.0), "": (4 / 3, 1.0), "copy_": (3 / 2, 1.0), "write_": (2.0, 1.0), "update_": (2.0, 2.0),
    "two_stream_write_": (2.0, 1.0), "nontemporal_": (1.0, 1.0),
}  # fmt: skip


@record
class Roofs:
    """Limits of a machine with so many threads: work per second, and bytes per second of each level."""

    work: str
    peak: float
    peak_name: str
    slopes: dict[str, float]


@record
class Reached:
    """What a prediction reaches: work per second, and work per byte of each level that moves bytes."""

    rate: float
    intensities: dict[str, float]


def draw(axis: Any, items: Sequence[Prediction], machine: Machine) -> None:
    """Draws the roofs of as many cores as run, and a point per prediction and level."""
    threads = max(float(item.parameters.get("threads", 1.0)) for item in items)
    roofs = roofs_of(machine, threads)
    points = [point for item in items if (point := reached(item)) is not None]
    left, right = _span(roofs, points)
    _draw_roofs(axis, roofs, left, right)
    _draw_points(axis, roofs, points)
    axis.set(xscale="log", yscale="log", xlim=(left, right), xlabel=f"{roofs.work}s per byte")
    axis.set_ylabel(f"{roofs.work}s per second")
    _lowest(axis, roofs, points)
    canvas.in_units(axis.yaxis, "")
    first = items[0]
    sizes = canvas.sizes_text(first) if len(items) == 1 else f"{len(items)} points"
    canvas.title(axis, f"{first.workload} on {machine.name}" + (f", {sizes}" if sizes else ""))
    canvas.legend_outside(axis)


def _span(roofs: Roofs, points: Sequence[Reached]) -> tuple[float, float]:
    """From left of all corners and points to right of them."""
    corners = [roofs.peak / slope for slope in roofs.slopes.values()]
    at = [value for point in points for value in point.intensities.values()]
    return min([*corners, *at], default=1.0) / 8, max([*corners, *at], default=1.0) * 8


def _draw_roofs(axis: Any, roofs: Roofs, left: float, right: float) -> None:
    unit = "flop/s" if roofs.work == "flop" else " instructions/s"
    label = f"{roofs.peak_name}: {_prefixed(roofs.peak)}{unit}"
    axis.plot([left, right], [roofs.peak] * 2, color=_PEAK_COLOR, linewidth=1.5, label=label)
    for name, slope in roofs.slopes.items():
        corner = min(roofs.peak / slope, right)
        label = f"{name}: {units.show(slope, 'B/s')}"
        axis.plot([left, corner], [left * slope, corner * slope], color=color(name, roofs), linewidth=1.5, label=label)


def _prefixed(value: float) -> str:
    for prefix, scale in (("P", 1e15), ("T", 1e12), ("G", 1e9), ("M", 1e6)):
        if value >= scale:
            return f"{value / scale:.4g} {prefix}"
    return f"{value:.4g} "


def _draw_points(axis: Any, roofs: Roofs, points: Sequence[Reached]) -> None:
    levels = list(dict.fromkeys(name for point in points for name in point.intensities))
    for number, name in enumerate(levels):  # points of several levels may coincide: the outer ones are smaller
        at = [(point.intensities[name], point.rate) for point in points if name in point.intensities]
        known = name in roofs.slopes
        axis.scatter(
            *zip(*at, strict=True),
            s=36.0 * (len(levels) - number),
            color=color(name, roofs) if known else "white",
            edgecolor="black",
            linewidth=0.5,
            zorder=3,
            label=f"by bytes from {name}" + ("" if known else ", whose bandwidth is not known"),
        )
    inside = [point.rate for point in points if not point.intensities]
    for number, rate in enumerate(inside):
        label = "all data in the innermost level" if number == 0 else None
        axis.axhline(rate, color="tab:red", linestyle=":", linewidth=1, label=label)
    if not points:
        axis.plot([], [], " ", label=f"no point: no {roofs.work}s")


def _lowest(axis: Any, roofs: Roofs, points: Sequence[Reached]) -> None:
    """Leaves room below the lowest point, and no empty decades."""
    rates = [point.rate for point in points] or [roofs.peak / 1e3]
    axis.set_ylim(min(rates) / 8, 3 * roofs.peak)


def color(name: str, roofs: Roofs) -> str:
    """The colour of a level: memory has its own."""
    inner = [level for level in roofs.slopes if level != "memory"]
    return _MEMORY_COLOR if name == "memory" else _COLORS[inner.index(name) % len(_COLORS)]


# ------------------------------------------------------------------------------------------ what machines can do


def roofs_of(machine: Machine, threads: float) -> Roofs:
    """The limits of a machine: of `threads` cores of a CPU, of the whole of any other."""
    if machine.kind == "gpu":
        return _of_gpu(machine)
    if machine.kind == "manycore":
        return _of_manycore(machine)
    alone = "peak.core" if "peak.core" in machine else "peak.double"
    peak = machine.value(alone) * threads / (1.0 if alone == "peak.core" else machine.value("cores.count"))
    slopes = {name: _bandwidth(machine, name, threads) for name in (*machine.levels, "memory")}
    count = f"{threads:g} thread{'s' * (threads != 1)}"
    return Roofs("flop", peak, f"peak of {count}", {name: value for name, value in slopes.items() if value})


def _bandwidth(machine: Machine, level: str, threads: float) -> float:
    """Bytes per second of a level for so many cores: what all can draw, and so many times what one can. A bandwidth
    without others beside it is that of every mix, as in the model."""
    start = "memory" if level == "memory" else f"level.{level}"
    allocates = machine.kind == "cpu" and machine.traits.get("memory.write_allocate", "yes") == "yes"
    several = sum(f"{start}.{part}{kind}bandwidth" in machine for kind in _KINDS for part in ("", "core_")) > 2
    moved = {kind: factors[0 if allocates else 1] if several else 1.0 for kind, factors in _KINDS.items()}
    total = max(_per_second(machine, f"{start}.{kind}bandwidth") * moved[kind] for kind in moved)
    core = max(_per_second(machine, f"{start}.core_{kind}bandwidth") * moved[kind] for kind in moved)
    return min((value for value in (total, core * threads) if value), default=0.0)


def _of_gpu(machine: Machine) -> Roofs:
    cores, clock = machine.value("cores.count"), machine.value("clock.frequency")
    peak = machine.value("occupancy.schedulers") * cores * clock
    slopes = {name: _bandwidth(machine, name, cores) for name in (*machine.levels, "memory")}
    return Roofs(
        "warp instruction", peak, f"issue of {cores:g} multiprocessors", {k: v for k, v in slopes.items() if v}
    )


def _of_manycore(machine: Machine) -> Roofs:
    """One floating-point instruction a cycle of each core: pipeline 0 executes them (SW26010 paper, Section II-A)."""
    cores = machine.value("cores.count")
    groups = machine.value("cores.groups") if "cores.groups" in machine else 1.0
    slopes = {"memory": machine.value("memory.bandwidth") * groups}
    return Roofs(
        "floating-point instruction", cores * machine.value("clock.frequency"), f"issue of {cores:g} cores", slopes
    )


def _per_second(machine: Machine, path: str) -> float:
    """Bytes per second; 0 where the machine does not say."""
    if path not in machine:
        return 0.0
    in_cycles = machine[path].unit == "B/cycle"
    return machine.value(path) * (machine.value("clock.frequency") if in_cycles else 1.0)


# ------------------------------------------------------------------------------------------ what predictions reach


def reached(item: Prediction) -> Reached | None:
    """Work per second and per byte of a prediction; None if it counts no work."""
    work, moved = _counted(item)
    if not work or not item.time_s > 0:
        return None
    return Reached(work / item.time_s, {name: work / count for name, count in moved.items() if count > 0})


def _counted(item: Prediction) -> tuple[float, dict[str, float]]:
    """The work of a prediction, and the bytes that it moves from each level."""
    known = item.details
    if "warp_instructions" in known:
        moved = {"L1": _number(item, "requested_B"), "L2": _number(item, "L2_B")}
        moved["memory"] = _number(item, "memory_read_B") + _number(item, "memory_written_B")
        return _number(item, "warp_instructions"), moved
    if "floating_instructions" in known:
        return _number(item, "floating_instructions"), {"memory": _number(item, "moved_B")}
    levels = known.get("bytes_from_B")
    named = levels if isinstance(levels, dict) else {}
    return _number(item, "flops"), {name: float(v) for name, v in named.items() if isinstance(v, float | int)}


def _number(item: Prediction, name: str) -> float:
    value = item.details.get(name)
    return float(value) if isinstance(value, int | float) and math.isfinite(value) else 0.0
