"""`foretell predict`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

import click

from foretell.api import predict, predict_many
from foretell.cli import common
from foretell.cli.input import completion
from foretell.cli.measured import captured
from foretell.core.answers.answers import Predictions, Refusal
from foretell.core.machine.machine import Machine
from foretell.core.workload import Workload
from foretell.errors import InputError
from foretell.uses.compare import compare

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.core.answers.prediction import Prediction
    from foretell.frontends import Reader

AtPoints: TypeAlias = Callable[[Workload, Machine], Predictions]


@click.command("predict")
@click.argument("codes", nargs=-1, required=True, metavar="CODE...", shell_complete=completion.codes)
@common.on_option(True, "A machine of the library, or a machine file; may be given several times.")
@common.request_options()
@click.option("--all", "every", is_flag=True, help="What every model that can answer says, side by side.")
@click.option(
    "--also",
    multiple=True,
    metavar="FILE",
    help="Another view of the same code, such as a profile: more models can answer.",
)
@click.option(
    "--plot",
    type=common.PATH,
    help="Also draw the roofline of one machine, and the time against a size that is a range (.png, .svg, .pdf).",
)
@click.option("--launches", is_flag=True, help="Of a capture: each launch by itself, not the whole program.")
@click.option("--timeline", type=common.PATH, help="Of a capture: also write the timeline (JSON, Chrome and Perfetto).")
@common.format_option
def command(
    codes: tuple[str, ...],
    on: tuple[str, ...],
    request: common.Request,
    every: bool,
    also: tuple[str, ...],
    plot: Path | None,
    launches: bool,
    timeline: Path | None,
    format_: str,
) -> None:
    """How long CODE takes on a machine, and what bounds it.

    CODE is a file, FILE:FUNCTION, FILE:LINE, - for stdin, or example:NAME for a shipped one; several C or Fortran
    files are one program. A GPU binary comes with its launch:
    k.cubin --kernel axpy --grid 4096 --block 256 --arg 'f32[1048576]' --arg 'f32[1048576]' --arg 1048576
    """
    capture = None if launches else captured.program(codes, request, also)
    if capture is not None:
        if every or plot is not None:
            raise click.UsageError("--all and --plot are for one launch: choose it with --kernel")
        captured.predicted(capture, on, request, timeline, format_)
        return
    if timeline is not None:
        raise click.UsageError("--timeline is for captures of programs")
    reader = request.reader(codes, also=also)
    machines = [request.machine(name) for name in on]
    if every:
        _by_every_model(reader, machines, request, format_)
    else:
        _predicted(reader, machines, request, plot, format_)


def _by_every_model(reader: Reader, machines: list[Machine], request: common.Request, format_: str) -> None:
    """Writes what every model says that can answer."""
    if request.model or request.how(reader)["options"]:
        raise click.UsageError("--all asks every model: --model and --option are those of one")
    points = request.points(machines[0], reader)
    if len(reader.workloads(machines[0])) > 1:
        raise click.UsageError("--all is for one launch: choose it with --kernel")
    common.write("predictions", compare(reader, machines, points=points, mode=request.mode), format_)


def _predicted(
    reader: Reader, machines: list[Machine], request: common.Request, plot: Path | None, format_: str
) -> None:
    """Writes the predictions at all points on all machines; of one, with all its parts."""
    how = request.how(reader)
    points = request.points(machines[0], reader)
    pairs = reader.on_each(machines)
    single = len(pairs) * len(points) == 1
    if single:
        only = predict(reader.workload(machines[0]), machines[0], parameters=points[0], **how)
        answer = Predictions((only,))
    else:

        def at_points(workload: Workload, machine: Machine) -> Predictions:
            return predict_many(workload, machine, points=request.points(machine, reader), **how)

        answer = _all(at_points, pairs, len(points), len(pairs) > len(machines))
    if plot is not None:
        from foretell.report.plots import answers

        answers.predicted(answer.predictions, machines, plot)
        common.wrote(plot)
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
