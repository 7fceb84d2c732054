"""The GPU model as a `Model`: kernels in machine code on a modern multiprocessor; the default for a cubin with its
launch."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, cast

from foretell.characterize.gpu.memory import SECTOR
from foretell.core.answers.breakdown import Rate
from foretell.core.answers.prediction import Bound, Part
from foretell.core.gpu import opcodes
from foretell.core.gpu.warps import Warps
from foretell.models.base import Model, Option, sweep_singly
from foretell.models.gpu import attribution, ordinary_numbers, reference, screening, uncertainty
from foretell.models.gpu.costs.instruction_costs import MATCHED_NOTE, matches_lanes
from foretell.models.gpu.hints import hints
from foretell.models.gpu.launched import Prepared, Run, prepare
from foretell.models.gpu.occupancy import occupancy
from foretell.models.saake.machine_code import steered_by_data
from foretell.models.saake.machine_code_model import SaakeModel
from foretell.models.saake.resources import UNITS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from foretell.core.answers.answers import Advice, CodeLine, Sensitivity
    from foretell.core.answers.prediction import Detail, Prediction
    from foretell.core.machine.machine import Machine
    from foretell.core.workload import Facet, Workload
    from foretell.models.base import Columns, Settings
    from foretell.models.gpu.block_sampling import Precision
    from foretell.models.gpu.timing import Fold

#: standard error of a grid's work that is worth a note
_BADLY_SAMPLED = 0.05


class GpuModel(Model):
    """Emulates the blocks of one multiprocessor, with the dependences of the control words and with caches."""

    name = "gpu"
    version = 1
    title = "GPU machine code on four sub-cores with caches"
    facets: ClassVar[tuple[type[Facet], ...]] = (Warps,)
    parameters: ClassVar[tuple[str, ...]] = SaakeModel.parameters
    kinds = ("gpu",)
    names_estimates = True
    options: ClassVar[tuple[Option, ...]] = (
        Option("start", ("warm", "cold"), "warm", "warm", "whether L2 holds the data of a previous launch"),
        Option(
            "fold",
            ("yes", "short", "no"),
            "yes",
            "yes",
            "whether uniform loops are shortened: yes (and checked), short (unchecked), no",
        ),
        Option(
            "precision",
            ("full", "quick"),
            "full",
            "full",
            "how many blocks are sampled: full, or quick (within 2 % of it, for searches)",
        ),
    )
    budget: ClassVar[int | None] = 2000

    def reads(self, machine: Machine) -> tuple[str, ...]:
        """Beside the needed parameters, the optional ones that this machine has."""
        more = (
            "level.L1.core_bandwidth", "level.L1.size", "level.L2.bandwidth", "level.L2.size", "level.L2.far_latency",
            "memory.read_bandwidth", "memory.copy_bandwidth", "memory.write_bandwidth", "scratchpad.bandwidth",
            "occupancy.blocks", "occupancy.barriers",
            *(path for path in reference.PATHS if not path.startswith("pipeline.")),
        )  # fmt: skip
        units = [path for path in machine.quantities if path.startswith("pipeline.")]
        known = [path for path in units if path.endswith((".latency", ".gap"))]
        needed = [
            path for path in self.parameters if path != "memory.bandwidth" or "memory.read_bandwidth" not in machine
        ]
        return (*needed, *(path for path in more if path in machine), *known)

    def assumes(self, machine: Machine) -> tuple[str, ...]:
        """Numbers of the reference GPU, and estimates of the machine's own file."""
        return (*reference.with_reference(machine)[1], *reference.scaled_numbers(machine))

    def predict(self, workload: Workload, machine: Machine, settings: Settings) -> Prediction:
        """Predicts the cycles of the busiest multiprocessor, and of the launch."""
        if settings.mode == "paper":
            return _by_saake(workload, machine)
        self.require(machine)
        run = _prepared(workload.facet(Warps), machine, settings).run()
        return self._answered(workload, machine, settings, run, interval=settings["fold"] != "short")

    def without_interval(self, workload: Workload, machine: Machine, settings: Settings) -> Prediction:
        """Spares the emulations with other numbers of a machine that is not known well, and those that tell how much
        depends on what is not known of the code."""
        return cast("Prediction", self.within(workload, machine, settings, math.inf))

    def within(self, workload: Workload, machine: Machine, settings: Settings, limit_s: float) -> Prediction | float:
        """Spares the emulation where the throughput of the busiest resource alone takes longer."""
        if settings.mode == "paper":
            return _by_saake(workload, machine)
        self.require(machine)
        prepared = _prepared(workload.facet(Warps), machine, settings)
        least = screening.least_emulated_s(prepared) if math.isfinite(limit_s) else 0.0
        if least > limit_s:
            return least
        return self._answered(workload, machine, settings, prepared.run(), interval=False, uncertain=False)

    def _answered(
        self,
        workload: Workload,
        machine: Machine,
        settings: Settings,
        run: Run,
        *,
        interval: bool,
        uncertain: bool = True,
    ) -> Prediction:
        facet = workload.facet(Warps)
        whole, assumed = reference.with_reference(machine)
        time = run.seconds
        seconds = 1 / machine.value("clock.frequency")
        return self.answer(
            workload,
            machine,
            settings,
            time_s=time,
            bounds=_bounds(run, machine, time),
            parts=_parts(run, seconds, time),
            assumptions=(
                *workload.assumptions,
                *_foreign(facet, machine),
                *reference.note(machine, assumed),
                *_assumptions(facet, run),
            ),
            interval_s=_interval(facet, whole, settings, assumed, run) if interval else None,
            details=_details(facet, run, interval=interval, uncertain=uncertain),
            rates=_rates(run, machine, time),
        )

    def admit(self, workload: Workload, machine: Machine) -> None:
        """A block must fit on a multiprocessor."""
        facet = workload.facet(Warps)
        code, launch = facet.kernel, facet.launch
        shared = code.own_shared_bytes + launch.shared_bytes
        occupancy(machine, launch.warps, code.registers, shared, code.barriers)

    def least_time_s(self, workload: Workload, machine: Machine) -> float:
        """A bound from one executed block."""
        return screening.least_time_s(workload.facet(Warps), reference.with_reference(machine)[0])

    def time_s(self, workload: Workload, machine: Machine, settings: Settings) -> float:
        """The time alone."""
        if settings.mode == "paper":
            return self.predict(workload, machine, settings).time_s
        self.require(machine)
        return _prepared(workload.facet(Warps), reference.with_reference(machine)[0], settings).run().seconds

    def compared(self, settings: Settings) -> Settings:
        """Folds loops to the same lengths in every run: differences are then due to the machine alone."""
        if settings["fold"] != "yes":
            return settings
        return replace(settings, options={**settings.options, "fold": "short"})

    def for_many(self, settings: Settings) -> Settings:
        """Samples fewer blocks, and tests extrapolations of loops less strictly."""
        if settings.mode == "paper":
            return settings
        return replace(settings, options={**settings.options, "precision": "quick"})

    def sensitivities(self, workload: Workload, machine: Machine, settings: Settings) -> tuple[Sensitivity, ...]:
        """Sensitivities to resources in the regions that take most of the time (Section 3.3 of the SAAKE paper)."""
        if settings.mode == "paper":
            return ()
        facet = workload.facet(Warps)
        return attribution.by_region(facet, _prepared(facet, machine, settings))

    def listing(self, workload: Workload, machine: Machine, settings: Settings) -> tuple[CodeLine, ...]:
        """The machine code with the stall reasons of each instruction."""
        if settings.mode == "paper":
            return ()
        facet = workload.facet(Warps)
        return attribution.listing(facet, _prepared(facet, machine, settings).run())

    def hints(self, workload: Workload, machine: Machine, settings: Settings) -> tuple[Advice, ...]:
        """Requests that are larger than they need be, and what limits occupancy."""
        if settings.mode == "paper":
            return ()
        facet = workload.facet(Warps)
        return hints(facet, _prepared(facet, reference.with_reference(machine)[0], settings))

    def executed_code(self, workload: Workload, machine: Machine, settings: Settings) -> str:
        """The machine code and the launch, without lines and names of files."""
        return "\n".join(map(_identity, (*_launches_before(workload.facet(Warps)), workload.facet(Warps))))

    def sweep(self, workload: Workload, machine: Machine, settings: Settings, columns: Columns) -> NDArray[np.float64]:
        """Emulates each point; a point whose blocks do not fit is infinite."""
        return sweep_singly(columns, lambda values: self.time_s(workload, machine.with_values(values), settings))


