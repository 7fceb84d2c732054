"""Computes the cycles of one core from given instruction counts, given blocks, and loop bodies scheduled from code."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from foretell.codegen.emit import scalar_code
from foretell.errors import InputError
from foretell.models.sunway.loop_code import Function, iteration
from foretell.models.sunway.schedule import KINDS, Cost, cost

if TYPE_CHECKING:
    from collections.abc import Mapping

    from foretell.core.columns.expression import Value
    from foretell.core.facets.offload import Body, Offload
    from foretell.core.machine.machine import Machine
    from foretell.core.nest.loopnest import LoopNest

_MOST_UNROLLED = 64


class _Code:
    """The code of a nest, and the loop costs computed so far. Looked up by identity: hashing a whole nest takes longer
    than a prediction."""

    def __init__(self, nest: LoopNest) -> None:
        self.nest = nest
        self.function = Function(scalar_code(nest))
        self.costs: dict[tuple[int, tuple[float, ...], bool], tuple[Cost, ...]] = {}


_known: dict[int, _Code] = {}
_MOST_KNOWN = 256


def loop_costs(nest: LoopNest, unroll: int, machine: Machine, pipelined: bool) -> tuple[Cost, ...]:
    """The cost of one iteration of every loop of a nest, outermost first, without the loops inside it."""
    code = _known.get(id(nest))
    if code is None:
        if len(_known) >= _MOST_KNOWN:
            _known.clear()
        code = _known[id(nest)] = _Code(nest)
    latencies = _latencies(machine)
    key = (unroll, tuple(latencies.values()), pipelined)
    if key not in code.costs:
        code.costs[key] = _costs(code, unroll, latencies, pipelined)
    return code.costs[key]


def _costs(code: _Code, unroll: int, latencies: Mapping[str, float], pipelined: bool) -> tuple[Cost, ...]:
    depth = len(code.nest.loops)
    costs = []
    for level in range(depth):
        innermost = level == depth - 1
        if f"for{level}.head" not in code.function.blocks:
            costs.append(Cost(0.0, dict.fromkeys(KINDS, 0.0)))
            continue
        body = iteration(code.function, level)
        costs.append(cost(body, unroll if innermost else 1, latencies, pipelined and innermost))
    return tuple(costs)


def _latencies(machine: Machine) -> dict[str, float]:
    """Cycles of each kind of instruction."""
    scratchpad = machine["scratchpad.latency"]
    in_seconds = scratchpad.unit == "s"
    return {
        "floating": machine.value("pipeline.floating.latency"),
        "fixed": machine.value("pipeline.fixed.latency"),
        "scratchpad": scratchpad.value * machine.value("clock.frequency") if in_seconds else scratchpad.value,
        "divsqrt": machine.value("pipeline.divsqrt.latency"),
    }


def body_cost(
    body: Body, names: Mapping[str, Value], machine: Machine, pipelined: bool
) -> tuple[Value, dict[str, Value]]:
    """Cycles of a body on the busiest core, and its instructions by kind; columns where parameters are columns."""
    unroll = body.unroll.evaluate(names)
    if isinstance(unroll, np.ndarray):
        return _over_column(body, names, machine, pipelined, unroll)
    costs = loop_costs(body.nest, _factor(unroll), machine, pipelined)
    cycles: Value = 0.0
    counts: dict[str, Value] = dict.fromkeys(KINDS, 0.0)
    for level_cost, executions in zip(costs, body.executions, strict=True):
        times = executions.evaluate(names)
        cycles = cycles + level_cost.cycles * times
        for kind, count in level_cost.counts.items():
            counts[kind] = counts[kind] + count * times
    return cycles, counts


def _over_column(
    body: Body, names: Mapping[str, Value], machine: Machine, pipelined: bool, unroll: np.ndarray
) -> tuple[Value, dict[str, Value]]:
    """The same with one lookup for each distinct factor."""
    cycles = np.zeros(unroll.size)
    counts: dict[str, Value] = {kind: np.zeros(unroll.size) for kind in KINDS}
    times = [np.broadcast_to(executions.evaluate(names), unroll.size) for executions in body.executions]
    for factor in np.unique(unroll):
        selected = unroll == factor
        for level_cost, executions in zip(
            loop_costs(body.nest, _factor(factor), machine, pipelined), times, strict=True
        ):
            cycles[selected] += level_cost.cycles * executions[selected]
            for kind, count in level_cost.counts.items():
                counts[kind][selected] += count * executions[selected]  # type: ignore[index]
    return cycles, counts


def _factor(value: float) -> int:
    if not 1 <= value <= _MOST_UNROLLED or value % 1:
        raise InputError(f"unroll: a whole number from 1 to {_MOST_UNROLLED} is needed, not {value:g}")
    return int(value)


def compute_cycles(
    offload: Offload, names: Mapping[str, float], machine: Machine, pipelined_loops: bool, pipelined_divides: bool
) -> float:
    """Compute cycles of one core: given instructions `ilp` at a time, divides serially unless they are pipelined,
    blocks and bodies."""
    latency = _latencies(machine)
    given = offload.instructions
    cycles = {kind: latency[kind] * float(getattr(given, kind).evaluate(names)) for kind in KINDS}
    alone = 0.0 if pipelined_divides else cycles.pop("divsqrt")
    blocks = sum(float(block.cycles.evaluate(names) * block.executions.evaluate(names)) for block in offload.blocks)
    bodies = sum(float(body_cost(body, names, machine, pipelined_loops)[0]) for body in offload.bodies)
    return sum(cycles.values()) / float(given.ilp.evaluate(names)) + alone + blocks + bodies
