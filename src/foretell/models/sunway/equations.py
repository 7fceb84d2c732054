"""Equations (1)-(12) and (14) of the SW26010 paper, evaluated by the compiled core; (13)-(15) as estimates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from foretell import _core

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from foretell.core.expression import Value
    from foretell.models.base import Inputs, Settings
    from foretell.models.sunway.work import Transfers, Work

Column = Any  # a number, or a contiguous float64 array of all points


def terms(work: Work, inputs: Inputs, settings: Settings) -> dict[str, float]:
    """Every term at one design point; times in cycles but `time_s`, NG and MRP nan where there is no request."""
    result: dict[str, float] = _core.sunway_terms(*_columns(work, inputs), rules(settings))
    return result


def times(work: Work, inputs: Inputs, settings: Settings, points: int) -> NDArray[np.float64]:
    """Seconds at every design point; what is an array in `work` or `inputs` has `points` values."""
    result: NDArray[np.float64] = _core.sunway_times(points, *_columns(work, inputs), rules(settings))
    return result


def rules(settings: Settings) -> _core.SunwayRules:
    """The options as the core knows them."""
    result = _core.SunwayRules()
    result.mrp = getattr(_core.Rounding, settings["mrp_rounding"])
    result.groups = getattr(_core.Rounding, settings["group_rounding"])
    result.latency_floor_average = settings["latency_floor"] == "average"
    result.transactions_per_chunk = settings["transactions"] == "per_chunk"
    result.divide_unpipelined = settings["divide"] == "unpipelined"
    result.double_buffer_consistent = settings["double_buffer"] == "consistent"
    result.core_groups_apart = settings["core_groups"] == "apart"
    result.overlap = getattr(_core.Overlap, settings["overlap"])
    return result


def _columns(work: Work, inputs: Inputs) -> tuple[list[Column], list[Any]]:
    machine = [
        inputs.value("clock.frequency"),
        inputs.value("memory.bandwidth"),
        inputs.value("memory.transaction"),
        inputs.cycles("memory.latency"),
        inputs.value("memory.delta_delay"),
        inputs.value("cores.per_group"),
        inputs.value("cores.groups"),
        inputs.value("pipeline.floating.latency"),
        inputs.value("pipeline.fixed.latency"),
        inputs.cycles("scratchpad.latency"),
        inputs.value("pipeline.divsqrt.latency"),
    ]
    return [_column(value) for value in machine], [_work(one) for one in (work, *work.parts)]


def _work(work: Work) -> tuple[list[Column], list[Any], list[Any]]:
    counts = [
        work.active_cores,
        work.balance,
        work.last,
        work.floating,
        work.fixed,
        work.scratchpad,
        work.divsqrt,
        work.ilp,
        work.block_cycles,
        work.double_buffer,
    ]
    return (
        [_column(value) for value in counts],
        [_request(transfer) for transfer in work.dma],
        [_request(transfer) for transfer in work.gload],
    )


def _request(transfer: Transfers) -> tuple[Column, list[tuple[Column, Column, Column]], bool]:
    pieces = [
        (_column(piece.bytes), _column(piece.count * piece.arrays), _column(piece.offset))
        for piece in transfer.pieces
    ]
    return _column(transfer.count), pieces, transfer.out


def _column(value: Value) -> Column:
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
    """What (15) approximates: T_DMA shrinks with the cores, T_comp grows with the work of each (SW-11)."""
    return fraction * t_dma - fraction / (1 - fraction) * t_comp
