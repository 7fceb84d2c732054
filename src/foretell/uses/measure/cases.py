"""Measures every kernel at every size with every compiler, for comparison with predictions."""

from __future__ import annotations

import json
import math
import tempfile
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from foretell import files, frontends, units
from foretell.codegen.compilers.host import named, spelled
from foretell.core.answers.answers import Refusal
from foretell.core.nest.loopnest import Loops
from foretell.errors import InputError, ToolError, nearest
from foretell.machines.probe.method import neediest
from foretell.uses.measure import harness, suite
from foretell.uses.measure.compile_and_run import RUN_LIMITS, Build, Program, compiled, own_assembly
from foretell.uses.measure.cpu_choice import on_free_cpus
from foretell.uses.measure.timing import Best, Timing, one_time
from foretell.uses.validate import KERNELS, Recorded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from foretell.core.machine.machine import Machine
    from foretell.core.nest.loopnest import FunctionInfo
    from foretell.core.workload import Workload
    from foretell.uses.measure.harness import Argument
    from foretell.uses.measure.timing import Visit
    from foretell.uses.profiling.limited_run import Limits

THREADS = "threads"
#: least fraction of the patience that a measurement takes
_SEEN = 0.1


@dataclass(frozen=True, slots=True)
class Request:
    """What to run. Without files: the shipped kernels; without points: sizes that fill each level of the machine.
    `own_code`: a folder for the compilers' assembly, from which cases of one thread are also predicted. `patience`: the
    most seconds for which unconverged cases are sampled again."""

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


@dataclass(frozen=True, slots=True)
class Case:
    """One measurement: machine, build and the seconds of one call, with the number of chunks. `disturbed`: the chunks
    were not undisturbed, or too few were. `data`: parameters that are arguments and no sizes; a prediction does not
    depend on them."""

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

    @property
    def sizes(self) -> dict[str, float]:
        """The parameters that a prediction depends on."""
        return {name: value for name, value in self.parameters.items() if name not in self.data}

    @property
    def name(self) -> str:
        """A name that is unique within a run."""
        sizes = " ".join(f"{name}={value:g}" for name, value in self.parameters.items())
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
    with tempfile.TemporaryDirectory(prefix="foretell-") as folder:
        jobs, refused = _jobs(request, Path(folder), progress)
        visits = _Visits(request, jobs, progress)
        seen = time.monotonic() + _SEEN * request.patience
        for number in range(request.rounds):
            visits.round(jobs, f"round {number + 1}")
            visits.tell(after_round)
        until = time.monotonic() + request.patience
        while (now := time.monotonic()) < until:
            needy = neediest(visits.running)
            if not needy and now >= seen:
                break
            visits.round(needy or jobs, f"again, {len(needy)} not settled", until)
            visits.tell(after_round)
    refused += [Refusal(name, reason) for name, reason in visits.failed.items()]
    if not visits.running:
        reason = f"; {refused[0].name}: {refused[0].reason}" if refused else ""
        raise ToolError(f"nothing could be measured{reason}")
    return tuple(job.result for job in visits.running), tuple(refused)


@dataclass
class _Job:
    """A case with its program, its samples so far, the seconds that they took and the resulting time."""

    case: Case
    program: Program
    given: tuple[Argument, ...]
    visits: list[Visit] = field(default_factory=list)
    spent: float = 0.0
    timing: Timing = field(default_factory=lambda: Timing(0.0, 0, settled=False))

    @property
    def converged(self) -> bool:
        return self.timing.settled

    @property
    def result(self) -> Case:
        timing = self.timing
        return replace(self.case, seconds=timing.seconds, chunks=timing.chunks, disturbed=not timing.settled)


@dataclass
class _Visits:
    """Runs jobs, and computes times from their output; `failed` are those that do not run, with the reason."""

    request: Request
    jobs: list[_Job]
    progress: Callable[[str], None]
    failed: dict[str, str] = field(default_factory=dict)

    @property
    def running(self) -> list[_Job]:
        return [job for job in self.jobs if job.case.name not in self.failed]

    def round(self, jobs: Sequence[_Job], what: str, until: float = math.inf) -> None:
        """Takes one sample of each of these jobs that runs, as far as the time allows."""
        for job in jobs:
            started = time.monotonic()
            if job.case.name in self.failed or started > until:
                continue
            self.progress(f"{what}: {job.case.name}")
            try:
                job.visits.append(self._run(job))
            except ToolError as error:
                self.failed[job.case.name] = str(error)
            job.spent += time.monotonic() - started
        self._judge()

    def _run(self, job: _Job) -> Visit:
        seconds, limits = self.request.seconds, self.request.limits
        beyond = harness.bytes_of(job.given) > suite.largest_cache(self.request.machine)
        with on_free_cpus(job.program.threads, len(job.visits)):
            return job.program.run(job.given, seconds, limits, beyond)

    def _judge(self) -> None:
        """Recomputes the times of all jobs: the reference for the undisturbed machine may have changed with the last
        samples."""
        for build in self.request.builds:
            own = [job for job in self.running if job.case.build == build]
            if own:
                best = Best.of([visit for job in own for visit in job.visits])
                for job in own:
                    job.timing = one_time(job.visits, best, self.request.machine)

    def tell(self, after_round: Callable[[Sequence[Case]], None]) -> None:
        """Reports the results so far, if there are any."""
        if done := [job.result for job in self.running]:
            after_round(done)


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
            if request.own_code is not None and key[1] == 1:
                case = replace(case, assembly=own_assembly(request.own_code, path, function, case.build))
            jobs.append(_Job(case, programs[key], given))
    return jobs, refused


