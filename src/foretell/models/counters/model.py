"""The counter model as a `Model`."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from foretell.core.answers.prediction import Bound, Part, Prediction
from foretell.core.facets.counts import Counts
from foretell.core.machine.parameters import known
from foretell.errors import InputError
from foretell.models.base import Inputs, Model, Option, Settings
from foretell.models.counters import breakdown, equations, notes
from foretell.models.counters import inputs as run

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from foretell.core.columns.expression import Value
    from foretell.core.machine.machine import Machine
    from foretell.core.workload import Facet, Workload
    from foretell.models.counters.breakdown import BlockResult


class CountersModel(Model):
    """Scales instruction time, memory time and their overlap from a measured run to another machine."""

    name = "counters"
    version = 1
    title = "Raexplore: hardware counters of one machine, projected to another"
    facets: ClassVar[tuple[type[Facet], ...]] = (Counts,)
    broadcasts = True
    #: of every machine; `reads` adds its pipelines and cache levels
    parameters = ("clock.frequency", "cores.count", "memory.bandwidth", "memory.latency")
    options = (
        Option("core_ratio", ("scaled", "omitted"), "scaled", "omitted", "cores in instC at equal TPC, R-1"),
        Option(
            "core_threads",
            ("queued", "added"),
            "queued",
            "added",
            "threads of a core queue for its pipelines, or each adds one instruction to the parallelism",
        ),
        Option(
            "bandwidth",
            ("queued", "added"),
            "queued",
            "added",
            "threads queue for memory bandwidth, or bandwidth time is added to instruction time",
        ),
        Option("one_thread", ("fewer_threads", "literal"), "fewer_threads", "literal", "ILP at TPC = 1, R-2"),
        Option("parallelism", ("floor", "literal"), "floor", "literal", "ILP and MLP at least 1, R-2 and R-3"),
        Option("ipc", ("capped", "literal"), "capped", "literal", "both bounds of IPC at most 1, R-4"),
        Option("miss_rates", ("global", "local"), "global", "global", "per access, or per level access, R-6"),
        Option(
            "caches",
            ("curve", "square_root"),
            "curve",
            "square_root",
            "misses of a cache of another size: the measured miss curve, or the square-root law",
        ),
        Option("traffic_line", ("baseline", "target"), "baseline", "baseline", "line size of traffic, R-7"),
        Option("traffic", ("scaled", "unscaled"), "scaled", "unscaled", "traffic when the LLC changes, R-8"),
        Option("overlap", ("clamped", "literal"), "clamped", "literal", "at most the smaller time, R-9"),
        Option(
            "baseline",
            ("calibrated", "literal"),
            "calibrated",
            "literal",
            "scale a profile that is faster than its machine allows, R-9b",
        ),
        Option(
            "clock",
            ("all_cores", "constant"),
            "all_cores",
            "constant",
            "whether the clock falls towards clock.all_cores as more cores are active",
            renamed=(("crowded", "all_cores"),),
        ),
        Option("memory_latency", ("seconds", "cycles"), "seconds", "cycles", "kept when the clock changes, R-11"),
    )

    def reads(self, machine: Machine) -> tuple[str, ...]:
        """The fixed parameters and those of the machine's cache levels."""
        return run.reads(machine)

    def check(self, machine: Machine) -> None:
        """Names what the equations lack; GPUs are not described."""
        if machine.kind == "gpu":
            raise InputError(f"model {self.name} describes CPUs; machine {machine.name!r} is a GPU")
        self._require(machine, "none")

    def predict(self, workload: Workload, machine: Machine, settings: Settings) -> Prediction:
        """timeCodeBlock = timeInst + timeMem − timeOverlap, summed over the blocks."""
        counts, baseline, role = self._case(workload, machine)
        launch = run.launch(counts, baseline, workload.parameters, Inputs(machine, {}))
        cores, threads = run.check_launch(launch, machine)
        rules = equations.rules(settings, role, run.out_of_order(baseline, machine))
        base = run.base(counts, baseline, settings)
        target = run.target(Inputs(machine, {}), launch, settings)
        results = [
            breakdown.evaluate(
                block.name,
                run.events(block, baseline, role, base["frequency"]),
                base,
                target,
                rules,
                run.curve(block, baseline, settings),
            )
            for block in counts.blocks
        ]
        seconds = 1 / float(target["frequency"])
        starting = run.starts(counts, baseline) * float(run.start_seconds(Inputs(machine, {}), launch))
        _check(results, settings)
        application = breakdown.Application(
            results, seconds, cores, threads, base, workload.parameters, run.levels(machine), target
        )
        return self.answer(
            workload,
            machine,
            settings,
            time_s=application.time_s + starting,
            bounds=_bounds(results, seconds),
            parts=(
                Part("instructions", application.total("timeInst")),
                Part("memory", application.total("timeMem")),
                Part("overlap", -application.total("timeOverlap")),
                *((Part("starting threads", starting),) if starting else ()),
            ),
            assumptions=(*workload.assumptions, *notes.notes(counts, baseline, machine, application, role)),
            interval_s=(application.interval_s[0] + starting, application.interval_s[1] + starting),
            details=breakdown.details(application, counts, baseline),
        )

    def sweep(
        self, workload: Workload, machine: Machine, settings: Settings, columns: Mapping[str, Value]
    ) -> NDArray[np.float64]:
        """Evaluates all design points of a box in one compiled loop."""
        made = _prepared(_Given(self, workload, machine, settings))
        inputs = Inputs(machine, {path: column for path, column in columns.items() if known(path)})
        parameters = {**workload.parameters, **{n: c for n, c in columns.items() if not known(n)}}
        launch = run.launch(made.counts, made.baseline, parameters, inputs)
        target = run.target(inputs, launch, settings)
        shape = np.broadcast_shapes((1,), *(np.shape(column) for column in columns.values()))
        times = equations.times(made.events, made.curves, made.base, target, made.rules, shape)
        return times + made.starts * run.start_seconds(inputs, launch) if made.starts else times

    def _case(self, workload: Workload, machine: Machine) -> tuple[Counts, Machine, str]:
        """The profile, the machine it was measured on, and the role of a level between L1 and LLC."""
        counts = workload.facet(Counts)
        if counts.machine is None:
            raise InputError(
                f"{workload.name}: the profile does not say on which machine it was measured",
                hint="foretell import FILE --measured-on MACHINE --cores N -o PROFILE.json says so; of this computer:\n"
                "  foretell machines probe --here, then foretell profile --measured-on here",
            )
        if not counts.blocks:
            raise InputError(f"{workload.name}: the profile has no code block")
        for item in (counts.machine, machine):
            if item.kind == "gpu":
                raise InputError(f"model {self.name} describes CPUs; machine {item.name!r} is a GPU")
        role = run.middle_role(counts, counts.machine, machine)
        self._require(counts.machine, role, f"level.{run.levels(counts.machine).last}.line")
        self._require(machine, role)
        return counts, counts.machine, role

    def _require(self, machine: Machine, role: str, *more: str) -> None:
        wanted = (*run.needed(machine, role != "none"), *more)
        lacking = [path for path in wanted if path not in machine]
        if lacking:
            reasons = sorted({machine.missing[path] for path in lacking if path in machine.missing})
            raise InputError(
                f"model {self.name} needs numbers that machine {machine.name!r} does not have: "
                + ", ".join(dict.fromkeys(lacking)),
                hint="; ".join(
                    [*reasons, "foretell machines probe measures them on that machine: -o FILE, then --on FILE"]
                ),
            )


