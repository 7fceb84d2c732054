"""`foretell import`."""

from __future__ import annotations

from pathlib import Path

import click

from foretell import machines, units
from foretell.cli import common
from foretell.core.counts import Counts
from foretell.errors import InputError
from foretell.frontends.counters import Launch, neutral, read_profile

_DECIMALS = {"point": ".", "comma": ","}


@click.command("import")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--measured-on",
    metavar="MACHINE",
    help="The machine of the run: a name of the library or a machine file.",
)
@click.option("--cores", type=click.IntRange(min=1), help="Cores that the run used.")
@click.option("--threads-per-core", type=click.IntRange(min=1), help="Threads on each of them (default: 1).")
@click.option(
    "--time",
    "time",
    metavar="TIME",
    help="Elapsed time of the whole program, where the file has none: 1.25s.",
)
@click.option(
    "--by", type=click.Choice(["program", "region"]), help="One block, or one for each function or region."
)
@click.option(
    "--decimal", type=click.Choice(["point", "comma"]), help="What a number such as 1.234 or 1,234 means."
)
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="Writes the profile to this file (JSON)."
)
@common.format_option
def command(
    files: tuple[Path, ...],
    measured_on: str | None,
    cores: int | None,
    threads_per_core: int | None,
    time: str | None,
    by: str | None,
    decimal: str | None,
    output: Path | None,
    format_: str,
) -> None:
    """Reads what perf, PAPI, LIKWID, VTune, valgrind, Nsight Compute or rocprofv3 wrote.

    Several FILES are ranks or passes of one run. With -o the profile becomes a file for predict, why and explore;
    without it, it is described.
    """
    launch = Launch(
        machine_name=measured_on or "",
        machine_hash=machines.load(measured_on).content_hash if measured_on else "",
        cores=cores,
        threads_per_core=threads_per_core,
        time_s=_seconds(time),
        whole=None if by is None else by == "program",
        decimal=_DECIMALS[decimal] if decimal else None,
    )
    workload = read_profile(files, launch)
    if output is None:
        common.write("workload", workload, format_)
        return
    try:
        output.write_text(neutral.write(workload.name, workload.facet(Counts)) + "\n", encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", file=output) from None
    click.echo(f"wrote {output}", err=True)


def _seconds(text: str | None) -> float | None:
    if text is None:
        return None
    value = units.parse_as(text, "s")
    if value <= 0:
        raise InputError(f"--time {text}: must be positive")
    return value
