"""`foretell tune`."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from foretell import files, frontends
from foretell.cli import common
from foretell.cli.input.number import Number
from foretell.core.columns.space import Axis

if TYPE_CHECKING:
    from collections.abc import Callable

    from foretell.core.answers.tuning import Tuning, Variant
    from foretell.uses.tuning.space import Axis as KernelAxis
    from foretell.uses.tuning.space import KernelSpace

#: default of --budget: simulations of annotated code, measurements of GPU kernels
_SIMULATED, _MEASURED = 10, 16
#: suffix of files with Triton kernels
_TRITON = ".py"
#: suffix of captures
_CAPTURE = ".capture"
_ONLY_KERNELS = ("constraints", "measure", "t4", "cache")


@click.command("tune")
@common.code_argument
@common.on_option(True, "A machine of the library, or a machine file.")
@common.request_options()
@common.format_option
@common.plot_option
@click.option(
    "--strategy",
    type=click.Choice(["static", "dynamic", "bottleneck", "hybrid"]),
    default="static",
    show_default=True,
    help="Predict every variant; judge every one (simulated, measured); walk by what binds; judge the most promising.",
)
@click.option("--budget", type=click.IntRange(1), help="Variants that hybrid judges: 10 simulated, 16 measured.")
@common.repeatable("axis", "NAME=VALUES", "Values to try: tile_i=1,2,4 or 1:16:1; nvcc='-O3|--use_fast_math'.", "axes")
@common.repeatable("constraint", "EXPR", "GPU: a condition over axes: 'bx*by <= 1024'.", "constraints")
@click.option("--measure", help="GPU: a command that prints a time; {NAME}: a value, {flags}: flags of nvcc.")
@click.option("--workers", type=click.IntRange(1, 2), default=2, show_default=True, help="GPU: processes that predict.")
@click.option("--exclude", type=Number(1), help="GPU: do not predict what a lower bound says is so many "
              "times as slow as the best.")  # fmt: skip
@click.option("--every", is_flag=True, help="GPU: predict every configuration, also those that a bound excludes.")
@click.option("--emit", type=common.PATH, help="Write the chosen variant as source.")
@click.option("--t4", type=common.PATH, help="GPU: also write all results as a T4 file.")
@click.option("--cache", type=common.PATH, help="GPU: also write all times as a cache file of Kernel Tuner.")
@click.option("--journal", type=common.PATH, help="Where results are kept; a rerun continues.")
@click.option("--resume/--fresh", default=True, help="Continue from the journal (default), or begin anew.")
@click.option("--no-progress", is_flag=True, help="No progress bar.")
def command(
    code: str, on: tuple[str, ...], request: common.Request, format_: str, plot: Path | None, **how: Any
) -> None:
    """The best variant of CODE on a machine.

    Of annotated loops: tile sizes and unroll factors. Of a CUDA source or a T1 file: macros, launches, compiler flags;
    --grid, --block and --arg are then expressions over the axes and -D. Of a Triton kernel, FILE.py:KERNEL: its
    constants, num_warps and num_stages.
    """
    if len(on) != 1:
        raise click.UsageError("tune takes one --on MACHINE")
    file, kernel = _named(code)
    if kernel and request.launch["kernel"]:
        raise click.UsageError(f"the kernel is given twice: {code} and --kernel")
    if _is_kernel(file):
        launch = {**request.launch, "kernel": kernel or request.launch["kernel"]}
        answer = _kernel(file, on[0], replace(request, launch=launch), how)
    else:
        answer = _annotated(code, on[0], request, how)
    common.draw("tuning", answer, plot)
    common.write("tuning", answer, format_)


def _named(code: str) -> tuple[str, str]:
    """FILE.cu:KERNEL or FILE.py:KERNEL as file and kernel; other names as they are."""
    file, _, kernel = code.rpartition(":")
    tunable = frontends.is_machine_code(Path(file)) or Path(file).suffix == _TRITON
    return (file, kernel) if tunable and not Path(code).exists() else (code, "")


def _is_kernel(code: str) -> bool:
    from foretell.uses.tuning.t1 import is_t1

    path = Path(code)
    return not code.startswith("example:") and (
        frontends.is_machine_code(path) or path.suffix == _TRITON or is_t1(path)
    )


def _progress(bar: Callable[..., None]) -> Callable[[int, int, Variant], None]:
    import time

    from foretell.uses.tuning.space import shown

    start = time.monotonic()

    def progress(done: int, total: int, best: Variant) -> None:
        rate = done / max(1e-9, time.monotonic() - start)
        time_s = "" if best.reason else f"best {best.time_s:.3g} s: {shown(best.parameters)}"
        bar(done, total, f"{rate:.3g}/s {time_s}")

    return progress


def _annotated(code: str, on: str, request: common.Request, how: dict[str, Any]) -> Tuning:
    from foretell.uses.tuning.annotated import Job, search_space, tune

    for name in _ONLY_KERNELS:
        if how[name]:
            raise click.UsageError(f"--{name.removesuffix('s')}: only for GPU kernels")
    if how["strategy"] == "bottleneck":
        raise click.UsageError("--strategy bottleneck: only for GPU kernels")
    case = request.case(request.reader(code), on)
    with common.keeping_in(how["journal"]), common.progress_bar(case.workload.name, how["no_progress"]) as bar:
        job = Job(how["strategy"], how["budget"] or _SIMULATED, how["journal"], not how["resume"], _progress(bar))
        given = [Axis.parse(name, text) for name, text in common.pairs(how["axes"], "--axis").items()]
        answer = tune(case, search_space(case, given), job)
    if how["emit"] is not None:
        chosen = {name: float(value) for name, value in answer.best.parameters.items()}
        _write(how["emit"], frontends.variant_source(case.workload, chosen))
    return answer


def _kernel(code: str, on: str, request: common.Request, how: dict[str, Any]) -> Tuning:
    from foretell.uses.tuning import results
    from foretell.uses.tuning.kernels import Target
    from foretell.uses.tuning.measure import Command
    from foretell.uses.tuning.tuner import KernelJob, tune_kernel

    space = _kernel_space(Path(code), request, how)
    target = Target(request.machine(on), arch=request.launch["arch"], **request.how(gpu=True))
    measure = Command(how["measure"]) if how["measure"] else None
    name = space.name or space.source.stem
    with common.keeping_in(how["journal"]), common.progress_bar(name, how["no_progress"]) as bar:
        answer = tune_kernel(
            space,
            target,
            KernelJob(
                how["strategy"],
                how["budget"] or _MEASURED,
                how["journal"],
                not how["resume"],
                how["workers"],
                measure,
                how["exclude"],
                progress=_progress(bar),
                bounds=not (how["every"] or how["t4"] or how["cache"]),  # these files have times, not bounds
            ),
        )
    if how["t4"] is not None:
        _write(how["t4"], results.t4(answer))
    if how["cache"] is not None:
        _write(how["cache"], results.kernel_tuner_cache(answer, space))
    if how["emit"] is not None:
        _write(how["emit"], results.macros(answer))
    return answer


def _write(path: Path, text: str) -> None:
    files.write_text(path, text)
    common.wrote(path)


def _kernel_space(path: Path, request: common.Request, how: dict[str, Any]) -> KernelSpace:
    """The space of a T1 file, with the user's axes in place of those of the same name; or that of the options."""
    from foretell.uses.tuning import space as spaces
    from foretell.uses.tuning.t1 import is_t1, read_space

    launch, constants = request.launch, common.one_point(request.defines)
    axes = {name: spaces.Axis.parse(name, text) for name, text in common.pairs(how["axes"], "--axis").items()}
    if is_t1(path):
        space = read_space(path)
        own = {axis.name: axis for axis in space.axes}
        return replace(
            space,
            axes=tuple({**own, **axes}.values()),
            constraints=space.constraints + how["constraints"],
            flags=f"{space.flags} {launch['nvcc']}".strip(),
        )
    if path.suffix == _TRITON:
        return _triton_space(path, launch, tuple(axes.values()), how["constraints"], constants)
    if not launch["grid"] or not launch["block"]:
        raise click.UsageError("a GPU kernel needs its launch: --grid and --block, expressions over the axes and -D")
    return spaces.KernelSpace(
        path,
        tuple(axes.values()),
        _dimensions(launch["grid"]),
        _dimensions(launch["block"]),
        tuple(launch["args"]),
        how["constraints"],
        launch["kernel"],
        str(launch["dynamic_shared"]),
        constants,
        launch["nvcc"],
        capture=_capture(launch),
    )


