"""`foretell machines list|show|check|diff|probe`."""

from __future__ import annotations

from pathlib import Path

import click

from foretell import machines
from foretell.cli import common
from foretell.core.machine import diff
from foretell.errors import CheckError


@click.group("machines")
def command() -> None:
    """The machine library: list, show, check and compare. A file of your own works wherever a name does."""


@command.command("list")
@common.format_option
def list_(format_: str) -> None:
    """All shipped machines."""
    common.write("machines", [machines.load(name) for name in machines.library()], format_)


@command.command("show")
@click.argument("name")
@common.format_option
def show(name: str, format_: str) -> None:
    """Every number of machine NAME with its source, and what is missing."""
    common.write("machine", machines.load(name), format_)


@command.command("check")
@click.argument("file")
def check(file: str) -> None:
    """Whether machine FILE loads and its numbers agree with each other (exit 4 if they do not)."""
    machine, problems = machines.resolve(file)
    for warning in machine.warnings:
        click.echo(f"warning: {warning}", err=True)
    if problems:
        raise CheckError(f"{file}: {len(problems)} problem(s)\n  " + "\n  ".join(problems))
    click.echo(f"{file}: {len(machine.quantities)} numbers, all with a source, all consistent")


@command.command("diff")
@click.argument("left")
@click.argument("right")
@common.format_option
def diff_(left: str, right: str, format_: str) -> None:
    """What differs between machines LEFT and RIGHT."""
    common.write("machine_diff", diff(machines.load(left), machines.load(right)), format_)


@command.command("probe")
@click.option("--gpu", is_flag=True, help="Measure this computer's NVIDIA GPU (needs nvcc).")
@click.option(
    "--from",
    "given",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Take these answers of the probe (JSON) instead of measuring; several: their median.",
)
@click.option("--name", default="my-gpu", show_default=True, help="Name of the machine.")
@click.option("--base", default=None, help="A machine of the library to start from.")
def probe(gpu: bool, given: tuple[Path, ...], name: str, base: str | None) -> None:
    """A machine file of a measured machine, on stdout."""
    from foretell.machines.probe import gpu as gpu_probe

    if not gpu and not given:
        raise click.UsageError("say what to measure: --gpu, or --from FILE")
    documents = [gpu_probe.read_document(path) for path in given] or [gpu_probe.run_probe()]
    click.echo(gpu_probe.machine_file(documents, name, base), nl=False)
