"""Cycles that a core computes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from foretell.core.machine import Machine
    from foretell.core.offload import Offload


def compute_cycles(offload: Offload, names: Mapping[str, float], machine: Machine) -> float:
    """Cycles of computation of one core: its instructions in flight `ilp` at a time, divides alone, and its blocks."""
    latency = {
        "floating": machine.value("pipeline.floating.latency"),
        "fixed": machine.value("pipeline.fixed.latency"),
        "scratchpad": machine.value("scratchpad.latency"),
    }
    given = offload.instructions
    pipelined = sum(latency[kind] * float(getattr(given, kind).evaluate(names)) for kind in latency)
    divides = machine.value("pipeline.divsqrt.latency") * float(given.divsqrt.evaluate(names))
    blocks = sum(
        float(block.cycles.evaluate(names)) * float(block.executions.evaluate(names)) for block in offload.blocks
    )
    return pipelined / float(given.ilp.evaluate(names)) + divides + blocks
