"""`foretell record`: a CUDA program beside a GPU, into a capture."""

from __future__ import annotations

from pathlib import Path

import click

from foretell.cli import common
from foretell.cli.measured import cuda_program
from foretell.errors import InputError
from foretell.uses.program_run.beside_gpu.record import Recording, log_files, pack, record_program


@click.command("record", context_settings={"ignore_unknown_options": True})
@click.argument("program", nargs=-1, type=click.UNPROCESSED)
@click.option("-o", "--output", type=common.PATH, default=Path("program.capture"), show_default=True, help="Capture.")
@cuda_program.contents_option("index")
@cuda_program.limit_option
@click.option(
    "--logs", type=common.PATH, help="Packs the logs in this folder, which a program wrote elsewhere; none is run."
)
@cuda_program.timeout_option
def command(
    program: tuple[str, ...], output: Path, contents: str, record_limit: str, logs: Path | None, timeout: float
) -> None:
    """Records the launches of a CUDA program beside a GPU: foretell record -o app.capture -- ./app arguments.

    The program runs as always, also one of PyTorch or Triton. Machine code, arguments, the memory that you allow,
    copies, streams, events and the host's time go into one file, which predict, why and rank read anywhere.
    """
    common.check_writable(output)
    most = cuda_program.most_bytes(record_limit)
    if logs is None:
        recording = record_program(
            program,
            contents=contents,
            most_bytes=most,
            streams=cuda_program.own_streams(True),
            seconds=timeout,
            logs=Path(f"{output}.logs"),
        )
    else:
        recording = _packed(program, logs, contents, most)
    recording.recorder.write(output)
    _tell(recording, output)
    cuda_program.exit_as(recording.exit_code)


def _packed(program: tuple[str, ...], folder: Path, contents: str, most: int) -> Recording:
    if program:
        raise InputError("--logs packs what a program wrote before, and runs none")
    if not folder.is_dir():
        raise InputError("is no folder", file=folder, hint="--logs names the folder of FORETELL_RECORD")
    paths = log_files(folder)
    if not paths:
        raise InputError("has no log of launches", file=folder, hint="FORETELL_RECORD names the folder of a program")
    return pack(paths, contents, most)


def _tell(recording: Recording, output: Path) -> None:
    different = recording.recorder.launches
    kernels = len({item.kernel for item in different})
    click.echo(f"{recording.launches} launches of {kernels} kernels, {len(different)} of them different", err=True)
    for note in recording.notes:
        click.echo(f"note: {note}", err=True)
    common.wrote(output)