def _by_saake(workload: Workload, machine: Machine) -> Prediction:
    """The paper's own model."""
    saake = SaakeModel()
    return saake.predict(workload, machine, saake.settings("paper"))


def _launches_before(facet: Warps) -> list[Warps]:
    return [other for other in facet.before if isinstance(other, Warps)]


def _identity(facet: Warps) -> str:
    kernel, launch = facet.kernel, replace(facet.launch, name="", before=())
    code = "\n".join(f"{item.text} {item.guard} {item.encoding}" for item in kernel.instructions)
    return f"{replace(kernel, instructions=(), source_file='', notes=())!r}\n{launch.identity}\n{code}"


def _prepared(facet: Warps, machine: Machine, settings: Settings) -> Prepared:
    whole, _ = reference.with_reference(machine)
    return prepare(
        facet,
        whole,
        warm=settings["start"] == "warm",
        fold=cast("Fold", settings["fold"]),
        precision=cast("Precision", settings["precision"]),
    )


def _interval(
    facet: Warps, machine: Machine, settings: Settings, assumed: tuple[str, ...], run: Run
) -> tuple[float, float]:
    """The times with all assumed parameters at their fast, and at their slow limits, widened by what is uncertain of
    the launch and the model; a launch takes as long as its start, however little it does."""
    others = reference.extremes(machine, assumed) if assumed or reference.scaled_numbers(machine) else ()
    runs = [run, *(_prepared(facet, other, settings).run() for other in others)]
    times = [each.seconds for each in runs]
    starts = [each.prepared.between / each.prepared.there.machine.value("clock.frequency") for each in runs]
    wider = uncertainty.factor(uncertainty.uncertainties(run))
    start = min(starts) / math.exp(uncertainty.SIZES["model"])
    return max(start, min(times) / wider), max(times) * wider


