"""Long jobs in a worker: annotated code and GPU kernels tuned, spaces of designs explored. Each keeps a journal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from foretell.errors import InputError
from foretell.interface.keywords import axis_of, question
from foretell.report import json as documents
from foretell.serve.pool import asked as checks

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from foretell.api import Case
    from foretell.serve.pool.asked import JobSettings, Wanted
    from foretell.serve.pool.codes import Codes
    from foretell.uses.explore.engine import Engine
    from foretell.uses.tuning.space import KernelSpace

    Progress = Callable[[dict[str, Any]], None]

Document = dict[str, Any]
_KERNELS = (".cu",)
_SIMULATED = ("static", "dynamic", "hybrid")
#: strategies of kernels that need no measurement: the server executes nothing of the client
_PREDICTED = ("static", "bottleneck")


def is_kernel(wanted: Wanted) -> bool:
    """Whether a job tunes a GPU kernel."""
    return wanted.code.name.lower().endswith(_KERNELS)


def tune(case: Case, given: Mapping[str, Any], progress: Progress) -> Document:
    """The best tile sizes and unroll factors of annotated code."""
    from foretell.uses.tuning.annotated import Job, search_space
    from foretell.uses.tuning.annotated import tune as carry_out

    job = checks.job(given)
    _require(job.strategy, _SIMULATED)
    space = search_space(case, [axis_of(name, text) for name, text in job.axes.items()])
    answer = carry_out(case, space, Job(job.strategy, job.budget, job.journal, False, _report(progress)))  # type: ignore[arg-type]
    return documents.tuning(answer)


def tune_kernel(codes: Codes, wanted: Wanted, given: Mapping[str, Any], progress: Progress) -> Document:
    """The best macros, launch and compiler flags of a CUDA kernel, by prediction."""
    from foretell.uses.tuning.kernels import Target
    from foretell.uses.tuning.tuner import KernelJob
    from foretell.uses.tuning.tuner import tune_kernel as carry_out

    job = checks.job(given)
    _require(job.strategy, _PREDICTED)
    asked = question(_without_launch(wanted))  # type: ignore[arg-type]
    arch = wanted.keywords.get("arch")
    machine = asked.machine(codes.machine(wanted.on[0]))
    target = Target(machine, arch=None if arch is None else int(arch), **asked.how())
    how = KernelJob(job.strategy, journal=job.journal, progress=_report(progress))  # type: ignore[arg-type]
    return documents.tuning(carry_out(_space(codes, wanted, job), target, how))


def _without_launch(wanted: Wanted) -> dict[str, Any]:
    """Keywords of machine and model: grid, block and arguments are expressions over the axes here."""
    return {name: wanted.keywords[name] for name in ("set", "model", "mode", "options") if name in wanted.keywords}


def _space(codes: Codes, wanted: Wanted, job: JobSettings) -> KernelSpace:
    from foretell.uses.tuning.space import Axis, KernelSpace

    launch = wanted.keywords
    for name in ("grid", "block"):
        if not launch.get(name):
            raise InputError(f"{name}: a kernel needs its launch, in expressions over the axes and sizes")
    grid, block = (tuple(part.strip() for part in checks.sizes(str(launch[name]))) for name in ("grid", "block"))
    constants = {name: float(value) for name, value in launch.get("parameters", {}).items()}
    return KernelSpace(
        Path(codes.file(wanted.code)),
        tuple(Axis.parse(name, text) for name, text in job.axes.items()),
        grid,
        block,
        tuple(launch.get("args", ())),
        job.constraints,
        launch.get("function"),
        str(launch.get("dynamic_shared", 0)),
        constants,
        launch.get("nvcc", ""),
        name=str(launch.get("function") or Path(wanted.code.name).stem),
    )


def explore(
    codes: Codes, wanted: Wanted, given: Mapping[str, Any], progress: Progress, engine: Callable[[], Engine] | None
) -> Document:
    """The front of a space; its blocks are computed by the engine of the server, or here."""
    from foretell.uses import explore as use
    from foretell.uses.explore.engine import serial

    file = use.read_space(Path(codes.file(wanted.code)))
    study = use.prepare_study(file, codes.machine(wanted.on[0]) if wanted.on else None)

    def report(done: int, total: int) -> None:
        progress({"done": done, "total": total})

    computing = serial() if engine is None else engine()
    job = use.Job(computing, journal=checks.job(given).journal, progress=report)
    return documents.exploration(use.run(study, file, job))


def _report(progress: Progress) -> Callable[[int, int, Any], None]:
    def report(done: int, total: int, best: Any) -> None:
        progress({"done": done, "total": total, "best_s": None if best.reason else best.time_s})

    return report


def _require(strategy: str, known: tuple[str, ...]) -> None:
    if strategy not in known:
        raise InputError(f"job.strategy: {strategy!r} is none of {', '.join(known)}")
