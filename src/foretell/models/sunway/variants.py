"""Applies the changes that an analysis proposes to a kernel, so that the simulator can run it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from foretell.core.answers.answers import Confirmation
from foretell.core.columns.expression import Expression, constant
from foretell.core.facets.offload import Block, Body, Offload, Request
from foretell.errors import InputError
from foretell.models.sunway.simulator import simulate

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from foretell.core.columns.expression import Value
    from foretell.core.machine.machine import Machine
    from foretell.core.workload import Workload

_MOST_POINTS = 9


@dataclass(frozen=True, slots=True)
class Trial:
    """The input of the simulation for one point of a curve."""

    workload: Workload
    machine: Machine


def confirmed(
    curve: Sequence[tuple[float, float]],
    keep: Sequence[float],
    trial: Callable[[float], Trial],
    options: Mapping[str, str],
) -> tuple[Confirmation, ...]:
    """Simulates some points of a curve, including those to `keep`; omits points that cannot run or take too long."""
    chosen = sorted({*_spread(curve), *(min(curve, key=lambda p: abs(p[0] - x)) for x in keep)})
    points = []
    for x, predicted in chosen:
        tried = trial(x)
        try:
            run = simulate(tried.workload, tried.machine, options)
        except InputError:
            continue
        parts = (("compute", run.compute_s), ("DMA", run.dma_wait_s), ("Gload", run.gload_wait_s))
        points.append(Confirmation(x, predicted, run.time_s, parts))
    return tuple(points)


def _spread(curve: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Points at about equal ratios from the first to the last."""
    if len(curve) <= _MOST_POINTS:
        return list(curve)
    first, last = curve[0][0], curve[-1][0]
    wanted = [first * (last / first) ** (step / (_MOST_POINTS - 1)) for step in range(_MOST_POINTS)]
    return [min(curve, key=lambda point: abs(point[0] - x)) for x in wanted]


def with_offload(workload: Workload, offload: Offload) -> Workload:
    """The workload with another offload facet."""
    others = tuple(facet for facet in workload.facets if not isinstance(facet, Offload))
    return replace(workload, facets=(*others, offload))


def finer(offload: Offload, factor: float, names: Mapping[str, Value]) -> Offload:
    """The same data in `factor` times as many requests, at least one of each: strided ones first move fewer pieces,
    then shorter ones."""
    scratchpad = offload.scratchpad_bytes
    return replace(
        offload,
        dma=tuple(_finer_request(request, factor, names) for request in offload.dma),
        scratchpad_bytes=None if scratchpad is None else _scaled(scratchpad, 1 / factor),
    )


def _finer_request(request: Request, factor: float, names: Mapping[str, Value]) -> Request:
    factor = max(factor, min(1.0, 1 / max(float(request.count.evaluate(names)), 1e-300)))
    chunks = []
    for chunk in request.chunks:
        pieces = float(chunk.count.evaluate(names))
        left = max(1.0, pieces / factor) if pieces > 1 else pieces
        share = pieces / (factor * left) if left else 1.0
        chunks.append(replace(chunk, bytes=_scaled(chunk.bytes, share), count=constant(left)))
    return replace(request, chunks=tuple(chunks), count=_scaled(request.count, factor))


def longer(offload: Offload, factor: float) -> Offload:
    """The same requests and loops, `factor` times as many on every core."""
    rule = offload.decomposition
    if rule.extent is not None and offload.uses(frozenset({"chunks_per_core"})):
        return replace(offload, decomposition=replace(rule, extent=_scaled(rule.extent, factor)))
    scaled = {
        kind: _scaled(getattr(offload.instructions, kind), factor)
        for kind in ("floating", "fixed", "scratchpad", "divsqrt")
    }
    return replace(
        offload,
        dma=tuple(replace(transfer, count=_scaled(transfer.count, factor)) for transfer in offload.dma),
        gload=tuple(replace(transfer, count=_scaled(transfer.count, factor)) for transfer in offload.gload),
        instructions=replace(offload.instructions, **scaled),
        blocks=tuple(Block(transfer.cycles, _scaled(transfer.executions, factor)) for transfer in offload.blocks),
        bodies=tuple(
            Body(transfer.nest, tuple(_scaled(times, factor) for times in transfer.executions), transfer.unroll)
            for transfer in offload.bodies
        ),
    )


def on_cores(workload: Workload, cores: float) -> Workload:
    """The same total work on another number of cores."""
    offload = workload.facet(Offload)
    rule = offload.decomposition
    if rule.cores is not None and rule.extent is None and rule.cores.text in workload.parameters:
        return workload.with_parameters({rule.cores.text: cores})
    fixed = replace(offload, decomposition=replace(rule, cores=constant(cores)))
    if rule.extent is None and rule.cores is not None:
        fixed = longer(fixed, float(rule.cores.evaluate(workload.parameters)) / cores)
    return with_offload(workload, fixed)


def _scaled(expression: Expression, factor: float) -> Expression:
    return Expression(f"({expression.text})*{factor!r}")
