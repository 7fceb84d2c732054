"""The CPU model as a `Model`: combines each nest's in-core time with the transfer time of every memory level.

The time is between perfect overlap (the longer of core and transfers) and none (their sum), at the overlap that the
probe measured for each level. The interval takes the lower and upper uncertainty of each part, and extends from perfect
overlap to none where overlap was not probed.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar, NoReturn

import numpy as np

from foretell.codegen.compiled.installed import NONE
from foretell.codegen.compilers.flags import COMPILERS, DEFAULT_FLAGS
from foretell.core.columns.box import spread
from foretell.core.columns.tape import columns as written_down
from foretell.core.columns.tape import real
from foretell.core.machine import capacity
from foretell.core.machine.parameters import VECTOR_CLOCKS, known
from foretell.core.nest.loopnest import Loops
from foretell.errors import InputError, MachineError, UnsupportedError
from foretell.models.base import Inputs, Model, Option, Settings, swept
from foretell.models.cpu.alternatives import are_alternatives
from foretell.models.cpu.compiled_code import CompiledCode
from foretell.models.cpu.core_time import ARITHMETIC
from foretell.models.cpu.incore import FOLLOWED, ooo_core
from foretell.models.cpu.missing_values import (
    MissingValuesError,
    are_computed,
    estimate_notes,
    estimated,
    widened,
    with_estimates,
)
from foretell.models.cpu.nest_time import nest_time
from foretell.models.cpu.notes import Note
from foretell.models.cpu.parallel import marked
from foretell.models.cpu.program import LARGEST, RecursiveError, intrinsics, iterates_at, program
from foretell.models.cpu.source_lines import source_lines
from foretell.models.cpu.times import Times
from foretell.models.cpu.transfers import bandwidths, page_faults, short_rows, tlb
from foretell.models.cpu.transfers.other_nests import Other

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from foretell.core.answers.breakdown import LoopCode, SourceLine
    from foretell.core.answers.prediction import Prediction
    from foretell.core.columns.expression import Value
    from foretell.core.machine.machine import Machine
    from foretell.core.workload import Facet, Workload
    from foretell.models.base import Columns
    from foretell.models.cpu.nest_time import NestTime
    from foretell.models.cpu.program import Run

THREADS = "threads"
#: what a time of zero says
_NOTHING = "0 s: no part of this code takes time here: it has no flops, and no loads or stores of which a time is known"


class CpuModel(Model):
    """Predicts time from the traffic of every level, by reuse distance or ExaSAT's plane rule, and the in-core time."""

    name = "cpu"
    version = 2
    title = "Loop nests on a CPU: the code in a core, and what moves through each memory level"
    facets: ClassVar[tuple[type[Facet], ...]] = (Loops,)
    parameters = ("memory.bandwidth", "cores.count")
    kinds = ("cpu", "manycore")
    broadcasts = True
    _last: tuple[tuple[Workload, Machine, Settings], Times] | None = None
    options = (
        Option(
            "rule",
            ("reuse_distance", "plane_rule"),
            "reuse_distance",
            "plane_rule",
            "which data a cache holds: LRU reuse distance, or ExaSAT's planes, EX-9",
        ),
        Option(
            "cycle_reads",
            ("reads", "planes"),
            "reads",
            "planes",
            "reads of a write-allocating sweep within a cycle: its reads, or all its planes, EX-1",
        ),
        Option(
            "caches",
            ("warm", "cold", "flushed"),
            "warm",
            "warm",
            "data at the start: cached from the call before, in memory, or never touched (page faults)",
        ),
        Option(
            "data",
            ("repeated", "one_place", "two_places", "any"),
            "repeated",
            "repeated",
            "data that decide jumps and places: those of the call before, updates at different places; one_place: "
            "updates all at the same, and no loop ends before its count; two_places: at two, by chance; any: the mean "
            "of the best and the worst",
        ),
        Option("alias", (), "", "", "arrays that overlap, as in a,b: versions of loops for such arrays run"),
        Option(
            "stores",
            ("machine", "allocate", "streaming"),
            "machine",
            "allocate",
            "whether a store miss fetches the line (write-allocate), EX-13",
        ),
        Option("core", ("code", "peak"), "code", "peak", "the code that a compiler emits, or its flops at peak"),
        Option("compiler", COMPILERS, "gcc", "gcc", "compiler to imitate"),
        Option(
            "sizes",
            ("each", "interpolated"),
            "each",
            "each",
            "up to twelve sizes: core time simulated at each, or interpolated between simulated sizes",
            renamed=(("ladder", "interpolated"),),
        ),
        Option(
            "simulate",
            ("needed", "each", "single", "none"),
            "needed",
            "needed",
            "when to fall back to cache simulation: conflict misses, non-affine subscripts, uncertain closed form; "
            "needed: the last not for many sizes",
        ),
        Option("flags", (), DEFAULT_FLAGS, DEFAULT_FLAGS, "of the compiler"),
        Option(
            "cc",
            (),
            "",
            NONE,
            "compiler of C files, whose code is followed; none: code is generated; empty: the one found here",
        ),
        Option("asm", (), "", "", "a file with the compiler's own assembly, instead of generated code"),
        Option("loop", (), "", "", "label of the innermost loop in that file, where its choice is wrong"),
        Option(
            "parallel",
            ("marked", "outermost"),
            "marked",
            "outermost",
            "loops that threads share: those that a directive marks, or also the outermost of each nest where none is",
        ),
        Option("overlap", ("probed", "full", "none"), "probed", "full", "overlap of core time and transfers"),
    )

    def reads(self, machine: Machine) -> tuple[str, ...]:
        """Beside bandwidth and cores: every level's capacity, line, bandwidths, latency and overlap, and the peak."""
        wanted = [
            "clock.frequency",
            *VECTOR_CLOCKS.values(),
            "cores.flops_per_cycle",
            "peak.core",
            "peak.double",
            "sync.global",
            "sync.launch",
            "sync.pair_launch",
            *tlb.PARAMETERS,
            *tlb.FIRST_LEVEL,
            short_rows.PARAMETER,
            page_faults.PARAMETER,
            "sync.launch_llvm",
            "sync.pair_launch_llvm",
        ]
        for prefix in (*(f"level.{level}" for level in machine.levels), "memory"):
            wanted += bandwidths.paths(prefix)
            wanted += [
                f"{prefix}.{name}" for name in ("size", *capacity.SHARES, "together_size", "line", "latency", "overlap")
            ]
        extra = (path for path in dict.fromkeys(wanted) if path in machine and path != "memory.size")
        return tuple(dict.fromkeys((*self.parameters, *extra)))

    def check(self, machine: Machine) -> None:
        """Beside the needed parameters, a cache and a peak rate."""
        self.require(machine)
        if not machine.levels or not {"peak.double", "peak.core", "cores.flops_per_cycle"} & {*machine.quantities}:
            raise MachineError(f"machine {machine.name!r} has no cache or no peak rate, which model {self.name} needs")

    def instead(self, workload: Workload, machine: Machine, settings: Settings) -> Workload | None:
        """A call of the compiled code, where nests lack what it has: sizes, instructions by name, loops that are not
        read; or the workload with estimates of sizes."""
        loops = workload.find(Loops)
        if loops is None:
            return None
        call = partial(_call_of, loops, workload, machine, settings)
        if by_name := intrinsics(loops, workload.name):
            found = call("it calls instructions by name", unchecked=True)
            return found or _refuse_intrinsics(workload.name, by_name[0])
        try:
            program(loops.averaged, workload.parameters)
        except RecursiveError:
            return call("it calls itself")
        except MissingValuesError as error:
            names = error.names.split(", ")
            why = f"sizes of loops that are not given ({error.names}) are those of the compiled code"
            return (call(why) if are_computed(names, loops, workload.name) else None) or with_estimates(
                loops, workload, names
            )
        except UnsupportedError as error:
            return call(error.message)
        except InputError:  # said when it is predicted, point by point where there are many
            return None
        return None

    def predict(self, workload: Workload, machine: Machine, settings: Settings) -> Prediction:
        """Predicts the time of all nests, its bottleneck, and the parts that overlap with it."""
        self.require(machine)
        unknown = estimated(workload.find(Loops), workload.parameters)

        def at(rounds: float | None = None) -> Prediction:
            values = {**workload.parameters, **({} if rounds is None else dict.fromkeys(unknown, rounds))}
            found = self._times(workload, Inputs(machine, {}), settings, values)
            if rounds is None:
                self._last = (workload, machine, settings), found
            return next(self._answers(workload, machine, settings, found, [values]))

        try:
            return widened(at(), at) if unknown else at()
        except MissingValuesError as error:
            loops = workload.find(Loops)
            other = None if loops is None else with_estimates(loops, workload, error.names.split(", "))
            if other is None:
                raise
            return self.predict(other, machine, settings)

    def predict_many(
        self, workload: Workload, machine: Machine, settings: Settings, points: Sequence[Mapping[str, float]]
    ) -> list[Prediction | InputError]:
        """Predicts all points at once with arrays in the closed forms; few points, and invalid ones, one by one."""
        try:
            self.require(machine)
        except MachineError as error:
            return [error] * len(points)
        answers: dict[int, Prediction | InputError] = {}
        lacks = any(estimated(workload.find(Loops), {**workload.parameters, **point}) for point in points[:1])
        for places in _alike(workload, machine, points) if len(points) > FOLLOWED and not lacks else ():
            try:
                together = self._together(workload, machine, settings, [points[position] for position in places])
            except InputError:
                continue  # point by point, to attribute the error
            answers |= zip(places, together, strict=True)
        rest = [position for position in range(len(points)) if position not in answers]
        alone = super().predict_many(workload, machine, settings, [points[position] for position in rest])
        answers |= zip(rest, alone, strict=True)
        return [answers[position] for position in range(len(points))]

    def _together(
        self, workload: Workload, machine: Machine, settings: Settings, points: Sequence[Mapping[str, float]]
    ) -> list[Prediction]:
        inputs, values = swept(workload, machine, _columns(points))
        with np.errstate(all="ignore"):  # closed forms are meaningless where a nest does not run
            found = self._times(workload, inputs, settings, values)
            sizes = [{**workload.parameters, **point} for point in points]
            return list(self._answers(workload, machine, settings, found, sizes))

    def _answers(
        self,
        workload: Workload,
        machine: Machine,
        settings: Settings,
        times: Times,
        sizes: Sequence[Mapping[str, float]],
    ) -> Iterator[Prediction]:
        """Yields the prediction at each of the given sizes."""
        certain = settings["overlap"] != "probed"
        always = (*workload.assumptions, *capacity.said(machine))
        loops = next((facet for facet in workload.facets if isinstance(facet, Loops)), None)
        for point, parameters in zip(times.points(len(sizes), certain), sizes, strict=True):
            yield self.answer(
                workload,
                machine,
                settings,
                time_s=point.time_s,
                bounds=point.bounds,
                parts=point.parts,
                assumptions=(
                    *always,
                    *(loops.default_notes(parameters) if loops else ()),
                    *estimate_notes(estimated(loops, parameters)),
                    *point.notes,
                    *([] if point.time_s else [_NOTHING]),
                ),
                interval_s=point.interval_s,
                at_least=point.at_least,
                details={**point.details, "threads": float(parameters.get(THREADS, 1.0))},
                parameters=parameters,
                nests=point.nests,
                rates=point.rates,
            )

    def source_lines(self, workload: Workload, machine: Machine, settings: Settings) -> tuple[SourceLine, ...]:
        """The lines of the loops with their parts of the time."""
        self.require(machine)
        return source_lines(self._times_as_given(workload, machine, settings).nests)

    def loop_code(self, workload: Workload, machine: Machine, settings: Settings) -> tuple[LoopCode, ...]:
        """The code of each innermost loop, the longest nest first."""
        self.require(machine)
        runs = self._times_as_given(workload, machine, settings).nests
        longest = sorted(runs, key=lambda run: -float(run.count * run.seconds))
        codes = {id(run.nest): run.core.code for run in reversed(longest) if run.core.code is not None}
        return tuple(code() for code in reversed(codes.values()))

    def executed_code(self, workload: Workload, machine: Machine, settings: Settings) -> str:
        """The compiled code of the functions, if all of it is; else the nests, of which code is generated."""
        loops = workload.facet(Loops).averaged
        compiled = CompiledCode(loops, machine, settings)
        sizes = {name: int(value) for name, value in workload.parameters.items() if name != THREADS}
        followed = compiled.text(sizes) if settings["core"] == "code" and compiled.usable else ""
        return followed or re.sub(r"\b(line=\d+|file='[^']*')", "", repr((loops.nests, loops.calls)))

    def sweep(self, workload: Workload, machine: Machine, settings: Settings, columns: Columns) -> NDArray[np.float64]:
        """Evaluates the closed forms with arrays; results that depend on few columns are computed once for all
        others."""
        self.require(machine)
        shape = np.broadcast_shapes((1,), *(column.shape for column in columns.values()))
        if _sizes_along_all(columns, shape):
            row = {name: spread(column, shape) for name, column in columns.items()}
            return self.sweep(workload, machine, settings, row).reshape(shape)
        settings = _for_sweep(settings)
        can_run = np.broadcast_to(np.asarray(_possible(workload, machine, written_down(columns))), shape)
        times = np.full(shape, np.inf)
        if not times.size:
            return times
        if can_run.all():
            times[...] = self._seconds(workload, machine, settings, columns)
        elif can_run.any():
            some = {name: np.broadcast_to(column, shape)[can_run] for name, column in columns.items()}
            times[can_run] = self._seconds(workload, machine, settings, some)
        return times

    def for_many(self, settings: Settings) -> Settings:
        """Boxes of a large space hold a few sizes each: all are interpolated from one set of sizes."""
        return Settings(settings.mode, {**settings.options, "sizes": "interpolated"})

    def _seconds(self, workload: Workload, machine: Machine, settings: Settings, columns: Columns) -> Value:
        inputs, values = swept(workload, machine, written_down(columns))
        return self._times(workload, inputs, settings, values).total(lambda nest: nest.seconds)

    def _times_as_given(self, workload: Workload, machine: Machine, settings: Settings) -> Times:
        """Times at the workload's own sizes; those of the last prediction, where it was of the same: lines and loops
        are asked for after the time."""
        given, last = (workload, machine, settings), self._last
        if last is not None and all(old is new for old, new in zip(last[0], given, strict=True)):
            return last[1]
        return self._times(workload, Inputs(machine, {}), settings, workload.parameters)

    def _times(self, workload: Workload, inputs: Inputs, settings: Settings, values: Mapping[str, Value]) -> Times:
        threads = values.get(THREADS, 1.0)
        if np.any(threads < 1) or np.any(threads > inputs.value("cores.count")):
            raise InputError(f"threads must be from 1 to the {inputs.value('cores.count'):g} cores of the machine")
        loops = workload.facet(Loops).averaged
        whole = program(loops, values)
        everywhere = all(marked(nest) is None for nest in loops.nests)
        if everywhere and settings["parallel"] == "marked" and np.any(np.asarray(threads) > 1):
            raise InputError(
                "no directive marks a parallel loop: this code runs on one thread",
                hint="with --option parallel=outermost the outermost loop of every nest is shared, if it can be",
            )
        compiled = CompiledCode(loops, inputs.machine, settings) if settings["core"] == "code" else None
        compiled = compiled if compiled is not None and compiled.usable else None
        runs, idle = _executed(whole.runs, compiled)
        nests = [nest_time(run, inputs, settings, threads, everywhere, compiled) for run in runs]
        text = "no directive marks a parallel loop: the outermost loop of every nest is parallelised if possible"
        if settings["caches"] == "flushed":
            nests = page_faults.with_page_faults(nests, inputs)
        parallel = Note(text, everywhere & (np.asarray(threads) > 1))
        notes = (*whole.notes, *map(Note, start_notes(settings)), *idle, parallel, *_unknown_core(inputs, nests))
        return Times(nests, notes, inputs, threads)


