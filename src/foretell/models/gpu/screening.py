"""A quick lower bound of a launch's time, from one executed block: to leave out configurations that cannot win."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from foretell.characterize.gpu.functional import Runner, middle_block
from foretell.models.gpu.costs.instruction_costs import busiest_unit
from foretell.models.gpu.multiprocessor import L1, SHARED, multiprocessor

if TYPE_CHECKING:
    from foretell.characterize.gpu.functional import Result
    from foretell.core.gpu.sass import SassKernel
    from foretell.core.gpu.warps import Warps
    from foretell.core.machine.machine import Machine
    from foretell.models.gpu.multiprocessor import Multiprocessor

#: instructions that take a wavefront of shared memory at a time, and those that take one of L1
_SHARED, _GLOBAL = ("LDS", "STS", "ATOMS", "LDSM", "STSM"), ("LDG", "LD")


def least_time_s(facet: Warps, machine: Machine) -> float:
    """The busiest of issue slots, units of sub-cores, and the path to L1 and shared memory, of all blocks, each like
    the middle one; 0 where contents of arrays steer blocks, since the middle one may then be an unusual one. The
    machine has all of `reference.PATHS`."""
    kernel, launch = facet.kernel, facet.launch
    if any(pointer.contents for pointer in launch.pointers):
        return 0.0
    result = Runner(kernel, launch).run((middle_block(launch),))
    there = multiprocessor(machine, share=1.0, writes=0.0, far_share=0.0)
    schedulers = machine.value("occupancy.schedulers")
    issued = sum(result.block_instructions()) * there.machine.cycles("issue.gap")
    units = busiest_unit(kernel, there, np.asarray(result.executions(), dtype=np.float64))
    busiest = max(issued / schedulers, units / schedulers, _path(kernel, result, there))
    return busiest * launch.blocks / machine.value("cores.count") / machine.value("clock.frequency")


def _path(kernel: SassKernel, result: Result, there: Multiprocessor) -> float:
    """Cycles of the path that requests to L1 and shared memory share."""
    gap = {**dict.fromkeys(_SHARED, there.gap[SHARED]), **dict.fromkeys(_GLOBAL, there.gap[L1])}
    rows = zip(kernel.instructions, result.counters, strict=True)
    return sum(counts.wavefronts * gap[code.opcode] for code, counts in rows if code.opcode in gap)
