"""Breaks the time of a program down by loop nest, and computes the rates that it reaches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from foretell.core.answers.breakdown import NestShare, Rate
from foretell.core.columns.tape import real
from foretell.models.cpu.core_time import peak
from foretell.models.cpu.notes import column

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from foretell.core.columns.expression import Value
    from foretell.models.base import Inputs
    from foretell.models.cpu.nest_time import NestTime

#: names of transfer classes without a bandwidth of their own
CLASS_NAMES = {"pages": "TLB misses", "faults": "page faults", "stores": "stores down columns"}
BARRIERS = "threads meeting"


def weighted(count: Value, value: Value) -> Value:
    """Product; 0 where a nest does not run, whatever its closed form yields there."""
    return np.where(count != 0, count * value, 0.0) if np.ndim(count) else count * value


def over_all(runs: Sequence[NestTime], what: Callable[[NestTime], Value]) -> Value:
    """The sum over runs, weighted by their number of executions."""
    total: Value = 0.0
    for run in runs:
        total = total + weighted(run.count, what(run))
    return total


def transfer_name(level: str) -> str:
    """The name of the bound by a level, or by another class of transfers."""
    return CLASS_NAMES.get(level, f"{level} bandwidth")


def nest_shares(runs: Sequence[NestTime], clock: Value, count: int) -> list[tuple[NestShare, ...]]:
    """The nests that run at each of `count` points, the longest first. Calls at several sizes are added up."""
    groups: dict[int, list[NestTime]] = {}
    for run in runs:
        groups.setdefault(id(run.nest), []).append(run)
    whole = np.broadcast_to(np.asarray(over_all(runs, lambda run: run.seconds), dtype=float), (count,))
    points: list[list[NestShare]] = [[] for _ in range(count)]
    for group in groups.values():
        for place, share in _of_nest(group, np.broadcast_to(clock, (count,)), whole):
            points[place].append(share)
    return [tuple(sorted(point, key=lambda share: -share.time_s)) for point in points]


def _of_nest(
    runs: Sequence[NestTime], clock: NDArray[np.float64], whole: NDArray[np.float64]
) -> Iterator[tuple[int, NestShare]]:
    """Yields the points at which a nest runs, and its part there."""
    count, nest = len(whole), runs[0].nest

    def total(what: Callable[[NestTime], Value]) -> Sequence[float]:
        return column(over_all(runs, what), count)

    times, core = total(lambda run: run.seconds), total(lambda run: run.core_seconds)
    trips = total(lambda run: run.core.runs * real(nest.trips.evaluate(run.run.values)))
    flops, calls = total(lambda run: run.flops), total(lambda _: 1.0)
    levels = dict.fromkeys(name for run in runs for name in run.volumes.bytes)
    moved = {name: total(lambda run, name=name: run.volumes.bytes.get(name, 0.0)) for name in levels}  # type: ignore[misc]
    where: dict[str, Any] = {name: getattr(nest, name) for name in ("function", "file", "line")}
    for place, (bottleneck, resource) in enumerate(_limits(runs, count)):
        cycles = float(clock[place]) / trips[place] if trips[place] else 0.0
        share = NestShare(
            **where,
            depth=len(nest.loops),
            calls=calls[place],
            iterations=trips[place],
            time_s=times[place],
            share=times[place] / float(whole[place]) if whole[place] else 0.0,
            bottleneck=bottleneck,
            resource=resource,
            cycles_per_iteration=times[place] * cycles or None,
            core_cycles_per_iteration=core[place] * cycles or None,
            flops=flops[place],
            bytes_from_B={name: bytes_[place] for name, bytes_ in moved.items()},
        )
        if calls[place]:
            yield place, share


def _limits(runs: Sequence[NestTime], count: int) -> Iterator[tuple[str, str]]:
    """Yields the largest bound of a nest and its resource at each point."""
    levels = list(dict.fromkeys(name for run in runs for name in run.transfers))
    names = [(runs[0].core.name, ""), *((transfer_name(level), level) for level in levels)]
    bounds = [over_all(runs, lambda run: run.core_seconds)]
    bounds += [over_all(runs, lambda run, level=level: run.transfers.get(level, 0.0)) for level in levels]  # type: ignore[misc]
    names, bounds = [*names, (BARRIERS, "synchronisation")], [*bounds, over_all(runs, lambda run: run.barriers)]
    largest = np.argmax(np.stack([np.broadcast_to(bound, (count,)) for bound in bounds]), axis=0).tolist()
    resources = np.broadcast_to(runs[0].core.resources(), (count,)) if 0 in largest else None
    for place, number in enumerate(largest):
        name, resource = names[number]
        yield name, resource if number or resources is None else str(resources[place])


def rates(runs: Sequence[NestTime], inputs: Inputs, threads: Value, count: int) -> list[tuple[Rate, ...]]:
    """What a program reaches at each point. The fraction of a level's bandwidth is that of the time in which its
    transfers alone would be done."""

    def total(what: Callable[[NestTime], Value]) -> Sequence[float]:
        return column(over_all(runs, what), count)

    levels = dict.fromkeys(name for run in runs for name in run.volumes.bytes)
    moved = {name: total(lambda run, name=name: run.volumes.bytes.get(name, 0.0)) for name in levels}  # type: ignore[misc]
    busy = {name: total(lambda run, name=name: run.transfers.get(name, 0.0)) for name in levels}  # type: ignore[misc]
    columns = zip(
        total(lambda run: run.seconds),
        total(lambda run: run.flops),
        column(peak(inputs) * threads if _has_peak(inputs) else 0.0, count),
        column(_per_cycle(runs, inputs), count),
        strict=True,
    )
    found: list[tuple[Rate, ...]] = []
    for place, (seconds, flops, highest, issued) in enumerate(columns):
        bytes_from = {name: moved[name][place] for name in levels}
        shares = {name: busy[name][place] / seconds if seconds else 0.0 for name in levels}
        found.append(tuple(_reached(seconds, flops, highest, bytes_from, shares, issued)) if seconds else ())
    return found


def _reached(
    seconds: float,
    flops: float,
    highest: float,
    bytes_from: Mapping[str, float],
    busy: Mapping[str, float],
    issued: float,
) -> Iterator[Rate]:
    if flops:
        yield Rate("floating point", flops / seconds, "flop/s", flops / seconds / highest if highest else None)
    for name, moved in bytes_from.items():
        if moved:
            yield Rate(f"from {name}", moved / seconds, "B/s", min(1.0, busy[name]) or None)
    if flops and bytes_from.get("memory"):
        yield Rate("flop per byte from memory", flops / bytes_from["memory"], "flop/B")
    if issued:
        yield Rate("instructions per cycle", issued, "")


def _per_cycle(runs: Sequence[NestTime], inputs: Inputs) -> Value:
    """Instructions per cycle of one thread, over the whole time; 0 where there is no code."""
    if "clock.frequency" not in inputs or any(run.core.instructions is None for run in runs):
        return 0.0
    executed = over_all(runs, lambda run: 0.0 if run.core.instructions is None else run.core.instructions)
    seconds = over_all(runs, lambda run: run.seconds)
    return executed / np.maximum(seconds * inputs.value("clock.frequency"), 1e-300)


def _has_peak(inputs: Inputs) -> bool:
    of_cycle = "cores.flops_per_cycle" in inputs and "clock.frequency" in inputs
    return of_cycle or "peak.core" in inputs or "peak.double" in inputs
