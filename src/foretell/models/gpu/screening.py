"""A quick lower bound of a launch's time, from one executed block: to leave out configurations that cannot win."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.characterize.gpu.functional import Runner, middle_block

if TYPE_CHECKING:
    from foretell.core.gpu.warps import Warps
    from foretell.core.machine.machine import Machine

#: instructions that take a wavefront of shared memory at a time
_SHARED = ("LDS", "STS", "ATOMS", "LDSM", "STSM")


def least_time_s(facet: Warps, machine: Machine) -> float:
    """Issue slots and wavefronts of shared memory of all blocks, each like the middle one; 0 where contents of arrays
    steer blocks, since the middle one may then be an unusual one."""
    kernel, launch = facet.kernel, facet.launch
    if any(pointer.contents for pointer in launch.pointers):
        return 0.0
    result = Runner(kernel, launch).run((middle_block(launch),))
    instructions = sum(result.block_instructions())
    wavefronts = sum(
        counts.wavefronts
        for code, counts in zip(kernel.instructions, result.counters, strict=True)
        if code.opcode in _SHARED
    )
    busiest = max(instructions / machine.value("occupancy.schedulers"), float(wavefronts))
    return busiest * launch.blocks / machine.value("cores.count") / machine.value("clock.frequency")