@dataclass(frozen=True, slots=True)
class _Prepared:
    """The inputs of a sweep from the profile and the options: the same for all its boxes."""

    counts: Counts
    baseline: Machine
    base: dict[str, float]
    events: list[dict[str, float]]
    curves: list[equations.Curve]
    rules: equations.Rules
    starts: float


@dataclass(frozen=True, slots=True, eq=False)
class _Given:
    """The frozen objects of a case as a key, compared by identity."""

    model: CountersModel
    workload: Workload
    machine: Machine
    settings: Settings

    def __hash__(self) -> int:
        return hash((id(self.workload), id(self.machine), id(self.settings)))

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, _Given)
            and self.workload is other.workload
            and self.machine is other.machine
            and self.settings is other.settings
        )


@lru_cache(maxsize=16)
def _prepared(given: _Given) -> _Prepared:
    counts, baseline, role = given.model._case(given.workload, given.machine)
    base = run.base(counts, baseline, given.settings)
    return _Prepared(
        counts,
        baseline,
        base,
        [run.events(block, baseline, role, base["frequency"]) for block in counts.blocks],
        [run.curve(block, baseline, given.settings) for block in counts.blocks],
        equations.rules(given.settings, role, run.out_of_order(baseline, given.machine)),
        run.starts(counts, baseline),
    )


def _check(results: list[BlockResult], settings: Settings) -> None:
    """Rejects results that only the literal equations can give: no time at all, or one below a bound."""
    for result in results:
        terms = result.terms
        if not (math.isfinite(terms["time"]) and terms["time"] >= 0):
            raise InputError(f"block {result.name!r}: the literal equations give no time here")
        floor = max(terms["timeInst"], terms["timeMem"]) * (1 - 1e-9)
        if settings.mode == "default" and terms["time"] < floor:
            raise InputError(
                f"block {result.name!r}: with overlap={settings['overlap']} the time falls below the memory or the "
                "instruction time (R-9)",
                hint="use --mode paper for the literal equations",
            )


def _bounds(results: list[BlockResult], seconds: float) -> tuple[Bound, ...]:
    """The sums over blocks if a single resource limited each of them."""

    def total(name: str) -> float:
        return math.fsum(result.terms[name] for result in results) * seconds

    stalled = math.fsum(r.terms["timeInst"] - r.terms["instC"] for r in results)
    limit = "latency" if 2 * stalled * seconds > total("timeInst") else "throughput"
    return (
        Bound("instruction execution", total("timeInst"), "core pipelines", limit),  # type: ignore[arg-type]
        Bound("memory latency", total("timeLat"), "memory hierarchy", "latency"),
        Bound("memory bandwidth", total("timeBW"), "memory", "throughput"),
    )
