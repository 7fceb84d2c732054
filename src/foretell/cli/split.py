"""`foretell split`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from foretell import units
from foretell.cli import common
from foretell.door import prepare
from foretell.uses.split import Work, split

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.core.prediction import Mode


@click.command("split")
@common.code_argument
@common.on_option(True, "A device; give at least two.")
@common.define_option
@common.set_option
@common.launch_options
@common.model_options
@click.option(
    "--items", type=click.IntRange(min=1), help="The work is so many items (rows, particles, cells)."
)
@click.option(
    "--transfer", metavar="SIZE", help="Bytes of the whole work that go over a device's link: 2GiB."
)
@common.measured_option
@common.plot_option
@common.format_option
def command(
    code: str,
    on: tuple[str, ...],
    defines: tuple[str, ...],
    overrides: tuple[str, ...],
    mode: Mode,
    model: str | None,
    options: tuple[str, ...],
    items: int | None,
    transfer: str | None,
    measured: tuple[str, ...],
    plot: Path | None,
    format_: str,
    **reading: Any,
) -> None:
    """How to divide the work of CODE between devices.

    Each gets a share by its predicted cost. With --measured times, also what those would give.
    """
    reader = common.reader(code, **reading)
    point = common.one_point(defines)
    chosen = common.pairs(options, "--option")
    cases = [
        prepare(reader.workload(machine), machine, parameters=point, mode=mode, model=model, options=chosen)
        for machine in (common.load_machine(name, overrides) for name in on)
    ]
    work = Work(items, 0.0 if transfer is None else units.parse_as(transfer, "B"))
    answer = split(cases, work, common.seconds(measured))
    common.draw("split", answer, plot)
    common.write("split", answer, format_)
