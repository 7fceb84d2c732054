"""Prepares a launch on a machine for the timing core and runs it; shared by the model and its explanations."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from foretell.characterize.gpu.memory import FirstLevel, Traffic, traffic
from foretell.models.gpu.block_sampling import Work, sampled
from foretell.models.gpu.cache_levels import L2, Levels, levels, local_memory
from foretell.models.gpu.instruction_costs import Ops, op_tables
from foretell.models.gpu.l2_start import present
from foretell.models.gpu.multiprocessor import Multiprocessor, l1_bytes, l2_rate, multiprocessor
from foretell.models.gpu.occupancy import Occupancy, occupancy
from foretell.models.gpu.timing import Core, Fold, Timing

if TYPE_CHECKING:
    from foretell.characterize.gpu.memory import Group
    from foretell.core.gpu.warps import Warps
    from foretell.core.machine.machine import Machine

#: minimum and maximum of waves that are emulated before extrapolation, and the budget of warp instructions beyond the
#: minimum
_LEAST_WAVES, _MOST_WAVES, _SPENT = 2, 12, 150_000


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """The emulated blocks, and the `cycles` of the busiest multiprocessor."""

    timing: Timing
    cycles: float
    prepared: Prepared

    @property
    def seconds(self) -> float:
        """Time of the launch, including the gap between two kernels."""
        return (self.cycles + self.prepared.between) * (1 / self.prepared.there.machine.value("clock.frequency"))


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """A launch resolved to numbers. The busiest multiprocessor has `mine` blocks, `resident` of them at a time;
    `between` cycles pass from one kernel to the next."""

    core: Core
    ops: Ops
    there: Multiprocessor
    work: Work
    occupancy: Occupancy
    levels: Levels
    mine: int
    resident: int
    between: float

    def run(self) -> Run:
        """Emulates some waves, and extrapolates at the steady cost of a further block."""
        wave = self.work.instructions / self.work.blocks * self.resident
        waves = max(_LEAST_WAVES, min(_MOST_WAVES, int(_SPENT // max(1.0, wave))))
        order = self.work.order(self.mine, min(self.mine, waves * self.resident))
        timing = self.core.run(self.ops, self.there, order)
        if self.mine == len(order):
            return Run(timing, timing.cycles * self._heavier(order), self)
        later = order[(waves + 1) // 2 * self.resident :]
        rest = self.core.run(self.ops, self.there, later, timing).cycles
        block = max(0.0, timing.cycles - rest) / (len(order) - len(later))
        return Run(timing, (timing.cycles + block * (self.mine - len(order))) * self._heavier(order), self)

    def _heavier(self, order: list[int]) -> float:
        """Mean work of the grid's blocks relative to the emulated ones; a single one is the longest."""
        if self.mine == 1:
            return 1.0
        emulated = sum(self.work.lengths[place] for place in order) / len(order)
        return self.work.instructions / self.work.blocks / emulated

    def with_ops(self, ops: Ops) -> Prepared:
        """The same launch with other instruction costs."""
        return replace(self, ops=ops)


def prepare(facet: Warps, machine: Machine, *, warm: bool, fold: Fold) -> Prepared:
    """Computes all inputs of the timing core, from a machine that has all of `reference.PATHS`. `warm`: a launch
    that does not say how it starts follows an equal one; `fold`: whether loops are folded."""
    code, launch = facet.kernel, facet.launch
    execution, work = sampled(facet)
    shared = code.own_shared_bytes + launch.shared_bytes
    fits = occupancy(machine, launch.warps, code.registers, shared, code.barriers)
    count = int(machine.value("cores.count"))
    mine = math.ceil(launch.blocks / count)
    resident = min(fits.blocks, mine)
    at_once = min(launch.blocks, count * resident)
    # the busiest multiprocessor has more blocks than the mean and draws more of the shared resources
    share = launch.blocks / mine if mine > 1 else launch.blocks
    l1 = _first_level(machine, l1_bytes(machine, shared, fits.blocks))
    found = _traffic(facet, count, resident, l1)
    l2 = L2.of(machine, l2_rate(machine))
    served = levels(
        code,
        found,
        work.blocks_like_middle,
        launch.blocks / at_once,
        l2,
        resident=resident,
        wave_cycles=work.instructions / work.blocks * resident / machine.value("occupancy.schedulers"),
        local=local_memory(
            code,
            execution,
            launch.blocks,
            code.stack_bytes * launch.threads * resident,
            l1.size,
            code.stack_bytes * launch.threads * at_once,
            l2,
        ),
        present=present(facet, found.groups, l2, lambda other: _groups(other, machine), warm=warm),
        l2_hit=launch.l2_hit,
    )
    there = multiprocessor(
        machine,
        share=share,
        writes=served.writes,
        spread=served.touched > machine.value("level.L2.near_part") * l2.size,
    )
    return Prepared(
        core=_core(facet, resident, fold),
        ops=op_tables(code, execution, found, served, there, share),
        there=there,
        work=work,
        occupancy=fits,
        levels=served,
        mine=mine,
        resident=resident,
        between=machine.cycles("sync.back_to_back"),
    )


def _groups(facet: Warps, machine: Machine) -> tuple[Group, ...]:
    """The data that a launch touches."""
    code, launch, count = facet.kernel, facet.launch, int(machine.value("cores.count"))
    shared = code.own_shared_bytes + launch.shared_bytes
    fits = occupancy(machine, launch.warps, code.registers, shared, code.barriers).blocks
    l1 = _first_level(machine, l1_bytes(machine, shared, fits))
    return _traffic(facet, count, min(fits, math.ceil(launch.blocks / count)), l1).groups


def _first_level(machine: Machine, size: float) -> FirstLevel:
    return FirstLevel(
        size=size,
        ways=int(machine.value("level.L1.ways")),
        outstanding=machine.value("level.L1.outstanding"),
        throttled=machine.value("lockstep.throttled"),
        first_wave=machine.value("lockstep.first_wave"),
        later_waves=machine.value("lockstep.later_waves"),
    )


@lru_cache(maxsize=16)
def _traffic(facet: Warps, multiprocessors: int, resident: int, l1: FirstLevel) -> Traffic:
    return traffic(
        facet.kernel, facet.launch, sampled(facet)[0], multiprocessors=multiprocessors, resident=resident, l1=l1
    )


@lru_cache(maxsize=16)
def _core(facet: Warps, resident: int, fold: Fold) -> Core:
    return Core(sampled(facet)[0], resident, fold=fold)
