"""Computes the sensitivity of the time to each resource's latency and gap (Section 3.3 of the SAAKE paper)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.core.answers.answers import Sensitivity

if TYPE_CHECKING:
    from collections.abc import Callable

    from foretell.models.saake.kernel import Kernel, Property

_STEP = 0.1


def of_resources(kernel: Kernel, seconds: Callable[[Kernel], float]) -> tuple[Sensitivity, ...]:
    """One entry for each latency and gap, then by region where the kernel has several."""
    base = seconds(kernel)
    regions: list[int | None] = [None]
    if len(kernel.regions) > 1:
        regions += range(len(kernel.regions))
    return tuple(
        _one(kernel, seconds, base, column, what, region)
        for region in regions
        for column in range(len(kernel.resources))
        for what in ("latency", "gap")
        if region is None or _used(kernel, column, region)
    )


def _used(kernel: Kernel, column: int, region: int) -> bool:
    return any(entry.region == region and column in (entry.resource, entry.cached) for entry in kernel.text)


def _one(
    kernel: Kernel, seconds: Callable[[Kernel], float], base: float, column: int, property: Property, region: int | None
) -> Sensitivity:
    """The mean of 10 % more and 10 % less: a schedule can improve when a resource gets slower (SK-14)."""
    up = seconds(kernel.scaled(property, column, 1 + _STEP, region))
    down = seconds(kernel.scaled(property, column, 1 - _STEP, region))
    name = kernel.resources[column]
    where = "" if region is None else f" in {kernel.regions[region] or 'the rest'}"
    table = kernel.latency if property == "latency" else kernel.gap
    return Sensitivity(
        parameter=f"{name}.{property}{where}",
        meaning=f"{property} of {name}{where}",
        value=float(table[0, column]),
        unit="cycle",
        elasticity=((up - base) + (base - down)) / (2 * _STEP * base),
        time_up_s=up,
        time_down_s=down,
    )
