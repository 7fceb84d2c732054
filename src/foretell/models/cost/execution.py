"""Times a traced code stage by stage on the processors of a machine: the default mode for known loops."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from foretell.models.cost import cpu, gpu
from foretell.models.cost.fields import require, used_cores
from foretell.models.cost.stages import Nests

if TYPE_CHECKING:
    from types import ModuleType

    from foretell.core.columns.expression import Value
    from foretell.core.facets.trace import Trace
    from foretell.core.machine.machine import Machine
    from foretell.models.base import Inputs, Settings
    from foretell.models.cost.equations import Terms

_SYNC = "sync.global"
NOTES = (
    "every outermost parallel loop is a parallel region, with one start and end",
    "an instruction of LLVM IR is one of the processor",
    "data that fit into a cache are there when the code begins",
)
#: options that apply to the paper's equations only, with their defaults
_OF_LEVELS = {"hits": "below", "fast_traffic": "bytes", "vectors": "at_least_one_lane", "sync": "phases"}


def refusal(trace: Trace, machine: Machine, settings: Settings) -> str:
    """Why the time is computed by levels; empty if it is computed by stages."""
    if settings["execution"] == "levels":
        return "asked for"
    asked = [name for name, usual in _OF_LEVELS.items() if settings[name] != usual]
    if asked:
        return f"{', '.join(asked)} is a decision of these equations"
    if not trace.loops or not trace.instructions.load + trace.instructions.integer:
        return "the trace has no loops or instructions"
    missing = _part(machine).lacks(machine)
    return f"machine {machine.name!r} lacks {', '.join(missing)}" if missing else ""


def read_paths(machine: Machine) -> tuple[str, ...]:
    """Parameters that are read from this machine, if it has the required ones."""
    part = _part(machine)
    return () if part.lacks(machine) else part.read_paths(machine)


def terms(trace: Trace, inputs: Inputs, threads: Value | None, settings: Settings) -> Terms:
    """Computes all terms of the cost. The cost of a barrier must be known for a code with more than one."""
    stages = Nests(trace).stages()
    cores = used_cores(inputs, threads)
    barriers = trace.sync_points if trace.sync_given else sum(stage.fork_joins for stage in stages)
    if barriers > 1 and np.any(np.asarray(cores) > 1) and _SYNC not in inputs.machine:
        require(inputs.machine, synchronises=True)
    if inputs.machine.kind == "gpu":
        return gpu.terms(trace, stages, inputs, settings)
    return cpu.terms(trace, stages, inputs, cores, settings)


def _part(machine: Machine) -> ModuleType:
    return gpu if machine.kind == "gpu" else cpu
