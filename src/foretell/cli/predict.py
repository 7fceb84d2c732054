"""`foretell predict`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import click

from foretell.api import predict, predict_many
from foretell.cli import common
from foretell.core.answers.answers import Predictions, Refusal
from foretell.core.machine.machine import Machine
from foretell.core.workload import Workload
from foretell.errors import InputError
from foretell.uses.compare import compare

if TYPE_CHECKING:
    from foretell.core.answers.prediction import Prediction

AtPoints: TypeAlias = Callable[[Workload, Machine], Predictions]


@click.command("predict")
@common.code_argument
@common.on_option(True, "A machine of the library, or a machine file; may be given several times.")
@common.request_options(threads=True)
@click.option(
    "--asm",
    metavar="FILE",
    help="CPU: the compiler's own assembly of the code (-S), instead of generated code; x86-64 or AArch64.",
)
@click.option(
    "--cc", metavar="COMMAND", help="CPU: the compiler of C files, whose code is followed; none: code is generated."
)
@click.option("--cflags", metavar="FLAGS", help="CPU: the compiler's flags, e.g. '-O3 -march=native -Iinclude'.")
@click.option("--alias", metavar="A,B", help="CPU: parameters whose arrays overlap; others do not.")
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
    request: common.Request,
    asm: str | None,
    cc: str | None,
    cflags: str | None,
    alias: str | None,
    every: bool,
    also: tuple[str, ...],
    plot: Path | None,
    format_: str,
) -> None:
    """How long CODE takes on a machine, and what bounds it.

    CODE is a file, or example:NAME for a shipped one. A GPU binary comes with its launch:
    k.cubin --kernel axpy --grid 4096 --block 256 --arg 'f32[1048576]' --arg 'f32[1048576]' --arg 1048576
    """
    reader = request.reader(code, also=also)
    how = request.how(reader)
    given = {"asm": asm, "cc": cc, "flags": cflags, "alias": alias}
    how["options"] |= {name: text for name, text in given.items() if text}
    machines = [request.machine(name) for name in on]
    points = list(common.space(request.sizes(reader)).points())
    if every:
        if request.model or how["options"]:
            raise click.UsageError("--all asks every model: --model and --option are those of one")
        if len(reader.workloads(machines[0])) > 1:
            raise click.UsageError("--all is for one launch: choose it with --kernel")
        common.write("predictions", compare(reader, machines, points=points, mode=request.mode), format_)
        return

    pairs = reader.on_each(machines)
    single = len(pairs) * len(points) == 1
    if single:
        only = predict(reader.workload(machines[0]), machines[0], parameters=points[0], **how)
        answer = Predictions((only,))
    else:
        at_points = partial(predict_many, points=points, **how)
        answer = _all(at_points, pairs, len(points), len(pairs) > len(machines))
    if plot is not None:
        from foretell.report.plots import answers

        answers.cpu(answer.predictions, machines[0], plot)
    if single:
        common.write("prediction", only, format_)
    else:
        common.write("predictions", answer, format_)


def _all(
    at_points: AtPoints, pairs: list[tuple[Machine, Workload | InputError]], points: int, several: bool
) -> Predictions:
    """Predicts every code at every point on every machine; candidates that cannot run do not stop the others."""
    done: list[Prediction] = []
    refused: list[Refusal] = []
    total = len(pairs) * points
    with common.progress(f"predicting {total} points:") as say:
        for machine, workload in pairs:
            name = f"{workload.name} " if several and isinstance(workload, Workload) else ""
            try:
                if isinstance(workload, InputError):
                    raise workload
                say(f"{workload.name} on {machine.name}")
                answer = at_points(workload, machine)
            except InputError as error:
                refused.append(Refusal(f"{name}{machine.name}", error.message))
                continue
            done += answer.predictions
            refused += (Refusal(f"{name}{entry.name}", entry.reason) for entry in answer.refused)
    if not done:
        raise InputError(f"none of {total} points can be predicted; {refused[0].name}: {refused[0].reason}")
    return Predictions(tuple(done), tuple(refused))
