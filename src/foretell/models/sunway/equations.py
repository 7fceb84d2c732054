"""Equations (1)-(12) and (14) of the SW26010 paper and the closed form of a queue, evaluated by the compiled core;
(13)-(15) as estimates."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from foretell import _core

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from foretell.core.columns.expression import Value
    from foretell.models.base import Inputs, Settings
    from foretell.models.sunway.work import Pieces, Transfers, Work

_WORK = ("active_cores", "balance", "last", "floating", "fixed", "scratchpad", "divsqrt", "ilp", "block_cycles",
         "double_buffer")  # fmt: skip


def terms(work: Work, inputs: Inputs, settings: Settings) -> dict[str, float]:
    """Every term at one design point; times in cycles but `time_s`, NG and MRP nan where there is no request."""
    result: dict[str, float] = _core.sunway_terms(_machine(inputs), _work(work), rules(settings))
    return result


def times(work: Work, inputs: Inputs, settings: Settings, points: int) -> NDArray[np.float64]:
    """Seconds at every design point; arrays in `work` or `inputs` have `points` values."""
    result: NDArray[np.float64] = _core.sunway_times(points, _machine(inputs), _work(work), rules(settings))
    return result


def rules(settings: Settings) -> _core.SunwayRules:
    """Encodes the options for the compiled core. Simulation keeps the terms of the queue, except for the total."""
    result = _core.SunwayRules()
    result.mrp = getattr(_core.Rounding, settings["mrp_rounding"])
    result.groups = getattr(_core.Rounding, settings["group_rounding"])
    result.latency_floor_average = settings["latency_floor"] == "average"
    result.transactions_per_chunk = settings["transactions"] == "per_chunk"
    result.divide_unpipelined = settings["divide"] == "unpipelined"
    result.double_buffer_consistent = settings["double_buffer"] == "consistent"
    result.core_groups_apart = settings["core_groups"] == "apart"
    overlap = settings["overlap"]
    result.overlap = getattr(_core.Overlap, "queue" if overlap == "simulated" else overlap)
    return result


def with_total(closed: dict[str, float], cycles: float, time_s: float) -> dict[str, float]:
    """The terms with a simulated total: the overlap is the excess of the parts over it. Bounds are capped at it: they
    count a shorter last chunk as a fraction of a whole one, and a simulation counts in whole ticks."""
    loads = closed["gload_latency"]
    return {
        **closed,
        "total": cycles,
        "time_s": time_s,
        "overlap": closed["memory"] + closed["compute"] - cycles,
        "double_buffer_saving": math.nan,  # a property of two predictions, not a term of one
        "dma_latency": max(0.0, min(closed["dma_latency"], cycles - loads)),
        "gload_latency": min(loads, cycles),
        "dma_bandwidth": min(closed["dma_bandwidth"], max(0.0, cycles - closed["gload_bandwidth"])),
        "gload_bandwidth": min(closed["gload_bandwidth"], cycles),
    }


def _machine(inputs: Inputs) -> _core.SunwayMachine:
    machine = _core.SunwayMachine()
    machine.frequency = _column(inputs.value("clock.frequency"))
    machine.bandwidth = _column(inputs.value("memory.bandwidth"))
    machine.transaction = _column(inputs.value("memory.transaction"))
    machine.base_latency = _column(inputs.cycles("memory.latency"))
    machine.delta_delay = _column(inputs.value("memory.delta_delay"))
    machine.cores_per_group = _column(inputs.value("cores.per_group"))
    machine.core_groups = _column(inputs.value("cores.groups"))
    machine.floating = _column(inputs.value("pipeline.floating.latency"))
    machine.fixed = _column(inputs.value("pipeline.fixed.latency"))
    machine.scratchpad = _column(inputs.cycles("scratchpad.latency"))
    machine.divsqrt = _column(inputs.value("pipeline.divsqrt.latency"))
    return machine


def _work(work: Work) -> _core.SunwayWork:
    result = _core.SunwayWork()
    for name in _WORK:
        setattr(result, name, _column(getattr(work, name)))
    result.dma = [_request(transfer) for transfer in work.dma]
    result.gload = [_request(transfer) for transfer in work.gload]
    return result


def _request(transfer: Transfers) -> _core.SunwayRequest:
    request = _core.SunwayRequest()
    request.count = _column(transfer.count)
    request.out = transfer.out
    request.chunks = [_chunk(piece) for piece in transfer.pieces]
    return request


def _chunk(piece: Pieces) -> _core.SunwayChunk:
    chunk = _core.SunwayChunk()
    chunk.bytes = _column(piece.bytes)
    chunk.count = _column(piece.count * piece.arrays)
    chunk.offset = _column(piece.offset)
    return chunk


def _column(value: Value) -> Any:
    """A number, or a contiguous float64 array of all points."""
    if isinstance(value, np.ndarray):
        return np.ascontiguousarray(value, dtype=np.float64)
    return float(value)


def smaller_dma_estimate(requests_before: float, requests_after: float, t_dma: float) -> float:
    """Equation (13): the saving by smaller requests, without the change of NG and the cap by T_comp (SW-8)."""
    return (1 / requests_before - 1 / requests_after) * t_dma


def double_buffer_estimate(t_dma: float, groups: float, t_comp: float, t_overlap: float) -> float:
    """Equation (14): an upper bound of the saving by double buffering (SW-10)."""
    return min(t_dma / groups, t_comp - t_overlap)


def fewer_cores_estimate(fraction: float, t_dma: float, t_comp: float) -> float:
    """Equation (15): first-order saving by using a fraction fewer cores (SW-11)."""
    return fraction * max(0.0, t_dma - t_comp)


def fewer_cores_exact(fraction: float, t_dma: float, t_comp: float) -> float:
    """The exact form of (15): T_DMA shrinks with the cores, T_comp grows with the work of each (SW-11)."""
    return fraction * t_dma - fraction / (1 - fraction) * t_comp
