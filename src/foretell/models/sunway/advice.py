"""Suggests changes to an offloaded kernel, each rated by the whole model with and without it (Section IV of the paper).

With `overlap=simulated` candidates are ranked by the closed form, and the best of them and some others simulated.

The printed equations (13)-(15) are first-order forms with known gaps (SW-8, SW-10, SW-11); they are given beside the
model's answer as labelled estimates and never rank anything.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from foretell import units
from foretell.core.answers.answers import Advice
from foretell.core.facets.offload import DERIVED, Offload
from foretell.models.sunway import equations, variants
from foretell.models.sunway.evaluate import evaluate, in_closed_form, is_simulated
from foretell.models.sunway.variants import Trial, confirmed, with_offload
from foretell.models.sunway.work import Transfers, Work, resolve

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from foretell.core.answers.answers import Confirmation
    from foretell.core.columns.expression import Value
    from foretell.core.workload import Workload
    from foretell.models.base import Inputs, Settings

    Curve = tuple[tuple[float, float], ...]

_MAX_CANDIDATES = 200
_NO_GAIN = 1e-9
#: relative difference in time below which numbers of cores are equivalent
_ALIKE = 2e-4
#: number of best candidates by the closed form that are simulated
_PROMISING = 8
_MOST_DOUBLINGS = 4
#: the processor of the paper has four
_CORE_GROUPS = 4
_BYTES, _CORES = "bytes per DMA request", "active cores"


@dataclass(frozen=True, slots=True)
class _Case:
    """The unchanged kernel, with its terms in cycles."""

    workload: Workload
    work: Work
    terms: dict[str, float]
    inputs: Inputs
    settings: Settings

    @property
    def time_s(self) -> float:
        return self.terms["time_s"]

    def seconds(self, cycles: float) -> float:
        return cycles / float(self.inputs.value("clock.frequency"))

    def times(self, work: Work, points: int) -> NDArray[np.float64]:
        """Seconds of candidates in closed form."""
        return equations.times(work, self.inputs, self.settings, points)

    def time_of(self, trial: Trial, *, closed: bool = False) -> float:
        """Seconds of a changed kernel, or on another machine; `closed`: without simulation."""
        settings = in_closed_form(self.settings) if closed else self.settings
        inputs = replace(self.inputs, machine=trial.machine)
        work = resolve(trial.workload.facet(Offload), trial.workload.parameters, inputs, settings)
        return evaluate(trial.workload, work, inputs, settings).terms["time_s"]

    def confirmed(self, trials: Mapping[float, Trial]) -> tuple[Confirmation, ...]:
        """Evaluates a few variants in closed form and by simulation."""
        closed = tuple((x, self.time_of(trial, closed=True)) for x, trial in trials.items())
        return confirmed(closed, (), trials.__getitem__, self.settings.options)

    def curve(
        self,
        x: NDArray[np.float64],
        times: NDArray[np.float64],
        workload_at: Callable[[float], Workload],
        keep: Sequence[float] = (),
    ) -> tuple[Curve, tuple[Confirmation, ...]]:
        """Evaluates candidates in closed form, and simulates some. In a mode that simulates, the curve consists of
        those."""
        closed = tuple((at, time) for at, time in zip(x.tolist(), times.tolist(), strict=True) if time < np.inf)
        best = [at for at, _ in sorted(closed, key=lambda point: point[1])[:_PROMISING]]
        kept = [*keep, *(best if is_simulated(self.settings) else best[:1])]
        seen = confirmed(closed, kept, lambda at: Trial(workload_at(at), self.inputs.machine), self.settings.options)
        if is_simulated(self.settings) and seen:
            return tuple((point.x, point.simulated_s) for point in seen), seen
        return closed, seen


def advise(workload: Workload, inputs: Inputs, settings: Settings) -> tuple[Advice, ...]:
    """Every applicable analysis, largest predicted saving first."""
    work = resolve(workload.facet(Offload), workload.parameters, inputs, settings)
    case = _Case(workload, work, evaluate(workload, work, inputs, settings).terms, inputs, settings)
    found = [_granularity(case), _double_buffer(case), _active_cores(case), _work_per_core(case), _core_groups(case)]
    return tuple(sorted((item for item in found if item), key=lambda item: -item.saving_s))


# -------------------------------------------------------------------------------------- DMA granularity


def _granularity(case: _Case) -> Advice | None:
    """Another DMA request size for the same data. The optimum can be an interior one (SW-9), so all sizes are tried."""
    requests = case.terms["dma_requests"]
    if requests < 1:
        return None
    moving = [number for number, transfer in enumerate(case.work.dma) if float(transfer.bytes) > 0]
    rounds = max(float(case.work.dma[number].count) for number in moving)
    transaction = float(case.inputs.value("memory.transaction"))
    most = max(1.0, case.terms["dma_bytes"] / transaction / requests) * rounds
    finer = np.unique(np.geomspace(1, most, _MAX_CANDIDATES).round()) / rounds
    variant = _resized(case.work, finer)
    counts = np.asarray(sum(variant.dma[number].count for number in moving))
    times = case.times(variant, counts.size)
    times[variant.buffer_bytes > float(case.inputs.value("scratchpad.size"))] = np.inf
    sizes = case.terms["dma_bytes"] / counts
    names = _names(case)

    def resized(size: float) -> Workload:
        factor = float(finer[np.argmin(np.abs(sizes - size))])
        return with_offload(case.workload, variants.finer(case.workload.facet(Offload), factor, names))

    now = case.terms["dma_bytes"] / requests
    curve, seen = case.curve(sizes, times, resized)
    size, time = _best(curve, lambda size: abs(math.log(size / now)))
    if not time < case.time_s * (1 - _NO_GAIN):
        return _no_gain(case, "DMA granularity", "keep the size of the DMA requests", curve, _BYTES, seen)
    after = case.terms["dma_bytes"] / size
    t_dma = case.seconds(case.terms["dma"])
    return Advice(
        title="DMA granularity",
        action=f"request {_size(size)} at a time instead of {_size(now)} ({after:g} requests per core)",
        time_s=time,
        saving_s=case.time_s - time,
        estimate_s=equations.smaller_dma_estimate(requests, after, t_dma),
        estimate_by="Eq. 13",
        note="smaller requests may make the compiler emit more Gloads, which this does not see",
        curve=curve,
        curve_label=_BYTES,
        confirmed=seen,
    )


def _resized(work: Work, finer: NDArray[np.float64]) -> Work:
    """The same data in `finer` times as many requests, at least one of each. Strided requests first move fewer pieces,
    then shorter ones."""
    return replace(
        work,
        dma=tuple(_resized_transfers(transfer, finer) for transfer in work.dma),
        live_bytes=work.live_bytes / finer,
    )


def _resized_transfers(transfer: Transfers, finer: NDArray[np.float64]) -> Transfers:
    finer = np.maximum(finer, np.minimum(1.0, 1 / max(float(transfer.count), 1e-300)))
    pieces = []
    for piece in transfer.pieces:
        strided = float(piece.count) > 1
        count = np.maximum(1.0, piece.count / finer) if strided else np.full_like(finer, piece.count)
        bytes_ = piece.bytes * piece.count / np.maximum(finer * count, 1e-300)
        pieces.append(replace(piece, bytes=bytes_, count=count))
    return replace(transfer, count=transfer.count * finer, pieces=tuple(pieces))


# -------------------------------------------------------------------------------------- double buffering


def _double_buffer(case: _Case) -> Advice | None:
    """Two buffers, so that the next transfer runs while the core computes."""
    if case.terms["dma_requests"] < 1 or case.work.double_buffer:
        return None
    variant = replace(case.work, double_buffer=1.0)
    trials = {1.0: Trial(case.workload, case.inputs.machine), 2.0: _buffered(case)}
    time = case.time_of(trials[2.0])
    fits = float(variant.buffer_bytes) <= float(case.inputs.value("scratchpad.size"))
    needed = units.show(float(variant.buffer_bytes), "B")
    estimate = equations.double_buffer_estimate(
        case.terms["dma"], case.terms["dma_groups"], case.terms["compute"], case.terms["overlap"]
    )
    return Advice(
        title="double buffering",
        action="transfer into a second buffer while computing on the first",
        time_s=time,
        saving_s=case.time_s - time,
        feasible=fits,
        estimate_s=case.seconds(estimate),
        estimate_by="Eq. 14",
        confirmed=case.confirmed(trials),
        note="" if fits else f"the two buffers need {needed} of scratchpad; halve the requests first",
    )


# -------------------------------------------------------------------------------------- active cores


def _active_cores(case: _Case) -> Advice | None:
    """Another number of active cores for the same total work."""
    cores = np.arange(1.0, float(case.inputs.value("cores.count")) + 1)
    if cores.size < 2:
        return None
    variant, note = _on_cores(case, cores)
    times = case.times(variant, cores.size)
    times[variant.buffer_bytes > float(case.inputs.value("scratchpad.size"))] = np.inf
    now = float(case.work.active_cores)
    curve, seen = case.curve(cores, times, lambda count: variants.on_cores(case.workload, count), [now])
    best, time = _best(curve, lambda count: abs(count - now), _ALIKE)
    if not time < case.time_s * (1 - _NO_GAIN):
        return _no_gain(case, "active cores", f"keep {now:g} active cores", curve, _CORES, seen)
    fraction = (now - best) / now
    t_dma, t_comp = case.seconds(case.terms["dma"]), case.seconds(case.terms["compute"])
    return Advice(
        title="active cores",
        action=f"use {best:g} cores instead of {now:g}",
        time_s=time,
        saving_s=case.time_s - time,
        estimate_s=equations.fewer_cores_estimate(fraction, t_dma, t_comp) if fraction > 0 else None,
        estimate_by="Eq. 15" if fraction > 0 else "",
        note=note,
        curve=curve,
        curve_label=_CORES,
        confirmed=seen,
    )


def _on_cores(case: _Case, cores: NDArray[np.float64]) -> tuple[Work, str]:
    """The work of one core when `cores` cores take part, and the assumptions for it."""
    offload = case.workload.facet(Offload)
    rule = offload.decomposition
    if rule.cores is not None and rule.extent is None and rule.cores.text in case.workload.parameters:
        swept: dict[str, Value] = {**case.workload.parameters, rule.cores.text: cores}
        return resolve(offload, swept, case.inputs, case.settings), ""
    if rule.extent is not None or offload.uses(DERIVED):
        free = replace(offload, decomposition=replace(rule, cores=None))
        return resolve(free, case.workload.parameters, case.inputs, case.settings, cores), ""
    scaled = case.work.scaled(case.work.active_cores / cores)
    assumed = "assumes that requests keep their size and their number follows the work of each core"
    return replace(scaled, active_cores=cores), assumed


# -------------------------------------------------------------------------------------- more work, more groups


def _work_per_core(case: _Case) -> Advice | None:
    """More data for every core in requests of the same size, which amortises the waiting at the start (Fig. 7b)."""
    if case.terms["dma_requests"] < 1:
        return None
    factors = np.array([2.0**power for power in range(_MOST_DOUBLINGS + 1)])
    times = case.times(replace(case.work.scaled(factors), balance=1.0), factors.size)
    offload = case.workload.facet(Offload)
    curve, seen = case.curve(
        factors, times, lambda factor: with_offload(case.workload, variants.longer(offload, factor))
    )
    each = tuple((factor, time / factor) for factor, time in curve)
    return Advice(
        title="work per core",
        action="give every core more requests of the same size",
        time_s=case.time_s,
        saving_s=0.0,
        note=f"{1 - each[-1][1] / each[0][1]:.1%} less time for the same data at {each[-1][0]:g} times as much",
        curve=each,
        curve_label="times as much data per core (time for the data of one)",
        confirmed=tuple(_per_data(point) for point in seen),
    )


def _per_data(point: Confirmation) -> Confirmation:
    """The times for `point.x` times the data, normalised to the original data."""
    parts = tuple((name, time / point.x) for name, time in point.parts)
    return replace(point, predicted_s=point.predicted_s / point.x, simulated_s=point.simulated_s / point.x, parts=parts)


def _core_groups(case: _Case) -> Advice | None:
    """The same kernel on more core groups, each with its memory controller; data is distributed over all of them."""
    machine = case.inputs.machine
    groups, per_group = machine.value("cores.groups"), machine.value("cores.per_group")
    if case.workload.facet(Offload).decomposition.extent is None:
        return None
    offload = case.workload.facet(Offload)
    free = replace(offload, decomposition=replace(offload.decomposition, cores=None))
    trials = {
        count: Trial(
            with_offload(case.workload, free),
            machine.with_values({"cores.groups": count, "cores.count": count * per_group}),
        )
        for count in map(float, range(1, int(max(groups, _CORE_GROUPS)) + 1))
    }
    curve = tuple((count, case.time_of(trial)) for count, trial in trials.items())
    best = min(curve, key=lambda point: (point[1], point[0]))
    return Advice(
        title="core groups",
        action=f"use {best[0]:g} core groups",
        time_s=best[1],
        saving_s=max(0.0, case.time_s - best[1]),
        feasible=best[0] <= groups,
        note="" if best[0] <= groups else f"this machine has {groups:g}",
        curve=curve,
        curve_label="core groups",
        confirmed=case.confirmed(trials),
    )


# -------------------------------------------------------------------------------------- shared


def _names(case: _Case) -> dict[str, Value]:
    """Every name that expressions of the kernel use."""
    work = case.work
    split: dict[str, Value] = {
        "active_cores": work.active_cores,
        "chunks": work.chunks,
        "chunks_per_core": work.chunks_per_core,
    }
    return case.workload.facet(Offload).defined({**case.workload.parameters, **split})


def _buffered(case: _Case) -> Trial:
    offload = replace(case.workload.facet(Offload), double_buffer=True)
    return Trial(with_offload(case.workload, offload), case.inputs.machine)


def _no_gain(
    case: _Case, title: str, action: str, curve: Curve, curve_label: str, seen: tuple[Confirmation, ...]
) -> Advice:
    return Advice(
        title=title,
        action=action,
        time_s=case.time_s,
        saving_s=0.0,
        note="already best",
        curve=curve,
        curve_label=curve_label,
        confirmed=seen,
    )


def _best(curve: Curve, change: Callable[[float], float], alike: float = _NO_GAIN) -> tuple[float, float]:
    """The fastest point of a curve; among about equally fast ones the smallest change."""
    least = min((time for _, time in curve), default=np.inf) * (1 + alike)
    candidates = [point for point in curve if point[1] <= least]
    return min(candidates, key=lambda point: change(point[0]), default=(1.0, np.inf))


def _size(value: float) -> str:
    return units.show(round(value), "B")