def _has_directive(workload: Workload, function: FunctionInfo) -> bool:
    """Whether some loop of the function has a threading directive."""
    nests = (nest for nest in workload.facet(Loops).nests if nest.function == function.name)
    return any(directive.dialect == "omp" for nest in nests for loop in nest.loops for directive in loop.directives)


def _planned(request: Request, path: Path, workload: Workload) -> Iterator[Case]:
    function = suite.function_of(workload, request.function)
    names = suite.size_names(workload, function)
    _refuse_unknown(request.points, function, names | workload.symbols | workload.parameters.keys())
    points = [one for point in request.points or ({},) for one in _sized(request, workload, function, point, names)]
    for build in request.builds:
        for where, point in points:
            data = frozenset(function.parameters) & point.keys() - names
            for threads in request.threads:
                values = {**point, THREADS: float(threads)}
                yield Case(str(path), function.name, build, values, where, 0.0, 0, data=data)


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


def recorded(case: Case, machine: Machine | str, options: Mapping[str, str]) -> Recorded:
    """Converts a measurement into a recorded case."""
    return Recorded(
        case.name,
        case.file,
        machine,
        case.seconds,
        case.sizes,
        options={**_options(case), **options},
        kernel=case.function,
        group=case.build.compiler,
        variants={"own code": {"asm": str(case.assembly)}} if case.assembly else {},
        disturbed=case.disturbed,
    )


def _options(case: Case) -> dict[str, str]:
    """Options with which the code is predicted as it was compiled."""
    compiler, flags = case.build.compiler, case.build.flags
    return {"compiler": named(compiler), "flags": " ".join(spelled(flags, compiler))}


@dataclass(frozen=True, slots=True)
class Earlier:
    """The cases of an existing recording, by name."""

    path: Path
    entries: Mapping[str, Mapping[str, object]]

    @classmethod
    def read(cls, path: Path) -> Earlier:
        """Reads a recording; one that does not exist is empty."""
        known = files.parse_toml(files.read_text(path), path) if path.exists() else {}
        return cls(path, known.get("case", {}))

    def joined(self, cases: Sequence[Case]) -> tuple[Case, ...]:
        """Merges cases with the recorded ones: an undisturbed time is preferred, and of two of a kind the shorter. A
        recording of other cases is an error: no measurement is lost."""
        unlike = self.entries.keys() - {case.name for case in cases}
        if unlike:
            raise InputError(
                f"holds cases that are not measured now, such as {min(unlike)!r}",
                file=self.path,
                hint="record into another file",
            )
        return tuple(_better(case, self.entries.get(case.name, {})) for case in cases)


def _better(case: Case, entry: Mapping[str, object]) -> Case:
    """The better of a case and its entry in an earlier recording."""
    if not entry:
        return case
    seconds, disturbed = units.parse_as(str(entry.get("measured")), "s"), entry.get("disturbed") is True
    earlier = replace(case, seconds=seconds, disturbed=disturbed)
    return min(case, earlier, key=lambda one: (one.disturbed, one.seconds))


def recording(cases: Sequence[Case], machine: Machine, machine_file: str) -> str:
    """Writes the measurements as a file that `foretell validate FILE` predicts again."""
    lines = [f"title = {json.dumps(f'CPU kernels on {machine.title}')}"]
    for case in cases:
        sizes = ", ".join(f"{name} = {value:g}" for name, value in case.sizes.items())
        path = Path(case.file)
        workload = f"kernel:{path.name}" if path.parent == KERNELS else case.file
        lines += [
            "",
            f"[case.{json.dumps(case.name)}]",
            f"workload = {json.dumps(workload)}",
            f"machine = {json.dumps(machine_file)}",
            f'measured = "{case.seconds:.6e} s"',
            f"parameters = {{ {sizes} }}",
            f"kernel = {json.dumps(case.function)}",
            f"group = {json.dumps(case.build.compiler)}",
            f"options = {{ {', '.join(f'{key} = {json.dumps(word)}' for key, word in _options(case).items())} }}",
            *(["disturbed = true"] if case.disturbed else []),
        ]
    return "\n".join(lines) + "\n"
