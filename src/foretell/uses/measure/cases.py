"""Measures every kernel at every size with every compiler, for comparison with predictions."""

from __future__ import annotations

import math
import time
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from foretell import frontends
from foretell.core.answers.answers import Refusal
from foretell.core.nest.loopnest import Loops
from foretell.errors import InputError, ToolError, nearest
from foretell.files import temporary_folder
from foretell.machines.probe.method import neediest
from foretell.uses.measure import harness, suite
from foretell.uses.measure.compile_and_run import RUN_LIMITS, Build, Program, compiled, linked, own_assembly
from foretell.uses.measure.cpu_choice import at_once, on_cpu, on_free_cpus
from foretell.uses.measure.harness import Number
from foretell.uses.measure.style_suite import styles
from foretell.uses.measure.timing import Best, Timing, call_time

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from foretell.core.machine.machine import Machine
    from foretell.core.nest.functions import FunctionInfo
    from foretell.core.workload import Workload
    from foretell.uses.measure.harness import Argument
    from foretell.uses.measure.style_suite import Style
    from foretell.uses.measure.timing import Sample
    from foretell.uses.profiling.limited_run import Limits

THREADS = "threads"
#: levels that every core has for itself: as many cases run at once as there are workers; of others, a fraction, which
#: takes a third of the bandwidth that 16 cores have together (validation/cpu/xeon-16-2026-11-16)
_PRIVATE, _SHARED = ("", "L1", "L2"), 3 / 8
#: programs that are compiled at once for each worker: workers leave half of the cores alone, compilers need not
_COMPILERS = 2
#: seconds after which the results so far are reported within a round
_TELL = 60.0
#: least fraction of the patience that a measurement takes
_SEEN = 0.1


@dataclass(frozen=True, slots=True)
class Request:
    """What to run. Without files: the shipped kernels; without points: sizes that fill each level of the machine.
    `own_code`: a folder for the compilers' assembly, from which cases of one thread are also predicted. `patience`: the
    most seconds for which unconverged cases are sampled again. `suite`: the shipped files, `kernels` or `styles`.
    `workers`: the most cases of one thread that run at once, each on a CPU of its own; `done`: seconds of
    cases that need no further sample, by name. `budget`: the most seconds of everything. `levels` and `sources`: of
    `styles`, the sizes and the files to take, all if empty. `cpus`: one CPU of every core, where the system does not
    say which share a core; this process stays on the first while cases run on the others."""

    machine: Machine
    builds: tuple[Build, ...]
    files: tuple[Path, ...] = ()
    function: str | None = None
    points: tuple[Mapping[str, float], ...] = ()
    threads: tuple[int, ...] = (1, 2)
    seconds: float = 0.1
    rounds: int = 5
    patience: float = 30.0
    limits: Limits = RUN_LIMITS
    own_code: Path | None = None
    suite: Literal["kernels", "styles"] = "kernels"
    workers: int = 1
    done: Mapping[str, float] = field(default_factory=dict)
    budget: float = math.inf
    levels: frozenset[str] = frozenset()
    sources: frozenset[str] = frozenset()
    cpus: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """One measurement: machine, build and the seconds of one call, with the number of chunks. `disturbed`: the chunks
    were not undisturbed, or too few were. `data`: parameters that are arguments and no sizes; a prediction does not
    depend on them. `macros`: sizes that were compiled in; `arguments`: those of the call, as `--arg` gives them."""

    file: str
    function: str
    build: Build
    parameters: Mapping[str, float]
    where: str
    seconds: float
    chunks: int
    assembly: Path | None = None
    disturbed: bool = False
    data: frozenset[str] = frozenset()
    macros: Mapping[str, int] = field(default_factory=dict)
    arguments: tuple[str, ...] = ()

    @property
    def sizes(self) -> dict[str, float]:
        """The parameters that a prediction depends on."""
        return {name: value for name, value in self.parameters.items() if name not in self.data}

    @property
    def name(self) -> str:
        """A name that is unique within a run."""
        sizes = " ".join(f"{name}={value:g}" for name, value in {**self.macros, **self.parameters}.items())
        return f"{self.build.compiler} {self.function} {sizes}{f' ({self.where})' if self.where else ''}"


