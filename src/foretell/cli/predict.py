"""`foretell predict`."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from foretell import frontends
from foretell.cli import common
from foretell.core.answers import Predictions, Refusal
from foretell.core.machine import Machine
from foretell.core.prediction import Prediction
from foretell.core.workload import Workload
from foretell.door import predict
from foretell.errors import InputError
from foretell.uses.compare import compare

if TYPE_CHECKING:
    from foretell.core.prediction import Mode

At: TypeAlias = Callable[[Workload, Machine, dict[str, float]], Prediction]


@click.command("predict")
@common.code_argument
@common.on_option(True, "A machine of the library, or a machine file; may be given several times.")
@common.define_option
@common.threads_option
@common.set_option
@common.launch_options
@common.model_options
@click.option(
    "--asm",
    metavar="FILE",
    help="CPU: the compiler's own assembly of the code (-S), instead of generated code; x86-64 or AArch64.",
)
@click.option("--all", "every", is_flag=True, help="What every model that can answer says, side by side.")
@click.option(
    "--also",
    multiple=True,
    metavar="FILE",
    help="Another view of the same code, such as a profile: more models can answer.",
)
@click.option(
    "--plot",
    type=click.Path(path_type=Path),
    help="CPU: also draw the roofline, and the time against a size that is a range (.png, .svg, .pdf).",
)
@common.format_option
def command(
    code: str,
    on: tuple[str, ...],
    defines: tuple[str, ...],
    threads: str | None,
    overrides: tuple[str, ...],
    mode: Mode,
    model: str | None,
    options: tuple[str, ...],
    asm: str | None,
    every: bool,
    also: tuple[str, ...],
    plot: Path | None,
    format_: str,
    **launch: Any,
) -> None:
    """How long CODE takes on a machine, and what bounds it.

    CODE is a file, or example:NAME for a shipped one. A GPU binary comes with its launch:
    k.cubin --kernel axpy --grid 4096 --block 256 --arg 'f32[1048576]' --arg 'f32[1048576]' --arg 1048576
    """
    workloads = common.read_codes(code, **launch)
    for other in also:
        workloads = tuple(workload.joined(frontends.read(other)) for workload in workloads)
    chosen = common.pairs(options, "--option") | ({"asm": asm} if asm else {})
    machines = [common.load_machine(name, overrides) for name in on]
    points = list(common.space(common.with_threads(defines, threads)).points())
    if every:
        if model or chosen:
            raise click.UsageError("--all asks every model: --model and --option are those of one")
        if len(workloads) > 1:
            raise click.UsageError("--all is for one launch: choose it with --kernel")
        common.write("predictions", compare(workloads[0], machines, points=points, mode=mode), format_)
        return

    def at(workload: Workload, machine: Machine, point: dict[str, float]) -> Prediction:
        return predict(workload, machine, parameters=point, mode=mode, model=model, options=chosen)

    single = len(workloads) * len(machines) * len(points) == 1
    answer = (
        Predictions((at(workloads[0], machines[0], points[0]),))
        if single
        else _all(at, workloads, machines, points)
    )
    if plot is not None:
        from foretell.report import plots

        plots.cpu(answer.predictions, machines[0], plot)
    if single:
        common.write("prediction", answer.predictions[0], format_)
    else:
        common.write("predictions", answer, format_)


def _all(
    at: At, workloads: tuple[Workload, ...], machines: list[Machine], points: list[dict[str, float]]
) -> Predictions:
    """Every code at every point on every machine. What cannot run does not keep the others from being predicted."""
    done, refused = [], []
    for workload, machine, point in product(workloads, machines, points):
        try:
            done.append(at(workload, machine, point))
        except InputError as error:
            name = f"{workload.name} " if len(workloads) > 1 else ""
            where = ", ".join(f"{name}={value:g}" for name, value in point.items())
            refused.append(Refusal(f"{name}{machine.name} {where}".strip(), error.message))
    if not done:
        raise InputError(
            f"none of {len(refused)} points can be predicted; {refused[0].name}: {refused[0].reason}"
        )
    return Predictions(tuple(done), tuple(refused))
