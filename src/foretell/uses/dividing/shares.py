"""Shares of devices by their predicted times at several numbers of items.

A device's time at other numbers is interpolated; a GPU's has its copies over the link, its start and its kernel, one
after the other. Times are uncertain within their intervals, so the shares are those with the least mean time of the
whole over the low ends, the predictions and the high ends of all devices: a split whose gain is smaller than what is
not known does not take the place of one device alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from foretell.core.answers.answers import Share, Split
from foretell.errors import InputError
from foretell.machines import completed
from foretell.uses.program_run.link import Link, LinkCopy
from foretell.uses.program_run.timeline import Timeline

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from foretell.uses.dividing.description import DeviceCode, DividedWork

#: parts of all items at which a device is predicted, and shares that are compared
_PARTS, _SHARES = (0.125, 0.25, 0.5, 1.0), 1001
_DEVICES = 2


@dataclass(frozen=True)
class Curve:
    """Times of a device: rows are the low end, the prediction and the high end, columns numbers of items; `copies_s` is
    the part of the copies at all items."""

    device: DeviceCode
    items: NDArray[np.float64]
    seconds: NDArray[np.float64]
    copies_s: float

    def at(self, items: NDArray[np.float64]) -> NDArray[np.float64]:
        """Times at numbers of items: none for no items, else on lines between those that were predicted."""
        first, second = self.items[:2]
        slope = (self.seconds[:, 1] - self.seconds[:, 0]) / (second - first)
        start = np.maximum(0.0, self.seconds[:, 0] - slope * first)  # what does not depend on the items
        rows = [
            np.interp(items, np.concatenate(([0.0], self.items)), np.concatenate(([begin], row)))
            for begin, row in zip(start, self.seconds, strict=True)
        ]
        return np.where(items > 0, np.array(rows), 0.0)


def divided(work: DividedWork) -> Split:
    """The shares of two devices."""
    if len(work.devices) != _DEVICES:
        raise InputError(f"{work.name} has {len(work.devices)} devices: shares of code are found for two")
    curves = [curve(device, work) for device in work.devices]
    chosen = best_items(curves, work)
    counts = (chosen, work.items - chosen)
    every = np.array([float(work.items)])
    alone = [float(item.at(every)[1, 0]) for item in curves]
    even = max(float(item.at(every / 2)[1, 0]) for item in curves)
    times = [float(item.at(np.array([float(count)]))[1, 0]) for item, count in zip(curves, counts, strict=True)]
    return Split(
        workload=work.name,
        shares=tuple(
            Share(
                machine=item.device.machine.name,
                share=count / work.items,
                items=count,
                time_s=time,
                predicted_s=whole - item.copies_s,
                transfer_s=item.copies_s,
                measured_s=None,
            )
            for item, count, time, whole in zip(curves, counts, times, alone, strict=True)
        ),
        even_s=even,
        split_s=max(times),
        oracle_s=None,
        best_alone_s=min(alone),
    )


def best_items(curves: Sequence[Curve], work: DividedWork) -> int:
    """Items of the first device: the least mean time over what the times may be."""
    steps = np.unique(np.round(np.linspace(0.0, work.items / work.step, _SHARES))) * work.step
    own = np.unique(np.append(steps[steps < work.items], float(work.items)))
    first, second = curves[0].at(own), curves[1].at(work.items - own)
    mean = np.mean([np.maximum(first[a], second[b]) for a, b in product(range(3), repeat=2)], axis=0)
    return int(own[int(np.argmin(mean))])


def curve(device: DeviceCode, work: DividedWork) -> Curve:
    """Predicts a device at some numbers of items."""
    counts = sorted({max(1, round(part * work.items / work.step)) * work.step for part in _PARTS} | {work.items})
    counts = [count for count in counts if count <= work.items]
    rows = [_times(device, count) for count in counts]
    return Curve(device, np.array(counts, float), np.array([row[:3] for row in rows]).T, rows[-1][3])


def _times(device: DeviceCode, items: int) -> tuple[float, float, float, float]:
    """Low end, prediction, high end, and the copies' part."""
    prediction = device.case(items).predict()
    low, high = prediction.interval_s or (prediction.time_s, prediction.time_s)
    ends = [_with_copies(device, items, seconds) for seconds in (low, prediction.time_s, high)]
    return ends[0], ends[1], ends[2], ends[1] - prediction.time_s


def _with_copies(device: DeviceCode, items: int, kernel_s: float) -> float:
    """The time of a GPU with its copies in one stream; of a CPU that of its code."""
    inward, outward = device.copies(items, "to_device"), device.copies(items, "to_host")
    if device.machine.kind != "gpu":
        return kernel_s
    link = Link.of(completed(device.machine))
    line = Timeline(link.launch_s)
    for number, size in enumerate(inward):
        line.submit(number, 1, link.seconds(LinkCopy(size, to_device=True, pinned=True)), "to device")
    line.submit(len(inward), 1, kernel_s, "compute")
    for number, size in enumerate(outward, len(inward) + 1):
        line.submit(number, 1, link.seconds(LinkCopy(size, to_device=False, pinned=True)), "to host")
    return line.end_s
