"""The roofline of a prediction: as plain data, and as a picture of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from foretell import units
from foretell.report.page.elements import Line, Picture, Point
from foretell.report.plots import roofline

if TYPE_CHECKING:
    from foretell.core.answers.prediction import Prediction
    from foretell.core.machine.machine import Machine

Document = dict[str, Any]
#: how far the picture goes beyond corners and points to both sides, and below the lowest point
_BESIDE, _BELOW = 8.0, 8.0


def document(prediction: Prediction, machine: Machine) -> Document | None:
    """Roofs of the machine with the threads of the prediction, and what it reaches; None where no work is counted."""
    reached = roofline.reached(prediction)
    if reached is None:
        return None
    roofs = roofline.roofs_of(machine, float(prediction.parameters.get("threads", 1.0)))
    return {
        "work": roofs.work,
        "peak": {"name": roofs.peak_name, "work_per_s": roofs.peak},
        "levels": [{"name": name, "bandwidth_B_s": slope} for name, slope in roofs.slopes.items()],
        "reached": {"work_per_s": reached.rate, "work_per_B": reached.intensities},
    }


def picture(given: Document) -> Picture:
    """Work per second over work per byte, with a line for each level and the point of each that moves bytes."""
    peak, rate = given["peak"]["work_per_s"], given["reached"]["work_per_s"]
    slopes = {level["name"]: level["bandwidth_B_s"] for level in given["levels"]}
    intensities = given["reached"]["work_per_B"]
    corners = [peak / slope for slope in slopes.values()] + list(intensities.values())
    left, right = min(corners, default=1.0) / _BESIDE, max(corners, default=1.0) * _BESIDE
    lowest = rate / _BELOW
    lines = [Line(f"{given['peak']['name']}: {_per_second(peak, given['work'])}", ((left, peak), (right, peak)))]
    for name, slope in slopes.items():
        start, corner = max(left, lowest / slope), min(peak / slope, right)
        lines.append(
            Line(f"{name}: {units.show(slope, 'B/s')}", ((start, start * slope), (max(corner, start), corner * slope)))
        )
    names = list(slopes)
    points = tuple(
        Point(x, rate, _label(name, x, rate, given["work"]), series=names.index(name) + 1 if name in names else None)
        for name, x in intensities.items()
    )
    return Picture(
        "roofline", f"{given['work']}s per byte", f"{given['work']}s per second", points,
        y_unit="flop/s" if given["work"] == "flop" else "", logarithmic=True, lines=tuple(lines),
    )  # fmt: skip


def _label(level: str, intensity: float, rate: float, work: str) -> str:
    return f"{_per_second(rate, work)}, {intensity:.4g} {work}s per byte from {level}"


def _per_second(value: float, work: str) -> str:
    for prefix, scale in (("P", 1e15), ("T", 1e12), ("G", 1e9), ("M", 1e6)):
        if value >= scale:
            return f"{value / scale:.4g} {prefix}{'flop' if work == 'flop' else ' ' + work}/s"
    return f"{value:.4g} {work}/s"
