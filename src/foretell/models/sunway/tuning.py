"""The search space of the paper (Section V-D): which loops to tile, tile sizes, which loops to unroll, factors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.core.columns.space import Axis, Space
from foretell.core.facets.offload import Offload
from foretell.errors import InputError

if TYPE_CHECKING:
    from foretell.core.machine.machine import Machine
    from foretell.core.workload import Workload

_UNROLLS = (1.0, 2.0, 4.0, 8.0, 16.0)
#: a smaller tile moves less than an eighth of a transaction in each piece
_SMALLEST_INNER = 4
_LARGEST = 4096


def search_space(workload: Workload, machine: Machine) -> Space:
    """Powers of two up to each loop's trip count; an inner tile of 0 means untiled."""
    offload = workload.facet(Offload)
    axes = []
    for name in sorted(workload.parameters):
        if name.startswith("tile_") and name in offload.symbols:
            axes.append(Axis(name, _tiles(offload, workload, name)))
        elif name.startswith("unroll_") and name in offload.symbols:
            axes.append(Axis(name, _UNROLLS))
    if not axes:
        raise InputError(
            f"{workload.name} has nothing to tune: no tile and no unroll factor is a parameter of it",
            hint="give axes with --axis NAME=1,2,4",
        )
    return Space(tuple(axes))


def _tiles(offload: Offload, workload: Workload, name: str) -> tuple[float, ...]:
    parallel = name == offload.decomposition.tile.text
    width = f"width_{name.removeprefix('tile_')}"
    whole = float(2**30) if parallel else 0.0
    names = {**workload.parameters, name: whole, "chunks_per_core": 1.0}
    length = min(float(offload.defined(names)[width]), _LARGEST)
    smallest = 1 if parallel else _SMALLEST_INNER
    sizes = [float(smallest << power) for power in range(13) if smallest << power <= length]
    return tuple(sizes or [1.0]) if parallel else (0.0, *(size for size in sizes if size < length))
