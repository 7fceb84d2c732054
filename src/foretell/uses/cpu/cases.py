"""Every kernel at every size with every compiler: measured here, predicted through the door, side by side."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from foretell import frontends
from foretell.core.answers import Refusal
from foretell.core.loopnest import Loops
from foretell.errors import InputError, ToolError
from foretell.uses.cpu import suite
from foretell.uses.cpu.harness import arguments
from foretell.uses.cpu.measure import RUN_LIMITS, Build, measure
from foretell.uses.validate import KERNELS, Recorded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from foretell.core.machine import Machine
    from foretell.core.workload import Workload
    from foretell.uses.running import Limits

THREADS = "threads"


@dataclass(frozen=True, slots=True)
class Request:
    """What to run. No files: the shipped kernels; no points: sizes that fill each level of the machine."""

    machine: Machine
    builds: tuple[Build, ...]
    files: tuple[Path, ...] = ()
    function: str | None = None
    points: tuple[Mapping[str, float], ...] = ()
    threads: tuple[int, ...] = (1, 2)
    seconds: float = 0.5
    limits: Limits = RUN_LIMITS


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

    @property
    def name(self) -> str:
        """What tells it from all others of a run."""
        sizes = " ".join(f"{name}={value:g}" for name, value in self.parameters.items())
        return f"{self.build.compiler} {self.function} {sizes}{f' ({self.where})' if self.where else ''}"


def measure_cases(
    request: Request, progress: Callable[[str], None] = lambda what: None
) -> tuple[tuple[Case, ...], tuple[Refusal, ...]]:
    """All measurements, and what could not be measured, with the reason."""
    done: list[Case] = []
    refused: list[Refusal] = []
    for path in request.files or suite.shipped():
        try:
            workload = frontends.read(path)
            planned = list(_planned(request, workload))
        except InputError as error:
            if request.files:
                raise
            refused.append(Refusal(path.name, error.message))
            continue
        for case in planned:
            progress(case.name)
            try:
                done.append(_measured(request, path, workload, case))
            except ToolError as error:
                refused.append(Refusal(case.name, str(error)))
    if not done:
        reason = f"; {refused[0].name}: {refused[0].reason}" if refused else ""
        raise ToolError(f"nothing could be measured{reason}")
    return tuple(done), tuple(refused)


def _planned(request: Request, workload: Workload) -> Iterator[Case]:
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
                yield Case(workload.origin, function.name, build, values, where, 0.0, 0)


def _measured(request: Request, path: Path, workload: Workload, case: Case) -> Case:
    function = suite.function_of(workload, request.function)
    values = {name: int(value) for name, value in case.parameters.items() if name != THREADS}
    values = {**{name: int(value) for name, value in workload.parameters.items()}, **values}
    given = arguments(workload.facet(Loops), function, values)
    found = measure(
        path,
        function,
        given,
        case.build,
        threads=int(case.parameters[THREADS]),
        seconds=request.seconds,
        limits=request.limits,
    )
    return replace(case, file=str(path), seconds=found.seconds, chunks=found.kept)


def recorded(case: Case, machine: Machine | str, options: Mapping[str, str]) -> Recorded:
    """A measurement as a case to compare."""
    return Recorded(
        case.name,
        case.file,
        machine,
        case.seconds,
        case.parameters,
        options=options,
        kernel=case.function,
        group=case.build.compiler,
    )


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
        ]
    return "\n".join(lines) + "\n"
