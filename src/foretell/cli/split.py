"""`foretell split`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from foretell import units
from foretell.cli import common
from foretell.uses.split import Work, split

if TYPE_CHECKING:
    from pathlib import Path


@click.command("split")
@common.code_argument
@common.on_option(True, "A device; give at least two.")
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

    Each gets a share by its predicted cost. With --measured times, also what those would give.
    """
    if len(on) < 2:
        raise click.UsageError("give at least two devices: --on A --on B")
    reader = request.reader(code)
    cases = [request.case(reader, name) for name in on]
    work = Work(items, 0.0 if transfer is None else units.parse_as(transfer, "B"))
    answer = split(cases, work, common.seconds(measured))
    common.draw("split", answer, plot)
    common.write("split", answer, format_)
