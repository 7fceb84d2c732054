"""Quick lower bounds of a launch's time, to leave out configurations that cannot win: from one executed block, and from
a launch of which all is known but when its instructions issue."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from foretell.characterize.gpu.functional import Runner, middle_block
from foretell.models.gpu.costs.instruction_costs import busiest_unit
from foretell.models.gpu.multiprocessor import L1, L2, MEMORY, SHARED, multiprocessor
from foretell.models.gpu.timing import INTS, REALS

if TYPE_CHECKING:
    from foretell.characterize.gpu.functional import Result
    from foretell.core.gpu.sass import SassKernel
    from foretell.core.gpu.warps import Warps
    from foretell.core.machine.machine import Machine
    from foretell.models.gpu.launched import Prepared
    from foretell.models.gpu.multiprocessor import Multiprocessor

#: instructions that take a wavefront of shared memory at a time, and those that take one of L1
_SHARED, _GLOBAL = ("LDS", "STS", "ATOMS", "LDSM", "STSM"), ("LDG", "LD")
#: what an emulation that is extrapolated from some waves may be below the throughput of its busiest resource
_EXTRAPOLATED = 0.97


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


def least_emulated_s(prepared: Prepared) -> float:
    """The busiest of issue slots, units of sub-cores, the path to L1 and shared memory, L2 and memory, of all blocks of
    the busiest multiprocessor: what it would take if nothing ever waited. 0 where blocks differ."""
    work, ops, there = prepared.work, prepared.ops, prepared.there
    if not work.alike:
        return 0.0
    counts = prepared.execution.record.shape_counts(work.middle)
    cost = {name: counts * ops.reals[:, REALS.index(name)] for name in ("fetch", "gap", "path", "misses")}
    names = ("sectors", "serial", "busiest", "written", "far_misses", "far_sectors")
    rest = {name: ops.reals[:, REALS.index(name)] for name in names}
    units = np.bincount(ops.ints[:, INTS.index("unit")], cost["gap"])
    schedulers = there.machine.value("occupancy.schedulers")
    busiest = max(
        float(cost["fetch"].sum()) / schedulers,
        float(units.max()) / schedulers,
        float(cost["path"].sum()),
        float(cost["misses"] @ (rest["sectors"] * there.gap[L2] + rest["serial"])),
        float(cost["misses"] @ rest["busiest"]),
        float(cost["misses"] @ rest["written"]) * there.gap[L2],
        float(cost["misses"] @ (rest["far_misses"] * rest["far_sectors"])) * there.gap[MEMORY],
    )
    _, heavier = work.order(prepared.mine, 1, None)
    cycles = _EXTRAPOLATED * busiest * heavier * prepared.mine
    return (cycles + prepared.between) / there.machine.value("clock.frequency")