# ------------------------------------------------------------------------------------------ answers


def _parts(run: Run, seconds: float, time: float) -> tuple[Part, ...]:
    """The parts of the time: issue and stalls of sub-cores in the emulated blocks, scaled to all of them."""
    timing = run.timing
    cycles = {"issue": timing.issued / 4}
    for (name, what), idle in timing.idle.items():
        cycles[f"{name} {what}"] = idle
    cycles["last instructions under way"] = timing.tail
    scale = run.cycles / math.fsum(cycles.values()) * seconds
    parts = [Part("launch", run.prepared.between * seconds)]
    parts += [
        Part(name, value * scale) for name, value in sorted(cycles.items(), key=lambda item: -item[1]) if value > 0
    ]
    return tuple(parts)


def _bounds(run: Run, machine: Machine, time: float) -> tuple[Bound, ...]:
    """The minimum time by each resource alone."""
    timing = run.timing
    scale = run.cycles / timing.emulated / machine.value("clock.frequency")
    bounds = [Bound("issue slots", timing.issued / 4 * scale, "issue", "throughput")]
    for name, busy in timing.busy.items():
        of = busy / 4 if name in UNITS else busy
        if of > 0:
            bounds.append(Bound(f"{name} throughput", of * scale, name, "throughput"))
    waits = {name: idle for (name, what), idle in timing.idle.items() if what == "latency"}
    if waits:
        leading = max(waits, key=lambda name: waits[name])
        bounds.append(Bound("waiting for results", waits[leading] * scale, leading, "latency"))
    return tuple(Bound(b.name, min(b.time_s, time), b.resource, b.limit) for b in bounds)


def _foreign(facet: Warps, machine: Machine) -> tuple[str, ...]:
    """Notes on code for another architecture: it represents what a compiler would emit for this one."""
    theirs, own = f"sm_{facet.kernel.arch}", machine.traits.get("target.cpu", "")
    if own in ("", theirs):
        return ()
    return (f"the code is of {theirs}; on {machine.name} ({own}) the same instructions are assumed",)


def _assumptions(facet: Warps, run: Run) -> tuple[str, ...]:
    execution, work = run.prepared.execution, run.prepared.work
    unequal = [] if work.alike else [f"blocks do unequal work; {len(execution.blocks)} sampled blocks represent all"]
    if work.error > _BADLY_SAMPLED:
        unequal.append(f"blocks differ irregularly: the work of all is known within {work.error:.0%} (standard error)")
    told = [
        f"as given, the hit rate of loads in {level} is {rate:.4g}"
        for level, rate in (("L1", facet.launch.l1_hit), ("L2", facet.launch.l2_hit))
        if rate is not None
    ]
    numbers = (ordinary_numbers.NOTE,) if run.prepared.filled else ()
    if any(map(matches_lanes, run.prepared.text)):
        numbers = (*numbers, MATCHED_NOTE)
    return (*run.prepared.there.assumptions, *execution.assumptions, *numbers, *unequal, *told, *_started(facet))


