"""`foretell import`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from foretell import files, frontends, machines, units
from foretell.cli import common, config, serve
from foretell.core.facets.counts import Count, Counts, event_unit
from foretell.errors import InputError
from foretell.frontends import MeasuredRun, read_profile

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.core.workload import Workload

_DECIMALS = {"point": ".", "comma": ","}


@click.command("import")
@click.argument("files", nargs=-1, required=True, type=common.PATH)
@click.option(
    "--measured-on", metavar="MACHINE", help="The machine of the run: a name of the library or a machine file."
)
@click.option("--cores", type=click.IntRange(min=1), help="Cores that the run used.")
@click.option("--threads-per-core", type=click.IntRange(min=1), help="Threads on each of them (default: 1).")
@click.option(
    "--give",
    multiple=True,
    metavar="[REGION:]EVENT=VALUE",
    help="An event that the file does not have: time_s=1.25s, instFP=4e9, dp:ST=2e6.",
)
@click.option("--by", type=click.Choice(["program", "region"]), help="One block, or one for each function or region.")
@click.option("--decimal", type=click.Choice(["point", "comma"]), help="What a number such as 1.234 or 1,234 means.")
@click.option("-o", "--output", type=common.PATH, help="Writes the profile to this file (JSON).")
@serve.store_options
@common.format_option
def command(
    files: tuple[Path, ...],
    measured_on: str | None,
    give: tuple[str, ...],
    by: str | None,
    decimal: str | None,
    output: Path | None,
    store: str,
    folder: Path | None,
    format_: str,
    **threads: Any,
) -> None:
    """Reads what perf, PAPI, LIKWID, VTune, valgrind, Nsight Compute or rocprofv3 wrote.

    Several FILES are ranks or passes of one run. With -o the profile becomes a file for predict, why and explore;
    without it, it is described. A project that `foretell export` wrote becomes one of the workspace.
    """
    if (project := _project(files)) is not None:
        serve.import_project(project, store, folder)
        return
    run = MeasuredRun(
        machine_name=measured_on or "",
        machine_hash=machine_hash(measured_on),
        given=dict(_given(item) for item in common.pairs(give, "--give").items()),
        whole=None if by is None else by == "program",
        decimal=_DECIMALS[decimal] if decimal else None,
        **threads,
    )
    workload = read_profile(files, run)
    write_profile(workload, measured_on, output, format_)


def _project(files: tuple[Path, ...]) -> dict[str, Any] | None:
    """The exported project that is given instead of a profile; files that are no text have other readers."""
    try:
        return serve.exported_project(files[0]) if len(files) == 1 else None
    except InputError:
        return None


def machine_hash(measured_on: str | None) -> str:
    """Returns the content hash of the machine of the run; a wrong name is detected before anything is read."""
    return machines.load(config.machine_file(measured_on)).content_hash if measured_on else ""


def write_profile(workload: Workload, measured_on: str | None, output: Path | None, format_: str) -> None:
    """Writes a profile to a file, or describes it on stdout. A library machine is stored by name, a user's file with
    all its numbers, so that the profile is portable."""
    counts = workload.facet(Counts)
    if measured_on and measured_on not in machines.library():
        machine = machines.load(config.machine_file(measured_on))
        counts = replace(counts, machine=machine, machine_name="", machine_hash="")
    workload = replace(workload, facets=(counts,))
    if output is None:
        common.write("workload", workload, format_)
        return
    files.write_text(output, frontends.profile_text(workload.name, counts, workload.assumptions) + "\n")
    common.wrote(output)


def _given(item: tuple[str, str]) -> tuple[tuple[str, str], Count]:
    """Parses 'dp:time_s', '1.25s' → ('dp', 'time_s'), 1.25 s."""
    name, text = item
    region, _, event = name.rpartition(":")
    unit = event_unit(event)
    measure = units.parse(text)
    if measure.unit not in ("", unit) or measure.value < 0:
        raise InputError(f"--give {name}={text}: expected a number in {unit or 'no unit'}")
    return (region, event), Count(measure.value, "given", "given by the user")
