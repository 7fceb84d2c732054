"""GPU kernels in machine code on a modern multiprocessor: the default model of a cubin with its launch."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from foretell.characterize.gpu_memory import Traffic, traffic
from foretell.core.prediction import Bound, Part
from foretell.core.warps import Warps
from foretell.errors import InputError
from foretell.models.base import Model, Option
from foretell.models.emulate.levels import Levels, levels
from foretell.models.emulate.machine_code import executed
from foretell.models.emulate.multiprocessor import L2, MEMORY, Multiprocessor, l1_bytes, multiprocessor
from foretell.models.emulate.occupancy import Occupancy, occupancy
from foretell.models.emulate.ops import op_tables
from foretell.models.emulate.saake import SaakeModel
from foretell.models.emulate.timing import Core, Timing

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from foretell.characterize.functional import Execution
    from foretell.core.machine import Machine
    from foretell.core.prediction import Detail, Prediction
    from foretell.core.workload import Facet, Workload
    from foretell.models.base import Settings
    from foretell.models.emulate.ops import Ops

#: waves that are emulated before the rest is taken to go on alike, at least and at most, and warp instructions that may
#: be spent on more than the least
_LEAST_WAVES, _MOST_WAVES, _SPENT = 2, 12, 150_000
#: seconds between two kernels in a row where it is not known (H200)
_BETWEEN_S = 1.6e-6
#: data beyond this part of L2 lie in both of its partitions
_NEAR_PART = 1 / 8


@dataclass(frozen=True, slots=True, eq=False)
class _Run:
    """Everything that one prediction is made of; cycles."""

    timing: Timing
    cycles: float
    occupancy: Occupancy
    mine: int
    there: Multiprocessor
    levels: Levels
    launch: float


class WarpsModel(Model):
    """Blocks of one multiprocessor, emulated with the dependences of the control words and with caches."""

    name = "warps"
    version = 1
    title = "GPU machine code on four sub-cores with caches"
    facets: ClassVar[tuple[type[Facet], ...]] = (Warps,)
    parameters: ClassVar[tuple[str, ...]] = SaakeModel.parameters
    options: ClassVar[tuple[Option, ...]] = (
        Option("start", ("warm", "cold"), "warm", "warm", "whether L2 holds what a launch before left"),
        Option("fold", ("yes", "no"), "yes", "yes", "whether loops that go round alike are cut short"),
    )

    def reads(self, machine: Machine) -> tuple[str, ...]:
        """Beside what it needs, the optional numbers that this machine has."""
        more = (
            "level.L1.latency", "level.L1.core_bandwidth", "level.L1.size", "level.L2.bandwidth", "level.L2.size",
            "level.L2.far_latency", "memory.read_bandwidth", "memory.copy_bandwidth", "memory.write_bandwidth",
            "scratchpad.bandwidth", "sync.between", "sync.block", "sync.block_warp", "sync.block_start",
            "sync.block_turn", "memory.scattered_bandwidth",
            "atomic.latency", "occupancy.blocks",
        )  # fmt: skip
        units = [path for path in machine.quantities if path.startswith("pipeline.")]
        known = [path for path in units if path.endswith((".latency", ".gap"))]
        needed = [path for path in self.parameters if path != "memory.bandwidth" or "memory.read_bandwidth" not in machine]
        return (*needed, *(path for path in more if path in machine), *known)

    def predict(self, workload: Workload, machine: Machine, settings: Settings) -> Prediction:
        """Cycles of the multiprocessor that has most to do, and the launch."""
        if settings.mode == "paper":
            saake = SaakeModel()
            return saake.predict(workload, machine, saake.settings("paper"))
        self.require(machine)
        facet = workload.facet(Warps)
        run = _run(facet, machine, settings)
        seconds = 1 / machine.value("clock.frequency")
        time = (run.cycles + run.launch) * seconds
        return self.answer(
            workload,
            machine,
            settings,
            time_s=time,
            bounds=_bounds(run, machine, time),
            parts=_parts(run, seconds, time),
            assumptions=(*workload.assumptions, *_assumptions(facet, run)),
            details=_details(facet, run),
        )

    def sweep(
        self, workload: Workload, machine: Machine, settings: Settings, columns: Mapping[str, NDArray[np.float64]]
    ) -> NDArray[np.float64]:
        """One emulation a point; a point whose blocks do not fit is infinite."""
        points = max((np.size(column) for column in columns.values()), default=1)
        result = np.full(points, np.inf)
        for point in range(points):
            values = {name: float(np.broadcast_to(column, points)[point]) for name, column in columns.items()}
            try:
                result[point] = self.predict(workload, machine.with_values(values), settings).time_s
            except InputError:
                continue
        return result


# ------------------------------------------------------------------------------------------ running


def _run(facet: Warps, machine: Machine, settings: Settings) -> _Run:
    code, launch = facet.kernel, facet.launch
    execution = executed(facet)
    shared = code.shared_bytes + launch.shared_bytes
    fits = occupancy(machine, launch.warps, code.registers, shared)
    count = int(machine.value("cores.count"))
    mine = math.ceil(launch.blocks / count)
    resident = min(fits.blocks, mine)
    share = min(count, launch.blocks) * (launch.blocks / count) / mine if launch.blocks >= count else launch.blocks
    found = _traffic(facet, count, resident, l1_bytes(machine, shared * resident))
    l2_bytes = machine.value("level.L2.size") if "level.L2.size" in machine else 0.0
    served = levels(
        code, execution, found, launch.blocks, launch.blocks / min(launch.blocks, count * resident), l2_bytes,
        warm=settings["start"] == "warm",
    )  # fmt: skip
    there = multiprocessor(
        machine,
        share=share,
        shared_bytes=shared * resident,
        writes=served.writes,
        spread=served.touched > _NEAR_PART * l2_bytes,
        mixed=mine > resident,
    )
    ops = op_tables(code, execution, found, served.far, there, share)
    core = _core(facet, resident, settings["fold"] == "yes")
    timing, cycles = _cycles(core, ops, there, execution, mine, resident)
    clock = machine.value("clock.frequency")
    between = machine.cycles("sync.between") if "sync.between" in machine else _BETWEEN_S * clock
    return _Run(timing, cycles, fits, mine, there, served, between)


def _cycles(
    core: Core, ops: Ops, there: Multiprocessor, execution: Execution, mine: int, resident: int
) -> tuple[Timing, float]:
    """Some waves, and what each further block adds once they go on alike."""
    wave = execution.block_instructions[execution.middle] * resident
    waves = max(_LEAST_WAVES, min(_MOST_WAVES, _SPENT // wave))
    order = [execution.middle] * min(mine, waves * resident)
    timing = core.run(ops, there, order)
    if mine == len(order):
        return timing, timing.cycles
    later = order[(waves + 1) // 2 * resident :]
    block = (timing.cycles - core.run(ops, there, later).cycles) / (len(order) - len(later))
    return timing, timing.cycles + block * (mine - len(order))


@lru_cache(maxsize=16)
def _traffic(facet: Warps, multiprocessors: int, resident: int, l1: float) -> Traffic:
    return traffic(
        facet.kernel,
        facet.launch,
        executed(facet),
        multiprocessors=multiprocessors,
        resident=resident,
        l1_bytes=l1,
    )


@lru_cache(maxsize=16)
def _core(facet: Warps, resident: int, fold: bool) -> Core:
    return Core(executed(facet), resident, fold=fold)


# ------------------------------------------------------------------------------------------ answers


def _parts(run: _Run, seconds: float, time: float) -> tuple[Part, ...]:
    """What sub-cores do and wait for in the emulated blocks stands for all of them."""
    timing = run.timing
    cycles = {"issue": timing.issued * run.there.gap["issue"] / 4}
    for (name, what), idle in timing.idle.items():
        cycles[f"{name} {what}"] = idle
    cycles["last instructions under way"] = timing.tail
    scale = run.cycles / math.fsum(cycles.values()) * seconds
    parts = [Part("launch", run.launch * seconds)]
    parts += [Part(name, value * scale) for name, value in sorted(cycles.items(), key=lambda item: -item[1]) if value > 0]
    return tuple(parts)


def _bounds(run: _Run, machine: Machine, time: float) -> tuple[Bound, ...]:
    """What each resource alone would need."""
    timing = run.timing
    scale = run.cycles / timing.emulated / machine.value("clock.frequency")
    bounds = [Bound("issue slots", timing.issued * run.there.gap["issue"] / 4 * scale, "issue", "throughput")]
    for name, busy in timing.busy.items():
        of = busy / 4 if name in _SUBCORE else busy
        if of > 0:
            bounds.append(Bound(f"{name} throughput", of * scale, name, "throughput"))
    waits = {name: idle for (name, what), idle in timing.idle.items() if what == "latency"}
    if waits:
        leading = max(waits, key=lambda name: waits[name])
        bounds.append(Bound("waiting for results", waits[leading] * scale, leading, "latency"))
    return tuple(Bound(b.name, min(b.time_s, time), b.resource, b.limit) for b in bounds)


_SUBCORE = frozenset(
    ("fma", "imad", "alu", "fp64", "half", "tensor", "xu", "uniform", "lsu", "constant", "branch", "none")
)


def _assumptions(facet: Warps, run: _Run) -> tuple[str, ...]:
    execution = executed(facet)
    least, most = min(execution.block_instructions), max(execution.block_instructions)
    unequal = most > least * 1.02
    return (
        *run.there.assumptions,
        *execution.assumptions,
        *([f"blocks do unequal work ({least} to {most} instructions); a middle one stands for all"] if unequal else []),
    )


def _details(facet: Warps, run: _Run) -> dict[str, Detail]:
    timing, served = run.timing, run.levels
    execution = executed(facet)
    per_block = execution.block_instructions[execution.middle]
    resources: dict[str, Detail] = {
        name: busy / (4 if name in _SUBCORE else 1) / timing.emulated for name, busy in timing.busy.items() if busy > 0
    }
    return {
        "cycles": run.cycles,
        "warp_instructions": per_block * facet.launch.blocks,
        "instructions_per_cycle": timing.issued / timing.emulated,
        "resident_blocks": run.occupancy.blocks,
        "resident_warps": run.occupancy.warps,
        "occupancy_limiter": run.occupancy.limiter,
        "waves": run.mine / min(run.mine, run.occupancy.blocks),
        "utilization": resources,
        "requested_B": served.requested,
        "L2_B": served.to_l2,
        "L1_hit_rate": 1 - served.to_l2 / served.requested if served.requested else None,
        "memory_read_B": served.from_memory,
        "memory_written_B": served.to_memory,
        "footprint_B": served.touched,
        "loops_folded": timing.folded,
    }
