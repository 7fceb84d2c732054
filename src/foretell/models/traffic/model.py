"""The CPU model as a `Model`: for every nest the code in a core and the transfers of each level, put together.

The time lies between perfect overlap, the longer of core and transfers, and none, their sum, where the probe's overlap
of each level puts it. The interval has each part as short and as long as its uncertainty allows, and goes from perfect
overlap to none where nobody has probed it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from foretell import units
from foretell.codegen.options import COMPILERS, DEFAULT_FLAGS
from foretell.core.loopnest import Loops
from foretell.core.parameters import known
from foretell.core.prediction import Bound, Detail, Part, Prediction
from foretell.errors import InputError
from foretell.models.base import Inputs, Model, Option, Settings
from foretell.models.traffic import bandwidths, pages
from foretell.models.traffic.nest_time import NestTime, nest_time
from foretell.models.traffic.parallel import marked
from foretell.models.traffic.program import LARGEST, iterates_at, program

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from foretell.core.expression import Value
    from foretell.core.machine import Machine
    from foretell.core.workload import Facet, Workload

THREADS = "threads"
#: of what is moved, that has no bandwidth of its own
_NAMES = {"pages": "page walks", "stores": "stores down columns"}


class TrafficModel(Model):
    """Bytes through every level by reuse distance, or by ExaSAT's plane rule, beside the work of the cores."""

    name = "traffic"
    version = 2
    title = "Loop nests on a CPU: the code in a core, and what moves through each memory level"
    facets: ClassVar[tuple[type[Facet], ...]] = (Loops,)
    parameters = ("memory.bandwidth", "cores.count")
    kinds = ("cpu", "manycore")
    broadcasts = True
    options = (
        Option(
            "rule",
            ("reuse_distance", "plane_rule"),
            "reuse_distance",
            "plane_rule",
            "what a cache keeps, EX-9",
        ),
        Option(
            "cycle_reads",
            ("reads", "planes"),
            "reads",
            "planes",
            "of a sweep that fetches what it writes, among others: its reads, or all its planes, EX-1",
        ),
        Option("caches", ("warm", "cold"), "warm", "warm", "whether what fits is there when the nest starts"),
        Option(
            "stores",
            ("machine", "allocate", "streaming"),
            "machine",
            "allocate",
            "lines fetched before a write, EX-13",
        ),
        Option(
            "core", ("code", "peak"), "code", "peak", "the code that a compiler emits, or its flops at peak"
        ),
        Option("compiler", COMPILERS, "gcc", "gcc", "whose habits the code is made with"),
        Option(
            "sizes",
            ("each", "ladder"),
            "each",
            "each",
            "code at up to twelve sizes followed at each, or at a ladder of them",
        ),
        Option("flags", (), DEFAULT_FLAGS, DEFAULT_FLAGS, "of the compiler"),
        Option("asm", (), "", "", "a file with the compiler's own assembly, instead of generated code"),
        Option("loop", (), "", "", "label of the innermost loop in that file, where its choice is wrong"),
        Option(
            "overlap", ("probed", "full", "none"), "probed", "full", "core and transfers at the same time"
        ),
    )

    def reads(self, machine: Machine) -> tuple[str, ...]:
        """Beside bandwidth and cores: every level's capacity, line, bandwidths, latency and overlap, and the peak."""
        wanted = [
            "clock.frequency",
            "cores.flops_per_cycle",
            "peak.core",
            "peak.double",
            "sync.global",
            "sync.launch",
            "sync.pair_launch",
            *pages.PARAMETERS,
            "sync.launch_llvm",
            "sync.pair_launch_llvm",
        ]
        for prefix in (*(f"level.{level}" for level in machine.levels), "memory"):
            wanted += bandwidths.paths(prefix)
            wanted += [f"{prefix}.{name}" for name in ("size", "line", "latency", "overlap")]
        extra = (path for path in dict.fromkeys(wanted) if path in machine and path != "memory.size")
        return tuple(dict.fromkeys((*self.parameters, *extra)))

    def predict(self, workload: Workload, machine: Machine, settings: Settings) -> Prediction:
        """The times of all nests; what bounds them, and what they share the time with."""
        self.require(machine)
        found = self._times(workload, Inputs(machine, {}), settings, workload.parameters)
        time = float(found.total(lambda nest: nest.seconds))
        bounds = found.bounds()
        parts = [Part(bound.name, bound.time_s) for bound in bounds]
        parts.append(Part("overlap", time - sum(part.time_s for part in parts)))
        certain = settings["overlap"] != "probed"
        low, high = (
            float(found.total(lambda nest, end=end: nest.interval(certain)[end]))  # type: ignore[misc]
            for end in (0, 1)
        )
        return self.answer(
            workload,
            machine,
            settings,
            time_s=time,
            bounds=bounds,
            parts=tuple(parts),
            assumptions=(*workload.assumptions, *found.notes()),
            interval_s=(low, high),
            at_least=any(nest.core.at_least for nest in found.nests),
            details=found.details(),
        )

    def sweep(
        self,
        workload: Workload,
        machine: Machine,
        settings: Settings,
        columns: Mapping[str, NDArray[np.float64]],
    ) -> NDArray[np.float64]:
        """The closed forms with arrays in them; what depends on few columns is computed once for all others."""
        self.require(machine)
        shape = np.broadcast_shapes((1,), *(column.shape for column in columns.values()))
        with np.errstate(divide="ignore", invalid="ignore"):  # steps of zero, among others
            can_run = _possible(*_inputs(workload, machine, columns), workload.facet(Loops).averaged)
        can_run = np.broadcast_to(can_run, shape)
        times = np.full(shape, np.inf)
        if can_run.all():
            times[...] = self._seconds(workload, machine, settings, columns)
        elif can_run.any():
            some = {name: np.broadcast_to(column, shape)[can_run] for name, column in columns.items()}
            times[can_run] = self._seconds(workload, machine, settings, some)
        return times

    def for_many(self, settings: Settings) -> Settings:
        """Boxes of a large space hold a few sizes each: all of them are put together from one ladder."""
        return Settings(settings.mode, {**settings.options, "sizes": "ladder"})

    def _seconds(
        self,
        workload: Workload,
        machine: Machine,
        settings: Settings,
        columns: Mapping[str, NDArray[np.float64]],
    ) -> Value:
        inputs, values = _inputs(workload, machine, columns)
        return self._times(workload, inputs, settings, values).total(lambda nest: nest.seconds)

    def _times(
        self, workload: Workload, inputs: Inputs, settings: Settings, values: Mapping[str, Value]
    ) -> _Times:
        threads = values.get(THREADS, 1.0)
        if np.any(threads < 1) or np.any(threads > inputs.value("cores.count")):
            raise InputError(
                f"threads must be from 1 to the {inputs.value('cores.count'):g} cores of the machine"
            )
        whole = program(workload.facet(Loops).averaged, values)
        everywhere = all(marked(run.nest) is None for run in whole.runs)
        nests = [nest_time(run, inputs, settings, threads, everywhere) for run in whole.runs]
        notes = whole.notes
        if everywhere and np.any(np.asarray(threads) > 1):
            notes = (
                *notes,
                "no directive says what threads share: the outermost loop of every nest, if it can be",
            )
        return _Times(nests, notes, inputs)


