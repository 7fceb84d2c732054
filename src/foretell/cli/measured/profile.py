"""`foretell profile`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from foretell import machines, units
from foretell.cli import common, config
from foretell.cli.input.number import Number
from foretell.cli.measured.import_profile import machine_hash, write_profile
from foretell.uses.profiling.limited_run import Limits
from foretell.uses.profiling.profile import Request, include_folder, profile

if TYPE_CHECKING:
    from pathlib import Path


@click.command("profile", context_settings={"ignore_unknown_options": True})
@click.argument("program", nargs=-1, type=click.UNPROCESSED)
@click.option("--measured-on", metavar="MACHINE", help="This machine, by its name in the library or its file.")
@click.option("--cores", type=click.IntRange(min=1), help="Cores that the program uses (default: 1).")
@click.option("--threads-per-core", type=click.IntRange(min=1), default=1, help="Threads on each of them.")
@click.option(
    "--with", "source", type=click.Choice(["auto", "perf", "valgrind"]), default="auto", help="What counts the events."
)
@click.option("--timeout", type=Number(min=0.001), default=600.0, show_default=True, help="Seconds of one run.")
@click.option(
    "--curve", is_flag=True, help="Also simulates L2 and smaller caches: how misses grow when threads share them."
)
@click.option("--memory", metavar="SIZE", help="Most memory of the program: 8GiB.")
@click.option("--include", is_flag=True, help="Prints the folder of foretell.h (region marks for C and Fortran).")
@click.option("-o", "--output", type=common.PATH, help="Writes the profile to this file (JSON).")
@common.format_option
def command(
    program: tuple[str, ...],
    measured_on: str | None,
    timeout: float,
    memory: str | None,
    include: bool,
    output: Path | None,
    format_: str,
    **how: Any,
) -> None:
    """Counts what a program does: foretell profile -o app.json -- ./app arguments.

    With hardware counters if perf may use them here, otherwise by running the program under valgrind with the caches of
    this machine. The program runs at least twice.
    """
    if include:
        click.echo(include_folder())
        return
    bytes_ = None if memory is None else int(units.parse_as(memory, "B"))
    request = Request(
        command=program,
        machine_name=measured_on or "",
        machine_hash=machine_hash(measured_on),
        machine=machines.load(config.machine_file(measured_on)) if measured_on else None,
        limits=Limits(timeout, memory_bytes=bytes_, time_option="--timeout"),
        **how,
    )
    with common.progress(f"running {' '.join(program[:1])} at least twice"):
        found = profile(request)
    write_profile(found, measured_on, output, format_)