def measure_cases(
    request: Request,
    progress: Callable[[str], None] = lambda what: None,
    after_round: Callable[[Sequence[Case]], None] = lambda cases: None,
) -> tuple[tuple[Case, ...], tuple[Refusal, ...]]:
    """Takes all measurements; also returns what could not be measured, with the reason.

    Every case is run in several rounds, interleaved with all others: interference in one round has ended in another.
    Unconverged cases are then sampled again, as long as there is patience; all are, if the rounds were so short that
    the machine may never have been undisturbed. `after_round` gets the results so far: an aborted run has lost one
    round.
    """
    end = time.monotonic() + request.budget
    with temporary_folder() as folder:
        jobs, refused = (_style_jobs if request.suite == "styles" else _jobs)(request, Path(folder), progress)
        sampling = _Sampling(request, jobs, progress, after_round, list(_done(request)))
        seen = time.monotonic() + _SEEN * request.patience
        for number in range(request.rounds):
            sampling.round(jobs, f"round {number + 1}", end)
        until = min(end, time.monotonic() + request.patience)
        while (now := time.monotonic()) < until:
            needy = neediest(sampling.running)
            if not needy and now >= seen:
                break
            sampling.round(needy or jobs, f"again, {len(needy)} not converged", until)
    refused += [Refusal(name, reason) for name, reason in sampling.failed.items()]
    refused += [Refusal(name, "no time was left to run it") for name in sampling.waiting]
    if not sampling.results:
        reason = f"; {refused[0].name}: {refused[0].reason}" if refused else ""
        raise ToolError(f"nothing could be measured{reason}")
    return tuple(sampling.results), tuple(refused)


@dataclass
class _Job:
    """A case with its program, its samples so far, the seconds that they took and the resulting time."""

    case: Case
    program: Program
    given: tuple[Argument, ...]
    bytes: int
    samples: list[Sample] = field(default_factory=list)
    spent: float = 0.0
    timing: Timing = field(default_factory=lambda: Timing(0.0, 0, converged=False))

    @property
    def converged(self) -> bool:
        return self.timing.converged

    @property
    def result(self) -> Case:
        timing = self.timing
        return replace(self.case, seconds=timing.seconds, chunks=timing.chunks, disturbed=not timing.converged)


@dataclass
class _Sampling:
    """Runs jobs, and computes times from their output; `failed` are those that do not run, with the reason."""

    request: Request
    jobs: list[_Job]
    progress: Callable[[str], None]
    after_round: Callable[[Sequence[Case]], None]
    done: list[Case]
    failed: dict[str, str] = field(default_factory=dict)

    @property
    def running(self) -> list[_Job]:
        """Jobs with a sample that did not fail."""
        return [job for job in self.jobs if job.case.name not in self.failed and job.samples]

    @property
    def waiting(self) -> list[str]:
        """Names of jobs without a sample."""
        return [job.case.name for job in self.jobs if job.case.name not in self.failed and not job.samples]

    @property
    def results(self) -> list[Case]:
        return [*self.done, *(job.result for job in self.running)]

    def round(self, jobs: Sequence[_Job], description: str, until: float = math.inf) -> None:
        """Takes one sample of each of these jobs that runs, as far as the time allows. Results are reported at its end,
        and in between where it is long."""
        workers, (own_cpu, *others) = self.request.workers, self.request.cpus or (None,)
        shared = max(1, int(workers * _SHARED))  # of a shared cache and of memory, one core takes a larger part
        for own, count in (
            ([job for job in jobs if job.case.where in _PRIVATE], workers),
            ([job for job in jobs if job.case.where not in _PRIVATE], shared),
        ):
            with nullcontext() if own_cpu is None else on_cpu(own_cpu):
                self._sample_each(own, count, others, description, until)
        self._tell()

    def _sample_each(
        self, jobs: Sequence[_Job], count: int, cpus: Sequence[int], description: str, until: float
    ) -> None:
        told = time.monotonic()
        for job in at_once(jobs, count, lambda job, cpu: self._sample(job, cpu, until), cpus):
            self.progress(f"{description}: {job.case.name}")
            if time.monotonic() > told + _TELL:
                self._tell()
                told = time.monotonic()

    def _sample(self, job: _Job, cpu: int | None, until: float) -> None:
        started = time.monotonic()
        if job.case.name in self.failed or started > until:
            return
        try:
            job.samples.append(self._run(job, cpu))
        except ToolError as error:
            self.failed[job.case.name] = str(error)
        job.spent += time.monotonic() - started

    def _run(self, job: _Job, cpu: int | None) -> Sample:
        seconds, limits = self.request.seconds, self.request.limits
        beyond = job.bytes > suite.largest_cache(self.request.machine)
        with on_free_cpus(job.program.threads, len(job.samples)) if cpu is None else on_cpu(cpu):
            return job.program.run(job.given, seconds, limits, beyond)

    def _judge(self) -> None:
        """Recomputes the times of all jobs: the reference for the undisturbed machine may have changed with the last
        samples."""
        for build in self.request.builds:
            own = [job for job in self.running if job.case.build == build]
            if own:
                best = Best.of([sample for job in own for sample in job.samples])
                for job in own:
                    job.timing = call_time(job.samples, best, self.request.machine)

    def _tell(self) -> None:
        """Reports the results so far, if there are any."""
        self._judge()
        if results := self.results:
            self.after_round(results)


