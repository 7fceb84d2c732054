"""Abstract kernel emulation (SAAKE) as a `Model`."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from foretell.core.answers.prediction import Bound, Detail, Part, Prediction
from foretell.core.gpu.warps import AbstractProgram
from foretell.errors import InputError
from foretell.models.base import Model, Option, Settings, sweep_singly
from foretell.models.gpu.occupancy import Waves, phases, waves
from foretell.models.saake import sensitivity
from foretell.models.saake.algorithm1 import Emulation, Emulator
from foretell.models.saake.kernel import Kernel, resolve

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from foretell.core.answers.answers import Sensitivity
    from foretell.core.machine.machine import Machine
    from foretell.core.workload import Facet, Workload
    from foretell.models.base import Columns

#: number of waves that are emulated before extrapolation
_EMULATED_WAVES = 3


def waves_option(default: str) -> Option:
    """How blocks follow each other: wave by wave, as a fraction of a wave, or each as soon as there is room."""
    choices = ("whole", "fractional", "backfill")
    return Option("waves", choices, default, "fractional", "how blocks follow each other, SK-9")


#: maximum events of a trace that is printed as a table
_MOST_EVENTS = 10_000


class EmulateModel(Model):
    """Emulates one multiprocessor full of blocks, instruction by instruction; the grid is waves of that."""

    name = "emulate"
    version = 1
    title = "abstract kernel emulation: warps that share resources with latency and gap (SAAKE)"
    facets: ClassVar[tuple[type[Facet], ...]] = (AbstractProgram,)
    parameters: ClassVar[tuple[str, ...]] = (
        "clock.frequency",
        "cores.count",
        "occupancy.warps",
        "occupancy.schedulers",
    )
    options: ClassVar[tuple[Option, ...]] = (
        Option("clock", ("monotone", "printed"), "monotone", "printed", "whether the clock may fall, SK-1"),
        Option("finish", ("all", "last"), "all", "last", "instructions whose end is waited for, SK-7"),
        Option("misses", ("memory", "cache"), "memory", "cache", "where misses go, SK-8"),
        waves_option("whole"),
        Option("order", ("listed", "oldest"), "listed", "listed", "which warp after a stall, SK-10"),
        Option("trace", ("no", "yes"), "no", "no", "every issued instruction in the details"),
    )
    budget: ClassVar[int | None] = 2000

    def kernel(
        self, workload: Workload, parameters: Mapping[str, float], machine: Machine, settings: Settings
    ) -> Kernel:
        """The workload resolved to numbers, ready to be emulated."""
        return resolve(workload.facet(AbstractProgram), parameters, machine)

    def predict(self, workload: Workload, machine: Machine, settings: Settings) -> Prediction:
        """Predicts the cycles of a full multiprocessor, times the waves of the grid."""
        self.require(machine)
        kernel = self.kernel(workload, workload.parameters, machine, settings)
        emulator = Emulator(kernel, settings)
        run = _run(kernel, emulator, settings)
        to_seconds = 1 / machine.value("clock.frequency")
        time_s = run.cycles * to_seconds
        # as printed, the clock can go backwards and instructions can be lost, and extrapolation is not exact: the time
        # can be below the lower bound
        literal = settings["clock"] == "printed" or settings["finish"] == "last" or settings["waves"] == "backfill"
        highest = time_s if literal else math.inf
        return self.answer(
            workload,
            machine,
            settings,
            time_s=time_s,
            bounds=tuple(
                replace(bound, time_s=min(bound.time_s, highest))
                for bound in _bounds(kernel, emulator, run, to_seconds)
            ),
            parts=tuple(Part(name, cycles * to_seconds) for name, cycles in run.parts.items()),
            assumptions=(*workload.assumptions, *kernel.assumptions),
            details=_details(kernel, emulator, run, settings),
        )

    def sweep(self, workload: Workload, machine: Machine, settings: Settings, columns: Columns) -> NDArray[np.float64]:
        """Emulates each point; a point whose blocks do not fit is infinite."""
        self.require(machine)

        def seconds(values: dict[str, float]) -> float:
            numbers = machine.with_values({name: value for name, value in values.items() if "." in name})
            here = {**workload.parameters, **{name: v for name, v in values.items() if "." not in name}}
            kernel = self.kernel(workload, here, numbers, settings)
            cycles = total_cycles(kernel, Emulator(kernel, settings), settings)
            return cycles / numbers.value("clock.frequency")

        return sweep_singly(columns, seconds)

    def sensitivities(self, workload: Workload, machine: Machine, settings: Settings) -> tuple[Sensitivity, ...]:
        """Latency and gap of every resource, whole kernel and by region (Section 3.3 of the paper)."""
        kernel = self.kernel(workload, workload.parameters, machine, settings)
        emulator = Emulator(kernel, settings)
        seconds = 1 / machine.value("clock.frequency")
        return sensitivity.of_resources(
            kernel, lambda variant: total_cycles(kernel, emulator, settings, variant) * seconds
        )


@dataclass(frozen=True, slots=True)
class _Run:
    """The emulations of a grid: one full residency, and one of the remaining blocks."""

    full: Emulation | None
    rest: Emulation | None
    parts: dict[str, float]
    waves: Waves | float
    generations: float  # blocks in sequence on the same slot

    @property
    def cycles(self) -> float:
        return math.fsum(self.parts.values())


def _run(kernel: Kernel, emulator: Emulator, settings: Settings) -> _Run:
    resident = kernel.occupancy.blocks
    trace = settings["trace"] == "yes"
    if settings["waves"] == "fractional":
        full = emulator.run(resident, trace=trace)
        count = phases(kernel.blocks, resident, kernel.multiprocessors)
        return _Run(full, None, {"waves": full.cycles * count}, count, count)
    if settings["waves"] == "backfill":
        return _backfilled(kernel, emulator, trace)
    needed = waves(kernel.blocks, resident, kernel.multiprocessors)
    whole = emulator.run(resident, trace=trace) if needed.full else None
    rest = emulator.run(needed.rest, trace=trace and whole is None) if needed.rest else None
    parts = {"launch": kernel.launch_cycles} if kernel.launch_cycles else {}
    if whole:
        parts["full waves"] = whole.cycles * needed.full
    if rest:
        parts["last wave"] = rest.cycles
    return _Run(whole, rest, parts, needed, needed.full + (1.0 if rest else 0.0))


def _backfilled(kernel: Kernel, emulator: Emulator, trace: bool) -> _Run:
    """Blocks start as soon as others end. After some waves each further one is assumed to cost as much as the last."""
    resident, mine = kernel.occupancy.blocks, math.ceil(kernel.blocks / kernel.multiprocessors)
    most = _EMULATED_WAVES * resident
    parts = {"launch": kernel.launch_cycles} if kernel.launch_cycles else {}
    first = emulator.run(min(mine, most), at_once=resident, trace=trace)
    parts["emulated blocks"] = first.cycles
    if mine > most:
        wave = first.cycles - emulator.cycles(most - resident, at_once=resident)
        parts["further blocks"] = wave * (mine - most) / resident
    return _Run(first, None, parts, mine / min(mine, most), mine / resident)


def total_cycles(kernel: Kernel, emulator: Emulator, settings: Settings, variant: Kernel | None = None) -> float:
    """Only the cycles of the whole grid."""
    resident = kernel.occupancy.blocks
    if settings["waves"] == "fractional":
        return emulator.cycles(resident, variant) * phases(kernel.blocks, resident, kernel.multiprocessors)
    if settings["waves"] == "backfill":
        mine, most = math.ceil(kernel.blocks / kernel.multiprocessors), _EMULATED_WAVES * resident
        first = emulator.cycles(min(mine, most), variant, at_once=resident)
        if mine <= most:
            return kernel.launch_cycles + first
        wave = first - emulator.cycles(most - resident, variant, at_once=resident)
        return kernel.launch_cycles + first + wave * (mine - most) / resident
    needed = waves(kernel.blocks, resident, kernel.multiprocessors)
    full = emulator.cycles(resident, variant) * needed.full if needed.full else 0.0
    rest = emulator.cycles(needed.rest, variant) if needed.rest else 0.0
    return kernel.launch_cycles + full + rest


def _weights(run: _Run) -> list[tuple[Emulation, float]]:
    """Each emulation and its number of repetitions."""
    if isinstance(run.waves, Waves):
        pairs = [(run.full, float(run.waves.full)), (run.rest, 1.0)]
    else:
        pairs = [(run.full, run.waves)]
    return [(emulation, weight) for emulation, weight in pairs if emulation is not None]


def _bounds(kernel: Kernel, emulator: Emulator, run: _Run, to_seconds: float) -> tuple[Bound, ...]:
    """The minimum time by each resource alone: the gaps between its requests, or the latency chain of one warp."""
    weighted = _weights(run)
    chain = emulator.chain()
    leading = max(chain.share, key=lambda name: chain.share[name])
    path = chain.cycles * run.generations
    bounds = [Bound("dependence chain", path * to_seconds, leading, "latency")]
    for column, name in enumerate(kernel.resources):
        gap, latency = kernel.gap[0, column], kernel.latency[0, column]
        cycles = sum(
            weight * ((emulation.requests[name] - 1) * gap + latency)
            for emulation, weight in weighted
            if emulation.requests[name] > 0
        )
        if cycles > 0:
            bounds.append(Bound(f"{name} throughput", float(cycles) * to_seconds, name, "throughput"))
    slots = kernel.schedulers * kernel.issue_width
    # the last instruction issues that many cycles after the first
    issue = sum(weight * max(0.0, emulation.instructions / slots - 1) for emulation, weight in weighted)
    bounds.append(Bound("issue slots", issue * to_seconds, "warp schedulers", "throughput"))
    return tuple(bounds)


def _details(kernel: Kernel, emulator: Emulator, run: _Run, settings: Settings) -> dict[str, Detail]:
    shown, _ = _weights(run)[0]
    details: dict[str, Detail] = {
        "cycles": run.cycles,
        "emulated_cycles": shown.cycles,
        "blocks": kernel.blocks,
        "resident_blocks": kernel.occupancy.blocks,
        "resident_warps": kernel.occupancy.warps,
        "occupancy_limiter": kernel.occupancy.limiter,
        "instructions_per_cycle": shown.instructions / shown.cycles,
        "dependence_chain_cycles": emulator.chain().cycles,
        "resources": {name: _resource(kernel, shown, name) for name in kernel.resources if shown.requests[name] > 0},
    }
    if isinstance(run.waves, Waves):
        details |= {"full_waves": run.waves.full, "last_wave_blocks": run.waves.rest}
    else:
        details["phases"] = run.generations
    if settings["trace"] == "yes":
        details["trace"] = _trace(shown)
    return details


def _resource(kernel: Kernel, emulation: Emulation, name: str) -> dict[str, Detail]:
    """Busy fraction (SK-3) and utilisation of the throughput (SK-4)."""
    requests, total = emulation.requests[name], emulation.cycles
    gap = float(kernel.gap[0, kernel.resources.index(name)])
    return {
        "requests": requests,
        "busy_fraction": emulation.busy[name] / total,
        "throughput_utilization": requests * gap / total,
        "printed_utilization_cycles": emulation.printed_busy[name],
    }


def _trace(emulation: Emulation) -> list[Detail]:
    if len(emulation.trace) > _MOST_EVENTS:
        raise InputError(f"a trace of {len(emulation.trace)} instructions; trace=yes shows at most {_MOST_EVENTS}")
    return [
        {
            "warp": event.warp,
            "instruction": event.label,
            "resource": event.resource,
            "issue_cycle": event.issue,
            "start_cycle": event.start,
            "finish_cycle": event.finish,
            "pipe_admit_cycle": event.pipe_admit,
        }
        for event in emulation.trace
    ]
