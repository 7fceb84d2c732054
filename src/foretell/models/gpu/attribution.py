"""Attributes the time: to instructions in one run, and to regions of the code by sensitivity runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from foretell.core.answers.answers import CodeLine, Sensitivity
from foretell.models.gpu.costs.instruction_costs import scaled
from foretell.models.gpu.multiprocessor import NAMES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from foretell.core.gpu.launch import Region
    from foretell.core.gpu.sass import SassInstruction
    from foretell.core.gpu.warps import Warps
    from foretell.models.gpu.launched import Prepared, Run

_STEP = 0.1
_LIMITS = ("latency", "throughput")
#: number of regions, and of resources of each, that get sensitivity runs
_REGIONS, _RESOURCES = 4, 2
#: minimum fraction of the time for a resource or region to be included
_LEAST_SHARE = 0.02


def listing(facet: Warps, run: Run) -> tuple[CodeLine, ...]:
    """Every executed instruction with its fraction of the time: cycles in which a sub-core issued it, or stalled
    because it was not ready."""
    timing = run.timing
    total = timing.issued / 4 + sum(timing.idle.values()) + timing.tail
    issue = timing.issued / 4 / max(1.0, float(timing.executions.sum()))
    rows = []
    for position, item in enumerate(facet.kernel.instructions):
        count = float(timing.executions[position])
        if not count:
            continue
        waits = timing.waiting[position]
        named = [
            (f"{NAMES[resource]} {_LIMITS[side]}", float(waits[resource, side]) / total)
            for resource, side in zip(*np.nonzero(waits), strict=True)
        ]
        named.sort(key=lambda pair: (-pair[1], pair[0]))
        share = count * issue / total + sum(part for _, part in named)
        rows.append(CodeLine(f"{item.offset:04x}", item.line, item.text, count, share, tuple(named)))
    return tuple(rows)


def by_region(facet: Warps, prepared: Prepared) -> tuple[Sensitivity, ...]:
    """Sensitivities to latency and gap of the resources that stall the heaviest regions, varied in that region alone.

    Regions are those that the user has named; else source lines where they are known, or basic blocks.
    """
    run = prepared.run()
    regions = _regions(facet)
    waiting = run.timing.waiting
    weight = {name: float(waiting[places].sum()) for name, places in regions.items()}
    total = run.timing.emulated
    shown = max(_REGIONS, len(facet.launch.regions))
    heaviest = sorted(weight, key=lambda name: -weight[name])[:shown]
    return tuple(
        _one(prepared, run.cycles, name, regions[name], resource, limit)
        for name in heaviest
        if weight[name] > _LEAST_SHARE * total
        for resource in _leading(waiting[regions[name]], total)
        for limit in ("latency", "gap")
    )


def _leading(waiting: NDArray[np.float64], total: float) -> list[int]:
    """The resources that a region stalls for most."""
    by_resource = waiting.sum(axis=(0, 2))
    order = np.argsort(-by_resource, kind="stable")[:_RESOURCES]
    return [int(resource) for resource in order if by_resource[resource] > _LEAST_SHARE * total]


def _one(
    prepared: Prepared, base: float, region: str, places: NDArray[np.intp], resource: int, limit: str
) -> Sensitivity:
    """The mean of 10 % more and 10 % less: a schedule can improve when a resource gets slower (SK-14)."""
    seconds = 1 / prepared.there.machine.value("clock.frequency")
    up, down = (
        prepared.with_ops(scaled(prepared.ops, places, resource, limit, factor)).run().cycles
        for factor in (1 + _STEP, 1 - _STEP)
    )
    name = NAMES[resource]
    table = prepared.there.latency if limit == "latency" else prepared.there.gap
    return Sensitivity(
        parameter=f"{name}.{limit} in {region}",
        meaning=f"{limit} of {name} in {region}",
        value=table.get(name, 0.0),
        unit="cycle",
        elasticity=(up - down) / (2 * _STEP * base),
        time_up_s=(up + prepared.between) * seconds,
        time_down_s=(down + prepared.between) * seconds,
    )


def _named(regions: tuple[Region, ...], item: SassInstruction) -> str:
    """The first region that contains an instruction."""
    for region in regions:
        at = item.offset if region.offset else item.line
        if at is not None and region.first <= at <= region.last:
            return region.name
    return "elsewhere"


def _regions(facet: Warps) -> dict[str, NDArray[np.intp]]:
    """Instruction indices by region."""
    text = facet.kernel.instructions
    regions: dict[str, list[int]] = {}
    if facet.launch.regions:
        for position, item in enumerate(text):
            regions.setdefault(_named(facet.launch.regions, item), []).append(position)
    elif any(item.line for item in text):
        for position, item in enumerate(text):
            regions.setdefault(f"line {item.line}", []).append(position)
    else:
        start = 0
        for position, item in enumerate(text):
            regions.setdefault(f"{text[start].offset:04x}", []).append(position)
            if item.opcode in ("BRA", "BRX", "BSYNC", "BAR", "EXIT", "CALL", "RET"):
                start = position + 1
    return {name: np.array(places, np.intp) for name, places in regions.items()}
