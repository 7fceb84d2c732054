"""`foretell machines list|show|check|diff|probe`."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import click

from foretell import files, machines
from foretell.cli import common, config
from foretell.cli.input import completion
from foretell.cli.input.number import Number
from foretell.core.machine.machine import diff
from foretell.errors import CheckError

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.core.machine.machine import Machine


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
@click.argument("name", shell_complete=completion.machines)
@click.option("--full", is_flag=True, help="Every number with its source, and what is missing.")
@common.format_option
def show(name: str, full: bool, format_: str) -> None:
    """What machine NAME is: cores, clock, caches, memory. With --full every number with its source."""
    machine = machines.load(config.machine_file(name))
    common.write("machine" if full or format_ != "table" else "machine_summary", machine, format_)


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
    type=Number(0.0),
    default=0.0,
    metavar="PERCENT",
    help="Numbers that differ by no more are taken as equal: how well do two probes of one machine agree?",
)
@common.format_option
def diff_(left: str, right: str, percent: float, format_: str) -> None:
    """What differs between machines LEFT and RIGHT, and how many numbers do not."""
    common.write("machine_diff", diff(_load(left), _load(right), percent / 100), format_)


def _load(name: str) -> Machine:
    return machines.load(config.machine_file(name))


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
@click.option("--here", is_flag=True, help="Keep the file in the configuration folder: this computer is --on here.")
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
    gpu: bool, given: tuple[Path, ...], base: str | None, output: Path | None, here: bool, name: str | None, **how: Any
) -> None:
    """Measure this machine and write a machine file, every number with its source."""
    if here and (gpu or given or output is not None):
        raise click.UsageError("--here keeps the CPU's file in the configuration folder: no --gpu, --from, -o")
    output = config.here_file() if here else output
    if output is not None:
        common.check_writable(output, make=here)
    text = _gpu_file(given, name, base) if gpu or given else _cpu_file(name, **how)
    if output is None:
        click.echo(text, nl=False)
        return
    files.write_text(output, text)
    shown = config.HERE if here else output
    click.echo(f"{output}: written; foretell machines show {shown}", err=True)


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
