"""What a nest costs in a core with all data at hand: the emitted code where it can be made, else peak arithmetic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from foretell.core.expression import Value
    from foretell.core.loopnest import LoopNest
    from foretell.models.base import Inputs, Settings

#: operations that count as floating-point work; a fused pair is its addition and its multiplication
_NOT_FLOPS = frozenset({"fma", "int", "convert", "compare", "select", "move"})


@dataclass(frozen=True, slots=True)
class CoreTime:
    """Seconds of one core for a whole nest. `moving` is the part that loads and stores take by themselves."""

    seconds: Value
    moving: Value
    name: str
    resource: str = "cores"
    latency_bound: bool = False
    notes: tuple[str, ...] = ()


def core_time(nest: LoopNest, inputs: Inputs, settings: Settings, values: Mapping[str, Value]) -> CoreTime:
    """The emitted code, or peak arithmetic where that was asked for or no code can be made."""
    return peak_time(nest, inputs, values)


def peak_time(nest: LoopNest, inputs: Inputs, values: Mapping[str, Value]) -> CoreTime:
    """Arithmetic at peak: what no compiler can beat."""
    return CoreTime(
        flops(nest, values) / peak(inputs),
        0.0,
        "arithmetic",
        notes=("arithmetic runs at peak: what the compiler's code costs in a core is not modelled",),
    )


def flops(nest: LoopNest, values: Mapping[str, Value]) -> Value:
    """Floating-point operations of the whole nest."""
    counted = [total for kind, total in nest.total_operations().items() if kind not in _NOT_FLOPS]
    return sum((np.asarray(total.evaluate(values), dtype=np.float64) for total in counted), 0.0)


def peak(inputs: Inputs) -> Value:
    """Operations of one core in a second, from whichever number the machine has."""
    machine = inputs.machine
    if "cores.flops_per_cycle" in machine and "clock.frequency" in machine:
        return inputs.value("cores.flops_per_cycle") * inputs.value("clock.frequency")
    if "peak.core" in machine:
        return inputs.value("peak.core")
    return inputs.value("peak.double") / inputs.value("cores.count")