def _call_of(
    loops: Loops, workload: Workload, machine: Machine, settings: Settings, why: str, unchecked: bool = False
) -> Workload | None:
    from foretell.models.cpu.machine_code.instead import call_of  # lazy: its model is one of this kind

    return call_of(loops, workload, machine, settings, why, unchecked)


def _refuse_intrinsics(function: str, name: str) -> NoReturn:
    hint = "a machine of their instruction set, with a compiler for it here, or --asm FILE with the code"
    raise UnsupportedError(
        f"{function} calls instructions by name ({name}): only compiled code has their time", hint=hint
    )


def _others(run: Run, executed: Sequence[Run]) -> tuple[Other, ...]:
    """The nests of the same call that run behind a nest, whenever it runs, before it runs again."""
    own = [one for one in executed if one.values is run.values and one.nest.function == run.nest.function]
    place = next(at for at, one in enumerate(own) if one is run)
    around = (one for one in (*own[place + 1 :], *own[:place]) if not are_alternatives(run.nest, one.nest))
    others = (Other(one.nest, np.greater_equal(one.count, run.count)) for one in around)
    return tuple(other for other in others if np.any(other.runs))


def _executed(runs: Sequence[Run], compiled: CompiledCode | None) -> tuple[list[Run], list[Note]]:
    """The nests whose compiled code is executed, and notes on the others; all, if none is."""
    executed = [run for run in runs if compiled is None or compiled.runs(run.nest, run.values)] or list(runs)
    kept = {id(run) for run in executed}
    idle = [run.nest for run in runs if id(run) not in kept]
    executed = [replace(run, others=_others(run, executed)) for run in executed]
    return executed, [Note(f"{nest.function}, line {nest.line} does not run: its condition is false") for nest in idle]