def _jobs(request: Request, folder: Path, progress: Callable[[str], None]) -> tuple[list[_Job], list[Refusal]]:
    """Makes every case with a compiled program. A problem in a user's own file is an immediate error."""
    jobs: list[_Job] = []
    refused: list[Refusal] = []
    for path in request.files or suite.shipped():
        try:
            workload = frontends.read(path)
            planned = list(_planned(request, path, workload))
            function = suite.function_of(workload, request.function)
        except InputError as error:
            if request.files:
                raise
            refused.append(Refusal(path.name, error.message))
            continue
        programs: dict[tuple[Build, int], Program] = {}
        for case in planned:
            given = _given(workload, function, case)
            key = (case.build, int(case.parameters[THREADS]))
            if key[1] > 1 and not _has_directive(workload, function):
                refused.append(Refusal(case.name, "no OpenMP directive: the program runs on one thread"))
                continue
            if key not in programs:
                progress(f"compiling {path.name}")
                try:
                    programs[key] = compiled(folder, path, function, given, *key)
                except ToolError as error:
                    if request.files:
                        raise InputError(str(error)) from None
                    refused.append(Refusal(case.name, str(error)))
                    continue
            case_ = _with_assembly(case, path, function, request)
            jobs.append(_Job(case_, programs[key], given, harness.bytes_of(given)))
    return jobs, refused


def _style_jobs(request: Request, folder: Path, progress: Callable[[str], None]) -> tuple[list[_Job], list[Refusal]]:
    """Makes every case of the suite `styles` that is not done with a compiled program, several at once."""
    left = [(case, style) for case, style in _style_cases(request) if case.name not in request.done]
    stems = [folder / _stem(request, case, style) for case, style in left]
    unique = dict(zip(stems, left, strict=True))
    programs: dict[Path, Program | str] = {}

    def compile_one(stem: Path, cpu: int | None) -> None:
        case, style = unique[stem]
        try:
            command = [*case.build.command(style.language, 1), *style.defines]
            programs[stem] = linked(stem, style.text, style.file, style.language, command, 1)
        except ToolError as error:
            programs[stem] = str(error)

    for stem in at_once(list(unique), request.workers * (_COMPILERS if request.workers > 1 else 1), compile_one):
        progress(f"compiling {stem.name}")
    jobs, refused = [], []
    for stem, (case, style) in zip(stems, left, strict=True):
        program = programs[stem]
        if isinstance(program, str):
            refused.append(Refusal(case.name, program))
        else:
            given = tuple(Number(name, "int64_t", str(value)) for name, value in style.sizes.items())
            jobs.append(_Job(case, program, given, style.bytes))
    return jobs, refused


