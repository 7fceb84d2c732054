"""`foretell predict`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from foretell import frontends
from foretell.cli import common
from foretell.door import predict

if TYPE_CHECKING:
    from foretell.core.prediction import Mode


@click.command("predict")
@common.code_argument
@common.on_option(True, "A machine of the library, or a machine file; may be given several times.")
@common.define_option
@common.set_option
@common.model_options
@common.format_option
def command(
    code: str,
    on: tuple[str, ...],
    defines: tuple[str, ...],
    overrides: tuple[str, ...],
    mode: Mode,
    model: str | None,
    options: tuple[str, ...],
    format_: str,
) -> None:
    """How long CODE takes on a machine, and what bounds it.

    CODE is a file, or example:NAME for a shipped one.
    """
    workload = frontends.read(code)
    chosen = common.pairs(options, "--option")
    answers = [
        predict(workload, machine, parameters=point, mode=mode, model=model, options=chosen)
        for machine in (common.load_machine(name, overrides) for name in on)
        for point in common.space(defines).points()
    ]
    common.write("predictions", answers, format_)
