"""Prepares a launch on a machine for the timing core and runs it; shared by the model and its explanations."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from foretell.characterize.gpu.memory import SECTOR, FirstLevel, Traffic, traffic
from foretell.core.gpu.recent import remembered
from foretell.models.gpu.block_sampling import Precision, Work, data_addressed, sampled, with_numbers
from foretell.models.gpu.cache_levels import L2, Levels, levels, local_memory
from foretell.models.gpu.costs.instruction_costs import Ops, op_tables
from foretell.models.gpu.l1_carveout import l1_bytes
from foretell.models.gpu.l2_start import present
from foretell.models.gpu.multiprocessor import Multiprocessor, far_share, l2_rate, multiprocessor
from foretell.models.gpu.occupancy import Occupancy, occupancy
from foretell.models.gpu.placement import placed
from foretell.models.gpu.timing import Core, Fold, Timing, last_end
from foretell.models.saake.resources import UNITS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from foretell.characterize.gpu.functional import Execution
    from foretell.characterize.gpu.memory import Group
    from foretell.core.gpu.sass import SassInstruction
    from foretell.core.gpu.warps import Warps
    from foretell.core.machine.machine import Machine

#: minimum and maximum of waves that are emulated before extrapolation
_LEAST_WAVES, _MOST_WAVES = 2, 12
#: of unequal blocks, whose order has parts that differ, so many times the instructions are emulated
_UNEQUAL = 8
#: the longest of the emulated blocks determines their time if alone it takes this fraction of it
_DETERMINED = 0.6
#: blocks none of which is longer than this many times the mean are timed by emulation alone
_HARDLY_LONGER = 1.25
#: clusters of so many blocks do not fill all multiprocessors
_LARGE_CLUSTER = 4
#: equal blocks of one multiprocessor do not end at once, so that the next ones go to several: relative differences
_DRIFT, _GOLDEN = 0.001, 0.6180339887498949


@dataclass(frozen=True, slots=True)
class _Emulation:
    """Warp instructions of waves beyond the minimum that are emulated, those of one wave up to which loops are not
    folded, and how well extrapolations of folded loops from two pairs of lengths must agree."""

    waves: int
    in_full: int
    alike: float


_EMULATION: dict[Precision, _Emulation] = {
    "full": _Emulation(waves=150_000, in_full=100_000, alike=0.004),
    "quick": _Emulation(waves=150_000, in_full=100_000, alike=0.008),
}


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """The emulated blocks in their `order`, which represent `heavier` ones, and the `cycles` of the busiest
    multiprocessor."""

    timing: Timing
    cycles: float
    prepared: Prepared
    order: tuple[int, ...]
    heavier: float = 1.0

    @property
    def seconds(self) -> float:
        """Time of the launch, including the gap between two kernels."""
        return (self.cycles + self.prepared.between) * (1 / self.prepared.there.machine.value("clock.frequency"))


@dataclass(frozen=True, slots=True, eq=False)
class Alone:
    """The longest and a usual block of an uneven grid, each alone on a multiprocessor while few others are busy."""

    longest: int
    usual: int
    ops: dict[int, Ops]
    there: Multiprocessor


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """A launch resolved to numbers. The busiest multiprocessor has `mine` blocks, `resident` of them at a time;
    `between` cycles pass from one kernel to the next."""

    text: tuple[SassInstruction, ...]
    core: Core
    ops: Ops
    there: Multiprocessor
    execution: Execution
    work: Work
    occupancy: Occupancy
    levels: Levels
    traffic: Traffic
    mine: int
    resident: int
    count: int
    between: float
    alone: Alone | None
    #: whether arrays are taken to hold ordinary numbers
    filled: bool
    #: how many times its instructions a block may have at least, as ordinary numbers did not end it
    unended: float
    #: warp instructions of waves beyond the minimum that are emulated
    spent: int

    def run(self) -> Run:
        """Emulates some waves, and extrapolates at the steady cost of a further block; then schedules unequal blocks
        over all multiprocessors, unless a queue of work makes them equal."""
        steady = self._steady()
        counts = self.work.counts
        if self.mine == 1 or counts is None or self.alone is None or self.execution.record.queued:
            return steady
        if (counts.max(axis=1) <= _HARDLY_LONGER * counts.mean(axis=1)).all():
            return steady
        return replace(steady, cycles=self._scheduled(steady, counts, self.alone))

    def _scheduled(self, steady: Run, counts: NDArray[np.float64], alone: Alone) -> float:
        """Cycles until the last block of the grid ends, at least those of the emulated ones.

        A block alone takes the time of its longest warp: measured of the longest block and of a usual one, linear in
        between. On a full multiprocessor it takes its share of the throughput: that of the emulated blocks, or, where
        the longest of these determines their time, that of the busiest resource.
        """
        work, timing = self.work, steady.timing
        times = [
            self.core.run(alone.ops[position], alone.there, [position]).cycles
            for position in (alone.usual, alone.longest)
        ]
        lengths = [work.longest[position] for position in (alone.usual, alone.longest)]
        slope = max(0.0, times[1] - times[0]) / (lengths[1] - lengths[0]) if lengths[1] > lengths[0] else 0.0
        time_alone = np.maximum(1.0, times[0] + slope * (counts[1] - lengths[0]))
        time_alone *= 1 + _DRIFT * (np.arange(len(time_alone)) * _GOLDEN % 1.0)
        emulated = sum(work.lengths[position] for position in steady.order)
        cost = steady.cycles / (emulated * steady.heavier * self.mine / len(steady.order))
        longest = times[0] + slope * (max(work.longest[position] for position in steady.order) - lengths[0])
        if longest > _DETERMINED * timing.cycles:
            cost = min(cost, _busiest(timing) * timing.cycles / timing.emulated / emulated)
        end = last_end(time_alone, cost * counts[0], self.count, self.resident)
        return max(end, steady.cycles / max(1.0, steady.heavier))

    @property
    def irregular(self) -> float:
        """The fraction of sectors that are requested irregularly."""
        requests, groups = self.traffic.requests.values(), self.traffic.groups
        sectors = math.fsum(item.block_sectors for item in requests)
        irregular = math.fsum(item.block_sectors for item in requests if not groups[item.group].even)
        return irregular / sectors if sectors else 0.0

    def _steady(self) -> Run:
        """Emulates some waves of blocks, and extrapolates."""
        wave = self.work.instructions / self.work.blocks * self.resident
        spent = self.spent * (1 if self.work.alike else _UNEQUAL)
        waves = max(_LEAST_WAVES, min(_MOST_WAVES, int(spent // max(1.0, wave))))
        order, heavier = self.work.order(self.mine, min(self.mine, waves * self.resident), self._turns())
        timing = self.core.run(self.ops, self.there, order)
        if self.mine <= len(order):
            return Run(timing, timing.cycles * heavier, self, tuple(order), heavier)
        later = order[(waves + 1) // 2 * self.resident :]
        rest = self.core.run(self.ops, self.there, later, timing).cycles
        block = max(0.0, timing.cycles - rest) / (len(order) - len(later))
        cycles = (timing.cycles + block * (self.mine - len(order))) * heavier
        return Run(timing, cycles, self, tuple(order), heavier)

    def _turns(self) -> NDArray[np.intp] | None:
        """The multiprocessors of blocks that all start at once."""
        if self.work.counts is None or self.mine > self.resident:
            return None
        value = self.there.machine.value
        return placed(self.work.blocks, self.count, int(value("placement.few")), int(value("placement.every")))

    def with_ops(self, ops: Ops) -> Prepared:
        """The same launch with other instruction costs."""
        return replace(self, ops=ops)


def prepare(facet: Warps, machine: Machine, *, warm: bool, fold: Fold, precision: Precision = "full") -> Prepared:
    """Computes all inputs of the timing core, from a machine that has all of `reference.PATHS`. `warm`: a launch
    that does not say how it starts follows an equal one; `fold`: whether loops are folded; `precision`: how many blocks
    are sampled, and how well extrapolations of loops must agree."""
    execution, work = sampled(facet, precision)
    placed = _placed(facet, machine)
    requests = _traffic(facet, placed.count, placed.resident, placed.l1, precision)
    served = _served(facet, machine, placed, requests, warm=warm, precision=precision)
    sm = multiprocessor(
        machine,
        share=placed.share,
        writes=served.writes,
        far_share=far_share(machine, _read_by_partition(requests.groups)),
    )
    return Prepared(
        text=facet.kernel.instructions,
        core=_core(facet, placed.resident, fold, precision),
        ops=op_tables(facet.kernel, execution, requests, served, sm, placed.share, _warps(facet, placed)),
        there=sm,
        execution=execution,
        work=work,
        occupancy=placed.fits,
        levels=served,
        traffic=requests,
        mine=placed.mine,
        resident=placed.resident,
        count=placed.count,
        filled=with_numbers(facet, precision).filled,
        unended=with_numbers(facet, precision).unended,
        spent=_EMULATION[precision].waves,
        alone=_alone(facet, machine, placed, requests, served, sm, precision)
        if work.counts is not None and placed.mine > 1
        else None,
        between=machine.cycles("sync.back_to_back") + _dispatched(machine, work.blocks / placed.count),
    )


@dataclass(frozen=True, slots=True)
class _Placed:
    """The blocks of a launch on `count` multiprocessors, the busiest of which has `mine` of them, `resident` at a time,
    and an L1 beside their shared memory."""

    fits: Occupancy
    count: int
    mine: int
    resident: int
    blocks: int
    l1: FirstLevel

    @property
    def share(self) -> float:
        """Multiprocessors that use shared resources as the busiest does: it has more blocks than the mean and draws
        more of them."""
        return self.blocks / self.mine if self.mine > 1 else self.blocks

    @property
    def at_once(self) -> int:
        """Blocks that run at a time."""
        return min(self.blocks, self.count * self.resident)


def _placed(facet: Warps, machine: Machine) -> _Placed:
    code, launch = facet.kernel, facet.launch
    shared = code.own_shared_bytes + launch.shared_bytes
    fits = occupancy(machine, launch.warps, code.registers, shared, code.barriers)
    count = int(machine.value("cores.count") * _usable(facet, machine))
    mine = math.ceil(launch.blocks / count)
    l1 = _first_level(machine, l1_bytes(machine, shared, fits.blocks))
    return _Placed(fits, count, mine, min(fits.blocks, mine), launch.blocks, l1)


def _usable(facet: Warps, machine: Machine) -> float:
    """The fraction of multiprocessors that get blocks: all of a cluster are in one cluster of processors, and what its
    size leaves of these stays idle."""
    return machine.value("cluster.usable") if math.prod(facet.kernel.cluster) >= _LARGE_CLUSTER else 1.0


def _served(
    facet: Warps, machine: Machine, placed: _Placed, requests: Traffic, *, warm: bool, precision: Precision
) -> Levels:
    """The traffic of a launch at every level."""
    code, launch = facet.kernel, facet.launch
    execution, work = sampled(facet, precision)
    l2 = L2.of(machine, l2_rate(machine))
    stack = code.stack_bytes * launch.threads
    return levels(
        code,
        requests,
        work.blocks_like_middle,
        launch.blocks / placed.at_once,
        l2,
        resident=placed.resident,
        wave_cycles=work.instructions / work.blocks * placed.resident / machine.value("occupancy.schedulers"),
        local=local_memory(
            code, execution, launch.blocks, stack * placed.resident, placed.l1.size, stack * placed.at_once, l2
        ),
        present=present(facet, requests.groups, l2, lambda other: _groups(other, machine, precision), warm=warm),
        l2_hit=launch.l2_hit,
    )


def _read_by_partition(groups: Sequence[Group]) -> float:
    """Bytes that the multiprocessors at one partition of L2 touch: half of what each block has for itself, and all that
    blocks share or gather."""
    return sum(group.launch * (1.0 if group.common or not group.even else 0.5) for group in groups) * SECTOR


def _dispatched(machine: Machine, blocks: float) -> float:
    """Cycles until the last multiprocessor gets its first block: blocks are started one after another."""
    return machine.cycles("sync.block_start") * min(1.0, blocks)


def _groups(facet: Warps, machine: Machine, precision: Precision) -> tuple[Group, ...]:
    """The data that a launch touches."""
    placed = _placed(facet, machine)
    return _traffic(facet, placed.count, placed.resident, placed.l1, precision).groups


def _alone(
    facet: Warps,
    machine: Machine,
    placed: _Placed,
    all_of_them: Traffic,
    served: Levels,
    sm: Multiprocessor,
    precision: Precision,
) -> Alone:
    """Costs of the longest and of a usual block: own L1 misses, or fewer where other blocks leave what it needs, in the
    arrays and from the levels of the launch."""
    (execution, work), count = sampled(facet, precision), placed.count
    assert work.counts is not None
    longest = work.longest_block
    typical = float(np.median(work.counts[1]))
    weighed = [position for position, weight in enumerate(work.weights) if weight > 0]
    usual = min(weighed, key=lambda position: abs(work.longest[position] - typical))
    busy = min(float(count), max(1.0, float((work.counts[1] >= work.longest[longest] / 2).sum())))
    idle = multiprocessor(machine, share=busy, writes=served.writes, far_share=sm.far_share)
    ops = {}
    for position in {longest, usual}:
        own = traffic(
            facet.kernel,
            facet.launch,
            execution,
            multiprocessors=count,
            resident=1,
            l1=placed.l1,
            by_data=data_addressed(facet, precision),
            alone=position,
        )
        requests = {
            index: replace(min(item, usually, key=lambda either: either.missed), group=usually.group)
            for index, item in own.requests.items()
            if (usually := all_of_them.requests.get(index))
        }
        unmerged = replace(served, alone=dict.fromkeys(served.alone, 1.0))
        found = Traffic(requests, all_of_them.groups, all_of_them.updates)
        ops[position] = op_tables(facet.kernel, execution, found, unmerged, idle, busy, facet.launch.warps, position)
    return Alone(longest, usual, ops, idle)


def _warps(facet: Warps, placed: _Placed) -> int:
    """Warps of a multiprocessor that run at once."""
    return facet.launch.warps * min(placed.resident, max(1, facet.launch.blocks // placed.count))


def _busiest(timing: Timing) -> float:
    """Cycles of the busiest resource of the emulated blocks."""
    units = max((busy / (4 if name in UNITS else 1) for name, busy in timing.busy.items()), default=0.0)
    return max(units, timing.issued / 4)


def _first_level(machine: Machine, size: float) -> FirstLevel:
    return FirstLevel(
        size=size,
        ways=int(machine.value("level.L1.ways")),
        outstanding=machine.value("level.L1.outstanding"),
        throttled=machine.value("lockstep.throttled"),
        first_wave=machine.value("lockstep.first_wave"),
        later_waves=machine.value("lockstep.later_waves"),
    )


@remembered(32)
def _traffic(facet: Warps, multiprocessors: int, resident: int, l1: FirstLevel, precision: Precision) -> Traffic:
    execution, work = sampled(facet, precision)
    return traffic(
        facet.kernel,
        facet.launch,
        execution,
        multiprocessors=multiprocessors,
        resident=resident,
        l1=l1,
        weights=() if work.alike else work.weights,
        by_data=data_addressed(facet, precision),
    )


@remembered(16)
def _core(facet: Warps, resident: int, fold: Fold, precision: Precision) -> Core:
    chosen = _EMULATION[precision]
    return Core(sampled(facet, precision)[0], resident, fold=fold, alike=chosen.alike, in_full=chosen.in_full)