def _unknown_core(inputs: Inputs, nests: Sequence[NestTime]) -> tuple[Note, ...]:
    """Names the numbers of the core that were not measured, where code is followed."""
    missing = ooo_core.assumed(inputs.machine)
    if not missing or all(nest.core.name == ARITHMETIC for nest in nests):
        return ()
    return (Note(f"usual numbers of a core: {', '.join(missing)}"),)


def start_notes(settings: Settings) -> list[str]:
    """What is said about the data before the call, and about arrays that overlap."""
    at_start = {"cold": "data is in memory before the call", "flushed": "no data was touched before the call"}
    said = [at_start[settings["caches"]]] if settings["caches"] in at_start and settings.mode == "default" else []
    return [*said, *([f"{settings['alias']} overlap"] if settings["alias"] else [])]


def _sizes_along_all(columns: Mapping[str, NDArray[np.float64]], shape: tuple[int, ...]) -> bool:
    """Whether sizes vary along each of several axes: almost every result then depends on all axes, and flattened points
    are faster to compute."""
    long = {side for side, length in enumerate(shape, start=-len(shape)) if length > 1}
    sizes = [column for name, column in columns.items() if not known(name)]
    moved = {side for one in sizes for side in long if one.ndim >= -side and one.shape[side] > 1}
    return len(long) > 1 and moved == long