def _capture(launch: Any) -> Path | None:
    """The capture that gives a kernel its arguments."""
    path: Path | None = launch["launch"]
    if path is not None and path.suffix != _CAPTURE:
        raise click.UsageError("tune takes of --launch a capture; --grid, --block and --arg say the rest")
    if path is not None and launch["args"]:
        raise click.UsageError("the capture has the arguments: give --launch or --arg")
    return path


def _triton_space(
    path: Path, launch: Any, axes: tuple[KernelAxis, ...], constraints: tuple[str, ...], constants: dict[str, float]
) -> KernelSpace:
    """The space of a Triton kernel, which has no block of its own; values of --meta hold for all configurations."""
    if not launch["grid"] or not launch["kernel"]:
        raise click.UsageError("a Triton kernel needs its name and launch: FILE.py:KERNEL and --grid")
    from foretell.uses.tuning.space import Axis as KernelAxis
    from foretell.uses.tuning.space import KernelSpace

    fixed = tuple(KernelAxis.parse(name, value) for name, value in common.pairs(launch["meta"], "--meta").items())
    return KernelSpace(
        path,
        axes + fixed,
        _dimensions(launch["grid"]),
        (),
        tuple(launch["args"]),
        constraints,
        launch["kernel"],
        constants=constants,
    )


def _dimensions(text: str) -> tuple[str, ...]:
    """Splits at commas outside of brackets."""
    parts = re.findall(r"(?:[^,()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))+", text)
    if not 1 <= len(parts) <= 3:
        raise click.UsageError(f"{text!r}: up to three sizes, separated by commas")
    return tuple(part.strip() for part in parts)
