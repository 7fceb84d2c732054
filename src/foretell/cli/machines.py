"""`foretell machines list|show|check|diff`."""

from __future__ import annotations

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
