"""Every kernel at every size with every compiler: measured here, predicted through the door, side by side."""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from foretell import files, frontends, units
from foretell.codegen.native import named, spelled
from foretell.core.answers import Refusal
from foretell.core.loopnest import Loops
from foretell.errors import InputError, ToolError
from foretell.uses.cpu import suite
from foretell.uses.cpu.harness import arguments
from foretell.uses.cpu.measure import RUN_LIMITS, Build, Program, compiled, one_time, own_assembly
from foretell.uses.validate import KERNELS, Recorded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from foretell.core.loopnest import FunctionInfo
    from foretell.core.machine import Machine
    from foretell.core.workload import Workload
    from foretell.uses.cpu.harness import Argument
    from foretell.uses.running import Limits

THREADS = "threads"


@dataclass(frozen=True, slots=True)
class Request:
    """What to run. No files: the shipped kernels; no points: sizes that fill each level of the machine. `own_code`: a
    folder for the compilers' assembly, from which cases of one thread are predicted as well."""

    machine: Machine
    builds: tuple[Build, ...]
    files: tuple[Path, ...] = ()
    function: str | None = None
    points: tuple[Mapping[str, float], ...] = ()
    threads: tuple[int, ...] = (1, 2)
    seconds: float = 0.1
    rounds: int = 5
    limits: Limits = RUN_LIMITS
    own_code: Path | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """One measurement: where, with what, and the seconds of one call."""

    file: str
    function: str
    build: Build
    parameters: Mapping[str, float]
    where: str
    seconds: float
    chunks: int
    assembly: Path | None = None

    @property
    def name(self) -> str:
        """What tells it from all others of a run."""
        sizes = " ".join(f"{name}={value:g}" for name, value in self.parameters.items())
        return f"{self.build.compiler} {self.function} {sizes}{f' ({self.where})' if self.where else ''}"


def measure_cases(
    request: Request,
    progress: Callable[[str], None] = lambda what: None,
    after_round: Callable[[Sequence[Case]], None] = lambda cases: None,
) -> tuple[tuple[Case, ...], tuple[Refusal, ...]]:
    """All measurements, and what could not be measured, with the reason.

    Every case is run in several rounds, with all others between them: what disturbs one round is over in another.
    `after_round` gets what is known so far: a run that is cut short has lost one round.
    """
    with tempfile.TemporaryDirectory(prefix="foretell-") as folder:
        jobs, refused = _jobs(request, Path(folder), progress)
        failed: dict[str, str] = {}
        for number in range(request.rounds):
            for job in jobs:
                progress(f"round {number + 1}: {job.case.name}")
                if job.case.name not in failed:
                    try:
                        job.rounds.append(job.program.run(job.given, request.seconds, request.limits))
                    except ToolError as error:
                        failed[job.case.name] = str(error)
            done = [job.result() for job in jobs if job.case.name not in failed]
            if done:
                after_round(done)
    refused += [Refusal(name, reason) for name, reason in failed.items()]
    if not done:
        reason = f"; {refused[0].name}: {refused[0].reason}" if refused else ""
        raise ToolError(f"nothing could be measured{reason}")
    return tuple(done), tuple(refused)


@dataclass
class _Job:
    """A case with its program, and the rounds so far."""

    case: Case
    program: Program
    given: tuple[Argument, ...]
    rounds: list[NDArray[np.float64]] = field(default_factory=list)

    def result(self) -> Case:
        seconds, chunks = one_time(self.rounds)
        return replace(self.case, seconds=seconds, chunks=chunks)


def _jobs(
    request: Request, folder: Path, progress: Callable[[str], None]
) -> tuple[list[_Job], list[Refusal]]:
    """Every case with a compiled program. What is wrong with a user's own file is an error at once."""
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
            jobs.append(_Job(_with_assembly(case, path, function, request), programs[key], given))
    return jobs, refused


def _with_assembly(case: Case, source: Path, function: FunctionInfo, request: Request) -> Case:
    """A case of one thread with what the compiler made of its source, where that is wanted."""
    if request.own_code is None or case.parameters[THREADS] > 1:
        return case
    return replace(case, assembly=own_assembly(request.own_code, source, function, case.build))


def _has_directive(workload: Workload, function: FunctionInfo) -> bool:
    """Whether some loop of the function is given to threads."""
    nests = (nest for nest in workload.facet(Loops).nests if nest.function == function.name)
    return any(one.dialect == "omp" for nest in nests for loop in nest.loops for one in loop.directives)


def _planned(request: Request, path: Path, workload: Workload) -> Iterator[Case]:
    function = suite.function_of(workload, request.function)
    if request.points:
        points = [("", dict(point)) for point in request.points]
    else:
        points = [
            (level, {name: float(size)})
            for level, (name, size) in suite.sizes(workload, function, request.machine).items()
        ]
    for build in request.builds:
        for where, point in points:
            for threads in request.threads:
                values = {**point, THREADS: float(threads)}
                yield Case(str(path), function.name, build, values, where, 0.0, 0)


def _given(workload: Workload, function: FunctionInfo, case: Case) -> tuple[Argument, ...]:
    values = {**workload.parameters, **case.parameters}
    return arguments(workload.facet(Loops), function, {name: int(value) for name, value in values.items()})


def recorded(case: Case, machine: Machine | str, options: Mapping[str, str]) -> Recorded:
    """A measurement as a case to compare."""
    return Recorded(
        case.name,
        case.file,
        machine,
        case.seconds,
        case.parameters,
        options={**_options(case), **options},
        kernel=case.function,
        group=case.build.compiler,
        variants={"own code": {"asm": str(case.assembly)}} if case.assembly else {},
    )


def _options(case: Case) -> dict[str, str]:
    """The code is predicted as it was compiled."""
    compiler, flags = case.build.compiler, case.build.flags
    return {"compiler": named(compiler), "flags": " ".join(spelled(flags, compiler))}


def with_earlier(cases: Sequence[Case], path: Path) -> tuple[Case, ...]:
    """The cases with what a recording knows of them: of two times the shorter one, as of two rounds. A recording of
    other cases is an error: nothing that was measured is lost."""
    earlier = files.parse_toml(files.read_text(path), path).get("case", {})
    unlike = earlier.keys() - {case.name for case in cases}
    if unlike:
        raise InputError(
            f"holds cases that are not measured now, such as {min(unlike)!r}",
            file=path,
            hint="record into another file",
        )
    times = {name: units.parse_as(str(entry.get("measured")), "s") for name, entry in earlier.items()}
    return tuple(replace(case, seconds=min(case.seconds, times.get(case.name, np.inf))) for case in cases)


def recording(cases: Sequence[Case], machine: Machine, machine_file: str) -> str:
    """The measurements as a file that `foretell validate FILE` predicts again."""
    lines = [f"title = {json.dumps(f'CPU kernels on {machine.title}')}"]
    for case in cases:
        sizes = ", ".join(f"{name} = {value:g}" for name, value in case.parameters.items())
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
        ]
    return "\n".join(lines) + "\n"
