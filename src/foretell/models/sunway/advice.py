"""Changes to an offloaded kernel, each judged by differencing the whole model (Section IV of the paper).

The printed equations (13)-(15) are first-order forms with known gaps (SW-8, SW-10, SW-11); they are given beside
the model's answer as labelled estimates and never rank anything.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from foretell import units
from foretell.core.answers import Advice
from foretell.core.offload import DERIVED, Offload
from foretell.models.sunway import equations, variants
from foretell.models.sunway.variants import Trial, confirmed, with_offload
from foretell.models.sunway.work import Transfers, Work, resolve

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from foretell.core.answers import Confirmation
    from foretell.core.expression import Value
    from foretell.core.machine import Machine
    from foretell.core.workload import Workload
    from foretell.models.base import Inputs, Settings

    Curve = tuple[tuple[float, float], ...]

_MAX_CANDIDATES = 200
_NO_GAIN = 1e-9
#: times nearer than twice the mean error of the model (validation/sunway/results.md) are no reason to use other cores
_ALIKE = 2e-4
_MOST_DOUBLINGS = 4
#: the processor of the paper has four
_CORE_GROUPS = 4
_BYTES, _CORES = "bytes per DMA request", "active cores"


@dataclass(frozen=True, slots=True)
class _Case:
    """A kernel as it is, with its terms in cycles."""

    workload: Workload
    work: Work
    terms: dict[str, float]
    inputs: Inputs
    settings: Settings

    @property
    def time_s(self) -> float:
        return self.terms["time_s"]

    @property
    def pipelined(self) -> bool:
        return self.settings["loops"] == "pipelined"

    def seconds(self, cycles: float) -> float:
        return cycles / float(self.inputs.value("clock.frequency"))

    @property
    def transactions(self) -> float:
        """Of all cores."""
        one = self.terms["dma_transactions"] + self.terms["gload_transactions"]
        return one * float(self.work.active_cores)

    def confirmed(
        self, curve: Curve, keep: list[float], workload_at: Callable[[float], Workload]
    ) -> tuple[Confirmation, ...]:
        """Points of a curve, simulated on this machine."""

        def trial(x: float) -> Trial:
            return Trial(workload_at(x), self.inputs.machine)

        return confirmed(curve, keep, trial, self.transactions, self.pipelined)

    def times(self, work: Work, points: int) -> NDArray[np.float64]:
        return equations.times(work, self.inputs, self.settings, points)


def advise(workload: Workload, inputs: Inputs, settings: Settings) -> tuple[Advice, ...]:
    """Every analysis that applies, largest predicted saving first."""
    work = resolve(workload.facet(Offload), workload.parameters, inputs, settings)
    case = _Case(workload, work, equations.terms(work, inputs, settings), inputs, settings)
    found = [
        _granularity(case),
        _double_buffer(case),
        _active_cores(case),
        _work_per_core(case),
        _core_groups(case),
    ]
    return tuple(sorted((item for item in found if item), key=lambda item: -item.saving_s))


# -------------------------------------------------------------------------------------- DMA granularity


def _granularity(case: _Case) -> Advice | None:
    """Another size of DMA request for the same data. The optimum can lie inside (SW-9), so all sizes are tried."""
    requests = case.terms["dma_requests"]
    if requests < 1:
        return None
    moving = [place for place, transfer in enumerate(case.work.dma) if float(transfer.bytes) > 0]
    rounds = max(float(case.work.dma[place].count) for place in moving)
    transaction = float(case.inputs.value("memory.transaction"))
    most = max(1.0, case.terms["dma_bytes"] / transaction / requests) * rounds
    finer = np.unique(np.geomspace(1, most, _MAX_CANDIDATES).round()) / rounds
    variant = _resized(case.work, finer)
    counts = np.asarray(sum(variant.dma[place].count for place in moving))
    times = case.times(variant, counts.size)
    times[variant.buffer_bytes > float(case.inputs.value("scratchpad.size"))] = np.inf
    best = _best(times, np.abs(np.log(finer)))
    sizes = case.terms["dma_bytes"] / counts
    curve = _curve(sizes, times)
    names = _names(case)

    def resized(size: float) -> Workload:
        factor = float(finer[np.argmin(np.abs(sizes - size))])
        return with_offload(case.workload, variants.finer(case.workload.facet(Offload), factor, names))

    seen = case.confirmed(curve, [float(sizes[best])], resized)
    if not times[best] < case.time_s * (1 - _NO_GAIN):
        return _no_gain(case, "DMA granularity", "keep the size of the DMA requests", curve, _BYTES, seen)
    t_dma = case.seconds(case.terms["dma"])
    now, then = case.terms["dma_bytes"] / requests, sizes[best]
    return Advice(
        title="DMA granularity",
        action=f"request {_size(then)} at a time instead of {_size(now)} ({counts[best]:g} requests per core)",
        time_s=float(times[best]),
        saving_s=case.time_s - float(times[best]),
        estimate_s=equations.smaller_dma_estimate(requests, float(counts[best]), t_dma),
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
        parts=tuple(_resized(part, finer) for part in work.parts),
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
    terms = equations.terms(variant, case.inputs, case.settings)
    fits = float(variant.buffer_bytes) <= float(case.inputs.value("scratchpad.size"))
    needed = units.show(float(variant.buffer_bytes), "B")
    estimate = equations.double_buffer_estimate(
        case.terms["dma"], case.terms["dma_groups"], case.terms["compute"], case.terms["overlap"]
    )
    return Advice(
        title="double buffering",
        action="transfer into a second buffer while computing on the first",
        time_s=terms["time_s"],
        saving_s=case.time_s - terms["time_s"],
        feasible=fits,
        estimate_s=case.seconds(estimate),
        estimate_by="Eq. 14",
        confirmed=case.confirmed(
            ((1.0, case.time_s), (2.0, terms["time_s"])), [], lambda buffers: _buffered(case, buffers == 2.0)
        ),
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
    best = _best(times, np.abs(cores - now), _ALIKE)
    curve = _curve(cores, times)
    seen = case.confirmed(
        curve, [float(cores[best]), now], lambda count: variants.on_cores(case.workload, count)
    )
    if not times[best] < case.time_s * (1 - _NO_GAIN):
        return _no_gain(case, "active cores", f"keep {now:g} active cores", curve, _CORES, seen)
    fraction = (now - cores[best]) / now
    t_dma, t_comp = case.seconds(case.terms["dma"]), case.seconds(case.terms["compute"])
    return Advice(
        title="active cores",
        action=f"use {cores[best]:g} cores instead of {now:g}",
        time_s=float(times[best]),
        saving_s=case.time_s - float(times[best]),
        estimate_s=equations.fewer_cores_estimate(fraction, t_dma, t_comp) if fraction > 0 else None,
        estimate_by="Eq. 15" if fraction > 0 else "",
        note=note,
        curve=curve,
        curve_label=_CORES,
        confirmed=seen,
    )


def _on_cores(case: _Case, cores: NDArray[np.float64]) -> tuple[Work, str]:
    """The work of one core when `cores` take part, and what was assumed for it."""
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
    """More data for every core in requests of the same size: the waiting at the start is spread over more (Fig. 7b)."""
    if case.terms["dma_requests"] < 1:
        return None
    factors = np.array([2.0**power for power in range(_MOST_DOUBLINGS + 1)])
    times = case.times(replace(case.work.scaled(factors), balance=1.0), factors.size) / factors
    curve = _curve(factors, times)
    return Advice(
        title="work per core",
        action="give every core more requests of the same size",
        time_s=case.time_s,
        saving_s=0.0,
        note=f"{1 - times[-1] / times[0]:.1%} less time for the same data at {factors[-1]:g} times as much",
        curve=curve,
        curve_label="times as much data per core (time for the data of one)",
        confirmed=tuple(
            replace(
                at, simulated_s=at.simulated_s / at.x, parts=tuple((name, t / at.x) for name, t in at.parts)
            )
            for at in confirmed(
                curve,
                [],
                lambda factor: Trial(
                    with_offload(case.workload, variants.longer(case.workload.facet(Offload), factor)),
                    case.inputs.machine,
                ),
                case.transactions * factors[-1] / 4,
                case.pipelined,
            )
        ),
    )


def _core_groups(case: _Case) -> Advice | None:
    """The same kernel on more core groups, each with its memory controller; data is spread over all of them."""
    machine = case.inputs.machine
    groups, per_group = machine.value("cores.groups"), machine.value("cores.per_group")
    if case.workload.facet(Offload).decomposition.extent is None:
        return None
    on = {
        count: machine.with_values({"cores.groups": count, "cores.count": count * per_group})
        for count in map(float, range(1, int(max(groups, _CORE_GROUPS)) + 1))
    }
    offload = case.workload.facet(Offload)
    free = replace(offload, decomposition=replace(offload.decomposition, cores=None))
    workload = with_offload(case.workload, free)
    curve = tuple((count, _time_on(case, workload, there)) for count, there in on.items())
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
        confirmed=confirmed(
            curve, [], lambda count: Trial(workload, on[count]), case.transactions, case.pipelined
        ),
    )


def _time_on(case: _Case, workload: Workload, machine: Machine) -> float:
    inputs = replace(case.inputs, machine=machine)
    work = resolve(workload.facet(Offload), workload.parameters, inputs, case.settings)
    return equations.terms(work, inputs, case.settings)["time_s"]


# -------------------------------------------------------------------------------------- shared


def _names(case: _Case) -> dict[str, Value]:
    """Every name that expressions of the kernel use."""
    work = case.work
    dealt: dict[str, Value] = {
        "active_cores": work.active_cores,
        "chunks": work.chunks,
        "chunks_per_core": work.chunks_per_core,
    }
    return case.workload.facet(Offload).defined({**case.workload.parameters, **dealt})


def _buffered(case: _Case, double: bool) -> Workload:
    return with_offload(case.workload, replace(case.workload.facet(Offload), double_buffer=double))


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


def _best(times: NDArray[np.float64], change: NDArray[np.float64], alike: float = _NO_GAIN) -> int:
    """The fastest candidate; of those about as fast the smallest change."""
    equal = times <= times.min() * (1 + alike)
    return int(np.argmin(np.where(equal, change, np.inf)))


def _curve(x: NDArray[np.float64], times: NDArray[np.float64]) -> Curve:
    keep = np.isfinite(times)
    return tuple(zip(x[keep].tolist(), times[keep].tolist(), strict=True))


def _size(value: float) -> str:
    return units.show(round(value), "B")
