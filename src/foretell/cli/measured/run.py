"""`foretell run`: a CUDA program without a GPU."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from foretell.cli import common
from foretell.cli.measured import captured, cuda_program
from foretell.errors import InputError
from foretell.uses.program_run.recording import Recorder
from foretell.uses.program_run.run import run_program

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.core.answers.program_run import ProgramRun


@click.command("run", context_settings={"ignore_unknown_options": True})
@click.argument("program", nargs=-1, required=True, type=click.UNPROCESSED)
@common.on_option(True, "The GPU that the program sees, and more of which the time is predicted: --on h200,a100.")
@common.set_option
@click.option("--why", "explain", is_flag=True, help="Also tells what changes of program and GPU would bring.")
@click.option("--check-races", is_flag=True, help="Also looks for races of the kernels: slower, in one thread.")
@click.option(
    "--estimate-libraries", is_flag=True, help="Computes cuBLAS, cuFFT and cuRAND here, with estimated times."
)
@click.option("--timeline", type=common.PATH, help="Also writes the timeline, in JSON that Chrome and Perfetto open.")
@click.option("--record", "recorded", type=common.PATH, help="Also writes the launches to a capture, for predict.")
@cuda_program.contents_option("all")
@cuda_program.limit_option
@cuda_program.timeout_option
@common.format_option
def command(
    program: tuple[str, ...],
    on: tuple[str, ...],
    overrides: tuple[str, ...],
    explain: bool,
    check_races: bool,
    estimate_libraries: bool,
    timeline: Path | None,
    recorded: Path | None,
    contents: str,
    record_limit: str,
    timeout: float,
    format_: str,
) -> None:
    """Runs a CUDA program without a GPU, and tells how long it would take: foretell run --on h200 -- ./app arguments.

    Its kernels are executed by foretell, so that its results are right, and predicted for each GPU. Its output and exit
    status are passed on; with another format than a table its stdout goes to stderr.
    """
    machines = [common.load_machine(name, overrides) for each in on for name in each.split(",") if name]
    for output in filter(None, (timeline, recorded)):
        common.check_writable(output)
    most = cuda_program.most_bytes(record_limit)
    recorder = Recorder(contents, most) if recorded else None
    answer = run_program(
        program,
        machines,
        streams=cuda_program.own_streams(format_ == "table"),
        seconds=timeout,
        recorder=recorder,
        explain=explain,
        check_races=check_races,
        estimate_libraries=estimate_libraries,
    )
    _write_files(answer, timeline, recorded, recorder)
    common.write("program_run", answer, format_)
    cuda_program.exit_as(answer.exit_code)


def _write_files(answer: ProgramRun, timeline: Path | None, recorded: Path | None, recorder: Recorder | None) -> None:
    if timeline is not None:
        captured.write_timeline(answer, timeline)
    if recorded is not None and recorder is not None:
        if not recorder.launches:
            raise InputError("the program launched no kernel: there is nothing to record")
        recorder.write(recorded)
        common.wrote(recorded)