def _for_sweep(settings: Settings) -> Settings:
    """Disables simulation for sweeps over many sizes, which may have a million points."""
    single = {"simulate": "single"} if settings["simulate"] == "needed" else {}
    return Settings(settings.mode, {**settings.options, **single})


def _alike(workload: Workload, machine: Machine, points: Sequence[Mapping[str, float]]) -> Iterator[list[int]]:
    """Groups the valid points that can be predicted together. Code for one thread differs from parallel code."""
    if any(list(point) != list(points[0]) for point in points):
        return
    columns = _columns(points)
    possible = np.broadcast_to(_possible(workload, machine, columns), (len(points),))
    several = np.broadcast_to(swept(workload, machine, columns)[1].get(THREADS, 1.0) > 1, possible.shape)
    for group in (possible & several, possible & ~several):
        if group.any():
            yield np.flatnonzero(group).tolist()


def _columns(points: Sequence[Mapping[str, float]]) -> dict[str, NDArray[np.float64]]:
    return {name: np.array([point[name] for point in points], dtype=np.float64) for name in points[0]}


@np.errstate(divide="ignore", invalid="ignore")  # among others, steps of zero
def _possible(workload: Workload, machine: Machine, columns: Mapping[str, NDArray[np.float64]]) -> NDArray[np.bool_]:
    """Whether there are cores for all threads, and sizes at which some loop of the program iterates."""
    inputs, values = swept(workload, machine, columns)
    loops = workload.facet(Loops).averaged
    threads = np.asarray(values.get(THREADS, 1.0))
    possible: NDArray[np.bool_] = (threads >= 1) & (threads <= inputs.value("cores.count"))
    sizes = {name: np.clip(value, -LARGEST, LARGEST) for name, value in values.items()}
    for name, value in values.items():
        possible = possible & (sizes[name] == value)
    iterates = np.zeros((), dtype=np.bool_)
    for nest in loops.nests:
        if {*nest.parameters} <= set(sizes) and nest.status != "refused" and nest.loops:
            possible = possible & np.isfinite(real(nest.trips.evaluate(sizes)))  # it ends
            iterates = iterates | np.greater(iterates_at(nest, sizes), 0)
        else:
            iterates = np.ones((), dtype=np.bool_)
    return possible & iterates
