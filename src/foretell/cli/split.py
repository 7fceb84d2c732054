"""`foretell split`."""

from __future__ import annotations

from pathlib import Path

import click

from foretell import units
from foretell.cli import common
from foretell.uses.dividing.description import SUFFIX
from foretell.uses.split import Work, split


@click.command("split")
@common.code_argument
@common.on_option(False, "A device; give at least two. A split file has its own.")
@common.request_options()
@click.option("--items", type=click.IntRange(min=1), help="The work is so many items (rows, particles, cells).")
@click.option("--transfer", metavar="SIZE", help="Bytes of the whole work that go over a device's link: 2GiB.")
@common.measured_option
@common.plot_option
@common.format_option
def command(
    code: str,
    on: tuple[str, ...],
    request: common.Request,
    items: int | None,
    transfer: str | None,
    measured: tuple[str, ...],
    plot: Path | None,
    format_: str,
) -> None:
    """How to divide the work of CODE between devices.

    Each gets a share by its predicted cost. With --measured times, also what those would give. A file
    NAME.split.toml has a code of its own for each device, and the copies over its link.
    """
    if code.endswith(SUFFIX):
        _write_divided(code, on, plot, format_)
        return
    if len(on) < 2:
        raise click.UsageError("give at least two devices: --on A --on B")
    reader = request.reader(code)
    cases = [request.case(reader, name) for name in on]
    work = Work(items, 0.0 if transfer is None else units.parse_as(transfer, "B"))
    answer = split(cases, work, common.seconds(measured))
    common.draw("split", answer, plot)
    common.write("split", answer, format_)


def _write_divided(code: str, on: tuple[str, ...], plot: Path | None, format_: str) -> None:
    from foretell.uses.dividing.description import read
    from foretell.uses.dividing.shares import divided

    if on:
        raise click.UsageError("a split file names its devices: no --on")
    answer = divided(read(Path(code)))
    common.draw("split", answer, plot)
    common.write("split", answer, format_)