def _started(facet: Warps) -> tuple[str, ...]:
    """What the launch says of its start, and how arrays of launches are told apart."""
    start, named = facet.launch.start, any(pointer.name for pointer in facet.launch.pointers)
    if not start.startswith("after"):
        return (f"as given, L2 is {start} at the start",) if start else ()
    names = ", ".join(other.launch.name or other.kernel.name for other in _launches_before(facet))
    how = "of the same name" if named else "at the same position with the same size"
    return (f"L2 holds what the launches before left ({names}); arrays {how} are the same",)


def _copied_in_bulk(facet: Warps, run: Run) -> float:
    """Sectors of bulk copies: Nsight Compute does not count them among those of loads."""
    requests, items = run.prepared.traffic.requests, facet.kernel.instructions
    copies = (item for place, item in requests.items() if items[place].opcode in opcodes.BULK_COPIES)
    block = math.fsum(item.block_sectors for item in copies)
    return block * run.prepared.work.blocks_like_middle


def _rates(run: Run, machine: Machine, time: float) -> tuple[Rate, ...]:
    """Occupancy, issue, hit rates and bytes per second. Of the machine's bandwidths, those of a read or copy."""
    served, occupancy = run.prepared.levels, run.prepared.occupancy
    moved = served.from_memory + served.to_memory
    path = "memory.copy_bandwidth" if served.to_memory else "memory.read_bandwidth"
    memory = machine.value(path) if path in machine else machine.value("memory.bandwidth")
    rates = [
        Rate(f"occupancy (limited by {occupancy.limiter})", occupancy.warps / machine.value("occupancy.warps"), "%"),
        Rate("warp instructions per cycle", run.timing.issued / run.timing.emulated, "", _issued(run)),
    ]
    if served.requested:
        rates.append(Rate("L1 hit rate", 1 - served.to_l2 / served.requested, "%"))
    if served.to_l2 and served.l2_hit is not None:
        rates.append(Rate("L2 hit rate", served.l2_hit, "%"))
    for name, size in (("requested from L1", served.requested), ("from L2", served.to_l2 + served.local.to_l2)):
        if size and time:
            rates.append(Rate(name, size / time, "B/s"))
    if moved and time:
        rates.append(Rate("memory", moved / time, "B/s", moved / time / memory))
    return tuple(rates)


def _issued(run: Run) -> float:
    """Fraction of the issue slots of a multiprocessor that are used: four schedulers issue one instruction each."""
    return run.timing.issued / run.timing.emulated / 4


def _details(facet: Warps, run: Run, *, interval: bool, uncertain: bool) -> dict[str, Detail]:
    timing, served = run.timing, run.prepared.levels
    work = run.prepared.work
    resources: dict[str, Detail] = {
        name: busy / (4 if name in UNITS else 1) / timing.emulated for name, busy in timing.busy.items() if busy > 0
    }
    return {
        "cycles": run.cycles,
        "warp_instructions": work.instructions,
        "instructions_per_cycle": timing.issued / timing.emulated,
        "resident_blocks": run.prepared.occupancy.blocks,
        "resident_warps": run.prepared.occupancy.warps,
        "occupancy_limiter": run.prepared.occupancy.limiter,
        "waves": run.prepared.mine / min(run.prepared.mine, run.prepared.occupancy.blocks),
        "utilization": resources,
        "requested_B": served.requested,
        "L2_B": served.to_l2 + served.local.to_l2,
        "L1_hit_rate": max(0.0, 1 - served.to_l2 / served.requested) if served.requested else None,
        "L2_hit_rate": served.l2_hit,
        "memory_read_B": served.from_memory,
        "memory_written_B": served.to_memory,
        "footprint_B": served.touched,
        "loops_folded": timing.folded,
        "uncertainty": {**uncertainty.uncertainties(run)} if uncertain else None,
        "steered_by_data": steered_by_data(facet) if interval else None,
        "counters": {
            "instructions": work.instructions,
            "global_sectors": served.requested / SECTOR - _copied_in_bulk(facet, run),
            "l2_sectors": (served.to_l2 + served.local.to_l2) / SECTOR,
            "dram_bytes": served.from_memory + served.to_memory,
        },
    }
