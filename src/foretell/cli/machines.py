"""`foretell machines list|show|check|diff|probe`."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import click

from foretell import files, machines
from foretell.cli import common
from foretell.core.machine.machine import diff
from foretell.errors import CheckError, InputError

if TYPE_CHECKING:
    from pathlib import Path


@click.group("machines")
def command() -> None:
    """The machine library: list, show, check and compare. A file of your own works wherever a name does."""


@command.command("list")
@click.option("--models", is_flag=True, help="Which models can answer for each: with its own numbers, or estimates.")
@common.format_option
def list_(models: bool, format_: str) -> None:
    """All shipped machines."""
    if models:
        from foretell.uses.coverage import coverage

        common.write("coverage", coverage(machines.library()), format_)
        return
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
@click.option(
    "--within",
    "percent",
    type=click.FloatRange(0.0),
    default=0.0,
    metavar="PERCENT",
    help="Numbers that differ by no more are taken as equal: how well do two probes of one machine agree?",
)
@common.format_option
def diff_(left: str, right: str, percent: float, format_: str) -> None:
    """What differs between machines LEFT and RIGHT, and how many numbers do not."""
    common.write("machine_diff", diff(machines.load(left), machines.load(right), percent / 100), format_)


@command.command("probe")
@click.option("--gpu", is_flag=True, help="Measure this computer's NVIDIA GPU (needs nvcc).")
@click.option(
    "--from",
    "given",
    multiple=True,
    type=common.PATH,
    help="Take these answers of the GPU probe (JSON) instead of measuring; several: their median.",
)
@click.option("--base", default=None, help="With --gpu or --from: a machine of the library to start from.")
@click.option("--output", "-o", type=common.PATH, metavar="FILE", help="Where the machine file goes; else to stdout.")
@click.option("--threads", type=click.IntRange(1), default=None, help="Most threads to use; all CPUs if not given.")
@click.option("--quick", is_flag=True, help="Half a minute instead of two to three, and less exact.")
@click.option(
    "--merge",
    "--with",
    "earlier",
    multiple=True,
    metavar="FILE",
    help="An earlier probe of this machine: where others moved a number, the better one counts. May be repeated.",
)
@click.option("--name", default=None, help="The name of the machine; made from the processor's if not given.")
def probe(
    gpu: bool, given: tuple[Path, ...], base: str | None, output: Path | None, name: str | None, **how: Any
) -> None:
    """Measure this machine and write a machine file, every number with its source."""
    if output is not None and not output.absolute().parent.is_dir():
        raise InputError(f"{output}: the folder does not exist")
    text = _gpu_file(given, name, base) if gpu or given else _cpu_file(name, **how)
    if output is None:
        click.echo(text, nl=False)
        return
    files.write_text(output, text)
    click.echo(f"{output}: written; foretell machines show {output}", err=True)


def _cpu_file(name: str | None, earlier: tuple[str, ...], **how: Any) -> str:
    from foretell.machines.probe import probe as measure

    before = [machines.load(path) for path in earlier]
    with common.progress("probing") as progress:
        text = measure(name=name, progress=lambda what, share: progress(f"{what} {share:.0%}"), earlier=before, **how)
    for line in itertools.takewhile(lambda line: line.startswith("# "), text.splitlines()):
        click.echo(line.removeprefix("# "), err=True)
    return text


def _gpu_file(given: tuple[Path, ...], name: str | None, base: str | None) -> str:
    from foretell.machines.probe.gpu import gpu

    documents = [gpu.read_document(path) for path in given] or [gpu.run_probe()]
    return gpu.machine_file(documents, name or "my-gpu", base)
