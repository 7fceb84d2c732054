"""Short ways to write SW26010 workloads, and a literal twin of the equations that shares no code with the core."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from foretell.core.columns.expression import constant
from foretell.core.facets.offload import Block, Chunk, Decomposition, Instructions, Offload, Request
from foretell.core.workload import Workload
from foretell.machines import load

if TYPE_CHECKING:
    from foretell.core.machine.machine import Machine


def machine(**values: float) -> Machine:
    """The SW26010 with other numbers; names use '__' for '.'."""
    return load("sw26010").with_values({name.replace("__", "."): value for name, value in values.items()})


def kernel(
    *,
    cores: float = 64,
    dma: list[tuple[float, float]] | None = None,
    gloads: float = 0,
    cycles: float = 0,
    double_buffer: bool = False,
    **instructions: float,
) -> Workload:
    """A kernel from numbers: DMA requests as (bytes, count), Gloads of 32 B, block cycles, instruction counts."""
    requests = tuple(
        Request(f"r{n}", (Chunk(constant(size)),), constant(count)) for n, (size, count) in enumerate(dma or [])
    )
    offload = Offload(
        decomposition=Decomposition(cores=constant(cores)),
        dma=requests,
        gload=(Request("g", (Chunk(constant(32)),), constant(gloads)),) if gloads else (),
        instructions=Instructions(**{name: constant(value) for name, value in instructions.items()}),
        blocks=(Block(constant(cycles)),) if cycles else (),
        scratchpad_bytes=constant(0),
        double_buffer=double_buffer,
    )
    return Workload(name="kernel", facets=(offload,))


@dataclass
class Twin:
    """Equations (1)-(12) as the specification prints them, with its decisions, one request at a time."""

    freq: float = 1.45e9
    mem_bw: float = 32e9
    trans: float = 256
    l_base: float = 220
    delta: float = 50
    mrp_rounding: str = "floor"
    latency_floor: str = "average"
    results: dict[str, float] = field(default_factory=dict)

    def total(self, active: float, dma: list[tuple[float, float]], gloads: float, t_comp: float) -> float:
        c = self.trans * self.freq / self.mem_bw
        t_dma, overlap_dma = self._kind([(math.ceil(size / self.trans), n) for size, n in dma], active, c)
        t_g, overlap_g = self._kind([(1, gloads)], active, c)
        t_overlap = min(t_comp, overlap_dma + overlap_g)
        self.results = {"T_DMA": t_dma, "T_g": t_g, "T_overlap": t_overlap}
        return t_dma + t_g + t_comp - t_overlap

    def _kind(self, requests: list[tuple[float, float]], active: float, c: float) -> tuple[float, float]:
        requests = [(mrt, n) for mrt, n in requests if mrt > 0 and n > 0]
        n = sum(count for _, count in requests)
        if not n:
            return 0.0, 0.0
        floor = (
            (lambda mrt: self.l_base + (mrt - 1) * self.delta)
            if self.latency_floor == "average"
            else (lambda _: self.l_base)
        )
        time = sum(count * max(floor(mrt), active * mrt * c) for mrt, count in requests)
        avg = sum(mrt * count for mrt, count in requests) / n
        mrp = (self.l_base + (avg - 1) * self.delta) / (c * avg)
        mrp = max(1, math.floor(mrp) if self.mrp_rounding == "floor" else mrp)
        groups = math.ceil(active / mrp)
        return time, (1 - 1 / groups) * max(0, 1 - 1 / n) * time