def _inputs(
    workload: Workload, machine: Machine, columns: Mapping[str, NDArray[np.float64]]
) -> tuple[Inputs, Mapping[str, Value]]:
    """The columns of a sweep as numbers of the machine and as sizes."""
    sizes = {name: column for name, column in columns.items() if not known(name)}
    inputs = Inputs(machine, {name: column for name, column in columns.items() if known(name)})
    return inputs, {**workload.parameters, **sizes}


def _possible(inputs: Inputs, values: Mapping[str, Value], loops: Loops) -> NDArray[np.bool_]:
    """Where there are cores for all threads, and sizes at which some loop of the program runs."""
    threads = np.asarray(values.get(THREADS, 1.0))
    found: NDArray[np.bool_] = (threads >= 1) & (threads <= inputs.value("cores.count"))
    sizes = {name: np.clip(value, -LARGEST, LARGEST) for name, value in values.items()}
    for name, value in values.items():
        found = found & (sizes[name] == value)
    iterates = np.zeros((), dtype=np.bool_)
    for nest in loops.nests:
        if {*nest.parameters} <= set(sizes) and nest.status != "refused" and nest.loops:
            found = found & np.isfinite(np.asarray(nest.trips.evaluate(sizes), dtype=np.float64))  # it ends
            iterates = iterates | (np.asarray(iterates_at(nest, sizes)) > 0)
        else:
            iterates = np.ones((), dtype=np.bool_)
    return found & iterates


@dataclass(frozen=True, slots=True)
class _Times:
    """All nests of a program."""

    nests: Sequence[NestTime]
    program_notes: tuple[str, ...]
    inputs: Inputs

    def total(self, what: Callable[[NestTime], Value]) -> Value:
        """The sum over the nests of one of their times, each as often as it runs."""
        return _sum(nest.count * what(nest) for nest in self.nests)

    def bounds(self) -> tuple[Bound, ...]:
        """What the core alone, and each level alone, would take; and the meetings of the threads."""
        core = max(self.nests, key=lambda nest: float(np.sum(nest.count * nest.core_seconds))).core
        waiting = self.total(lambda nest: nest.core_seconds * float(nest.core.latency_bound))
        mostly = waiting > 0.5 * self.total(lambda nest: nest.core_seconds)
        found = [
            Bound(
                core.name,
                float(self.total(lambda nest: nest.core_seconds)),
                core.resource,
                "latency" if mostly else "throughput",
            )
        ]
        for level in dict.fromkeys(name for nest in self.nests for name in nest.transfers):
            time = self.total(lambda nest, level=level: nest.transfers.get(level, 0.0))  # type: ignore[misc]
            name = _NAMES.get(level, f"{level} bandwidth")
            found.append(Bound(name, float(time), level, "throughput"))
        meetings = float(self.total(lambda nest: nest.meetings))
        if meetings:
            found.append(Bound("threads meeting", meetings, "synchronisation", "latency"))
        return tuple(found)

    def notes(self) -> tuple[str, ...]:
        notes = list(self.program_notes)
        machine = self.inputs.machine
        unknown = [level for level in machine.levels[1:] if not bandwidths.known(machine, f"level.{level}")]
        if unknown:
            notes.append(
                f"no bandwidth known of {', '.join(unknown)}: transfers from there are taken as free"
            )
        for nest in self.nests:
            notes += nest.notes
        return tuple(dict.fromkeys(notes))

    def details(self) -> dict[str, Detail]:
        names = dict.fromkeys(name for nest in self.nests for name in nest.volumes.bytes)
        moved = {
            name: float(self.total(lambda nest, name=name: nest.volumes.bytes.get(name, 0.0)))  # type: ignore[misc]
            for name in names
        }
        flops, memory = float(self.total(lambda nest: nest.flops)), moved.get("memory", 0.0)
        return {
            "flops": flops,
            "bytes_from_B": dict(moved),
            "flop_per_byte": flops / memory if memory else None,
            "nests": [
                f"{nest.nest.function}:{nest.nest.line} {units.show(len(nest.nest.loops), '')} loops"
                for nest in self.nests
            ],
        }


def _sum(items: Iterable[Value]) -> Value:
    total: Value = 0.0
    for item in items:
        total = total + item
    return total