def _style_cases(request: Request) -> Iterator[tuple[Case, Style]]:
    """Every case of the suite `styles` that is wanted, with its description."""
    if set(request.threads) != {1}:
        raise InputError("the suite styles has functions of one thread", hint="give --threads 1")
    wanted = [style for style in styles() if not request.sources or style.file.name in request.sources]
    for build in request.builds:
        for style in wanted:
            if request.function in (None, style.name) and (not request.levels or style.where in request.levels):
                parameters = {**style.parameters, THREADS: 1.0}
                file = f"{style.file}:{style.function}"
                case = Case(file, style.name, build, parameters, style.where, 0.0, 0, macros=style.macros)
                yield replace(case, arguments=style.arguments), style


def _done(request: Request) -> Iterator[Case]:
    """Cases of the suite `styles` that have their time already."""
    if request.suite == "styles" and request.done:
        for case, _ in _style_cases(request):
            if case.name in request.done:
                yield replace(case, seconds=request.done[case.name])


def _stem(request: Request, case: Case, style: Style) -> str:
    """The name of a program: one for all sizes that are given when it runs."""
    macros = "".join(f"-{value}" for value in style.macros.values())
    return f"{style.name}-{request.builds.index(case.build)}{macros}"


def _with_assembly(case: Case, source: Path, function: FunctionInfo, request: Request) -> Case:
    """A case of one thread with the compiler's assembly of its source, where requested."""
    if request.own_code is None or case.parameters[THREADS] > 1:
        return case
    return replace(case, assembly=own_assembly(request.own_code, source, function, case.build))


def _has_directive(workload: Workload, function: FunctionInfo) -> bool:
    """Whether some loop of the function has a threading directive."""
    nests = (nest for nest in workload.facet(Loops).nests if nest.function == function.name)
    return any(directive.dialect == "omp" for nest in nests for loop in nest.loops for directive in loop.directives)


def _planned(request: Request, path: Path, workload: Workload) -> Iterator[Case]:
    function = suite.function_of(workload, request.function)
    names = suite.size_names(workload, function)
    _refuse_unknown(request.points, function, names | workload.symbols | workload.parameters.keys())
    points = [one for point in request.points or ({},) for one in _sized(request, workload, function, point, names)]
    others = any(nest.function != function.name for nest in workload.facet(Loops).nests)
    file = f"{path}:{function.name}" if others else str(path)  # only that function is predicted
    for build in request.builds:
        for where, point in points:
            data = frozenset(function.parameters) & point.keys() - names
            for threads in request.threads:
                values = {**point, THREADS: float(threads)}
                yield Case(file, function.name, build, values, where, 0.0, 0, data=data)


def _refuse_unknown(points: Sequence[Mapping[str, float]], function: FunctionInfo, names: frozenset[str]) -> None:
    known = names | (set(function.parameters) - dict(function.arrays).keys())
    for name in {name for point in points for name in point} - known:
        raise InputError(
            f"{function.name} has no parameter {name!r}{nearest(name, known)}",
            hint=f"parameters: {', '.join(sorted(known))}",
        )


def _sized(
    request: Request, workload: Workload, function: FunctionInfo, point: Mapping[str, float], names: frozenset[str]
) -> list[tuple[str, dict[str, float]]]:
    """A point with a size that fills each level, where one is not given."""
    if request.points and names <= point.keys() | workload.parameters.keys():
        return [("", dict(point))]
    found = suite.sizes(workload, function, request.machine, point)
    return [(level, {**point, name: float(size)}) for level, (name, size) in found.items()]


def _given(workload: Workload, function: FunctionInfo, case: Case) -> tuple[Argument, ...]:
    sizes = {name: int(value) for name, value in {**workload.parameters, **case.sizes}.items()}
    data = {name: case.parameters[name] for name in case.data}
    return harness.arguments(workload.facet(Loops), function, {**sizes, **data})
