"""Splits work over several devices: shares by predicted cost, and the resulting speedup.

Device d, alone, takes cost(d) for the whole work, transfers included. With shares s(d) all devices work concurrently,
so the work takes max s(d) cost(d); with shares proportional to 1/cost(d) all of them finish together.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from foretell.core.answers.answers import Refusal, Share, Split
from foretell.errors import InputError, nearest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from foretell.api import Case
    from foretell.core.answers.prediction import Prediction

#: fewer devices have nothing to divide
_DEVICES = 2
_HINT = "a split needs code that two of the devices can run"


@dataclass(frozen=True, slots=True)
class Work:
    """The work to split: a number of items, or divisible at any point; and the bytes that cross a device's link."""

    items: int | None = None
    transfer_bytes: float = 0.0


def split(cases: Sequence[Case], work: Work | None = None, measured: Mapping[str, float] | None = None) -> Split:
    """Computes shares for the devices of the cases; `measured` are times of the whole work on devices, by machine
    name."""
    wanted = work or Work()
    predictions, refused = _predicted(cases)
    given = _checked(measured or {}, predictions)
    transfers = [_transfer(case, wanted) for case in cases if case.machine.name in {p.machine for p in predictions}]
    costs = [prediction.time_s + extra for prediction, extra in zip(predictions, transfers, strict=True)]
    shares = _shares(costs, wanted.items)
    times = [given.get(prediction.machine, cost) for prediction, cost in zip(predictions, costs, strict=True)]
    entries = tuple(
        Share(
            machine=prediction.machine,
            predicted_s=prediction.time_s,
            transfer_s=extra,
            measured_s=given.get(prediction.machine),
            share=share,
            items=None if wanted.items is None else round(share * wanted.items),
            time_s=share * time,
        )
        for prediction, extra, share, time in zip(predictions, transfers, shares, times, strict=True)
    )
    even = _shares([1.0] * len(times), wanted.items)
    return Split(
        workload=predictions[0].workload,
        shares=entries,
        even_s=together(even, times),
        split_s=together(shares, times),
        oracle_s=together(_shares(times, wanted.items), times) if given else None,
        best_alone_s=min(times),
        refused=refused,
    )


def largest_remainder(shares: Sequence[float], items: int, costs: Sequence[float]) -> list[int]:
    """Rounds shares to whole items with the right total; of equal remainders the cheaper device gets the item
    (AM-12)."""
    exact = [share * items for share in shares]
    whole = [math.floor(value + 1e-9) for value in exact]
    order = sorted(range(len(shares)), key=lambda d: (-round(exact[d] - whole[d], 9), costs[d]))
    for device in order[: items - sum(whole)]:
        whole[device] += 1
    return whole


def fastest_shares(costs: Sequence[float]) -> list[float]:
    """1/cost, scaled to a sum of one: all devices finish together. One with zero cost takes all."""
    free = [device for device, cost in enumerate(costs) if cost == 0]
    if free:
        return [1 / len(free) if device in free else 0.0 for device in range(len(costs))]
    total = sum(1 / cost for cost in costs)
    return [1 / cost / total for cost in costs]


def _shares(costs: Sequence[float], items: int | None) -> list[float]:
    """The fastest shares, in whole items if the work has items."""
    shares = fastest_shares(costs)
    if items is None:
        return shares
    return [count / items for count in largest_remainder(shares, items, costs)]


def together(shares: Sequence[float], times: Sequence[float]) -> float:
    """The time of the work when every device has its share."""
    return max(share * time for share, time in zip(shares, times, strict=True))


def _predicted(cases: Sequence[Case]) -> tuple[list[Prediction], tuple[Refusal, ...]]:
    predictions, refused = [], []
    for case in cases:
        try:
            predictions.append(case.predict())
        except InputError as error:
            refused.append(Refusal(case.machine.name, error.message))
    if len(predictions) < _DEVICES and refused:
        able = predictions[0].machine if predictions else "no device"
        reasons = "; ".join(f"{item.name}: {item.reason}" for item in refused)
        raise InputError(f"{'only ' if predictions else ''}{able} can be predicted: {reasons}", hint=_HINT)
    return predictions, tuple(refused)


def _transfer(case: Case, work: Work) -> float:
    """Seconds to transfer the bytes of the whole work over the link to the host; none where the machine is the host."""
    if not work.transfer_bytes or case.machine.kind == "cpu":
        return 0.0
    return work.transfer_bytes / case.machine.value("link.bandwidth")


def _checked(measured: Mapping[str, float], predictions: Sequence[Prediction]) -> Mapping[str, float]:
    names = [one.machine for one in predictions]
    for name, seconds in measured.items():
        if name not in names:
            raise InputError(f"a measured time of {name!r}, which is not among the --on devices{nearest(name, names)}")
        if not (math.isfinite(seconds) and seconds > 0):
            raise InputError(f"the measured time of {name!r} must be positive")
    return measured
